/* SPDX-License-Identifier: MIT */
/*
 * pcounter card without --qemu.
 *
 *   card_serve.c   the card, and the thread that answers what processes ask of it
 *   card_space.c   the mount namespace of the command
 *   card_keeper.c  the process between this one and the command
 *   preload/       what is loaded into the processes
 */
#ifndef PC_CLI_CARD_SERVE_H
#define PC_CLI_CARD_SERVE_H

/* _GNU_SOURCE for cpu_set_t is the includer's */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "card/card.h"
#include "card/device.h"

struct card_link;

struct card_server {
    const struct card_options *options;
    struct replay_log *log; /* of all accesses; NULL: none */
    struct card_device *device;
    struct card_config config; /* with the lock, as files */
    int config_file, rom_file; /* -1: there is none */
    int changes;               /* an inotify: files were written to, and are to be settled */
    pthread_mutex_t lock;
    _Atomic bool decodes; /* config says so */
    struct card_link *link;
    pthread_t thread;
    cpu_set_t processors; /* on which this process may run */
    int asker;            /* the processor of who asked last */
    int holder;           /* the slot that alone is answered */
    uint64_t missed;      /* accesses that the card does not decode */
    bool started, failed;
};

/* Makes the card, the namespace and the files; an exit code.  In any case card_server_close(). */
int card_server_open(struct card_server *server, struct card_setup *setup);
/* After the last fork(): false if there can be no thread. */
bool card_server_start(struct card_server *server);
void card_server_stop(struct card_server *server);
/* Takes what was written to the files; the thread does so for who asks. */
void card_server_settle(struct card_server *server);
void card_server_tell(struct card_server *server, FILE *file);
void card_server_close(struct card_server *server);

/* ---- card_space.c ---- */

/* Gives this process a mount namespace of its own; an exit code. */
int card_space_enter(void);

/* ---- card_keeper.c ---- */

/*
 * Called in the process that is to become the command.  Returns in another one, which becomes it;
 * the caller goes on as its keeper, and ends with whom `link` leads to.
 */
struct card_keeper {
    int link[2]; /* sockets: of `pcounter card`, of the keeper */
    sigset_t before;
};
void card_keep(const void *keeper);

/* Its report when the command has ended */
struct card_end {
    int code;       /* its exit code, or 128 and a signal */
    unsigned ended; /* processes that outlived the command, and that were ended */
};
/* Ends all children of this process, which adopts those of its children, at once or after they had
 * a moment; how many were there. */
unsigned card_end_children(bool at_once);

#endif

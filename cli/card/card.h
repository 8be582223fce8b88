/* SPDX-License-Identifier: MIT */
/*
 * pcounter card.
 *
 *   cmd_card.c      the call
 *   card_run.c      the command: whether a card can be shown to it, start, end, exit code
 *   card_process.c  its process
 *   card_setup.c    clocks and what drives signals, as commands of a script
 *   card_samples.c  samples of a waveform, for the card's signals
 *   card_log.c      the accesses of its processes, as traces
 *   card_files.c    the files of the PCI bus, in a temporary folder
 *   device.c        the card, in bus time; feed.c: signals that follow a waveform
 *   preload/        what is loaded into the command
 *   qemu.h          --qemu: what a guest of QEMU is told of the card
 */
#ifndef PC_CLI_CARD_H
#define PC_CLI_CARD_H

#include <signal.h>
#include <sys/types.h>

#include "cli.h"
#include "replay/replay_log.h"

struct card_options {
    const struct pc_chip *chip;
    struct pc_chip_pci pci;
    uint64_t access_ns;     /* 0: the wall clock's time */
    uint64_t hz;            /* of all clocks, with the wall clock's time; 0: not said */
    struct opt_texts clock; /* [DOM=]HZ, checked */
    const char *with;       /* a file with commands; NULL: none */
    const char *wave;       /* NULL: none */
    struct opt_texts bind;
    const char *report; /* NULL: standard error */
    const char *log;    /* NULL: none */
    bool qemu;          /* the command is one, whose guest has the card */
};

/* Runs the command with its arguments; the command's exit code, 128 and its signal, or CLI_INPUT
 * after saying what is wrong. */
int card_run(const struct card_options *o, char **command);
/* The same of a QEMU; CLI_INPUT if it was not understood, too. */
int card_run_qemu(const struct card_options *o, char **command);

/* ---- card_process.c ---- */

/* The file that the command's name leads to. */
bool card_find_command(const char *name, char *out, size_t size);
/* No signal ends this process between the first file and the end of the command. */
void card_hold_signals(sigset_t *before);
/* With signals held as they were `before`; -1 after saying why not. */
pid_t card_start(const char *file, char **command, const sigset_t *before,
                 void (*in_child)(const void *ctx), const void *ctx);
/* Its exit code, or 128 and the signal that ended it. */
int card_wait(pid_t pid);

/* "500M", "27000000", "32768Hz"; 0: it is none, or too many. */
uint64_t card_hertz(const char *text);

/* Samples of a waveform, a file for each domain. */
struct card_samples {
    struct card_samples_of *of;
    size_t count;
};
/* A pc_script_samples_fn; ctx: struct card_samples. */
enum pc_status card_samples_take(void *ctx, const struct pc_script_samples *some,
                                 struct pc_error *err);
bool card_samples_write(const struct card_samples *samples, const char *folder);
/* For card_device_feed(): the i-th, from its beginning; NULL: there are no more, or it cannot be
 * read. It is the caller's now. */
FILE *card_samples_file(struct card_samples *samples, size_t i);
void card_samples_free(struct card_samples *samples);

/* What is around the card from its first access on: commands of pcounter-script(7), a line each; */
struct card_setup {
    char *commands;
    char *waves; /* ... those about a waveform, of which there are samples instead */
    struct card_samples samples;
};
/* Of options and their files, tried; an exit code. */
int card_setup(const struct card_options *o, struct card_setup *out);
/* To a device; takes the samples. */
struct card_device;
enum pc_status card_setup_apply(struct card_setup *setup, struct card_device *device,
                                struct pc_error *err);
void card_setup_free(struct card_setup *setup);

/* Configuration space, with BAR0 where the files say that it is. */
enum { CARD_CONFIG = 256 };
void card_config(const struct card_options *o, uint8_t config[CARD_CONFIG]);

/* Files as below /sys, in a new folder, whose name is set, and what is set up; an exit code. */
int card_files_make(const struct card_options *o, const struct card_setup *setup, char *folder,
                    size_t size);
void card_files_remove(const char *folder);

/* The head of a log, with what is set up. */
void card_log_begin(struct replay_log *log, const struct card_options *o,
                    const struct card_setup *setup);
/*
 * The logs of the processes in the folder, as traces: of the first one that is the file, of the
 * second FILE.2, ...; `out` was opened for the file.  An exit code: all of them, or none.
 */
int card_log_write(const struct card_options *o, const struct card_setup *setup, const char *folder,
                   struct replay_log *out);

#endif

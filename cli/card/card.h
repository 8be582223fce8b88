/* SPDX-License-Identifier: MIT */
/*
 * pcounter card.
 *
 *   cmd_card.c      the call
 *   card_run.c      the command: whether a card can be shown to it, start, end, exit code
 *   card_process.c  its process
 *   card_setup.c    clocks and what drives signals, as commands of a script
 *   card_samples.c  samples of a waveform, for the card's signals
 *   card_config.c   the card's configuration space
 *   card_files.c    the files of the PCI bus, in a namespace of the command
 *   device.c        the card, in bus time; feed.c: signals that follow a waveform
 *   serve.h         the card, for the command and all that it starts
 *   qemu.h          --qemu: what a guest of QEMU is told of the card
 */
#ifndef PC_CLI_CARD_H
#define PC_CLI_CARD_H

#include <signal.h>
#include <sys/types.h>

#include "cli.h"
#include "pcounter/unstable/script.h"
#include "replay/replay_log.h"

/* A VBIOS: what --vbios has read. */
struct card_rom {
    uint8_t *data;
    size_t size; /* 0: there is none */
};

struct card_options {
    const struct pc_chip *chip;
    struct pc_chip_pci pci;
    uint64_t access_ns;      /* 0: the wall clock's time */
    uint64_t hz;             /* of all clocks, with the wall clock's time; 0: not said */
    struct opt_texts clock;  /* [DOM=]HZ, checked */
    struct opt_texts option; /* NAME=VALUE */
    const char *with;        /* a file with commands; NULL: none */
    const char *wave;        /* NULL: none */
    const char *vbios;       /* NULL: none */
    struct card_rom rom;     /* ... read */
    struct opt_texts bind;
    const char *report; /* NULL: standard error */
    const char *log;    /* NULL: none */
    bool qemu;          /* the command is one, whose guest has the card */
};

/* Runs the command with its arguments; the command's exit code, 128 and its signal, or CLI_INPUT
 * after saying what is wrong. */
int card_run(const struct card_options *o, char **command);
/* Runs a QEMU whose guest has the card; also CLI_INPUT if what QEMU sends is not understood. */
int card_run_qemu(const struct card_options *o, char **command);

/* ---- card_process.c ---- */

/* Finds the file to which the command's name leads. */
bool card_find_command(const char *name, char *out, size_t size);
/* Holds signals, so that none ends this process between the first file and the end of the
 * command. */
void card_hold_signals(sigset_t *before);
/* Starts the command with signals held as they were `before`; -1 after saying why not. */
pid_t card_start(const char *file, char **command, const sigset_t *before,
                 void (*in_child)(const void *ctx), const void *ctx);
/* Returns its exit code, or 128 and the signal that ended it. */
int card_wait(pid_t pid);

/* Samples of a waveform, a file for each domain. */
struct card_samples {
    struct card_samples_of *of;
    size_t count;
};
/* A pc_script_samples_fn; ctx: struct card_samples. */
enum pc_status card_samples_take(void *ctx, const struct pc_script_samples *some,
                                 struct pc_error *err);
/* For card_device_feed(): the i-th, from its beginning; NULL: there are no more, or it cannot be
 * read. It is the caller's now. */
FILE *card_samples_file(struct card_samples *samples, size_t i);
void card_samples_free(struct card_samples *samples);

/* The surroundings of the card at its first access: commands of pcounter-script(7), a line each. */
struct card_setup {
    char *commands;
    char *waves; /* ... those about a waveform, of which there are samples instead */
    struct card_samples samples;
};
/* Makes the setup from options and their files, and tries it; returns an exit code. */
int card_setup(const struct card_options *o, struct card_setup *out);
struct card_device;
/* Applies the setup to a device, and takes the samples. */
enum pc_status card_setup_apply(struct card_setup *setup, struct card_device *device,
                                struct pc_error *err);
void card_setup_free(struct card_setup *setup);

/* ---- card_config.c ---- */

/* Where BAR0 and the ROM are on the bus, unless config is written to. */
#define CARD_BAR0_PLACE 0xf0000000u
#define CARD_ROM_PLACE  0xf4000000u
enum { CARD_REVISION = 0xa1, CARD_CONFIG = 256 };

struct card_config {
    uint8_t byte[CARD_CONFIG], writable[CARD_CONFIG];
};
/* Sets the state after a reset: nothing is decoded. */
void card_config_reset(struct card_config *c, const struct card_options *o);
/* As firmware does: BAR0 and the ROM have their places, and memory is decoded. */
void card_config_place(struct card_config *c);
/* Returns if BAR0 is where it was placed and decoded. */
bool card_config_decodes(const struct card_config *c);
/* Reads 1, 2 or 4 bytes; all ones beyond its end, as where no device is. */
uint32_t card_config_read(const struct card_config *c, uint32_t address, unsigned size);
void card_config_write(struct card_config *c, uint32_t address, unsigned size, uint32_t value);
/* Returns the bytes of the bus that the ROM takes; 0: there is none. */
uint64_t card_rom_room(const struct card_options *o);

/* Mounts files as below /sys in a namespace of this process and the command; an exit code. */
int card_files_make(const struct card_options *o, const struct card_config *config);

/* Begins a log, with what is set up. */
void card_log_begin(struct replay_log *log, const struct card_options *o,
                    const struct card_setup *setup);

#endif

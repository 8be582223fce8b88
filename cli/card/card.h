/* SPDX-License-Identifier: MIT */
/*
 * pcounter card.
 *
 *   cmd_card.c      the call
 *   card_run.c      the command: whether a card can be shown to it, start, end, exit code
 *   card_files.c    the files of the PCI bus, in a temporary folder
 *   device.c        the card, in bus time
 *   preload/        what is loaded into the command
 */
#ifndef PC_CLI_CARD_H
#define PC_CLI_CARD_H

#include "cli.h"

struct card_options {
    const struct pc_chip *chip;
    struct pc_chip_pci pci;
    uint64_t access_ns; /* 0: the wall clock's time */
    uint64_t hz;
    const char *report; /* NULL: standard error */
};

/* Runs the command with its arguments; the command's exit code, 128 and its signal, or CLI_INPUT
 * after saying what is wrong. */
int card_run(const struct card_options *o, char **command);

/* Files as below /sys, in a new folder, whose name is set; an exit code. */
int card_files_make(const struct card_options *o, char *folder, size_t size);
void card_files_remove(const char *folder);

#endif

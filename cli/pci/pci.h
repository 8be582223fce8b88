/* SPDX-License-Identifier: MIT */
/*
 * A real card, for `run --card`, `replay --card` and `settle`: registers in BAR0 of a PCI function,
 * which Linux maps for root.
 *   pci_open.c     finds the card and asks whose it is
 *   pci_access.c   accesses, and time
 *   pci_port.c     a script's accesses
 *   pci_restore.c  which registers may be written, and what was in them
 *   pci_stop.c     signals that end the program
 */
#ifndef PC_CLI_PCI_H
#define PC_CLI_PCI_H

#include "cli.h"
#include "opt/opt.h"
#include "pcounter/unstable/script.h"

/* The options of a card. */
struct pci_options {
    const char *address; /* NULL: no card */
    bool any_register, in_use;
    uint64_t hz; /* of cycles that are waited for; 0: not said */
};
#define PCI_HZ 27000000u /* unless it is said: the crystal, the slowest clock of a card */

/* About --card, without which they have no meaning. */
enum { PCI_ABOUT_CARD = OPT_MARK << 6 };
extern const struct opt_kind pci_address;
#define PCI_OPTIONS(S, member)                                                                     \
    { .name = "card",                                                                              \
      OPT_OF(pci_address, S, const char *, member.address),                                        \
      .brief = "access this PCI card instead of the model",                                        \
      .flags = OPT_ONCE },                                                                         \
        { .name = "any-register",                                                                  \
          OPT_SWITCH(S, member.any_register),                                                      \
          .brief = "allow writes to registers that `list registers` lacks",                        \
          .flags = PCI_ABOUT_CARD | OPT_RARE },                                                    \
    {                                                                                              \
        .name = "in-use", OPT_SWITCH(S, member.in_use),                                            \
        .brief = "access the card although a driver uses it", .flags = PCI_ABOUT_CARD | OPT_RARE   \
    }

/* A register that will be written, as it was. */
struct pci_saved {
    uint32_t address, value, mask; /* mask: bits that keep what is written */
    bool written;                  /* since then */
    bool control;                  /* ends what other registers start: it is put back last */
    bool counter;                  /* goes on by itself, and cannot be compared */
};

struct pci_card {
    char address[24]; /* "0000:01:00.0" */
    char driver[64];  /* ""; no driver has it */
    struct pci_options options;
    const struct pc_chip *chip;
    uint32_t boot0;
    void *map;
    volatile uint32_t *bar; /* the same: 16 MiB */
    struct pci_saved *saved;
    size_t count, capacity;
    bool keep;       /* nothing is put back */
    bool written;    /* anything */
    bool gone;       /* it answers no more */
    bool stands;     /* PTIMER did, at least once */
    uint64_t cycles; /* that were waited for */
    size_t put_back, differ;
    uint32_t differs_at; /* the first of them */
};

/*
 * Opens the card of the options: it is NVIDIA's, no driver has it (unless --in-use), and its boot
 * id is that of a known chip.  Nothing is written.  An exit code; errors are told.
 */
int pci_open(const struct pci_options *o, struct pci_card *card);
/* Puts registers back (pci_restore.c) and gives back what the card holds. */
void pci_close(struct pci_card *card);
/* Refuses a chip that is not the card's. */
enum pc_status pci_check_chip(const struct pci_card *card, const struct pc_chip *chip,
                              struct pc_error *err);

/* Accesses; PC-E2105 if the card answers no more. */
enum pc_status pci_read(struct pci_card *card, uint32_t address, uint32_t *value,
                        struct pc_error *err);
/* Writes 1, 2 or 4 bytes at a multiple of their number. */
enum pc_status pci_write(struct pci_card *card, uint32_t address, unsigned size, uint32_t value,
                         struct pc_error *err);
/* Lets at least that time pass, by this machine's clock and the card's PTIMER, or less after a
 * signal. */
enum pc_status pci_wait_ns(struct pci_card *card, uint64_t ns, struct pc_error *err);
/* Lets at least that many cycles pass in the same way. */
enum pc_status pci_wait(struct pci_card *card, uint64_t cycles, struct pc_error *err);
uint64_t pci_hz(const struct pci_card *card);

/* The card for a script: its chip is checked, registers are saved before the first access. */
struct pc_script_port pci_port(struct pci_card *card);

/* Before a register is written: may it be?  Saves its value, the first time. */
enum pc_status pci_save(struct pci_card *card, uint32_t address, struct pc_error *err);
/* Puts all back, unless `keep` was said or the card is gone, and compares. */
void pci_restore(struct pci_card *card);
/* Prints a note of what was waited for and put back, and a warning of what could not be. */
void pci_tell(const struct pci_card *card);

/* From here on SIGINT, SIGTERM and SIGHUP are noted: whoever accesses a card has to put back. */
void pci_catch_signals(void);
bool pci_stopped(void);

#endif

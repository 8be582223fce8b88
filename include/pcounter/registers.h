/* SPDX-License-Identifier: MIT */
/* Registers (see pcounter.h) */
#ifndef PCOUNTER_REGISTERS_H
#define PCOUNTER_REGISTERS_H

#include "pcounter/chips.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PC_MAX_FIELDS 20 /* of one register */

/* Where PCOUNTER lies in MMIO, half-open: up to GT218, and on GF100 and later. */
enum {
    PC_REG_BEGIN = 0x00a000,
    PC_REG_END = 0x00b000,
    PC_REG_GF100_BEGIN = 0x180000,
    PC_REG_GF100_END = 0x1c0000
};

struct pc_field_info {
    const char *name; /* "EVENT_CTR_PERIOD"; unknown bits are called "UNK16" */
    unsigned shift, bits;
    bool writable;                  /* keeps what is written */
    bool strobe;                    /* writing 1 acts, nothing is kept */
    const char *const *values;      /* names by value, "" for one without; NULL if plain */
    const char *const *value_notes; /* one line a value; NULL if there is nothing to say */
    size_t value_count;
    const char *note;   /* one line, may be NULL */
    const char *clause; /* where the document defines it */
};

/* A register of a chip, at one place. */
struct pc_reg_info {
    const char *name; /* "EVENT_OP" */
    char place[16];   /* GF100+, before the name: "gpc0.1" a domain, "gpc0" a set; else "" */
    int index[2];     /* [domain], [domain][i], on GF100+ [i]; -1 where it has none */
    enum pc_set set;  /* PC_SET_ALL: none, or the only one of NV10:GF100 */
    int domain;       /* within the set; -1 where it belongs to none */
    uint32_t address; /* MMIO */
    bool readable, writable;
    uint32_t
        rw_mask; /* bits that keep what is written; CTR_PRE, CTR_STOP: as initial value (D-46) */
    const char *range;  /* variants of this row: "G84:GF100" */
    const char *clause; /* where the document defines it */
    const char *effect; /* what a write does besides storing; "" if nothing */
    struct pc_field_info fields[PC_MAX_FIELDS]; /* those of the chip's variant, by bit */
    size_t field_count;
};

/*
 * Gets the register of the chip at an MMIO address. PC_ENOENT if nothing is there. On NV10:GF100 a
 * register of a domain that the chip lacks is found (domain >= chip->domains): it reads 0 and drops
 * writes. PC_EUNSUP for a chip whose domains are not known.
 */
PC_API PC_MUST_CHECK enum pc_status pc_reg_at(const struct pc_chip *chip, uint32_t address,
                                              struct pc_reg_info *out, struct pc_error *err);
/*
 * Finds a register by name: "CTRL[1]", "SIG_STATUS[0][3]", "GCTRL"; on GF100+ "gpc0.1.CTRL",
 * "part0.0.SIG_STATUS[3]", "hub.DSET_CTRL", "MAIN_CONTROL"; with an optional "PCOUNTER." before it.
 * PC_EAMBIG if an index or a place is missing, PC_ENOENT with similar names, PC_EINPUT if the text
 * is no name.
 */
PC_API PC_MUST_CHECK enum pc_status pc_reg_find(const struct pc_chip *chip, const char *name,
                                                struct pc_reg_info *out, struct pc_error *err);
/* Writes the whole name of a register, as pc_reg_find() takes it: "CTRL[1]", "gpc0.1.CTRL". 64
 * bytes are enough. */
PC_API void pc_reg_full_name(const struct pc_reg_info *reg, char *out, size_t size);
/* Registers of the chip's own domains, by address; i counts from 0.  PC_END past the last. */
PC_API enum pc_status pc_reg_enum(const struct pc_chip *chip, size_t i, struct pc_reg_info *out);

/*
 * Puts a value into a field of *word: a number (31 or 0x1f, without leading zeros), or one of the
 * field's names ("RECORD").  A number too large for the field may still be the name of a value:
 * PERIODIC_PERIOD=0x10000.
 * PC_ENOENT for an unknown field or name, PC_EINPUT for a value that does not fit or a
 * field that cannot be written.
 */
PC_API PC_MUST_CHECK enum pc_status pc_reg_set_field(const struct pc_reg_info *reg,
                                                     const char *field, const char *value,
                                                     uint32_t *word, struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif

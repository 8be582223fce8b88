/* SPDX-License-Identifier: MIT */
/* Names: signals, multiplexers and known configurations of a chip (see pcounter.h) */
#ifndef PCOUNTER_NAMES_H
#define PCOUNTER_NAMES_H

#include "pcounter/base.h"
#include "pcounter/chips.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a name can be trusted, best first. */
enum pc_confidence {
    PC_CONF_USER,    /* from a table of the user's */
    PC_CONF_DOC,     /* documented by those who measured it */
    PC_CONF_TRACE,   /* seen in what the vendor's driver writes */
    PC_CONF_NOUVEAU, /* only nouveau's tables name it */
    PC_CONF_ASSUMED, /* the place follows from an assumed size of the domain (D-15) */
    PC_CONF_UNKNOWN, /* there is a signal; its meaning is not known */
    PC_CONF_SUSPECT, /* sources disagree: probably wrong on this chip (D-93) */
    PC_CONF_COUNT
};
/* Returns "user", "doc", "trace", "nouveau", "assumed", "unknown" or "suspect". */
PC_API const char *pc_confidence_name(enum pc_confidence confidence);

/* A signal of one domain.  Strings stay until the next pc_names_load() or pc_names_close(). */
struct pc_signal {
    unsigned domain;          /* as the device numbers them: pc_chip_get_domain() */
    unsigned position;        /* 0..255: what a SRC register takes */
    enum pc_signal_kind kind; /* PC_SIG_RAW: an input from the card */
    const char *name;         /* "vfetch.mux_3", "dom[1].flag"; "s2a" where there is none */
    const char *aliases;      /* other names, separated by blanks; may be empty */
    const char *mux;          /* group of sources (pc_source_at) that selects it, or settings
                                 "0x400c0c=0x1" of a user's table; may be empty */
    int filter;               /* GF100+: bit of FILTER that lets it through; -1: none known */
    enum pc_confidence confidence;
    const char *origin; /* "doc", "nouveau", "doc nouveau", "unit" (driven by it), "user" */
    const char *about;  /* one line; may be empty */
};

#define PC_NAMES_ANY UINT32_MAX /* in place of a domain: any domain that has the name */

/* All names of a chip.  A chip without signals in the tables has those that the unit drives. */
struct pc_names;
/* Opens the names of a chip, which is kept by pointer. */
PC_API PC_MUST_CHECK enum pc_status pc_names_open(const struct pc_alloc *alloc,
                                                  const struct pc_chip *chip, struct pc_names **out,
                                                  struct pc_error *err);
PC_API void pc_names_close(struct pc_names *names); /* NULL is fine */
PC_API const struct pc_chip *pc_names_chip(const struct pc_names *names);

/*
 * Adds a user's table: lines `chip,domain,position,name[,description[,mux]]`, fields quoted
 * as in CSV where they hold commas; `#` starts a comment line.  Rows for other chips are checked,
 * but not used; "*" is every chip.  The domain is a name of pc_chip_find_domain(), or "gpc1",
 * "part0" for that domain in all units.  The position is s2a, 0x2a or decimal.  The mux is a group
 * of sources, a source or settings SOURCE=VALUE or ADDRESS=VALUE, separated by blanks.  A row
 * replaces the built-in entries for its position and for its name elsewhere in the domain; signals
 * that the unit drives keep their own names as well.  *added counts the rows used.  PC_EINPUT and
 * others with line and column; the names then stay as they were.
 */
PC_API PC_MUST_CHECK enum pc_status pc_names_load(struct pc_names *names, const char *text,
                                                  size_t size, size_t *added, struct pc_error *err);

/* Returns the number of named signals of a domain, and one of them, ascending by position; false
 * past the end. */
PC_API size_t pc_names_count(const struct pc_names *names, unsigned domain);
PC_API bool pc_names_at(const struct pc_names *names, unsigned domain, size_t i,
                        struct pc_signal *out);
/*
 * Describes the signal at a position.  A signal without a name is called s2a, by its position in
 * hexadecimal.  false for a position that the domain does not have (it reads 0, D-30).
 */
PC_API bool pc_names_position(const struct pc_names *names, unsigned domain, unsigned position,
                              struct pc_signal *out);
/*
 * Finds a signal by name, alias or position (s2a, s[42]), case-insensitive. domain can be
 * PC_NAMES_ANY: then of units with equal signals (GPCs, partitions) the first is taken. PC_ENOENT
 * with similar names, and the domain that does have it; PC_EAMBIG with the places.
 */
PC_API PC_MUST_CHECK enum pc_status pc_names_find(const struct pc_names *names, unsigned domain,
                                                  const char *name, struct pc_signal *out,
                                                  struct pc_error *err);
/* Writes similar names in a domain (or PC_NAMES_ANY): comma-separated, possibly empty. */
PC_API void pc_names_near(const struct pc_names *names, unsigned domain, const char *name,
                          char *out, size_t size);

/* Returns true if the list of a row ("G84 G86 G92") holds the chip of that name. */
PC_API bool pc_names_chip_listed(const char *chips, const char *chip);

/* A field of a register that selects which signals a unit shows to PCOUNTER. */
struct pc_source {
    const char *group; /* "g84_vfetch": pc_signal.mux of the signals that it selects */
    const char *name;  /* "pgraph_vfetch_unk0c.unk0" */
    uint32_t address;  /* MMIO */
    uint32_t mask;     /* of the field, before it is shifted */
    unsigned shift;    /* of bit 0 of the field */
    bool enable;       /* bit 31 of the register must be set as well */
    const char *chips; /* "G84 G86 ...": on which it was seen */
    enum pc_confidence confidence;
    const char *origin; /* "doc", "nouveau", "blob" (what the vendor's driver writes) */
};
PC_API bool pc_source_at(size_t i, struct pc_source *out); /* false past the end */
/* Finds a source by name, or the first of a group; PC_ENOENT with similar names. */
PC_API PC_MUST_CHECK enum pc_status pc_source_find(const char *name, struct pc_source *out,
                                                   struct pc_error *err);

/* Bits of a register of the card: those of `mask` become those of `value`. */
struct pc_setting {
    uint32_t address, mask, value;
};
/*
 * Parses "g84_vfetch=1", "pgraph_vfetch_unk0c.unk0=0x1" on a chip, with the bit that enables the
 * source; or "0x400c0c=0x1", a whole register. PC_ENOENT if the chip has no such source, PC_EAMBIG
 * for a group of several, PC_EINPUT for a value that does not fit.
 */
PC_API PC_MUST_CHECK enum pc_status pc_setting_parse(const struct pc_chip *chip, const char *text,
                                                     struct pc_setting *out, struct pc_error *err);

/* A bit of FILTER (GF100+) and the unit whose signals it lets through. */
struct pc_filter_source {
    const char *chip;
    enum pc_set set;
    unsigned domain; /* within the set */
    unsigned bit;
    const char *unit; /* "CCACHE"; "" if not known */
    enum pc_confidence confidence;
    const char *origin;
};
/* Gets a row by number; false past the end. */
PC_API bool pc_filter_source_at(size_t i, struct pc_filter_source *out);

/* A configuration that a document, or the vendor's driver, counts a metric with. */
struct pc_metric_row {
    const char *chips; /* some may be unknown to chips.h: GM107 */
    const char *name;
    enum pc_set set;
    unsigned domain;      /* within the set */
    const char *ctr_mode; /* "SIMPLE", "EVENT_B4", "EVENT_B6", "UNK5", "0x7"; may be "" */
    uint8_t src_given;    /* bit i: src[i] is part of it; in the order PRE, START, EVENT, STOP */
    uint8_t op_given;
    uint32_t src[4], op[4];
    const char *mux;    /* to write first: "0x400c0c=0x1; MPC.PM_GROUP_SEL=0x3"; may be "".  Bit 11
                           alone is "0x408808[11]=1", an unknown value "0x408e50=?" */
    const char *result; /* to read: "CTR_EVENT", "CTR_PRE or CTR_EVENT"; "" if not known */
    enum pc_confidence confidence;
    const char *origin;
    const char *note; /* what cannot be given as numbers; may be "" */
};
/* Gets a row by number; false past the end. */
PC_API bool pc_metric_row_at(size_t i, struct pc_metric_row *out);
/* Writes the names of the chip's rows that are similar to an unknown one: "a, b"; "" if there are
 * none. */
PC_API void pc_metric_row_near(const struct pc_chip *chip, const char *name, char *out,
                               size_t size);

/* A metric that the vendor's profiler offers, and the events that it reads. */
struct pc_profiler_metric {
    const char *chips;
    const char *name;
    unsigned passes;
    const char *unit;   /* "%", "B/s"; may be "" */
    const char *events; /* separated by blanks */
    enum pc_confidence confidence;
    const char *origin;
};
/* Gets a row by number; false past the end. */
PC_API bool pc_profiler_metric_at(size_t i, struct pc_profiler_metric *out);

#ifdef __cplusplus
}
#endif

#endif

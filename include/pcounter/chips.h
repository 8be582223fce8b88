/* SPDX-License-Identifier: MIT */
/* Chips (see pcounter.h) */
#ifndef PCOUNTER_CHIPS_H
#define PCOUNTER_CHIPS_H

#include "pcounter/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PC_MAX_DOMAINS 8   /* of one domain set */
#define PC_MAX_SIGNALS 256 /* of one domain: selectors are 8 bits wide */
#define PC_SIG_WORDS   4   /* PC_MAX_SIGNALS in 64-bit words; signal i is bit i%64 of word i/64 */

enum pc_layout { PC_LAYOUT_NONE, PC_LAYOUT_NV10, PC_LAYOUT_NV40, PC_LAYOUT_GF100 };

/*
 * Features that a generation added to or removed from PCOUNTER, as the introduction of
 * the document lists it.  Code asks for features, never for chips.
 */
enum pc_feature {
    PC_F_OWN_FLAG_SRC = 1u << 0, /* NV10:NV30  SETFLAG_SRC and CLRFLAG_SRC of their own */
    PC_F_CTR40 = 1u << 1,       /* NV10:NV30  40-bit CYCLES, EVENT, START; else 32-bit saturating */
    PC_F_PERIOD_ALL = 1u << 2,  /* NV15-      EVENT_CTR_PERIOD can be ALL */
    PC_F_DOM_FLAGS = 1u << 3,   /* NV20-      FLAG of other domains through a synchroniser */
    PC_F_QUAD = 1u << 4,        /* NV30-      quad event mode */
    PC_F_SETFLAG_ARG = 1u << 5, /* NV30-      SETFLAG as argument 3 of EVENT and STOP */
    PC_F_WIDE_MODES = 1u << 6,  /* NV40-      EVENT_B6, EXTRA_B4, EXTRA_B6_EVENT_B2 */
    PC_F_DOM_EVENTS = 1u << 7,  /* NV40-      EVENT of all domains as signals */
    PC_F_PULSE_IMPORT = 1u << 8, /* NV40-      PULSE synchronisation of imported signals */
    PC_F_RECORD = 1u << 9,       /* G84:GF100  record mode */
    PC_F_SWAP_SRC = 1u << 10,    /* G84-       SWAP input selectable */
    PC_F_PREOP_SWAP = 1u << 11,  /* G84:GF100  writing PRE_OP swaps in quad mode */
    PC_F_PERIODIC = 1u << 12,    /* G84-       PERIODIC signal */
    PC_F_ARG23_DELAY = 1u << 13, /* G92-       arguments 2, 3 replaceable by delayed SRC 0, 1 */
    PC_F_RECORD_HIGH = 1u << 14, /* G92:GF100  RECORD_ADDRESS_HIGH */
    PC_F_USER = 1u << 15,        /* GT215-     USER signals */
    PC_F_CTRL30 = 1u << 16,      /* G92:GF100  CTRL bit 30 is stored */
    PC_F_GF100 = 1u << 17        /* GF100-     the second major revision: sets, own registers */
};

struct pc_domain_info {
    uint16_t size;         /* signals 0..size-1 exist; others read 0 (D-30) */
    uint16_t trailer_base; /* position of trailer offset 0 */
    int16_t user[2];       /* positions of USER_0, USER_1 [GT215:GF100], -1 if none */
    const char *clock;     /* name of the clock domain, as the documents have it */
    bool assumed;          /* size and base are a default, not documented (D-15) */
};

/* Domain sets of GF100 and later; before, one set holds all domains (PC_SET_ALL). */
enum pc_set { PC_SET_ALL, PC_SET_HUB, PC_SET_GPC, PC_SET_PART };

struct pc_set_info {
    enum pc_set set;
    unsigned units;   /* GPCs, partitions; 1 for the hub */
    unsigned domains; /* of each unit */
    struct pc_domain_info domain[PC_MAX_DOMAINS];
};

struct pc_chip {
    unsigned order;   /* feature order: ranges "NV30:NV40" are half-open over this, never over ids
                         (D-10) */
    const char *name; /* "G92" */
    unsigned id;      /* chipset id as PMC reports it, 0x92; 0 if unknown */
    const char *aliases; /* "NV92; ...", may be empty */
    const char *family;  /* "celsius" .. "kepler" */
    enum pc_layout layout;
    const char *range; /* variant range the chip is in: "G92:GT215"; "-" without a unit */
    uint32_t features; /* enum pc_feature, or-ed */
    unsigned domains;  /* number of PCOUNTER domains (NV10:GF100); 0 without a unit */
    struct pc_domain_info domain[PC_MAX_DOMAINS];
    int16_t pm_trigger_raw; /* NV10:NV20: ordinary signal that PM_TRIGGER drives; else -1 */
    unsigned idle_counters; /* PDAEMON idle counters: 0, 4 or 8 */
    const char *evidence;   /* the source for the unit and its domains: "doc list", "trace" */
    const char *notes;      /* what is assumed or disputed; may be empty */
};

/*
 * Returns the domain sets of a GF100+ chip in the order hub, GPC, partition; NULL past the end and
 * on other chips.
 */
PC_API const struct pc_set_info *pc_chip_set(const struct pc_chip *chip, size_t i);
/*
 * Gets the chip as one of its sets sees it: *out is *chip with the domains of that set. PC_ENOENT
 * if the chip has no such set, or its domains are not known.
 */
PC_API PC_MUST_CHECK enum pc_status pc_chip_of_set(const struct pc_chip *chip, enum pc_set set,
                                                   struct pc_chip *out, struct pc_error *err);

/* A domain of the chip as the device (gpu.h) numbers them. */
struct pc_chip_domain {
    enum pc_set set; /* the set it is in, for pc_chip_of_set() */
    unsigned unit;   /* which GPC or partition */
    unsigned domain; /* within the set */
    char name[16];   /* "3" on NV10:GF100; "hub0", "gpc0.1", "part1.0" on GF100+ */
};
/* Gets a domain; returns false past the end, and for a chip whose domains are not known. */
PC_API bool pc_chip_get_domain(const struct pc_chip *chip, unsigned i, struct pc_chip_domain *out);
/* Finds a domain by name. PC_ENOENT with what there is. */
PC_API PC_MUST_CHECK enum pc_status pc_chip_find_domain(const struct pc_chip *chip,
                                                        const char *name, unsigned *domain,
                                                        struct pc_error *err);

/* Returns the number of chips, and a chip by its place in feature order; NULL past the end. */
PC_API size_t pc_chip_count(void);
PC_API const struct pc_chip *pc_chip_at(size_t i);
/* Finds a chip by name or alias, case-insensitive: "G92", "nv92", "GT200". NULL if there is
 * none. */
PC_API const struct pc_chip *pc_chip_find(const char *name);
/* Writes similar names, for "did you mean": comma-separated, possibly empty. */
PC_API void pc_chip_near(const char *name, char *out, size_t size);

/* The identity under which PCOUNTER writes packets; the VM reports it with a fault. */
struct pc_vm_access {
    uint8_t engine, client, slot; /* slot: of the DMA object */
};
/* Gets the identity under which PCOUNTER of the chip writes packets; false for a chip that writes
 * none: it has neither record mode nor stream-out. */
PC_API bool pc_chip_vm(const struct pc_chip *chip, struct pc_vm_access *out);

/* A card on the PCI bus: one board of those that have the chip. */
#define PC_PCI_BARS 6
struct pc_pci_bar {
    uint64_t size; /* 0: there is none */
    bool io;       /* I/O ports, not memory */
    bool wide;     /* of 64 bits: the next one is its upper half.  Before G80 native PCIE cards have
                      it so for BAR 1, which this table does not tell */
    bool prefetch;
    bool strapped; /* straps of the board set the size: this is the least */
};
struct pc_chip_pci {
    uint16_t vendor, device;
    uint32_t class_code;                /* 0x030000 */
    const char *board;                  /* "G92 [GeForce GT 330]" */
    struct pc_pci_bar bar[PC_PCI_BARS]; /* 0: MMIO */
};
/* Gets vendor and device; returns false for a chip that is on no PCI bus: RSX, GK20A. */
PC_API bool pc_chip_get_pci(const struct pc_chip *chip, struct pc_chip_pci *out);

/* The driver of a signal of the trailer area (or elsewhere). */
enum pc_signal_kind {
    PC_SIG_ABSENT, /* beyond the domain: reads 0 */
    PC_SIG_RAW,    /* an input from the card */
    PC_SIG_ZERO,
    PC_SIG_PERIODIC,
    PC_SIG_PM_TRIGGER,
    PC_SIG_WRCACHE_FLUSH,
    PC_SIG_DOM_EVENT, /* index: domain */
    PC_SIG_DOM_FLAG,  /* index: domain */
    PC_SIG_USER,      /* index: 0, 1; 0..3 on GF100+ */
    PC_SIG_PAUSED     /* GF100+ */
};
struct pc_signal_info {
    enum pc_signal_kind kind;
    unsigned index;
};
/* Returns what is at a position of a domain (0 .. PC_MAX_SIGNALS - 1); PC_SIG_ABSENT beyond either.
 */
PC_API struct pc_signal_info pc_chip_signal(const struct pc_chip *chip, unsigned domain,
                                            unsigned signal);
/* Returns the position of a signal that the unit drives itself, or -1. */
PC_API int pc_chip_signal_position(const struct pc_chip *chip, unsigned domain,
                                   enum pc_signal_kind kind, unsigned index);

#ifdef __cplusplus
}
#endif

#endif

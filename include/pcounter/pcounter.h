/* SPDX-License-Identifier: MIT */
/*
 * pcounter: hardware performance counters as software.
 *
 * This header is the whole public interface, ordered as a manual:
 *
 *   1. status, errors, memory, output      every function speaks through these
 *   2. chips                               which counter unit a chip has
 *   3. registers                           name <-> address, decode, encode
 *   4. unit                                one PCOUNTER domain set, cycle by cycle
 *   5. gpu                                 the MMIO device around a unit
 *   6. idle                                PDAEMON idle counters
 *   7. wave                                counts need a waveform: VCD, FST
 *   8. expr                                logic expressions over signals
 *   9. script                              driver sequences as text
 *  10. trace                               register accesses that a kernel wrote down
 *
 * Contract for all of it: the library never prints, exits or keeps globals.
 * It allocates only in functions named open, create, compile, parse or load
 * (waves: also bind, and while reading for what one time stamp holds),
 * through the caller's allocator.  Results come last and stay untouched when a
 * call fails.  One handle belongs to one thread at a time; const data is shared.
 */
#ifndef PCOUNTER_H
#define PCOUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(PC_BUILDING) && defined(__GNUC__)
#define PC_API __attribute__((visibility("default")))
#else
#define PC_API
#endif
#if defined(__GNUC__)
#define PC_MUST_CHECK        __attribute__((warn_unused_result))
#define PC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PC_MUST_CHECK
#define PC_PRINTF(fmt, args)
#endif

/* ------------------------------------------------------------------ */
/* 1. Status, errors, memory, output                                   */
/* ------------------------------------------------------------------ */

enum pc_status {
    PC_OK = 0,
    PC_END,     /* nothing more to read: not an error */
    PC_ENOMEM,  /* the allocator returned NULL */
    PC_EARG,    /* the caller broke the contract: NULL, index out of range */
    PC_EINPUT,  /* a file or a text is malformed */
    PC_ENOENT,  /* no such file, chip, signal, register ... */
    PC_EAMBIG,  /* a name matches several things */
    PC_EIO,     /* the operating system failed a read or a write */
    PC_ELIMIT,  /* a resource limit was reached; the error names the option to raise it */
    PC_EUNFIT,  /* it cannot be expressed on this chip */
    PC_ENOUNIT, /* the chip has no such unit */
    PC_EUNSUP,  /* known to the documents, not modelled here */
    PC_STATUS_COUNT
};

/* Name of a status ("PC_EINPUT").  Never NULL. */
PC_API const char *pc_status_name(enum pc_status status);

/*
 * What went wrong, where, and what to do.  `code` is the number in PC-E0217;
 * pc_explain() tells more about it.  A place that does not apply is 0; lines
 * and columns count from 1, `byte` is an offset from 0 and valid if `has_byte`.
 */
struct pc_error {
    enum pc_status status;
    unsigned code;
    uint32_t line;
    uint32_t column;
    uint64_t byte;
    bool has_byte;
    char text[400]; /* what is wrong, one line, no newline */
    char hint[400]; /* what to do or near names; may be empty */
};

/* A row of the error catalogue; NULL if the code is unknown. */
struct pc_error_info {
    unsigned code;
    enum pc_status status;
    const char *title;
    const char *why;
    const char *what_to_do;
};
PC_API const struct pc_error_info *pc_explain(unsigned code);
/* All rows, ascending by code; sets *count. */
PC_API const struct pc_error_info *pc_explain_all(size_t *count);

/*
 * Memory.  `resize` behaves like realloc: p NULL allocates, size 0 frees and
 * returns NULL.  Pass NULL for a `const struct pc_alloc *` to use libc's.
 */
struct pc_alloc {
    void *(*resize)(void *ctx, void *p, size_t old_size, size_t new_size);
    void *ctx;
};

/* Output of the library goes through the caller: return PC_OK or PC_EIO. */
struct pc_writer {
    enum pc_status (*write)(void *ctx, const char *data, size_t size);
    void *ctx;
};

PC_API const char *pc_version(void); /* "0.1.0" */

/* ------------------------------------------------------------------ */
/* 2. Chips                                                            */
/* ------------------------------------------------------------------ */

#define PC_MAX_DOMAINS 8   /* of one domain set */
#define PC_MAX_SIGNALS 256 /* of one domain: selectors are 8 bits wide */
#define PC_SIG_WORDS   4   /* PC_MAX_SIGNALS in 64-bit words; signal i is bit i%64 of word i/64 */

enum pc_layout { PC_LAYOUT_NONE, PC_LAYOUT_NV10, PC_LAYOUT_NV40, PC_LAYOUT_GF100 };

/*
 * What a generation added to or removed from PCOUNTER, as the introduction of
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
    PC_F_CTRL30 = 1u << 16,       /* G92:GF100  CTRL bit 30 is stored */
    PC_F_GF100 = 1u << 17         /* GF100-     the second major revision: sets, own registers */
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
    const char *evidence;
    const char *notes;
};

/*
 * The domain sets of a GF100+ chip in the order hub, GPC, partition; NULL past the end and
 * on other chips.
 */
PC_API const struct pc_set_info *pc_chip_set(const struct pc_chip *chip, size_t i);
/* The chip as one of its sets sees it: *out is *chip with the domains of that set. */
PC_API PC_MUST_CHECK enum pc_status pc_chip_of_set(const struct pc_chip *chip, enum pc_set set,
                                                   struct pc_chip *out, struct pc_error *err);

/* A domain of the chip as the device (section 5) numbers them. */
struct pc_chip_domain {
    enum pc_set set; /* the set it is in, for pc_chip_of_set() */
    unsigned unit;   /* which GPC or partition */
    unsigned domain; /* within the set */
    char name[16];   /* "3" on NV10:GF100; "hub0", "gpc0.1", "part1.0" on GF100+ */
};
/* false past the end, and for a chip whose domains are not known. */
PC_API bool pc_chip_domain(const struct pc_chip *chip, unsigned i, struct pc_chip_domain *out);
/*
 * By name; "pdaemon" is PC_DOM_PDAEMON on chips with idle counters.  PC_ENOENT with what
 * there is.
 */
PC_API PC_MUST_CHECK enum pc_status pc_chip_find_domain(const struct pc_chip *chip,
                                                        const char *name, unsigned *domain,
                                                        struct pc_error *err);

PC_API size_t pc_chip_count(void);
PC_API const struct pc_chip *pc_chip_at(size_t i); /* in feature order; NULL past the end */
/* By name or alias, case-insensitive: "G92", "nv92", "GT200".  NULL if there is none. */
PC_API const struct pc_chip *pc_chip_find(const char *name);
/* Nearest names, for "did you mean": comma-separated, possibly empty. */
PC_API void pc_chip_near(const char *name, char *out, size_t size);

/* What a signal of the trailer area (or elsewhere) is driven by. */
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
PC_API struct pc_signal_info pc_chip_signal(const struct pc_chip *chip, unsigned domain,
                                            unsigned signal);
/* Position of a signal that the unit drives itself, or -1. */
PC_API int pc_chip_signal_position(const struct pc_chip *chip, unsigned domain,
                                   enum pc_signal_kind kind, unsigned index);

/* ------------------------------------------------------------------ */
/* 3. Registers                                                        */
/* ------------------------------------------------------------------ */

#define PC_MAX_FIELDS 20 /* of one register */

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
    const char *name;  /* "EVENT_OP" */
    char place[16];    /* GF100+, before the name: "gpc0.1" a domain, "gpc0" a set; else "" */
    int index[2];      /* [domain], [domain][i], on GF100+ [i]; -1 where it has none */
    enum pc_set set;   /* PC_SET_ALL: none, or the only one of NV10:GF100 */
    int domain;        /* within the set; -1 where it belongs to none */
    uint32_t address;  /* MMIO */
    bool readable, writable;
    uint32_t rw_mask;   /* bits that keep what is written */
    const char *range;  /* variants of this row: "G84:GF100" */
    const char *clause; /* where the document defines it */
    const char *effect; /* what a write does besides storing; "" if nothing */
    struct pc_field_info fields[PC_MAX_FIELDS]; /* those of the chip's variant, by bit */
    size_t field_count;
};

/*
 * Register of the chip at an MMIO address.  PC_ENOENT if nothing is there.  On NV10:GF100 a
 * register of a domain that the chip lacks is found (domain >= chip->domains): it reads 0,
 * drops writes.  PC_EUNSUP for a chip whose domains are not known.
 */
PC_API PC_MUST_CHECK enum pc_status pc_reg_at(const struct pc_chip *chip, uint32_t address,
                                              struct pc_reg_info *out, struct pc_error *err);
/*
 * By name: "CTRL[1]", "SIG_STATUS[0][3]", "GCTRL"; on GF100+ "gpc0.1.CTRL",
 * "part0.0.SIG_STATUS[3]", "hub.DSET_CTRL", "MAIN_CONTROL"; with an optional "PCOUNTER."
 * before it.  PC_EAMBIG if an index or a place is missing, PC_ENOENT with near names,
 * PC_EINPUT if it is no name.
 */
PC_API PC_MUST_CHECK enum pc_status pc_reg_find(const struct pc_chip *chip, const char *name,
                                                struct pc_reg_info *out, struct pc_error *err);
/* Its whole name, as pc_reg_find() takes it: "CTRL[1]", "gpc0.1.CTRL".  64 bytes are enough. */
PC_API void pc_reg_full_name(const struct pc_reg_info *reg, char *out, size_t size);
/* Registers of the chip's own domains, by address; i counts from 0.  PC_END past the last. */
PC_API enum pc_status pc_reg_enum(const struct pc_chip *chip, size_t i, struct pc_reg_info *out);

/*
 * Puts a value into a field of *word: a number, or one of the field's names ("RECORD").  A
 * number too large for the field may still be the name of a value: PERIODIC_PERIOD=0x10000.
 * PC_ENOENT for an unknown field or name, PC_EINPUT for a value that does not fit or a
 * field that cannot be written.
 */
PC_API PC_MUST_CHECK enum pc_status pc_reg_set_field(const struct pc_reg_info *reg,
                                                     const char *field, const char *value,
                                                     uint32_t *word, struct pc_error *err);

/* ------------------------------------------------------------------ */
/* 4. Unit: one PCOUNTER domain set                                    */
/* ------------------------------------------------------------------ */

struct pc_unit;

enum pc_mem_result { PC_MEM_OK, PC_MEM_FAULT, PC_MEM_PENDING };

/*
 * Record mode writes packets through this: `size` is 16 or 32, `address` 40 bits.
 * PC_MEM_PENDING keeps the outgoing slot busy until pc_unit_record_done().
 */
typedef enum pc_mem_result pc_mem_write_fn(void *ctx, unsigned domain, uint64_t address,
                                           const uint8_t *data, size_t size);

/* Zero fields are defaults, but for chip. */
struct pc_unit_desc {
    const struct pc_chip *chip;
    enum pc_set set; /* GF100+: which set, and which GPC or partition */
    unsigned index;
    const struct pc_alloc *alloc;
    pc_mem_write_fn *mem_write; /* NULL: packets are counted and dropped */
    void *mem_ctx;
    uint32_t record_latency; /* cycles the outgoing slot stays busy after a packet; D-66 */
};

/* Conditions the hardware does not report; or-ed into pc_unit_diagnostics(). */
enum pc_diag {
    PC_DIAG_COMB_LOOP = 1u << 0, /* EVENT selects its own output undelayed (D-21) */
    PC_DIAG_CTR_MODE = 1u << 1,  /* CTR_MODE 5-7: counted as SIMPLE (D-40) */
    PC_DIAG_MODE = 1u << 2,      /* MODE value the chip does not have: nothing counts (D-41) */
    PC_DIAG_RECORD_FAULT =
        1u << 3,                   /* a packet faulted: the domain's record mode is wedged (D-70) */
    PC_DIAG_RECORD_LOST = 1u << 4, /* packets dropped because the buffer was not valid (D-69) */
    PC_DIAG_BOGUS_PACKET = 1u << 5, /* the bogus packet of D-68 was written */
    PC_DIAG_SATURATED = 1u << 6,    /* a counter reached its end */
    PC_DIAG_SWAP_LOST = 1u << 7,    /* a swap happened in VALID or OVERFLOW: a period was lost */
    PC_DIAG_UNDECODED = 1u << 8     /* an access hit no register */
};

/* PC_ENOUNIT if the chip has no PCOUNTER, PC_EUNSUP if its layout is not modelled. */
PC_API PC_MUST_CHECK enum pc_status pc_unit_create(const struct pc_unit_desc *desc,
                                                   struct pc_unit **out, struct pc_error *err);
PC_API void pc_unit_destroy(struct pc_unit *unit); /* NULL is fine */
PC_API void pc_unit_reset(struct pc_unit *unit);   /* power-up values (D-50) */
PC_API const struct pc_chip *pc_unit_chip(const struct pc_unit *unit);

/*
 * Named switches of the model, one for each disputed decision (D-94).
 * Set them before the first cycle.  `value` is one of pc_option_info.values.
 */
struct pc_option_info {
    const char *name;   /* "record-bogus-packet" */
    const char *values; /* "on|off" or "0..65535" */
    const char *initial;
    const char *decision; /* "D-68" */
    const char *about;
};
PC_API const struct pc_option_info *pc_option_at(size_t i); /* NULL past the end */
PC_API PC_MUST_CHECK enum pc_status pc_unit_option(struct pc_unit *unit, const char *name,
                                                   const char *value, struct pc_error *err);

/*
 * MMIO, by absolute address (0xa000 ..).  Time stands still: a write changes the
 * stored register at once, what it does happens at the start of the domain's next
 * cycle (D-17a).  A read returns stored fields as written and state as of the last
 * completed cycle, and has no effect (D-18).
 */
PC_API void pc_unit_write(struct pc_unit *unit, uint32_t address, uint32_t value);
PC_API uint32_t pc_unit_read(const struct pc_unit *unit, uint32_t address);

/* Wires from PGRAPH: 1 for one cycle in every domain, then 0 again by themselves. */
enum pc_pulse { PC_PULSE_PM_TRIGGER, PC_PULSE_WRCACHE_FLUSH };
/* The pulse arrives in each domain `delay` cycles after that domain's next one (0: in the next). */
PC_API void pc_unit_pulse(struct pc_unit *unit, enum pc_pulse pulse, uint32_t delay);

/*
 * One rising edge at one instant, in every domain whose bit is set in `edges`.
 * raw[d]: the domain's raw signals, sampled just before the edge; bits of
 * signals that the unit drives itself are ignored.  Domains that share an
 * instant must be given in one call: coincident edges see the old values.
 */
PC_API void pc_unit_step(struct pc_unit *unit, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS]);

/* The packet that PC_MEM_PENDING left open has been written, or has faulted. */
PC_API void pc_unit_record_done(struct pc_unit *unit, unsigned domain, bool fault);

PC_API uint32_t pc_unit_diagnostics(const struct pc_unit *unit, unsigned domain); /* enum pc_diag */
PC_API uint64_t pc_unit_cycle(const struct pc_unit *unit,
                              unsigned domain); /* cycles completed since reset */

/* What the inputs were in the last completed cycle of a domain; for traces and tests. */
struct pc_unit_inputs {
    bool pre, start, event, stop, setflag, clrflag, swap, unk8;
    bool flag;    /* the FLAG signal as the domain itself saw it */
    uint16_t src; /* SRC_STATUS */
};
PC_API void pc_unit_inputs(const struct pc_unit *unit, unsigned domain, struct pc_unit_inputs *out);

/*
 * The whole state, for snapshots: pc_unit_state_size() bytes, same build and chip only.
 * pc_unit_load() checks what it is given and changes nothing if it refuses.
 */
PC_API size_t pc_unit_state_size(const struct pc_unit *unit);
PC_API void pc_unit_save(const struct pc_unit *unit, void *state);
PC_API PC_MUST_CHECK enum pc_status pc_unit_load(struct pc_unit *unit, const void *state,
                                                 size_t size, struct pc_error *err);

/* ------------------------------------------------------------------ */
/* 5. Gpu: the MMIO device around a unit                               */
/* ------------------------------------------------------------------ */

/*
 * PMC boot id and enable, PCOUNTER, the PGRAPH trigger register, the bus signals
 * of the host domain, domain clocks, and a sparse memory behind record mode.
 * Raw signals are levels held by the device; time advances by run and step.
 */
struct pc_gpu;
struct pc_idle;

/*
 * Domains of the device are numbered from 0: on NV10:GF100 as the unit has them, on GF100+
 * those of the hub, then of each GPC, then of each partition.
 */
#define PC_GPU_DOMAINS 64
#define PC_DOM_PDAEMON 0x10000u /* in place of a domain's number, for clocks and runs: PDAEMON */

struct pc_gpu_desc {
    const struct pc_chip *chip;
    const struct pc_alloc *alloc;
    size_t memory_limit; /* bytes of record memory; 0: 64 MiB */
};

PC_API PC_MUST_CHECK enum pc_status pc_gpu_create(const struct pc_gpu_desc *desc,
                                                  struct pc_gpu **out, struct pc_error *err);
PC_API void pc_gpu_destroy(struct pc_gpu *gpu);
PC_API struct pc_unit *pc_gpu_unit(struct pc_gpu *gpu); /* the first, or the only one */

struct pc_gpu_domain_info {
    struct pc_unit *unit;
    enum pc_set set;
    unsigned index;  /* of the GPC or partition */
    unsigned domain; /* within the unit */
};
PC_API unsigned pc_gpu_domain_count(const struct pc_gpu *gpu);
PC_API void pc_gpu_domain_info(const struct pc_gpu *gpu, unsigned domain, struct pc_gpu_domain_info *out);
/* "3" on NV10:GF100; "hub0", "gpc0.1", "part1.0" on GF100+; "pdaemon".  PC_ENOENT with what there is. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_find_domain(const struct pc_gpu *gpu, const char *name,
                                                       unsigned *domain, struct pc_error *err);
/* The PDAEMON idle counters of the chip (section 6), or NULL.  They have a clock of their own: PC_DOM_PDAEMON. */
PC_API struct pc_idle *pc_gpu_idle(struct pc_gpu *gpu);
/* COUNTER_SIGNALS from the next PDAEMON clock on.  PC_ENOUNIT without idle counters. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_set_idle(struct pc_gpu *gpu, uint32_t signals, struct pc_error *err);

/* Options of the unit and of the device ("pm-trigger-latency", "host-bus"). */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_option(struct pc_gpu *gpu, const char *name,
                                                  const char *value, struct pc_error *err);
/* Cycles that pass in every domain after each write and each read; default 1 and 0. */
PC_API void pc_gpu_latency(struct pc_gpu *gpu, uint32_t write_cycles, uint32_t read_cycles);
/* Edges of a domain: at phase, phase + period, ... in one common unit; default 1 and 0.  period >
 * 0. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_clock(struct pc_gpu *gpu, unsigned domain,
                                                 uint64_t period, uint64_t phase,
                                                 struct pc_error *err);

PC_API void pc_gpu_write32(struct pc_gpu *gpu, uint32_t address, uint32_t value);
PC_API uint32_t pc_gpu_read32(struct pc_gpu *gpu, uint32_t address);
/* An undecoded access happened since the device was created, and the first address of it. */
PC_API bool pc_gpu_undecoded(const struct pc_gpu *gpu, uint32_t *address);

/* Level of a raw signal from the next cycle on.  PC_EARG for a signal the unit drives or that is
 * absent. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_set(struct pc_gpu *gpu, unsigned domain, unsigned signal,
                                               bool level, struct pc_error *err);
/* One level a cycle from the next cycle on, then the last one holds.  The bits are copied. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_play(struct pc_gpu *gpu, unsigned domain,
                                                unsigned signal, const uint8_t *levels,
                                                size_t count, struct pc_error *err);
/* One cycle of it in every domain: the domain's next one.  A read before any time has passed lets it pass first. */
PC_API void pc_gpu_pulse(struct pc_gpu *gpu, enum pc_pulse pulse);

/* Until `domain` has run `cycles` more cycles; the others by their clocks. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_run(struct pc_gpu *gpu, unsigned domain, uint64_t cycles,
                                               struct pc_error *err);

/*
 * Time from outside instead of clocks: one instant with edges in the given domains.
 * raw[d] replaces the bits of mask[d] in the held levels for this edge; one row a domain of the device.
 */
PC_API void pc_gpu_edge(struct pc_gpu *gpu, uint64_t edges, const uint64_t (*raw)[PC_SIG_WORDS],
                        const uint64_t (*mask)[PC_SIG_WORDS]);
/*
 * With a callback set, whenever the device wants time to pass (access latency, bus
 * pulses, run) it asks for it here: let `cycles` edges pass in `domain`, or in every
 * domain if `domain` is negative, by calling pc_gpu_edge().  Return PC_END when time has run out.
 */
typedef enum pc_status pc_gpu_time_fn(void *ctx, int domain, uint64_t cycles, struct pc_error *err);
PC_API void pc_gpu_external_time(struct pc_gpu *gpu, pc_gpu_time_fn *advance, void *ctx);

/* Record memory: bytes never written read 0.  *written tells whether any of them was. */
PC_API void pc_gpu_memory_read(const struct pc_gpu *gpu, uint64_t address, uint8_t *out,
                               size_t size, bool *written);

/* ------------------------------------------------------------------ */
/* 6. Idle: the PDAEMON idle counters of GT215 and later               */
/* ------------------------------------------------------------------ */

/*
 * Counters that look at one wire an engine (1: idle) once a PDAEMON clock: the mask
 * selects wires, the mode says when to count.  Software polls and clears them.
 */
/* MODE, bits 1:0 */
enum pc_idle_mode {
    PC_IDLE_NEVER,   /* 0 */
    PC_IDLE_ALL,     /* INCR_IF_ALL: every selected engine is idle */
    PC_IDLE_NOT_ALL, /* INCR_IF_NOT_ALL: at least one is not (D-76a) */
    PC_IDLE_ALWAYS   /* both bits: every cycle */
};

/* The two address spaces: BAR0 (0x10a500 ..) and I[] of the PDAEMON's own processor (0x14000 .., GF119+: 0x500 ..). */
enum pc_idle_space { PC_IDLE_HOST, PC_IDLE_IO };

struct pc_idle_desc {
    const struct pc_chip *chip;
    const struct pc_alloc *alloc;
};
/* PC_ENOUNIT if the chip has no idle counters. */
PC_API PC_MUST_CHECK enum pc_status pc_idle_create(const struct pc_idle_desc *desc, struct pc_idle **out,
                                                   struct pc_error *err);
PC_API void pc_idle_destroy(struct pc_idle *idle); /* NULL is fine */
PC_API void pc_idle_reset(struct pc_idle *idle);
PC_API PC_MUST_CHECK enum pc_status pc_idle_option(struct pc_idle *idle, const char *name, const char *value,
                                                   struct pc_error *err);
/* false if nothing is at the address; a read is then 0. */
PC_API bool pc_idle_write(struct pc_idle *idle, enum pc_idle_space space, uint32_t address, uint32_t value);
PC_API bool pc_idle_read(const struct pc_idle *idle, enum pc_idle_space space, uint32_t address, uint32_t *value);
/* `cycles` PDAEMON clocks with constant wires; bits of engines that the chip lacks are ignored.  Cost: O(1). */
PC_API void pc_idle_run(struct pc_idle *idle, uint32_t signals, uint64_t cycles);
/* Bit i: counter i passed its 31 bits since the last call of pc_idle_reset(); the hardware does not tell. */
PC_API uint32_t pc_idle_overflowed(const struct pc_idle *idle);

/* Wires of COUNTER_SIGNALS that the chip has; NULL past the end. */
struct pc_idle_signal {
    unsigned bit;
    const char *name;  /* "GR_IDLE" */
    const char *range; /* chips that have it: "GK104-" */
};
PC_API const struct pc_idle_signal *pc_idle_signal_at(const struct pc_chip *chip, size_t i);
/* "GR|PCOPY0", with or without _IDLE, or a number, to a mask. */
PC_API PC_MUST_CHECK enum pc_status pc_idle_mask(const struct pc_chip *chip, const char *text, uint32_t *mask,
                                                 struct pc_error *err);

/* ------------------------------------------------------------------ */
/* 7. Wave: signals from a waveform file                               */
/* ------------------------------------------------------------------ */

struct pc_wave;

enum pc_wave_format { PC_WAVE_VCD = 1, PC_WAVE_EVCD, PC_WAVE_FST, PC_WAVE_SIGROK, PC_WAVE_CSV };

/* Zero means the default in brackets.  Exceeding one is PC_ELIMIT. */
struct pc_wave_limits {
    uint64_t max_vars;        /* [16 Mi] variables */
    uint64_t max_name_bytes;  /* [64 Ki] of one name */
    uint64_t max_names_total; /* [1 Gi] of all names together */
    uint32_t max_depth;       /* [4096] nested scopes */
    uint32_t max_width;       /* [1 Mi] bits of one variable */
    uint32_t max_ratio;       /* [1000] decompressed : compressed, of blocks above 1 MiB */
};

/* Zero fields are defaults, but for path. */
struct pc_wave_desc {
    const char *path; /* "-" is standard input */
    const struct pc_alloc *alloc;
    struct pc_wave_limits limits;
    bool tolerate_time_backwards; /* else an error with its place */
};

/* Reads header and hierarchy.  The format is told by content, not by suffix. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_open(const struct pc_wave_desc *desc,
                                                 struct pc_wave **out, struct pc_error *err);
PC_API void pc_wave_close(struct pc_wave *wave); /* NULL is fine */

struct pc_wave_info {
    enum pc_wave_format format;
    const char
        *encoding; /* "plain", "gzip", "zstd"; FST: "lz4", "zlib", "fastlz", "gzip-wrapped", ... */
    const char *date, *version, *comment; /* as the file has them, trimmed; "" if absent */
    int timescale_exponent;               /* one time unit is factor * 10^exponent seconds */
    uint64_t timescale_factor;            /* 1, 10 or 100 */
    size_t scopes;                        /* declared */
    size_t vars;                          /* declared, aliases counted */
    size_t codes;                         /* distinct value streams behind them */
    bool unfinished;                      /* the writer did not close the file */
    size_t warnings;                      /* oddities tolerated; pc_wave_warning() */
};
PC_API void pc_wave_get_info(const struct pc_wave *wave, struct pc_wave_info *out);
PC_API const char *pc_wave_warning(const struct pc_wave *wave, size_t i); /* NULL past the end */

enum pc_var_kind { PC_VAR_BITS, PC_VAR_REAL, PC_VAR_STRING, PC_VAR_EVENT };

struct pc_wave_var {
    const char *name;  /* full path with dots, without its bit range: "top.dut.count", "top.bus[3]" */
    const char *range; /* as declared: "[7:0]" or ""; a single index is part of the name */
    const char *type;  /* "wire", "reg", "parameter", ... */
    enum pc_var_kind kind;
    uint32_t width;
    int32_t msb, lsb; /* declared bounds; width-1 and 0 if the file gives none */
    uint32_t code;    /* index of the value stream: equal for aliases */
};
PC_API enum pc_status pc_wave_get_var(const struct pc_wave *wave, size_t i,
                                      struct pc_wave_var *out);

/*
 * Finds one variable by name: the full path, or a suffix of it at a dot if that is
 * unique ("dut.count", "count").  The name may end in a bit or slice: "count[3:0]",
 * "mem[2][7]"; a variable whose own name ends in brackets wins over a slice.
 * *hi and *lo are then bit positions counted from the right (bit 0 is the least
 * significant, whatever the declared bounds); whole variable: width-1 and 0.
 * Several names of one value stream (ports) are one signal: the first of them is found.
 * Errors: PC_ENOENT with near names, PC_EAMBIG with the matches, PC_EINPUT for a slice out of
 * bounds.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_find(const struct pc_wave *wave, const char *name,
                                                 size_t *var, uint32_t *hi, uint32_t *lo,
                                                 struct pc_error *err);

/* One wire: bit `bit` (from the right) of variable `var`. */
struct pc_wave_bit {
    size_t var;
    uint32_t bit;
};

enum pc_edge { PC_EDGE_POS, PC_EDGE_NEG, PC_EDGE_EVERY /* every time stamp and its own values: sampled captures */ };

struct pc_wave_clock {
    enum pc_edge edge;
    struct pc_wave_bit clock;
    bool has_iff;
    bool iff_low; /* count edges where iff is 0 instead of 1 */
    struct pc_wave_bit iff;
    bool post_edge; /* sample the values of the edge's own time stamp, not those before it */
};

/*
 * Binds a stream: at each edge of the clock (0 to 1 for POS; unknown to 1 is no edge)
 * every bit is sampled.  Bind before the first next or step.  At most 32 streams.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_bind(struct pc_wave *wave,
                                                 const struct pc_wave_clock *clock,
                                                 const struct pc_wave_bit *bits, size_t count,
                                                 unsigned *stream, struct pc_error *err);

#define PC_BLOCK_WORDS 256 /* at most this many 64-cycle words in a block */

/*
 * Samples of one stream.  value[s] and unknown[s] are bit planes: bit t%64 of word
 * t/64 is signal s at cycle first_cycle + t; an unknown bit (x, z) has value 0.
 * Bits at and after `cycles` are 0.  The planes live until the next call.
 */
struct pc_wave_block {
    unsigned stream;
    uint64_t first_cycle;
    uint32_t cycles;
    const uint64_t *const *value;
    const uint64_t *const *unknown;
    uint64_t first_time, last_time; /* of its first and last edge */
};
/* PC_END after the last block of the last stream.  A stream's blocks come in order. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_next(struct pc_wave *wave, struct pc_wave_block *out,
                                                 struct pc_error *err);

/* The same, one instant at a time over all streams; do not mix with pc_wave_next(). */
struct pc_wave_instant {
    uint64_t time;
    uint32_t streams; /* bit s: stream s has an edge now */
    /* value[s][i/64] bit i%64: bit i of stream s; valid for streams with an edge */
    const uint64_t *const *value;
    const uint64_t *const *unknown;
};
PC_API PC_MUST_CHECK enum pc_status pc_wave_step(struct pc_wave *wave, struct pc_wave_instant *out,
                                                 struct pc_error *err);

/* Reads the whole file once (instead of next or step) and tells what is in it. */
struct pc_wave_totals {
    bool has_time;
    uint64_t time_first, time_last;
    uint64_t time_stamps; /* distinct, in order */
    uint64_t changes;     /* value change records, initial values included */
};
struct pc_var_activity {
    uint64_t changes;
    uint64_t rises, falls;           /* 0 to 1 and 1 to 0, one-bit variables only */
    uint64_t first_rise, last_rise;  /* times */
    uint64_t min_period, max_period; /* between rises; 0 with fewer than two */
    bool ever_unknown;
};
/* activity: one row per value stream (pc_wave_info.codes), or NULL. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_scan(struct pc_wave *wave,
                                                 struct pc_wave_totals *totals,
                                                 struct pc_var_activity *activity,
                                                 struct pc_error *err);

/* Bytes of the input consumed so far and in all (0 if unknown: a pipe); for progress. */
PC_API void pc_wave_progress(const struct pc_wave *wave, uint64_t *done, uint64_t *total);

/* ------------------------------------------------------------------ */
/* 8. Expr: logic expressions over signals                             */
/* ------------------------------------------------------------------ */

/* The language is described in pcounter-expr(7). */
struct pc_expr;

/* Syntax only.  Error: PC_EINPUT with the column. */
PC_API PC_MUST_CHECK enum pc_status pc_expr_parse(const struct pc_alloc *alloc, const char *text,
                                                  struct pc_expr **out, struct pc_error *err);
PC_API void pc_expr_free(struct pc_expr *expr);

/*
 * Gives each name its wires: the callback returns, for `name` (as in the text, with its
 * slice and the backslash of an escape, without blanks), the wires from least to most
 * significant, in numbers of the caller's own choosing; *count may exceed the capacity,
 * which is an error.  Scalars and comparisons are one bit; a vector where one bit is
 * needed is PC_EINPUT.  Errors have the column.  Allocates, as parse does.
 */
typedef enum pc_status pc_expr_lookup_fn(void *ctx, const char *name, uint32_t *wires,
                                         size_t capacity, size_t *count, struct pc_error *err);
PC_API PC_MUST_CHECK enum pc_status pc_expr_resolve(struct pc_expr *expr, pc_expr_lookup_fn *lookup,
                                                    void *ctx, struct pc_error *err);

/*
 * Evaluates 64 cycles a word.  value[wire], unknown[wire] are planes as in a block;
 * unknown NULL: everything is known.  `out` is the value with unknown inputs taken as the
 * planes have them, `tainted` (may be NULL) the cycles whose result depends on an unknown
 * input.  prev() and the like carry their last cycle inside the expression;
 * pc_expr_restart() forgets it: before the first cycle every signal was 0, as the flops of
 * the hardware are at reset.
 */
PC_API void pc_expr_eval(struct pc_expr *expr, const uint64_t *const *value,
                         const uint64_t *const *unknown, size_t words, uint32_t cycles,
                         uint64_t *out, uint64_t *tainted);
PC_API void pc_expr_restart(struct pc_expr *expr);

/*
 * One counter input of a chip: at most four signals through a truth table.
 * source[i] is the wire at SRC[i] or PC_NO_WIRE; op is the *_OP word.
 */
#define PC_NO_WIRE UINT32_MAX
struct pc_expr_input {
    uint32_t source[4];
    uint32_t op;
};
enum pc_slot { PC_SLOT_PRE, PC_SLOT_START, PC_SLOT_EVENT, PC_SLOT_STOP };
/* PC_EUNFIT, with the reason, if the slot of this chip cannot compute the expression. */
PC_API PC_MUST_CHECK enum pc_status pc_expr_place(const struct pc_expr *expr,
                                                  const struct pc_chip *chip, enum pc_slot slot,
                                                  struct pc_expr_input *out, struct pc_error *err);

/* ------------------------------------------------------------------ */
/* 9. Script                                                           */
/* ------------------------------------------------------------------ */

/* The language is that of the man page pcounter-script(7). */

/* One `w` or `r`, after it was made. */
struct pc_script_access {
    uint32_t line;
    bool write;
    uint32_t address;
    uint32_t value; /* written or read; of a repeat the last one */
    uint64_t count; /* how often: more than 1 for a repeat */
};

typedef enum pc_status pc_script_prepare_fn(void *ctx, struct pc_gpu *gpu, struct pc_error *err);
typedef void pc_script_access_fn(void *ctx, const struct pc_script_access *access);
typedef void pc_script_inspect_fn(void *ctx, struct pc_gpu *gpu);
/* From its first word to the end of its line; not NUL-terminated. */
typedef void pc_script_command_fn(void *ctx, const char *text, size_t size);

struct pc_script_desc {
    const char *text; /* the whole script */
    size_t size;
    const struct pc_alloc *alloc;
    struct pc_writer out;  /* payload: one line a read */
    const char *directory; /* where relative names of waves are looked for; NULL: here */
    /* Callbacks with the ctx of pc_script_run(); each may be NULL. */
    pc_script_prepare_fn *prepare; /* after `chip`, before all else: options */
    pc_script_access_fn *access;
    pc_script_inspect_fn *inspect; /* at the end of the script, if it was reached */
    /* For logs: each access by itself, a write before and a read after it was made ... */
    pc_script_access_fn *single;
    pc_script_command_fn *command; /* ... and every other command but `chip`, before it runs */
};
struct pc_script_result {
    uint64_t reads, writes;        /* accesses made */
    uint64_t expectations, failed; /* reads with an expected value, and those that differed */
    struct pc_error first_failure; /* if failed > 0 */
};
/* Called for each expectation that failed, in order; may be NULL. */
typedef void pc_script_mismatch_fn(void *ctx, const struct pc_error *what);
PC_API PC_MUST_CHECK enum pc_status pc_script_run(const struct pc_script_desc *desc,
                                                  pc_script_mismatch_fn *mismatch, void *ctx,
                                                  struct pc_script_result *out,
                                                  struct pc_error *err);

/*
 * What happens around the unit, for a device of one's own: commands of the language that are
 * neither accesses nor about waveforms.  Without `chip`; lines of errors are those of the text.
 */
struct pc_script_stimulus {
    const struct pc_chip *chip; /* of the device */
    const char *text;
    size_t size;
    const struct pc_alloc *alloc;
    pc_script_command_fn *command; /* before each command; may be NULL */
    void *ctx;
};
PC_API PC_MUST_CHECK enum pc_status pc_script_stimulus(const struct pc_script_stimulus *desc,
                                                       struct pc_gpu *gpu, struct pc_error *err);

/* ------------------------------------------------------------------ */
/* 10. Trace: register accesses that a kernel wrote down               */
/* ------------------------------------------------------------------ */

/* Reads the text of Linux's mmiotrace, plain, gzip or zstd, a line at a time. */
struct pc_trace;

struct pc_trace_desc {
    const char *path; /* "-" is standard input */
    const struct pc_alloc *alloc;
    uint32_t max_ratio; /* decompressed : compressed; 0: 1000 */
};
PC_API PC_MUST_CHECK enum pc_status pc_trace_open(const struct pc_trace_desc *desc,
                                                  struct pc_trace **out, struct pc_error *err);
PC_API void pc_trace_close(struct pc_trace *trace); /* NULL is fine */

enum pc_trace_kind {
    PC_TRACE_READ,
    PC_TRACE_WRITE,
    PC_TRACE_MAP,
    PC_TRACE_UNMAP,
    PC_TRACE_MARK,
    PC_TRACE_PCIDEV,
    PC_TRACE_OTHER /* VERSION, LSPCI, and accesses that the kernel did not understand */
};

/* A line.  Members that the kind does not have are 0. */
struct pc_trace_event {
    enum pc_trace_kind kind;
    uint32_t line;
    uint64_t time_ns;
    unsigned width;   /* READ, WRITE: bytes, 1 2 4 8 */
    uint32_t map;     /* READ, WRITE, MAP, UNMAP: number of the mapping */
    uint64_t address; /* READ, WRITE, MAP: on the bus */
    uint64_t value;   /* READ, WRITE */
    uint64_t length;  /* MAP */
    uint16_t vendor, device; /* PCIDEV */
    uint64_t bar[7];         /* PCIDEV: addresses; the low bits are flags of PCI */
    uint64_t bar_size[7];    /* PCIDEV */
    const char *text;        /* MARK: behind the time; until the next call */
    size_t text_size;
};
/* The next line that is neither empty nor a # comment; PC_END after the last. */
PC_API PC_MUST_CHECK enum pc_status pc_trace_next(struct pc_trace *trace,
                                                  struct pc_trace_event *out, struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif

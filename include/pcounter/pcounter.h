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
 *  10. hpm                                 CVA6's CSR counters
 *  11. trace                               register accesses that a kernel wrote down
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

/*
 * What a driver makes of the counters: at each poll a governor turns busy and total
 * clocks into a load and moves the clock of the engines one or more levels, in the
 * driver's own integer arithmetic.  Both structs are plain values; a governor of one's
 * own is a copy with other numbers in it.
 */
#define PC_GOVERNOR_LEVELS 64
struct pc_governor {
    const char *name;    /* "gk20a" */
    uint32_t target;     /* load to aim at, percent: 1 to 10000 */
    uint32_t ceiling;    /* above it the level jumps by a third of the levels: at most 1000000 */
    uint32_t smooth;     /* weight of the past against 1 of the present: at most 1000 */
    uint32_t levels;     /* 1 to PC_GOVERNOR_LEVELS */
    uint32_t khz[PC_GOVERNOR_LEVELS]; /* clock of each level, for the caller: the arithmetic ignores it */
};
struct pc_governor_state {
    uint32_t average; /* percent; 0 at first */
    uint32_t level;
};
/* By name, case-insensitive; NULL if there is none.  pc_governor_at(i): NULL past the end. */
PC_API const struct pc_governor *pc_governor_find(const char *name);
PC_API const struct pc_governor *pc_governor_at(size_t i);
/* One poll: *load is that of this poll, *state the average and the level from now on. */
PC_API PC_MUST_CHECK enum pc_status pc_governor_step(const struct pc_governor *governor, uint32_t busy,
                                                     uint32_t total, struct pc_governor_state *state,
                                                     uint32_t *load, struct pc_error *err);

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
/* 10. Hpm: CVA6's CSR counters                                        */
/* ------------------------------------------------------------------ */

/*
 * mcycle, minstret and the six event counters of OpenHW's CVA6 as its CSR instructions and
 * its commit stage see them, one clock a call.  Three ways in, all the same clock:
 *   pc_hpm_step()     wires and a CSR instruction, to compare with RTL
 *   pc_hpm_csr(), pc_hpm_retire(), pc_hpm_advance()     for an instruction set simulator
 *   pc_hpm_run()      bit planes of the wires, 64 clocks a word, between CSR accesses
 * Clauses HPM.* are those of docs/clauses-cva6.md.
 */
struct pc_hpm;

#define PC_HPM_FIRST     3  /* mhpmcounter3 .. */
#define PC_HPM_LAST      8  /* .. mhpmcounter8 are the event counters */
#define PC_HPM_MAX_PORTS 2  /* commit ports */
#define PC_HPM_EVENTS    23 /* selector values with a meaning: 0 (nothing) and 1..22 */

/* ---- configurations ---- */

enum pc_hpm_dcache {
    PC_HPM_DCACHE_UNKNOWN,
    PC_HPM_DCACHE_WT,     /* write-through */
    PC_HPM_DCACHE_WB,     /* write-back */
    PC_HPM_DCACHE_HPD_WT, /* HPDCACHE, write-through */
    PC_HPM_DCACHE_HPD_WB  /* HPDCACHE, write-back */
};

/* One build of the core.  A preset, a changed copy of one, or the caller's own. */
struct pc_hpm_config {
    const char *name;    /* "cv64a6_imafdc_sv39" */
    const char *aliases; /* "CV32A60AX; ...", may be empty */
    uint8_t xlen;        /* 32 or 64 */
    uint8_t commit_ports;
    bool perf_counter_en;    /* event counters, selectors and a working mcountinhibit */
    bool zicntr, zihpm;      /* user shadows: cycle, instret; hpmcounter3..31 */
    bool rvs, rvu, rvh, rvc; /* S, U, H modes; compressed instructions */
    bool debug;              /* counters stop in debug mode */
    enum pc_hpm_dcache dcache;
    uint8_t dcache_ways; /* 1 .. 32 */
    bool mmu, shared_tlb;
    const char *notes; /* what is assumed about it, may be empty */
};

PC_API const struct pc_hpm_config *pc_hpm_config_at(size_t i); /* NULL past the end */
/* By name or alias, case-insensitive: "cv64a6_imafdc_sv39", "CV32A60AX".  NULL if none. */
PC_API const struct pc_hpm_config *pc_hpm_config_find(const char *name);
/* The same, but the error (PC_ENOENT) has the nearest names. */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_config_get(const char *name, const struct pc_hpm_config **out, struct pc_error *err);
PC_API const char *pc_hpm_dcache_name(enum pc_hpm_dcache kind); /* "write-through" */

/* ---- profiles: where the document, the ISA manual and the RTL differ ---- */

/* A set bit is the reading of the RTL, but for debug_runs and write_freezes_all. */
enum pc_hpm_quirk {
    PC_HPM_Q_HALF_WRITE_TICKS = 1u << 0,  /* RV32: half of mcycle, minstret written: other ticks */
    PC_HPM_Q_WRITE_FREEZES_ALL = 1u << 1, /* an HPM write stops all six for its cycle; both */
    PC_HPM_Q_TRAP_FREEZES = 1u << 2,  /* RV64: so does a trapping write of a high-half address */
    PC_HPM_Q_OR_PORTS = 1u << 3,      /* two matches in a cycle add 1 instead of 2 */
    PC_HPM_Q_SHADOW3H_ZERO = 1u << 4, /* RV32: hpmcounter3h reads 0 */
    PC_HPM_Q_EVICT_FF = 1u << 5,      /* event 18 compares with 0xff, whatever the ways */
    PC_HPM_Q_RET_ANY_RS1 = 1u << 6,   /* event 13: any jalr with rd=x0 */
    PC_HPM_Q_DEBUG_RUNS = 1u << 7,    /* counters run on in debug mode (stopcount 0); neither */
    PC_HPM_Q_U_NEEDS_SCOUNTEREN = 1u << 8, /* U without S: an scounteren of 0 gates U-mode */
    PC_HPM_Q_H_GATE_AND = 1u << 9,         /* H: U, VU trap only if all bits above are clear */
    PC_HPM_Q_H_TRAP_WRITES = 1u << 10,     /* H: a write that raises 22 is made */
    PC_HPM_Q_H_HIGH_VIRTUAL = 1u << 11     /* H, RV64: hcounteren gates high halves: 22, not 2 */
};
struct pc_hpm_quirk_info {
    uint32_t bit;     /* enum pc_hpm_quirk */
    const char *name; /* "half_write_ticks" */
    bool in_spec, in_rtl;
    const char *clause; /* "HPM.Q.1" */
    const char *about;
};
PC_API const struct pc_hpm_quirk_info *pc_hpm_quirk_at(size_t i); /* NULL past the end */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_quirk_find(const char *name, uint32_t *bit,
                                                      struct pc_error *err);

/* "spec" (the user manual and the ISA manual; the default) and "rtl" (openhwgroup/cva6 6cb200105).
 */
struct pc_hpm_profile {
    const char *name;
    uint32_t quirks;
    const char *about;
};
PC_API const struct pc_hpm_profile *pc_hpm_profile_at(size_t i); /* NULL past the end */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_profile_find(const char *name, const struct pc_hpm_profile **out, struct pc_error *err);

/* ---- events ---- */

enum pc_hpm_topic { PC_HPM_MEMORY, PC_HPM_INSTRUCTIONS, PC_HPM_MICROARCH };

/* What one count is. */
enum pc_hpm_unit {
    PC_HPM_OCCURRENCES, /* pulses of one clock */
    PC_HPM_RETIREMENTS, /* instructions of a class; of every commit port */
    PC_HPM_CLOCKS       /* clocks in which a level is 1 */
};

/* A selector value.  Row i is event i; row 0 counts nothing. */
struct pc_hpm_event {
    unsigned id;
    const char *name;      /* as Linux' perf has it: "L1_D_CACHE_MISSES"; "NONE" */
    const char *seed_name; /* as the user manual has it: "L1 D-Cache Misses" */
    enum pc_hpm_topic topic;
    enum pc_hpm_unit unit;
    const char *line;  /* the exact condition of one clock, over the inputs of a step */
    const char *about; /* what it really counts, true of every configuration */
};
PC_API const struct pc_hpm_event *pc_hpm_event_at(size_t id); /* NULL from 23 on */
/* By name, manual's name or number ("5", "0x5"), case-insensitive. */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_event_find(const char *text, const struct pc_hpm_event **out, struct pc_error *err);
/* What it really counts in this configuration: one sentence, no full stop.  Never NULL. */
PC_API const char *pc_hpm_event_about(const struct pc_hpm_config *config, unsigned id);
/* Why the event can never fire in a core of this configuration; NULL if it can. */
PC_API const char *pc_hpm_event_never(const struct pc_hpm_config *config, uint32_t quirks,
                                      unsigned id);

/* ---- registers ---- */

enum pc_hpm_reg_kind {
    PC_HPM_REG_COUNTER,      /* mcycle, minstret, mhpmcounterN */
    PC_HPM_REG_COUNTER_HIGH, /* their h halves */
    PC_HPM_REG_SELECTOR,     /* mhpmeventN */
    PC_HPM_REG_INHIBIT,      /* mcountinhibit */
    PC_HPM_REG_ENABLE,       /* mcounteren, scounteren, hcounteren */
    PC_HPM_REG_SHADOW,       /* cycle, instret, hpmcounterN */
    PC_HPM_REG_SHADOW_HIGH
};
struct pc_hpm_reg {
    uint16_t address;
    char name[16]; /* "mhpmcounter3h" */
    enum pc_hpm_reg_kind kind;
    unsigned index;     /* counter: 0, 2, 3..31; the enables have their privilege (3, 1, 2) */
    unsigned privilege; /* that an access needs: 0 U, 1 S, 2 HS, 3 M */
    uint64_t writable;  /* bits that keep what is written; 0: writes are ignored or trap */
    const char *clause;
};
/* PC_ENOENT if the configuration has no such register: an access is an illegal instruction. */
PC_API enum pc_status pc_hpm_reg_at(const struct pc_hpm_config *config, unsigned address,
                                    struct pc_hpm_reg *out, struct pc_error *err);
/* By name; "0xb03" and the like are addresses. */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_reg_find(const struct pc_hpm_config *config,
                                                    const char *name, struct pc_hpm_reg *out,
                                                    struct pc_error *err);
/* Address belongs to the counters of some RISC-V core (time(h) and reserved places included). */
PC_API bool pc_hpm_owns(unsigned address);

/* ---- one clock ---- */

enum pc_hpm_fu { /* functional unit of a retiring instruction, as CVA6 numbers them */
                 PC_HPM_FU_NONE,
                 PC_HPM_FU_LOAD,
                 PC_HPM_FU_STORE,
                 PC_HPM_FU_ALU,
                 PC_HPM_FU_CTRL_FLOW,
                 PC_HPM_FU_MULT,
                 PC_HPM_FU_CSR,
                 PC_HPM_FU_FPU,
                 PC_HPM_FU_FPU_VEC,
                 PC_HPM_FU_CVXIF,
                 PC_HPM_FU_ACCEL,
                 PC_HPM_FU_AES
};
enum pc_hpm_op { PC_HPM_OP_ADD /* also what jal carries */, PC_HPM_OP_JALR, PC_HPM_OP_OTHER };

/* One commit port. */
struct pc_hpm_port {
    bool ack;       /* an instruction retires */
    uint8_t fu;     /* enum pc_hpm_fu */
    uint8_t op;     /* enum pc_hpm_op */
    uint8_t rd;     /* 0 .. 31 */
    bool rs1_known; /* RTL does not carry rs1 to commit: then event 13 looks at rd alone */
    uint8_t rs1;
};

/* Wires of one clock, as bit numbers of pc_hpm_in.lines and planes of pc_hpm_block. */
enum pc_hpm_line {
    PC_HPM_ICACHE_MISS,
    PC_HPM_DCACHE_MISS,
    PC_HPM_ITLB_MISS,
    PC_HPM_DTLB_MISS,
    PC_HPM_EXCEPTION, /* taken in this clock: trap, interrupt, debug entry */
    PC_HPM_ERET,      /* mret, sret, dret */
    PC_HPM_RESOLVED,  /* a branch is resolved */
    PC_HPM_MISPREDICT,
    PC_HPM_BRANCH_EXCEPTION,
    PC_HPM_SCOREBOARD_FULL,
    PC_HPM_FETCH_EMPTY,
    PC_HPM_ICACHE_REQUEST,
    PC_HPM_DCACHE_REQUEST_0, /* page walker */
    PC_HPM_DCACHE_REQUEST_1, /* loads */
    PC_HPM_DCACHE_REQUEST_2, /* stores */
    PC_HPM_TLB_FLUSH,
    PC_HPM_ISSUE_STALL,
    PC_HPM_LINES
};

struct pc_hpm_mode {
    uint8_t privilege; /* 0 U, 1 S, 3 M; in debug mode it is taken as 3 */
    bool virtualised;  /* V: VS, VU; ignored without RVH */
    bool debug;        /* ignored without DebugEn */
};

enum pc_hpm_csr_op {
    PC_HPM_CSR_NONE,
    PC_HPM_CSR_WRITE, /* csrrw[i], whatever rd and rs1 are */
    PC_HPM_CSR_SET,   /* csrrs[i] with rs1 != x0, uimm != 0 */
    PC_HPM_CSR_CLEAR, /* csrrc[i], the same */
    PC_HPM_CSR_READ   /* csrrs, csrrc with x0 or 0: no write at all */
};
struct pc_hpm_access {
    enum pc_hpm_csr_op op;
    uint16_t address;
    uint64_t operand; /* rs1 or uimm, neither or-ed nor cleared into the old value */
};

/* Everything held at 0 is a core in U-mode in which nothing happens. */
struct pc_hpm_in {
    struct pc_hpm_mode mode;
    struct pc_hpm_port port[PC_HPM_MAX_PORTS];
    struct pc_hpm_access csr; /* executes in this clock: retires on port 0, or traps */
    uint32_t lines;           /* bit enum pc_hpm_line */
    uint32_t way_valid[3];    /* per D-cache port: last-read valid bits, for event 18 */
};

enum pc_hpm_cause { PC_HPM_NO_TRAP = 0, PC_HPM_ILLEGAL = 2, PC_HPM_VIRTUAL = 22 };

struct pc_hpm_out {
    uint64_t rdata;   /* old value of the register; 0 with a trap and without an access */
    uint8_t cause;    /* enum pc_hpm_cause */
    uint16_t changed; /* bit i: counter i (0, 2, 3..8) has another value after the edge */
    uint32_t events;  /* bit e: event e's line is 1 */
};

struct pc_hpm_desc {
    const struct pc_hpm_config *config;   /* copied, but for its texts: they must live on */
    const struct pc_hpm_profile *profile; /* NULL: spec */
    uint32_t quirks_on, quirks_off;       /* changes to the profile; off wins */
    const struct pc_alloc *alloc;
};
/* PC_EINPUT if the configuration is impossible (H without S, ways out of range ...). */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_create(const struct pc_hpm_desc *desc,
                                                  struct pc_hpm **out, struct pc_error *err);
PC_API void pc_hpm_destroy(struct pc_hpm *hpm); /* NULL is fine */
PC_API void pc_hpm_reset(struct pc_hpm *hpm);   /* every register 0 */
PC_API const struct pc_hpm_config *pc_hpm_get_config(const struct pc_hpm *hpm);
PC_API uint32_t pc_hpm_get_quirks(const struct pc_hpm *hpm);

/*
 * One clock.  rdata and cause are what the core sees before the closing edge, the state is
 * that after it.  An access that traps retires nothing on port 0 and is an exception,
 * whatever `port` and `lines` say.  Ports that the configuration lacks are ignored.
 */
PC_API void pc_hpm_step(struct pc_hpm *hpm, const struct pc_hpm_in *in, struct pc_hpm_out *out);

/*
 * One clock at the boundary of the RTL module perf_counters: the six event counters and
 * their selectors behind a raw write strobe; mcountinhibit is an input, privilege, mcycle and
 * minstret are none of its business.  in->csr and in->mode, but for debug, are ignored.
 * rdata is what stands at the address, 0 if the module has nothing there.
 */
struct pc_hpm_strobe {
    bool write;
    uint16_t address;
    uint64_t wdata;
    uint32_t inhibit;
};
PC_API void pc_hpm_step_module(struct pc_hpm *hpm, const struct pc_hpm_in *in,
                               const struct pc_hpm_strobe *strobe, struct pc_hpm_out *out);

/* ---- for an instruction set simulator ---- */

/*
 * The CSR instruction `insn` with the value of its rs1 (uimm is in the word) as an access.
 * false if the word is no CSR instruction, or its CSR none that pc_hpm_owns().
 */
PC_API bool pc_hpm_csr_decode(uint32_t insn, uint64_t rs1_value, struct pc_hpm_access *out);
/*
 * One clock in which that access executes and retires, or traps.  Returns the cause.  *rdata
 * (may be NULL) is the value for rd.
 */
PC_API enum pc_hpm_cause pc_hpm_csr(struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                    const struct pc_hpm_access *access, uint64_t *rdata);
/*
 * One clock in which `count` (0 .. commit ports) instructions retire; PC_EARG for more.
 * A word with low bits other than 11 is a compressed instruction, its high half ignored.
 * `lines` adds what the simulator knows: an exception, an eret (mret and sret do not imply
 * it), a misprediction, cache misses.
 */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_retire(struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                                  const uint32_t *insn, unsigned count,
                                                  uint32_t lines, struct pc_error *err);
/* `cycles` clocks with constant inputs (NULL: nothing happens); in->csr is ignored.  O(1). */
PC_API void pc_hpm_advance(struct pc_hpm *hpm, const struct pc_hpm_in *in, uint64_t cycles);

/*
 * fu, op, rd, rs1 of an instruction word (ack is set), as CVA6's decoder and commit stage
 * have them; op is PC_HPM_OP_OTHER but for jumps.  false, and a port that matches no event, if
 * CVA6 has no such opcode; whether the operands are legal is not looked at.
 */
PC_API bool pc_hpm_classify(const struct pc_hpm_config *config, uint32_t insn,
                            struct pc_hpm_port *out);

/* ---- blocks ---- */

/* Bit planes of a pc_hpm_port; a NULL plane is 0 all along. */
struct pc_hpm_port_planes {
    const uint64_t *ack;
    const uint64_t *fu[4]; /* bits of enum pc_hpm_fu, least significant first */
    const uint64_t *op_add, *op_jalr;
    const uint64_t *rd[5];
    const uint64_t *rs1_known, *rs1[5];
};
/*
 * The inputs of `cycles` clocks without a CSR access: bit (first + t) % 64 of word
 * (first + t) / 64 is clock t.  A wave block's planes fit as they are.
 */
struct pc_hpm_block {
    uint64_t first, cycles;
    const uint64_t *debug;
    const uint64_t *line[PC_HPM_LINES];
    const uint64_t *way_valid[3][32];
    struct pc_hpm_port_planes port[PC_HPM_MAX_PORTS];
};
/* The same as that many steps, 64 clocks at a time. */
PC_API void pc_hpm_run(struct pc_hpm *hpm, const struct pc_hpm_block *block);

/* What every event would have counted in the block, uninhibited; adds to *totals. */
struct pc_hpm_totals {
    uint64_t cycles;               /* clocks outside debug mode: mcycle */
    uint64_t instret;              /* minstret */
    uint64_t event[PC_HPM_EVENTS]; /* [0] stays 0 */
};
PC_API void pc_hpm_count(const struct pc_hpm *hpm, const struct pc_hpm_block *block,
                         struct pc_hpm_totals *totals);

/* ---- state ---- */

/* All of it.  Time does not pass when it is read or set. */
struct pc_hpm_state {
    uint64_t counter[PC_HPM_LAST + 1]; /* 0 mcycle, 2 minstret, 3..8; 1 is 0 */
    uint8_t selector[PC_HPM_LAST + 1]; /* 3..8; the others 0 */
    uint32_t inhibit;
    uint32_t mcounteren, scounteren, hcounteren;
};
PC_API void pc_hpm_get_state(const struct pc_hpm *hpm, struct pc_hpm_state *out);
/* PC_EINPUT for a value that the registers of this configuration cannot have. */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_set_state(struct pc_hpm *hpm, const struct pc_hpm_state *state, struct pc_error *err);
/* The same as bytes, for snapshots: little-endian, any machine, same XLEN and RVS, RVU, RVH ... */
#define PC_HPM_STATE_SIZE 100
PC_API void pc_hpm_save(const struct pc_hpm *hpm, uint8_t bytes[PC_HPM_STATE_SIZE]);
PC_API PC_MUST_CHECK enum pc_status pc_hpm_load(struct pc_hpm *hpm, const void *bytes, size_t size,
                                                struct pc_error *err);

/* ---- why ---- */

/* A rule of the model, to be named beside a difference. */
struct pc_hpm_rule {
    const char *clause; /* "HPM.INSTRET.2" */
    const char *about;
};
/* What a step decides. */
enum pc_hpm_what { PC_HPM_RDATA, PC_HPM_CAUSE, PC_HPM_COUNTER /* + its index */ };
/*
 * The rule that decides it in the clock that *in would make of the present state: of
 * pc_hpm_step(), or with a strobe of pc_hpm_step_module().  Never NULL.
 */
PC_API const struct pc_hpm_rule *pc_hpm_why(const struct pc_hpm *hpm, const struct pc_hpm_in *in,
                                            const struct pc_hpm_strobe *strobe, unsigned what);
PC_API const struct pc_hpm_rule *pc_hpm_rule_at(size_t i); /* NULL past the end */

/* ------------------------------------------------------------------ */
/* 11. Trace: register accesses that a kernel wrote down               */
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

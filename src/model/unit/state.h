/* SPDX-License-Identifier: MIT */
/*
 * The state of a PCOUNTER unit of any chip.  Flat: copying it is a snapshot, memcmp
 * compares it.  Step order of a domain cycle (D-16), and the file that does it:
 *
 *   1  effects of the writes since the last cycle        effects.c
 *   2  signal vector                                     inputs.c
 *   3-6 selection, SETFLAG, CLRFLAG, EVENT, PRE ...      inputs.c
 *   7  mode machine and counters                         single.c quad.c record.c stream.c
 *   8  FLAG flops                                        pcounter.c
 *   9  history, synchronisers, PERIODIC                  pcounter.c
 */
#ifndef PC_MODEL_STATE_H
#define PC_MODEL_STATE_H

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/pcounter.h"
#include "model/regs/regs.h"
#include "model/rules/counter.h"
#include "model/rules/single.h"
#include "model/rules/sync.h"

/* The six inputs, in the order of their SRC registers on NV10:NV30. */
enum pc_input {
    PC_IN_PRE,
    PC_IN_START,
    PC_IN_EVENT,
    PC_IN_STOP,
    PC_IN_SETFLAG,
    PC_IN_CLRFLAG,
    PC_INPUTS
};

/* Selected source bit i of input n, in a word of selected bits. */
#define PC_SEL(input, i) ((unsigned)(input)*4 + (i))

enum pc_quad_state { PC_EMPTY = 0, PC_VALID = 1, PC_OVERFLOW = 3 };

/* MODE as the chip has it; PC_MODE_NONE is a value the chip does not have (D-41). */
enum pc_mode { PC_MODE_SINGLE, PC_MODE_QUAD, PC_MODE_RECORD, PC_MODE_STREAM, PC_MODE_NONE };

/* The fields of CTRL, whatever its layout. */
struct pc_control {
    uint8_t mode;     /* enum pc_mode */
    uint8_t ctr_mode; /* enum pc_ctr_mode */
    bool period_all;  /* EVENT_CTR_PERIOD = ALL */
    bool event_pulse; /* EVENT_IMPORT_MODE = PULSE */
    bool flag_pulse;  /* FLAG_IMPORT_MODE = PULSE */
    bool record_short;
    uint8_t periodic; /* PERIODIC_PERIOD, 0..7 */
};

/* The five counters; CTR_CYCLES_ALT is CTR_CYCLES (D-42). */
struct pc_counters {
    uint64_t cycles, event, start; /* 40 bits NV10:NV30, else 32 */
    uint64_t pre, stop;            /* 32 bits */
};

/* Effects of writes at the start of the domain's next cycle (D-17a). */
struct pc_pending {
    bool abort;   /* a config write: single mode goes INACTIVE */
    bool init;    /* a start that a later config write of the same gap undid */
    bool start;   /* PRE_OP, to be obeyed in case INACTIVE of this cycle */
    bool swap;    /* PRE_OP in quad mode: the SWAP input is asserted once */
    uint8_t acks; /* 0..2: more change nothing */
    bool fault_clear;
    bool record_start;          /* position and valid flag are to be set */
    bool record_start_clear;    /* it was written in record mode: counters too */
    bool record_entry;          /* CTRL entered record mode (D-68) */
    bool quad_entry, quad_exit; /* CTRL entered, left quad mode (D-49, D-56) */
    bool periodic_restart;      /* CTRL was written (D-31) */
};

/* Record mode storage (D-65 to D-74). */
struct pc_record {
    uint64_t cycles;    /* 48 bits */
    uint16_t event[12]; /* PRE_SRC0..3, START_SRC0..3, EVENT_SRC0..3 */
    uint16_t stop;      /* 12 bits */
    uint32_t position;  /* address of the next packet */
    bool valid;         /* "buffer valid" internal flag */
    bool fault;         /* RECORD_STATUS bit 0 */
    bool wedged;        /* the outgoing slot is busy for ever, and what hangs by it (D-70a) */
    bool pending;       /* the memory callback said PC_MEM_PENDING */
    uint32_t busy;      /* cycles the outgoing slot is still busy */
    bool dirty;         /* counted in another mode since the counters were cleared */
};

/* GF100+ registers that are only stored. */
enum pc_stored {
    PC_STORED_FILTER,
    PC_STORED_VSTATUS,
    PC_STORED_74,
    PC_STORED_CC,
    PC_STORED_D0,
    PC_STORED_D4,
    PC_STORED_D8,
    PC_STORED_DC,
    PC_STORED
};

struct pc_domain {
    /* registers, as written */
    uint32_t src[PC_INPUTS]; /* SETFLAG_SRC, CLRFLAG_SRC: NV10:NV30 */
    uint32_t op[PC_INPUTS];
    uint32_t spec_src;            /* 7:0 SWAP, 15:8 UNK8 */
    uint32_t ctrl;                /* nv40 */
    uint64_t threshold;           /* 40 bits NV10:NV30, else 32 */
    uint32_t pre_init, stop_init; /* hidden "initial" values */
    uint32_t record_high, record_limit, record_start;
    uint32_t stored[PC_STORED]; /* GF100+: registers without effect, enum pc_stored */
    struct pc_control control;  /* decoded from CTRL */
    struct pc_pending pending;

    /* counters */
    struct pc_counters visible;
    struct pc_counters shadow; /* quad event mode */
    struct pc_record record;

    /* machines */
    uint8_t single_state; /* enum pc_single_state */
    uint8_t quad_state;   /* enum pc_quad_state */
    bool flag_next;       /* the FLAG register */
    bool flag_cur;        /* the FLAG signal */
    bool user[4];         /* USER_0 .. USER_3; two before GF100 */
    bool user_pulse[4];
    uint16_t periodic; /* free-running */
    uint64_t pulse[2]; /* enum pc_pulse: bit k, one cycle of it in k cycles */

    /* history and synchronisers */
    uint32_t late;   /* selected bits of the last cycle, PC_SEL */
    bool last_flag;  /* FLAG as others sampled it in the last cycle, for its toggle */
    bool last_event; /* EVENT of the last cycle */
    bool event_toggle, flag_toggle;
    struct pc_sync event_sync, flag_sync;

    /* the last completed cycle */
    uint64_t vector[PC_SIG_WORDS];
    uint32_t selected; /* PC_SEL */
    struct pc_unit_inputs in;
    uint64_t cycle; /* completed */
    uint32_t diagnostics;
    uint8_t no_signal; /* the first that was selected and is not there, if PC_DIAG_NO_SIGNAL */
};

struct pc_state {
    uint32_t ctrl_nv10;
    uint32_t gctrl;
    uint32_t record_chan, record_dma;
    uint32_t dset_vstatus, dset_slcg; /* GF100+ */
    bool has_dma;                     /* RECORD_DMA was written */
    bool bound; /* a RECORD_CHAN write with VALID bound channel and DMA object */
    struct pc_domain domain[PC_MAX_DOMAINS];
};

/* Switches for disputed decisions; option.c */
struct pc_options {
    bool periodic_restart;     /* D-31 */
    bool reserved_ctr_none;    /* D-40 */
    bool ctr_write_writable;   /* D-45a */
    bool reserved_mode_quad;   /* D-41 */
    bool quad_entry_clears;    /* D-49 */
    bool quad_leave_empties;   /* D-56 */
    bool no_bogus_packet;      /* D-68 */
    bool record_invalid_holds; /* D-69 */
    bool halted_flag_follows;  /* D-25 */
    bool stream_stored;        /* D-75: MODE 5 does nothing */
    uint8_t record_fault;      /* D-70a: enum below */
    uint8_t ctr_modes_5_to_7;  /* D-64: 0 where traced, 1 on, 2 off */
    bool import_register;      /* D-26: synchronisers sample the FLAG register */
    uint32_t record_latency;   /* D-66 */
};
enum { PC_FAULT_HANG, PC_FAULT_WEDGE, PC_FAULT_DROP };

/* Switches of the device around the unit, which src/model/gpu looks at */
enum pc_host_bus { PC_HOST_BUS_AUTO, PC_HOST_BUS_ALWAYS, PC_HOST_BUS_OFF };
struct pc_device_options {
    uint32_t pm_latency;
    enum pc_host_bus host_bus;
    bool gctrl_trigger; /* D-90 */
    bool no_pair;       /* D-09 */
};

/* Positions of the signals that the unit drives in one domain; -1: not there. */
struct pc_slots {
    uint64_t raw[PC_SIG_WORDS];  /* mask of the raw signals */
    uint64_t none[PC_SIG_WORDS]; /* of those beyond the domain, and of domains that there are not */
    int16_t periodic, pm_trigger, wrcache_flush, user[4];
    int16_t event[PC_MAX_DOMAINS], flag[PC_MAX_DOMAINS];
};

/* EVENT and FLAG as all domains show them to each other, a bit each */
struct pc_shown {
    uint8_t event, event_toggle, flag, flag_toggle;
};

struct pc_unit {
    const struct pc_chip *chip; /* as this domain set sees it; GF100+: &of_set */
    struct pc_chip of_set;
    enum pc_set set;
    unsigned index; /* GPC or partition */
    struct pc_alloc alloc;
    pc_mem_write_fn *mem_write;
    void *mem_ctx;
    bool traced_modes; /* the chip counts CTR_MODE 5-7 as traced (D-64) */
    struct pc_options options;
    struct pc_slots slots[PC_MAX_DOMAINS];
    struct pc_state state;
    uint32_t dormant;       /* domains that are; dormant.c */
    struct pc_shown beside; /* what all showed when they fell asleep */
    bool moved;             /* a domain was stepped since `beside` was looked at */
};

/* save.c: what pc_unit_load() takes, and what it refuses. */
enum pc_status pc_unit_check_state(const struct pc_unit *u, const void *state, size_t size,
                                   struct pc_state *out, struct pc_error *err);

/* Returns true if packets of it go out. */
static inline bool pc_sends(const struct pc_domain *d)
{
    return d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM;
}

static inline bool pc_has(const struct pc_unit *u, enum pc_feature f)
{
    return (u->chip->features & f) != 0;
}

/* Returns true if the flag moves while the mode counts nothing. It is for every clock cycle (D-41),
 * but HALTED freezes it (D-25). */
static inline bool pc_none_listens(const struct pc_unit *u)
{
    return !pc_has(u, PC_F_GF100) || u->options.halted_flag_follows;
}

/* D-70a: a packet met a fault, and nothing that the mode does is done any more. */
static inline bool pc_hangs(const struct pc_unit *u, const struct pc_domain *d)
{
    return d->record.wedged && u->options.record_fault == PC_FAULT_HANG;
}

/* Returns what other domains' synchronisers sample of a FLAG: its signal, or by a switch the
 * register that is a cycle ahead of it (D-26). */
static inline bool pc_shown_flag(const struct pc_unit *u, const struct pc_domain *d)
{
    return u->options.import_register ? d->flag_next : d->flag_cur;
}

/* inputs.c: steps 2 to 6 for one domain; leaves the result in d->vector, ->selected, ->in. */
void pc_inputs_cycle(const struct pc_unit *u, unsigned domain, struct pc_domain *d,
                     const uint64_t *raw);

/* Returns what the flag does in a cycle: its register is frozen, listens to SETFLAG and CLRFLAG, or
 * is cleared. */
enum pc_flag_action { PC_FLAG_FROZEN, PC_FLAG_LISTENS, PC_FLAG_CLEARED };

/* single.c, quad.c, record.c: step 7. */
enum pc_flag_action pc_single_cycle(const struct pc_unit *u, struct pc_domain *d);
enum pc_flag_action pc_quad_cycle(const struct pc_unit *u, struct pc_domain *d);
void pc_quad_swap(struct pc_domain *d);
enum pc_flag_action pc_record_cycle(struct pc_unit *u, unsigned domain, struct pc_domain *d);
/* Starts a single mode counting process: "init counters". */
void pc_single_init(struct pc_domain *d);
/* A period begins after this cycle; or ended with it, when its counters also had this cycle (D-47).
 */
void pc_single_begins(const struct pc_unit *u, struct pc_domain *d);
void pc_single_ends(const struct pc_unit *u, struct pc_domain *d);

/* Sends the packet of record mode's counters as they are now; it does not clear them. */
void pc_record_send(struct pc_unit *u, unsigned domain, struct pc_domain *d);

/* D-72: RECORD_RESET is a level, in every mode.  GF100+ has the counters of its records elsewhere
 * (stream.c). */
static inline bool pc_record_is_reset(const struct pc_unit *u)
{
    return pc_has(u, PC_F_RECORD) && PC_GET(u->state.gctrl, GCTRL, RECORD_RESET);
}

/* D-68: another mode counted, which record mode finds in its counters unless RECORD_RESET holds
 * them at 0. */
static inline void pc_record_soil(const struct pc_unit *u, struct pc_domain *d)
{
    d->record.dirty = !pc_record_is_reset(u);
}

/* D-66: the outgoing slot's time passes in a domain's cycles, whatever their mode. */
static inline void pc_slot_pass(struct pc_domain *d, uint64_t cycles)
{
    d->record.busy = d->record.busy > cycles ? (uint32_t)(d->record.busy - cycles) : 0;
}

/* stream.c: step 7 of GF100+'s MODE 5. */
enum pc_flag_action pc_stream_cycle(struct pc_unit *u, unsigned domain, struct pc_domain *d);
/* Sends the packet of the stream's counters, which are cleared. */
void pc_stream_send(struct pc_unit *u, unsigned domain, struct pc_domain *d);
/* Adds `cycles` to the stream's timestamp. */
void pc_stream_tick(struct pc_domain *d, uint64_t cycles);

/* Ends of record mode's counters, as its packets have them; PC.REC.3 PC.REC.5 PC.REC.6 PC.REC.7 */
#define PC_RECORD_CYCLES_MASK PC_PACKET_CYCLES_MAX
#define PC_RECORD_STOP_MAX    PC_PACKET_STOP_MAX
#define PC_RECORD_EVENT_MAX   PC_PACKET_EVENT_MAX
#define PC_RECORD_EVENT_FLUSH PC_PACKET_FLUSH

/* Returns what this cycle adds to the counters, in the domain's counter mode. */
struct pc_increment pc_domain_increment(const struct pc_unit *u, const struct pc_domain *d);

/* gf100.c: registers that GF100+ has otherwise.  false: not one of them. */
bool pc_gf100_write(struct pc_unit *u, enum pc_reg_id id, struct pc_domain *d, uint32_t kept);
bool pc_gf100_read(const struct pc_unit *u, enum pc_reg_id id, const struct pc_domain *d,
                   uint32_t *value);
uint32_t pc_gf100_read_set(const struct pc_unit *u, enum pc_reg_id id);
uint32_t pc_gf100_src_status(const struct pc_domain *d);
/* CTRL of GF100+, decoded. */
void pc_gf100_control(const struct pc_unit *u, struct pc_domain *d);

/* mmio.c: a register that selects `count` signals was written. */
void pc_selected(struct pc_unit *u, unsigned domain, uint32_t numbers, unsigned count);
/* effects.c: step 1. */
void pc_effects_cycle(const struct pc_unit *u, struct pc_domain *d);
/* The structure that CTRL's bits mean; called whenever CTRL is written. */
void pc_control_update(struct pc_unit *u);

/*
 * Does what a write to a config register does besides storing: it ends single mode (PC.SINGLE.15),
 * and undoes what an earlier write of this gap started (PC.SINGLE.20, D-45).
 */
static inline void pc_config_written(struct pc_domain *d)
{
    d->pending.init |= d->pending.start;
    d->pending.start = false;
    d->pending.abort = true;
}

/* Returns the input whose SRC or OP register this is; PC_INPUTS if it is neither. */
enum pc_input pc_register_input(enum pc_reg_id id, bool *is_op);

/*
 * pcounter.c: Remembers the domains' cycle, except for effects of writes and for step 7, which were
 * done otherwise; action[x] is what the latter said of domain x.
 */
void pc_unit_remember(struct pc_unit *u, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS],
                      const enum pc_flag_action *action);

/* pcounter.c: parts of a step.  What all show now; a domain samples it; its steps 7 to 9. */
struct pc_shown pc_shown_by(const struct pc_unit *u);
void pc_domain_sample(struct pc_domain *d, const struct pc_shown *others);
void pc_domain_end(struct pc_unit *u, unsigned domain);

/* dormant.c: pc_unit_step(), faster where domains stand still.  Whoever changes the state in other
 * ways than this calls pc_awake(). */
void pc_unit_pass(struct pc_unit *u, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS]);
static inline void pc_awake(struct pc_unit *u)
{
    u->dormant = 0;
}

/* inputs.c: other domains whose EVENT or FLAG it selects, whether or not that changes anything */
uint32_t pc_selects(const struct pc_unit *u, unsigned domain);

/* Sets an option of the device or, if it is none, of the unit. */
enum pc_status pc_device_option(const char *name, const char *value, struct pc_device_options *out,
                                struct pc_unit *u, struct pc_error *err);

/* Adds to a counter and notes what is lost. */
void pc_count(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint32_t n,
              bool wide);

#endif

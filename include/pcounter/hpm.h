/* SPDX-License-Identifier: MIT */
/* Hpm: CVA6's CSR counters (see pcounter.h) */
#ifndef PCOUNTER_HPM_H
#define PCOUNTER_HPM_H

#include "pcounter/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * mcycle, minstret and the six event counters of OpenHW's CVA6, as its CSR instructions and its
 * commit stage see them, one clock per call.  There are three ways to use them:
 *   pc_hpm_step()     wires and a CSR instruction, to compare with RTL
 *   pc_hpm_csr(), pc_hpm_retire(), pc_hpm_advance()     for an instruction set simulator
 *   pc_hpm_read_at()  for one that follows a design clocked by pc_hpm_step()
 * Many clocks of a waveform at once are counted by the expressions of the events' rows.
 * Clauses HPM.* are those of docs/hardware/clauses-cva6.md.
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
    bool rvf;                /* a floating-point unit: only pc_hpm_event_never() asks */
    bool rvb, zcb, zicond;   /* Zba, Zbb, Zbc, Zbs; compressed bytes and halves; czero: programs */
    bool zkn, zicbom;        /* scalar cryptography, cache blocks */
    bool debug;              /* counters stop in debug mode */
    enum pc_hpm_dcache dcache;
    uint8_t dcache_ways; /* 1 .. 32 */
    bool mmu, shared_tlb;
    const char *notes; /* what is assumed about it, may be empty */
};

PC_API const struct pc_hpm_config *pc_hpm_config_at(size_t i); /* NULL past the end */
/* Finds a configuration by name or alias, case-insensitive: "cv64a6_imafdc_sv39", "CV32A60AX". NULL
 * if none, and of NULL. */
PC_API const struct pc_hpm_config *pc_hpm_config_find(const char *name);
/* Does the same as pc_hpm_config_find(), but the error (PC_ENOENT) has similar names. */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_config_get(const char *name, const struct pc_hpm_config **out, struct pc_error *err);
PC_API const char *pc_hpm_dcache_name(enum pc_hpm_dcache kind); /* "write-through" */

/* ---- profiles: where the document, the ISA manual and the RTL differ ---- */

/* A set bit follows the RTL; debug_runs is set in neither profile, write_freezes_all in both. */
enum pc_hpm_quirk {
    PC_HPM_Q_HALF_WRITE_TICKS = 1u << 0,  /* RV32: half of a counter written: the other ticks */
    PC_HPM_Q_WRITE_FREEZES_ALL = 1u << 1, /* an HPM write stops all six for its cycle; both */
    PC_HPM_Q_TRAP_FREEZES = 1u << 2,  /* RV64: so does a trapping write of a high-half address */
    PC_HPM_Q_OR_PORTS = 1u << 3,      /* two matches in a cycle add 1 instead of 2 */
    PC_HPM_Q_SHADOW3H_ZERO = 1u << 4, /* RV32: hpmcounter3h reads 0 */
    PC_HPM_Q_EVICT_FF = 1u << 5,      /* event 18 compares with 0xff, whatever the ways */
    PC_HPM_Q_RET_ANY_RS1 = 1u << 6,   /* event 13: any jalr with rd=x0 */
    PC_HPM_Q_DEBUG_RUNS = 1u << 7,    /* counters run on in debug mode (stopcount 0); neither */
    PC_HPM_Q_U_NEEDS_SCOUNTEREN = 1u << 8, /* U without S: an scounteren of 0 gates U-mode */
    PC_HPM_Q_H_GATE_AND = 1u << 9,         /* H: U, VU trap only if all bits above are clear */
    PC_HPM_Q_H_TRAP_WRITES = 1u << 10,     /* H: a write that raises 22 takes effect */
    PC_HPM_Q_H_HIGH_VIRTUAL = 1u << 11     /* H, RV64: hcounteren gates high halves: 22, not 2 */
};
struct pc_hpm_quirk_info {
    uint32_t bit;     /* enum pc_hpm_quirk */
    const char *name; /* "half_write_ticks" */
    bool in_spec, in_rtl;
    const char *clause; /* "HPM.Q.1" */
    const char *about;
    const char *reference; /* where the behaviour is known: a line of the RTL, an issue; "": none */
};
PC_API const struct pc_hpm_quirk_info *pc_hpm_quirk_at(size_t i); /* NULL past the end */
/* Finds a quirk by name; PC_ENOENT with similar names. */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_quirk_find(const char *name, uint32_t *bit,
                                                      struct pc_error *err);

/* "rtl" (openhwgroup/cva6 6cb200105; the default) and "spec" (the user manual and the ISA manual).
 */
struct pc_hpm_profile {
    const char *name;
    uint32_t quirks;
    const char *about;
};
PC_API const struct pc_hpm_profile *
pc_hpm_profile_at(size_t i); /* 0: the default; NULL past the end */
/* Finds a profile by name; PC_ENOENT with similar names. */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_profile_find(const char *name, const struct pc_hpm_profile **out, struct pc_error *err);

/* ---- events ---- */

enum pc_hpm_topic { PC_HPM_MEMORY, PC_HPM_INSTRUCTIONS, PC_HPM_MICROARCH };

/* Things that an event counts. */
enum pc_hpm_unit {
    PC_HPM_OCCURRENCES, /* pulses of one clock */
    PC_HPM_RETIREMENTS, /* instructions of a class; of every commit port */
    PC_HPM_CLOCKS       /* clocks in which a level is 1 */
};

/* The part that a core must have for an event to fire. */
enum pc_hpm_need {
    PC_HPM_NEEDS_NOTHING,
    PC_HPM_NEEDS_MMU,
    PC_HPM_NEEDS_FPU,
    PC_HPM_NEEDS_MISALIGNED, /* branch targets: no compressed instructions */
    PC_HPM_NEEDS_VALID_BITS  /* of a D-cache that reports them */
};

/* A selector value.  Row i is event i; row 0 counts nothing.  Texts that a row lacks are "". */
struct pc_hpm_event {
    unsigned id;
    const char *name;       /* as Linux' perf has it: "L1_D_CACHE_MISSES"; "NONE" */
    const char *short_name; /* "L1D_MISS" */
    const char *seed_name;  /* as the user manual has it: "L1 D-Cache Misses" */
    enum pc_hpm_topic topic;
    enum pc_hpm_unit unit;
    /*
     * The count, as an expression of pcounter-core(5) over the ports of perf_counters.  WAYS
     * is the mask of the D-cache's ways, FULL what they are compared with.  Of RETIREMENTS: the
     * condition of a commit port that acknowledges, whose number % is.
     */
    const char *expression;
    const char *strict; /* what a port's condition has besides without ret_any_rs1 */
    const char *wire;   /* a wire that may be there in place of the expression's ports */
    enum pc_hpm_need need;
    bool of_instructions;         /* it follows from the instructions that retire or trap alone */
    const char *line;             /* the exact condition of one clock, over the inputs of a step */
    const char *about;            /* what it really counts, true of every configuration */
    const char *about_shared_tlb; /* the same with a second-level TLB */
};
PC_API const struct pc_hpm_event *pc_hpm_event_at(size_t id); /* NULL from 23 on */
/*
 * Finds an event by its name, its short name (L1D_MISS), the manual's name or its number ("5",
 * "0x5"), in any case.  PC_ENOENT with similar names.
 */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_event_find(const char *text, const struct pc_hpm_event **out, struct pc_error *err);
/* Returns what it really counts in this configuration: one sentence, no full stop.  Never NULL. */
PC_API const char *pc_hpm_event_about(const struct pc_hpm_config *config, unsigned id);
/* Returns why the event can never fire in a core of this configuration; NULL if it can. */
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
/* Gets the register at an address; PC_ENOENT if the configuration has none: an access is an illegal
 * instruction. */
PC_API enum pc_status pc_hpm_reg_at(const struct pc_hpm_config *config, unsigned address,
                                    struct pc_hpm_reg *out, struct pc_error *err);
/* Finds a register by name; "0xb03" and the like are addresses. */
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
    bool rs1_known; /* RTL does not carry rs1 to commit: then event 13 only uses rd */
    uint8_t rs1;
};

/* Wires of one clock, as bit numbers of pc_hpm_in.lines. */
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

/* With all members 0 the core is in U-mode and nothing happens. */
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
    const struct pc_hpm_config *config;   /* copied, except its texts, which must stay valid */
    const struct pc_hpm_profile *profile; /* NULL: rtl */
    uint32_t quirks_on, quirks_off;       /* changes to the profile; off wins */
    const struct pc_alloc *alloc;
};
/* Creates the counters of a core; PC_EINPUT if the configuration is impossible (H without S, ways
 * out of range ...), PC_ENOENT for an unknown bit in quirks_on; quirks_off may have any bits. */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_create(const struct pc_hpm_desc *desc,
                                                  struct pc_hpm **out, struct pc_error *err);
PC_API void pc_hpm_destroy(struct pc_hpm *hpm); /* NULL is fine */
PC_API void pc_hpm_reset(struct pc_hpm *hpm);   /* every register 0 */
PC_API const struct pc_hpm_config *pc_hpm_get_config(const struct pc_hpm *hpm); /* its own copy */
PC_API uint32_t pc_hpm_get_quirks(const struct pc_hpm *hpm);                    /* in force */

/*
 * Makes one clock. rdata and cause are what the core sees before the closing edge, the state is
 * that after it. An access that traps retires nothing on port 0 and is an exception, whatever
 * `port` and `lines` say. Ports that the configuration lacks are ignored.
 */
PC_API void pc_hpm_step(struct pc_hpm *hpm, const struct pc_hpm_in *in, struct pc_hpm_out *out);

/*
 * One clock at the boundary of the RTL module perf_counters: the six event counters and
 * their selectors, with a raw write strobe; mcountinhibit is an input; privilege, mcycle and
 * minstret are outside of the module.  in->csr and in->mode, but for debug, are ignored. rdata is
 * the value at the address, 0 if the module has nothing there.  On XLEN 64 a strobe of b83..b9f is
 * that of an instruction that traps: without trap_freezes it holds nothing.
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
 * Decodes the CSR instruction `insn` with the value of its rs1 (uimm is in the word) as an access.
 * false if the word is no CSR instruction, or its CSR none that pc_hpm_owns().
 */
PC_API bool pc_hpm_csr_decode(uint32_t insn, uint64_t rs1_value, struct pc_hpm_access *out);
/*
 * Makes one clock in which that access executes and retires, or traps. Returns the cause. *rdata
 * (may be NULL) is the value for rd.
 */
PC_API enum pc_hpm_cause pc_hpm_csr(struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                    const struct pc_hpm_access *access, uint64_t *rdata);
/*
 * Returns what a read of that CSR gives in the clock that comes next, which is not made:
 * PC_HPM_NO_TRAP, and the value in *rdata (may be NULL; 0 of a trap), or the cause of the trap. For
 * a simulator that is compared with a design: it needs no counter poked into it.  A CSR that is not
 * pc_hpm_owns() is illegal here.
 */
PC_API enum pc_hpm_cause pc_hpm_read_at(const struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                        unsigned address, uint64_t *rdata);
/*
 * Makes one clock in which `count` (0 .. commit ports) instructions retire; PC_EARG for more. A
 * word with low bits other than 11 is a compressed instruction, its high half ignored. `lines` adds
 * what else the simulator knows: an exception, an eret (mret and sret do not imply it), a
 * misprediction, cache misses.
 */
PC_API PC_MUST_CHECK enum pc_status pc_hpm_retire(struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                                  const uint32_t *insn, unsigned count,
                                                  uint32_t lines, struct pc_error *err);
/* Makes `cycles` clocks with constant inputs (NULL: nothing happens); in->csr is ignored. O(1). */
PC_API void pc_hpm_advance(struct pc_hpm *hpm, const struct pc_hpm_in *in, uint64_t cycles);

/*
 * Gets fu, op, rd, rs1 of an instruction word (ack is set), as CVA6's decoder and commit stage have
 * them; op is PC_HPM_OP_OTHER except for jumps. false, and a port that matches no event, if CVA6
 * has no such opcode; whether the operands are legal is not looked at.
 */
PC_API bool pc_hpm_classify(const struct pc_hpm_config *config, uint32_t insn,
                            struct pc_hpm_port *out);

/* ---- state ---- */

/* The whole state.  Reading or setting it takes no time. */
struct pc_hpm_state {
    uint64_t counter[PC_HPM_LAST + 1]; /* 0 mcycle, 2 minstret, 3..8; 1 is 0 */
    uint8_t selector[PC_HPM_LAST + 1]; /* 3..8; the others 0 */
    uint32_t inhibit;
    uint32_t mcounteren, scounteren, hcounteren;
};
PC_API void pc_hpm_get_state(const struct pc_hpm *hpm, struct pc_hpm_state *out);
/* Sets the state; PC_EINPUT for a value that the registers of this configuration cannot have. */
PC_API PC_MUST_CHECK enum pc_status
pc_hpm_set_state(struct pc_hpm *hpm, const struct pc_hpm_state *state, struct pc_error *err);
/* Saves and loads the state as bytes, for snapshots: little-endian, any machine, same XLEN and RVS,
 * RVU, RVH ... */
#define PC_HPM_STATE_SIZE 100
PC_API void pc_hpm_save(const struct pc_hpm *hpm, uint8_t bytes[PC_HPM_STATE_SIZE]);
PC_API PC_MUST_CHECK enum pc_status pc_hpm_load(struct pc_hpm *hpm, const void *bytes, size_t size,
                                                struct pc_error *err);

/* ---- why ---- */

/* A rule of the model, to explain a difference. */
struct pc_hpm_rule {
    const char *clause; /* "HPM.INSTRET.2" */
    const char *about;
};
/* The values that a step decides. */
enum pc_hpm_what { PC_HPM_RDATA, PC_HPM_CAUSE, PC_HPM_COUNTER /* + its index */ };
/*
 * Returns the rule that decides about a register in the clock that *in would make of the present
 * state: of pc_hpm_step(), or with a strobe of pc_hpm_step_module(). Never NULL.
 */
PC_API const struct pc_hpm_rule *pc_hpm_why(const struct pc_hpm *hpm, const struct pc_hpm_in *in,
                                            const struct pc_hpm_strobe *strobe, unsigned what);
PC_API const struct pc_hpm_rule *pc_hpm_rule_at(size_t i); /* NULL past the end */

#ifdef __cplusplus
}
#endif

#endif

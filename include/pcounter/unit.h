/* SPDX-License-Identifier: MIT */
/* Unit: one PCOUNTER domain set (see pcounter.h) */
#ifndef PCOUNTER_UNIT_H
#define PCOUNTER_UNIT_H

#include "pcounter/chips.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pc_unit;

enum pc_mem_result { PC_MEM_OK, PC_MEM_FAULT, PC_MEM_PENDING };

/*
 * Record mode writes packets through this: `size` is 16 or 32, `address` 40 bits, a multiple of 16.
 * PC_MEM_PENDING keeps the outgoing slot busy until pc_unit_record_done().
 * A long packet in the last 16 bytes of a block of 4 GiB comes in two calls: its second half goes
 * to the first 16 bytes of the same block (D-74a); one pc_unit_record_done() is for both.
 */
typedef enum pc_mem_result pc_mem_write_fn(void *ctx, unsigned domain, uint64_t address,
                                           const uint8_t *data, size_t size);

/* Members that are 0 take their defaults; only chip must be given. */
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
    PC_DIAG_COMB_LOOP = 1u << 0,    /* EVENT selects its own output undelayed (D-21) */
    PC_DIAG_CTR_MODE = 1u << 1,     /* CTR_MODE 5-7: counted as SIMPLE (D-40) */
    PC_DIAG_MODE = 1u << 2,         /* MODE value the chip does not have: nothing counts (D-41) */
    PC_DIAG_RECORD_FAULT = 1u << 3, /* a packet faulted: the domain hangs (D-70a) */
    PC_DIAG_RECORD_LOST = 1u << 4,  /* packets dropped because the buffer was not valid (D-69) */
    PC_DIAG_BOGUS_PACKET = 1u << 5, /* the bogus packet of D-68 was written */
    PC_DIAG_SATURATED = 1u << 6,    /* a counter reached its end */
    PC_DIAG_SWAP_LOST = 1u << 7,    /* a swap happened in VALID or OVERFLOW: a period was lost */
    PC_DIAG_UNDECODED = 1u << 8,    /* a write hit no register; of domain 0 */
    /* A signal was selected that reads 0 because it is not there: beyond the domain's size, or the
     * EVENT or FLAG of a domain that the chip lacks (D-30, D-60); pc_unit_no_signal() */
    PC_DIAG_NO_SIGNAL = 1u << 9,
    PC_DIAG_NO_DOMAIN = 1u << 10, /* a write other than of 0 was dropped, because the chip lacks
                                     the domain (D-60); of domain 0 */
    /* GF100+, quad mode: USER_TRIGGER gave a pulse while SWAP_SRC was on an input of the card, or
     * on a signal that is not there: no period ends */
    PC_DIAG_NO_SWAP = 1u << 11
};

/*
 * Creates a unit at power-up (pc_unit_reset()). It raises no interrupt: drivers poll (D-89). The
 * chip is kept by pointer. PC_ENOUNIT if it has no PCOUNTER, PC_ENOENT for a set or index that it
 * does not have, and for any if its domains are not known.
 */
PC_API PC_MUST_CHECK enum pc_status pc_unit_create(const struct pc_unit_desc *desc,
                                                   struct pc_unit **out, struct pc_error *err);
PC_API void pc_unit_destroy(struct pc_unit *unit); /* NULL is fine */
PC_API void pc_unit_reset(struct pc_unit *unit);   /* power-up values (D-50) */
/* Returns the chip as this unit sees it: on GF100+ with the domains of its set
 * (pc_chip_of_set()). */
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
/* Sets an option; PC_ENOENT for an unknown name, PC_EARG for a bad value or an option of another
 * part. */
PC_API PC_MUST_CHECK enum pc_status pc_unit_option(struct pc_unit *unit, const char *name,
                                                   const char *value, struct pc_error *err);

/*
 * Writes and reads registers by absolute address (0xa000 ..). Time stands still: a write changes
 * the stored register at once, and takes effect at the start of the domain's next cycle (D-17a). A
 * read returns stored fields as written and state as of the last completed cycle, and has no effect
 * (D-18). Where there is no register, a read returns 0, and a write is dropped and noted as
 * PC_DIAG_UNDECODED of domain 0.
 */
PC_API void pc_unit_write(struct pc_unit *unit, uint32_t address, uint32_t value);
PC_API uint32_t pc_unit_read(const struct pc_unit *unit, uint32_t address);

/* Wires from PGRAPH: 1 for one cycle in every domain, then 0 again. */
enum pc_pulse { PC_PULSE_PM_TRIGGER, PC_PULSE_WRCACHE_FLUSH };
/* Makes a pulse that arrives in each domain `delay` cycles after that domain's next one (0: in the
 * next), 63 at most: more is taken as 63. */
PC_API void pc_unit_pulse(struct pc_unit *unit, enum pc_pulse pulse, uint32_t delay);

/*
 * Makes one rising edge at one instant, in every domain whose bit is set in `edges`. raw[d]: the
 * domain's raw signals, sampled just before the edge, one row for each domain that has one; bits of
 * signals that the unit drives itself, and of domains that do not exist, are ignored. Domains that
 * share an instant must be given in one call: coincident edges see the old values.
 */
PC_API void pc_unit_step(struct pc_unit *unit, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS]);

/*
 * Does what `cycles` calls of pc_unit_step() with these arguments would do; the inputs stand still.
 * The time this takes depends on the registers, not on the number of cycles, unless somebody
 * receives packets (pc_unit_desc.mem_write): each of these is sent.
 */
PC_API void pc_unit_advance(struct pc_unit *unit, uint64_t cycles, uint32_t edges,
                            const uint64_t (*raw)[PC_SIG_WORDS]);

/*
 * A packet of record mode (G84:GF100) as it lies in memory: PC_PACKET_LONG bytes, or the first
 * PC_PACKET_SHORT of them, which have event[0] to event[3] alone.
 */
#define PC_PACKET_LONG   32
#define PC_PACKET_SHORT  16
#define PC_PACKET_EVENTS 12
#define PC_PACKET_FLUSH  0xf000 /* a counter that reaches this sends a packet without STOP */
/* Counters stop at these values; cycles wrap after theirs. */
#define PC_PACKET_EVENT_MAX  0xffff
#define PC_PACKET_STOP_MAX   0xfff
#define PC_PACKET_CYCLES_MAX ((UINT64_C(1) << 48) - 1)
struct pc_packet {
    uint64_t cycles; /* 48 bits, which wrap: cycles so far, that of the packet included */
    uint16_t stop;   /* 12 bits: STOPs since the last packet; 0: a counter came to 0xf000 */
    uint8_t unused;  /* the 4 bits above it, 0 in what the unit writes */
    unsigned events; /* 12, or 4 */
    uint16_t event[PC_PACKET_EVENTS]; /* PRE_SRC[0..3], START_SRC[0..3], EVENT_SRC[0..3] */
};
/* Decodes a packet; returns false, and does nothing, for a size that no packet has. */
PC_API bool pc_packet_decode(const uint8_t *bytes, size_t size, struct pc_packet *out);

/* Ends the packet that PC_MEM_PENDING left open: it has been written, or has faulted. */
PC_API void pc_unit_record_done(struct pc_unit *unit, unsigned domain, bool fault);

/* Returns the enum pc_diag of a domain, or-ed; 0 for a domain that does not exist. */
PC_API uint32_t pc_unit_diagnostics(const struct pc_unit *unit, unsigned domain);
/* Returns the state of the TV-out port (NV10:NV40): -1 while the encoder has it. Otherwise it shows
 * PCOUNTER's debug pins, and this is TVOUT_DEBUG_SEL (D-59). */
PC_API int pc_unit_tvout(const struct pc_unit *unit);
/* Returns the first signal of PC_DIAG_NO_SIGNAL; -1: the domain has not selected such a signal. */
PC_API int pc_unit_no_signal(const struct pc_unit *unit, unsigned domain);
/* Returns the cycles that the domain has completed since reset; 0 for a domain that does not
 * exist. */
PC_API uint64_t pc_unit_cycle(const struct pc_unit *unit, unsigned domain);

/* The inputs of a domain in its last completed cycle; all 0 for a domain that does not exist. */
struct pc_unit_inputs {
    bool pre, start, event, stop, setflag, clrflag, swap, unk8;
    bool flag;    /* the FLAG signal as the domain itself saw it */
    uint16_t src; /* SRC_STATUS */
};
PC_API void pc_unit_get_inputs(const struct pc_unit *unit, unsigned domain,
                               struct pc_unit_inputs *out);

/*
 * Saves and loads the whole state as a snapshot: pc_unit_state_size() bytes, the same on every
 * machine. They have a version, and can be loaded by any build with that version, for the same chip
 * and set. Options (pc_unit_option()) are not part of it: set those that it was saved with.
 * pc_unit_load() checks what it is given; if it refuses (PC_EINPUT), nothing has changed.
 */
PC_API size_t pc_unit_state_size(const struct pc_unit *unit);
PC_API void pc_unit_save(const struct pc_unit *unit, void *state);
PC_API PC_MUST_CHECK enum pc_status pc_unit_load(struct pc_unit *unit, const void *state,
                                                 size_t size, struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif

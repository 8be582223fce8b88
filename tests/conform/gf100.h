/* SPDX-License-Identifier: MIT */
/*
 * The bench of the GF100+ conformance tests: one domain set as a unit of its own.
 *
 * Does what support.h does for the other register layout: registers are offsets in the 200h block
 * of a domain, and the unit is the hub, one GPC or one partition.  A case runs on every domain of
 * the places in gf100_bench.c; its path is "gk104/gpc3/dom1/gf100_quad/name".
 *
 * Levels are played as text: one token a cycle, one letter an input.
 *     p PRE   s START   e EVENT   x STOP   f SETFLAG   c CLRFLAG   w PM_TRIGGER   . nothing
 */
#ifndef PC_CONFORM_GF100_H
#define PC_CONFORM_GF100_H

#include "test.h"

#include <inttypes.h>
#include <stdio.h>

/* Offsets in the block of a domain. */
enum {
    GF_SIG_STATUS = 0x000,
    GF_PRE_SRC = 0x040,
    GF_PRE_OP = 0x044,
    GF_START_SRC = 0x048,
    GF_START_OP = 0x04c,
    GF_EVENT_SRC = 0x050,
    GF_EVENT_OP = 0x054,
    GF_STOP_SRC = 0x058,
    GF_STOP_OP = 0x05c,
    GF_SETFLAG_OP = 0x060,
    GF_CLRFLAG_OP = 0x064,
    GF_SRC_STATUS = 0x068,
    GF_SWAP_SRC = 0x06c,
    GF_CTR_CYCLES = 0x070,
    GF_UNK74 = 0x074,
    GF_CTR_EVENT = 0x080,
    GF_CTR_START = 0x088,
    GF_CTR_PRE = 0x08c,
    GF_CTR_STOP = 0x090,
    GF_SINGLE_ABORT = 0x094,
    GF_THRESHOLD = 0x098,
    GF_CTRL = 0x09c,
    GF_QUAD_ACK = 0x0a0,
    GF_EVENT_NEXT = 0x0a4,
    GF_PRE_NEXT = 0x0a8,
    GF_START_NEXT = 0x0ac,
    GF_STOP_NEXT = 0x0b0,
    GF_CYCLES_NEXT = 0x0bc,
    GF_CYCLES_NEXT_HIGH = 0x0c0,
    GF_RECORD_STOP_NEXT = 0x0c4,
    GF_VSTATUS = 0x0c8,
    GF_SINGLE_BEGIN = 0x0e0,
    GF_STATE = 0x0e4,
    GF_USER_TRIGGER = 0x0ec,
    GF_FILTER = 0x100
};
/* Offsets in the block of a set. */
enum { GF_DSET_CTRL = 0x000, GF_DSET_VSTATUS_0 = 0x010, GF_DSET_VSTATUS_1 = 0x014 };
enum { GF_RECORD_RESET = 1 << 0, GF_PERIODIC_RESET = 1 << 4 };

/* CTRL */
enum gf_mode { GF_HALTED, GF_SINGLE, GF_QUAD, GF_RECORD_C, GF_MODE_4, GF_STREAM };
enum gf_ctr_mode { GF_SIMPLE, GF_EVENT_B4, GF_EVENT_B6, GF_EXTRA_B4, GF_EXTRA_B6_EVENT_B2 };
enum {
    GF_ALL = 1 << 6,
    GF_EVENT_PULSE = 1 << 7,
    GF_FLAG_PULSE = 1 << 8,
    GF_PERIODIC = 1 << 21 /* times 0..7 */
};

/* Trailer, from the base. */
enum {
    GF_AT_USER = 0x27,
    GF_AT_PAUSED = 0x2c,
    GF_AT_PM_TRIGGER = 0x2d,
    GF_AT_PERIODIC = 0x2e,
    GF_AT_ZERO = 0x2f,
    GF_AT_EVENT = 0x37, /* minus the domain */
    GF_AT_FLAG = 0x3f   /* minus the domain */
};

enum { GF_OP_ZERO = 0x0000, GF_OP_ONE = 0xffff };
enum { GF_OP_ARG0 = 0xaaaa, GF_OP_ARG1 = 0xcccc, GF_OP_ARG2 = 0xf0f0, GF_OP_ARG3 = 0xff00 };
enum gf_single { GF_INACTIVE, GF_WAIT_PRE, GF_WAIT_START, GF_COUNTING };
enum gf_quad { GF_EMPTY = 0, GF_VALID = 1, GF_OVERFLOW = 3 };

enum gf_line { GF_P, GF_S, GF_E, GF_X, GF_F, GF_C, GF_ZERO, GF_SPARE };
enum { GF_RAW = 24 };

struct gf {
    const struct pc_chip *whole;
    struct pc_chip chip; /* as the set sees it */
    enum pc_set set;
    unsigned index, dom;
    struct pc_unit *unit;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    uint8_t signal[PC_MAX_DOMAINS][GF_RAW]; /* the first ordinary signals */
    bool changed;                           /* by an option: the unit is not for other cases */
};

/* Where the document puts the blocks. */
uint32_t gf_domain_base(enum pc_set set, unsigned index, unsigned dom);
uint32_t gf_set_base(enum pc_set set, unsigned index);

void gf_write_dom(struct gf *gf, unsigned dom, uint32_t offset, uint32_t value);
uint32_t gf_read_dom(const struct gf *gf, unsigned dom, uint32_t offset);
void gf_write(struct gf *gf, uint32_t offset, uint32_t value);
uint32_t gf_read(const struct gf *gf, uint32_t offset);
void gf_write_set(struct gf *gf, uint32_t offset, uint32_t value);
uint32_t gf_read_set(const struct gf *gf, uint32_t offset);
void gf_option(struct gf *gf, const char *name, const char *value);

unsigned gf_raw(const struct gf *gf, unsigned k); /* number of the k-th ordinary signal */
unsigned gf_at(const struct gf *gf, unsigned trailer);
void gf_set(struct gf *gf, unsigned dom, unsigned signal, bool level);
void gf_line(struct gf *gf, unsigned line, bool level);
bool gf_signal_dom(const struct gf *gf, unsigned dom, unsigned signal); /* through SIG_STATUS */
bool gf_signal(const struct gf *gf, unsigned signal);
uint32_t gf_four(unsigned s0, unsigned s1, unsigned s2, unsigned s3); /* a SRC register */

void gf_step(struct gf *gf, unsigned n);     /* cycles of the domain under test */
void gf_step_all(struct gf *gf, unsigned n); /* of all domains, on one clock */
void gf_play(struct gf *gf, const char *tokens);

void gf_wire(struct gf *gf); /* the letters, PRE_OP too; SWAP_SRC on PM_TRIGGER */
void gf_ctrl(struct gf *gf, unsigned mode, unsigned ctr_mode, uint32_t more);
void gf_start_single(struct gf *gf, uint32_t pre, uint32_t stop, uint32_t ctrl);
void gf_start_quad(struct gf *gf, unsigned ctr_mode);
enum gf_single gf_single_state(const struct gf *gf);
enum gf_quad gf_quad_state(const struct gf *gf);
void gf_expect(const struct gf *gf, unsigned cycles, unsigned pre, unsigned start, unsigned event,
               unsigned stop); /* of the visible counters */

enum { GF_ONCE = 1 /* once a set, on domain 0 */ };
struct gf_case {
    const char *name;
    void (*run)(struct gf *gf);
    unsigned flags;
    unsigned domains; /* least number of domains of the set; 0: 1 */
};
#define GF_CASE(fn)                                                                                \
    {                                                                                              \
        .name = #fn, .run = fn                                                                     \
    }
#define GF_CASE_SET(fn, least)                                                                     \
    {                                                                                              \
        .name = #fn, .run = fn, .flags = GF_ONCE, .domains = (least)                               \
    }
int gf_run(const char *chapter, const struct gf_case *cases, size_t count);

#endif

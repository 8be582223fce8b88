/* SPDX-License-Identifier: MIT */
/*
 * The second witness: one stimulus text, played on the library and on the Verilog of rtl/.
 * pcounter_tb.v says what the commands are; the two logs must be the same, byte by byte.
 */
#ifndef PC_RTL_H
#define PC_RTL_H

#include "test.h"

/* A text that grows.  Running out of memory ends the test program. */
struct rtl_text {
    char *data; /* NUL-terminated once something was added */
    size_t size, capacity;
};
void rtl_add(struct rtl_text *text, const char *format, ...) PC_PRINTF(2, 3);
void rtl_add_bytes(struct rtl_text *text, const char *data, size_t size);
void rtl_free(struct rtl_text *text);
void rtl_load(struct rtl_text *text, const char *path);
void rtl_save(const struct rtl_text *text, const char *path);
_Noreturn void rtl_die(const char *format, ...) PC_PRINTF(1, 2);

/* Where MMIO keeps things, from the document's tables and not from the library.  SPEC_SRC is
 * SWAP_SRC on GF100-. */
enum rtl_reg {
    RTL_PRE_SRC,
    RTL_START_SRC,
    RTL_EVENT_SRC,
    RTL_STOP_SRC,
    RTL_SETFLAG_SRC,
    RTL_CLRFLAG_SRC,
    RTL_PRE_OP,
    RTL_START_OP,
    RTL_EVENT_OP,
    RTL_STOP_OP,
    RTL_SETFLAG_OP,
    RTL_CLRFLAG_OP,
    RTL_SPEC_SRC,
    RTL_USER_TRIGGER,
    RTL_SRC_STATUS,
    RTL_CTR_CYCLES,
    RTL_CTR_CYCLES_HI,
    RTL_CTR_CYCLES_ALT,
    RTL_CTR_EVENT,
    RTL_CTR_EVENT_HI,
    RTL_CTR_START,
    RTL_CTR_START_HI,
    RTL_CTR_PRE,
    RTL_CTR_STOP,
    RTL_THRESHOLD,
    RTL_THRESHOLD_HI,
    RTL_CTRL,
    RTL_QUAD_ACK,
    RTL_RECORD_HIGH,
    RTL_RECORD_LIMIT,
    RTL_RECORD_START,
    RTL_RECORD_STATUS,
    RTL_SIG_STATUS,
    RTL_SINGLE_BEGIN, /* from here on GF100- */
    RTL_SINGLE_ABORT,
    RTL_CYCLES_NEXT,
    RTL_EVENT_NEXT,
    RTL_START_NEXT,
    RTL_PRE_NEXT,
    RTL_STOP_NEXT,
    RTL_CYCLES_NEXT_HIGH,
    RTL_UNK74,
    RTL_FILTER,
    RTL_UNKD8,
    RTL_REG_COUNT
};
/* GCTRL, or DSET_CTRL: PERIODIC_RESET is bit 4 of both. */
uint32_t rtl_gctrl(const struct pc_chip *chip);
/*
 * Address of a register of a domain; 0 if the layout has none.  On GF100- scripts have a set of
 * their own: 0000 to 0fff are the domains' blocks, 8000 is the set's.
 */
uint32_t rtl_address(const struct pc_chip *chip, enum rtl_reg reg, unsigned domain);
/* The other way round, for messages; "" if it is none of these. */
const char *rtl_name(const struct pc_chip *chip, uint32_t address);

/* Returns the chip's variant, as rtl/pcounter.vh counts: 0 NV10 .. 9 GK104. */
unsigned rtl_generation(const struct pc_chip *chip);
enum {
    RTL_NV10,
    RTL_NV15,
    RTL_NV20,
    RTL_NV30,
    RTL_NV40,
    RTL_G84,
    RTL_G92,
    RTL_GT215,
    RTL_GF100,
    RTL_GK104
};

/* The set that is played: all domains, on Fermi the hub, on Kepler the first GPC. */
enum pc_set rtl_set(const struct pc_chip *chip);
/* The chip of that name as its set sees it; false if there is none. */
bool rtl_chip(const char *name, struct pc_chip *out);

/* Adds a random script, "m NUMBER" to "r". */
void rtl_generate(struct rtl_text *out, const struct pc_chip *chip, struct test_rng *rng,
                  unsigned number);

/* Plays a stimulus on the library. Returns how many instants it has. */
uint64_t rtl_play(const struct pc_chip *chip, const char *stimulus, struct rtl_text *log);

/*
 * Plays it on the Verilog; files are called `name`.* in the current folder.
 * The model is compiled once per chip: rtl_compile() before rtl_simulate().
 */
bool rtl_have_simulator(void);
/* Has Verilator do the rest; false, and nothing changes, where it is not installed. */
bool rtl_use_verilator(void);
void rtl_compile(const struct pc_chip *chip, const char *name);
void rtl_simulate(const char *name, const struct rtl_text *stimulus, struct rtl_text *log);

#endif

/* SPDX-License-Identifier: MIT */
/* Decisions of a unit's rules: counters, flag, logic operation, PERIODIC, sources, truth tables. */
#include "test.h"

#include "model/rules/counter.h"
#include "model/rules/flag.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"
#include "model/rules/sources.h"
#include "model/rules/table.h"

#include "pairs.h"

#define TABLE(name, path, rows)                                                                    \
    const struct mcdc_table name = { path, rows, sizeof rows / sizeof rows[0] }

static char bit(bool value)
{
    return value ? '1' : '0';
}

/* PC.CTR.4: the end is ffffffff. */
static char stays_at_its_end(const bool *c)
{
    return bit(pc_ctr32_add(c[0] ? PC_CTR32_MAX : PC_CTR32_MAX - 2, 2) == PC_CTR32_MAX && c[0]);
}

static char has_40_bits(const bool *c)
{
    return bit(pc_ctr_lossy(PC_CTR32_MAX, 1, c[0]));
}

static char passes_twice(const bool *c)
{
    return bit(pc_ctr_lossy((c[0] ? PC_CTR40_TOP : 0) | (c[1] ? PC_CTR40_TOP - 1 : 0), 1, true));
}

static char adds_with_40_bits(const bool *c)
{
    return bit(pc_ctr_add(PC_CTR32_MAX, 1, c[0]) == UINT64_C(0x100000000));
}

/* What a counter adds that has its gate on EVENT. */
static uint32_t number(bool open, bool loose, bool gated, uint8_t bits)
{
    const struct pc_number n = {
        .gate = PC_GATE_EVENT, .loose = loose, .bits = bits, .bit = { 3 }
    };

    return pc_number_now(&n, open ? 1u << PC_GATE_EVENT : 0, 0, gated);
}

static char counts(const bool *c)
{
    return bit(number(c[0], c[1], false, 0) == 1);
}

static char counts_ones(const bool *c)
{
    return bit(number(true, false, false, c[0] ? 0 : 1) == 1);
}

static char counts_without_its_gate(const bool *c)
{
    return bit(number(false, c[0], c[1], 0) == 1);
}

static const struct mcdc_decision counter_rows[] = {
    { "return sum > PC_CTR32_MAX ? PC_CTR32_MAX : sum;",
      { "sum > max" },
      stays_at_its_end,
      "0=0 1=1" },
    { "if (ctr40) return (value", { "40 bits" }, has_40_bits, "0=1 1=0" },
    { "& PC_CTR40_TOP) && (value & (PC_CTR40_TOP - 1)) + n >= PC_CTR40_TOP;",
      { "top bit", "low bits wrap" },
      passes_twice,
      "11=1 01=0 10=0" },
    { "return ctr40 ? pc_ctr40_add(value, n) : pc_ctr32_add(value, n);",
      { "40 bits" },
      adds_with_40_bits,
      "0=0 1=1" },
    { "if (!(gates >> n->gate & 1) && !pc_number_is_loose(n, gated)) return 0;",
      { "gate", "loose" },
      counts,
      "00=0 10=1 01=1" },
    { "if (n->bits == 0) return 1;", { "no bits" }, counts_ones, "1=1 0=0" },
};
TABLE(mcdc_counter, "src/model/rules/counter.h", counter_rows);

static const struct mcdc_decision mode_rows[] = {
    { "return n->loose && !gated;",
      { "loose", "gated" },
      counts_without_its_gate,
      "10=1 00=0 11=0" },
};
TABLE(mcdc_ctr_modes, "src/model/rules/ctr_modes.h", mode_rows);

static char next_flag(const bool *c)
{
    return bit(pc_flag_next(c[2], c[1], c[0]));
}

static const struct mcdc_decision flag_rows[] = {
    { "return clear ? false : set ? true : flag;",
      { "clear", "set", "flag" },
      next_flag,
      "000=0 001=1 010=1 110=0" },
};
TABLE(mcdc_flag, "src/model/rules/flag.h", flag_rows);

#define G92 (PC_F_SETFLAG_ARG | PC_F_ARG23_DELAY)

static bool argument_is(unsigned op_bit, bool chained, uint32_t features, unsigned i, uint8_t from)
{
    return pc_op_args(UINT32_C(1) << op_bit, chained, features).from[i] == from;
}

/* Bit 19: ARG2 = SRC0 late of an input with high bits, else ARG3. */
static char has_high_bits(const bool *c)
{
    return bit(argument_is(19, c[0], G92 | (c[1] ? PC_F_GF100 : 0u), 2, PC_ARG_SRC0_LATE));
}

static char moves_both_bits(const bool *c)
{
    const struct pc_args a = pc_op_args(UINT32_C(5) << 18, false, G92 | (c[0] ? PC_F_GF100 : 0u));

    return a.from[2] == PC_ARG_SRC && a.from[3] == PC_ARG_SRC1_LATE   ? 'h'
           : a.from[2] == PC_ARG_SRC0_LATE && a.from[3] == PC_ARG_SRC ? 'l'
                                                                      : '?';
}

static char delays_0(const bool *c)
{
    return bit(pc_op_args((uint32_t)c[0] << 16, false, 0).from[0] == PC_ARG_SRC0_LATE);
}

static char delays_1(const bool *c)
{
    return bit(pc_op_args((uint32_t)c[0] << 17, false, 0).from[1] == PC_ARG_SRC1_LATE);
}

static char delays_2(const bool *c)
{
    return bit(pc_op_args((uint32_t)c[1] << 18, false, c[0] ? G92 : PC_F_SETFLAG_ARG).from[2] ==
               PC_ARG_SRC0_LATE);
}

static char delays_3(const bool *c)
{
    return bit(pc_op_args((uint32_t)c[0] << 19, false, G92).from[3] == PC_ARG_SRC1_LATE);
}

static char takes_setflag(const bool *c)
{
    return bit(pc_op_args((uint32_t)c[2] << 18, c[0], c[1] ? PC_F_SETFLAG_ARG : 0).from[3] ==
               PC_ARG_SETFLAG);
}

static const struct mcdc_decision lut_rows[] = {
    { "bool high = chained || features & PC_F_GF100;",
      { "EVENT or STOP", "GF100+" },
      has_high_bits,
      "00=0 10=1 01=1" },
    { "unsigned late2 = high ? 19 : 18, late3 = high ? 20 : 19;",
      { "high" },
      moves_both_bits,
      "0=l 1=h" },
    { "if (pc_op_bit(op, 16)) a.from[0] = PC_ARG_SRC0_LATE;", { "bit 16" }, delays_0, "0=0 1=1" },
    { "if (pc_op_bit(op, 17)) a.from[1] = PC_ARG_SRC1_LATE;", { "bit 17" }, delays_1, "0=0 1=1" },
    { "if (features & PC_F_ARG23_DELAY) { if (pc_op_bit(op, late2)) a.from[2] = PC_ARG_SRC0_LATE;",
      { "chip delays 2, 3", "bit 18" },
      delays_2,
      "11=1 01=0 10=0" },
    { "if (pc_op_bit(op, late3)) a.from[3] = PC_ARG_SRC1_LATE;",
      { "bit 19" },
      delays_3,
      "0=0 1=1" },
    { "if (chained && (features & PC_F_SETFLAG_ARG) && pc_op_bit(op, 18)) a.from[3] = "
      "PC_ARG_SETFLAG;",
      { "EVENT or STOP", "chip has SETFLAG", "bit 18" },
      takes_setflag,
      "111=1 011=0 101=0 110=0" },
};
TABLE(mcdc_lut, "src/model/rules/lut.h", lut_rows);

static char is_off(const bool *c)
{
    return bit(pc_period_clocks(c[0] ? 0 : 1) == 0);
}

static char pulses(const bool *c)
{
    return bit(pc_period_signal(c[2] ? 0xffff : 0xfffe, c[0] ? 7 : 0, c[1]));
}

static char restarts(const bool *c)
{
    return bit(pc_period_next(4, c[0]) == 0);
}

static const struct mcdc_decision period_rows[] = {
    { "return setting == 0 ? 0 : UINT32_C(0x200) << setting;", { "setting 0" }, is_off, "1=1 0=0" },
    { "return clocks != 0 && !reset && (counter & (clocks - 1)) == clocks - 1;",
      { "!clocks: a counter of 16 bits is never the last of 2^32", "reset", "last clock" },
      pulses,
      "101=1 111=0 100=0 000=0" },
    { "return reset ? (uint16_t)0 : (uint16_t)(counter + 1);", { "reset" }, restarts, "1=1 0=0" },
};
TABLE(mcdc_period, "src/model/rules/period.h", period_rows);

/* SETFLAG is an argument of EVENT (2) and STOP (3) alone. */
static char chains(const bool *c)
{
    return bit(pc_argument(UINT32_C(1) << 18,
                           c[0]   ? 2
                           : c[1] ? 3
                                  : 1,
                           PC_F_SETFLAG_ARG, 3)
                   .setflag);
}

/* ARG2 is SRC0 late, ARG3 is SRC1 late, ARG2 is SRC2. */
static struct pc_argument late_argument(const bool *c)
{
    return pc_argument(c[0]   ? UINT32_C(1) << 18
                       : c[1] ? UINT32_C(1) << 19
                              : 0,
                       0, G92, c[1] ? 3 : 2);
}

static char comes_from(const bool *c)
{
    return (char)('0' + late_argument(c).selector);
}

static char is_late(const bool *c)
{
    return bit(late_argument(c).late);
}

static const struct mcdc_decision source_rows[] = {
    { "const unsigned from = pc_op_args(op, input == 2 || input == 3, features).from[i];",
      { "EVENT", "STOP" },
      chains,
      "00=0 10=1 01=1" },
    { "const unsigned source = from == PC_ARG_SRC0_LATE ? 0 : from == PC_ARG_SRC1_LATE ? 1 : i;",
      { "SRC0 late", "SRC1 late" },
      comes_from,
      "00=2 10=0 01=1" },
    { ".late = from == PC_ARG_SRC0_LATE || from == PC_ARG_SRC1_LATE,",
      { "SRC0 late", "SRC1 late" },
      is_late,
      "00=0 10=1 01=1" },
};
TABLE(mcdc_sources, "src/model/rules/sources.h", source_rows);

/* ARG0 itself is all ones or none where ARG0 is fixed. */
static char is_fixed(const bool *c)
{
    const uint16_t table = pc_table_fix(0xaaaa, 0, c[0]);

    return table == 0xffff ? '1' : table == 0 ? '0' : '?';
}

static const struct mcdc_decision table_rows[] = {
    { "const unsigned half = level ? table & one : table & ~one;",
      { "level" },
      is_fixed,
      "1=1 0=0" },
    { "return (uint16_t)(half | (level ? half >> shift : half << shift));",
      { "level" },
      is_fixed,
      "1=1 0=0" },
};
TABLE(mcdc_table, "src/model/rules/table.h", table_rows);

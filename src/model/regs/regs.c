/* SPDX-License-Identifier: MIT */
/*
 * The register rows as const tables, and the look-up of an address.
 *
 * Clauses: the register descriptions of the document; D-03, D-04, D-06, D-07, D-09, D-58,
 * D-60.  Masks are not written down: they follow from the fields that a chip has.
 *
 * Not here: the two opaque registers of C51, which has no unit (src/model/gpu/platform.c).
 */
#include "model/chips/order.h"
#include "model/regs/rows.h"
#include "model/rules/ctr_modes.h"

/* ---- names of values ---- */

#define NAMES(list, ...) static const char *const names_##list[] = { __VA_ARGS__ };
#define NOTES(list, ...) static const char *const notes_##list[] = { __VA_ARGS__ };
#define COUNT(list)      (sizeof names_##list / sizeof names_##list[0])

NAMES(mode_nv30, "SINGLE", "QUAD")
NOTES(mode_nv30, "one event input, in counting periods", "four inputs, shadow counters and swaps")
NAMES(mode_nv40, "SINGLE", "QUAD", "", "")
NOTES(mode_nv40, "one event input, in counting periods", "four inputs, shadow counters and swaps",
      "undocumented here: nothing counts (D-41)", "undocumented: nothing counts (D-41)")
NAMES(mode, "SINGLE", "QUAD", "RECORD", "")
NOTES(mode, "one event input, in counting periods", "four inputs, shadow counters and swaps",
      "twelve signals, packets in memory", "undocumented: nothing counts (D-41)")
NAMES(ctr_mode, PC_CTR_NAMES_NV40, "", "", "")
NOTES(ctr_mode, "CTR_EVENT += 1 when EVENT", "CTR_EVENT += START_SRC[3:0] when EVENT",
      "CTR_EVENT += {EVENT_SRC[3:2],START_SRC[3:0]} when EVENT",
      "CTR_START (QUAD) or CTR_PRE (SINGLE) += START_SRC[3:0]; CTR_EVENT += 1 when EVENT",
      "CTR_START (QUAD) or CTR_PRE (SINGLE) += {EVENT_SRC[3:2],START_SRC[3:0]}; "
      "CTR_EVENT += EVENT_SRC[1:0]",
      "undocumented: counts as SIMPLE (D-40)", "undocumented: counts as SIMPLE (D-40)",
      "undocumented: counts as SIMPLE (D-40)")
NAMES(ctr_mode_nv10, PC_CTR_NAMES_NV10)
NOTES(ctr_mode_nv10, "CTR_EVENT += 1 when EVENT", "CTR_EVENT += START_SRC[3:0] when EVENT")
NAMES(event_ctr_period, "ONE", "ALL")
NOTES(event_ctr_period, "CTR_EVENT restarts with each period; SINGLE only",
      "CTR_EVENT goes on over all periods; SINGLE only")
NAMES(import_mode, "CONTINUOUS", "PULSE")
NOTES(import_mode, "other domains' signals arrive as levels",
      "each 0 to 1 of another domain arrives as one cycle at 1")
NAMES(record_format, "LONG", "SHORT")
NOTES(record_format, "32-byte packets, 12 signals", "16-byte packets, 4 signals")
NAMES(periodic_period, "OFF", "0x400", "0x800", "0x1000", "0x2000", "0x4000", "0x8000", "0x10000")
NAMES(quad_state, "EMPTY", "VALID", "", "OVERFLOW")
NOTES(quad_state, "nothing to read", "one set of counters to read", "never appears (D-55)",
      "a set of counters was lost")
NAMES(single_state, "INACTIVE", "WAIT_PRE", "WAIT_START", "COUNTING")
NAMES(mode_gf100, "HALTED", "SINGLE", "QUAD", "RECORD_C", "", "RECORD_E", "", "NULL")
NOTES(mode_gf100, "nothing counts", "one event input, in counting periods",
      "four inputs, shadow counters and swaps", "stored only: nothing counts (D-75)",
      "stored only: nothing counts",
      "stream-out packets, as documented for GK20A, unverified on Fermi (D-75)",
      "stored only: nothing counts", "nothing counts")
NAMES(ctr_mode_gf100, PC_CTR_NAMES_GK104)
NOTES(ctr_mode_gf100, "CTR_EVENT += 1 when EVENT", "CTR_EVENT += START_SRC[3:0] when EVENT",
      "CTR_EVENT += {EVENT_SRC[3:2],START_SRC[3:0]} when EVENT",
      "CTR_START += START_SRC[3:0] when START; CTR_EVENT += 1 when EVENT (D-63)",
      "CTR_START += {EVENT_SRC[3:2],START_SRC[3:0]} when START; CTR_EVENT += EVENT_SRC[1:0] when "
      "EVENT (D-63)",
      "CTR_PRE += {PRE_SRC[3:1],STOP_SRC[3:1]} when PRE; CTR_EVENT += "
      "{START_SRC[1:0],EVENT_SRC[3:0]} when EVENT (D-64)",
      "CTR_PRE += {START_SRC[1:0],PRE_SRC[3:0]} when PRE (D-64)",
      "CTR_EVENT += EVENT_SRC[3:0] when START (D-64)")
NAMES(target, "VRAM", "", "SYS_COHERENT", "SYS_NONCOHERENT")
NAMES(vstatus, "IDLE", "BUSY", "PAUSED", "WAITING", "", "BLOCKED", "FAULTED", "HALTED")

static const struct pc_value_list values_plain = { 0 };
static const struct pc_value_list values_mode_nv30 = { names_mode_nv30, notes_mode_nv30,
                                                       COUNT(mode_nv30), 0, NULL };
static const struct pc_value_list values_mode_nv40 = { names_mode_nv40, notes_mode_nv40,
                                                       COUNT(mode_nv40), 0, NULL };
static const struct pc_value_list values_mode = { names_mode, notes_mode, COUNT(mode), PC_ORDER_G84,
                                                  &values_mode_nv40 };
static const struct pc_value_list values_ctr_mode = { names_ctr_mode, notes_ctr_mode,
                                                      COUNT(ctr_mode), 0, NULL };
static const struct pc_value_list values_ctr_mode_nv10 = { names_ctr_mode_nv10, notes_ctr_mode_nv10,
                                                           COUNT(ctr_mode_nv10), 0, NULL };
static const struct pc_value_list values_event_ctr_period = { names_event_ctr_period,
                                                              notes_event_ctr_period,
                                                              COUNT(event_ctr_period), 0, NULL };
static const struct pc_value_list values_import_mode = { names_import_mode, notes_import_mode,
                                                         COUNT(import_mode), 0, NULL };
static const struct pc_value_list values_record_format = { names_record_format, notes_record_format,
                                                           COUNT(record_format), 0, NULL };
static const struct pc_value_list values_periodic_period = { names_periodic_period, NULL,
                                                             COUNT(periodic_period), 0, NULL };
static const struct pc_value_list values_quad_state = { names_quad_state, notes_quad_state,
                                                        COUNT(quad_state), 0, NULL };
static const struct pc_value_list values_single_state = { names_single_state, NULL,
                                                          COUNT(single_state), 0, NULL };

static const struct pc_value_list values_mode_gf100 = { names_mode_gf100, notes_mode_gf100,
                                                        COUNT(mode_gf100), 0, NULL };
static const struct pc_value_list values_ctr_mode_gf100 = { names_ctr_mode_gf100,
                                                            notes_ctr_mode_gf100,
                                                            COUNT(ctr_mode_gf100), 0, NULL };
static const struct pc_value_list values_target = { names_target, NULL, COUNT(target), 0, NULL };
static const struct pc_value_list values_vstatus = { names_vstatus, NULL, COUNT(vstatus), 0, NULL };

/* ---- registers and fields ---- */

/* BEGIN_<reg>: position of the register's first field. */
enum {
#define REG(id, ...)          BEGIN_##id, BACK_##id = BEGIN_##id - 1,
#define FIELD(reg, name, ...) POSITION_##reg##_##name,
#include "model/regs/pcounter.def"
#undef REG
#undef FIELD
    FIELD_COUNT
};

const struct pc_reg_row pc_reg_rows[PC_R_COUNT + 1] = {
#define REG(id, name, indices, access, effect, clause)                                             \
    { name, PC_INDEX_##indices, PC_ACCESS_##access, PC_FX_##effect, clause, BEGIN_##id },
#define FIELD(...)
#include "model/regs/pcounter.def"
#undef REG
#undef FIELD
    { NULL, PC_INDEX_GLOBAL, 0, PC_FX_NONE, NULL, FIELD_COUNT }
};

const struct pc_field_row pc_field_rows[FIELD_COUNT] = {
#define REG(...)
#define FIELD(reg, name, shift, bits, access, from, to, values, clause, note)                      \
    { #name,  shift, bits, PC_FIELD_##access, PC_ORDER_##from, PC_ORDER_##to, &values_##values,    \
      clause, note },
#include "model/regs/pcounter.def"
#undef REG
#undef FIELD
};

/* ---- places ---- */

#define AT(offset, domains, stride, word, reg, from, to)                                           \
    { offset, stride, word, PC_R_##reg, domains, PC_ORDER_##from, PC_ORDER_##to, #from ":" #to },
static const struct pc_at_row nv10_rows[] = {
#include "model/regs/map_nv10.def"
};
static const struct pc_at_row nv40_rows[] = {
#include "model/regs/map_nv40.def"
};
#undef AT

/* One entry a 32-bit word of the range: row + 1 and domain; row 0 where no chip has a register. */
struct slot {
    uint8_t row, domain;
};
static const struct slot nv10_slots[PC_REGS_SIZE / 4] = {
#include "map_nv10.inc"
};
static const struct slot nv40_slots[PC_REGS_SIZE / 4] = {
#include "map_nv40.inc"
};

const struct pc_at_row *pc_regs_rows(enum pc_layout layout, size_t *count)
{
    *count = 0;
    if (layout == PC_LAYOUT_NV10) {
        *count = sizeof nv10_rows / sizeof nv10_rows[0];
        return nv10_rows;
    }
    if (layout == PC_LAYOUT_NV40) {
        *count = sizeof nv40_rows / sizeof nv40_rows[0];
        return nv40_rows;
    }
    return NULL;
}

const struct pc_at_row *pc_regs_row(enum pc_layout layout, uint32_t address, uint8_t *domain)
{
    bool nv10 = layout == PC_LAYOUT_NV10;
    uint32_t offset = address - PC_REGS_BASE;

    if ((!nv10 && layout != PC_LAYOUT_NV40) || offset >= PC_REGS_SIZE || offset % 4 != 0)
        return NULL;
    struct slot slot = nv10 ? nv10_slots[offset / 4] : nv40_slots[offset / 4];
    if (slot.row == 0)
        return NULL;
    *domain = slot.domain;
    return nv10 ? &nv10_rows[slot.row - 1] : &nv40_rows[slot.row - 1];
}

/* PC.REG.4 PC.REG.11 PC.IN.17 PC.CTRL.1 PC.CTRL.3 PC.CTRL.8 PC.GCTRL.1: masks follow from the
 * fields of pcounter.def */
/* Returns the bits of a write that the register of this chip keeps. */
static uint32_t kept_bits(const struct pc_chip *chip, enum pc_reg_id id)
{
    uint32_t mask = 0;

    for (unsigned i = pc_reg_rows[id].first; i < pc_reg_rows[id + 1].first; i++) {
        const struct pc_field_row *f = &pc_field_rows[i];
        bool kept = f->access == PC_FIELD_RW || f->access == PC_FIELD_INIT;
        if (kept && pc_regs_has(chip, f->from, f->to))
            mask |= UINT32_MAX >> (32 - f->bits) << f->shift;
    }
    return mask;
}

/* Describes access, mask and effect of a register that was found on the chip. */
static void describe(const struct pc_chip *chip, struct pc_reg_hit *hit)
{
    const struct pc_reg_row *reg = &pc_reg_rows[hit->id];

    hit->readable = reg->access & PC_ACCESS_R;
    hit->writable = reg->access & PC_ACCESS_W;
    hit->rw_mask = kept_bits(chip, hit->id);
    hit->effect = reg->effect;
    if (chip->layout == PC_LAYOUT_GF100 &&
        (hit->effect == PC_FX_ABORTS || hit->effect == PC_FX_CTR_ABORTS ||
         hit->effect == PC_FX_CTRL))
        hit->effect = PC_FX_NONE; /* D-62: config writes do not abort */
}

/* PC.REG.1 PC.REG.2 PC.REG.3 PC.REG.7 PC.SIG.3 PC.CHIP.7: places are rows of map_*.def */
bool pc_regs_hit(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit)
{
    uint8_t domain;

    *hit = (struct pc_reg_hit){ .domain = 0 };
    if (chip->layout == PC_LAYOUT_GF100) {
        if (!pc_regs_locate_gf100(chip, address, hit))
            return false;
        describe(chip, hit);
        return true;
    }
    const struct pc_at_row *at = pc_regs_row(chip->layout, address, &domain);
    if (!at || !pc_regs_has(chip, at->from, at->to))
        return false;
    hit->id = (enum pc_reg_id)at->reg;
    hit->domain = domain;
    hit->index = at->word;
    describe(chip, hit);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * The PDAEMON idle counters, GT215 and later: what they count (clauses PD.*,
 * docs/hardware/clauses-pdaemon.md; decisions D-76 to D-85, D-76a).  4 counters on GT215:GF100,
 * 8 on GF100+, each of MASK, COUNT and MODE; their addresses are in pdaemon_regs.c.
 *
 * Not modelled: the FILTER's debouncing (stored only, D-83).
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"
#include "model/chips/order.h"
#include "model/unit/option.h"
#include "model/unit/pdaemon.h"

#include <string.h>

struct signal_row {
    struct pc_idle_signal signal;
    unsigned from, to; /* half-open range of chips, in their order */
};
static const struct signal_row signal_rows[] = {
#include "idle_signals.inc"
};
#define SIGNAL_ROWS (sizeof signal_rows / sizeof signal_rows[0])

/* Which bits are which engine depends on the chip (PD.SIGNALS.3). */
static bool has_row(const struct pc_chip *chip, const struct signal_row *row)
{
    return chip->order >= row->from && chip->order < row->to;
}

const struct pc_idle_signal *pc_idle_signal_at(const struct pc_chip *chip, size_t i)
{
    for (size_t r = 0; r < SIGNAL_ROWS; r++)
        if (has_row(chip, &signal_rows[r]) && i-- == 0)
            return &signal_rows[r].signal;
    return NULL;
}

/* Returns true if `word` (length n) is the name, with or without "_IDLE". */
static bool is_name(const char *name, const char *word, size_t n)
{
    size_t whole = strlen(name), shorter = whole - strlen("_IDLE");

    if (n != whole && n != shorter)
        return false;
    for (size_t i = 0; i < n; i++)
        if (pc_lower(word[i]) != pc_lower(name[i]))
            return false;
    return true;
}

static enum pc_status unknown_wire(const struct pc_chip *chip, const char *word, size_t n,
                                   uint32_t column, struct pc_error *err)
{
    char wanted[40], names[200];
    struct pc_near near;
    const struct pc_idle_signal *s;

    if (n > sizeof wanted - 1)
        n = sizeof wanted - 1;
    memcpy(wanted, word, n);
    wanted[n] = '\0';
    pc_near_begin(&near, wanted);
    for (size_t i = 0; (s = pc_idle_signal_at(chip, i)) != NULL; i++)
        pc_near_offer(&near, s->name);
    pc_near_text(&near, names, sizeof names);
    enum pc_status status =
        pc_fail_at(err, 411, 1, column, "%s has no idle signal \"%s\"", chip->name, wanted);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    return status;
}

enum pc_status pc_idle_mask(const struct pc_chip *chip, const char *text, uint32_t *mask,
                            struct pc_error *err)
{
    uint32_t result = 0;

    if (pc_is_digit(text[0])) {
        if (pc_read_u32(text, strlen(text), mask))
            return PC_OK;
        enum pc_status status = pc_fail_at(err, 411, 1, 1, "\"%s\" is not a 32-bit mask", text);
        pc_hint(err, "write 0x1f or 31, no leading zeros");
        return status;
    }
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, "|");
        uint32_t bit = 0;
        const struct pc_idle_signal *s;
        for (size_t i = 0; (s = pc_idle_signal_at(chip, i)) != NULL; i++)
            if (is_name(s->name, p, n))
                bit = UINT32_C(1) << s->bit;
        if (bit == 0)
            return unknown_wire(chip, p, n, (uint32_t)(p - text) + 1, err);
        result |= bit;
        p += n;
        if (*p == '\0')
            break;
    }
    *mask = result;
    return PC_OK;
}

enum pc_status pc_idle_create(const struct pc_idle_desc *desc, struct pc_idle **out,
                              struct pc_error *err)
{
    const struct pc_idle_signal *s;

    if (!desc || !desc->chip)
        return pc_fail(err, 400, "no chip was given");
    if (desc->chip->idle_counters == 0)
        return pc_fail(err, 412, "%s has no PDAEMON idle counters", desc->chip->name);
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_idle *idle = (struct pc_idle *)pc_calloc(&alloc, 1, sizeof *idle);
    if (!idle)
        return pc_fail(err, 100, "no memory for the idle counters (%zu bytes)", sizeof *idle);
    idle->alloc = alloc;
    idle->chip = desc->chip;
    idle->counters = desc->chip->idle_counters;
    idle->has_filter = pc_idle_is_gf119(desc->chip);
    for (size_t i = 0; (s = pc_idle_signal_at(desc->chip, i)) != NULL; i++)
        idle->present |= UINT32_C(1) << s->bit;
    *out = idle;
    return PC_OK;
}

void pc_idle_destroy(struct pc_idle *idle)
{
    if (!idle)
        return;
    struct pc_alloc alloc = idle->alloc;
    pc_free(&alloc, idle, sizeof *idle);
}

/* All registers are 0, and no clear waits (PD.RESET.1). */
void pc_idle_reset(struct pc_idle *idle)
{
    idle->s = (struct pc_idle_state){ 0 };
}

/* ---- the counters ---- */

/* Returns true if a counter counts while the wires are as they are. Its own mask and mode alone say
 * so (PD.COUNT.1): PD.MODE.1, PD.MODE.2, PD.MODE.3, PD.MODE.4, PD.MODE.5. */
static bool counts(const struct pc_idle *idle, unsigned i)
{
    uint32_t mask = idle->s.mask[i], selected = idle->s.signals & mask;

    switch ((enum pc_idle_mode)(idle->s.mode[i] & 3)) { /* FILTER is not looked at: D-83, U-022 */
    case PC_IDLE_NEVER: /* D-78; one sample of the wires (1: idle, D-77) a clock: D-82 */
        return false;
    case PC_IDLE_ALL: /* an empty mask is vacuously all: D-79 */
        return selected == mask;
    case PC_IDLE_NOT_ALL:
        if (idle->cleared_rule) /* the document's own sentence: D-76a; never if empty: D-79 */
            return mask != 0 && selected == 0;
        return selected != mask;
    case PC_IDLE_ALWAYS: /* not one sentence or the other: D-76a */
        return true;
    }
    return false;
}

/* D-80: 31 bits that wrap (or, by switch, stop).  PD.COUNT.3 */
static void add_events(struct pc_idle *idle, unsigned i, uint64_t n)
{
    uint64_t sum = idle->s.count[i] + n;

    if (n > COUNT_MASK || sum > COUNT_MASK) {
        idle->s.overflowed |= UINT32_C(1) << i;
        if (idle->saturate) {
            idle->s.count[i] = COUNT_MASK;
            return;
        }
    }
    idle->s.count[i] = (uint32_t)((idle->s.count[i] + (n & COUNT_MASK)) & COUNT_MASK);
}

/* The wires are looked at once a clock (PD.CLOCK.1); those of absent engines are 0 (PD.SIGNALS.4).
 */
void pc_idle_run(struct pc_idle *idle, uint32_t signals, uint64_t cycles)
{
    uint32_t absent = idle->absent_high ? ~idle->present : 0; /* D-84 */

    if (cycles == 0)
        return;
    idle->s.signals = (signals & idle->present) | absent;
    for (unsigned i = 0; i < idle->counters; i++) {
        uint64_t n = cycles;
        if (idle->s.clear >> i & 1) { /* D-81: the clock's own increment is lost */
            idle->s.count[i] = 0;
            n -= 1u;
        }
        if (counts(idle, i))
            add_events(idle, i, n);
    }
    idle->s.clear = 0;
}

uint32_t pc_idle_overflowed(const struct pc_idle *idle)
{
    return idle->s.overflowed;
}

enum pc_status pc_idle_option(struct pc_idle *idle, const char *name, const char *value,
                              struct pc_error *err)
{
    const struct pc_option_row *row;
    uint32_t n;
    enum pc_status status = pc_option_look_up(name, value, &row, &n, err);

    if (status != PC_OK)
        return status;
    if (row->owner != PC_OPTION_IDLE)
        return pc_fail(err, 405, "option %s is not one of the idle counters", name);
    pc_option_set(row, idle, n);
    return PC_OK;
}

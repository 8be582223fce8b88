/* SPDX-License-Identifier: MIT */
/*
 * Checks a node riscv,pmu for a CVA6, row by row: the rules of OpenSBI's
 * generic platform and of CVA6's five-bit selectors.  What a board's own OpenSBI code could
 * override is not known here.
 */
#include "check_devicetree_rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 256, TYPE_RAW = 2, TYPE_RAW2 = 3, TYPE_FIRMWARE = 15 };
enum { FIXED_BITS = 7, RESERVED_FIRST = 23, SELECTORS = 32 };

void dt_found(const struct dt_checking *c, const char *name, bool note, uint32_t line,
              const char *why, const char *fmt, ...)
{
    struct dt_hazard h = { .name = name, .note = note, .line = line };
    va_list args;

    va_start(args, fmt);
    vsnprintf(h.text, sizeof h.text, fmt, args);
    va_end(args);
    snprintf(h.why, sizeof h.why, "%s", why);
    c->report->found(c->report->ctx, &h);
}

const struct dt_cells *dt_cells_of(const struct dt_checking *c, enum dt_property p)
{
    return &c->pmu->property[p];
}

size_t dt_rows_of(const struct dt_checking *c, enum dt_property p)
{
    return dt_cells_of(c, p)->count / dt_row_cells(p);
}

const uint32_t *dt_row_of(const struct dt_checking *c, enum dt_property p, size_t i, uint32_t *line)
{
    const size_t at = i * dt_row_cells(p);

    *line = dt_cells_of(c, p)->line[at];
    return &dt_cells_of(c, p)->cell[at];
}

struct dt_event_text dt_event_text(const struct dt_checking *c, uint32_t index)
{
    const struct emit_sbi_row *row;
    const char *name = index == EMIT_SBI_CYCLES         ? "cycles"
                       : index == EMIT_SBI_INSTRUCTIONS ? "instructions"
                                                        : NULL;
    struct dt_event_text t;

    for (size_t i = 0; !name && (row = emit_sbi_at(c->r->config, i)); i++)
        if (row->index == index)
            name = row->name;
    snprintf(t.text, sizeof t.text, "0x%05" PRIx32 "%s%s%s", index, name ? " (" : "",
             name ? name : "", name ? ")" : "");
    return t;
}

const char *dt_counts_as(uint32_t value)
{
    const struct pc_hpm_event *event = pc_hpm_event_at(value % SELECTORS);

    return !event ? "reserved, nothing" : event->id == 0 ? "nothing" : event->name;
}

/* ---- counters of a row ---- */

static void check_bitmap(const struct dt_checking *c, uint32_t line, const char *what,
                         uint32_t bitmap, uint32_t fixed_allowed)
{
    const uint32_t live =
        c->r->config->perf_counter_en ? EMIT_HPM_BITS : 0; /* whatever is to be avoided */

    if (bitmap == 0)
        dt_found(c, "empty-bitmap", false, line, "no counter can ever take the event",
                 "%s: the bitmap is 0", what);
    if (bitmap & FIXED_BITS & ~fixed_allowed)
        dt_found(c, "fixed-counter", false, line,
                 "bits 0 to 2 are mcycle, time and minstret: bit 0 is for event 1 (cycles) alone, "
                 "bit 2 for event 2 (instructions) alone",
                 "%s: bitmap 0x%" PRIx32 " has bits of the fixed counters", what, bitmap);
    if (bitmap & ~(uint32_t)FIXED_BITS & ~live)
        dt_found(c, "no-such-counter", false, line,
                 live ? "CVA6 has mhpmcounter3 to mhpmcounter8, bits 3 to 8: the others read 0"
                      : "this core has no event counters (PerfCounterEn = 0): they read 0",
                 "%s: bitmap 0x%" PRIx32 " has counters that do not exist", what, bitmap);
    if (bitmap & live & 8 & ~emit_hpm_bitmap(c->r))
        dt_found(c, "counter3", false, line,
                 "hpmcounter3h reads 0 in the RTL, and Linux reads the high half through it: use "
                 "0x1f0, or say --counter3 for a repaired core",
                 "%s: bitmap 0x%" PRIx32 " has counter 3 of an RV32 core", what, bitmap);
}

/* ---- riscv,event-to-mhpmevent ---- */

static bool check_index(const struct dt_checking *c, uint32_t line, uint32_t index)
{
    const uint32_t type = index >> 16;

    if (type == TYPE_RAW || type == TYPE_RAW2)
        dt_found(c, "raw-event", false, line,
                 "raw events belong in riscv,raw-event-to-mhpmcounters, by their value",
                 "0x%05" PRIx32 " is a raw event", index);
    else if (type == TYPE_FIRMWARE)
        dt_found(c, "firmware-event", false, line, "OpenSBI counts firmware events itself",
                 "0x%05" PRIx32 " is a firmware event", index);
    else if (type > 1 || index == 0)
        dt_found(c, "no-such-event", false, line,
                 "an event is 0x00001 to 0x0000a, or 0x10000 and cache, operation, result",
                 "0x%05" PRIx32 " is not an SBI event", index);
    else
        return true;
    return false;
}

static void check_selector(const struct dt_checking *c, uint32_t line, const uint32_t *row)
{
    const struct dt_event_text e = dt_event_text(c, row[0]);
    const uint32_t value = row[2];
    char why[200];

    if (row[1] || value >= SELECTORS) {
        snprintf(why, sizeof why, "a selector has five bits: this counts %s", dt_counts_as(value));
        dt_found(c, "selector", false, line, why,
                 "event %s: selector 0x%" PRIx32 "%08" PRIx32 " does not fit", e.text, row[1],
                 value);
    } else if (value >= RESERVED_FIRST) {
        dt_found(c, "reserved-selector", false, line,
                 "23 to 31 are stored and count nothing; events are 1 to 22",
                 "event %s: selector %" PRIu32 " is reserved", e.text, value);
    } else if (value == 0) {
        dt_found(c, "selector", false, line, "0 is the selector after reset and counts nothing",
                 "event %s: selector 0", e.text);
    } else {
        const char *never =
            pc_hpm_event_never(c->r->config, c->r->profile->quirks, (unsigned)value);
        if (never)
            dt_found(c, "never-counts", false, line, never, "event %s: selector %" PRIu32 " (%s)",
                     e.text, value, dt_counts_as(value));
    }
}

static bool is_mapped(const struct dt_checking *c, uint32_t index)
{
    uint32_t line;

    for (size_t i = 0; i < dt_rows_of(c, DT_COUNTERS); i++) {
        const uint32_t *row = dt_row_of(c, DT_COUNTERS, i, &line);
        if (row[0] <= index && index <= row[1])
            return true;
    }
    return false;
}

static void check_selectors(struct dt_checking *c)
{
    for (size_t i = 0; i < dt_rows_of(c, DT_SELECTORS); i++) {
        uint32_t line, other;
        const uint32_t *row = dt_row_of(c, DT_SELECTORS, i, &line);
        if (check_index(c, line, row[0])) {
            check_selector(c, line, row);
            dt_check_meaning(c, line, row);
        }
        for (size_t k = 0; k < i; k++)
            if (dt_row_of(c, DT_SELECTORS, k, &other)[0] == row[0]) {
                dt_found(c, "duplicate-event", false, line, "OpenSBI uses the first row it finds",
                         "event %s has two selectors", dt_event_text(c, row[0]).text);
                break;
            }
        if (dt_cells_of(c, DT_COUNTERS)->present && !is_mapped(c, row[0]))
            dt_found(c, "no-counters", true, line,
                     "without a row in riscv,event-to-mhpmcounters it is not offered",
                     "event %s has a selector and no counters", dt_event_text(c, row[0]).text);
    }
    if (dt_cells_of(c, DT_SELECTORS)->present && !dt_cells_of(c, DT_COUNTERS)->present)
        dt_found(c, "no-counters", false, c->pmu->line,
                 "with selectors OpenSBI requires the counters that can take them",
                 "riscv,event-to-mhpmcounters is missing");
}

/* ---- riscv,event-to-mhpmcounters ---- */

/* Events first .. last have no selector row. */
static void unmapped(const struct dt_checking *c, uint32_t line, uint32_t first, uint32_t last)
{
    char why[240], to[16] = "";

    snprintf(why, sizeof why,
             "OpenSBI writes the number of the event itself and CVA6 keeps five bits: 0x%05" PRIx32
             " selects %" PRIu32 " (%s)",
             first, first % SELECTORS, dt_counts_as(first));
    if (last > first)
        snprintf(to, sizeof to, " .. 0x%05" PRIx32, last);
    dt_found(c, "unmapped-event", false, line, why,
             "event %s%s has counters and no row in riscv,event-to-mhpmevent",
             dt_event_text(c, first).text, to);
}

/* The stretches of a range between selector rows; only hardware and cache events. */
static void check_range_selectors(const struct dt_checking *c, uint32_t line, const uint32_t *row)
{
    const uint32_t last = row[1] > 0x1ffff ? 0x1ffff : row[1];
    uint64_t from = row[0];

    for (size_t i = 0; i < c->selected_count && from <= last; i++) {
        const uint32_t s = c->selected[i];
        if (s < from)
            continue;
        if (s > last)
            break;
        if (s > from)
            unmapped(c, line, (uint32_t)from, s - 1);
        from = (uint64_t)s + 1;
    }
    if (from <= last)
        unmapped(c, line, (uint32_t)from, last);
}

/* Rows of events 1 and 2 may have a fixed counter and then need no selector. */
static void check_range(const struct dt_checking *c, size_t i)
{
    uint32_t line, allowed = 0;
    const uint32_t *row = dt_row_of(c, DT_COUNTERS, i, &line);
    char what[64];

    snprintf(what, sizeof what, "events 0x%05" PRIx32 " .. 0x%05" PRIx32, row[0], row[1]);
    if (row[0] > row[1]) {
        dt_found(c, "empty-range", false, line, "the first event must not come after the last",
                 "%s", what);
        return;
    }
    if (row[0] <= EMIT_SBI_CYCLES && row[1] <= EMIT_SBI_INSTRUCTIONS && row[0] > 0)
        allowed |= EMIT_MCYCLE_BIT;
    if (row[0] >= EMIT_SBI_CYCLES && row[1] == EMIT_SBI_INSTRUCTIONS)
        allowed |= EMIT_MINSTRET_BIT;
    check_bitmap(c, line, what, row[2], allowed);
    const bool fine = check_index(c, line, row[0]) && check_index(c, line, row[1]);
    if (allowed && (row[2] & ~(uint32_t)FIXED_BITS))
        dt_found(c, "fixed-event", false, line,
                 "no selector of CVA6 counts clocks or instructions: mcycle and minstret do",
                 "%s: bitmap 0x%" PRIx32 " has event counters", what, row[2]);
    else if (fine && !allowed)
        check_range_selectors(c, line, row);
    for (size_t k = 0; k < i; k++) {
        uint32_t other;
        const uint32_t *before = dt_row_of(c, DT_COUNTERS, k, &other);
        if (before[0] <= row[1] && row[0] <= before[1]) {
            dt_found(c, "overlap", false, line, "OpenSBI refuses the node: its PMU setup fails",
                     "%s overlap 0x%05" PRIx32 " .. 0x%05" PRIx32, what, before[0], before[1]);
            break;
        }
    }
}

/* ---- riscv,raw-event-to-mhpmcounters ---- */

struct raw {
    uint64_t match, mask;
    uint32_t bitmap;
};

static struct raw raw_at(const struct dt_checking *c, size_t i, uint32_t *line)
{
    const uint32_t *row = dt_row_of(c, DT_RAW, i, line);

    return (struct raw){ (uint64_t)row[0] << 32 | row[1], (uint64_t)row[2] << 32 | row[3], row[4] };
}

/* Is there a value for the row? */
static bool takes(struct raw w)
{
    return (w.match & ~w.mask) == 0;
}

static void check_raw_values(const struct dt_checking *c, uint32_t line, const char *what,
                             struct raw w)
{
    const uint64_t above = UINT64_C(0xffffffffffe0); /* bits 5 .. 47 of raw event data */
    unsigned reserved = 0;

    if (!takes(w)) {
        dt_found(c, "raw-never", false, line, "(value & mask) == match is never true", "%s", what);
        return;
    }
    if ((w.mask & above) != above) {
        dt_found(c, "raw-wide", false, line,
                 "values above 31 pass, CVA6 keeps five bits of them and counts something else",
                 "%s", what);
    } else if (w.match >> 5) {
        dt_found(c, "selector", false, line, "a selector has five bits", "%s", what);
        return;
    }
    for (unsigned v = RESERVED_FIRST; v < SELECTORS; v++)
        reserved += (v & w.mask) == (w.match & (SELECTORS - 1));
    if (reserved > 0)
        dt_found(c, "reserved-selector", false, line,
                 "23 to 31 are stored and count nothing; events are 1 to 22",
                 "%s lets %u reserved selectors pass", what, reserved);
}

static void check_raw(const struct dt_checking *c, size_t i)
{
    uint32_t line, other;
    const struct raw w = raw_at(c, i, &line);
    char what[80];

    snprintf(what, sizeof what, "raw match 0x%" PRIx64 " mask 0x%" PRIx64, w.match, w.mask);
    check_bitmap(c, line, what, w.bitmap, 0);
    check_raw_values(c, line, what, w);
    for (size_t k = 0; k < i; k++) {
        const struct raw b = raw_at(c, k, &other);
        if (b.match == w.match && b.mask == w.mask) {
            dt_found(c, "raw-clash", false, line, "OpenSBI refuses the node: its PMU setup fails",
                     "%s is given twice", what);
            break;
        }
        if (((b.match ^ w.match) & b.mask & w.mask) == 0 && takes(b) && takes(w)) {
            dt_found(c, "raw-overlap", true, line,
                     "a value that both take gets the counters of the first row",
                     "%s overlaps match 0x%" PRIx64 " mask 0x%" PRIx64, what, b.match, b.mask);
            break;
        }
    }
}

/* ---- the whole ---- */

static void check_shape(const struct dt_checking *c)
{
    const size_t rows = dt_rows_of(c, DT_COUNTERS) + dt_rows_of(c, DT_RAW);

    if (!c->pmu->compatible)
        dt_found(c, "not-compatible", false, c->pmu->line,
                 "OpenSBI does not look at it, and offers cycles and instructions only",
                 "the node does not say compatible = \"riscv,pmu\"");
    for (int i = 0; i < DT_PROPERTIES; i++) {
        const struct dt_cells *cells = dt_cells_of(c, (enum dt_property)i);
        const unsigned n = dt_row_cells((enum dt_property)i);
        if (cells->present && (cells->count == 0 || cells->count % n != 0))
            dt_found(c, "ragged-rows", false, cells->count ? cells->line[0] : c->pmu->line,
                     "all further numbers are read in the wrong place",
                     "%s has %zu cells; a row has %u", dt_property_name((enum dt_property)i),
                     cells->count, n);
    }
    if (rows > MAX_ROWS)
        dt_found(c, "too-many-rows", false, c->pmu->line, "OpenSBI has room for 256",
                 "%zu rows of events and raw events map counters", rows);
    if (!c->r->config->perf_counter_en)
        dt_found(c, "no-mcountinhibit", true, c->pmu->line,
                 "mcountinhibit reads 0 and keeps nothing: mcycle and minstret always run, and "
                 "OpenSBI answers a start with \"already started\"",
                 "%s cannot stop its counters", c->r->config->name);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

void dt_check(const struct dt_pmu *pmu, const struct emit_request *r,
              const struct dt_report *report)
{
    uint32_t selected[DT_MAX_CELLS / 3 + 1], line;
    struct dt_checking c = { .pmu = pmu, .r = r, .report = report, .selected = selected };

    for (size_t i = 0; i < dt_rows_of(&c, DT_SELECTORS); i++)
        selected[c.selected_count++] = dt_row_of(&c, DT_SELECTORS, i, &line)[0];
    qsort(selected, c.selected_count, sizeof selected[0], ascending);
    check_shape(&c);
    dt_check_names(&c);
    check_selectors(&c);
    for (size_t i = 0; i < dt_rows_of(&c, DT_COUNTERS); i++)
        check_range(&c, i);
    for (size_t i = 0; i < dt_rows_of(&c, DT_RAW); i++)
        check_raw(&c, i);
}

/* SPDX-License-Identifier: MIT */
/*
 * Tables as they are: fields of multiplexer registers, bits of FILTER, configurations that count
 * known metrics, metrics of the vendor's profiler.  Rows of data/sources.csv, filter_sources.csv,
 * metrics.csv and cupti_metrics.csv, with their strings in one array each.
 */
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source_row {
    uint32_t address, mask;
    uint8_t shift, enable, confidence;
    uint16_t group, name, chips, origin;
};
#include "sources.inc"

struct filter_row {
    uint8_t set, domain, bit, confidence;
    uint16_t chip, unit, origin;
};
#include "filter_sources.inc"

struct metric_row {
    uint32_t src[4], op[4];
    uint8_t src_given, op_given, set, domain, confidence;
    uint16_t chips, name, mode, mux, result, origin, note;
};
#include "metrics.inc"

struct profiler_row {
    uint8_t passes, confidence;
    uint16_t chips, name, unit, events, origin;
};
#include "cupti_metrics.inc"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool pc_names_chip_listed(const char *chips, const char *chip)
{
    size_t length = strlen(chip);

    while (*chips) {
        size_t word = strcspn(chips, " ");
        if (word == length && memcmp(chips, chip, length) == 0)
            return true;
        chips += word;
        chips += strspn(chips, " ");
    }
    return false;
}

bool pc_source_at(size_t i, struct pc_source *out)
{
    if (i >= COUNT(source_rows))
        return false;
    const struct source_row *r = &source_rows[i];
    *out = (struct pc_source){
        .group = source_pool + r->group,
        .name = source_pool + r->name,
        .address = r->address,
        .mask = r->mask,
        .shift = r->shift,
        .enable = r->enable,
        .chips = source_pool + r->chips,
        .confidence = (enum pc_confidence)r->confidence,
        .origin = source_pool + r->origin,
    };
    return true;
}

enum pc_status pc_source_find(const char *name, struct pc_source *out, struct pc_error *err)
{
    struct pc_source s;
    struct pc_near near;
    char text[200];

    for (size_t i = 0; pc_source_at(i, &s); i++) {
        if (strcmp(s.name, name) == 0 || strcmp(s.group, name) == 0) {
            *out = s;
            return PC_OK;
        }
    }
    enum pc_status status = pc_fail(err, 1404, "unknown source \"%.60s\"", name);
    pc_near_begin(&near, name);
    for (size_t i = 0; pc_source_at(i, &s); i++) {
        pc_near_offer(&near, s.name);
        if (i == 0 || source_rows[i].group != source_rows[i - 1].group)
            pc_near_offer(&near, s.group);
    }
    pc_near_text(&near, text, sizeof text);
    if (text[0])
        pc_hint(err, "did you mean %s?", text);
    else
        pc_hint(err, "`pcounter list sources` shows them");
    return status;
}

/* Finds the source of that name on the chip: its own name, or that of a group of one. */
static enum pc_status source_on(const struct pc_chip *chip, const char *name, struct pc_source *out,
                                struct pc_error *err)
{
    struct pc_source s;
    char names[200] = "";
    size_t used = 0, found = 0;

    for (size_t i = 0; pc_source_at(i, &s); i++) {
        bool own = strcmp(s.name, name) == 0;
        if ((!own && strcmp(s.group, name) != 0) || !pc_names_chip_listed(s.chips, chip->name))
            continue;
        *out = s;
        if (own)
            return PC_OK;
        int n = snprintf(names + used, sizeof names - used, "%s%s", found++ ? ", " : "", s.name);
        used += n > 0 && (size_t)n < sizeof names - used ? (size_t)n : 0;
    }
    if (found == 1)
        return PC_OK;
    if (found > 1) {
        enum pc_status status =
            pc_fail(err, 1407, "%s has %zu sources on %s", name, found, chip->name);
        pc_hint(err, "say which: %s", names);
        return status;
    }
    enum pc_status status = pc_source_find(name, &s, err);
    if (status != PC_OK)
        return status;
    status = pc_fail(err, 1408, "%s is a source of other chips, not of %s", name, chip->name);
    pc_hint(err, "of %s; `pcounter list sources -a %s` shows what there is", s.chips, chip->name);
    return status;
}

enum pc_status pc_setting_parse(const struct pc_chip *chip, const char *text,
                                struct pc_setting *out, struct pc_error *err)
{
    size_t n = strcspn(text, "=");
    struct pc_source source = { .group = NULL };
    uint32_t value;
    char name[64], *end;

    if (n == 0 || n >= sizeof name || text[n] != '=' ||
        !pc_read_u32(text + n + 1, strlen(text + n + 1), &value))
        return pc_fail(err, 1406, "\"%.80s\" is not SOURCE=VALUE or ADDRESS=VALUE", text);
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (name[0] == '0' && name[1] == 'x') {
        unsigned long long address = strtoull(name, &end, 16);
        if (*end || n < 3 || address > UINT32_MAX || address % 4)
            return pc_fail(err, 1406, "\"%s\" is not the address of a register", name);
        *out = (struct pc_setting){ (uint32_t)address, UINT32_MAX, value };
        return PC_OK;
    }
    enum pc_status status = source_on(chip, name, &source, err);
    if (status != PC_OK)
        return status;
    if (value & ~source.mask)
        return pc_fail(err, 1406, "%s takes a value up to 0x%x, not 0x%x", name,
                       (unsigned)source.mask, (unsigned)value);
    uint32_t enable = source.enable ? UINT32_C(1) << 31 : 0;
    *out = (struct pc_setting){ source.address, source.mask << source.shift | enable,
                                value << source.shift | enable };
    return PC_OK;
}

bool pc_filter_source_at(size_t i, struct pc_filter_source *out)
{
    if (i >= COUNT(filter_rows))
        return false;
    const struct filter_row *r = &filter_rows[i];
    *out = (struct pc_filter_source){
        .chip = filter_pool + r->chip,
        .set = (enum pc_set)r->set,
        .domain = r->domain,
        .bit = r->bit,
        .unit = filter_pool + r->unit,
        .confidence = (enum pc_confidence)r->confidence,
        .origin = filter_pool + r->origin,
    };
    return true;
}

bool pc_metric_row_at(size_t i, struct pc_metric_row *out)
{
    if (i >= COUNT(metric_rows))
        return false;
    const struct metric_row *r = &metric_rows[i];
    *out = (struct pc_metric_row){
        .chips = metric_pool + r->chips,
        .name = metric_pool + r->name,
        .set = (enum pc_set)r->set,
        .domain = r->domain,
        .ctr_mode = metric_pool + r->mode,
        .src_given = r->src_given,
        .op_given = r->op_given,
        .mux = metric_pool + r->mux,
        .result = metric_pool + r->result,
        .confidence = (enum pc_confidence)r->confidence,
        .origin = metric_pool + r->origin,
        .note = metric_pool + r->note,
    };
    memcpy(out->src, r->src, sizeof out->src);
    memcpy(out->op, r->op, sizeof out->op);
    return true;
}

void pc_metric_row_near(const struct pc_chip *chip, const char *name, char *out, size_t size)
{
    struct pc_near near;

    pc_near_begin(&near, name);
    for (size_t i = 0; i < COUNT(metric_rows); i++)
        if (pc_names_chip_listed(metric_pool + metric_rows[i].chips, chip->name))
            pc_near_offer(&near, metric_pool + metric_rows[i].name);
    pc_near_text(&near, out, size);
}

bool pc_profiler_metric_at(size_t i, struct pc_profiler_metric *out)
{
    if (i >= COUNT(profiler_rows))
        return false;
    const struct profiler_row *r = &profiler_rows[i];
    *out = (struct pc_profiler_metric){
        .chips = profiler_pool + r->chips,
        .name = profiler_pool + r->name,
        .passes = r->passes,
        .unit = profiler_pool + r->unit,
        .events = profiler_pool + r->events,
        .confidence = (enum pc_confidence)r->confidence,
        .origin = profiler_pool + r->origin,
    };
    return true;
}

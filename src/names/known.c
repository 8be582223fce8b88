/* SPDX-License-Identifier: MIT */
/*
 * Tables as they are: fields of multiplexer registers, bits of FILTER, configurations that count
 * known metrics, metrics of the vendor's profiler.  Rows of data/sources.csv, filter_sources.csv,
 * metrics.csv and cupti_metrics.csv, with their strings in one array each.
 */
#include "base/error.h"
#include "base/near.h"

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
    enum pc_status status = pc_fail(err, 1404, "there is no source \"%.60s\"", name);
    pc_near_begin(&near, name);
    for (size_t i = 0; pc_source_at(i, &s); i++) {
        pc_near_offer(&near, s.name);
        if (i == 0 || source_rows[i].group != source_rows[i - 1].group)
            pc_near_offer(&near, s.group);
    }
    pc_near_text(&near, text, sizeof text);
    if (text[0])
        pc_hint(err, "near names: %s", text);
    else
        pc_hint(err, "`pcounter list sources` shows them");
    return status;
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

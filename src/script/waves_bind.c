/* SPDX-License-Identifier: MIT */
/* The wave of a script: its file, wires by their names, and a stream for each clock. */
#include "script/waves.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum pc_status sc_waves_blame(const struct sc_waves *w, uint32_t line, uint32_t column,
                              enum pc_status status, struct pc_error *err)
{
    if (!err)
        return status;
    struct pc_error told = *err;
    const bool named = strstr(err->text, w->path) != NULL;
    int n = snprintf(told.text, sizeof told.text, "%.150s", named ? "" : w->path);
    size_t used = n < 0 ? 0 : (size_t)n;

    if (err->line)
        used += (size_t)snprintf(told.text + used, sizeof told.text - used, ":%" PRIu32, err->line);
    if (err->has_byte)
        used += (size_t)snprintf(told.text + used, sizeof told.text - used, " byte %" PRIu64,
                                 err->byte);
    snprintf(told.text + used, sizeof told.text - used, "%s%.200s", used ? ": " : "", err->text);
    told.line = line;
    told.column = column;
    told.has_byte = false;
    *err = told;
    return status;
}

/* Returns folder/name, or the name alone if the folder is ""; NUL-terminated, in *size bytes. */
static char *join(const struct pc_alloc *a, const char *folder, const struct sc_text *name,
                  size_t *size)
{
    size_t n = strlen(folder);

    if (!pc_size_add(n, name->size, size) || !pc_size_add(*size, 2, size))
        return NULL;
    char *out = pc_calloc(a, 1, *size);
    if (!out)
        return NULL;
    memcpy(out, folder, n);
    if (n > 0 && folder[n - 1] != '/')
        out[n++] = '/';
    memcpy(out + n, name->at, name->size);
    return out;
}

enum pc_status sc_waves_reopen(const struct sc_waves *w, struct pc_wave **out, struct pc_error *err)
{
    const struct pc_wave_desc desc = { .path = w->path,
                                       .alloc = &w->alloc,
                                       .limits = w->desc->wave_limits,
                                       .tolerate_time_backwards =
                                           w->desc->wave_tolerate_time_backwards,
                                       .strict = w->desc->wave_strict,
                                       .unit_factor = w->desc->wave_unit_factor,
                                       .unit_exponent = w->desc->wave_unit_exponent,
                                       .refuse_oddities = w->desc->wave_strict };

    return pc_wave_open(&desc, out, err);
}

enum pc_status sc_waves_open(struct sc_waves *w, const struct sc_command *cmd, void *ctx,
                             struct pc_error *err)
{
    const char *directory = w->desc->directory;
    bool as_given =
        !directory || cmd->name.at[0] == '/' || (cmd->name.size == 1 && cmd->name.at[0] == '-');

    w->line = cmd->line;
    w->path = join(&w->alloc, as_given ? "" : directory, &cmd->name, &w->path_size);
    if (!w->path)
        return pc_fail_at(err, 100, cmd->line, 0, "no memory for the path of the wave");
    enum pc_status status = w->desc->file ? w->desc->file(ctx, w->path, err) : PC_OK;
    if (status == PC_OK)
        status = sc_waves_reopen(w, &w->wave, err);
    return status ? sc_waves_blame(w, cmd->line, cmd->name.column, status, err) : PC_OK;
}

void sc_waves_warn(const struct sc_waves *w, void *ctx)
{
    const char *text;

    for (size_t i = 0; w->wave && (text = pc_wave_warning(w->wave, i)) != NULL; i++)
        w->desc->warning(ctx, w->path, text);
}

/* Finds the one wire that a name of the script means. */
static enum pc_status find_wire(struct sc_waves *w, const struct sc_command *cmd,
                                const struct sc_text *name, struct pc_wave_bit *out,
                                struct pc_error *err)
{
    size_t size, bits;
    char *copy = join(&w->alloc, "", name, &size);

    if (!copy)
        return pc_fail_at(err, 100, cmd->line, 0, "no memory for a name");
    enum pc_status status = pc_wave_find_bits(w->wave, copy, out, 1, &bits, err);
    if (status) {
        sc_waves_blame(w, cmd->line, name->column, status, err);
    } else if (bits != 1) {
        status = pc_fail_at(err, 816, cmd->line, name->column,
                            "\"%.100s\" has %zu bits; one wire is expected", copy, bits);
        if (bits > 1)
            pc_hint(err, "one bit of it: \"%.100s[0]\"", copy);
    }
    pc_free(&w->alloc, copy, size);
    return status;
}

enum pc_status sc_waves_bind(struct sc_waves *w, const struct sc_command *cmd, struct pc_error *err)
{
    struct sc_binding *b = &w->binding[cmd->domain];

    /* The grammar lets each signal be bound once: count stays below PC_MAX_SIGNALS. */
    b->signal[b->count] = (uint8_t)cmd->signal;
    return find_wire(w, cmd, &cmd->name, &b->bit[b->count++], err);
}

enum pc_status sc_waves_bind_clock(struct sc_waves *w, const struct sc_command *cmd,
                                   struct pc_error *err)
{
    struct sc_binding *b = &w->binding[cmd->domain];
    const struct sc_text *text = &cmd->name;

    b->has_clock = true;
    w->clocked |= (uint64_t)1 << cmd->domain;
    b->clock = (struct pc_wave_clock){ .edge = PC_EDGE_POS };
    struct pc_error why;
    const enum pc_status status =
        pc_wave_find_clock(w->wave, text->at, text->size, &b->clock, &why);
    if (status == PC_OK || !err)
        return status;
    *err = why;
    err->line = 0;
    return sc_waves_blame(w, cmd->line, text->column + why.column - 1, status, err);
}

static bool same_clock(const struct pc_wave_clock *a, const struct pc_wave_clock *b)
{
    bool iff = a->iff.var == b->iff.var && a->iff.bit == b->iff.bit && a->iff_low == b->iff_low;

    return a->edge == b->edge && a->period == b->period && a->period_per == b->period_per &&
           a->clock.var == b->clock.var && a->clock.bit == b->clock.bit &&
           a->has_iff == b->has_iff && (!a->has_iff || iff);
}

/* Returns the domains with a domain's clock, that one the first of them, and how many bits they
 * have. */
static uint64_t with_clock_of(struct sc_waves *w, unsigned domain, size_t *bits)
{
    uint64_t domains = 0;

    *bits = 0;
    for (unsigned d = domain; d < PC_GPU_DOMAINS; d++) {
        struct sc_binding *b = &w->binding[d];
        if (!b->has_clock || !same_clock(&b->clock, &w->binding[domain].clock))
            continue;
        domains |= (uint64_t)1 << d;
        b->first = *bits;
        *bits += b->count;
    }
    return domains;
}

static enum pc_status bind_stream(struct sc_waves *w, struct pc_wave *wave, unsigned domain,
                                  uint64_t domains, size_t bits, struct pc_error *err)
{
    struct pc_wave_bit *bit = pc_calloc(&w->alloc, bits ? bits : 1, sizeof *bit);
    unsigned number = 0;

    if (!bit)
        return pc_fail(err, 100, "no memory for a stream of %zu signals", bits);
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
        if (domains >> d & 1 && w->binding[d].count)
            memcpy(bit + w->binding[d].first, w->binding[d].bit, w->binding[d].count * sizeof *bit);
    enum pc_status status = pc_wave_bind(wave, &w->binding[domain].clock, bit, bits, &number, err);
    if (!status)
        w->domains_of[number] = domains;
    pc_free(&w->alloc, bit, (bits ? bits : 1) * sizeof *bit);
    return status;
}

enum pc_status sc_waves_streams(struct sc_waves *w, struct pc_wave *wave, struct pc_error *err)
{
    uint64_t left = w->clocked;
    enum pc_status status = PC_OK;

    w->streams = 0;
    for (unsigned d = 0; d < PC_GPU_DOMAINS && !status; d++)
        if (left >> d & 1) {
            size_t bits;
            uint64_t domains = with_clock_of(w, d, &bits);
            status = bind_stream(w, wave, d, domains, bits, err);
            left &= ~domains;
            w->streams++;
        }
    return status;
}

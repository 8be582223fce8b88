/* SPDX-License-Identifier: MIT */
/*
 * Time and raw signals of a script from a waveform: one stream of it for each clock, which the
 * domains that are bound to that clock have together.  The device asks for time through advance();
 * instants of the wave, each with the domains that have an edge then, so that coincident edges are
 * coincident, are collected (waves_block.c) and passed on together.  Unknown (x, z) counts as 0.
 * When the wave has ended, accesses (and, after `run end`, runs) still take cycles, with all levels
 * held, so that a script can swap and read what was counted.
 */
#include "script/waves_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STREAMS 32 /* of pc_wave_bind(), which refuses more */

/* What a domain of the device has of the wave. */
struct binding {
    bool has_clock;
    struct pc_wave_clock clock;
    struct pc_wave_bit bit[PC_MAX_SIGNALS];
    uint8_t signal[PC_MAX_SIGNALS]; /* driven by bit[i] */
    size_t count;
    size_t first;    /* bit of the stream that is bit[0] */
    uint64_t cycles; /* edges so far */
};

struct sc_waves {
    const struct pc_script_desc *desc;
    struct pc_alloc alloc;
    struct pc_gpu *gpu;
    const struct pc_chip *chip;
    struct pc_wave *wave;
    char *path;
    size_t path_size;
    bool started;                 /* the first run has come */
    bool running;                 /* a run asks for time, not an access */
    bool ended;                   /* the wave has no more instants */
    bool over;                    /* `run end` was done: cycles go on without the wave */
    uint64_t clocked;             /* domains whose clock is bound */
    bool blocks;                  /* there is one stream, which is read in blocks */
    struct pc_wave_block at;      /* of them: this one */
    uint64_t used;                /* and so many cycles of it are in the past */
    uint64_t taken;               /* cycles of all blocks that are */
    uint64_t domains_of[STREAMS]; /* of a stream of the wave */
    unsigned streams;
    struct binding binding[PC_GPU_DOMAINS];
    struct sc_block *block; /* from the first run on */
    struct pc_error fault;  /* first error while time passed; its status PC_OK if none */
};

void sc_waves_destroy(struct sc_waves *w)
{
    if (!w)
        return;
    struct pc_alloc alloc = w->alloc;
    pc_wave_close(w->wave);
    sc_block_destroy(w->block);
    pc_free(&alloc, w->path, w->path_size);
    pc_free(&alloc, w, sizeof *w);
}

/* The error of the wave, told at a place of the script: the place in the wave becomes text. */
static enum pc_status blame(const struct sc_waves *w, uint32_t line, uint32_t column,
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

/* folder/name, or the name alone if the folder is ""; NUL-terminated, in *size bytes. */
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

static enum pc_status open_wave(const struct sc_waves *w, struct pc_wave **out,
                                struct pc_error *err)
{
    const struct pc_wave_desc desc = { .path = w->path,
                                       .alloc = &w->alloc,
                                       .limits = w->desc->wave_limits,
                                       .tolerate_time_backwards =
                                           w->desc->wave_tolerate_time_backwards,
                                       .strict = w->desc->wave_strict,
                                       .refuse_oddities = w->desc->wave_strict };

    return pc_wave_open(&desc, out, err);
}

enum pc_status sc_waves_open(struct sc_waves *w, const struct sc_command *cmd, void *ctx,
                             struct pc_error *err)
{
    const char *directory = w->desc->directory;
    bool as_given =
        !directory || cmd->name.at[0] == '/' || (cmd->name.size == 1 && cmd->name.at[0] == '-');

    w->path = join(&w->alloc, as_given ? "" : directory, &cmd->name, &w->path_size);
    if (!w->path)
        return pc_fail_at(err, 100, cmd->line, 0, "no memory for the path of the wave");
    enum pc_status status = w->desc->file ? w->desc->file(ctx, w->path, err) : PC_OK;
    if (status == PC_OK)
        status = open_wave(w, &w->wave, err);
    return status ? blame(w, cmd->line, cmd->name.column, status, err) : PC_OK;
}

void sc_waves_warn(const struct sc_waves *w, void *ctx)
{
    const char *text;

    for (size_t i = 0; w->wave && (text = pc_wave_warning(w->wave, i)) != NULL; i++)
        w->desc->warning(ctx, w->path, text);
}

/* The one wire that a name of the script means. */
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
        blame(w, cmd->line, name->column, status, err);
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
    struct binding *b = &w->binding[cmd->domain];

    /* The grammar lets each signal be bound once: count stays below PC_MAX_SIGNALS. */
    b->signal[b->count] = (uint8_t)cmd->signal;
    return find_wire(w, cmd, &cmd->name, &b->bit[b->count++], err);
}

static enum pc_status find_period(const struct sc_waves *w, const struct sc_command *cmd,
                                  struct pc_wave_clock *out, struct pc_error *err)
{
    const enum pc_status status =
        pc_wave_parse_period(w->wave, cmd->name.at, cmd->name.size, out, err);

    if (status && err) {
        err->line = cmd->line;
        err->column += cmd->name.column - 1;
    }
    return status;
}

enum pc_status sc_waves_bind_clock(struct sc_waves *w, const struct sc_command *cmd,
                                   struct pc_error *err)
{
    struct binding *b = &w->binding[cmd->domain];

    b->has_clock = true;
    w->clocked |= (uint64_t)1 << cmd->domain;
    b->clock = (struct pc_wave_clock){ .edge = cmd->edge,
                                       .has_iff = cmd->has_iff,
                                       .iff_low = cmd->iff_low };
    enum pc_status status = PC_OK;
    if (cmd->edge == PC_EDGE_PERIOD)
        status = find_period(w, cmd, &b->clock, err);
    else if (cmd->edge != PC_EDGE_EVERY)
        status = find_wire(w, cmd, &cmd->name, &b->clock.clock, err);
    if (!status && cmd->has_iff)
        status = find_wire(w, cmd, &cmd->text, &b->clock.iff, err);
    return status;
}

/* A cycle of these domains, with these levels of their stream; NULL: the last ones. */
static void take_samples(struct sc_waves *w, uint64_t domains, const uint64_t *value,
                         const uint64_t *unknown)
{
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
        if (domains >> d & 1) {
            sc_block_cycle(w->block, d, value, unknown);
            w->binding[d].cycles++;
        }
}

/* One instant of the wave; *edges: domains that had a cycle. */
static enum pc_status step(struct sc_waves *w, uint64_t *edges, struct pc_error *err)
{
    struct pc_wave_instant instant;
    enum pc_status status = pc_wave_step(w->wave, &instant, err);

    if (status)
        return status;
    *edges = 0;
    for (unsigned s = 0; s < STREAMS; s++)
        if (instant.streams >> s & 1) {
            *edges |= w->domains_of[s];
            take_samples(w, w->domains_of[s], instant.value[s], instant.unknown[s]);
        }
    sc_block_instant(w->block);
    return PC_OK;
}

/* After the end: a cycle in every domain that has a clock, with all levels held. */
static void hold(struct sc_waves *w, uint64_t *edges)
{
    *edges = w->clocked;
    take_samples(w, w->clocked, NULL, NULL);
    sc_block_instant(w->block);
}

/* What comes next: an instant of the wave, or what follows its end. */
static enum pc_status next_instant(struct sc_waves *w, uint64_t *edges, struct pc_error *err)
{
    enum pc_status status = w->ended ? PC_END : step(w, edges, err);

    if (status != PC_END)
        return status;
    w->ended = true;
    if (w->running && !w->over)
        return PC_END;
    hold(w, edges);
    return PC_OK;
}

/* --- streams --- */

static bool same_clock(const struct pc_wave_clock *a, const struct pc_wave_clock *b)
{
    bool iff = a->iff.var == b->iff.var && a->iff.bit == b->iff.bit && a->iff_low == b->iff_low;

    return a->edge == b->edge && a->period == b->period && a->period_per == b->period_per &&
           a->clock.var == b->clock.var && a->clock.bit == b->clock.bit &&
           a->has_iff == b->has_iff && (!a->has_iff || iff);
}

/* The domains with a domain's clock, that one the first of them, and how many bits they have. */
static uint64_t with_clock_of(struct sc_waves *w, unsigned domain, size_t *bits)
{
    uint64_t domains = 0;

    *bits = 0;
    for (unsigned d = domain; d < PC_GPU_DOMAINS; d++) {
        struct binding *b = &w->binding[d];
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

static enum pc_status bind_streams(struct sc_waves *w, struct pc_wave *wave, struct pc_error *err)
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

/* --- blocks --- */

/*
 * The block that was asked for is broken somewhere: what comes before that place counts, and is
 * read again, instant by instant.  A script that ends before it does not see it.
 */
static enum pc_status read_again(struct sc_waves *w, struct pc_error *err)
{
    struct pc_wave *again = NULL;
    struct pc_wave_instant instant;
    enum pc_status status = open_wave(w, &again, err);

    if (!status)
        status = bind_streams(w, again, err);
    for (uint64_t i = 0; i < w->taken && !status; i++)
        status = pc_wave_step(again, &instant, err);
    if (status) {
        pc_wave_close(again);
        return status;
    }
    pc_wave_close(w->wave);
    w->wave = again;
    w->blocks = false;
    return PC_OK;
}

/* As many cycles as there are, of all domains that have a clock: it is the same. */
static enum pc_status run_blocks(struct sc_waves *w, uint64_t cycles, struct pc_error *err)
{
    while (cycles > 0) {
        uint64_t left = w->at.cycles - w->used, n = cycles < left ? cycles : left;
        if (n == 0) {
            enum pc_status status = pc_wave_next(w->wave, &w->at, err);
            w->used = 0;
            w->ended = status == PC_END;
            if (status) {
                w->at.cycles = 0;
                return status == PC_END ? PC_OK : read_again(w, err);
            }
            continue;
        }
        sc_block_take(w->block, &w->at, w->used, n);
        for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
            w->binding[d].cycles += w->clocked >> d & 1 ? n : 0;
        w->used += n;
        w->taken += n;
        cycles -= n;
    }
    return PC_OK;
}

/* pc_gpu_time_fn: domains without a bound clock have no time and are not waited for. */
static enum pc_status advance(void *ctx, int domain, uint64_t cycles, struct pc_error *err)
{
    struct sc_waves *w = ctx;
    uint64_t waiting = w->started ? w->clocked : 0; /* before the first run, time stands still */
    uint64_t target[PC_GPU_DOMAINS];
    struct pc_error fault = { 0 };
    enum pc_status status = PC_OK;
    uint64_t wanted = 0;

    if (domain >= 0)
        waiting &= (uint64_t)1 << domain;
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++) {
        uint64_t now = w->binding[d].cycles;
        target[d] = cycles > UINT64_MAX - now ? UINT64_MAX : now + cycles;
        if (target[d] == now)
            waiting &= ~((uint64_t)1 << d);
        else if (waiting >> d & 1)
            wanted = target[d] - now;
    }
    if (wanted > 0 && w->blocks && !w->ended) {
        status = run_blocks(w, wanted, &fault);
        for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
            if (w->binding[d].cycles >= target[d])
                waiting &= ~((uint64_t)1 << d);
    }
    while (waiting && !status) {
        uint64_t edges = 0;
        status = next_instant(w, &edges, &fault);
        for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
            if (edges >> d & 1 && w->binding[d].cycles >= target[d])
                waiting &= ~((uint64_t)1 << d);
    }
    if (w->block)
        sc_block_flush(w->block); /* all that came before an error, too */
    if (status && status != PC_END) {
        fault.status = status;
        w->fault = fault;
        if (err)
            *err = fault;
    }
    return status;
}

enum pc_status sc_waves_create(const struct pc_script_desc *desc, const struct pc_alloc *alloc,
                               const struct pc_chip *chip, struct pc_gpu *gpu,
                               struct sc_waves **out, struct pc_error *err)
{
    struct sc_waves *w = pc_calloc(alloc, 1, sizeof *w);

    if (!w)
        return pc_fail(err, 100, "no memory for the bindings of a wave");
    w->desc = desc;
    w->alloc = *alloc;
    w->gpu = gpu;
    w->chip = chip;
    pc_gpu_external_time(gpu, advance, w);
    *out = w;
    return PC_OK;
}

enum pc_status sc_waves_fault(const struct sc_waves *w, const struct sc_command *cmd,
                              struct pc_error *err)
{
    if (w->fault.status == PC_OK)
        return PC_OK;
    if (err)
        *err = w->fault;
    return blame(w, cmd->line, cmd->column, w->fault.status, err);
}

enum pc_status sc_waves_start(struct sc_waves *w, const struct sc_command *cmd,
                              struct pc_error *err)
{
    if (w->started)
        return PC_OK;
    uint64_t done, total;
    enum pc_status status = bind_streams(w, w->wave, err);
    if (status)
        return blame(w, cmd->line, cmd->column, status, err);
    pc_wave_progress(w->wave, &done, &total);
    w->blocks = w->streams == 1 && total > 0; /* a pipe cannot be read again */
    status = sc_block_create(&w->alloc, w->gpu, &w->block, err);
    for (unsigned d = 0; d < PC_GPU_DOMAINS && !status; d++)
        if (w->binding[d].has_clock)
            status = sc_block_domain(w->block, d, w->binding[d].signal, w->binding[d].count,
                                     w->binding[d].first, err);
    w->started = status == PC_OK;
    return status;
}

enum pc_status sc_waves_run(struct sc_waves *w, const struct sc_command *cmd, struct pc_error *err)
{
    uint64_t before = w->binding[cmd->domain].cycles;

    if (cmd->to_end && w->over)
        return PC_OK;
    w->running = true;
    enum pc_status status =
        pc_gpu_run(w->gpu, cmd->domain, cmd->to_end ? UINT64_MAX : cmd->count, err);
    w->running = false;
    if (status == PC_END && cmd->to_end) {
        w->over = true;
        return PC_OK;
    }
    if (status == PC_END)
        return pc_fail_at(err, 819, cmd->line, cmd->column,
                          "the wave ended after %" PRIu64 " of %" PRIu64 " cycles of domain %s",
                          w->binding[cmd->domain].cycles - before, cmd->count,
                          sc_domain_name(w->chip, cmd->domain).text);
    return w->fault.status ? sc_waves_fault(w, cmd, err) : status;
}

/* SPDX-License-Identifier: MIT */
/*
 * Finds what the signals of a scope do.  The clock is the one, of those that are called so, at
 * whose rises most changes of counters are; a register changes while it is high, as it may do so
 * with a delay, or with the reset; and what another one becomes an edge later is its next value,
 * not a register.
 */
#include "emit_behaviour.h"
#include "pcounter/unstable/bus.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wave/event_list.h"
#include "wave/read_options.h"

enum { MOST_BITS = 8192, MOST_STAMPS = 200000, MOST_EDGES = 100000, MOST_COUNTERS = 128 };

/* ---- names ---- */

/* The variable's own name, if it is in the scope; NULL: it is not. */
static const char *own_name(const struct pc_wave_var *var, const char *scope)
{
    const size_t n = strlen(scope);
    const char *at = var->name;

    for (; (at = strstr(at, scope)) != NULL; at++)
        if ((at == var->name || at[-1] == '.') && at[n] == '.' && strchr(at + n + 1, '.') == NULL)
            return at + n + 1;
    return NULL;
}

static bool contains(const char *name, const char *word)
{
    const size_t n = strlen(word);

    for (; *name; name++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)name[i]) == word[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

static bool contains_any(const char *name, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (contains(name, words[i]))
            return true;
    return false;
}

/* Is one of the parts that _ joins one of the words? */
static bool has_part(const char *name, const char *const *words)
{
    for (const char *at = name; *at;) {
        const size_t n = strcspn(at, "_");
        for (size_t i = 0; words[i]; i++)
            if (strlen(words[i]) == n && strncasecmp(at, words[i], n) == 0)
                return true;
        at += n + (at[n] == '_');
    }
    return false;
}

static bool is_counter(const char *name)
{
    static const char *const words[] = { "count", "cnt",     "cycle", "instret", "hpm",
                                         "event", "inhibit", "perf",  NULL };
    static const char *const parts[] = { "stat", "stats", NULL };

    return contains_any(name, words) || has_part(name, parts);
}

static const char *const low_words[] = { "rstn", "resetn", "nrst",    "nreset",  "arstn",   "srstn",
                                         "xrst", "xreset", "aresetn", "nareset", "sresetn", NULL };

static bool is_reset(const char *name)
{
    static const char *const words[] = { "rst", "reset", "arst", "srst", "areset", "sreset", NULL };

    return has_part(name, words) || has_part(name, low_words);
}

/* rst_n, rst_ni, rst_l, rst_b, nrst: active low. */
static bool is_named_low(const char *name)
{
    static const char *const ends[] = { "n", "ni", "l", "b", "bi", "low", NULL };
    const char *last = strrchr(name, '_');

    return has_part(name, low_words) || (last && has_part(last + 1, ends));
}

/* ---- the signals of the scope ---- */

static int add_signal(struct emit_behaviour *b, const struct pc_wave_var *var, size_t i,
                      const char *name, size_t *clocks)
{
    void *array = b->signal, *bits = b->bit;

    if (var->width > MOST_BITS - b->bits)
        return CLI_OK; /* what is beyond that is left out */
    if (!cli_grow(&array, &b->capacity, b->signals + 1, sizeof *b->signal) ||
        !cli_grow(&bits, &b->bit_capacity, b->bits + var->width, sizeof *b->bit)) {
        b->signal = array;
        b->bit = bits;
        return cli_no_memory();
    }
    b->signal = array;
    b->bit = bits;
    const bool clock = var->width == 1 && pc_bus_is_clock_name(name) && *clocks < EMIT_CLOCKS;
    b->signal[b->signals++] = (struct emit_signal){ .var = i,
                                                    .name = name,
                                                    .type = var->type,
                                                    .width = var->width,
                                                    .first = b->bits,
                                                    .clock = clock ? (*clocks)++ : EMIT_CLOCKS,
                                                    .is_reset = var->width == 1 && is_reset(name),
                                                    .is_counter = is_counter(name) };
    for (uint32_t k = 0; k < var->width; k++)
        b->bit[b->bits++] = (struct pc_wave_bit){ .var = i, .bit = k };
    return CLI_OK;
}

static int list_signals(struct emit_behaviour *b, const struct emit_request *r)
{
    struct pc_wave_var var;
    size_t clocks = 0;
    bool there = false;
    int code = CLI_OK;

    for (size_t i = 0; code == CLI_OK && pc_wave_get_var(r->wave, i, &var) == PC_OK; i++) {
        const char *name = own_name(&var, r->scope);
        there |= name != NULL;
        if (name && var.kind == PC_VAR_BITS && var.width > 0 && strcmp(var.type, "parameter") != 0)
            code = add_signal(b, &var, i, name, &clocks);
    }
    return code || there
               ? code
               : cli_usage("emit", "the waveform has no scope %s with signals in it", r->scope);
}

/* ---- changes ---- */

struct watch {
    struct emit_behaviour *b;
    uint64_t *was, *was_unknown; /* of the bits, at the timestamp before */
    size_t words;
};

static bool bit_of(const uint64_t *words, size_t i)
{
    return words[i / 64] >> i % 64 & 1;
}

static bool changed(const struct watch *w, const struct emit_signal *s,
                    const struct pc_wave_instant *now)
{
    for (size_t i = s->first; i < s->first + s->width; i++)
        if (bit_of(w->was, i) != bit_of(now->value[0], i) ||
            bit_of(w->was_unknown, i) != bit_of(now->unknown[0], i))
            return true;
    return false;
}

static void look(struct watch *w, const struct pc_wave_instant *now)
{
    bool rises[EMIT_CLOCKS] = { false }, high[EMIT_CLOCKS] = { false }, resets = false;
    struct emit_behaviour *b = w->b;

    for (size_t i = 0; i < b->signals; i++) {
        struct emit_signal *s = &b->signal[i];
        const bool moves = s->width == 1 && changed(w, s, now);
        const bool up =
            moves && bit_of(now->value[0], s->first) && !bit_of(now->unknown[0], s->first);
        s->rises += up;
        if (s->clock < EMIT_CLOCKS) {
            rises[s->clock] = up;
            high[s->clock] = bit_of(now->value[0], s->first);
        }
        resets |= moves && s->is_reset;
    }
    for (size_t i = 0; i < b->signals; i++) {
        struct emit_signal *s = &b->signal[i];
        if (!changed(w, s, now))
            continue;
        s->changes++;
        for (size_t c = 0; c < EMIT_CLOCKS; c++) {
            s->at_rise[c] += rises[c];
            s->before_fall[c] += high[c];
        }
        s->at_reset += resets;
    }
}

static int watch_all(struct emit_behaviour *b, struct pc_wave *wave, const char *path)
{
    const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct watch w = { .b = b, .words = (b->bits + 63) / 64 };
    struct pc_wave_instant now;
    struct pc_error err;
    unsigned stream;

    w.was = calloc(w.words + 1, sizeof *w.was);
    w.was_unknown = calloc(w.words + 1, sizeof *w.was_unknown);
    if (!w.was || !w.was_unknown) {
        free(w.was);
        free(w.was_unknown);
        return cli_no_memory();
    }
    enum pc_status status = pc_wave_bind(wave, &every, b->bit, b->bits, &stream, &err);
    for (size_t n = 0; status == PC_OK && n < MOST_STAMPS; n++) {
        status = pc_wave_step(wave, &now, &err);
        if (status == PC_OK && n > 0) /* the first has what there is at the beginning */
            look(&w, &now);
        if (status == PC_OK) {
            memcpy(w.was, now.value[0], w.words * sizeof *w.was);
            memcpy(w.was_unknown, now.unknown[0], w.words * sizeof *w.was_unknown);
        }
    }
    free(w.was);
    free(w.was_unknown);
    return status == PC_OK || status == PC_END ? CLI_OK : cli_error(&err, path, NULL);
}

/* ---- what they are ---- */

static void find_clock(struct emit_behaviour *b)
{
    uint64_t best = 0;

    for (size_t c = 0; c < b->signals; c++) {
        const struct emit_signal *s = &b->signal[c];
        uint64_t at = 0;
        for (size_t i = 0; s->clock < EMIT_CLOCKS && s->rises > 0 && i < b->signals; i++)
            if (b->signal[i].clock == EMIT_CLOCKS)
                at += b->signal[i].at_rise[s->clock] * (b->signal[i].is_counter ? 1000 : 1);
        if (s->clock < EMIT_CLOCKS && s->rises > 0 &&
            (!b->clock || at > best || (at == best && s->rises > b->clock->rises))) {
            b->clock = s;
            best = at;
        }
    }
}

/* One that changes, before one that does not. */
static void find_reset(struct emit_behaviour *b)
{
    for (size_t i = 0; i < b->signals; i++) {
        const struct emit_signal *s = &b->signal[i];
        if (s->is_reset && s != b->clock && (!b->reset || (b->reset->changes == 0 && s->changes)))
            b->reset = s;
    }
    b->reset_low = b->reset && is_named_low(b->reset->name);
}

static void find_registers(struct emit_behaviour *b)
{
    bool regs = false, wires = false;

    for (size_t i = 0; i < b->signals; i++) {
        regs |= b->signal[i].is_counter && strcmp(b->signal[i].type, "reg") == 0;
        wires |= strcmp(b->signal[i].type, "wire") == 0;
    }
    for (size_t i = 0; i < b->signals; i++) {
        struct emit_signal *s = &b->signal[i];
        const bool net = regs && wires && strcmp(s->type, "wire") == 0;
        const uint64_t at = b->clock ? s->before_fall[b->clock->clock] : s->changes;
        s->is_register = s->is_counter && s->clock == EMIT_CLOCKS && !s->is_reset && !net &&
                         s->changes <= at + s->at_reset;
    }
}

/* ---- a second read, at the edges of the clock ---- */

/* Returns the signal before the edges, as planes of a block. */
static uint64_t value_at(const struct pc_wave_block *block, const struct emit_signal *s, size_t t,
                         bool *known)
{
    uint64_t value = 0;

    *known = s->width <= 64;
    for (uint32_t b = 0; b < s->width && b < 64; b++) {
        value |= (block->value[s->first + b][t / 64] >> t % 64 & 1) << b;
        if (block->any_unknown)
            *known &= !(block->unknown[s->first + b][t / 64] >> t % 64 & 1);
    }
    return value;
}

struct second {
    struct emit_behaviour *b;
    struct emit_signal *counter[MOST_COUNTERS];
    size_t counters;
    /* [i][k]: counter k has never been another than i was an edge before */
    bool behind[MOST_COUNTERS][MOST_COUNTERS];
    uint64_t last[MOST_COUNTERS]; /* the values at the edge before */
    bool was_reset;               /* at the edge before */
    uint64_t low, high;           /* edges at which the reset is 0, 1 */
};

static void look_at_edge(struct second *s, const struct pc_wave_block *block, size_t t, bool first)
{
    struct emit_behaviour *b = s->b;
    bool known, reset = false;

    if (b->reset) {
        const bool level = value_at(block, b->reset, t, &known);
        reset = known && level != b->reset_low;
        *(level ? &s->high : &s->low) += known;
    }
    uint64_t value[MOST_COUNTERS] = { 0 };
    for (size_t k = 0; k < s->counters; k++) {
        struct emit_signal *y = s->counter[k];
        value[k] = value_at(block, y, t, &known);
        if (reset && known) {
            y->has_reset = true;
            y->reset = value[k];
        }
        for (size_t i = 0; i < s->counters && !first && !reset && !s->was_reset; i++)
            s->behind[i][k] &= known && value[k] == s->last[i];
    }
    memcpy(s->last, value, s->counters * sizeof *value);
    s->was_reset = reset;
}

/* The level that it has at fewer edges is the active one, whatever its name says. */
static void settle(struct second *s)
{
    struct emit_behaviour *b = s->b;

    b->edges = s->low + s->high;
    if (b->reset && b->reset->changes > 0 && s->low != s->high)
        b->reset_low = s->low < s->high;
    b->edges_in_reset = b->reset_low ? s->low : s->high;
    for (size_t i = 0; i < s->counters; i++)
        for (size_t k = 0; k < s->counters; k++) {
            struct emit_signal *x = s->counter[i], *y = s->counter[k];
            if (i != k && x->width == y->width && x->changes > 1 && y->changes > 1 &&
                s->behind[i][k])
                x->is_register = false; /* the next value of y */
        }
    b->changes_at_clock = 0;
    for (size_t i = 0; i < b->signals; i++)
        if (b->signal[i].is_register && b->clock)
            b->changes_at_clock += b->signal[i].before_fall[b->clock->clock];
}

static enum pc_status read_edges(struct second *s, struct pc_wave *wave, struct pc_error *err)
{
    const struct emit_behaviour *b = s->b;
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = b->bit[b->clock->first] };
    struct pc_wave_block block;
    unsigned stream;
    uint64_t edges = 0;
    enum pc_status status = pc_wave_bind(wave, &clock, b->bit, b->bits, &stream, err);

    while (status == PC_OK && edges < MOST_EDGES) {
        status = pc_wave_next(wave, &block, err);
        for (size_t t = 0; status == PC_OK && t < block.cycles; t++)
            look_at_edge(s, &block, t, edges + t == 0);
        edges += status == PC_OK ? block.cycles : 0;
    }
    return status == PC_END ? PC_OK : status;
}

static int look_again(struct emit_behaviour *b, const char *path)
{
    const struct pc_wave_desc desc = { .path = path };
    struct second *s = NULL;
    struct pc_wave *wave = NULL;
    struct pc_error err;
    int code = CLI_OK;

    if (!b->clock || cli_read_once(path))
        return CLI_OK;
    s = calloc(1, sizeof *s);
    if (!s)
        return cli_no_memory();
    s->b = b;
    memset(s->behind, 1, sizeof s->behind);
    for (size_t i = 0; i < b->signals && s->counters < MOST_COUNTERS; i++)
        if (b->signal[i].is_counter)
            s->counter[s->counters++] = &b->signal[i];
    if (cli_wave_open(&desc, &wave, &err) || read_edges(s, wave, &err))
        code = cli_error(&err, path, NULL);
    else
        settle(s);
    pc_wave_close(wave);
    free(s);
    return code;
}

int emit_behaviour_find(struct emit_behaviour *b, const struct emit_request *r)
{
    *b = (struct emit_behaviour){ .signals = 0 };
    int code = list_signals(b, r);

    if (code == CLI_OK && b->bits > 0)
        code = watch_all(b, r->wave, r->wave_path);
    if (code)
        return code;
    find_clock(b);
    find_reset(b);
    find_registers(b);
    return look_again(b, r->wave_path);
}

void emit_behaviour_drop(struct emit_behaviour *b)
{
    free(b->signal);
    free(b->bit);
}

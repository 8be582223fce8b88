/* SPDX-License-Identifier: MIT */
/* Counters, windows and governors of pcounter idle as text. */
#include "idle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "key=value" at *at up to a comma; false if there is no such thing. */
struct pair {
    const char *key, *value;
    size_t key_length, value_length;
};
static bool next_pair(const char **at, struct pair *out)
{
    size_t whole = strcspn(*at, ",");
    const char *equals = memchr(*at, '=', whole);

    if (!equals || equals == *at)
        return false;
    out->key = *at;
    out->key_length = (size_t)(equals - *at);
    out->value = equals + 1;
    out->value_length = whole - out->key_length - 1;
    *at += whole;
    return true;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* --- counters --- */

static int parse_mode(const struct pair *p, const struct idle_place *place, enum pc_idle_mode *out)
{
    for (int i = 0; i < 4; i++) {
        if (is_word(p->value, p->value_length, idle_mode_names[i])) {
            *out = (enum pc_idle_mode)i;
            return CLI_OK;
        }
    }
    return idle_fail(1100, place, (uint32_t)(p->value - place->text) + 1,
                     "Modes are never, all, not-all and always.", "unknown mode \"%.*s\"",
                     (int)p->value_length, p->value);
}

static int parse_mask(const struct idle_options *o, const struct pair *p,
                      const struct idle_place *place, uint32_t *out)
{
    struct idle_place inside = *place;
    struct pc_error err;
    char text[400];

    if (p->value_length == 0 || p->value_length >= sizeof text)
        return idle_fail(1100, place, (uint32_t)(p->value - place->text) + 1, NULL,
                         "a mask is names of engines with | between them, or a number");
    snprintf(text, sizeof text, "%.*s", (int)p->value_length, p->value);
    inside.offset = (uint32_t)(p->value - place->text);
    if (pc_idle_mask(o->chip, text, out, &err))
        return idle_library_error(&err, &inside);
    return CLI_OK;
}

/* mask= and mode= after the colon. */
static int parse_settings(const struct idle_options *o, const char *at,
                          const struct idle_place *place, struct idle_counter *out)
{
    bool has_mask = false, has_mode = false;
    struct pair p;

    for (;; at++) {
        uint32_t column = (uint32_t)(at - place->text) + 1;
        bool mask, mode;
        if (!next_pair(&at, &p))
            return idle_fail(1100, place, column, NULL, "expected mask= or mode=");
        mask = is_word(p.key, p.key_length, "mask");
        mode = is_word(p.key, p.key_length, "mode");
        if (!mask && !mode)
            return idle_fail(1100, place, column, NULL, "expected mask= or mode=, not \"%.*s=\"",
                             (int)p.key_length, p.key);
        if (mask ? has_mask : has_mode)
            return idle_fail(1100, place, column, NULL, "%s= is given twice",
                             mask ? "mask" : "mode");
        int code = mask ? parse_mask(o, &p, place, &out->mask) : parse_mode(&p, place, &out->mode);
        if (code)
            return code;
        has_mask |= mask;
        has_mode |= mode;
        if (*at == '\0')
            break;
    }
    if (!has_mode)
        return idle_fail(1100, place, (uint32_t)strlen(place->text), NULL, "a mask without mode=");
    if (!has_mask && (out->mode == PC_IDLE_ALL || out->mode == PC_IDLE_NOT_ALL))
        return idle_fail(1100, place, (uint32_t)strlen(place->text),
                         "Add mask=; an empty one is written mask=0.",
                         "mode %s needs a mask of engines", idle_mode_names[out->mode]);
    return CLI_OK;
}

static int parse_counter(struct idle_options *o, const char *text)
{
    struct idle_place place = { .label = "--counter", .text = text, .line = 1 };
    struct idle_counter counter = { .used = true };
    size_t digits = strcspn(text, ":");
    uint64_t n;

    if (text[digits] != ':' || !idle_parse_u64(text, digits, &n))
        return idle_fail(1100, &place, 1, NULL, "expected the counter's number and a colon");
    if (n >= o->chip->idle_counters)
        return idle_fail(1101, &place, 1, NULL, "%s has idle counters 0 to %u, not %.*s",
                         o->chip->name, o->chip->idle_counters - 1, (int)digits, text);
    if (o->counter[n].used)
        return idle_fail(1101, &place, 1, NULL, "counter %u was given before", (unsigned)n);
    int code = parse_settings(o, text + digits + 1, &place, &counter);
    if (code == CLI_OK)
        o->counter[n] = counter;
    return code;
}

int idle_parse_counters(struct idle_options *o)
{
    int code = CLI_OK;

    for (size_t i = 0; i < o->counter_args.count && code == CLI_OK; i++)
        code = parse_counter(o, o->counter_args.text[i]);
    o->own_counters |= o->counter_args.count > 0;
    return code;
}

/* --- windows --- */

int idle_parse_window(const char *text, struct idle_window *out)
{
    struct idle_place place = { .label = "--window", .text = text, .line = 1 };
    struct idle_window w = { .text = text };
    uint32_t column;
    const char *wrong = cli_span_parse(text, CLI_SPAN_CYCLES, &w.span, &column);

    if (wrong)
        return idle_fail(1104, &place, column, NULL, "%s", wrong);
    if (w.span.number == 0)
        return idle_fail(1104, &place, 1, NULL, "a window without length");
    w.in_clocks = w.span.in_cycles;
    w.number = w.span.number;
    w.unit = text + strspn(text, "0123456789.");
    w.decimals = w.span.decimals;
    *out = w;
    return CLI_OK;
}

int idle_scale_window(struct idle_window *w, const struct pc_wave_info *info)
{
    struct idle_place place = { .label = "--window", .text = w->text, .line = 1 };
    struct cli_ticks ticks;

    if (!w->text || w->in_clocks)
        return CLI_OK;
    if (!info)
        return idle_fail(1105, &place, 1, "Give it in clocks, like --window 1000c.",
                         "a script has no time, only clocks");
    if (info->timescale_factor == 0)
        return idle_fail(1105, &place, 1, "Give it in clocks, like --window 1000c.",
                         "the waveform does not define its time unit");
    if (!cli_span_ticks(&w->span, info, &ticks))
        return idle_fail(1105, &place, 1, "Without --window the whole trace is one window.",
                         "%s is longer than a waveform can be", w->text);
    w->ticks = ticks.whole;
    if (ticks.part == 0)
        return CLI_OK;
    return info->sampled && info->sample_rate
               ? idle_fail(1105, &place, 1, NULL,
                           "%s is not a whole number of samples at %" PRIu64 " Hz", w->text,
                           info->sample_rate)
               : idle_fail(1105, &place, 1, NULL,
                           "%s is not a whole number of time steps of %u * 10^%d s", w->text,
                           (unsigned)info->timescale_factor, info->timescale_exponent);
}

/* --- governors --- */

static int parse_governor_name(struct idle_options *o, const struct idle_place *place,
                               size_t *length)
{
    char name[40], known[100] = "";
    const struct pc_governor *g;

    *length = strcspn(o->governor_arg, ",");
    snprintf(name, sizeof name, "%.*s", (int)*length, o->governor_arg);
    g = pc_governor_find(name);
    if (g) {
        o->governor = *g;
        return CLI_OK;
    }
    for (size_t i = 0, used = 0; pc_governor_at(i) && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 i ? ", " : "Governors: ", pc_governor_at(i)->name);
    return idle_fail(1109, place, 1, known, "unknown governor \"%s\"", name);
}

/* target=, max= and smooth= after the name. */
static int parse_governor_numbers(struct idle_options *o, const char *at,
                                  const struct idle_place *place)
{
    struct {
        const char *key;
        uint32_t *value;
        bool given;
    } keys[] = { { "target", &o->governor.target, false },
                 { "max", &o->governor.ceiling, false },
                 { "smooth", &o->governor.smooth, false } };

    while (*at == ',') {
        uint32_t column = (uint32_t)(++at - place->text) + 1;
        struct pair p;
        uint64_t n;
        size_t i = 0;
        if (!next_pair(&at, &p))
            return idle_fail(1109, place, column, NULL, "expected target=, max= or smooth=");
        while (i < 3 && !is_word(p.key, p.key_length, keys[i].key))
            i++;
        if (i == 3)
            return idle_fail(1109, place, column, NULL,
                             "expected target=, max= or smooth=, not \"%.*s=\"", (int)p.key_length,
                             p.key);
        if (keys[i].given)
            return idle_fail(1109, place, column, NULL, "%.*s= is given twice", (int)p.key_length,
                             p.key);
        if (!idle_parse_u64(p.value, p.value_length, &n) || n > UINT32_MAX)
            return idle_fail(1109, place, (uint32_t)(p.value - place->text) + 1, NULL,
                             "\"%.*s\" is not a number of 32 bits", (int)p.value_length, p.value);
        *keys[i].value = (uint32_t)n;
        keys[i].given = true;
    }
    return CLI_OK;
}

#define MHZ_MAX 1000000u

static int parse_levels(struct idle_options *o)
{
    struct idle_place place = { .label = "--levels", .text = o->levels_arg, .line = 1 };
    const char *at = o->levels_arg;
    uint32_t count = 0;

    for (;; at++) {
        size_t length = strcspn(at, ",");
        uint32_t column = (uint32_t)(at - o->levels_arg) + 1;
        uint64_t mhz;
        if (!idle_parse_u64(at, length, &mhz) || mhz == 0 || mhz > MHZ_MAX)
            return idle_fail(1109, &place, column, NULL, "\"%.*s\" is not a clock of 1 to %u MHz",
                             (int)length, at, MHZ_MAX);
        if (count == PC_GOVERNOR_LEVELS)
            return idle_fail(1109, &place, column, NULL, "more than %d levels", PC_GOVERNOR_LEVELS);
        if (count > 0 && mhz * 1000 <= o->governor.khz[count - 1])
            return idle_fail(1109, &place, column, NULL,
                             "levels ascend, each above the one before");
        o->governor.khz[count++] = (uint32_t)mhz * 1000;
        at += length;
        if (*at == '\0')
            break;
    }
    o->governor.levels = count;
    return CLI_OK;
}

static int parse_level(const struct idle_options *o, const char *label, const char *text,
                       uint32_t *out)
{
    struct idle_place place = { .label = label, .text = text, .line = 1 };
    uint64_t n;

    if (!idle_parse_u64(text, strlen(text), &n) || n >= o->governor.levels)
        return idle_fail(1109, &place, 1, NULL, "\"%s\" is not one of the levels 0 to %u", text,
                         o->governor.levels - 1);
    *out = (uint32_t)n;
    return CLI_OK;
}

int idle_parse_governor(struct idle_options *o)
{
    struct idle_place place = { .label = "--governor", .text = o->governor_arg, .line = 1 };
    struct pc_governor_state trial = { 0, 0 };
    struct pc_error err;
    uint32_t load;
    size_t length;

    if (!o->governor_arg)
        return CLI_OK;
    int code = parse_governor_name(o, &place, &length);
    if (code == CLI_OK)
        code = parse_governor_numbers(o, o->governor_arg + length, &place);
    if (code == CLI_OK && o->levels_arg)
        code = parse_levels(o);
    o->recorded = o->governor.levels - 1;
    if (code == CLI_OK && o->start_arg)
        code = parse_level(o, "--start-level", o->start_arg, &o->start.level);
    if (code == CLI_OK && o->recorded_arg)
        code = parse_level(o, "--recorded-level", o->recorded_arg, &o->recorded);
    if (code == CLI_OK && pc_governor_step(&o->governor, 0, 0, &trial, &load, &err))
        code = idle_library_error(&err, &place);
    o->governed = true;
    return code;
}

/* --- options of the model that the verb has to know too --- */

void idle_note_options(struct idle_options *o)
{
    const char *text;

    for (size_t i = 0; (text = idle_option_at(o, i)) != NULL; i++) {
        if (strncmp(text, "idle-absent=", 12) == 0)
            o->absent_idle = strcmp(text + 12, "idle") == 0;
        else if (strncmp(text, "idle-not-all=", 13) == 0)
            o->cleared_rule = strcmp(text + 13, "cleared") == 0;
        else if (strncmp(text, "idle-overflow=", 14) == 0)
            o->saturate = strcmp(text + 14, "saturate") == 0;
    }
}

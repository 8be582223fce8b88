/* SPDX-License-Identifier: MIT */
/* Names of a waveform to wires: one for each bit that an event looks at. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

/* --- a set of wires --- */

static size_t hash(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key ^ key >> 29);
}

/* Place of the key, or the free place where it belongs. */
static size_t probe(const struct stat_wires *w, uint64_t key)
{
    size_t at = hash(key) & (w->slots - 1);

    while (w->slot[at] && w->key[w->slot[at] - 1] != key)
        at = (at + 1) & (w->slots - 1);
    return at;
}

/* Keeps the table at most half full. */
static bool grow_table(struct stat_wires *w)
{
    if (2 * (w->count + 1) <= w->slots)
        return true;
    size_t slots = w->slots ? 2 * w->slots : 64;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(w->slot);
    w->slot = slot;
    w->slots = slots;
    for (size_t i = 0; i < w->count; i++)
        w->slot[probe(w, w->key[i])] = (uint32_t)i + 1;
    return true;
}

/* Number of the wire; false if memory runs out. */
static bool add_wire(struct stat_wires *w, size_t var, uint32_t code, uint32_t bit, uint32_t *out)
{
    uint64_t key = (uint64_t)code << 32 | bit;
    void *bits = w->bit, *keys = w->key;

    if (!grow_table(w))
        return false;
    size_t at = probe(w, key);
    if (!w->slot[at]) {
        if (!cli_grow(&bits, &w->capacity, w->count + 1, sizeof *w->bit))
            return false;
        w->bit = bits;
        if (!cli_grow(&keys, &w->keys_capacity, w->count + 1, sizeof *w->key))
            return false;
        w->key = keys;
        w->bit[w->count] = (struct pc_wave_bit){ var, bit };
        w->key[w->count] = key;
        w->slot[at] = (uint32_t)++w->count;
    }
    *out = w->slot[at] - 1;
    return true;
}

void stat_free_wires(struct stat_wires *w)
{
    free(w->bit);
    free(w->key);
    free(w->slot);
}

/* --- names --- */

static enum pc_status fail(struct pc_error *err, unsigned code, const char *fmt, const char *name,
                           const char *what)
{
    *err = (struct pc_error){ .status = pc_explain(code)->status, .code = code };
    snprintf(err->text, sizeof err->text, fmt, name, what);
    return err->status;
}

enum pc_status stat_find_var(const struct pc_wave *wave, const char *name, size_t *var,
                             struct pc_wave_var *info, uint32_t *hi, uint32_t *lo,
                             struct pc_error *err)
{
    static const char *const kinds[] = { "bits", "a real", "a string", "an event" };
    enum pc_status status = pc_wave_find(wave, name, var, hi, lo, err);

    if (status)
        return status;
    status = pc_wave_get_var(wave, *var, info);
    if (status == PC_OK && info->kind != PC_VAR_BITS)
        return fail(err, 336, "\"%s\" is %s", info->name, kinds[info->kind]);
    return status;
}

/* The waveform does not have the name, as *err says: a signal of a bound domain? */
static enum pc_status lookup_bound(struct stat_wires *w, const char *name, uint32_t *out,
                                   size_t *count, struct pc_error *err)
{
    struct stat_bind *bind;
    uint32_t bit;
    enum pc_status status = stat_bind_find(w->binds, name, &bind, &bit, err);

    if (status)
        return status;
    *count = 1;
    return add_wire(w, bind->var, bind->code, bit, out)
               ? PC_OK
               : fail(err, 100, "out of memory for the signal \"%s\"%s", name, "");
}

enum pc_status stat_lookup(void *wires, const char *name, uint32_t *out, size_t capacity,
                           size_t *count, struct pc_error *err)
{
    struct stat_wires *w = wires;
    struct pc_wave_var info;
    uint32_t hi, lo;
    size_t var;
    enum pc_status status = stat_find_var(w->wave, name, &var, &info, &hi, &lo, err);

    if (status == PC_ENOENT && w->binds->count > 0)
        return lookup_bound(w, name, out, count, err);
    if (status)
        return status;
    *count = (size_t)hi - lo + 1;
    for (size_t i = 0; i < *count && i < capacity; i++)
        if (!add_wire(w, var, info.code, lo + (uint32_t)i, &out[i]))
            return fail(err, 100, "out of memory for the signal \"%s\"%s", name, "");
    return PC_OK;
}

/* A signal of one bit; the clock, or its condition. */
static int find_bit(struct pc_wave *wave, const char *name, const struct cli_place *place,
                    bool is_clock, struct pc_wave_bit *out)
{
    struct pc_wave_var info;
    struct pc_error err;
    uint32_t hi, lo;

    if (stat_find_var(wave, name, &out->var, &info, &hi, &lo, &err)) {
        if (is_clock)
            cli_near_clock(name, &err);
        err.line = 1;
        err.column = 1;
        return cli_library_error_at(&err, place);
    }
    if (hi != lo)
        return cli_error_at(306, place, 1, "name one bit of it",
                            "\"%s\" has %u bits where one is needed", name, hi - lo + 1);
    out->bit = lo;
    return CLI_OK;
}

int stat_find_clock(struct pc_wave *wave, const char *text, struct pc_wave_clock *out)
{
    struct cli_place place = { "--clock", text, 0 };
    struct stat_clock c;
    int code = stat_parse_clock(text, &c);

    *out = (struct pc_wave_clock){ .edge = c.edge, .has_iff = c.has_iff, .iff_low = c.iff_low };
    place.offset = c.clock_offset;
    if (code == CLI_OK && c.clock)
        code = find_bit(wave, c.clock, &place, true, &out->clock);
    place.offset = c.iff_offset;
    if (code == CLI_OK && c.iff)
        code = find_bit(wave, c.iff, &place, false, &out->iff);
    stat_free_clock(&c);
    return code;
}

struct names {
    struct stat_wires *wires;
    size_t count;
};

static enum pc_status look_up_name(void *names, const char *name, uint32_t *out, size_t capacity,
                                   size_t *count, struct pc_error *err)
{
    struct names *n = names;

    n->count++;
    return stat_lookup(n->wires, name, out, capacity, count, err);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Logic analysers have channels called 0, 1, ...: in an event without a signal they are meant. */
static void note_number(const char *text, const struct pc_wave *wave)
{
    while (*text != '\0') {
        char number[24];
        size_t n = 0, var;
        uint32_t hi, lo;

        while (is_digit(text[n]))
            n++;
        if (n > 0 && n < sizeof number) {
            snprintf(number, sizeof number, "%.*s", (int)n, text);
            if (pc_wave_find(wave, number, &var, &hi, &lo, NULL) == PC_OK) {
                cli_note(302,
                         "%s is a number here; the signal of that name is written \\%s, with a "
                         "blank behind it",
                         number, number);
                return;
            }
        }
        text += n ? n : 1;
    }
}

int stat_compile_event(struct stat_event *e, struct stat_wires *wires)
{
    struct names names = { wires, 0 };
    struct pc_error err;

    if (pc_expr_parse(NULL, e->text, &e->expr, &err))
        return cli_library_error_at(&err, &e->place);
    if (pc_expr_resolve(e->expr, look_up_name, &names, &err))
        return cli_library_error_at(&err, &e->place);
    if (names.count == 0)
        note_number(e->text, wires->wave);
    return CLI_OK;
}

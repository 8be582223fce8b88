/* SPDX-License-Identifier: MIT */
/*
 * Maps of pcounter idle: each gives the idle wire of an engine (1 is idle) an expression
 * over the signals of the waveform.  An argument is NAME=EXPRESSION, or a file with one
 * such line a wire.  And the clock that samples them.
 */
#include "text/chars.h"
#include "wave/event_list.h"
#include "idle.h"
#include "wave/wave_bits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *copy(const char *text, size_t length)
{
    char *out = malloc(length + 1);

    if (out) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
    return out;
}

/* The bit of an engine; names only, as a number would have no name for its column. */
static int find_wire(const struct idle_options *o, const char *name, size_t length,
                     const struct idle_place *place, unsigned *out)
{
    char text[40];
    struct pc_error err;
    uint32_t mask;

    if (length == 0 || !isalpha((unsigned char)name[0]) || memchr(name, '|', length))
        return idle_fail(1102, place, 1, NULL, "expected the name of an engine before the =");
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    if (pc_idle_mask(o->chip, text, &mask, &err))
        return idle_library_error(&err, place);
    for (*out = 0; !(mask >> *out & 1); ++*out)
        ;
    return CLI_OK;
}

/* NAME = EXPRESSION in text[0..length), which stands at `place`. */
static int add_map(struct idle_options *o, const char *text, size_t length, struct idle_place place)
{
    const char *equals = memchr(text, '=', length);
    size_t name = equals ? (size_t)(equals - text) : 0;
    struct idle_engine engine = { .place = place };

    if (!equals)
        return idle_fail(1102, &place, 1, NULL, "expected NAME = EXPRESSION");
    size_t at = name + 1;
    while (name > 0 && cli_is_blank(text[name - 1]))
        name--;
    int code = find_wire(o, text, name, &place, &engine.bit);
    if (code)
        return code;
    if (o->mapped >> engine.bit & 1)
        return idle_fail(1103, &place, 1, NULL, "%.*s is mapped a second time", (int)name, text);
    while (at < length && cli_is_blank(text[at]))
        at++;
    if (at == length)
        return idle_fail(1102, &place, (uint32_t)at, NULL, "expected an expression after the =");
    engine.place.offset += (uint32_t)at;
    engine.text = copy(text + at, length - at);
    if (!engine.text)
        return cli_no_memory();
    o->read.texts |= strchr(engine.text, '"') != NULL;
    idle_wire_name(o->chip, engine.bit, engine.name, sizeof engine.name);
    o->mapped |= UINT32_C(1) << engine.bit;
    o->engine[o->engines++] = engine;
    return CLI_OK;
}

static int load_maps(struct idle_options *o, const char *path)
{
    struct idle_place place = { .label = path };
    char *text;
    int code = idle_read_file(o, path, &text);
    size_t before = o->engines;

    place.text = text;
    for (const char *line = text; code == CLI_OK && *line;) {
        size_t whole = strcspn(line, "\n"), length = strcspn(line, "#\n"), from = 0;
        place.line++;
        while (length > 0 && cli_is_blank(line[length - 1]))
            length--;
        while (from < length && cli_is_blank(line[from]))
            from++;
        place.offset = (uint32_t)from;
        if (from < length)
            code = add_map(o, line + from, length - from, place);
        line += whole + (line[whole] == '\n');
    }
    if (code == CLI_OK && o->engines == before)
        return idle_fail(1102, NULL, 0, NULL, "%s maps nothing", path);
    return code;
}

int idle_parse_maps(struct idle_options *o)
{
    int code = CLI_OK;

    for (size_t i = 0; i < o->map_args.count && code == CLI_OK; i++) {
        const char *text = o->map_args.text[i];
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_' || cli_is_blank(text[n]))
            n++;
        struct idle_place place = { .label = "--map", .text = text, .line = 1 };
        /* anything but letters, digits and blanks before the =, or no = at all: a file */
        if (text[n] == '=')
            code = add_map(o, text, strlen(text), place);
        else if (strcmp(text, "-") != 0 && access(text, F_OK) != 0)
            code = idle_fail(906, &place, 1,
                             "Write it like --map 'GR=!top.gpu.busy', or name a file with one "
                             "NAME = EXPRESSION a line.",
                             "this is not NAME=EXPRESSION, and there is no file of that name");
        else
            code = load_maps(o, text);
    }
    return code;
}

/* --- signals of the waveform --- */

static bool add_wire(struct idle_wires *w, struct pc_wave_bit bit)
{
    if (w->count == w->capacity) {
        size_t capacity = w->capacity ? 2 * w->capacity : 64;
        struct pc_wave_bit *grown = realloc(w->bit, capacity * sizeof *grown);
        if (!grown)
            return false;
        w->bit = grown;
        w->capacity = capacity;
    }
    w->bit[w->count++] = bit;
    return true;
}

static enum pc_status lookup(void *ctx, const char *name, uint32_t *out, size_t capacity,
                             size_t *count, bool *is_signed, struct pc_error *err)
{
    struct idle_wires *w = ctx;
    struct pc_wave_bit *bit = calloc(capacity + 1, sizeof *bit);

    if (!bit)
        return cli_no_memory_of(err, name);
    enum pc_status status = cli_find_bits(w->wave, name, bit, capacity, count, 1111, err);
    for (size_t i = 0; status == PC_OK && i < *count && i < capacity; i++) {
        out[i] = (uint32_t)w->count;
        if (!add_wire(w, bit[i]))
            status = cli_no_memory_of(err, name);
    }
    *is_signed = status == PC_OK && pc_wave_is_signed(w->wave, name);
    free(bit);
    return status;
}

int idle_compile_maps(struct idle_options *o, struct idle_wires *wires)
{
    struct pc_error err;

    for (size_t i = 0; i < o->engines; i++) {
        struct idle_engine *e = &o->engine[i];
        if (pc_expr_parse(NULL, e->text, &e->expr, &err))
            return idle_library_error(&err, &e->place);
        pc_expr_values(e->expr, pc_wave_find_value, wires->wave);
        if (pc_expr_resolve(e->expr, lookup, wires, &err))
            return idle_library_error(&err, &e->place);
    }
    return CLI_OK;
}

/* --- the clock --- */

/* One wire of the text of --clock: the clock, or its condition. */
static int find_bit(struct pc_wave *wave, const char *text, const struct pc_clock_name *part,
                    bool is_clock, struct pc_wave_bit *out)
{
    const struct idle_place place = {
        .label = "--clock", .text = text, .line = 1, .offset = (uint32_t)(part->text - text)
    };
    struct pc_error err;
    size_t count;
    char *name = cli_copy_name(part->text, part->size);

    if (!name)
        return cli_no_memory();
    enum pc_status status = cli_find_bits(wave, name, out, 1, &count, 1111, &err);
    if (status && is_clock)
        cli_near_clock(name, &err);
    free(name);
    if (status) {
        err.column = 1;
        return idle_library_error(&err, &place);
    }
    if (count > 1)
        return idle_fail(1111, &place, 1, NULL, "\"%.*s\" has %zu bits where one is needed",
                         (int)part->size, part->text, count);
    return CLI_OK;
}

int idle_find_clock(struct pc_wave *wave, const char *text, struct pc_wave_clock *out)
{
    struct idle_place place = { .label = "--clock", .text = text, .line = 1 };
    struct pc_clock_text said;
    struct pc_error err;

    if (pc_wave_parse_clock(text, strlen(text), &said, &err))
        return idle_library_error(&err, &place);
    *out = (struct pc_wave_clock){ .edge = said.edge,
                                   .has_iff = said.has_iff,
                                   .iff_low = said.iff_low };
    if (said.is_expression)
        return idle_fail(331, &place, (uint32_t)(said.iff.text + said.iff.size - text) + 1, NULL,
                         "expected the end after the signal of iff");
    if (said.edge == PC_EDGE_PERIOD) {
        place.offset = (uint32_t)(said.clock.text - text);
        if (pc_wave_parse_period(wave, said.clock.text, said.clock.size, out, &err))
            return idle_library_error(&err, &place);
    } else if (said.edge != PC_EDGE_EVERY) {
        int code = find_bit(wave, text, &said.clock, true, &out->clock);
        if (code)
            return code;
    }
    return said.has_iff ? find_bit(wave, text, &said.iff, false, &out->iff) : CLI_OK;
}

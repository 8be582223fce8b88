/* SPDX-License-Identifier: MIT */
/* Names of a description as signals of a waveform: in its scope first, then by their paths. */
#include "described/described.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/chars.h"
#include "wave/event_list.h"
#include "wave/wave_bits.h"

/* --- --map: NAME = SIGNAL --- */

static int read_line(struct described_wires *w, char *line, uint32_t number)
{
    char *equals, *end = line + strcspn(line, "#");
    struct pc_error err;

    *end = '\0';
    while (cli_is_blank(*line))
        line++;
    while (end > line && cli_is_blank(end[-1]))
        *--end = '\0';
    if (*line == '\0')
        return CLI_OK;
    equals = strchr(line, '=');
    if (!equals || equals == line || equals[1] == '\0') {
        cli_fail(&err, 1906, "a line of a map is a name of the description, =, and a signal");
        err.line = number;
        return cli_error(&err, w->map_path, NULL);
    }
    void *array = w->row;
    if (!cli_grow(&array, &w->row_capacity, w->rows + 1, sizeof *w->row))
        return cli_no_memory();
    w->row = array;
    end = equals;
    *equals++ = '\0';
    while (end > line && cli_is_blank(end[-1]))
        *--end = '\0';
    while (cli_is_blank(*equals))
        equals++;
    w->row[w->rows++] = (struct described_row){ line, equals };
    return CLI_OK;
}

static int read_map(struct described_wires *w, const char *verb)
{
    size_t size;
    uint32_t number = 1;
    int code = cli_read_file(verb, w->map_path, 1 << 20, &w->map_text, &size);

    for (char *line = w->map_text; code == CLI_OK && *line; number++) {
        char *end = line + strcspn(line, "\n");
        const bool last = *end == '\0';
        *end = '\0';
        code = read_line(w, line, number);
        line = last ? end : end + 1;
    }
    return code;
}

/* The signal that the map gives the name, with the bits that were asked of it. */
static const char *mapped(const struct described_wires *w, const char *name, char *out, size_t size)
{
    for (size_t i = 0; i < w->rows; i++) {
        const size_t n = strlen(w->row[i].name);
        if (strncmp(name, w->row[i].name, n) == 0 && (name[n] == '\0' || name[n] == '[')) {
            snprintf(out, size, "%s%s", w->row[i].signal, name + n);
            return out;
        }
    }
    return name;
}

/* --- names --- */

enum pc_status described_bits(const struct described_wires *w, const char *name,
                              struct pc_wave_bit *bits, size_t capacity, size_t *count,
                              struct pc_error *err)
{
    char text[4096], whole[DESCRIBED_PATH];

    name = mapped(w, name, text, sizeof text);
    if (w->scope) {
        snprintf(whole, sizeof whole, "%s.%s", w->scope, name);
        /* it may fail: no error is asked for, since near names take a search of all */
        enum pc_status status = cli_find_bits(w->wave, whole, bits, capacity, count, 1906, NULL);
        if (status != PC_OK && status != PC_ENOENT && err)
            status = cli_find_bits(w->wave, whole, bits, capacity, count, 1906, err);
        if (status != PC_ENOENT)
            return status;
    }
    return cli_find_bits(w->wave, name, bits, capacity, count, 1906, err);
}

void described_path(const struct described_wires *w, const char *name, char out[DESCRIBED_PATH])
{
    char text[4096];
    size_t count;

    name = mapped(w, name, text, sizeof text);
    if (w->scope)
        snprintf(out, DESCRIBED_PATH, "%s.%s", w->scope, name);
    if (!w->scope || cli_find_bits(w->wave, out, NULL, 0, &count, 1906, NULL) == PC_ENOENT)
        snprintf(out, DESCRIBED_PATH, "%s", name);
}

int32_t described_low(const struct described_wires *w, const struct pc_wave_bit *bits, size_t count)
{
    struct pc_wave_var var;

    if (count == 0 || pc_wave_get_var(w->wave, bits->var, &var) != PC_OK || var.msb < var.lsb)
        return 0;
    return var.lsb;
}

static uint64_t key_of(const struct described_wires *w, const struct pc_wave_bit *bit)
{
    struct pc_wave_var var;
    const bool found = pc_wave_get_var(w->wave, bit->var, &var) == PC_OK;

    return (uint64_t)(found ? var.code : 0) << 32 | bit->bit;
}

static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static bool grow_table(struct described_wires *w)
{
    const size_t slots = w->slots ? 2 * w->slots : 1024;
    size_t *slot = calloc(slots, sizeof *slot);

    if (!slot)
        return false;
    for (size_t i = 0; i < w->bits; i++) {
        size_t at = mix(key_of(w, &w->bit[i])) & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = i + 1;
    }
    free(w->slot);
    w->slot = slot;
    w->slots = slots;
    return true;
}

/* The number of the bit in the stream; SIZE_MAX: no memory. */
static size_t number_of(struct described_wires *w, const struct pc_wave_bit *bit)
{
    const uint64_t key = key_of(w, bit);
    void *array = w->bit;

    if (2 * (w->bits + 1) > w->slots && !grow_table(w))
        return SIZE_MAX;
    size_t at = mix(key) & (w->slots - 1);
    for (; w->slot[at]; at = (at + 1) & (w->slots - 1))
        if (key_of(w, &w->bit[w->slot[at] - 1]) == key)
            return w->slot[at] - 1;
    if (!cli_grow(&array, &w->capacity, w->bits + 1, sizeof *w->bit))
        return SIZE_MAX;
    w->bit = array;
    w->bit[w->bits] = *bit;
    w->slot[at] = w->bits + 1;
    return w->bits++;
}

/* A name that is not there: all of them are told together. */
static void miss(struct described_wires *w, const char *name, const struct pc_error *err)
{
    char quoted[300];
    const size_t used = strlen(w->missing);

    snprintf(quoted, sizeof quoted, "%s%s", used ? ", " : "", name);
    const char *known = strstr(w->missing, name);
    if (known && (known[strlen(name)] == ',' || known[strlen(name)] == '\0'))
        return;
    w->missed++;
    if (used + strlen(quoted) + 8 < sizeof w->missing)
        memcpy(w->missing + used, quoted, strlen(quoted) + 1);
    else if (used > 4 && strcmp(w->missing + used - 3, "...") != 0)
        memcpy(w->missing + used, ", ...", 6);
    if (w->near[0] == '\0')
        snprintf(w->near, sizeof w->near, "%s", err->hint);
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, int32_t *low, struct pc_error *err)
{
    struct described_wires *w = ctx;
    struct pc_wave_bit *bits = calloc(PC_CORE_WIDTH, sizeof *bits);
    enum pc_status status = bits ? described_bits(w, name, bits, PC_CORE_WIDTH, count, err)
                                 : cli_no_memory_of(err, name);

    *low = 0;
    for (size_t i = 0; status == PC_OK && i < *count && i < capacity && i < PC_CORE_WIDTH; i++) {
        const size_t number = number_of(w, &bits[i]);
        if (number == SIZE_MAX)
            status = cli_no_memory_of(err, name);
        else
            wires[i] = (uint32_t)number;
    }
    if (status == PC_OK)
        *low = described_low(w, bits, *count);
    free(bits);
    return status;
}

enum { HINTED = 4 }; /* that many missing names are compared with those that are there */

static void find_missing(void *ctx, const char *name)
{
    struct described_wires *w = ctx;
    struct pc_error err = { .hint = "" };
    const bool near = w->near[0] == '\0' && w->missed < HINTED;
    size_t count;

    if (described_bits(w, name, NULL, 0, &count, near ? &err : NULL) == PC_ENOENT)
        miss(w, name, &err);
}

static int find_clock(struct described_wires *w)
{
    struct pc_wave_bit bit;
    struct pc_error err;
    size_t count = 0;
    enum pc_status status = described_bits(w, w->d->clock, &bit, 1, &count, &err);

    if (status == PC_ENOENT) {
        miss(w, w->d->clock, &err);
        return CLI_OK;
    }
    if (status)
        return cli_yaml_fail(&w->d->yaml, w->d->clock_node, err.code, err.hint, "%s", err.text);
    if (count != 1)
        return cli_yaml_fail(&w->d->yaml, w->d->clock_node, 1906, "name one bit of it",
                             "a clock is one bit, and %s has %zu", w->d->clock, count);
    w->clock = (struct pc_wave_clock){ .edge = w->d->negative ? PC_EDGE_NEG : PC_EDGE_POS,
                                       .clock = bit,
                                       .times = w->d->times };
    return CLI_OK;
}

static int tell_missing(const struct described_wires *w)
{
    struct pc_error err;

    cli_fail(&err, 1907, "not in the waveform: %s", w->missing);
    snprintf(err.hint, sizeof err.hint, "%s", w->near);
    return cli_error(&err, w->d->yaml.path, NULL);
}

int described_map(struct described_wires *w, struct described *d, struct pc_wave *wave,
                  const char *scope, const char *map)
{
    *w = (struct described_wires){
        .d = d, .wave = wave, .scope = scope ? scope : d->scope, .map_path = map
    };
    return map ? read_map(w, d->kind.verb) : CLI_OK;
}

int described_begin(struct described_wires *w)
{
    const int code = find_clock(w);

    if (code)
        return code;
    pc_core_signals(w->d->core, find_missing, w);
    return w->missed > 0 ? tell_missing(w) : CLI_OK;
}

int described_find(struct described_wires *w, struct described *d, struct pc_wave *wave,
                   const char *scope, const char *map)
{
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct pc_error err;
    unsigned stream;
    int code = described_map(w, d, wave, scope, map);

    if (code == CLI_OK)
        code = described_begin(w);
    if (code)
        return code;
    enum pc_status status = pc_core_resolve(d->core, look_up, w, &place, &err);
    if (status)
        return described_fail(d, &place, &err);
    if (w->bits == 0 && number_of(w, &w->clock.clock) == SIZE_MAX)
        return cli_no_memory();
    status = pc_wave_bind(wave, &w->clock, w->bit, w->bits, &stream, &err);
    return status ? cli_error(&err, d->yaml.path, NULL) : CLI_OK;
}

void described_drop(struct described_wires *w)
{
    free(w->bit);
    free(w->slot);
    free(w->map_text);
    free(w->row);
}

/* SPDX-License-Identifier: MIT */
/*
 * Protocols that a map defines, as expressions over its own names:
 *
 *   protocols:
 *     fifo: { beat: go & !full, stall: go & full, start: push, end: pop, by: "tag, out_tag" }
 *
 * Each expression is a plane of the bus's stream, and what it says a role of the protocol
 * handshake, so that all figures are as those of other protocols.
 */
#include "bus/bus_own.h"

#include <stdlib.h>
#include <string.h>

#include "wave/wave_bits.h"

/* Keys, in the order of the roles of the protocol handshake; the last two are roles of `by`. */
static const char *const keys[] = { "beat", "stall", "starve", "last", "start",
                                    "end",  "until", "error",  "by",   NULL };
enum { BEAT, STALL, STARVE, LAST, START, END, UNTIL, ERROR, BY, KEYS };
enum { ROLE_ID = BY, ROLE_RID };
enum { MOST_NAME = 8192 };

struct bus_own {
    char *name;
    struct bus_place place;
    char *text[KEYS + 1]; /* by roles; NULL: none */
    struct bus_place of[KEYS + 1];
    struct bus_own *next;
};

const char *bus_own_name(const struct bus_own *own)
{
    return own->name;
}

struct bus_own *bus_own_find(const struct bus_run *run, const char *name)
{
    struct bus_own *own = run->own;

    while (own && strcmp(own->name, name) != 0)
        own = own->next;
    return own;
}

void bus_own_close(struct bus_run *run)
{
    while (run->own) {
        struct bus_own *own = run->own;
        run->own = own->next;
        for (size_t i = 0; i <= KEYS; i++)
            free(own->text[i]);
        free(own->name);
        free(own);
    }
}

/* ---- a protocol of the map ---- */

static int read_by(const struct cli_yaml *y, const yaml_node_t *node, struct bus_own *own)
{
    const char *text = cli_yaml_text(node), *comma = text ? strchr(text, ',') : NULL;

    if (!comma)
        return cli_yaml_fail(y, node, 1837, NULL,
                             "by is two names: \"id of the start, id of the end\"");
    const char *second = comma + 1 + strspn(comma + 1, " ");
    size_t first = (size_t)(comma - text);
    while (first > 0 && text[first - 1] == ' ')
        first--;
    if (first == 0 || !second[0] || strchr(second, ','))
        return cli_yaml_fail(y, node, 1837, NULL,
                             "by is two names: \"id of the start, id of the end\"");
    own->text[ROLE_ID] = strndup(text, first);
    own->text[ROLE_RID] = strdup(second);
    own->of[ROLE_ID] = own->of[ROLE_RID] = bus_map_place(node);
    return own->text[ROLE_ID] && own->text[ROLE_RID] ? CLI_OK : cli_no_memory();
}

static int read_keys(struct cli_yaml *y, const yaml_node_t *node, struct bus_own *own)
{
    yaml_node_t *key, *value;
    int code = CLI_OK;

    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(y, node, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        size_t k = 0;
        while (k < KEYS && (!name || strcmp(keys[k], name) != 0))
            k++;
        if (k == KEYS)
            return bus_map_unknown(y, key, keys);
        code = k == BY ? read_by(y, value, own)
                       : bus_map_text(y, value, keys[k], &own->text[k], &own->of[k]);
    }
    if (code == CLI_OK && !own->text[BEAT])
        return cli_yaml_fail(y, node, 1837, NULL, "protocol %s has no beat", own->name);
    if (code == CLI_OK && !own->text[START] != !own->text[END])
        return cli_yaml_fail(y, node, 1837, NULL, "protocol %s has %s without %s", own->name,
                             own->text[START] ? "start" : "end",
                             own->text[START] ? "end" : "start");
    for (size_t k = UNTIL; code == CLI_OK && k < KEYS; k++)
        if (own->text[k] && !own->text[START])
            return cli_yaml_fail(y, node, 1837, NULL, "protocol %s has %s without start and end",
                                 own->name, keys[k]);
    return code;
}

int bus_own_read(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *key,
                 const yaml_node_t *node)
{
    const char *name = cli_yaml_text(key);
    const struct pc_bus_protocol *known;

    if (!name || !name[0])
        return cli_yaml_fail(y, key, 1837, NULL, "the name of a protocol is a text");
    if (pc_bus_protocol_find(name, &known, NULL) == PC_OK)
        return cli_yaml_fail(y, key, 1837, NULL, "there is a protocol %s already", name);
    if (bus_own_find(run, name))
        return cli_yaml_fail(y, key, 1837, NULL, "there is a protocol %s already, in line %u", name,
                             bus_own_find(run, name)->place.line);
    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(y, node, 1837, NULL,
                             "a protocol is a mapping: beat, stall, start, end ...");
    struct bus_own *own = calloc(1, sizeof *own);
    if (!own)
        return cli_no_memory();
    own->next = run->own;
    run->own = own;
    own->place = bus_map_place(key);
    own->name = strdup(name);
    return own->name ? read_keys(y, node, own) : cli_no_memory();
}

/* ---- a bus of it ---- */

int bus_own_signals(struct cli_yaml *y, const yaml_node_t *node, struct bus_item *item)
{
    yaml_node_t *key, *value;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(y, node, 1837, NULL, "signals is a mapping of names to signals");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(y, node, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        void *array = item->alias;
        if (!name || !name[0])
            return cli_yaml_fail(y, key, 1837, NULL, "a name is a text");
        if (!cli_grow(&array, &item->alias_capacity, item->aliases + 1, sizeof *item->alias))
            return cli_no_memory();
        item->alias = array;
        struct bus_alias *a = &item->alias[item->aliases++];
        *a = (struct bus_alias){ .name = strdup(name) };
        code =
            a->name ? bus_map_text(y, value, "a signal", &a->signal, &a->place) : cli_no_memory();
    }
    return code;
}

/* Returns what the map has for the name of an expression, else the name. */
static const char *signal_of(struct bus_item *item, const char *name, char *room, size_t size)
{
    for (size_t i = 0; i < item->aliases; i++) {
        struct bus_alias *a = &item->alias[i];
        const size_t n = strlen(a->name);
        if (strncmp(a->name, name, n) != 0 || (name[n] != '\0' && name[n] != '['))
            continue;
        a->used = true;
        snprintf(room, size, "%s%s", a->signal, name + n);
        return room;
    }
    return name;
}

int bus_own_roles(struct bus_item *item)
{
    char room[MOST_NAME];

    for (size_t i = 0; i <= KEYS; i++) {
        if (!item->own->text[i])
            continue;
        const char *text = item->own->text[i];
        item->role[i] = strdup(i < ROLE_ID ? text : signal_of(item, text, room, sizeof room));
        item->of_role[i] = item->own->of[i];
        if (!item->role[i])
            return cli_no_memory();
    }
    return CLI_OK;
}

/* ---- expressions ---- */

struct look_up {
    const struct bus_run *run;
    struct bus_item *item;
    struct bus_stream *stream;
    bool no_memory;
};

/* A name with its slice: the wires are planes of the stream. */
static enum pc_status find(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err)
{
    struct look_up *l = ctx;
    char room[MOST_NAME];
    const char *signal = signal_of(l->item, name, room, sizeof room);
    const struct pc_wave *wave = l->run->wave;
    struct bus_stream *s = l->stream;
    void *array = s->bit;
    enum pc_status status = cli_find_bits(wave, signal, NULL, 0, count, 1835, err);

    if (status || *count > capacity)
        return status;
    l->no_memory = !cli_grow(&array, &s->capacity, s->bits + *count, sizeof *s->bit);
    if (l->no_memory)
        return cli_no_memory_of(err, signal);
    s->bit = array;
    status = cli_find_bits(wave, signal, s->bit + s->bits, *count, count, 1835, err);
    for (size_t i = 0; status == PC_OK && i < *count; i++)
        wires[i] = (uint32_t)s->bits++;
    *is_signed = status == PC_OK && pc_wave_is_signed(wave, signal);
    return status;
}

/* Adds a plane for the expression of the role to the stream. */
static enum pc_status calculate(struct bus_run *run, struct bus_item *item, size_t role,
                                uint32_t *wire, struct pc_error *err)
{
    struct bus_stream *s = &run->stream[item->stream];
    struct look_up l = { run, item, s, false };
    struct bus_calculated c = { .expr = NULL };
    void *array = s->calculated;
    enum pc_status status = pc_expr_parse(NULL, item->role[role], &c.expr, err);

    if (status == PC_OK)
        status = pc_expr_resolve(c.expr, find, &l, err);
    if (status == PC_OK &&
        !cli_grow(&array, &s->calculated_capacity, s->calculations + 1, sizeof *s->calculated))
        status = cli_no_memory_of(err, item->role[role]);
    else if (status == PC_OK)
        s->calculated = array;
    array = s->bit;
    c.plane = calloc(2 * PC_BLOCK_WORDS, sizeof *c.plane);
    if (status == PC_OK &&
        (!c.plane || !cli_grow(&array, &s->capacity, s->bits + 1, sizeof *s->bit)))
        status = cli_no_memory_of(err, item->role[role]);
    if (status) {
        pc_expr_free(c.expr);
        free(c.plane);
        return status;
    }
    s->bit = array;
    s->bit[s->bits] = s->clock.clock; /* its place, which the expression takes */
    c.at = s->bits++;
    s->calculated[s->calculations++] = c;
    *wire = (uint32_t)c.at;
    return PC_OK;
}

int bus_own_take(struct bus_run *run, struct bus_item *item, size_t role, struct pc_bus_wires *out)
{
    uint32_t *wire = calloc(1, sizeof *wire);
    struct pc_error err;

    if (!wire)
        return cli_no_memory();
    out->wire = wire;
    out->width = 1;
    return calculate(run, item, role, wire, &err)
               ? bus_wrong_name(run, item, keys[role], item->of_role[role], &err)
               : CLI_OK;
}

/* A name that no expression of the protocol has is a mistake. */
int bus_own_check(const struct bus_run *run, const struct bus_item *item)
{
    struct pc_error err;

    for (size_t i = 0; i < item->aliases; i++) {
        if (item->alias[i].used)
            continue;
        cli_fail(&err, 1831, "protocol %s has no name %s", item->own->name, item->alias[i].name);
        snprintf(err.hint, sizeof err.hint, "its names are those in its expressions");
        return bus_wrong_name(run, item, "signals", item->alias[i].place, &err);
    }
    return CLI_OK;
}

bool bus_own_block(struct bus_stream *s, struct pc_wave_block *block)
{
    const size_t words = (size_t)(block->cycles + 63) / 64;

    if (s->calculations == 0)
        return true;
    if (!s->value)
        s->value = calloc(2 * s->bits, sizeof *s->value);
    if (!s->value)
        return false;
    for (size_t i = 0; i < s->bits; i++) {
        s->value[i] = block->value[i];
        s->value[s->bits + i] = block->unknown[i];
    }
    for (size_t i = 0; i < s->calculations; i++) {
        struct bus_calculated *c = &s->calculated[i];
        uint64_t *value = c->plane, *unknown = c->plane + PC_BLOCK_WORDS;
        pc_expr_eval(c->expr, block->value, block->unknown, words, (uint32_t)block->cycles, value,
                     unknown);
        for (size_t w = 0; w < words; w++)
            value[w] &= ~unknown[w];
        s->value[c->at] = value;
        s->value[s->bits + c->at] = unknown;
    }
    block->value = s->value;
    block->unknown = s->value + s->bits;
    return true;
}

void bus_own_close_stream(struct bus_stream *s)
{
    for (size_t i = 0; i < s->calculations; i++) {
        pc_expr_free(s->calculated[i].expr);
        free(s->calculated[i].plane);
    }
    free(s->calculated);
    free(s->value);
}

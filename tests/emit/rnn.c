/* SPDX-License-Identifier: MIT */
#include "rnn.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ---- */

static const struct {
    const char *tag, *parents, *attributes;
} grammar[] = {
    { "database", "", " xmlns xmlns:xsi xsi:schemaLocation " },
    { "import", " database ", " file " },
    { "domain", " database ", " name bare prefix " },
    { "array", " domain ", " name offset stride length variants " },
    { "stripe", " array stripe ", " offset stride length variants " },
    { "reg32", " array stripe ", " name offset stride length access variants " },
    { "bitfield", " reg32 ", " name low high shr variants " },
    { "value", " bitfield ", " name value variants " },
    { "doc", " reg32 bitfield value ", "" },
};

static bool listed(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = strstr(list, word); at && n; at = strstr(at + 1, word))
        if (at > list && at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

static bool fail(struct rnn *db, const char *problem)
{
    db->problem = problem;
    return false;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '-' || c == '.';
}

/* Ends a name with a NUL; returns the character that was there. */
static char cut_name(char **at)
{
    while (is_name(**at))
        ++*at;
    char end = **at;
    *(*at)++ = '\0';
    return end;
}

static bool in_grammar(struct rnn *db, const struct rnn_node *n)
{
    for (size_t i = 0; i < sizeof grammar / sizeof grammar[0]; i++) {
        if (strcmp(grammar[i].tag, n->tag) != 0)
            continue;
        const char *parent = n->parent < 0 ? "" : db->node[n->parent].tag;
        if (n->parent < 0 ? grammar[i].parents[0] != '\0' : !listed(grammar[i].parents, parent))
            return fail(db, "an element in the wrong place");
        for (size_t k = 0; k < n->attributes; k++)
            if (!listed(grammar[i].attributes, n->name[k]))
                return fail(db, n->name[k]);
        return true;
    }
    return fail(db, n->tag);
}

/* Attributes after a tag, `end` is what stood after the tag; *empty for "/>". */
static bool attributes(struct rnn *db, struct rnn_node *n, char **at, char end, bool *empty)
{
    *empty = false;
    for (;;) {
        while (end == ' ' || end == '\n')
            end = *(*at)++;
        if (end == '>')
            return true;
        if (end == '/') {
            *empty = true;
            return *(*at)++ == '>' || fail(db, "no > behind /");
        }
        if (!is_name(end) || n->attributes == RNN_ATTRIBUTES)
            return fail(db, "no attribute where one was expected");
        --*at;
        n->name[n->attributes] = *at;
        if (cut_name(at) != '=' || **at != '"')
            return fail(db, "no =\" behind an attribute");
        n->value[n->attributes++] = ++*at;
        while (**at != '"')
            if (strchr("<&", *(*at)++)) /* NUL as well */
                return fail(db, "a value with <, & or without an end");
        *(*at)++ = '\0';
        end = *(*at)++;
    }
}

static bool is_entity(const char *at)
{
    return strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
           strncmp(at, "&amp;", 5) == 0;
}

static bool element(struct rnn *db, char **at, int *open)
{
    if (**at == '/') {
        char *tag = ++*at;
        if (cut_name(at) != '>' || *open < 0 || strcmp(tag, db->node[*open].tag) != 0)
            return fail(db, "the end of an element that is not open");
        *open = db->node[*open].parent;
        return true;
    }
    if (db->nodes == RNN_NODES)
        return fail(db, "too many elements");
    struct rnn_node *n = &db->node[db->nodes];
    *n = (struct rnn_node){ .tag = *at, .parent = *open };
    bool empty;
    char end = cut_name(at);
    if (!attributes(db, n, at, end, &empty) || !in_grammar(db, n))
        return false;
    if (!empty)
        *open = db->nodes;
    db->nodes++;
    return true;
}

bool rnn_parse(struct rnn *db, char *text)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    int open = -1;

    db->nodes = 0;
    db->problem = NULL;
    if (strncmp(text, head, sizeof head - 1) != 0)
        return fail(db, "the first line");
    for (char *at = text + sizeof head - 1; *at;) {
        if (strncmp(at, "<!--", 4) == 0) {
            at = strstr(at, "-->");
            if (!at)
                return fail(db, "a comment without an end");
            at += 3;
        } else if (*at == '<') {
            at++;
            if (!element(db, &at, &open))
                return false;
        } else if (*at == '&' && !is_entity(at)) {
            return fail(db, "& in a text");
        } else if (!isspace((unsigned char)*at) &&
                   (open < 0 || strcmp(db->node[open].tag, "doc") != 0)) {
            return fail(db, "text outside of <doc>");
        } else {
            at++;
        }
    }
    return open < 0 || fail(db, "an element that is not closed");
}

const char *rnn_attribute(const struct rnn *db, int node, const char *name)
{
    const struct rnn_node *n = &db->node[node];

    for (size_t i = 0; i < n->attributes; i++)
        if (strcmp(n->name[i], name) == 0)
            return n->value[i];
    return NULL;
}

uint32_t rnn_number(const struct rnn *db, int node, const char *name, uint32_t other)
{
    const char *text = rnn_attribute(db, node, name);

    return text ? (uint32_t)strtoul(text, NULL, 0) : other;
}

/* ---- variants ---- */

static const struct pc_chip *chip_named(const char *name, size_t size)
{
    char text[32];

    if (size >= sizeof text)
        return NULL;
    memcpy(text, name, size);
    text[size] = '\0';
    return pc_chip_find(text);
}

/* "G92", "NV30:NV40", "G84-"; a name that is none is in no range. */
static bool in_range(const char *range, size_t size, const struct pc_chip *chip)
{
    size_t n = strcspn(range, ":- ");
    const struct pc_chip *from = chip_named(range, n), *to;

    if (!from || n >= size)
        return from == chip;
    if (range[n] == '-')
        return n + 1 == size && chip->order >= from->order;
    to = chip_named(range + n + 1, size - n - 1);
    return to && chip->order >= from->order && chip->order < to->order;
}

bool rnn_has(const struct rnn *db, int node, const struct pc_chip *chip)
{
    for (; node >= 0; node = db->node[node].parent) {
        const char *list = rnn_attribute(db, node, "variants");
        bool found = list == NULL;
        while (list && *list) {
            size_t n = strcspn(list, " ");
            found = found || in_range(list, n, chip);
            list += n + (list[n] == ' ');
        }
        if (!found)
            return false;
    }
    return true;
}

/* ---- addresses ---- */

/* Does the register hit, with all stripes around it?  Its indices, outermost first. */
static bool hits(const struct rnn *db, int reg, uint32_t offset, struct rnn_place *out)
{
    int level[RNN_INDICES], levels = 0;

    for (int n = reg; strcmp(db->node[n].tag, "array") != 0; n = db->node[n].parent) {
        if (levels == RNN_INDICES)
            return false;
        level[levels++] = n;
        offset -= rnn_number(db, n, "offset", 0);
    }
    uint32_t count = 1, extent = 4;
    for (int i = 0; i < levels; i++) {
        uint32_t length = rnn_number(db, level[i], "length", 1);
        count *= length;
        extent += (length - 1) * rnn_number(db, level[i], "stride", 4);
    }
    if (offset >= extent)
        return false;
    /* strides need not grow outwards: all indices are tried */
    for (uint32_t k = 0; k < count; k++) {
        uint32_t rest = k, at = 0;
        out->indices = 0;
        for (int i = levels; i-- > 0;) { /* outermost first: its index changes fastest */
            uint32_t length = rnn_number(db, level[i], "length", 1), index = rest % length;
            rest /= length;
            at += index * rnn_number(db, level[i], "stride", 4);
            if (length > 1)
                out->index[out->indices++] = index;
        }
        if (at == offset)
            return true;
    }
    return false;
}

struct rnn_place rnn_decode(const struct rnn *db, const struct pc_chip *chip, uint32_t address)
{
    struct rnn_place place = { .node = -1 };

    for (int i = 0; i < db->nodes; i++) {
        if (strcmp(db->node[i].tag, "reg32") != 0)
            continue;
        int array = db->node[i].parent;
        while (strcmp(db->node[array].tag, "array") != 0)
            array = db->node[array].parent;
        if (hits(db, i, address - rnn_number(db, array, "offset", 0), &place) &&
            rnn_has(db, i, chip)) {
            place.node = i;
            return place;
        }
    }
    return place;
}

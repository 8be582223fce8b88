/* SPDX-License-Identifier: MIT */
/*
 * A table of the user's: `chip,domain,position,name[,description[,mux]]`.  All rows are checked,
 * those of this chip become entries; if one is wrong, none is kept.  The text is RFC 4180 CSV
 * with comment lines, but no field goes over a line end.
 */
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"
#include "lang/names/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MAX = 16 << 20, FIELD_MAX = 512, FIELDS = 6 };
enum { F_CHIP, F_DOMAIN, F_POSITION, F_NAME, F_ABOUT, F_MUX };

struct row {
    uint32_t line;
    size_t fields;
    uint32_t column[FIELDS];
    char text[FIELDS][FIELD_MAX];
    const struct pc_chip *chip; /* NULL: "*" */
};

/* ---- CSV ---- */

struct line {
    const char *at, *end, *start;
    uint32_t number;
};

static uint32_t column_of(const struct line *l, const char *at)
{
    return (uint32_t)(at - l->start) + 1;
}

static enum pc_status malformed(const struct line *l, const char *at, const char *what,
                                struct pc_error *err)
{
    return pc_fail_at(err, 1411, l->number, column_of(l, at), "%s", what);
}

static enum pc_status quoted_field(struct line *l, char out[FIELD_MAX], struct pc_error *err)
{
    const char *open = l->at++;
    size_t size = 0;

    for (; l->at < l->end; l->at++) {
        if (*l->at == '"' && (l->at + 1 == l->end || l->at[1] != '"'))
            break;
        if (size + 1 == FIELD_MAX)
            return malformed(l, open, "the field is longer than 511 bytes", err);
        l->at += *l->at == '"';
        out[size++] = *l->at;
    }
    if (l->at == l->end)
        return malformed(l, open, "the quotation mark is not closed on this line", err);
    l->at++;
    out[size] = '\0';
    while (l->at < l->end && *l->at == ' ')
        l->at++;
    if (l->at < l->end && *l->at != ',')
        return malformed(l, l->at, "a comma is expected after the quotation mark", err);
    return PC_OK;
}

static enum pc_status plain_field(struct line *l, char out[FIELD_MAX], struct pc_error *err)
{
    const char *from = l->at, *to;

    while (l->at < l->end && *l->at != ',')
        l->at++;
    for (to = l->at; to > from && to[-1] == ' '; to--)
        ;
    if (to - from >= FIELD_MAX)
        return malformed(l, from, "the field is longer than 511 bytes", err);
    const char *quote = memchr(from, '"', (size_t)(to - from));
    if (quote)
        return malformed(l, quote, "a quotation mark inside of a field without one before it", err);
    memcpy(out, from, (size_t)(to - from));
    out[to - from] = '\0';
    return PC_OK;
}

static enum pc_status cut(struct line *l, struct row *row, struct pc_error *err)
{
    row->line = l->number;
    row->fields = 0;
    for (;;) {
        while (l->at < l->end && *l->at == ' ')
            l->at++;
        if (row->fields == FIELDS)
            return pc_fail_at(err, 1410, l->number, column_of(l, l->at),
                              "a seventh field; there are chip, domain, position, name, "
                              "description and mux");
        size_t f = row->fields++;
        row->column[f] = column_of(l, l->at);
        bool quoted = l->at < l->end && *l->at == '"';
        enum pc_status status = (quoted ? quoted_field : plain_field)(l, row->text[f], err);
        if (status)
            return status;
        for (const char *c = row->text[f]; *c; c++)
            if ((unsigned char)*c < ' ')
                return malformed(l, l->start + row->column[f] - 1, "a control character", err);
        if (l->at == l->end)
            return PC_OK;
        l->at++;
    }
}

/* ---- fields ---- */

static enum pc_status bad_field(const struct row *row, size_t f, unsigned code, const char *what,
                                struct pc_error *err)
{
    return pc_fail_at(err, code, row->line, row->column[f], "\"%.60s\" %s", row->text[f], what);
}

static enum pc_status check_chip(struct row *row, struct pc_error *err)
{
    char near[100];

    row->chip = NULL;
    if (strcmp(row->text[F_CHIP], "*") == 0 || (row->chip = pc_chip_find(row->text[F_CHIP])))
        return PC_OK;
    enum pc_status status = bad_field(row, F_CHIP, 1412, "is not a chip", err);
    pc_chip_near(row->text[F_CHIP], near, sizeof near);
    pc_hint(err, near[0] ? "did you mean %s?" : "`pcounter list chips` shows them%s", near);
    return status;
}

/* Returns true if the domain of the chip is the one that is named, "gpc1" being that of all
 * GPCs. */
static bool meant(const struct pc_chip_domain *d, const char *name)
{
    char every[24];

    if (strcmp(d->name, name) == 0)
        return true;
    if (d->set != PC_SET_GPC && d->set != PC_SET_PART)
        return false;
    snprintf(every, sizeof every, "%s%u", d->set == PC_SET_GPC ? "gpc" : "part", d->domain);
    return strcmp(every, name) == 0;
}

/* Finds the size of the domain, 0 for chips of "*" that have none. */
static enum pc_status check_domain(const struct row *row, const struct pc_chip *chip,
                                   unsigned *size, struct pc_error *err)
{
    struct pc_chip_domain d;
    struct pc_chip of_set;
    unsigned ignored;

    *size = 0;
    for (unsigned i = 0; pc_chip_get_domain(chip, i, &d); i++) {
        if (!meant(&d, row->text[F_DOMAIN]))
            continue;
        enum pc_status status = pc_chip_of_set(chip, d.set, &of_set, err);
        if (status == PC_OK)
            *size = of_set.domain[d.domain].size;
        return status;
    }
    if (!row->chip)
        return PC_OK;
    enum pc_status status = pc_chip_find_domain(chip, row->text[F_DOMAIN], &ignored, err);
    char hint[sizeof err->hint] = "";
    if (status == PC_OK && err) /* pdaemon */
        err->hint[0] = '\0';
    if (err)
        memcpy(hint, err->hint, sizeof hint);
    status = pc_fail_at(err, 1413, row->line, row->column[F_DOMAIN], "%s has no domain \"%.60s\"",
                        chip->name, row->text[F_DOMAIN]);
    pc_hint(err, "%s", hint);
    return status;
}

static enum pc_status check_position(const struct row *row, unsigned size, unsigned *out,
                                     struct pc_error *err)
{
    const char *text = row->text[F_POSITION];
    char *end = NULL;

    if (!nm_by_position(text, out)) {
        bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
        const char *digits = text + 2 * hex;
        bool starts = hex ? pc_is_hex(*digits) : pc_is_digit(*digits);
        unsigned long value = starts ? strtoul(digits, &end, hex ? 16 : 10) : 0;
        if (!starts || *end)
            return bad_field(row, F_POSITION, 1414,
                             "is not a position: s2a, 0x2a or a decimal number is expected", err);
        *out = value < PC_MAX_SIGNALS ? (unsigned)value : PC_MAX_SIGNALS;
    }
    if (*out < PC_MAX_SIGNALS && (size == 0 || *out < size))
        return PC_OK;
    enum pc_status status = bad_field(row, F_POSITION, 1414, "is outside of the domain", err);
    if (size > 0)
        pc_hint(err, "it has signals s00 to s%02x", size - 1);
    return status;
}

/* Words with dots between them, each with indices after it; and nothing that reads as a number. */
static enum pc_status check_name(const struct row *row, struct pc_error *err)
{
    const char *name = row->text[F_NAME], *c = name;
    bool digits = true;
    unsigned ignored;

    if (strlen(name) >= NM_NAME_MAX)
        return bad_field(row, F_NAME, 1415, "is longer than 63 bytes", err);
    for (; digits && *c; c++)
        digits = pc_is_hex(*c);
    if (*name && digits)
        return bad_field(row, F_NAME, 1415, "reads as a hexadecimal number in a script", err);
    if (nm_by_position(name, &ignored))
        return bad_field(row, F_NAME, 1415, "is what a signal is called by its position", err);
    for (c = name; pc_is_word(*c) && !pc_is_digit(*c);) {
        while (pc_is_word(*c))
            c++;
        while (*c == '[' && pc_is_digit(c[1])) {
            const char *index = c + 1 + strspn(c + 1, "0123456789");
            if (*index != ']')
                break;
            c = index + 1;
        }
        if (*c == '\0')
            return PC_OK;
        if (*c++ != '.')
            break;
    }
    return bad_field(row, F_NAME, 1415,
                     "is not a name: letters, digits and _, with dots between words and [N] "
                     "after them",
                     err);
}

/* Checks SOURCE, GROUP, SOURCE=VALUE or ADDRESS=VALUE. */
static enum pc_status check_setting(const struct row *row, const char *word, size_t size,
                                    struct pc_error *err)
{
    char name[FIELD_MAX];
    struct pc_source source;
    size_t key = strcspn(word, "= ");
    uint32_t column = row->column[F_MUX] + (uint32_t)(word - row->text[F_MUX]);
    bool set = key < size, address = word[0] == '0' && word[1] == 'x';
    uint32_t value;

    if (set && !pc_read_u32(word + key + 1, size - key - 1, &value))
        return pc_fail_at(err, 1417, row->line, column + (uint32_t)key + 1,
                          "\"%.*s\" is not a value: a number is expected after \"=\"",
                          (int)(size - key - 1), word + key + 1);
    if (address && set && strspn(word + 2, "0123456789abcdefABCDEF") == key - 2 && key > 2)
        return PC_OK;
    if (address)
        return pc_fail_at(err, 1417, row->line, column, "\"%.*s\" is not ADDRESS=VALUE", (int)size,
                          word);
    snprintf(name, sizeof name, "%.*s", (int)key, word);
    if (pc_source_find(name, &source, err) == PC_OK)
        return PC_OK;
    char hint[sizeof err->hint] = "";
    if (err)
        memcpy(hint, err->hint, sizeof hint);
    enum pc_status status = pc_fail_at(err, 1417, row->line, column,
                                       "\"%.60s\" is neither a source nor ADDRESS=VALUE", name);
    pc_hint(err, "%s", hint);
    return status;
}

static enum pc_status check_mux(const struct row *row, struct pc_error *err)
{
    for (const char *word = row->text[F_MUX]; *word;) {
        size_t size = strcspn(word, " ");
        enum pc_status status = check_setting(row, word, size, err);
        if (status)
            return status;
        word += size;
        word += strspn(word, " ");
    }
    return PC_OK;
}

static enum pc_status check(struct row *row, const struct pc_chip *own, unsigned *position,
                            struct pc_error *err)
{
    static const char *const what[] = { "the chip", "the domain", "the position", "the name" };
    unsigned size = 0;

    for (size_t f = 0; f <= F_NAME; f++)
        if (f >= row->fields || row->text[f][0] == '\0')
            return pc_fail_at(err, 1410, row->line,
                              f < row->fields ? row->column[f] : row->column[row->fields - 1],
                              "%s is missing: a row is "
                              "chip,domain,position,name[,description[,mux]]",
                              what[f]);
    for (size_t f = row->fields; f < FIELDS; f++)
        row->text[f][0] = '\0';
    enum pc_status status = check_chip(row, err);
    if (status == PC_OK)
        status = check_domain(row, row->chip ? row->chip : own, &size, err);
    if (status == PC_OK)
        status = check_position(row, size, position, err);
    if (status == PC_OK)
        status = check_name(row, err);
    return status ? status : check_mux(row, err);
}

/* ---- entries ---- */

/* Checks for another row of this table with the position or the name; two names for one are two
 * mistakes. */
static enum pc_status check_twice(const struct pc_names *n, size_t old, const struct row *row,
                                  const struct nm_entry *e, struct pc_error *err)
{
    for (size_t i = old; i < n->entries; i++) {
        const struct nm_entry *other = &n->entry[i];
        if (other->domain != e->domain)
            continue;
        if (other->position == e->position)
            return pc_fail_at(err, 1416, row->line, row->column[F_POSITION],
                              "signal s%02x of domain %s is named twice: line %u has it",
                              e->position, n->domain[e->domain].place.name, (unsigned)other->line);
        if (nm_is_called(n, other, row->text[F_NAME]))
            return pc_fail_at(err, 1416, row->line, row->column[F_NAME],
                              "the name \"%.60s\" is used twice in domain %s: also in line %u",
                              row->text[F_NAME], n->domain[e->domain].place.name,
                              (unsigned)other->line);
    }
    for (size_t i = 0; i < old; i++) {
        const struct nm_entry *other = &n->entry[i];
        if (other->domain == e->domain && other->kind != PC_SIG_RAW && other->line == 0 &&
            other->position != e->position && nm_is_called(n, other, row->text[F_NAME]))
            return pc_fail_at(err, 1415, row->line, row->column[F_NAME],
                              "\"%.60s\" is signal s%02x, which the unit drives itself",
                              row->text[F_NAME], other->position);
    }
    return PC_OK;
}

static enum pc_status add(struct pc_names *n, size_t old, const struct row *row, unsigned d,
                          unsigned position, struct pc_error *err)
{
    struct pc_chip of_set;
    struct nm_entry e = {
        .domain = (uint16_t)d,
        .position = (uint8_t)position,
        .confidence = PC_CONF_USER,
        .filter = -1,
        .line = row->line,
    };
    enum pc_status status = pc_chip_of_set(n->chip, n->domain[d].place.set, &of_set, err);

    if (status == PC_OK)
        status = check_twice(n, old, row, &e, err);
    if (status)
        return status;
    struct pc_signal_info info = pc_chip_signal(&of_set, n->domain[d].place.domain, position);
    e.kind = (uint8_t)info.kind;
    e.index = (uint8_t)info.index;
    if (!nm_keep(n, row->text[F_NAME], strlen(row->text[F_NAME]), &e.name) ||
        !nm_keep(n, row->text[F_ABOUT], strlen(row->text[F_ABOUT]), &e.about) ||
        !nm_keep(n, row->text[F_MUX], strlen(row->text[F_MUX]), &e.mux) ||
        !nm_keep(n, "user", 4, &e.origin) || !nm_add(n, &e))
        return pc_fail(err, 100, "out of memory for the names of %s", n->chip->name);
    return PC_OK;
}

static enum pc_status take(struct pc_names *n, size_t old, struct row *row, size_t *used,
                           struct pc_error *err)
{
    unsigned position;
    bool here = false;
    enum pc_status status = check(row, n->chip, &position, err);

    if (status || (row->chip && row->chip != n->chip))
        return status;
    for (unsigned d = 0; d < n->domains; d++) {
        if (!meant(&n->domain[d].place, row->text[F_DOMAIN]))
            continue;
        status = add(n, old, row, d, position, err);
        if (status)
            return status;
        here = true;
    }
    *used += here;
    return PC_OK;
}

/* Removes a row of the tables, or of a table before this one, with the same position or name. */
static void replace(struct pc_names *n, size_t old)
{
    for (size_t i = old; i < n->entries; i++) {
        const struct nm_entry *e = &n->entry[i];
        for (size_t o = 0; o < old; o++) {
            struct nm_entry *other = &n->entry[o];
            if (other->domain == e->domain && (other->kind == PC_SIG_RAW || other->line > 0) &&
                (other->position == e->position || nm_is_called(n, other, nm_text(n, e->name))))
                other->dead = true;
        }
    }
}

/* The titles of the columns may stand above them. */
static bool is_header(const struct row *row)
{
    return strcmp(row->text[F_CHIP], "chip") == 0;
}

static enum pc_status load(struct pc_names *n, size_t old, const char *text, size_t size,
                           size_t *used, struct pc_error *err)
{
    const char *end = text + size, *next;
    struct row row = { .fields = 0 };
    bool first = true;

    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    for (uint32_t number = 1; text < end; number++, text = next) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        struct line l = { text, stop > text && stop[-1] == '\r' ? stop - 1 : stop, text, number };
        const char *nul = memchr(text, '\0', (size_t)(stop - text));
        if (nul)
            return malformed(&l, nul, "a zero byte: this is not a text", err);
        while (l.at < l.end && *l.at == ' ')
            l.at++;
        if (l.at == l.end || *l.at == '#')
            continue;
        enum pc_status status = cut(&l, &row, err);
        if (status == PC_OK && !(first && is_header(&row)))
            status = take(n, old, &row, used, err);
        if (status)
            return status;
        first = false;
    }
    return PC_OK;
}

enum pc_status pc_names_load(struct pc_names *n, const char *text, size_t size, size_t *added,
                             struct pc_error *err)
{
    size_t entries = n->entries, arena = n->arena_used, used = 0;

    if (size > TABLE_MAX)
        return pc_fail(err, 1418, "the table has %zu bytes; at most %d are read", size, TABLE_MAX);
    enum pc_status status = load(n, entries, text, size, &used, err);
    if (status) {
        n->entries = entries;
        n->arena_used = arena;
        return status;
    }
    replace(n, entries);
    nm_settle(n);
    if (added)
        *added = used;
    return PC_OK;
}

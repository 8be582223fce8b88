/* SPDX-License-Identifier: MIT */
/* Parses --value and --latency, and finds the names in them.  See stat_measure.h. */
#include "stat.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

/* --- the text --- */

struct text {
    const char *label, *argument;
    size_t end; /* of the piece that is read */
};

static int wrong(const struct text *t, size_t at, const char *hint, const char *what)
{
    const struct cli_place place = { t->label, t->argument, 0 };

    return cli_error_at(1810, &place, (uint32_t)at + 1, hint, "%s", what);
}

static const char usage_latency[] = "write it like 'rd = ar_valid & ar_ready -> r_valid & r_ready "
                                    "until flush by ar_id, r_id'";

/* The first place from `at` on where `what` stands outside of an escaped name and of a text;
 * `end`: nowhere. */
static size_t find(const char *text, size_t at, size_t end, const char *what)
{
    const size_t n = strlen(what);

    for (; at < end; at++) {
        if (text[at] == '\\')
            while (at < end && !cli_is_space(text[at]))
                at++;
        if (text[at] == '"')
            at = cli_skip_text(text, at);
        if (at + n <= end && memcmp(text + at, what, n) == 0)
            return at;
    }
    return end;
}

/* The word with blanks around it. */
static size_t find_word(const char *text, size_t at, size_t end, const char *word)
{
    for (;; at++) {
        at = find(text, at, end, word);
        if (at == end ||
            (at > 0 && cli_is_space(text[at - 1]) && cli_is_space(text[at + strlen(word)])))
            return at;
    }
}

static int take_text(struct stat_measure *m, struct stat_piece *p, const struct text *t,
                     size_t begin, size_t end, const char *what)
{
    while (begin < end && cli_is_space(t->argument[begin]))
        begin++;
    while (end > begin && cli_is_space(t->argument[end - 1]))
        end--;
    if (begin == end)
        return wrong(t, begin, m->kind == STAT_LATENCY ? usage_latency : NULL, what);
    /* the blank that ends an escaped name is part of it */
    end += memchr(t->argument + begin, '\\', end - begin) && cli_is_space(t->argument[end]);
    p->place = (struct cli_place){ t->label, t->argument, (uint32_t)begin };
    p->text = cli_copy(t->argument + begin, end - begin);
    return p->text ? CLI_OK : cli_no_memory();
}

static int take_piece(struct stat_measure *m, const struct text *t, size_t begin, size_t end,
                      const char *what)
{
    const int code = take_text(m, &m->piece[m->pieces], t, begin, end, what);

    m->pieces += code == CLI_OK;
    return code;
}

/* by IDS, IDE */
static int take_ids(struct stat_measure *m, const struct text *t, size_t begin, size_t end)
{
    const size_t comma = find(t->argument, begin, end, ",");

    if (comma == end)
        return wrong(t, end, usage_latency,
                     "expected a comma and the identifier of the end after that of the start");
    const int code =
        take_piece(m, t, begin, comma, "expected the identifier of the start after by");
    return code ? code
                : take_piece(m, t, comma + 1, end,
                             "expected the identifier of the end after the comma");
}

/* START -> END [until EXPR] [by IDS, IDE], the last two in either order */
static int take_latency(struct stat_measure *m, const struct text *t, size_t begin)
{
    static const char by_word[] = "by", until_word[] = "until";
    const char *text = t->argument;
    const size_t arrow = find(text, begin, t->end, "->");
    const size_t by = find_word(text, arrow, t->end, by_word);
    const size_t until = find_word(text, arrow, t->end, until_word);

    if (arrow == t->end)
        return wrong(t, t->end, usage_latency, "expected -> and the end after the start");
    int code = take_piece(m, t, begin, arrow, "expected the start before ->");
    if (code == CLI_OK)
        code = take_piece(m, t, arrow + 2, by < until ? by : until, "expected the end after ->");
    if (code == CLI_OK && until < t->end)
        code = take_text(m, &m->drop[STAT_UNTIL], t, until + sizeof until_word - 1,
                         by > until ? by : t->end, "expected an expression after until");
    if (code == CLI_OK && by < t->end)
        code = take_ids(m, t, by + sizeof by_word - 1, until > by ? until : t->end);
    return code;
}

/* Figures are named after it: rd.p99. */
static int check_name(const struct stat_measures *all, const struct stat_measure *m,
                      const struct text *t)
{
    const struct cli_place place = { t->label, t->argument, 0 };

    if (strcmp(m->name, "cycles") == 0 || strcmp(m->name, "seconds") == 0)
        return cli_error_at(339, &place, 1, NULL, "%s is not a name for a measurement", m->name);
    for (size_t i = 0; i + 1 < all->count; i++)
        if (strcmp(all->item[i].name, m->name) == 0)
            return cli_error_at(334, &place, 1, "give one another name: NAME=...",
                                "the name %.60s was given to another measurement", m->name);
    return CLI_OK;
}

int stat_measure_add(struct stat_measures *all, enum stat_measure_kind kind, const char *label,
                     const char *argument)
{
    const struct text t = { label, argument, strlen(argument) };
    void *array = all->item;
    size_t from = 0, name, after = 0;
    const char *clock = NULL;
    size_t clock_size = 0;
    const size_t skip = cli_clock_before(argument, t.end, &clock, &clock_size);
    const size_t named = cli_name_before_equals(argument + skip, &name, &after);

    struct stat_measure *m = cli_one_more(&array, &all->capacity, &all->count, sizeof *m);
    all->item = array;
    if (!m)
        return cli_no_memory();
    all->texts |= strchr(argument, '"') != NULL;
    m->kind = kind;
    m->label = label;
    m->argument = argument;
    m->named = named > 0;
    m->at = clock;
    m->at_size = clock_size;
    name += skip;
    from = skip + (named ? after : 0);
    int code = kind == STAT_VALUE ? take_piece(m, &t, from, t.end, "expected a vector")
                                  : take_latency(m, &t, from);
    if (code)
        return code;
    m->text = argument + from + strspn(argument + from, " ");
    m->name = named                ? cli_copy(argument + name, named)
              : kind == STAT_VALUE ? cli_copy(m->piece[0].text, strlen(m->piece[0].text))
                                   : cli_copy(argument + skip, t.end - skip);
    return m->name ? check_name(all, m, &t) : cli_no_memory();
}

/* --- names --- */

/* Returns the text in the parentheses of "$signed(x)" or "$unsigned(x)"; NULL if it is neither. */
static char *inside(const char *text, bool *is_signed)
{
    static const char *const words[] = { "$unsigned", "$signed" };

    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(words[i]), end = strlen(text);
        size_t at = n;
        if (strncmp(text, words[i], n) != 0)
            continue;
        while (cli_is_space(text[at]))
            at++;
        if (text[at] != '(' || end == 0 || text[end - 1] != ')')
            continue;
        *is_signed = i == 1;
        return cli_copy_name(text + at + 1, end - at - 2);
    }
    return NULL;
}

/* Is it a name, a slice, and nothing else? */
static bool is_name(const char *text)
{
    if (text[0] == '\\')
        return true;
    for (const char *p = text; *p; p++)
        if (!cli_is_word(*p) && !strchr(".$[]:# ", *p) && (unsigned char)*p < 0x80)
            return false;
    return !cli_is_digit(text[0]);
}

static int too_wide(const struct stat_piece *p)
{
    return cli_error_at(1800, &p->place, 1, "choose a part of it, like v[63:0]",
                        "%.100s has %zu bits, and values have up to %d", p->text, p->wires,
                        STAT_VECTOR);
}

static int find_vector(struct stat_piece *p, struct stat_wires *wires)
{
    struct pc_error err;
    bool given = false, is_signed = false;
    char *name = inside(p->text, &is_signed);

    given = name != NULL;
    if (!name)
        name = cli_copy_name(p->text, strlen(p->text));
    if (!name)
        return cli_no_memory();
    const enum pc_status status = stat_lookup(wires, name, p->wire, STAT_VECTOR, &p->wires,
                                              given ? &(bool){ false } : &is_signed, &err);
    free(name);
    if (status) {
        err.line = err.column = 1;
        return cli_library_error_at(&err, &p->place);
    }
    p->is_signed = is_signed;
    return p->wires <= STAT_VECTOR ? CLI_OK : too_wide(p);
}

static int find_expression(struct stat_piece *p, struct stat_wires *wires)
{
    struct pc_error err;

    if (pc_expr_parse(NULL, p->text, &p->expr, &err))
        return cli_library_error_at(&err, &p->place);
    pc_expr_values(p->expr, pc_wave_find_value, wires->wave);
    return pc_expr_resolve(p->expr, stat_lookup, wires, &err)
               ? cli_library_error_at(&err, &p->place)
               : CLI_OK;
}

static bool is_vector(const struct stat_measure *m, unsigned piece)
{
    bool is_signed;
    char *name;

    if (m->kind == STAT_LATENCY)
        return piece >= STAT_START_ID;
    if (is_name(m->piece[piece].text))
        return true;
    name = inside(m->piece[piece].text, &is_signed);
    const bool is = name && is_name(name);
    free(name);
    return is;
}

static int create(struct stat_measure *m)
{
    struct pc_error err;
    enum pc_status status;

    if (m->kind == STAT_VALUE) {
        status = pc_values_create(NULL, m->piece[0].expr ? 1 : (unsigned)m->piece[0].wires,
                                  m->piece[0].is_signed, &m->values, &err);
    } else {
        struct pc_latency_desc desc = { .alloc = NULL };
        if (m->pieces > STAT_START_ID) {
            desc.start_id_bits = (unsigned)m->piece[STAT_START_ID].wires;
            desc.end_id_bits = (unsigned)m->piece[STAT_END_ID].wires;
        }
        status = pc_latency_create(&desc, &m->latency, &err);
    }
    return status ? cli_library_error_at(&err, &m->piece[0].place) : CLI_OK;
}

const char *stat_calculated_value(const struct stat_measures *m, size_t i)
{
    const struct stat_measure *item = &m->item[i];

    return item->kind == STAT_VALUE && !is_vector(item, 0) ? item->piece[0].text : NULL;
}

const struct cli_place *stat_value_place(const struct stat_measures *m, size_t i)
{
    return &m->item[i].piece[0].place;
}

/* --value of an expression: the wires of what is calculated. */
static int find_calculated(struct stat_piece *p, size_t n, struct stat_wires *wires)
{
    struct pc_error err;
    bool is_signed = false;

    if (stat_described_value(wires, n, p->wire, STAT_VECTOR, &p->wires, &is_signed, &err))
        return cli_library_error_at(&err, &p->place);
    p->is_signed = is_signed;
    return p->wires <= STAT_VECTOR ? CLI_OK : too_wide(p);
}

/* Finds what drops transactions in flight: the own `until`, and the reset of all. */
static int find_drops(struct stat_measure *m, const char *reset, struct stat_wires *wires)
{
    struct stat_piece *p = &m->drop[STAT_RESET];
    int code = CLI_OK;

    if (reset && !p->text) {
        p->place = (struct cli_place){ "--reset", reset, 0 };
        p->text = cli_copy(reset, strlen(reset));
        code = p->text ? CLI_OK : cli_no_memory();
    }
    for (unsigned k = 0; k < STAT_DROPS && code == CLI_OK; k++)
        if (m->drop[k].text)
            code = find_expression(&m->drop[k], wires);
    return code;
}

int stat_measure_open(struct stat_job *j, struct stat_wires *wires)
{
    int code = CLI_OK;

    for (size_t i = 0; i < j->measures.count && code == CLI_OK; i++) {
        struct stat_measure *m = &j->measures.item[i];
        for (unsigned k = 0; k < m->pieces && code == CLI_OK; k++)
            code = is_vector(m, k)         ? find_vector(&m->piece[k], wires)
                   : m->kind == STAT_VALUE ? find_calculated(&m->piece[k], i, wires)
                                           : find_expression(&m->piece[k], wires);
        if (code == CLI_OK && m->kind == STAT_LATENCY)
            code = find_drops(m, j->measures.reset, wires);
        if (code == CLI_OK)
            code = create(m);
    }
    return code;
}

void stat_measure_close(struct stat_measures *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct stat_measure *m = &all->item[i];
        for (unsigned k = 0; k < 4; k++) {
            free(m->piece[k].text);
            pc_expr_free(m->piece[k].expr);
        }
        for (unsigned k = 0; k < STAT_DROPS; k++) {
            free(m->drop[k].text);
            pc_expr_free(m->drop[k].expr);
        }
        free(m->name);
        pc_values_destroy(m->values);
        pc_latency_destroy(m->latency);
        pc_dist_destroy(m->sum.dist.dist);
        pc_dist_destroy(m->sum.outstanding.dist);
    }
    free(all->item);
    free(all->room);
    free(all->planes);
}

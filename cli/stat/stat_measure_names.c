/* SPDX-License-Identifier: MIT */
/* Finds the names in --value, --latency, --states and --level.  See stat_measure.h. */
#include "stat_machine.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

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
    bool is_signed = false, ignored = false;
    char *name = inside(p->text, &is_signed);
    const bool given = name != NULL;

    if (!name)
        name = cli_copy_name(p->text, strlen(p->text));
    if (!name)
        return cli_no_memory();
    const enum pc_status status = stat_lookup(wires, name, p->wire, STAT_VECTOR, &p->wires,
                                              given ? &ignored : &is_signed, &err);
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
    if (is_name(m->piece[piece].text) || m->kind == STAT_LEVEL)
        return is_name(m->piece[piece].text);
    name = inside(m->piece[piece].text, &is_signed);
    const bool is = name && is_name(name);
    free(name);
    return is;
}

static int create(struct stat_measure *m, const struct stat_measures *all,
                  const struct stat_wires *wires)
{
    struct pc_error err;
    enum pc_status status;

    if (m->kind == STAT_STATES)
        return stat_machine_open(m, all, wires);
    if (m->kind == STAT_LEVEL) {
        status = pc_level_create(
            &(struct pc_level_desc){ .start = m->start, .capacity = m->capacity }, &m->level, &err);
    } else if (m->kind == STAT_VALUE) {
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

    const bool vector = item->kind == STAT_VALUE || item->kind == STAT_STATES;

    return vector && !is_vector(item, 0) ? item->piece[0].text : NULL;
}

struct stat_measures stat_measures_like(const struct stat_measures *m)
{
    return (struct stat_measures){
        .histogram = m->histogram, .reset = m->reset, .names = m->names, .drawn = m->drawn
    };
}

bool stat_measure_has(const struct stat_measures *all, enum stat_measure_kind kind)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->item[i].kind == kind)
            return true;
    return false;
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

/* All that comes in and goes out has its planes at once. */
static int check_bits(const struct stat_measure *m)
{
    size_t bits = 0;

    for (unsigned k = 0; k < m->pieces; k++)
        bits += m->piece[k].expr ? 1 : m->piece[k].wires;
    return bits <= STAT_LEVEL_BITS
               ? CLI_OK
               : cli_error_at(1800, &m->piece[0].place, 1, "choose parts of them, like n[7:0]",
                              "what comes in and goes out has %zu bits, and up to %d are added",
                              bits, STAT_LEVEL_BITS);
}

int stat_measure_open(struct stat_job *j, struct stat_wires *wires)
{
    int code = CLI_OK;

    for (size_t i = 0; i < j->measures.count && code == CLI_OK; i++) {
        struct stat_measure *m = &j->measures.item[i];
        for (unsigned k = 0; k < m->pieces && code == CLI_OK; k++)
            code = is_vector(m, k) ? find_vector(&m->piece[k], wires)
                   : stat_calculated_value(&j->measures, i)
                       ? find_calculated(&m->piece[k], i, wires)
                       : find_expression(&m->piece[k], wires);
        if (code == CLI_OK && (m->kind == STAT_LATENCY || m->kind == STAT_LEVEL))
            code = find_drops(m, j->measures.reset, wires);
        if (code == CLI_OK && m->kind == STAT_LEVEL)
            code = check_bits(m);
        if (code == CLI_OK)
            code = create(m, &j->measures, wires);
    }
    return code;
}

void stat_measure_close(struct stat_measures *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct stat_measure *m = &all->item[i];
        for (unsigned k = 0; k < STAT_PIECES; k++) {
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
        pc_level_destroy(m->level);
        stat_machine_close(m->machine);
        pc_dist_destroy(m->sum.dist.dist);
        pc_dist_destroy(m->sum.outstanding.dist);
    }
    free(all->item);
    free(all->room);
    free(all->planes);
    free(all->wanted);
}

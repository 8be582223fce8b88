/* SPDX-License-Identifier: MIT */
/* The states of --states.  See stat_machine.h. */
#include "stat_machine.h"

#include <stdlib.h>
#include <string.h>

/* --- open, close --- */

int stat_machine_open(struct stat_measure *m, const struct stat_measures *all,
                      const struct stat_wires *wires)
{
    const struct stat_piece *piece = &m->piece[0];
    struct stat_machine *k = m->machine = calloc(1, sizeof *k);
    struct pc_error err;

    if (!k)
        return cli_no_memory();
    k->width = piece->expr ? 1 : (unsigned)piece->wires;
    k->is_signed = piece->is_signed;
    if (all->drawn && !(k->bins = calloc(1, sizeof *k->bins)))
        return cli_no_memory();
    const struct pc_states_desc desc = { .width = k->width,
                                         .is_signed = k->is_signed,
                                         .stay = k->bins ? stat_bins_add : NULL,
                                         .ctx = k->bins };
    if (pc_states_create(&desc, &k->states, &err))
        return cli_library_error_at(&err, &piece->place);
    return stat_machine_names(m, all, wires);
}

void stat_machine_close(struct stat_machine *k)
{
    if (!k)
        return;
    pc_states_destroy(k->states);
    for (size_t i = 0; i < k->names; i++)
        free(k->name[i].text);
    free(k->name);
    free(k->row);
    free(k->move);
    free(k->order);
    free(k->bins);
    free(k);
}

int stat_machine_add(struct stat_measure *m, const uint64_t *const *value,
                     const uint64_t *const *unknown, uint64_t cycles)
{
    struct pc_error err;

    return pc_states_add(m->machine->states, value, unknown, cycles, &err)
               ? cli_library_error_at(&err, &m->piece[0].place)
               : CLI_OK;
}

/* --- rows --- */

const char *stat_state_text(const struct stat_node *state)
{
    return state->name ? state->name : state->digits;
}

static int order(struct pc_wide a, struct pc_wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}

static int by_value(const void *a, const void *b)
{
    return order(((const struct stat_node *)a)->value, ((const struct stat_node *)b)->value);
}

static int by_states(const void *a, const void *b)
{
    const struct stat_move *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static struct pc_wide wide_of(const struct stat_machine *k, uint64_t value)
{
    return (struct pc_wide){ .low = value, .high = k->is_signed && value >> 63 ? -1 : 0 };
}

const struct stat_node *stat_machine_row(const struct stat_machine *k, uint64_t value)
{
    const struct stat_node key = { .value = wide_of(k, value) };

    return k->rows ? bsearch(&key, k->row, k->rows, sizeof *k->row, by_value) : NULL;
}

static struct stat_node *new_row(struct stat_machine *k, struct pc_wide value)
{
    struct stat_node *row = &k->row[k->rows++];

    *row = (struct stat_node){ .value = value, .state = STAT_NO_STATE };
    pc_wide_text(value, row->digits);
    return row;
}

/* All states that have a name or were there, by their values. */
static int make_rows(struct stat_machine *k)
{
    const size_t most = k->names + k->f.states;
    struct pc_states_state f;
    void *array = k->row;

    if (!cli_grow(&array, &k->row_capacity, most + 1, sizeof *k->row))
        return cli_no_memory();
    k->row = array;
    k->rows = 0;
    for (size_t i = 0; i < k->names; i++)
        new_row(k, wide_of(k, k->name[i].value))->name = k->name[i].text;
    const size_t named = k->rows; /* sorted as the names are */
    for (size_t i = 0; pc_states_at(k->states, false, i, &f); i++) {
        const struct stat_node key = { .value = f.value };
        struct stat_node *row =
            named ? bsearch(&key, k->row, named, sizeof *k->row, by_value) : NULL;
        if (!row)
            row = new_row(k, f.value);
        row->state = i;
    }
    qsort(k->row, k->rows, sizeof *k->row, by_value);
    k->states_seen = k->f.states;
    return CLI_OK;
}

/* The transitions, by their states' rows. */
static int make_moves(struct stat_machine *k)
{
    size_t *row_of = calloc(k->f.states + 1, sizeof *row_of);
    struct pc_states_pair pair;
    void *array = k->move;

    if (!row_of || !cli_grow(&array, &k->move_capacity, k->f.pairs + 1, sizeof *k->move)) {
        free(row_of);
        return cli_no_memory();
    }
    k->move = array;
    for (size_t i = 0; i < k->rows; i++)
        if (k->row[i].state != STAT_NO_STATE)
            row_of[k->row[i].state] = i;
    for (k->moves = 0; pc_states_transition(k->states, false, k->moves, &pair); k->moves++)
        k->move[k->moves] = (struct stat_move){ .pair = k->moves,
                                                .from = row_of[pair.from],
                                                .to = row_of[pair.to] };
    free(row_of);
    if (k->moves > 0)
        qsort(k->move, k->moves, sizeof *k->move, by_states);
    k->pairs_seen = k->f.pairs;
    return CLI_OK;
}

/* Those that were there come first, as figures have them. */
static int make_order(struct stat_machine *k)
{
    void *array = k->order;
    size_t n = 0;

    if (!cli_grow(&array, &k->order_capacity, k->rows + 1, sizeof *k->order))
        return cli_no_memory();
    k->order = array;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < k->rows; i++)
            if ((k->row[i].f.cycles > 0) == (pass == 0))
                k->order[n++] = i;
        k->there = pass == 0 ? n : k->there;
    }
    return CLI_OK;
}

int stat_machine_take(struct stat_measure *m, bool part)
{
    struct stat_machine *k = m->machine;
    struct pc_states_pair pair;
    int code = CLI_OK;

    pc_states_get_figures(k->states, part, &k->f);
    k->part = part;
    const bool more = k->f.states != k->states_seen || k->rows == 0;
    if (more)
        code = make_rows(k);
    if (code == CLI_OK && (more || k->f.pairs != k->pairs_seen))
        code = make_moves(k);
    for (size_t i = 0; i < k->rows && code == CLI_OK; i++)
        if (k->row[i].state != STAT_NO_STATE)
            (void)pc_states_at(k->states, part, k->row[i].state, &k->row[i].f);
    for (size_t i = 0; i < k->moves && code == CLI_OK; i++) {
        (void)pc_states_transition(k->states, part, k->move[i].pair, &pair);
        k->move[i].count = pair.count;
    }
    if (code == CLI_OK)
        code = make_order(k);
    m->out.cycles = k->f.cycles;
    m->out.unknown = k->f.unknown;
    return code;
}

void stat_machine_next(struct stat_measure *m)
{
    pc_states_next(m->machine->states);
}

bool stat_machine_stays(const struct stat_machine *k, size_t row)
{
    return k->row[row].state != STAT_NO_STATE && k->row[row].state == k->f.last &&
           k->row[row].f.visits == 1;
}

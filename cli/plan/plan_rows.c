/* SPDX-License-Identifier: MIT */
/*
 * Events that are known configurations of a chip (`pcounter list metrics`): the inputs of a row
 * back to expressions, so that the planner can move them.  Sums are sums; what counts in one
 * input may be in any counter; other modes keep their sources and counters.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

bool plan_find_row(const struct pc_chip *chip, const char *name, struct pc_metric_row *out)
{
    for (size_t i = 0; pc_metric_row_at(i, out); i++)
        if (strcmp(out->name, name) == 0 && pc_names_chip_listed(out->chips, chip->name))
            return true;
    return false;
}

static int refuse(const struct plan_event *e, const char *why)
{
    return cli_error_at(1507, &e->place, 1, NULL, "%s: %s", e->name, why);
}

/* The domain of the first unit. */
static int find_domain(const struct plan_job *j, struct plan_event *e,
                       const struct pc_metric_row *row)
{
    struct pc_chip_domain place;
    char why[120];

    for (unsigned d = 0; pc_chip_get_domain(j->chip, d, &place); d++)
        if (place.set == row->set && place.unit == 0 && place.domain == row->domain) {
            e->domain = d;
            return CLI_OK;
        }
    snprintf(why, sizeof why, "it is counted in domain %s%u, which %s does not have in this model",
             cli_set_name(row->set), row->domain, j->chip->name);
    return refuse(e, why);
}

static unsigned source_of(const struct pc_metric_row *row, unsigned input, unsigned i)
{
    return row->src[input] >> (8 * i) & 0xff;
}

static enum pc_status by_position(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                                  size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)ctx;
    (void)capacity;
    (void)err;
    wires[0] = (uint32_t)strtoul(name + 1, NULL, 16);
    *count = 1;
    return PC_OK;
}

/* Writes what an input computes, with signals as "s2a" or, for people, by their names. */
static int input_text(const struct plan_job *j, const struct plan_event *e,
                      const struct pc_metric_row *row, unsigned input, bool named, char *out,
                      size_t size)
{
    char name[4][PC_SIGNAL_NAME];
    struct pc_decompile_names names = { .setflag = "setflag" };
    struct pc_error err;

    for (unsigned i = 0; i < 4; i++) {
        if (named)
            plan_signal_name(j, e->domain, source_of(row, input, i), name[i], sizeof name[i]);
        else
            snprintf(name[i], sizeof name[i], "s%02x", source_of(row, input, i));
        names.source[i] = name[i];
    }
    if (pc_decompile_op(j->chip, (enum pc_input_id)input, row->op[input], &names, out, size, &err))
        return cli_library_error_at(&err, &e->place);
    return CLI_OK;
}

static int input_expr(const struct plan_job *j, const struct plan_event *e,
                      const struct pc_metric_row *row, unsigned input, struct pc_expr **out)
{
    struct pc_error err;
    char text[1000];
    int code = input_text(j, e, row, input, false, text, sizeof text);

    if (code)
        return code;
    if (pc_expr_parse(NULL, text, out, &err) || pc_expr_resolve(*out, by_position, NULL, &err))
        return cli_library_error_at(&err, &e->place);
    return CLI_OK;
}

/* --- the three kinds of rows --- */

/* EVENT alone, and any counter will do. */
static int take_plain(struct plan_job *j, struct plan_event *e, const struct pc_metric_row *row,
                      unsigned input)
{
    char text[1000];
    int code = input_text(j, e, row, input, true, text, sizeof text);

    if (code == CLI_OK && !(e->text = cli_copy(text, strlen(text))))
        code = cli_no_memory();
    return code ? code : input_expr(j, e, row, input, &e->expr);
}

/* EVENT_B4, EVENT_B6: START_SRC[0..3] and EVENT_SRC[2..3] are the number (PC.MODE.2, PC.MODE.3). */
static int take_sum(struct plan_job *j, struct plan_event *e, const struct pc_metric_row *row)
{
    char condition[1000], name[PC_SIGNAL_NAME], text[2000] = "sum(";
    int code = input_text(j, e, row, PC_INPUT_EVENT, true, condition, sizeof condition);

    e->sum_bits = row->ctr_mode[7] == '4' ? 4 : 6;
    for (unsigned i = 0; i < e->sum_bits; i++)
        e->sum[i] =
            i < 4 ? source_of(row, PC_INPUT_START, i) : source_of(row, PC_INPUT_EVENT, i - 2);
    for (unsigned i = e->sum_bits; i-- > 0;) {
        plan_signal_name(j, e->domain, e->sum[i], name, sizeof name);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", name,
                 i > 0 ? ", " : ") iff ");
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s", condition);
    if (code == CLI_OK && !(e->text = cli_copy(text, strlen(text))))
        code = cli_no_memory();
    return code ? code : input_expr(j, e, row, PC_INPUT_EVENT, &e->expr);
}

/* All that the row gives, as it gives it. */
static int take_fixed(struct plan_job *j, struct plan_event *e, const struct pc_metric_row *row)
{
    const char *digits = row->ctr_mode + strcspn(row->ctr_mode, "567");
    char text[1000], all[2000] = "";

    e->fixed = calloc(1, sizeof *e->fixed);
    if (!e->fixed)
        return cli_no_memory();
    bool simple = !row->ctr_mode[0] || strcmp(row->ctr_mode, "SIMPLE") == 0;
    e->fixed->ctr_mode = simple ? "SIMPLE" : plan_keep(j, digits);
    if (!e->fixed->ctr_mode)
        return cli_no_memory();
    for (unsigned s = 0; s < PLAN_SLOTS; s++) {
        for (unsigned i = 0; i < 4; i++)
            e->fixed->pinned[s][i] =
                !simple && (row->src_given >> s & 1) ? (int16_t)source_of(row, s, i) : PC_NO_SIGNAL;
        if (!(row->src_given & row->op_given & 1u << s))
            continue;
        int code = input_text(j, e, row, s, true, text, sizeof text);
        if (code == CLI_OK)
            code = input_expr(j, e, row, s, &e->input[s]);
        if (code)
            return code;
        e->fixed->input[s] = e->input[s];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s: %s", all[0] ? "; " : "",
                 pc_input_name((enum pc_input_id)s), text);
    }
    e->text = cli_copy(all, strlen(all));
    return e->text ? CLI_OK : cli_no_memory();
}

/* --- rows --- */

static int take_inputs(struct plan_job *j, struct plan_event *e, const struct pc_metric_row *row)
{
    unsigned both = row->src_given & row->op_given, given = row->src_given | row->op_given;
    const unsigned event = 1u << PC_INPUT_EVENT;

    if (!both || (row->op_given & ~row->src_given))
        return refuse(e, "the table does not have all of its sources and operations");
    if (strcmp(row->ctr_mode, "EVENT_B4") == 0 || strcmp(row->ctr_mode, "EVENT_B6") == 0)
        return both & event && (row->src_given & 1u << PC_INPUT_START)
                   ? take_sum(j, e, row)
                   : refuse(e, "the table does not have the sources of its number");
    bool simple = !row->ctr_mode[0] || strcmp(row->ctr_mode, "SIMPLE") == 0;
    for (unsigned s = 0; s < PLAN_SLOTS; s++)
        if (simple && given == 1u << s)
            return take_plain(j, e, row, s);
    return take_fixed(j, e, row);
}

int plan_take_row(struct plan_job *j, struct plan_event *e, const struct pc_metric_row *row)
{
    int code = find_domain(j, e, row);

    if (code == CLI_OK)
        code = take_inputs(j, e, row);
    return code ? code : plan_take_settings(j, e, row->mux);
}

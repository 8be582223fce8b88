/* SPDX-License-Identifier: MIT */
/*
 * pcounter plan: events and metrics onto the counters of a chip, in few passes.  Nothing is
 * printed before the whole plan is there.
 */
#include "plan.h"
#include "complete/complete.h"

#include <stdlib.h>
#include <string.h>

/* --- the command line --- */

/* Returns the options for the next -e.  Those of the -e before are dropped, except its domain. */
static struct plan_next *next_of(struct plan_options *o)
{
    if (o->next.used)
        o->next = (struct plan_next){ .domain = o->next.domain };
    return &o->next;
}

static int take_list(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct plan_options *o = field;
    void *array = o->list;

    (void)verb, (void)row;
    if (!cli_grow(&array, &o->lists_capacity, o->lists + 1, sizeof *o->list))
        return cli_no_memory();
    o->list = array;
    o->list[o->lists++] = (struct plan_list){ text, *next_of(o) };
    o->next.used = true;
    return CLI_OK;
}

static int take_domain(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct plan_next *next = next_of(field);

    (void)verb, (void)row;
    next->moved = true;
    next->domain = strcmp(text, "any") == 0 ? NULL : text;
    return CLI_OK;
}

static int take_flag(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct plan_next *next = next_of(field);
    const char **flag = strcmp(row->name, "setflag") == 0 ? &next->setflag : &next->clrflag;

    if (*flag)
        return cli_usage(verb, "--%s is given twice for one -e", row->name);
    *flag = text;
    return CLI_OK;
}

static int take_mux(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct plan_next *next = next_of(field);

    (void)row;
    if (next->muxes == PLAN_NEXT)
        return cli_usage(verb, "--mux: %d times at most for one -e", PLAN_NEXT);
    next->mux[next->muxes++] = text;
    return CLI_OK;
}

/* Configurations that are known by name are also events. */
static void offer_events(struct complete *c)
{
    const char *name = complete_given(c, "chip");
    const struct pc_chip *chip = name ? pc_chip_find(name) : NULL;
    const size_t from = c->from;
    struct pc_metric_row row;

    complete_last_of_list(c);
    for (size_t i = 0; chip && pc_metric_row_at(i, &row); i++)
        if (pc_names_chip_listed(row.chips, chip->name))
            complete_offer(c, row.name, "known configuration");
    if (c->count > 0)
        return;
    c->from = from;
    complete_chip_names(c);
}

static void offer_domains(struct complete *c)
{
    complete_offer(c, "any", "where the names are");
    complete_domains(c);
}

/* Values that belong to the -e after them: these options take the whole struct. */
static const struct opt_kind events = { .value = "EVENTS",
                                        .take = take_list,
                                        .offer = offer_events };
static const struct opt_kind domain = { .value = "DOMAIN",
                                        .take = take_domain,
                                        .offer = offer_domains };
static const struct opt_kind flag = { .value = "EXPR",
                                      .take = take_flag,
                                      .offer = complete_chip_names };
static const struct opt_kind mux = { .value = "SOURCE=VALUE",
                                     .take = take_mux,
                                     .offer = complete_sources };
static const struct opt_kind swap = { .value = "SIGNAL",
                                      .take = opt_take_text,
                                      .offer = complete_swaps };

static const struct opt_range pass_range = { 1, UINT32_MAX, " passes" };

#define O struct plan_options
static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, chip) },
    { .letter = 'e',
      .name = "event",
      .kind = &events,
      .brief = "[NAME=]EXPRESSION, or the name of a known configuration",
      .more = "several separated by commas; {a,b} share a pass; NAME:SLOT is pinned to a counter" },
    { .letter = 'd',
      .name = "domain",
      .kind = &domain,
      .brief = "domain of the next -e (the one that has its names)" },
    { .letter = 'M',
      .name = "metric",
      OPT_METRIC(O, metrics),
      .brief = "names with commas, 'l2_*', or 'NAME = FORMULA UNIT'" },
    { .name = "metrics",
      OPT_METRICS(O, metrics),
      .brief = "read metrics from FILE: all, or those that -M names",
      .more = "one a line: hit_rate = hits / all %",
      .flags = OPT_RARE },
    { .name = "signals", OPT_SIGNALS(O, signals), .flags = OPT_RARE },
    { .name = "mux",
      .kind = &mux,
      .brief = "set REGISTER=VALUE[/MASK] for the next -e",
      .more = "a register, or a source of `pcounter list sources`; MASK keeps the other bits",
      .flags = OPT_RARE },
    { .name = "setflag",
      .kind = &flag,
      .brief = "set the flag that the next -e looks at",
      .flags = OPT_RARE },
    { .name = "clrflag",
      .kind = &flag,
      .brief = "clear the flag that the next -e looks at",
      .flags = OPT_RARE },
    { .name = "writes",
      OPT_SWITCH(O, writes),
      .brief = "also print the register writes of each pass" },
    { .name = "swap",
      OPT_OF(swap, O, const char *, swap),
      .brief = "signal that swaps the counters (GF100+: user_0)",
      .more = "from G84 on, in --writes and json; keep: no write selects it",
      .flags = OPT_RARE },
    { .name = "max-passes",
      OPT_U32(O, max_passes, &pass_range),
      .brief = "fail if more passes are needed" },
    REP_OPTIONS(O, report, &plan_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_line line = { .name = "plan", .row = rows };

static bool is_wanted(const struct plan_options *o, const char *format)
{
    for (size_t i = 0; i < o->report.outputs; i++)
        if (rep_is(&o->report, i, format))
            return true;
    return false;
}

/* Refuses calls with missing or conflicting options; returns an exit code. */
static int check(const struct plan_options *o, const struct opt_said *said)
{
    if (said->operands > 0)
        return cli_usage("plan", "\"%s\" is not expected here; events come after -e",
                         said->operand[0]);
    if (!o->chip)
        return cli_usage("plan", "which chip? Name it with -a, like -a G92");
    if (o->lists == 0 && o->metrics.texts == 0 && o->metrics.files == 0)
        return cli_usage("plan", "which events? Give them like -e 'rise(pgraph.idle)' or "
                                 "-M shader_busy");
    if (cli_check_dashes("plan", cli_dashes(o->signals.path, o->signals.count) +
                                     cli_dashes(o->metrics.file, o->metrics.files)))
        return CLI_INPUT;
    if (o->swap && !o->writes && !is_wanted(o, "json"))
        return cli_usage("plan", "--swap is about the register writes: --writes or --format json");
    if (o->writes && !is_wanted(o, "text") && !is_wanted(o, "json"))
        return cli_usage("plan", "--writes is for --format text and json");
    if (!o->next.used && o->next.moved && o->metrics.texts + o->metrics.files == 0)
        return cli_usage("plan", "--domain must precede the -e to which it applies");
    if (!o->next.used && (o->next.muxes || o->next.setflag || o->next.clrflag))
        return cli_usage("plan",
                         "--mux, --setflag and --clrflag must precede the -e to which they apply");
    return CLI_OK;
}

/* --- the plan --- */

static struct pc_plan_event *planned_events(void *ctx, size_t *count)
{
    struct plan_job *j = ctx;

    *count = j->events;
    return j->planned;
}

static int refused(const struct plan_job *j, const struct pc_error *err)
{
    struct pc_error moved = *err;

    if (err->line == 0 || err->line > j->events)
        return cli_error(err, NULL, NULL);
    cli_metrics_hint(&j->metrics, &moved);
    moved.line = 1;
    if (moved.column == 0)
        moved.column = 1;
    return cli_library_error_at(&moved, &j->event[err->line - 1].place);
}

/* --swap: one name for all domains, so a signal that the unit drives in each of them. */
static int take_swap(const struct plan_job *j, struct pc_plan_request *request)
{
    struct pc_signal_info info = { .kind = PC_SIG_ABSENT };
    struct pc_chip_domain place;
    struct pc_signal signal;
    struct pc_chip of_set;
    struct pc_error err;

    request->keep_swap = j->o->swap && strcmp(j->o->swap, "keep") == 0;
    if (!j->o->swap || request->keep_swap)
        return CLI_OK;
    if (pc_names_find(j->names, 0, j->o->swap, &signal, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    if (pc_chip_get_domain(j->chip, 0, &place) &&
        pc_chip_of_set(j->chip, place.set, &of_set, &err) == PC_OK)
        info = pc_chip_signal(&of_set, place.domain, signal.position);
    if (info.kind == PC_SIG_ABSENT || info.kind == PC_SIG_RAW)
        return cli_usage("plan",
                         "--swap takes keep, or a signal that is in every domain, like user_0 or "
                         "pm_trigger; not \"%.60s\"",
                         j->o->swap);
    request->swap = info.kind;
    request->swap_index = info.index;
    return CLI_OK;
}

static int make_plan(struct plan_job *j)
{
    const struct cli_metric_host host = { .ctx = j,
                                          .find = plan_find_event,
                                          .knows = plan_knows_event,
                                          .copy = plan_copy_event,
                                          .events = planned_events,
                                          .chip = j->chip };
    int code = cli_metrics_open("plan", &j->o->metrics, j->chip->name, &j->metrics);
    struct pc_error err;

    if (code == CLI_OK) {
        cli_metrics_notes(&j->metrics);
        code = cli_metrics_bind(&j->metrics, &host);
    }
    if (code == CLI_OK && !j->o->next.used && j->o->next.domain && !j->domain_taken)
        code = cli_usage("plan",
                         "--domain %s has no -e after it, and what the metrics read says itself "
                         "where it is",
                         j->o->next.domain);
    if (code == CLI_OK)
        code = plan_request(j);
    for (size_t n = 0; n < j->events && code == CLI_OK; n++)
        if (pc_plan_check(j->chip, &j->planned[n], false, &err) != PC_OK) {
            err.line = (uint32_t)n + 1;
            code = refused(j, &err);
        }
    if (code == CLI_OK)
        code = cli_metrics_group(&j->metrics, &host);
    if (code)
        return code;
    struct pc_plan_request request = { .chip = j->chip, .event = j->planned, .events = j->events };
    code = take_swap(j, &request);
    if (code)
        return code;
    if (pc_plan_create(NULL, &request, &j->plan, &err) != PC_OK)
        return refused(j, &err);
    code = plan_check_muxes(j);
    if (code)
        return code;
    size_t passes = pc_plan_passes(j->plan), bound = pc_plan_bound(j->plan);
    if (!j->o->max_passes || passes <= j->o->max_passes)
        return CLI_OK;
    return cli_error_at(1505, NULL, 0, NULL, "%s, with --max-passes %u%s%s",
                        cli_count(passes, "pass"), (unsigned)j->o->max_passes,
                        bound > j->o->max_passes ? ": " : "",
                        bound > j->o->max_passes ? pc_plan_bound_reason(j->plan) : "");
}

/* A chip without a unit, or with one that is not modelled, has no plans at all. */
static int check_chip(const struct pc_chip *chip)
{
    const struct pc_plan_request request = { .chip = chip };
    struct pc_plan *none;
    struct pc_error err;

    if (pc_plan_create(NULL, &request, &none, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    pc_plan_destroy(none);
    return CLI_OK;
}

static int report(const struct plan_job *j)
{
    struct rep *r;
    int code = rep_open(&r, &plan_report, &j->o->report);

    if (code)
        return code;
    if (rep_page(r))
        plan_print(rep_page(r), j);
    if (rep_has_rows(r))
        code = plan_put(r, j);
    return rep_close(r, code);
}

static int plan(struct plan_job *j)
{
    int code = check_chip(j->chip);

    if (code == CLI_OK)
        code = cli_names_open("plan", j->chip, &j->o->signals, &j->names);

    for (size_t i = 0; i < j->o->lists && code == CLI_OK; i++)
        code = plan_read_list(j, &j->o->list[i]);
    if (code == CLI_OK)
        code = make_plan(j);
    return code ? code : report(j);
}

static void release(struct plan_job *j)
{
    pc_plan_destroy(j->plan);
    for (size_t n = 0; n < j->events; n++) {
        struct plan_event *e = &j->event[n];
        if (e->origin != n)
            continue; /* the first one's */
        free(e->name);
        free(e->text);
        pc_expr_free(e->expr);
        pc_expr_free(e->setflag);
        pc_expr_free(e->clrflag);
        for (unsigned s = 0; s < PLAN_SLOTS; s++)
            pc_expr_free(e->input[s]);
        free(e->fixed);
        free(e->mux);
        free(e->unset);
    }
    for (size_t i = 0; i < j->kepts; i++)
        free(j->kept[i]);
    free(j->kept);
    free(j->event);
    free(j->planned);
    cli_metrics_close(&j->metrics);
    pc_names_close(j->names);
}

static int plan_options(const struct plan_options *o)
{
    struct plan_job *j = calloc(1, sizeof *j);

    if (!j)
        return cli_no_memory();
    j->o = o;
    j->chip = o->chip;
    const int code = plan(j);
    release(j);
    free(j);
    return code;
}

static int run(int argc, char **argv)
{
    struct plan_options o = { .chip = NULL };
    struct opt_said said;
    int code = opt_read(&cli_verb_plan, &line, argc, argv, &o, &said);

    if (code < 0) {
        code = check(&o, &said);
        if (code == CLI_OK)
            code = plan_options(&o);
    }
    free(o.list);
    cli_metric_options_free(&o.metrics);
    return code;
}

const struct cli_verb cli_verb_plan = {
    .name = "plan",
    .summary = "assign events and metrics to the counters of a chip",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &plan_report, NULL },
};

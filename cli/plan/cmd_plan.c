/* SPDX-License-Identifier: MIT */
/*
 * pcounter plan: events and metrics onto the counters of a chip, in few passes.  Nothing is
 * printed before the whole plan is there.
 */
#include "plan.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* --- the command line --- */

/* What is said before the next -e; what an -e before had is over, but for its domain. */
static struct plan_next *next_of(struct plan_job *j)
{
    if (j->next.used)
        j->next = (struct plan_next){ .domain = j->next.domain };
    return &j->next;
}

static int take_list(struct plan_job *j, const char *text)
{
    void *array = j->list;

    if (!cli_grow(&array, &j->lists_capacity, j->lists + 1, sizeof *j->list))
        return cli_no_memory();
    j->list = array;
    j->list[j->lists++] = (struct plan_list){ text, *next_of(j) };
    j->next.used = true;
    return CLI_OK;
}

static int take_next_flag(struct plan_job *j, bool set, const char *text)
{
    struct plan_next *next = next_of(j);
    const char **flag = set ? &next->setflag : &next->clrflag;

    if (*flag)
        return cli_usage("plan", "--%s is given twice for one -e", set ? "setflag" : "clrflag");
    *flag = text;
    return CLI_OK;
}

static int take_next_mux(struct plan_job *j, const char *text)
{
    struct plan_next *next = next_of(j);

    if (next->muxes == PLAN_NEXT)
        return cli_usage("plan", "--mux: %d times at most for one -e", PLAN_NEXT);
    next->mux[next->muxes++] = text;
    return CLI_OK;
}

enum {
    OPT_FORMAT = 256,
    OPT_METRICS,
    OPT_SIGNALS,
    OPT_MUX,
    OPT_SETFLAG,
    OPT_CLRFLAG,
    OPT_WRITES,
    OPT_SWAP,
    OPT_PASSES
};

static const struct option long_options[] = {
    { "chip", required_argument, NULL, 'a' },
    { "domain", required_argument, NULL, 'd' },
    { "event", required_argument, NULL, 'e' },
    { "metric", required_argument, NULL, 'M' },
    { "metrics", required_argument, NULL, OPT_METRICS },
    { "signals", required_argument, NULL, OPT_SIGNALS },
    { "mux", required_argument, NULL, OPT_MUX },
    { "setflag", required_argument, NULL, OPT_SETFLAG },
    { "clrflag", required_argument, NULL, OPT_CLRFLAG },
    { "writes", no_argument, NULL, OPT_WRITES },
    { "swap", required_argument, NULL, OPT_SWAP },
    { "max-passes", required_argument, NULL, OPT_PASSES },
    { "output", required_argument, NULL, 'o' },
    { "format", required_argument, NULL, OPT_FORMAT },
    { "quiet", no_argument, NULL, 'q' },
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

static int take_passes(struct plan_job *j)
{
    if (cli_parse_u32(optarg, &j->max_passes) && j->max_passes != 0)
        return CLI_OK;
    return cli_usage("plan", "--max-passes takes 1 to 4294967295 passes, not \"%s\"", optarg);
}

/* One option; an exit code, or -1 to go on. */
static int take_option(int c, char **argv, struct plan_job *j, bool *has_format)
{
    int code = CLI_OK;

    switch (c) {
    case 'a':
        j->chip = cli_find_chip(optarg);
        code = j->chip ? CLI_OK : CLI_INPUT;
        break;
    case 'd':
        next_of(j)->moved = true;
        j->next.domain = strcmp(optarg, "any") == 0 ? NULL : optarg;
        break;
    case 'e':
        code = take_list(j, optarg);
        break;
    case 'M':
        code = cli_metric_text("plan", &j->metric_options, optarg);
        break;
    case OPT_FORMAT:
        *has_format = true;
        code = cli_parse_format("plan", optarg, &j->format) ? CLI_OK : CLI_INPUT;
        break;
    case OPT_METRICS:
        code = cli_metric_file("plan", &j->metric_options, optarg);
        break;
    case OPT_SIGNALS:
        code = cli_names_add("plan", &j->signals, optarg);
        break;
    case OPT_MUX:
        code = take_next_mux(j, optarg);
        break;
    case OPT_SETFLAG:
    case OPT_CLRFLAG:
        code = take_next_flag(j, c == OPT_SETFLAG, optarg);
        break;
    case OPT_WRITES:
        j->writes = true;
        break;
    case OPT_SWAP:
        j->swap = optarg;
        break;
    case OPT_PASSES:
        code = take_passes(j);
        break;
    default:
        return cli_common_option(&cli_verb_plan, c, argv, long_options, &j->output);
    }
    return code == CLI_OK ? -1 : code;
}

static int parse_options(int argc, char **argv, struct plan_job *j)
{
    bool has_format = false;
    int c;

    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":a:d:e:M:o:qh", long_options)) != -1) {
        int code = take_option(c, argv, j, &has_format);
        if (code >= 0)
            return code;
    }
    if (!has_format && cli_output_format("plan", j->output, &j->format))
        return CLI_INPUT;
    if (optind < argc)
        return cli_usage("plan", "\"%s\" is one word too many; events stand behind -e",
                         argv[optind]);
    if (!j->chip)
        return cli_usage("plan", "which chip? Say it with -a, like -a G92");
    if (j->lists == 0 && j->metric_options.texts == 0 && j->metric_options.files == 0)
        return cli_usage("plan", "which events? Say them like -e 'rise(pgraph.idle)' or "
                                 "-M shader_busy");
    if (cli_check_dashes("plan", cli_dashes(j->signals.path, j->signals.count) +
                                     cli_dashes(j->metric_options.file, j->metric_options.files)))
        return CLI_INPUT;
    if (j->swap && !j->writes && j->format != CLI_JSON)
        return cli_usage("plan", "--swap is about the register writes: --writes or --format json");
    if (j->writes && j->format == CLI_CSV)
        return cli_usage("plan", "--writes is for --format text and json");
    if (!j->next.used && j->next.moved && j->metric_options.texts + j->metric_options.files == 0)
        return cli_usage("plan", "--domain stands before the -e that it is about");
    if (!j->next.used && (j->next.muxes || j->next.setflag || j->next.clrflag))
        return cli_usage("plan", "--mux, --setflag and --clrflag stand before the -e that they "
                                 "are about");
    return -1;
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

    request->keep_swap = j->swap && strcmp(j->swap, "keep") == 0;
    if (!j->swap || request->keep_swap)
        return CLI_OK;
    if (pc_names_find(j->names, 0, j->swap, &signal, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    if (pc_chip_domain(j->chip, 0, &place) &&
        pc_chip_of_set(j->chip, place.set, &of_set, &err) == PC_OK)
        info = pc_chip_signal(&of_set, place.domain, signal.position);
    if (info.kind == PC_SIG_ABSENT || info.kind == PC_SIG_RAW)
        return cli_usage("plan",
                         "--swap takes keep, or a signal that is in every domain, like user_0 or "
                         "pm_trigger; not \"%.60s\"",
                         j->swap);
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
    int code = cli_metrics_open("plan", &j->metric_options, j->chip->name, &j->metrics);
    struct pc_error err;

    if (code == CLI_OK) {
        cli_metrics_notes(&j->metrics);
        code = cli_metrics_bind(&j->metrics, &host);
    }
    if (code == CLI_OK && !j->next.used && j->next.domain && !j->domain_taken)
        code = cli_usage("plan",
                         "--domain %s has no -e behind it, and what the metrics read says itself "
                         "where it is",
                         j->next.domain);
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
    if (!j->max_passes || passes <= j->max_passes)
        return CLI_OK;
    return cli_error_at(1505, NULL, 0, NULL, "%s, with --max-passes %u%s%s",
                        cli_count(passes, "pass"), (unsigned)j->max_passes,
                        bound > j->max_passes ? ": " : "",
                        bound > j->max_passes ? pc_plan_bound_reason(j->plan) : "");
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

static int plan(struct plan_job *j)
{
    struct cli_out out;
    int code = check_chip(j->chip);

    if (code == CLI_OK)
        code = cli_names_open("plan", j->chip, &j->signals, &j->names);

    for (size_t i = 0; i < j->lists && code == CLI_OK; i++)
        code = plan_read_list(j, &j->list[i]);
    if (code == CLI_OK)
        code = make_plan(j);
    if (code == CLI_OK)
        code = cli_out_open(&out, j->output);
    if (code)
        return code;
    if (j->format == CLI_JSON)
        plan_report_json(out.file, j);
    else
        plan_report(out.file, j);
    return cli_out_commit(&out);
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
    free(j->list);
    cli_metrics_close(&j->metrics);
    pc_names_close(j->names);
}

static int run(int argc, char **argv)
{
    struct plan_job *j = calloc(1, sizeof *j);

    if (!j)
        return cli_no_memory();
    int code = parse_options(argc, argv, j);
    if (code < 0)
        code = plan(j);
    release(j);
    free(j);
    return code;
}

const struct cli_verb cli_verb_plan = {
    .name = "plan",
    .summary = "events and metrics onto the counters of a chip, in few passes",
    .run = run,
    .brief =
        "usage: pcounter plan -a CHIP [OPTION]... [-e EVENTS]... [-M METRICS]...\n"
        "\n"
        "  pcounter plan -a G92 -M shader_busy,rop_busy,texture_busy\n"
        "  pcounter plan -a G92 -d 1 -e '{hits=s10 & s11, all=s10}, misses:STOP=s10 & !s11'\n"
        "  pcounter plan -a NV40 -d 0 -e 'sum(s[19:16]) iff s20, s20' --format json\n"
        "\n"
        "Which counters of which domains count what, in as few passes as possible: with counter\n"
        "modes, sources, registers to set first, what excludes what, and how few passes there\n"
        "can be at all.\n"
        "\n"
        "  -a, --chip CHIP       the chip; `pcounter list chips` shows all\n"
        "  -e, --event EVENTS    [NAME=]EXPRESSION or the name of a known configuration, commas\n"
        "                        between them, {a,b} in one pass, NAME:SLOT pinned to a counter\n"
        "  -d, --domain DOMAIN   of the -e behind it; without: where the names are\n"
        "  -M, --metric METRICS  names with commas, 'l2_*', or 'NAME = FORMULA UNIT'\n"
        "      --writes          the register writes of each pass as well\n"
        "      --max-passes N    more passes are an error\n"
        "      --format FORMAT   text (default), csv, json\n"
        "  -o, --output FILE     instead of standard output\n"
        "  -h, --help            this screen; everything\n",
    .full =
        "An event is an expression over the signals of one domain (`pcounter list signals -a\n"
        "CHIP`; s2a is one by its position), `sum(a, b, c, d) iff CONDITION` for a number of 4 or "
        "6\n"
        "bits, or the name of a configuration that is known for the chip (`pcounter list\n"
        "metrics -a CHIP`).  Expressions are described in pcounter-expr(7).\n"
        "\n"
        "A metric is a formula over events: those of -e by name, known configurations, or\n"
        "signals.  The events of one metric are counted in one pass.  Metrics that share an event\n"
        "share its counter if that fits into a pass; else each has its own.  Metrics that a "
        "pattern\n"
        "matches are left out, with a warning, if an event of theirs is known by name only.\n"
        "\n"
        "More options:\n"
        "      --metrics FILE    metrics of your own, one a line: hit_rate = hits / all %;\n"
        "                        all, or those that -M names\n"
        "      --signals FILE    names of your own, see pcounter-signals(5)\n"
        "      --mux REGISTER=VALUE[/MASK]  has to be set for the events of the next -e;\n"
        "      --mux SOURCE=VALUE    or a source of `pcounter list sources`\n"
        "      --setflag EXPR, --clrflag EXPR  the flag that events of the next -e look at\n"
        "      --swap SIGNAL     the signal that swaps the counters, from G84 on, in --writes and\n"
        "                        json; user_0 by default on GF100+; keep: no write chooses it\n"
        "  -q, --quiet           no notes\n"
        "\n"
        "Quad event mode has four counters a domain: PRE, START, EVENT, STOP; before NV30 there\n"
        "is one.  Two events exclude each other if they want another CTR_MODE of their domain\n"
        "(NV10:NV40: of all), other bits of a register outside, or the same sources: of START\n"
        "in EVENT_B4, of EVENT too in EVENT_B6, of PRE and START for SETFLAG and CLRFLAG.\n"
        "\n"
        "CSV columns: pass,domain,counter,ctr_mode,event,expression,group,mux.\n"
        "JSON: \"$schema\" is pcounter-plan-1, with all conflicts and register writes.\n"
        "\n"
        "Exit codes: 0 ok; 2 a wrong call, name or expression; 3 no PCOUNTER, an event fits "
        "nowhere, a group\n"
        "into no pass, or --max-passes is too little; 4 a limit was reached.\n",
};

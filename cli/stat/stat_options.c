/* SPDX-License-Identifier: MIT */
/* The command line of pcounter stat, and how it says what is wrong with it. */
#include "stat.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process/jobs.h"

int stat_parse_x(const char *verb, const char *text, enum stat_x *out)
{
    static const char *const words[] = { "taint", "zero", "one", "error", NULL };
    int i = 0, code = cli_parse_word(verb, "--x", text, words, &i);

    *out = (enum stat_x)i;
    return code;
}

int stat_check_clock(const char *verb, const struct stat_options *o)
{
    return o->clock ? CLI_OK
                    : cli_usage(verb,
                                "cycles of which clock? Say it with --clock, like --clock top.clk; "
                                "`pcounter info FILE` names the clocks of a waveform");
}

static int parse_engine(const char *text, bool *step)
{
    static const char *const words[] = { "run", "step", NULL };
    int i = 0, code = cli_parse_word("stat", "--engine", text, words, &i);

    *step = i == 1;
    return code;
}

static int parse_count(const char *option, const char *what, const char *text, uint64_t *out)
{
    uint32_t n;

    if (!cli_parse_u32(text, &n) || n == 0)
        return cli_usage("stat", "%s takes 1 to 4294967295 %s, not \"%s\"", option, what, text);
    *out = n;
    return CLI_OK;
}

static int parse_interval(const char *text, struct cli_span *out)
{
    uint32_t column;
    const char *wrong = cli_span_parse(text, out, &column);

    if (!wrong && out->number == 0)
        wrong = "an interval of no length";
    return wrong ? cli_usage("stat", "-I takes " CLI_SPAN_FORMS "; not \"%s\": %s", text, wrong)
                 : CLI_OK;
}

/* Several are all there: a stray word is more often a part of an expression than a file. */
static int check_paths(const struct stat_options *o)
{
    struct stat info;

    for (size_t i = 0; i < o->files && o->files > 1 && !o->keep_going; i++)
        if (strcmp(o->paths[i], "-") != 0 && stat(o->paths[i], &info) != 0)
            return cli_usage("stat",
                             "there is no waveform \"%s\" (an expression with blanks is quoted)",
                             o->paths[i]);
    return CLI_OK;
}

/* A table is read again for each waveform. */
static int check_dashes(const struct stat_options *o)
{
    unsigned tables = cli_dashes(o->metric_options.file, o->metric_options.files) +
                      cli_dashes(o->binds.files.path, o->binds.files.count);

    return cli_check_dashes("stat", tables * (unsigned)(o->files > 1 ? 2 : 1) +
                                        cli_dashes((const char *const *)o->paths, o->files));
}

enum {
    OPT_X = 256,
    OPT_SAMPLE,
    OPT_FORMAT,
    OPT_PERIOD,
    OPT_ENGINE,
    OPT_METRICS,
    OPT_EXPECT,
    OPT_MULTIPLEX,
    OPT_EXPLAIN,
    OPT_PASSES,
    OPT_BIND,
    OPT_SIGNALS,
    OPT_KEEP_GOING,
    OPT_ABBREVIATED, /* --core: in whole it is a form of its own, and was seen before */
    OPT_CORE         /* one that goes with --core alone */
};

static const struct option long_options[] = {
    { "chip", required_argument, NULL, 'a' },
    { "clock", required_argument, NULL, 'c' },
    { "event", required_argument, NULL, 'e' },
    { "output", required_argument, NULL, 'o' },
    { "quiet", no_argument, NULL, 'q' },
    { "x", required_argument, NULL, OPT_X },
    { "sample", required_argument, NULL, OPT_SAMPLE },
    { "format", required_argument, NULL, OPT_FORMAT },
    { "swap-every", required_argument, NULL, OPT_PERIOD },
    { "engine", required_argument, NULL, OPT_ENGINE },
    { "metric", required_argument, NULL, 'M' },
    { "metrics", required_argument, NULL, OPT_METRICS },
    { "expect", required_argument, NULL, OPT_EXPECT },
    { "multiplex", optional_argument, NULL, OPT_MULTIPLEX },
    { "explain", no_argument, NULL, OPT_EXPLAIN },
    { "max-passes", required_argument, NULL, OPT_PASSES },
    { "jobs", required_argument, NULL, 'j' },
    { "interval", required_argument, NULL, 'I' },
    { "bind", required_argument, NULL, OPT_BIND },
    { "signals", required_argument, NULL, OPT_SIGNALS },
    { "keep-going", no_argument, NULL, OPT_KEEP_GOING },
    { "core", required_argument, NULL, OPT_ABBREVIATED },
    { "while-enabled", no_argument, NULL, OPT_CORE },
    { "scope", required_argument, NULL, OPT_CORE },
    { "map", required_argument, NULL, OPT_CORE },
    { "profile", required_argument, NULL, OPT_CORE },
    { "quirk", required_argument, NULL, OPT_CORE },
    CLI_WINDOW_OPTIONS,
    CLI_READ_OPTIONS,
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

/* How events are looked at and counted: options that would have no effect without one. */
static const char *of_events(int c)
{
    static const char *const names[] = {
        [OPT_X - OPT_X] = "--x",
        [OPT_PERIOD - OPT_X] = "--swap-every",
        [OPT_ENGINE - OPT_X] = "--engine",
        [OPT_MULTIPLEX - OPT_X] = "--multiplex",
        [OPT_EXPLAIN - OPT_X] = "--explain",
        [OPT_PASSES - OPT_X] = "--max-passes",
        [OPT_BIND - OPT_X] = "--bind",
        [OPT_SIGNALS - OPT_X] = "--signals",
    };
    const size_t i = (size_t)c - OPT_X;

    return c >= OPT_X && i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

/* What only the counters of a chip have; NULL: nothing. */
static const char *of_counters(const struct stat_options *o)
{
    static const char *const pins[] = { ":PRE", ":START", ":EVENT", ":STOP" };

    for (size_t n = 0; n < o->events; n++) {
        if (o->event[n].slots)
            return pins[__builtin_ctz(o->event[n].slots)];
        if (n > 0 && o->event[n].group == o->event[n - 1].group)
            return "{a,b}";
    }
    return o->of_chip;
}

/* More events than a plan takes are told at the first of them. */
static int check_chip(const struct stat_options *o)
{
    const char *what = o->chip ? NULL : of_counters(o);

    if (what)
        return cli_usage("stat",
                         "%s is about the counters of a chip, and none is asked for: -a names one, "
                         "like -a GT215",
                         what);
    return o->chip && o->events > PC_PLAN_EVENTS
               ? stat_too_many(&o->event[PC_PLAN_EVENTS].place, PC_PLAN_EVENTS)
               : CLI_OK;
}

int stat_check_events(const struct stat_options *o)
{
    if (o->events > 0 || !o->of_events)
        return CLI_OK;
    return cli_usage("stat", "%s is about events, and none is counted: -e or -M names some",
                     o->of_events);
}

/* An option without a letter; an exit code, or -1 if it is none. */
static int take_long(int c, struct stat_options *o, bool *has_format, bool *jsonl)
{
    if (of_events(c))
        o->of_events = of_events(c);
    if (of_events(c) && c != OPT_X)
        o->of_chip = of_events(c);
    switch (c) {
    case OPT_X:
        return stat_parse_x("stat", optarg, &o->x);
    case OPT_SAMPLE:
        o->sample = true;
        return cli_parse_sample("stat", optarg, &o->post_edge);
    case OPT_FORMAT:
        *has_format = true;
        return cli_parse_format_or("stat", optarg, &o->format, jsonl, &o->timeline) ? CLI_OK
                                                                                    : CLI_INPUT;
    case OPT_PERIOD:
        return parse_count("--swap-every", "cycles", optarg, &o->period);
    case OPT_METRICS:
        return cli_metric_file("stat", &o->metric_options, optarg);
    case OPT_EXPECT:
        return cli_expect_text("stat", &o->expect, optarg);
    case OPT_MULTIPLEX:
        o->multiplex = true;
        return optarg ? parse_count("--multiplex", "cycles", optarg, &o->slice) : CLI_OK;
    case OPT_EXPLAIN:
        o->explain = true;
        return CLI_OK;
    case OPT_PASSES:
        return parse_count("--max-passes", "passes", optarg, &o->max_passes);
    case OPT_ENGINE:
        return parse_engine(optarg, &o->step);
    case OPT_BIND:
        return stat_bind_add(o, optarg);
    case OPT_SIGNALS:
        return cli_names_add("stat", &o->binds.files, optarg);
    case OPT_KEEP_GOING:
        o->keep_going = true;
        return CLI_OK;
    case OPT_ABBREVIATED:
        return cli_usage("stat", "--core is not abbreviated");
    case OPT_CORE:
        return cli_usage("stat", "--while-enabled, --scope, --map, --profile and --quirk are about "
                                 "a core: --core NAME");
    default: {
        int code = cli_read_option("stat", c, &o->read);
        return code < 0 ? cli_window_option("stat", c, optarg, &o->window) : code;
    }
    }
}

/* One option; an exit code, or -1 to go on. */
static int take_option(int c, char **argv, struct stat_options *o, bool *has_format, bool *jsonl)
{
    int code = CLI_OK;

    switch (c) {
    case 'a':
        o->chip = cli_find_chip(optarg);
        code = o->chip ? CLI_OK : CLI_INPUT;
        break;
    case 'c':
        code = cli_take_once("stat", "--clock", optarg, &o->clock);
        break;
    case 'e':
        code = stat_parse_events(o, optarg);
        break;
    case 'j':
        code = cli_parse_jobs("stat", optarg, &o->threads);
        break;
    case 'I':
        code = parse_interval(optarg, &o->interval);
        break;
    case 'M':
        code = cli_metric_text("stat", &o->metric_options, optarg);
        break;
    case 'o':
        code = cli_take_once("stat", "-o", optarg, &o->output);
        break;
    case 'q':
        cli_quiet = true;
        break;
    case 'h':
    case 'H':
        cli_print_help(o->verb, c == 'H');
        return CLI_OK;
    default:
        code = take_long(c, o, has_format, jsonl);
        if (code < 0)
            return cli_bad_option("stat", c, argv, long_options);
    }
    return code == CLI_OK ? -1 : code;
}

/* What viewers show has the intervals of one waveform, by its times. */
static int check_timeline(const struct stat_options *o)
{
    if (!o->timeline)
        return CLI_OK;
    if (o->timeline == TIMELINE_HTML && !o->interval.text)
        return cli_usage("stat", "--format html draws intervals: give -I, like -I 10us");
    if (o->timeline != TIMELINE_HTML && o->interval.in_cycles)
        return cli_usage("stat",
                         "--format %s has the counts of intervals by their times: give -I with a "
                         "unit, like -I 10us; --format html draws cycles, too",
                         timeline_name(o->timeline));
    if (!o->interval.text)
        return cli_usage("stat",
                         "--format %s has the counts of intervals by their times: give -I with a "
                         "unit, like -I 10us",
                         timeline_name(o->timeline));
    if (o->keep_going)
        return cli_usage("stat", "--keep-going is about reports in text, csv, json and jsonl");
    if (o->files > 1)
        return cli_usage("stat", "--format %s has the intervals of one waveform, not of %zu",
                         timeline_name(o->timeline), o->files);
    return CLI_OK;
}

/* What options say together. */
static int check(const struct stat_options *o)
{
    if (o->explain && (o->timeline || o->format == CLI_CSV))
        return cli_usage("stat", "--explain is for --format text and json");
    if (o->multiplex && o->interval.text)
        return cli_usage("stat",
                         "--multiplex has no intervals: what a turn of a pass is scaled up to "
                         "is the whole run; leave out -I or --multiplex");
    int code = check_chip(o);
    if (code == CLI_OK)
        code = check_timeline(o);
    if (code == CLI_OK)
        code = cli_window_check("stat", &o->window);
    if (code == CLI_OK)
        code = check_paths(o);
    if (code == CLI_OK)
        code = check_dashes(o);
    if (code == CLI_OK)
        code = stat_check_clock("stat", o);
    if (code == CLI_OK && o->metric_options.texts + o->metric_options.files + o->expect.texts == 0)
        code = stat_check_events(o);
    return code;
}

int stat_parse_options(const struct cli_verb *verb, int argc, char **argv, struct stat_options *o)
{
    bool has_format = false, jsonl = false;
    int c;

    *o = (struct stat_options){ .verb = verb, .period = UINT64_C(1) << 31, .slice = 10000 };
    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":a:c:e:I:j:M:o:qh", long_options)) != -1) {
        int code = take_option(c, argv, o, &has_format, &jsonl);
        if (code >= 0)
            return code;
    }
    if (!has_format) {
        o->timeline = cli_timeline_of(o->output);
        o->format = o->timeline ? CLI_CSV : cli_format_or_lines_of(o->output, &jsonl);
    }
    if (jsonl && !(o->lines = cli_lines_new()))
        return CLI_LIMIT;
    if (optind == argc)
        return cli_usage("stat", "which waveform? The last arguments are files, or - for "
                                 "standard input");
    o->paths = argv + optind;
    o->files = (size_t)(argc - optind);
    o->path = o->paths[0];
    o->threads = cli_jobs(o->threads, (const char *const *)o->paths, o->files);
    const int code = check(o);
    return code == CLI_OK ? -1 : code;
}

void stat_free_options(struct stat_options *o)
{
    for (size_t i = 0; i < o->events; i++) {
        free(o->event[i].name);
        free(o->event[i].text);
        pc_expr_free(o->event[i].expr);
        pc_expr_free(o->event[i].stand_in);
    }
    free(o->event);
    cli_lines_free(o->lines);
    cli_expectations_close(&o->expect);
    cli_metrics_close(&o->metrics);
    stat_bind_close(&o->binds);
}

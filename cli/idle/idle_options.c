/* SPDX-License-Identifier: MIT */
/* The command line of pcounter idle. */
#include "idle.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

void idle_free_options(struct idle_options *o)
{
    for (size_t i = 0; i < o->engines; i++) {
        free(o->engine[i].text);
        pc_expr_free(o->engine[i].expr);
    }
    for (size_t i = 0; i < o->file_texts; i++)
        free(o->file_text[i]);
    free(o->file_text);
    cli_lines_free(o->lines);
    free(o->map_args);
    free(o->counter_args);
    free(o->option_args);
    free(o->step);
}

static int parse_x(const char *text, enum idle_x *out)
{
    int i = 0, code = cli_parse_word("idle", "--x", text, idle_x_names, &i);

    *out = (enum idle_x)i;
    return code;
}

static int parse_max_windows(const char *text, uint32_t *out)
{
    uint64_t n;

    if (!idle_parse_u64(text, strlen(text), &n) || n == 0 || n > UINT32_MAX)
        return cli_usage("idle", "--max-windows takes 1 to 4294967295, not \"%s\"", text);
    *out = (uint32_t)n;
    return CLI_OK;
}

enum {
    OPT_MAP = 256,
    OPT_COUNTER,
    OPT_WINDOW,
    OPT_SCRIPT,
    OPT_EXACT,
    OPT_GOVERNOR,
    OPT_LEVELS,
    OPT_START,
    OPT_RECORDED,
    OPT_MODEL,
    OPT_X,
    OPT_SAMPLE,
    OPT_FORMAT,
    OPT_MAX_WINDOWS
};

static const struct option long_options[] = {
    { "chip", required_argument, NULL, 'a' },
    { "clock", required_argument, NULL, 'c' },
    { "output", required_argument, NULL, 'o' },
    { "quiet", no_argument, NULL, 'q' },
    { "map", required_argument, NULL, OPT_MAP },
    { "counter", required_argument, NULL, OPT_COUNTER },
    { "window", required_argument, NULL, OPT_WINDOW },
    { "script", no_argument, NULL, OPT_SCRIPT },
    { "exact", no_argument, NULL, OPT_EXACT },
    { "governor", required_argument, NULL, OPT_GOVERNOR },
    { "levels", required_argument, NULL, OPT_LEVELS },
    { "start-level", required_argument, NULL, OPT_START },
    { "recorded-level", required_argument, NULL, OPT_RECORDED },
    { "option", required_argument, NULL, OPT_MODEL },
    { "x", required_argument, NULL, OPT_X },
    { "sample", required_argument, NULL, OPT_SAMPLE },
    { "format", required_argument, NULL, OPT_FORMAT },
    { "max-windows", required_argument, NULL, OPT_MAX_WINDOWS },
    CLI_READ_OPTIONS,
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

/* Options that are kept as text until chip and waveform are known; false: another option. */
static bool keep_option(int c, struct idle_options *o)
{
    switch (c) {
    case OPT_MAP:
        o->map_args[o->map_count++] = optarg;
        return true;
    case OPT_COUNTER:
        o->counter_args[o->counter_count++] = optarg;
        return true;
    case OPT_MODEL:
        o->option_args[o->option_count++] = optarg;
        return true;
    case OPT_GOVERNOR:
        o->governor_arg = optarg;
        return true;
    case OPT_LEVELS:
        o->levels_arg = optarg;
        return true;
    case OPT_START:
        o->start_arg = optarg;
        return true;
    case OPT_RECORDED:
        o->recorded_arg = optarg;
        return true;
    default:
        return false;
    }
}

/* One option; an exit code, or -1 to go on. */
static int take_option(int c, char **argv, struct idle_options *o, bool *has_format)
{
    int code = CLI_OK;

    if (keep_option(c, o))
        return -1;
    switch (c) {
    case 'a':
        o->chip = cli_find_chip(optarg);
        o->chip_given = true;
        code = o->chip ? CLI_OK : CLI_INPUT;
        break;
    case 'c':
        code = cli_take_once("idle", "--clock", optarg, &o->clock);
        break;
    case 'o':
        code = cli_take_once("idle", "-o", optarg, &o->output);
        break;
    case 'q':
        cli_quiet = true;
        break;
    case OPT_WINDOW:
        code = idle_parse_window(optarg, &o->window);
        break;
    case OPT_SCRIPT:
        o->script = true;
        break;
    case OPT_EXACT:
        o->exact = true;
        break;
    case OPT_X:
        o->wave_option = "--x";
        code = parse_x(optarg, &o->x);
        break;
    case OPT_SAMPLE:
        o->sample = true;
        o->wave_option = "--sample";
        code = cli_parse_sample("idle", optarg, &o->post_edge);
        break;
    case OPT_FORMAT:
        *has_format = true;
        code = cli_parse_format_or("idle", optarg, &o->format, &o->jsonl, &o->timeline) ? CLI_OK
                                                                                        : CLI_INPUT;
        break;
    case OPT_MAX_WINDOWS:
        o->limited = true;
        code = parse_max_windows(optarg, &o->max_windows);
        break;
    default:
        code = cli_read_option("idle", c, &o->read);
        if (code < 0)
            return cli_bad_option("idle", c, argv, long_options);
        o->wave_option = o->read.given;
    }
    return code == CLI_OK ? -1 : code;
}

/* What must or must not be there; an exit code, or -1. */
static int check(const struct idle_options *o)
{
    if (o->script && (o->clock || o->map_count))
        return cli_usage("idle", "%s belongs to a waveform; a script has its own clocks and words",
                         o->clock ? "--clock" : "--map");
    if (o->script && o->wave_option)
        return cli_usage("idle", "%s is about a waveform; a script has none", o->wave_option);
    if (!o->script && !o->map_count)
        return cli_usage("idle",
                         "which signals say that an engine is idle? Say it with --map, like "
                         "--map 'GR=!top.gpu.busy'");
    if (!o->script && !o->clock)
        return cli_usage("idle", "sampled by which clock? Say it with --clock, like --clock "
                                 "top.clk; `pcounter info FILE` names the clocks of a waveform");
    if (o->limited && !o->window.text)
        return cli_usage("idle", "--max-windows is about --window: without one the trace is one");
    if (o->timeline && o->timeline != TIMELINE_HTML && o->script)
        return cli_usage("idle",
                         "--format %s needs times, and a script has clocks only: --format html "
                         "shows those",
                         timeline_name(o->timeline));
    if (o->timeline && o->timeline != TIMELINE_HTML && (!o->window.text || o->window.in_clocks))
        return cli_usage("idle",
                         "--format %s has windows by their times: give --window with a unit, "
                         "like --window 100us; --format html shows clocks, too",
                         timeline_name(o->timeline));
    if (!o->governor_arg && (o->levels_arg || o->start_arg || o->recorded_arg))
        return cli_usage("idle", "%s needs --governor",
                         o->levels_arg  ? "--levels"
                         : o->start_arg ? "--start-level"
                                        : "--recorded-level");
    if (o->governor_arg && !o->window.text)
        return cli_usage("idle", "--governor needs --window: how often does the driver poll? gk20a "
                                 "polls every 100ms");
    return -1;
}

int idle_parse_options(const struct cli_verb *verb, int argc, char **argv, struct idle_options *o)
{
    bool has_format = false;
    int c;

    *o = (struct idle_options){ .chip = pc_chip_find("GK20A"), .max_windows = 1000000 };
    /* no more of each than arguments */
    o->map_args = calloc((size_t)argc, sizeof *o->map_args);
    o->counter_args = calloc((size_t)argc, sizeof *o->counter_args);
    o->option_args = calloc((size_t)argc, sizeof *o->option_args);
    if (!o->map_args || !o->counter_args || !o->option_args)
        return cli_no_memory();
    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":a:c:o:qh", long_options)) != -1) {
        if (c == 'h' || c == 'H') {
            cli_print_help(verb, c == 'H');
            return CLI_OK;
        }
        int code = take_option(c, argv, o, &has_format);
        if (code >= 0)
            return code;
    }
    if (!has_format) {
        o->timeline = cli_timeline_of(o->output);
        o->format = o->timeline ? CLI_CSV : cli_format_or_lines_of(o->output, &o->jsonl);
    }
    if (o->jsonl && !(o->lines = cli_lines_new()))
        return CLI_LIMIT;
    if (optind == argc)
        return cli_usage("idle", "which waveform? The last argument is a file, or - for standard "
                                 "input");
    if (argc - optind > 1)
        return cli_usage(
            "idle", "one file at a time; \"%s\" is one too many (words with blanks are quoted)",
            argv[optind + 1]);
    o->path = argv[optind];
    if (cli_check_dashes("idle", cli_dashes(&o->path, 1) + cli_dashes(o->map_args, o->map_count)))
        return CLI_INPUT;
    return check(o);
}

/* SPDX-License-Identifier: MIT */
/* pcounter diff: two reports of `pcounter stat`, count by count. */
#include "diff/diff.h"
#include "wave/event_list.h"
#include "wave/read_options.h"

#include <stdlib.h>

/* Percent: 5, 0.5, 5% */
static bool parse_tolerance(const char *text, double *out)
{
    char *rest;

    if (*text < '0' || *text > '9')
        return false;
    *out = strtod(text, &rest);
    return (rest[0] == '\0' || (rest[0] == '%' && rest[1] == '\0')) && *out <= 1e6 &&
           text[1] != 'x' && text[1] != 'X';
}

static int print(const struct diff_options *o, const struct diff_pair *pair, size_t count)
{
    struct cli_out out;
    const int code = cli_out_open(&out, o->output);

    if (code)
        return code;
    diff_print(out.file, o, pair, count);
    return cli_out_commit(&out);
}

/* The exit code, once both are read. */
static int tell(const struct diff_options *o, const struct diff_file *before,
                const struct diff_file *after)
{
    bool differs = false;
    size_t rows = 0;

    if (before->reports != after->reports)
        return cli_error_at(1702, NULL, 0, "compare files of the same waveforms, in the same order",
                            "%s has %s, %s %zu", cli_input_name(before->path),
                            cli_count(before->reports, "report"), cli_input_name(after->path),
                            after->reports);
    struct diff_pair *pair = diff_compare(o, before, after);
    if (!pair)
        return CLI_LIMIT;
    for (size_t i = 0; i < before->reports; i++) {
        differs |= pair[i].differs;
        rows += pair[i].rows;
    }
    const int code = rows > 0 ? print(o, pair, before->reports)
                              : cli_usage("diff", "--only \"%s\" is no count of either", o->only);
    diff_free(pair, before->reports);
    return code ? code : differs ? CLI_NO : CLI_OK;
}

static int diff(const struct diff_options *o)
{
    struct diff_file before = { 0 }, after = { 0 };
    int code = diff_file_open(&before, o->before, o->memory);

    if (code == CLI_OK)
        code = diff_file_open(&after, o->after, o->memory);
    if (code == CLI_OK)
        code = tell(o, &before, &after);
    diff_file_close(&after);
    diff_file_close(&before);
    return code;
}

static int run(int argc, char **argv)
{
    enum { TOLERANCE = 1000, PER_CYCLE, ONLY, MEMORY, FORMAT };
    static const struct option options[] = {
        { "tolerance", required_argument, NULL, TOLERANCE },
        { "per-cycle", no_argument, NULL, PER_CYCLE },
        { "only", required_argument, NULL, ONLY },
        { "memory", required_argument, NULL, MEMORY },
        { "format", required_argument, NULL, FORMAT },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    struct diff_options o = { 0 };
    bool has_format = false;
    int c, code;

    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":o:qh", options)) != -1) {
        switch (c) {
        case TOLERANCE:
            if (!parse_tolerance(optarg, &o.tolerance))
                return cli_usage("diff", "--tolerance \"%s\" is no percentage, like 0.5", optarg);
            break;
        case PER_CYCLE:
            o.per_cycle = true;
            break;
        case ONLY:
            o.only = optarg;
            break;
        case MEMORY:
            if (cli_memory_limit("diff", optarg, &o.memory))
                return CLI_INPUT;
            break;
        case FORMAT:
            has_format = true;
            if (!cli_parse_format("diff", optarg, &o.format))
                return CLI_INPUT;
            break;
        default:
            if ((code = cli_common_option(&cli_verb_diff, c, argv, options, &o.output)) >= 0)
                return code;
        }
    }
    if (!has_format && cli_output_format("diff", o.output, &o.format))
        return CLI_INPUT;
    if (argc - optind != 2)
        return cli_usage("diff", "two files: the report before, and the one after");
    o.before = argv[optind];
    o.after = argv[optind + 1];
    if ((code =
             cli_check_dashes("diff", cli_dashes((const char *const[]){ o.before, o.after }, 2))))
        return code;
    return diff(&o);
}

const struct cli_verb cli_verb_diff = {
    .name = "diff",
    .summary = "two reports of stat: what counts more, what less",
    .run = run,
    .brief =
        "usage: pcounter diff [OPTION]... BEFORE AFTER\n"
        "\n"
        "  pcounter stat ... -o before.json old.vcd; pcounter stat ... -o after.json new.vcd\n"
        "  pcounter diff before.json after.json\n"
        "  pcounter diff --tolerance 2 --only '*miss*' before.json after.json\n"
        "\n"
        "  --tolerance PCT   so many percent of the value before are no difference\n"
        "  --per-cycle       counts a cycle are compared, of runs that are not of one length\n"
        "  --only PATTERN    these counts and metrics (* is any text, ? any character)\n"
        "  --memory SIZE     bytes that reading a file may take: 256M, 2G (20 times its size)\n"
        "  --format FORMAT   text, csv or json\n"
        "  -o, --output FILE - or none: standard output; .csv and .json choose the format\n"
        "  -q, --quiet       no notes\n"
        "  -h, --help        this screen; everything\n",
    .full =
        "BEFORE and AFTER are what `pcounter stat --format json` prints, with or without --core;\n"
        "- is standard input. Counts and metrics belong together by their names, reports of\n"
        "several waveforms by their order. -I and --multiplex are not looked at: the counts of\n"
        "all cycles are compared.\n"
        "\n"
        "Counts are compared as integers, and with --per-cycle as fractions, so without a\n"
        "tolerance nothing is rounded. What is tainted, saturated, lost or not measured, or of a\n"
        "run that was interrupted, is unknown: a difference, unless the other side says the\n"
        "same. So is what only one of the reports has, and a metric in another unit.\n"
        "\n"
        "CSV columns: before_trace,after_trace,kind,name,unit,before,before_state,after,\n"
        "after_state,difference,percent,verdict,after_unit; unit is that of the value before,\n"
        "or of the one there is. JSON: \"$schema\" is pcounter-diff-1; counts are strings.\n"
        "Warnings of both reports are told after the counts; in CSV the kind is warning, the\n"
        "name its text, the verdict before or after.\n"
        "\n"
        "Exit codes: 0 no difference, or within the tolerance; 1 a difference; 2 usage, or a\n"
        "file that is no such report, or without libjansson, which reads it; 4 a limit was\n"
        "reached, or memory ran out.\n",
};

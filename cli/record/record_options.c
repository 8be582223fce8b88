/* SPDX-License-Identifier: MIT */
/* The command line of pcounter record. */
#include "record.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_STOP = 256,
    OPT_PACKETS,
    OPT_SPARK,
    OPT_DUMP,
    OPT_DECODE,
    OPT_PACKET_FORMAT,
    OPT_PROGRAM,
    OPT_CLOCK_HZ,
    OPT_X,
    OPT_SAMPLE,
    OPT_BIND,
    OPT_SIGNALS,
    OPT_FORMAT
};

static const struct option long_options[] = {
    { "chip", required_argument, NULL, 'a' },
    { "clock", required_argument, NULL, 'c' },
    { "stop", required_argument, NULL, OPT_STOP },
    { "event", required_argument, NULL, 'e' },
    { "packets", no_argument, NULL, OPT_PACKETS },
    { "spark", no_argument, NULL, OPT_SPARK },
    { "dump", required_argument, NULL, OPT_DUMP },
    { "decode", no_argument, NULL, OPT_DECODE },
    { "packet-format", required_argument, NULL, OPT_PACKET_FORMAT },
    { "program", required_argument, NULL, OPT_PROGRAM },
    { "domain", required_argument, NULL, 'd' },
    { "clock-hz", required_argument, NULL, OPT_CLOCK_HZ },
    { "x", required_argument, NULL, OPT_X },
    { "sample", required_argument, NULL, OPT_SAMPLE },
    { "bind", required_argument, NULL, OPT_BIND },
    { "signals", required_argument, NULL, OPT_SIGNALS },
    { "output", required_argument, NULL, 'o' },
    { "format", required_argument, NULL, OPT_FORMAT },
    { "quiet", no_argument, NULL, 'q' },
    CLI_WINDOW_OPTIONS,
    CLI_READ_OPTIONS,
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

static int parse_packet_format(const char *text, struct record_options *o)
{
    static const char *const words[] = { "long", "short", NULL };
    int i = 0, code = cli_parse_word("record", "--packet-format", text, words, &i);

    o->is_short = i == 1;
    o->has_packet_format = true;
    return code;
}

static int parse_hz(const char *text, double *out)
{
    char *rest;

    *out = strtod(text, &rest);
    return rest != text && *rest == '\0' && *out > 0 && *out <= 1e15
               ? CLI_OK
               : cli_usage("record", "--clock-hz takes cycles a second, like 500e6, not \"%s\"",
                           text);
}

/* An option of a buffer or of a waveform alone. */
static int take_one(int c, struct record_options *o)
{
    const char **which = c == OPT_PACKET_FORMAT || c == OPT_PROGRAM || c == 'd' || c == OPT_CLOCK_HZ
                             ? &o->of_buffer
                             : &o->of_waveform;

    switch (c) {
    case OPT_STOP:
        *which = "--stop";
        o->stop.place.label = "--stop";
        return cli_take_once("record", "--stop", optarg, &o->stop.place.argument);
    case OPT_DUMP:
        *which = "--dump";
        return cli_take_once("record", "--dump", optarg, &o->dump);
    case OPT_PACKET_FORMAT:
        *which = "--packet-format";
        return parse_packet_format(optarg, o);
    case OPT_PROGRAM:
        *which = "--program";
        return cli_take_once("record", "--program", optarg, &o->program);
    case OPT_CLOCK_HZ:
        *which = "--clock-hz";
        return parse_hz(optarg, &o->clock_hz);
    case OPT_X:
        *which = "--x";
        return stat_parse_x("record", optarg, &o->of.x);
    case OPT_SAMPLE:
        *which = "--sample";
        o->of.sample = true;
        return cli_parse_sample("record", optarg, &o->of.post_edge);
    case OPT_BIND:
        *which = "--bind";
        return stat_bind_add(&o->of, optarg);
    case 'c':
        *which = "--clock";
        return cli_take_once("record", "--clock", optarg, &o->of.clock);
    case 'd':
        *which = "--domain";
        o->domain = optarg;
        return CLI_OK;
    case 'e':
        *which = "-e";
        return stat_parse_events(&o->of, optarg);
    default:
        return -1;
    }
}

static int take_long(int c, struct record_options *o)
{
    int code = take_one(c, o);

    if (code < 0)
        code = cli_read_option("record", c, &o->of.read);
    if (code < 0)
        code = cli_window_option("record", c, optarg, &o->of.window);
    return code;
}

/* One option; an exit code, or -1 to go on. */
static int take_option(int c, char **argv, struct record_options *o, bool *has_format, bool *jsonl)
{
    int code = CLI_OK;

    switch (c) {
    case 'a':
        o->of.chip = cli_find_chip(optarg);
        o->has_chip = true;
        code = o->of.chip ? CLI_OK : CLI_INPUT;
        break;
    case 'o':
        code = cli_take_once("record", "-o", optarg, &o->of.output);
        break;
    case 'q':
        cli_quiet = true;
        break;
    case OPT_PACKETS:
        o->packets = true;
        break;
    case OPT_SPARK:
        o->spark = true;
        break;
    case OPT_DECODE:
        o->decode = true;
        break;
    case OPT_SIGNALS:
        code = cli_names_add("record", &o->of.binds.files, optarg);
        break;
    case OPT_FORMAT:
        *has_format = true;
        code = cli_parse_format_or("record", optarg, &o->of.format, jsonl, &o->of.timeline)
                   ? CLI_OK
                   : CLI_INPUT;
        break;
    case 'h':
    case 'H':
        cli_print_help(o->of.verb, c == 'H');
        return CLI_OK;
    default:
        code = take_long(c, o);
        if (code < 0)
            return cli_bad_option("record", c, argv, long_options);
    }
    return code == CLI_OK ? -1 : code;
}

/* Options of a buffer with a waveform, or the other way round, would have no effect. */
static int check_kind(const struct record_options *o)
{
    const char *of_waveform = o->of_waveform           ? o->of_waveform
                              : o->of.window.from.text ? "--from"
                              : o->of.window.to.text   ? "--to"
                                                       : o->of.read.given;

    if (!o->decode && o->of_buffer)
        return cli_usage("record", "%s is about a buffer: with --decode", o->of_buffer);
    if (o->decode && of_waveform)
        return cli_usage("record", "%s is about a waveform: not with --decode", of_waveform);
    if (o->decode && !o->program && (o->has_chip || o->domain))
        return cli_usage("record", "%s says of which domain the registers of --program are",
                         o->domain ? "--domain" : "--chip");
    if (o->decode && !o->program && o->of.binds.files.count)
        return cli_usage("record", "--signals names the inputs that --program selects");
    if (o->spark && o->of.format != CLI_TEXT)
        return cli_usage("record", "--spark is for --format text");
    if (o->spark && !o->decode && o->of.events == 0)
        return cli_usage("record", "--spark is about events, and none is counted: -e names some");
    return CLI_OK;
}

static int check_waveform(const struct record_options *o)
{
    const int code = stat_check_clock("record", &o->of);

    if (code)
        return code;
    if (!o->stop.place.argument)
        return cli_usage("record", "when does a period end? Say it with --stop, like "
                                   "--stop 'rise(top.frame_end)'");
    if (o->dump && cli_same_output(o->dump, o->of.output))
        return cli_usage("record", "--dump and -o would write to one file");
    for (size_t n = 0; n < o->of.events; n++)
        if (o->of.event[n].slots)
            return cli_error_at(1603, &o->of.event[n].place, 1, NULL,
                                "record mode has no PRE, START, EVENT and STOP counters: an event "
                                "is at the next free selector");
    return cli_window_check("record", &o->of.window);
}

static int check(struct record_options *o, int argc, char **argv)
{
    if (optind == argc)
        return cli_usage("record", "which %s? The last argument is a file, or - for standard input",
                         o->decode ? "buffer" : "waveform");
    if (optind + 1 < argc)
        return cli_usage("record",
                         "one %s at a time: \"%s\" is one too many (an expression with blanks is "
                         "quoted)",
                         o->decode ? "buffer" : "waveform", argv[optind + 1]);
    o->of.path = argv[optind];
    int code = check_kind(o);
    if (code == CLI_OK && !o->decode)
        code = check_waveform(o);
    if (code == CLI_OK) {
        const char *const inputs[] = { o->of.path, o->program };
        code =
            cli_check_dashes("record", cli_dashes(inputs, 2) + cli_dashes(o->of.binds.files.path,
                                                                          o->of.binds.files.count));
    }
    return code;
}

int record_parse_options(const struct cli_verb *verb, int argc, char **argv,
                         struct record_options *o)
{
    bool has_format = false, jsonl = false;
    int c;

    *o = (struct record_options){
        .of = { .verb = verb, .chip = pc_chip_find("GT215"), .files = 1, .threads = 1 }
    };
    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":a:c:d:e:o:qh", long_options)) != -1) {
        int code = take_option(c, argv, o, &has_format, &jsonl);
        if (code >= 0)
            return code;
    }
    if (!has_format) {
        o->of.timeline = cli_timeline_of(o->of.output);
        o->of.format = o->of.timeline ? CLI_CSV : cli_format_or_lines_of(o->of.output, &jsonl);
    }
    if (jsonl && !(o->of.lines = cli_lines_new()))
        return CLI_LIMIT;
    int code = check(o, argc, argv);
    return code == CLI_OK ? -1 : code;
}

void record_free_options(struct record_options *o)
{
    free(o->stop.name);
    free(o->stop.text);
    pc_expr_free(o->stop.expr);
    stat_free_options(&o->of);
}

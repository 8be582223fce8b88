/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat: counts of expressions over a waveform, and with -a by the counters of a chip.
 * Everything that can be wrong with the command line is found before the waveform is read
 * beyond its header.
 */
#include "process/batch.h"
#include "process/ranks.h"
#include "stat.h"
#include "stat_core.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* --from and --to as cycles of the clock: they may take a read of the waveform's times. */
static int find_window(struct stat_options *o, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock)
{
    const struct pc_wave_desc desc = cli_wave_desc(&o->read, o->path);
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    return cli_window_find(&o->window, &info, &desc, clock,
                           o->metrics.count > 0 || o->expect.texts > 0);
}

/* From the command line to the counters: nothing is counted yet. */
static int prepare(struct stat_options *o, struct stat_wires *wires, struct stat_plan *plan,
                   struct pc_wave_clock *clock)
{
    int code = stat_find_clock(wires->wave, o->clock, clock);

    clock->post_edge = o->post_edge;
    o->edge = clock->edge;
    if (code == CLI_OK && o->sample)
        code = cli_check_sample("stat", clock);
    if (code == CLI_OK)
        code = stat_bind_open(o, wires->wave);
    if (code == CLI_OK)
        code = stat_find_metrics(o);
    if (code == CLI_OK)
        code = stat_check_events(o);
    for (size_t n = 0; n < o->events && code == CLI_OK; n++)
        code = stat_compile_event(o, &o->event[n], wires);
    if (code == CLI_OK && o->chip)
        code = stat_make_plan(o, plan, wires);
    if (code == CLI_OK && o->chip)
        code = stat_program(o, plan);
    if (code == CLI_OK)
        code = find_window(o, wires->wave, clock);
    return code;
}

/* With -I the rest of it stands behind the rows already. */
static void report(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                   const struct stat_result *result)
{
    if (!o->interval.text)
        stat_report(out, o, plan, result);
    if (o->events == 0 && o->format == CLI_TEXT && !result->partial && !cli_quiet)
        stat_suggest(out, o);
}

static void note_tainted(const struct stat_options *o, const struct pc_wave *wave,
                         const struct pc_wave_clock *clock)
{
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].tainted > 0) {
            stat_note_tainted(o, wave, clock, o->event[n].name, o->event[n].tainted);
            return;
        }
}

/* The waveform is open; the report goes to `to`, or where -o says. */
static int count_into(struct stat_options *o, FILE *to, struct stat_wires *wires,
                      struct stat_plan *plan)
{
    struct pc_wave_clock clock;
    struct stat_result result;
    struct cli_out out;
    int code = prepare(o, wires, plan, &clock);

    if (code == CLI_OK && !to)
        code = cli_out_open(&out, o->output);
    if (code)
        return code;
    FILE *const file = to ? to : out.file;
    code = stat_run(o, plan, wires, &clock, file, &result);
    stat_note_events(o, NULL, wires, &clock);
    if (code == CLI_OK) {
        report(file, o, plan, &result);
        note_tainted(o, wires->wave, &clock);
        stat_expect_tell(o, plan, &result);
    }
    if (code == CLI_OK && o->lines && o->lines->failed)
        code = CLI_LIMIT;
    if (!to && code == CLI_OK)
        code = cli_out_commit(&out);
    else if (!to)
        cli_out_abort(&out);
    return code == CLI_OK && result.partial ? CLI_INTERRUPTED : code;
}

static int count(struct stat_options *o, FILE *to)
{
    struct pc_wave_desc desc = cli_wave_desc(&o->read, o->path);
    struct stat_wires wires = { .binds = &o->binds };
    struct stat_plan plan = { .pass = NULL };
    struct pc_error err;
    int code = cli_claim_input("stat", o->path);

    /* 0: one thread, and one that decompresses what is compressed */
    desc.threads = o->threads > 1 || o->files > 1 ? o->threads : 0;
    desc.live = o->live;
    if (code == CLI_OK)
        code = stat_open_metrics(o);
    if (code == CLI_OK)
        code = pc_wave_open(&desc, &wires.wave, &err) ? cli_error(&err, o->path, NULL)
                                                      : count_into(o, to, &wires, &plan);

    stat_free_plan(&plan);
    stat_free_wires(&wires);
    pc_wave_close(wires.wave);
    return code;
}

/* --- one waveform --- */

static int count_one(struct stat_options *o)
{
    o->live = o->interval.text && o->threads <= 1 && cli_read_once(o->path);
    return cli_ranks_first() ? count(o, NULL) : CLI_OK;
}

/* --- several --- */

struct several {
    struct stat_options *file;      /* each with its own events */
    size_t files, not_begun, first; /* one that was not begun: Ctrl-C came before */
    FILE *out;
};

static int run_file(void *ctx, size_t i)
{
    const struct several *s = ctx;
    const int code = count(&s->file[i], cli_stdout());

    if (code != CLI_OK && code != CLI_INTERRUPTED) { /* a mistake in -e has no file of its own */
        fputs("in ", cli_stderr());
        cli_print_name(cli_stderr(), s->file[i].path);
        fputc('\n', cli_stderr());
        if (s->file[i].keep_going)
            stat_failed(cli_stdout(), &s->file[i]);
    }
    return code;
}

/* JSON of several files, and of one of which a part can be out before what stands for it. */
static bool is_array(const struct several *s)
{
    return s->file[0].format == CLI_JSON && !s->file[0].lines &&
           (s->files > 1 || s->file[0].keep_going);
}

/* CSV has one header, JSON is an array; lines follow each other. */
static void tell_file(void *ctx, size_t i, const struct cli_batch_part *part)
{
    struct several *s = ctx;
    const enum cli_format format = s->file[i].format;
    const bool array = is_array(s);
    size_t size = part->size;

    if (!part->begun) {
        s->first = s->not_begun++ ? s->first : i;
        return;
    }
    if (array)
        fputs(i == 0 ? "[\n" : ",\n", s->out);
    else if (format == CLI_TEXT && i > 0)
        fputc('\n', s->out);
    if (array && size > 0)
        size--; /* its newline */
    fwrite(part->out, 1, size, s->out);
    if (s->file[i].keep_going)
        cli_flush(s->out);
}

/* The first file is begun before anyone looks whether Ctrl-C came. */
static void end_files(const struct several *s)
{
    if (is_array(s))
        fputs("\n]\n", s->out);
    if (s->not_begun == 0)
        return;
    fputs("pcounter: interrupted before ", stderr);
    cli_print_name(stderr, cli_input_name(s->file[s->first].path));
    if (s->not_begun > 1)
        fprintf(stderr, " and %s were", cli_count(s->not_begun - 1, "further waveform"));
    fprintf(stderr, "%s begun: not in the report\n", s->not_begun > 1 ? "" : " was");
}

/*
 * The options of each file; they are right, for the first has been parsed.  That has put the files
 * behind all options: each time the options and one file are parsed, not all files again.
 */
static int parse_again(char **argv, size_t options, char **paths, struct several *s)
{
    unsigned dashes = 0;

    for (size_t i = 0; i < s->files; i++) {
        struct stat_options *o = &s->file[i];
        argv[options] = paths[i];
        optind = 0; /* from the beginning */
        int code = stat_parse_options(&cli_verb_stat, (int)options + 1, argv, o);
        if (code >= 0)
            return code;
        o->number = i;
        o->files = s->files;
        o->threads = o->threads > s->files ? o->threads / (unsigned)s->files : 1;
        dashes += strcmp(o->path, "-") == 0;
    }
    if (dashes && cli_ranks)
        return cli_usage("stat", "standard input can be read by one process only");
    return CLI_OK;
}

/* All reports or none: they are written when the last waveform has been read; or as they come. */
static int count_several(struct several *s, const struct stat_options *o)
{
    struct cli_batch batch = { .files = s->files,
                               .threads = o->threads,
                               .keep_going = o->keep_going,
                               .ctx = s,
                               .run = run_file,
                               .tell = tell_file };
    char *text = NULL;
    size_t size = 0;
    struct cli_out out;
    bool whole;
    int code = cli_out_open(&out, o->output);

    if (code)
        return code;
    s->out = o->keep_going ? out.file : open_memstream(&text, &size);
    if (!s->out) {
        cli_out_abort(&out);
        return cli_no_memory();
    }
    while (batch.own < s->files && strcmp(s->file[batch.own].path, "-") != 0)
        batch.own++; /* Ctrl-C ends standard input for the thread that it interrupts */
    code = cli_batch_run(&batch, &whole);
    if (whole)
        end_files(s);
    if (!o->keep_going && !cli_collected(s->out, &text)) {
        whole = false;
        code = cli_no_memory();
    }
    if (whole) {
        fwrite(text ? text : "", 1, size, out.file);
        int written = cli_out_commit(&out);
        code = written ? written : code;
    } else {
        cli_out_abort(&out);
    }
    free(text);
    return code;
}

static int run_several(int argc, char **argv, struct stat_options *o)
{
    const size_t options = (size_t)argc - o->files;
    struct several s = { .files = o->files, .file = calloc(o->files, sizeof *s.file) };
    char **words = calloc(options + 2, sizeof *words);
    int code = s.file && words ? CLI_OK : cli_no_memory();

    if (code == CLI_OK) {
        memcpy(words, argv, options * sizeof *words);
        code = parse_again(words, options, o->paths, &s);
    }
    if (code == CLI_OK)
        code = count_several(&s, o);
    for (size_t i = 0; s.file && i < s.files; i++) {
        o->unmet |= s.file[i].unmet;
        stat_free_options(&s.file[i]);
    }
    free(s.file);
    free(words);
    return code;
}

static int run(int argc, char **argv)
{
    if (stat_core_wanted(argc, argv))
        return cli_ranks_first() ? stat_core(&cli_verb_stat, argc, argv) : CLI_OK;

    struct stat_options o;
    int code = stat_parse_options(&cli_verb_stat, argc, argv, &o);

    if (code < 0)
        code = o.files > 1 || o.keep_going ? run_several(argc, argv, &o) : count_one(&o);
    if (code == CLI_OK && o.unmet)
        code = CLI_NO;
    stat_free_options(&o);
    return code;
}

const struct cli_verb cli_verb_stat = {
    .name = "stat",
    .summary = "count events of a waveform",
    .run = run,
    .brief =
        "usage: pcounter stat --clock CLOCK [-e EVENT]... FILE...\n"
        "\n"
        "  pcounter stat --clock top.clk -e 'top.valid & top.ready' dump.vcd\n"
        "  pcounter stat --clock 'posedge clk iff rst_n' -e 'hits=req & hit, stalls=req & !ack' "
        "a.fst\n"
        "  pcounter stat --clock clk -e 'full=count == 8, rise(irq)' -o counts.csv dump.vcd.gz\n"
        "\n"
        "  -c, --clock CLOCK    cycles are edges of this signal: clk, 'negedge clk',\n"
        "                       'posedge clk iff rst_n', sample (every time stamp), or\n"
        "                       'every 10ns' (each 10 ns from the first time stamp on)\n"
        "  -e, --event EVENT    [NAME=]EXPRESSION, several with commas:\n"
        "                       & | ^ ! ~ && || == != < <= > >= ?: rise fall edge prev $signed\n"
        "  -M, --metric METRICS formulas over events: names with commas, or 'NAME = FORMULA UNIT'\n"
        "  --expect EXPECTATION a test of counts or metrics, like 'misses < 0.05 * hits': if it "
        "is\n"
        "                       not met, the exit code is 1\n"
        "  -a, --chip CHIP      the counters of this chip count, too, and agree: see --help\n"
        "  --from, --to WHERE   count a part: from cycle 1520 or 15.2us on, to before another\n"
        "  -I, --interval N     counts of each 10000 cycles, or each 10us, and of all\n"
        "  --sample WHEN        pre-edge (default: what a flip-flop sees) or post-edge; of edges,\n"
        "                       not with --clock sample and 'every ...'\n"
        "  --x HOW              unknown values: taint (default), zero, one, error\n"
        "  -o, --output FILE    - or none: standard output; .csv, .json, .jsonl, .html, .vcd,\n"
        "                       .perfetto.json choose the format\n"
        "  --format FORMAT      text, csv, json, jsonl; with -I html, a page of plots; with -I in\n"
        "                       times perfetto and vcd, for viewers\n"
        "  --keep-going         past a file that cannot be counted: its error is in its place\n"
        "  -j, --jobs N         threads; what is printed does not depend on them (1; for 16 MB of\n"
        "                       files and more as many as CPUs, up to 4)\n"
        "  -q, --quiet          no notes, no progress\n"
        "  -h, --help           this screen; everything\n",
    .full =
        "Without -e the cycles are counted, and events suggested.  FILE is VCD, EVCD, FST,\n"
        "a sigrok session or CSV, plain or compressed, told by content; - is standard input.\n"
        "\n"
        "Names are paths with dots, or their unique ends: top.cpu.valid, cpu.valid, valid.  Bits\n"
        "and slices stand behind them: count[3], count[7:4].  Names with other characters are\n"
        "written as in Verilog, a backslash before and a blank behind, and without their blanks:\n"
        "Channel0 is the channel \"Channel 0\".  The language is described in pcounter-expr(7).\n"
        "\n"
        "With -a CHIP the counters of that chip count as well, and each count is checked against\n"
        "the expression itself. An event becomes the truth table of one input (PRE, START, EVENT,\n"
        "STOP) of one domain, in quad event mode; all domains run on the one clock. More events\n"
        "than counters take more passes, as few as can be, all over the same read of the file.\n"
        "{a,b} are counted in one pass; NAME:PRE=EXPRESSION or EXPRESSION:PRE pins an event to\n"
        "that counter. What no input can compute (more than seven signals, a comparison of wide\n"
        "vectors) is computed in front of the counter and comes in as one signal; note PC-N0301\n"
        "says so. The options from --bind to --engine are about these counters.\n"
        "\n"
        "Signals of a chip: if the bits of a vector are the signals of a domain, as in a "
        "simulation\n"
        "of one, events have their names too, beside those of the waveform:\n"
        "  --bind DOM=VECTOR    bit 0 of VECTOR is signal 0 of domain DOM of --chip: 1=tb.signals\n"
        "  --signals FILE       names of one's own, see pcounter-signals(5)\n"
        "\n"
        "Unknown values: with --x taint an unknown input counts as 0, and a count is marked\n"
        "tainted if in some cycle its event depends on one: a & b does not if a is 0.  With\n"
        "--x zero or one unknown inputs have that value.  With --x error the first cycle in\n"
        "which one matters ends the run.\n"
        "\n"
        "Windows: --from and --to take cycles of the clock, counted from 0 (1520 or 1520c), or\n"
        "times of the waveform (15.2us; s, ms, us, ns, ps, fs): a cycle belongs to the time of\n"
        "its edge, and --to is the first that does not count. Counts of windows that follow each\n"
        "other add up to those of the whole: rise and prev see what was before. Times take a\n"
        "second read.\n"
        "\n"
        "States: exact; tainted (see above); with -a saturated and lost (what the hardware would\n"
        "have lost; it cannot happen while periods are shorter than 2^32 cycles).\n"
        "\n"
        "Metrics: -M 'hit_rate = hits / (hits + misses) %' has numbers, events of -e by name or\n"
        "signals of the waveform, cycles, seconds, + - * / ( ) min max, and a unit; --metrics "
        "FILE\n"
        "reads such lines, and takes all of them or those that -M names (pcounter-plan(1)).  The\n"
        "events of a metric share a pass of a chip.  What is tainted, saturated, lost or not measured in an\n"
        "event is so in the metric; a division by 0 is not measured.\n"
        "\n"
        "  --metrics FILE       metrics of your own: all, or those that -M names\n"
        "  --max-passes N       more passes are an error (3), before anything is read\n"
        "  --multiplex[=N]      beside each count what hardware would have reported whose passes\n"
        "                       take turns of N cycles (10000), scaled up, and its true error\n"
        "  --explain            the plan, why it has so many passes, and how each domain was run:\n"
        "                       wide (64 cycles a word), relaxed (until it agrees with\n"
        "                       itself) or step (cycle by cycle), and why\n"
        "  --swap-every N       cycles of a counting period (2147483648); counts do not depend\n"
        "                       on it\n"
        "  --engine step        cycle by cycle, as the document says it: slow, and equal; run is\n"
        "                       the default\n" CLI_READ_HELP,
    .rest =
        "\n"
        "Several waveforms are counted each by itself, -j of them at a time, and reported in "
        "their\n"
        "order, all or none: CSV with one header, JSON as an array.\n"
        "With --keep-going reports go out as they are known, and a file that cannot be counted\n"
        "has its error in its place: in CSV a row of the kind error, in JSON an object with a\n"
        "member error (of one file, too, an array), in JSON lines one of type error. Rows of\n"
        "intervals that were counted before it stay. The exit code is that of the error.\n"
        "Clocks: sample is each time stamp, however long it lasts; 'every 10ns' each 10 ns before\n"
        "the last stamp, seeing the values of its own time. `seconds` is without what $dumpoff "
        "cut.\n"
        "\n"
        "Units: count, cycles, B (kB MB GB KiB MiB GiB) of events; % or ratio of events over "
        "events;\n"
        "count/s, Hz (kHz MHz GHz), B/s .. of events over seconds; s (ms us ns ps fs) of seconds.\n"
        "Another unit is an error.  % is 1/100: hits / all %, without a factor of 100.  Text has "
        "the\n"
        "prefix that suits (14.2 ns), CSV and JSON have %, B, Hz, s.\n"
        "\n"
        "Expectations have formulas, of events and of metrics by name, on both sides of < <= > >=\n"
        "== or !=, of all cycles.  Both are of one kind; a number alone, or added to a metric, is "
        "in\n"
        "the unit that stands there: hit_rate >= 70 of a metric in % means 70 %.  What is not "
        "exact,\n"
        "or cut off by Ctrl-C, is unknown: not met.  Reports that are not text on standard output\n"
        "tell on standard error what is not met.\n"
        "\n"
        "Intervals: -I cuts the window into pieces of so many cycles or of such a time, from its\n"
        "begin on; the last may be shorter, and ends with --to where both are times. Each has its\n"
        "counts, states and metrics; their sum is the count of all. Times, which say when an\n"
        "interval began, are there with -I in times (a second read), with samples, and where a\n"
        "metric uses seconds. Intervals without a cycle have rows too, but more than 1000 in a\n"
        "row are one. Rows go out once known, also while a pipe is silent that a simulation\n"
        "still writes (VCD or CSV, not compressed).\n"
        "\n"
        "A CVA6 core in the waveform, events by name; more in pcounter-check(1):\n"
        "  pcounter stat --core cv64a6_imafdc_sv39 -e L1D_MISS,BRANCH_MISPREDICT,0x0f dump.fst\n"
        "  --core NAME          its configuration; -e help lists the events, -e all counts them\n"
        "  --scope SCOPE, --map FILE, --profile NAME, --quirk NAME=on|off\n"
        "                       as of pcounter check\n"
        "  --from, --to WHERE   a part of it; cycles are all edges of the core's clock\n"
        "  --while-enabled      each window in which mcountinhibit is 0, and all of them\n"
        "\n"
        "CSV columns: trace,kind,name,value,state,cycles,expression,unit,first_cycle; the kind is\n"
        "cycles, event, metric, expectation, warning or error (whose name is its text).  With -I\n"
        "also interval (from 0), time (of its begin) and seconds (its length), empty if unknown.\n"
        "With -a there are chip, pass, domain and slot for the kind, and multiplexed and\n"
        "error_percent after the unit.\n"
        "JSON: \"$schema\" is pcounter-stat-1; counts are strings, and numbers below 2^53; -I has\n"
        "an array \"intervals\", and what belongs to all behind it.\n"
        "html: a page without a script: a plot for each event and metric, hatched where a count "
        "is\n"
        "not exact, dotted where there is none, and a table of the sums. More than 800 intervals\n"
        "share columns of the plot: smallest, mean, largest. perfetto: JSON that ui.perfetto.dev\n"
        "and chrome://tracing open; states that are not exact are slices. Both end with what\n"
        "belongs to all.\n"
        "JSON lines: one of type begin, an item each interval, event, metric and expectation, one\n"
        "of type end.\n"
        "VCD: each interval's counts from its begin on, as signals of the scope pcounter, at the\n"
        "times of the waveform; of the scope pcounter.inexact, 1 where a count is not exact.\n"
        "Ctrl-C prints what was counted so far, marked partial; of several waveforms those that\n"
        "were not begun are not in the report, and a message says so.\n"
        "\n"
        "Exit codes: 0 ok, 1 an expectation is not met, 2 wrong input, 3 cannot be counted on\n"
        "this chip, 4 a limit was reached, 130 interrupted.\n",
};

/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat: counts of expressions over a waveform, made by the counters of a chip.
 * Everything that can be wrong with the command line is found before the waveform is read
 * beyond its header.
 */
#include "stat.h"
#include "stat_core.h"

/* Parses an event and gives it its wires. */
static int compile_event(struct stat_event *e, struct stat_wires *wires)
{
    struct pc_error err;

    if (pc_expr_parse(NULL, e->text, &e->expr, &err))
        return stat_library_error(&err, &e->place);
    if (pc_expr_resolve(e->expr, stat_lookup, wires, &err))
        return stat_library_error(&err, &e->place);
    return CLI_OK;
}

/* From the command line to the counters: nothing is read beyond the header yet. */
static int prepare(struct stat_options *o, struct stat_wires *wires, struct stat_plan *plan,
                   struct pc_wave_clock *clock)
{
    int code = stat_find_clock(wires->wave, o->clock, clock);

    clock->post_edge = o->post_edge;
    o->edge = clock->edge;
    for (size_t n = 0; n < o->events && code == CLI_OK; n++)
        code = compile_event(&o->event[n], wires);
    if (code == CLI_OK)
        code = stat_make_plan(o, plan);
    if (code == CLI_OK)
        code = stat_program(o, plan);
    return code;
}

static int count(struct stat_options *o, struct stat_wires *wires, struct stat_plan *plan)
{
    struct pc_wave_clock clock;
    struct stat_result result;
    struct cli_out out;
    int code = prepare(o, wires, plan, &clock);

    if (code == CLI_OK)
        code = cli_out_open(&out, o->output);
    if (code)
        return code;
    code = stat_run(o, plan, wires, &clock, &result);
    if (code) {
        cli_out_abort(&out);
        return code;
    }
    stat_report(out.file, o, plan, &result);
    if (o->events == 0 && o->format == CLI_TEXT && !result.partial && !cli_quiet)
        stat_suggest(out.file, o);
    code = cli_out_commit(&out);
    return code == CLI_OK && result.partial ? CLI_INTERRUPTED : code;
}

static int run(int argc, char **argv)
{
    if (stat_core_wanted(argc, argv))
        return stat_core(argc, argv);

    struct stat_options o;
    struct stat_wires wires = { .wave = NULL };
    struct stat_plan plan = { .pass = NULL };
    struct pc_wave_desc desc = { .path = NULL };
    struct pc_error err;
    int code = stat_parse_options(argc, argv, &o);

    if (code < 0) {
        desc.path = o.path;
        desc.threads = o.threads;
        if (pc_wave_open(&desc, &wires.wave, &err))
            code = cli_error(&err, o.path, NULL);
        else
            code = count(&o, &wires, &plan);
    }
    stat_free_plan(&plan);
    stat_free_wires(&wires);
    pc_wave_close(wires.wave);
    stat_free_options(&o);
    return code;
}

const struct cli_verb cli_verb_stat = {
    .name = "stat",
    .summary = "count events of a waveform with the counters of a chip",
    .run = run,
    .brief =
        "usage: pcounter stat --clock CLOCK [-e EVENT]... FILE\n"
        "\n"
        "  pcounter stat --clock top.clk -e 'top.valid & top.ready' dump.vcd\n"
        "  pcounter stat --clock 'posedge clk iff rst_n' -e 'hits=req & hit, stalls=req & !ack' "
        "a.fst\n"
        "  pcounter stat --clock clk -e 'full=count == 8, rise(irq)' -o counts.csv dump.vcd.gz\n"
        "\n"
        "  -c, --clock CLOCK    cycles are edges of this signal: clk, 'negedge clk',\n"
        "                       'posedge clk iff rst_n', or sample (every time stamp)\n"
        "  -e, --event EVENT    [NAME=]EXPRESSION, several with commas, {a,b} in one pass;\n"
        "                       & | ^ ! ~ && || == != < <= > >= ?: rise fall edge prev\n"
        "  -a, --chip CHIP      whose counters count (GT215)\n"
        "  --sample WHEN        pre-edge (default: what a flip-flop sees) or post-edge\n"
        "  --x HOW              unknown values: taint (default), zero, one, error\n"
        "  -j, --threads N      threads that read the file, 1 to 64; the result is the same\n"
        "  -o, --output FILE    - or none: standard output; .csv and .json choose the format\n"
        "  --format FORMAT      text, csv or json\n"
        "  -q, --quiet          no notes, no progress\n"
        "  -h, --help           this screen; everything\n",
    .full =
        "Without -e the cycles are counted, and events suggested.  FILE is VCD, EVCD or FST,\n"
        "plain or compressed; the format is told by content, - is standard input.\n"
        "\n"
        "Names are paths with dots, or their unique ends: top.cpu.valid, cpu.valid, valid.  Bits\n"
        "and slices stand behind them: count[3], count[7:4].  Names with other characters are\n"
        "written as in Verilog, a backslash before and a blank behind.  The language is\n"
        "described in pcounter-expr(7).\n"
        "\n"
        "How it counts: each event becomes the truth table of one input (PRE, START, EVENT,\n"
        "STOP) of one domain, in quad event mode; all domains run on the one clock.  More events\n"
        "than counters take more passes, as few as can be, all over the same read of the file.\n"
        "NAME:PRE=EXPRESSION or EXPRESSION:PRE pins an event to that counter.  What no input can\n"
        "compute (more than seven signals, a comparison of wide vectors) is computed in front of\n"
        "the counter and comes in as one signal; note PC-N0301 says so.  Each count is checked\n"
        "against the expression itself.\n"
        "\n"
        "Unknown values: with --x taint an unknown input counts as 0, and a count is marked\n"
        "tainted if in some cycle its event depends on one: a & b does not if a is 0.  With\n"
        "--x zero or one unknown inputs have that value.  With --x error the first cycle in\n"
        "which one matters ends the run.\n"
        "\n"
        "States: exact; tainted (see above); saturated and lost (what the hardware would have\n"
        "lost; it cannot happen while periods are shorter than 2^32 cycles).\n"
        "\n"
        "  --swap-every N       cycles of a counting period (2147483648); counts do not depend\n"
        "                       on it\n"
        "  --engine step        the only one yet: the document, cycle by cycle\n"
        "\n"
        "A CVA6 core in the waveform, events by name; more in pcounter-check(1):\n"
        "  pcounter stat --core cv64a6_imafdc_sv39 -e L1D_MISS,BRANCH_MISPREDICT,0x0f dump.fst\n"
        "  --core NAME          its configuration; -e help lists the events, -e all counts them\n"
        "  --scope SCOPE, --map FILE, --profile NAME, --quirk NAME=on|off\n"
        "                       as of pcounter check\n"
        "  --from, --to WHERE   a part of it: an edge, 1520, or a time, 15.2us\n"
        "  --while-enabled      each window in which mcountinhibit is 0, and all of them\n"
        "\n"
        "CSV columns: trace,chip,pass,domain,slot,name,value,state,cycles,expression.\n"
        "JSON: \"$schema\" is pcounter-stat-1; counts are strings, and numbers below 2^53.\n"
        "Ctrl-C prints what was counted so far, marked partial.\n"
        "\n"
        "Exit codes: 0 ok, 2 wrong input, 3 cannot be counted on this chip, 4 a limit was\n"
        "reached, 130 interrupted.\n",
};

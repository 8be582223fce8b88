/* SPDX-License-Identifier: MIT */
/*
 * pcounter idle: how busy engines are, window by window, as the PDAEMON idle counters tell
 * it, and what a DVFS governor makes of it.  Everything that can be wrong with the command
 * line is found before the waveform is read beyond its header.
 */
#include "idle.h"
#include "wave/time_counted.h"

#include <stdlib.h>

struct job {
    struct idle_options o;
    struct idle_wires wires;
    struct idle_plan plan;
    struct pc_wave_clock clock;
    struct idle_report report;
};

/* "1ns", "sample" */
static void time_unit(const struct pc_wave_info *info, char *out, size_t size)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "ps", "fs" };
    unsigned e = 0;
    uint64_t factor = info->timescale_factor;

    if (info->sampled) {
        snprintf(out, size, "sample");
        return;
    }
    while (e < 5 && -3 * (int)e > info->timescale_exponent)
        e++;
    for (int n = -3 * (int)e; n < info->timescale_exponent && factor < 100000; n++)
        factor *= 10;
    snprintf(out, size, "%u%s", (unsigned)factor, units[e]);
}

/* The waveform's header, and what depends on it. */
static int prepare_wave(struct job *j)
{
    struct pc_wave_desc desc = cli_wave_desc(&j->o.read, j->o.path);
    struct pc_wave_info info;
    struct pc_error err;

    desc.live = j->o.live = cli_read_once(j->o.path);
    int code = idle_parse_maps(&j->o);
    if (code == CLI_OK)
        code = cli_claim_input("idle", j->o.path);
    if (code)
        return code;
    if (pc_wave_open(&desc, &j->wires.wave, &err))
        return cli_error(&err, j->o.path, NULL);
    pc_wave_get_info(j->wires.wave, &info);
    idle_find_axis(&j->report, &info);
    code = idle_scale_window(&j->o.window, &info);
    if (code == CLI_OK)
        code = idle_check_axis(&j->report);
    if (code == CLI_OK)
        code = idle_find_clock(j->wires.wave, j->o.clock, &j->clock);
    if (code == CLI_OK && j->o.sample)
        code = cli_check_sample("idle", &j->clock);
    if (code == CLI_OK)
        code = idle_compile_maps(&j->o, &j->wires);
    j->clock.post_edge = j->o.post_edge;
    j->o.every = j->clock.edge == PC_EDGE_EVERY;
    j->o.periodic = j->clock.edge == PC_EDGE_PERIOD;
    if (j->o.window.text && !j->o.window.in_clocks)
        time_unit(&info, j->report.unit, sizeof j->report.unit);
    return code;
}

static int prepare(struct job *j)
{
    int code;

    j->report.o = &j->o;
    j->report.plan = &j->plan;
    idle_find_axis(&j->report, NULL);
    snprintf(j->report.unit, sizeof j->report.unit, "clock");
    if (j->o.script) {
        code = idle_scale_window(&j->o.window, NULL);
        if (code == CLI_OK)
            code = idle_load_script(&j->o);
        if (code)
            return code;
    }
    idle_note_options(&j->o);
    if (j->o.chip->idle_counters == 0) {
        struct pc_idle_desc desc = { .chip = j->o.chip };
        struct pc_idle *idle;
        struct pc_error err;
        return pc_idle_create(&desc, &idle, &err) ? cli_error(&err, NULL, NULL) : CLI_INPUT;
    }
    code = idle_parse_counters(&j->o);
    if (code == CLI_OK)
        code = idle_parse_governor(&j->o);
    if (code == CLI_OK && !j->o.script)
        code = prepare_wave(j);
    if (code == CLI_OK)
        code = idle_make_plan(&j->o, &j->plan);
    if (code == CLI_OK)
        code = idle_create(&j->o, &j->plan);
    if (code == CLI_OK)
        idle_note_plan(&j->o, &j->plan);
    return code;
}

static void notes(const struct job *j, const struct idle_totals *t)
{
    if (j->o.governed)
        cli_note(1105,
                 "the trace was recorded at level %u and does not react to the governor: work "
                 "that a lower level loses here would come later on hardware",
                 j->o.recorded);
    if (j->o.governed && t->cut)
        cli_note(1107, "the last window is not whole: the driver would not have polled it, so the "
                       "governor does not act on it");
    if (t->wrapped)
        cli_warning(1108, "%s %s went beyond 31 bits%s: use shorter windows",
                    cli_grouped(t->wrapped), t->wrapped == 1 ? "count" : "counts",
                    j->o.saturate ? " and stopped there" : ", which the hardware does not tell");
    if (t->tainted)
        cli_note(1109, "%s %s on unknown values (x, z), which count as 0; --x chooses otherwise",
                 cli_grouped(t->tainted), t->tainted == 1 ? "count depends" : "counts depend");
}

static int measure(struct job *j)
{
    struct idle_totals totals = { .windows = 0 };
    struct cli_out out;
    int code = cli_out_open(&out, j->o.output);

    if (code)
        return code;
    j->report.file = out.file;
    if (j->o.timeline && !(j->report.tracks = idle_tracks_open(&j->report))) {
        cli_out_abort(&out);
        return cli_no_memory();
    }
    code = j->o.script ? idle_run_script(&j->o, &j->plan, &j->report, &totals)
                       : idle_run_wave(&j->o, &j->plan, &j->wires, &j->clock, &j->report, &totals);
    if (code == CLI_OK) {
        if (j->wires.wave) {
            cli_wave_warnings(j->wires.wave, j->o.path);
            cli_note_uneven(j->wires.wave, j->o.path);
        }
        notes(j, &totals);
    }
    idle_report_end(&j->report, &totals);
    if (code == CLI_OK && j->o.lines && j->o.lines->failed)
        code = CLI_LIMIT;
    if (code) {
        fflush(out.file);
        cli_out_abort(&out);
        return code;
    }
    code = cli_out_commit(&out);
    return code == CLI_OK && totals.interrupted ? CLI_INTERRUPTED : code;
}

static int run(int argc, char **argv)
{
    struct job *j = calloc(1, sizeof *j);
    int code = j ? idle_parse_options(&cli_verb_idle, argc, argv, &j->o) : cli_no_memory();

    if (code < 0) {
        code = prepare(j);
        if (code == CLI_OK)
            code = measure(j);
    }
    if (j) {
        idle_tracks_close(j->report.tracks);
        idle_destroy(&j->plan);
        idle_free_options(&j->o);
        free(j->wires.bit);
        pc_wave_close(j->wires.wave);
    }
    free(j);
    return code;
}

const struct cli_verb cli_verb_idle = {
    .name = "idle",
    .summary = "how busy engines are, and what a DVFS governor makes of it",
    .run = run,
    .brief =
        "usage: pcounter idle --clock CLOCK --map NAME=EXPRESSION... [OPTION]... FILE\n"
        "       pcounter idle --script [OPTION]... SCRIPT\n"
        "\n"
        "  pcounter idle --clock top.clk --map 'GR=!top.gpu.busy' --window 100us dump.vcd\n"
        "  pcounter idle --clock top.clk --map engines.map --window 20000c --governor gk20a a.fst\n"
        "  pcounter idle --chip GT215 --counter '0:mask=GR|PCOPY0,mode=not-all' ... dump.vcd\n"
        "\n"
        "  -a, --chip CHIP      whose idle counters count: GT215 and later (GK20A)\n"
        "  -c, --clock CLOCK    that samples: clk, 'posedge clk iff rst_n', 'negedge clk', "
        "sample,\n"
        "                       'every 10ns'\n"
        "      --map MAP        NAME=EXPRESSION, 1 is idle, or a file with one a line\n"
        "      --counter N:mask=NAME|NAME,mode=never|all|not-all|always\n"
        "      --window N       100000 or 100000c clocks, or 1.5us, 1ms, ... of time; default:\n"
        "                       the whole trace\n"
        "      --governor NAME[,target=N][,max=N][,smooth=N]   gk20a; needs --window\n"
        "      --levels MHZ,... clocks of the governor's levels (GK20A: 72 to 852)\n"
        "      --script         FILE is a script of chip, idle and run\n"
        "      --exact          polls do not clear, so no clock is lost\n"
        "  -o, --output FILE    - or none: standard output; .csv, .json, .jsonl, .html, .vcd and\n"
        "                       .perfetto.json choose the format\n"
        "      --format FORMAT  text, csv, json, jsonl, a line a window, html, a page of plots; "
        "with\n"
        "                       --window in times perfetto and vcd, for viewers\n"
        "  -q, --quiet          no notes\n"
        "  -h, --help           this screen; everything\n",
    .full =
        "The idle counters are in PDAEMON, the processor for power management of GT215 and\n"
        "later. Each engine has a wire that is 1 while it is idle. A counter has a mask of\n"
        "wires and a mode: it counts clocks in which all of them are idle (all), in which they\n"
        "are not all idle (not-all: some engine is busy), every clock (always), or none (never).\n"
        "`pcounter idle` samples the wires once a clock, as the hardware does.\n"
        "\n"
        "Maps: NAME is an engine (GR, PCOPY2, with or without _IDLE), EXPRESSION is in the\n"
        "language of pcounter-expr(7); a signal that says busy is mapped as GR=!busy. A file\n"
        "has one NAME = EXPRESSION a line; # starts a comment. An engine without a map reads\n"
        "busy; a note says so if a counter looks at it, and --option idle-absent=idle turns\n"
        "it round.\n"
        "\n"
        "Counters: without --counter they are those of nouveau on GK20A: 0 counts clocks with\n"
        "GR or PCOPY2 busy (those of them that are mapped), the last one all clocks. busy is\n"
        "the lowest counter with mode not-all, total the highest with mode always; others are\n"
        "columns C0, C1, ... Each engine gets a counter of its own. What does not fit into the\n"
        "chip's 4 or 8 counters takes more passes over the same clocks; the lines above the\n"
        "table say which counter holds what.\n"
        "\n"
        "Windows end with a poll as the driver makes it: it reads the counts and clears them.\n"
        "The clear takes the clock in which it happens, so all windows but the first count one\n"
        "clock less. With --exact they are read only, and differences taken. Windows of time\n"
        "begin at multiples of their length; one without a clock is unmeasured. The last window\n"
        "may be partial: no poll, so the governor does not act on it. A count beyond 31 bits\n"
        "goes round; the hardware does not tell, this program marks it wrapped.\n"
        "\n"
        "Unknown values (x, z): with --x taint they count as 0 and counts that depend on one\n"
        "are marked tainted; --x zero and --x one give them a value, --x error ends the run.\n"
        "--sample pre-edge (what a flip-flop sees) or post-edge, of edges, not with --clock\n"
        "sample. --option NAME=VALUE sets idle-not-all, idle-overflow or idle-absent of\n"
        "`pcounter list options`.\n",
    .rest =
        "\n"
        "Governor: gk20a is that of nouveau, in its integer arithmetic. At each poll\n"
        "\n"
        "  load    = busy * 100 / total         (the column util)\n"
        "  average = (smooth * average + load) / (smooth + 1)\n"
        "  level   = level + levels / 3                             if average > max\n"
        "  level   = level + ((average - target) * 10 / target) / 2    else\n"
        "\n"
        "cut towards zero and kept within the levels; target 70, max 90, smooth 1, 15 levels.\n"
        "It starts at level 0 (--start-level N). The driver polls every 100ms.\n"
        "\n"
        "The waveform was recorded at one level, the highest or --recorded-level N, and does\n"
        "not react to the governor: the run is open-loop. So two estimates, in clocks of that\n"
        "level, where a window offers clocks * MHz / MHz recorded:\n"
        "\n"
        "  lost    work (busy clocks as counted) beyond what the window's level offers, added up; "
        "on\n"
        "          hardware it is not lost but done later\n"
        "  saved   what the highest level would have offered beyond what the window's level\n"
        "          did: clocks that were not spent\n"
        "\n"
        "Scripts have one command a line: chip NAME first, then option NAME=VALUE, w ADDR VALUE\n"
        "(masks and modes, before the first run), idle WORD (hexadecimal, 1 is idle) and\n"
        "run N. Reads and clears in it are passed over: windows, in clocks only, poll.\n"
        "\n"
        "  --max-windows N      1000000\n" CLI_READ_HELP
        "  --start-level N, --recorded-level N, --x HOW, --sample WHEN, --option NAME=VALUE\n"
        "\n"
        "CSV columns: trace,chip,window,start,end,unit,whole,kind,name,pass,counter,mask,mode,\n"
        "count,total,percent,state,tainted,average,level,mhz,next_level,lost,saved. kind is\n"
        "counter (a count of a window), governor (its decision: percent is the load), level\n"
        "(count is the clocks spent in it), all or warning (the name is its text).\n"
        "JSON: \"$schema\" is pcounter-idle-1; counts are strings, and numbers below 2^53. Rows\n"
        "are written as windows end; Ctrl-C ends with what there is.\n"
        "\n"
        "Viewers: html is a page without a script, a plot for each column and a table; more than\n"
        "800 windows share columns of a plot. perfetto is JSON for ui.perfetto.dev and\n"
        "chrome://tracing, vcd a waveform; both need times, html takes clocks, too.\n"
        "\n"
        "Exit codes: 0 ok, 2 wrong input, 3 the chip has no idle counters, 4 a limit was reached,\n"
        "130 interrupted.\n",
};

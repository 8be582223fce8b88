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
    int e = 0;
    uint64_t factor = info->timescale_factor;

    if (info->sampled) {
        snprintf(out, size, "sample");
        return;
    }
    while (e > PC_TIME_UNIT_LEAST && e > info->timescale_exponent)
        e -= 3;
    for (int n = e; n < info->timescale_exponent && factor < 100000; n++)
        factor *= 10;
    snprintf(out, size, "%u%s", (unsigned)factor, pc_time_unit(e));
}

/* The waveform's header, and what depends on it. */
static int prepare_wave(struct job *j)
{
    struct pc_wave_info info;
    struct pc_error err;

    int code = idle_parse_maps(&j->o);
    if (code == CLI_OK)
        code = cli_claim_input("idle", j->o.path);
    if (code)
        return code;
    struct pc_wave_desc desc = cli_wave_desc(&j->o.read, j->o.path);
    desc.live = j->o.live = cli_read_once(j->o.path);
    if (cli_wave_open(&desc, &j->wires.wave, &err))
        return cli_error(&err, j->o.path, NULL);
    pc_wave_get_info(j->wires.wave, &info);
    idle_find_axis(&j->report, &info);
    code = idle_scale_window(&j->o.window, &info);
    for (size_t i = 0; i < j->o.report.outputs && code == CLI_OK; i++)
        code = idle_check_axis(&j->report, rep_timeline(&j->o.report, i));
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
                    j->o.saturate ? " and stopped there" : ", which the hardware does not show");
    if (t->tainted)
        cli_note(1109, "%s %s on unknown values (x, z), which count as 0; --x chooses otherwise",
                 cli_grouped(t->tainted), t->tainted == 1 ? "count depends" : "counts depend");
}

/* Opens the outputs that are not text; an exit code. */
static int open_report(struct idle_report *r)
{
    enum timeline_format view;
    FILE *out;
    const int code = rep_open(&r->rep, &idle_report_def, &r->o->report);

    if (code)
        return code;
    r->file = rep_page(r->rep);
    for (size_t i = 0; (view = rep_view(r->rep, i, &out)) != TIMELINE_NONE; i++)
        if (!(r->tracks[i] = idle_tracks_open(r, view, out)))
            return rep_close(r->rep, cli_no_memory());
    return CLI_OK;
}

static int measure(struct job *j)
{
    struct idle_totals totals = { .windows = 0 };
    int code = open_report(&j->report);

    if (code)
        return code;
    code = j->o.script ? idle_run_script(&j->o, &j->plan, &j->report, &totals)
                       : idle_run_wave(&j->o, &j->plan, &j->wires, &j->clock, &j->report, &totals);
    if (code == CLI_OK) {
        if (j->wires.wave) {
            cli_wave_warnings(j->wires.wave, j->o.path);
            cli_note_uneven(j->wires.wave, j->o.path);
        }
        notes(j, &totals);
    }
    const int told = idle_report_end(&j->report, &totals);
    code = rep_close(j->report.rep, code ? code : told);
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
        for (size_t i = 0; i < REP_OUTPUTS; i++)
            idle_tracks_close(j->report.tracks[i]);
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
    .reads_simulations = true,
    .summary = "measure how busy engines are, and run a DVFS governor on it",
    .run = run,
    .line = &idle_line,
    .reports = (const struct rep_def *const[]){ &idle_report_def, NULL },
};

/* SPDX-License-Identifier: MIT */
/*
 * pcounter record: events of a waveform between STOPs, counted by record mode of a chip's model;
 * and packets of such a buffer.
 */
#include "record.h"
#include "record_cut.h"
#include "stat/stat_filter.h"

#include <string.h>

/* STOP is an event like the others until it has its wires. */
static int compile_stop(struct record_options *o, struct stat_wires *wires)
{
    const char *text = o->stop.place.argument;
    struct stat_event *e = NULL;
    int code = stat_add_event(&o->of, &e);

    if (code)
        return code;
    e->place = o->stop.place;
    e->text = cli_copy(text, strlen(text));
    e->name = cli_copy("STOP", 4);
    code = e->text && e->name ? stat_compile_event(&o->of, e, wires) : cli_no_memory();
    o->stop = *e;
    o->of.events--;
    return code;
}

static int find_window(struct record_options *o, const struct pc_wave *wave,
                       struct pc_wave_clock *clock)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    return cli_window_begin(&o->of.window, &info, o->of.path, clock, false);
}

/* From the command line to where each event is counted: nothing is counted yet. */
static int prepare(struct record_options *o, struct stat_wires *wires, struct record_plan *plan,
                   struct pc_wave_clock *clock)
{
    int code =
        stat_find_clock(wires->wave, "--clock", o->of.clock, STAT_SIGNALS, clock, &o->of.filter);

    clock->post_edge = o->said.post_edge;
    o->of.edge = clock->edge;
    if (code == CLI_OK && o->said.sample)
        code = cli_check_sample("record", clock);
    if (code == CLI_OK)
        code = stat_bind_open(&o->of, wires->wave);
    if (code == CLI_OK)
        code = stat_filter_find(o->of.filter, wires);
    for (size_t n = 0; n < o->of.events && code == CLI_OK; n++)
        code = stat_compile_event(&o->of, &o->of.event[n], wires);
    if (code == CLI_OK)
        code = compile_stop(o, wires);
    if (code == CLI_OK)
        code = record_make_plan(o, plan);
    return code == CLI_OK ? find_window(o, wires->wave, clock) : code;
}

/* Rows and the buffer: all are whole, or not there. */
static int record_into(struct record_options *o, struct record_plan *plan, struct stat_wires *wires,
                       const struct pc_wave_clock *clock)
{
    struct cli_out dump = { .file = NULL }, *out[REP_OUTPUTS + 1];
    struct rep *rep;
    bool partial = false;
    int code = rep_open(&rep, &record_report, &o->report);

    if (code)
        return code;
    if (o->dump && (code = cli_out_open(&dump, o->dump)) != CLI_OK)
        return rep_close(rep, code);
    code = record_run(o, plan, wires, clock, rep, dump.file, &partial);
    if (code && o->dump)
        cli_out_abort(&dump);
    if (code)
        return rep_close(rep, code);
    size_t count = rep_finish(rep, out);
    if (o->dump)
        out[count++] = &dump;
    code = rep_has_failed(rep) ? cli_no_memory() : cli_out_commit_all(out, count);
    for (size_t i = 0; rep_has_failed(rep) && i < count; i++)
        cli_out_abort(out[i]);
    rep_free(rep);
    return code == CLI_OK && partial ? CLI_INTERRUPTED : code;
}

static int record_waveform(struct record_options *o)
{
    struct pc_wave_desc desc = cli_wave_desc(&o->said.read, o->of.path);
    struct stat_wires wires = { .binds = &o->of.binds };
    struct record_plan plan = { .unit = NULL };
    struct pc_wave_clock clock;
    struct pc_error err;
    int code = cli_claim_input("record", o->of.path);

    desc.live = o->of.live;
    if (code == CLI_OK && cli_wave_open(&desc, &wires.wave, &err))
        code = cli_error(&err, o->of.path, NULL);
    if (code == CLI_OK)
        code = prepare(o, &wires, &plan, &clock);
    if (code == CLI_OK) {
        stat_note_events(&o->of, &o->stop, &wires, &clock);
        code = record_into(o, &plan, &wires, &clock);
    }
    pc_unit_destroy(plan.unit);
    stat_free_wires(&wires);
    pc_wave_close(wires.wave);
    return code;
}

static int work(struct record_options *o)
{
    const int code = stat_job_begin(&o->of, &o->said, 0);

    o->of.live = cli_read_once(o->of.path);
    if (code)
        return code;
    return o->decode ? record_decode(o) : record_waveform(o);
}

static int run(int argc, char **argv)
{
    struct record_options o;

    if (opt_line_of(&cli_verb_record, argc, argv) == &record_cut_line)
        return record_cut(&cli_verb_record, argc, argv);
    int code = record_parse_options(&cli_verb_record, argc, argv, &o);

    if (code < 0)
        code = work(&o);
    record_free_options(&o);
    return code;
}

const struct cli_verb cli_verb_record = {
    .name = "record",
    .reads_simulations = true,
    .summary = "count from one event to the next; decode a record buffer",
    .run = run,
    .line = &record_line,
    .other = &record_cut_line,
    .reports = (const struct rep_def *const[]){ &record_report, NULL },
};

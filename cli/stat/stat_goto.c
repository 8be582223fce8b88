/* SPDX-License-Identifier: MIT */
/* --goto: the longest of all latencies, for a viewer. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

int stat_goto_check(const struct stat_options *o)
{
    bool latency = false;

    for (size_t i = 0; i < o->measures.count; i++)
        latency |= o->measures.item[i].kind == STAT_LATENCY;
    if (!o->go.text)
        return CLI_OK;
    if (o->files > 1)
        return cli_usage("stat", "--goto is for one waveform; here are %zu", o->files);
    if (o->interval.text)
        return cli_usage("stat", "--goto shows the longest latency of all cycles: leave out -I");
    return latency ? CLI_OK
                   : cli_usage("stat", "--goto shows the longest latency: give one by --latency");
}

/* The longest so far. */
struct found {
    const struct stat_job *job;
    const struct stat_measure *measure;
    struct pc_latency_longest longest;
};

static void look(struct found *f, const struct stat_job *j)
{
    struct pc_latency_longest l;

    for (size_t i = 0; i < j->measures.count; i++) {
        const struct stat_measure *m = &j->measures.item[i];
        if (m->kind != STAT_LATENCY || !m->latency)
            continue;
        pc_latency_get_longest(m->latency, &l);
        if (l.any && (!f->longest.any || l.cycles > f->longest.cycles))
            *f = (struct found){ j, m, l };
    }
}

static bool add_signals(struct cli_goto_signals *s, const struct found *f,
                        const struct pc_wave *wave)
{
    struct pc_clock_text clock;
    bool memory = true;

    if (f->job->clock &&
        pc_wave_parse_clock(f->job->clock, strlen(f->job->clock), &clock, NULL) == PC_OK &&
        clock.clock.text && clock.edge != PC_EDGE_PERIOD) {
        char *name = cli_copy(clock.clock.text, clock.clock.size);
        memory = name && cli_goto_add(s, wave, name);
        free(name);
    }
    for (unsigned k = 0; k < f->measure->pieces; k++)
        memory &= cli_goto_add_expression(s, wave, f->measure->piece[k].text);
    for (unsigned k = 0; k < STAT_DROPS; k++)
        if (f->measure->drop[k].text)
            memory &= cli_goto_add_expression(s, wave, f->measure->drop[k].text);
    return memory;
}

int stat_goto(const struct stat_job *j, const struct pc_wave *wave)
{
    struct cli_goto_signals signals = { NULL, 0, 0 };
    struct found f = { .longest.any = false };
    char what[300];

    look(&f, j);
    for (size_t i = 0; i < j->parts; i++)
        look(&f, &j->part[i].job);
    if (!f.longest.any) {
        cli_note(541, "%s: no latency has begun, so no file is written for --goto", j->path);
        return CLI_OK;
    }
    const uint64_t length =
        f.longest.end_time > f.longest.start_time ? f.longest.end_time - f.longest.start_time : 0;
    const uint64_t period =
        length > 0 && f.longest.cycles > 0 ? length / f.longest.cycles : f.job->measures.period;
    snprintf(what, sizeof what, "the %s %.200s, %s", f.longest.open ? "oldest open" : "longest",
             f.measure->name, cli_count(f.longest.cycles, "cycle"));
    const struct cli_goto_place place = {
        .what = what,
        .from = f.longest.start_time,
        .to = f.longest.start_time + length,
        .least = 20 * period,
    };
    int code = add_signals(&signals, &f, wave) ? CLI_OK : cli_no_memory();
    if (code == CLI_OK)
        code = cli_goto_write(&j->o->go, j->path, wave, &signals, &place);
    cli_goto_free(&signals);
    return code;
}

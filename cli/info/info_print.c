/* SPDX-License-Identifier: MIT */
/* The summary of a waveform for people; info_report.c has it for programs. */
#include "info.h"
#include "text/ten.h"
#include "text/warnings.h"
#include "wave/time_counted.h"

#include <inttypes.h>
#include <string.h>

#define EVENTS_SHOWN 12
#define CLOCKS_SHOWN 8
#define PAIRS_SHOWN  8

const char *info_format_name(enum pc_wave_format format)
{
    switch (format) {
    case PC_WAVE_VCD:
        return "VCD";
    case PC_WAVE_EVCD:
        return "EVCD";
    case PC_WAVE_FST:
        return "FST";
    case PC_WAVE_SIGROK:
        return "sigrok";
    case PC_WAVE_CSV:
        return "CSV";
    case PC_WAVE_TAP:
        return "simulation";
    case PC_WAVE_GHW:
        return "GHW";
    }
    return "?";
}

/* Writes "24 MHz", "62.5 kHz". */
static void rate_text(uint64_t rate, char *out, size_t size)
{
    if (rate >= 1000000000)
        snprintf(out, size, "%.12g GHz", (double)rate / 1e9);
    else if (rate >= 1000000)
        snprintf(out, size, "%.12g MHz", (double)rate / 1e6);
    else if (rate >= 1000)
        snprintf(out, size, "%.12g kHz", (double)rate / 1e3);
    else
        snprintf(out, size, "%" PRIu64 " Hz", rate);
}

/* Writes the time unit as people do: "10 ns"; exponents outside s .. zs as a power. */
static void unit_text(const struct pc_wave_info *info, char *out, size_t size)
{
    int e = info->timescale_exponent;
    uint64_t factor = info->timescale_factor;
    char rate[40];

    if (info->sample_rate) {
        rate_text(info->sample_rate, rate, sizeof rate);
        snprintf(out, size, "1 sample, %s", rate);
        return;
    }
    if (factor == 0) {
        snprintf(out, size, "%s", info->sampled ? "1 sample, of unknown length" : "unknown");
        return;
    }
    for (; e % 3 != 0 && factor <= UINT64_MAX / 10; e--)
        factor *= 10;
    if (pc_time_unit(e))
        snprintf(out, size, "%" PRIu64 " %s", factor, pc_time_unit(e));
    else
        snprintf(out, size, "%" PRIu64 "e%d s", factor, e);
}

double info_nanoseconds(const struct pc_wave_info *info, uint64_t time)
{
    if (info->sample_rate)
        return (double)time * 1e9 / (double)info->sample_rate;
    return cli_times_ten_to((double)time * (double)info->timescale_factor,
                            info->timescale_exponent + 9);
}

/* Writes "303.62 us". */
static void duration_text(double ns, char *out, size_t size)
{
    if (ns >= 1e9)
        snprintf(out, size, "%.6g s", ns / 1e9);
    else if (ns >= 1e6)
        snprintf(out, size, "%.6g ms", ns / 1e6);
    else if (ns >= 1e3)
        snprintf(out, size, "%.6g us", ns / 1e3);
    else if (ns >= 1 || ns == 0)
        snprintf(out, size, "%.6g ns", ns);
    else if (ns >= 1e-3)
        snprintf(out, size, "%.6g ps", ns * 1e3);
    else
        snprintf(out, size, "%.6g fs", ns * 1e6);
}

const char *info_name_of(const struct pc_wave *wave, size_t var)
{
    struct pc_wave_var v;

    return pc_wave_get_var(wave, var, &v) == PC_OK ? v.name : "";
}

static void print_line(FILE *f, const char *label, const char *text)
{
    if (!text[0])
        return;
    fprintf(f, "%-10s ", label);
    cli_print_name(f, text);
    fputc('\n', f);
}

const char *info_period_text(const struct info_summary *s, char out[48])
{
    if (s->totals.step == 0 || s->info.sampled || cli_is_rounded(&s->totals))
        return NULL;
    cli_period_text(&s->info, s->totals.step, out);
    return out;
}

static void print_clocks(FILE *f, const struct info_summary *s)
{
    char every[48];
    const char *period = info_period_text(s, every);

    if (s->found.clocks == 0) {
        fputs("\nno clock found", f);
        if (period)
            fprintf(f, "; --clock 'every %s' counts time", period);
        else if (s->totals.has_time && s->totals.time_stamps > 1)
            fputs("; --clock sample counts samples", f);
        fputc('\n', f);
        return;
    }
    fputs("\nclocks    period, units          period  rising edges\n", f);
    for (size_t i = 0; i < s->found.clocks && i < CLOCKS_SHOWN; i++) {
        const struct pc_var_activity *a = &s->activity[s->found.clock[i].code];
        char text[40] = "-";
        const double ns = info_nanoseconds(&s->info, a->min_period);
        if (ns > 0)
            duration_text(ns, text, sizeof text);
        fprintf(f, "  %21s %15s %13s  ", cli_grouped(a->min_period), text, cli_grouped(a->rises));
        cli_print_name(f, info_name_of(s->wave, s->found.clock[i].var));
        fputc('\n', f);
    }
    if (s->found.clocks > CLOCKS_SHOWN)
        fprintf(f, "  and %zu more\n", s->found.clocks - CLOCKS_SHOWN);
}

/* Said where there is a choice, or where the data contradict. */
static void print_evidence(FILE *f, const struct info_summary *s)
{
    const struct cli_clock_evidence *e = &s->evidence;

    if (e->clocks == 0 || (e->clocks == 1 && !cli_is_contradicted(&e->clock[0])))
        return;
    fputs("\nchanges of other signals that each explains\n", f);
    for (size_t i = 0; i < e->clocks; i++) {
        const struct cli_clock_proof *p = &e->clock[i];
        const double part = p->changes ? 100 * (double)p->explained / (double)p->changes : 0;
        fprintf(f, "  %10.3g %% of %14s  ", part, cli_grouped(p->changes));
        cli_print_name(f, info_name_of(s->wave, p->var));
        fputs(p->is_found ? "" : " (a clock by its name)", f);
        fputs(cli_is_contradicted(p) ? "   less than half\n" : "\n", f);
    }
}

/* Prints signals whose names say reset: --clock 'clk iff rst_n' counts without it. */
static void print_resets(FILE *f, const struct info_summary *s)
{
    if (s->resets == 0)
        return;
    fputs("\nresets by name, active at    rising edges   falling edges\n", f);
    for (size_t i = 0; i < s->resets && i < CLOCKS_SHOWN; i++) {
        const struct pc_var_activity *a = &s->activity[s->reset[i].code];
        fprintf(f, "  %23d %15s", !s->reset[i].low, cli_grouped(a->rises));
        fprintf(f, " %15s  ", cli_grouped(a->falls));
        cli_print_name(f, info_name_of(s->wave, s->reset[i].var));
        fputc('\n', f);
    }
    if (s->resets > CLOCKS_SHOWN)
        fprintf(f, "  and %zu more\n", s->resets - CLOCKS_SHOWN);
}

static void print_pairs(FILE *f, const struct info_summary *s)
{
    if (s->found.pairs == 0)
        return;
    fputs("\nmay be handshakes\n", f);
    for (size_t i = 0; i < s->found.pairs && i < PAIRS_SHOWN; i++) {
        fputs("  ", f);
        cli_print_name(f, info_name_of(s->wave, s->found.pair[i].offers));
        fputs(" & ", f);
        cli_print_name(f, info_name_of(s->wave, s->found.pair[i].takes));
        fputc('\n', f);
    }
    if (s->found.pairs > PAIRS_SHOWN)
        fprintf(f, "  and %zu more\n", s->found.pairs - PAIRS_SHOWN);
}

bool info_next_event(const struct info_summary *s, size_t *at, struct pc_wave_var *v)
{
    while (pc_wave_get_var(s->wave, *at, v) == PC_OK) {
        if (v->kind == PC_VAR_EVENT)
            return true;
        ++*at;
    }
    return false;
}

uint64_t info_triggers(const struct info_summary *s, const struct pc_wave_var *v)
{
    return s->activity[v->code].rises;
}

static void print_triggers(FILE *f, const struct info_summary *s)
{
    struct pc_wave_var v;
    size_t shown = 0;

    for (size_t i = 0; info_next_event(s, &i, &v); i++, shown++) {
        if (shown == 0)
            fputs("\nevent variables         triggers\n", f);
        if (shown >= EVENTS_SHOWN)
            continue;
        fprintf(f, "  %30s  ", cli_grouped(info_triggers(s, &v)));
        cli_print_name(f, v.name);
        fputc('\n', f);
    }
    if (shown > EVENTS_SHOWN)
        fprintf(f, "  and %zu more\n", shown - EVENTS_SHOWN);
}

static void print_events(FILE *f, const struct info_summary *s)
{
    if (s->found.events == 0)
        return;
    fputs("\nsuggested events    rising edges\n", f);
    for (size_t i = 0; i < s->found.events && i < EVENTS_SHOWN; i++) {
        fprintf(f, "  %30s  ", cli_grouped(s->activity[s->found.event[i].code].rises));
        cli_print_name(f, info_name_of(s->wave, s->found.event[i].var));
        fputc('\n', f);
    }
    if (s->found.events > EVENTS_SHOWN)
        fprintf(f, "  and %zu more one-bit signals that change\n", s->found.events - EVENTS_SHOWN);
}

static void print_time(FILE *f, const struct info_summary *s)
{
    const struct pc_wave_totals *t = &s->totals;
    char line[200], length[40], duration[48] = "";

    if (!t->has_time) {
        print_line(f, "time", "no timestamp");
        return;
    }
    if (s->info.sample_rate || s->info.timescale_factor) {
        duration_text(info_nanoseconds(&s->info, t->time_last - t->time_first), length,
                      sizeof length);
        snprintf(duration, sizeof duration, " (%s)", length);
    }
    snprintf(line, sizeof line, "%s to %s%s, %s", cli_grouped(t->time_first),
             cli_grouped(t->time_last), duration,
             cli_count(t->time_stamps, s->info.sampled ? "sample" : "timestamp"));
    print_line(f, "time", line);
}

void info_print_text(FILE *f, const struct info_summary *s)
{
    char line[200];

    print_line(f, "file", cli_input_name(s->file));
    snprintf(line, sizeof line, "%s, %s%s", info_format_name(s->info.format), s->info.encoding,
             s->info.unfinished ? ", unfinished" : "");
    print_line(f, "format", line);
    print_line(f, "writer", s->info.version);
    print_line(f, "date", s->info.date);
    unit_text(&s->info, line, sizeof line);
    print_line(f, "unit", line);
    print_time(f, s);
    snprintf(line, sizeof line, "%s, %s, %s, %s", cli_count(s->info.scopes, "scope"),
             cli_count(s->info.vars, "variable"), cli_count(s->info.codes, "value stream"),
             cli_count(s->totals.changes, "value change"));
    print_line(f, "contents", line);
    print_clocks(f, s);
    print_evidence(f, s);
    print_resets(f, s);
    print_pairs(f, s);
    print_events(f, s);
    print_triggers(f, s);
    cli_text_warnings(f);
}

/* SPDX-License-Identifier: MIT */
/* pcounter info: what is in a waveform, and what may be worth counting in it. */
#include "cli.h"
#include "suggest.h"

#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_SHOWN 12
#define CLOCKS_SHOWN 8

enum format { TEXT, JSON, CSV };

struct options {
    const char *file, *output, *glob;
    bool vars;
    enum format format;
};

/* An open waveform, and what a scan of it found. */
struct summary {
    const char *file;
    struct pc_wave *wave;
    struct pc_wave_info info;
    struct pc_wave_totals totals;
    struct pc_var_activity *activity;
    struct cli_suggestions found;
};

static const char *const kinds[] = { "bits", "real", "string", "event" };

static const char *format_name(enum pc_wave_format format)
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
    }
    return "?";
}

/* The time unit as people write it: "10 ns"; exponents outside s .. zs as a power. */
static void unit_text(const struct pc_wave_info *info, char *out, size_t size)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "ps", "fs", "as", "zs" };
    int e = info->timescale_exponent;
    uint64_t factor = info->timescale_factor;

    for (; e % 3 != 0 && factor <= UINT64_MAX / 10; e--)
        factor *= 10;
    if (e <= 0 && e >= -21 && e % 3 == 0)
        snprintf(out, size, "%" PRIu64 " %s", factor, units[-e / 3]);
    else
        snprintf(out, size, "%" PRIu64 "e%d s", factor, e);
}

static double nanoseconds(const struct pc_wave_info *info, uint64_t time)
{
    return (double)time * (double)info->timescale_factor * pow(10, info->timescale_exponent + 9);
}

/* "303.62 us" */
static void duration_text(double ns, char *out, size_t size)
{
    if (ns >= 1e9)
        snprintf(out, size, "%.6g s", ns / 1e9);
    else if (ns >= 1e6)
        snprintf(out, size, "%.6g ms", ns / 1e6);
    else if (ns >= 1e3)
        snprintf(out, size, "%.6g us", ns / 1e3);
    else
        snprintf(out, size, "%.6g ns", ns);
}

static const char *name_of(const struct pc_wave *wave, size_t var)
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

static void print_clocks(FILE *f, const struct summary *s)
{
    if (s->found.clocks == 0) {
        fputs("\nno regular clock\n", f);
        return;
    }
    fputs("\nclocks           period              ns         rises\n", f);
    for (size_t i = 0; i < s->found.clocks && i < CLOCKS_SHOWN; i++) {
        const struct pc_var_activity *a = &s->activity[s->found.clock[i].code];
        fprintf(f, "  %21s %15.6g %13s  ", cli_grouped(a->min_period),
                nanoseconds(&s->info, a->min_period), cli_grouped(a->rises));
        cli_print_name(f, name_of(s->wave, s->found.clock[i].var));
        fputc('\n', f);
    }
    if (s->found.clocks > CLOCKS_SHOWN)
        fprintf(f, "  and %zu more\n", s->found.clocks - CLOCKS_SHOWN);
}

static void print_events(FILE *f, const struct summary *s)
{
    if (s->found.events == 0)
        return;
    fputs("\nmay be worth counting      rises\n", f);
    for (size_t i = 0; i < s->found.events && i < EVENTS_SHOWN; i++) {
        fprintf(f, "  %30s  ", cli_grouped(s->activity[s->found.event[i].code].rises));
        cli_print_name(f, name_of(s->wave, s->found.event[i].var));
        fputc('\n', f);
    }
    if (s->found.events > EVENTS_SHOWN)
        fprintf(f, "  and %zu more one-bit signals that change\n", s->found.events - EVENTS_SHOWN);
}

static void print_text(FILE *f, const struct summary *s)
{
    char line[200], duration[40];

    print_line(f, "file", s->file);
    snprintf(line, sizeof line, "%s, %s%s", format_name(s->info.format), s->info.encoding,
             s->info.unfinished ? ", unfinished" : "");
    print_line(f, "format", line);
    print_line(f, "writer", s->info.version);
    print_line(f, "date", s->info.date);
    unit_text(&s->info, line, sizeof line);
    print_line(f, "unit", line);
    if (s->totals.has_time) {
        duration_text(nanoseconds(&s->info, s->totals.time_last - s->totals.time_first), duration,
                      sizeof duration);
        snprintf(line, sizeof line, "%s to %s (%s), %s time stamps",
                 cli_grouped(s->totals.time_first), cli_grouped(s->totals.time_last), duration,
                 cli_grouped(s->totals.time_stamps));
        print_line(f, "time", line);
    } else {
        print_line(f, "time", "no time stamp");
    }
    snprintf(line, sizeof line, "%s scopes, %s variables, %s value streams, %s value changes",
             cli_grouped(s->info.scopes), cli_grouped(s->info.vars), cli_grouped(s->info.codes),
             cli_grouped(s->totals.changes));
    print_line(f, "contents", line);
    print_clocks(f, s);
    print_events(f, s);
}

static void json_member(FILE *f, const char *name, const char *text)
{
    fprintf(f, ",\n  \"%s\": ", name);
    cli_json_string(f, text);
}

/* Times can exceed 2^53 and are strings; counts are numbers. */
static void json_signals(FILE *f, const struct summary *s, const char *name,
                         const struct cli_suggestion *row, size_t count, bool clocks)
{
    fprintf(f, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        const struct pc_var_activity *a = &s->activity[row[i].code];
        fprintf(f, "%s\n    { \"name\": ", i ? "," : "");
        cli_json_string(f, name_of(s->wave, row[i].var));
        fprintf(f, ", \"rises\": %" PRIu64 ", \"falls\": %" PRIu64, a->rises, a->falls);
        if (clocks)
            fprintf(f, ", \"period\": \"%" PRIu64 "\", \"period_ns\": %.9g", a->min_period,
                    nanoseconds(&s->info, a->min_period));
        else
            fprintf(f, ", \"named_like_event\": %s", row[i].telling ? "true" : "false");
        fputs(" }", f);
    }
    fputs(count ? "\n  ]" : "]", f);
}

static void print_json(FILE *f, const struct summary *s)
{
    fputs("{\n  \"$schema\": \"urn:pcounter:info:1\"", f);
    json_member(f, "file", s->file);
    json_member(f, "format", format_name(s->info.format));
    json_member(f, "encoding", s->info.encoding);
    json_member(f, "version", s->info.version);
    json_member(f, "date", s->info.date);
    fprintf(f, ",\n  \"timescale\": { \"factor\": %" PRIu64 ", \"exponent\": %d }",
            s->info.timescale_factor, s->info.timescale_exponent);
    fprintf(f, ",\n  \"unfinished\": %s", s->info.unfinished ? "true" : "false");
    if (s->totals.has_time)
        fprintf(f, ",\n  \"time_first\": \"%" PRIu64 "\",\n  \"time_last\": \"%" PRIu64 "\"",
                s->totals.time_first, s->totals.time_last);
    else
        fputs(",\n  \"time_first\": null,\n  \"time_last\": null", f);
    fprintf(f, ",\n  \"time_stamps\": %" PRIu64 ",\n  \"changes\": %" PRIu64, s->totals.time_stamps,
            s->totals.changes);
    fprintf(f, ",\n  \"scopes\": %zu,\n  \"vars\": %zu,\n  \"codes\": %zu", s->info.scopes,
            s->info.vars, s->info.codes);
    json_signals(f, s, "clocks", s->found.clock, s->found.clocks, true);
    json_signals(f, s, "events", s->found.event, s->found.events, false);
    fputs(",\n  \"warnings\": [", f);
    for (size_t i = 0; i < s->info.warnings; i++) {
        fputs(i ? ", " : "", f);
        cli_json_string(f, pc_wave_warning(s->wave, i));
    }
    fputs("]\n}\n", f);
}

static void csv_row(FILE *f, const char *property, const char *name, const char *value)
{
    cli_csv_field(f, property);
    fputc(',', f);
    cli_csv_field(f, name);
    fputc(',', f);
    cli_csv_field(f, value);
    fputs("\r\n", f);
}

static void csv_number(FILE *f, const char *property, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, value);
    csv_row(f, property, "", text);
}

static void print_csv(FILE *f, const struct summary *s)
{
    char text[40];

    fputs("property,signal,value\r\n", f);
    csv_row(f, "file", "", s->file);
    csv_row(f, "format", "", format_name(s->info.format));
    csv_row(f, "encoding", "", s->info.encoding);
    csv_row(f, "version", "", s->info.version);
    csv_row(f, "date", "", s->info.date);
    csv_number(f, "timescale_factor", s->info.timescale_factor);
    snprintf(text, sizeof text, "%d", s->info.timescale_exponent);
    csv_row(f, "timescale_exponent", "", text);
    csv_row(f, "unfinished", "", s->info.unfinished ? "1" : "0");
    if (s->totals.has_time) {
        csv_number(f, "time_first", s->totals.time_first);
        csv_number(f, "time_last", s->totals.time_last);
    }
    csv_number(f, "time_stamps", s->totals.time_stamps);
    csv_number(f, "changes", s->totals.changes);
    csv_number(f, "scopes", s->info.scopes);
    csv_number(f, "vars", s->info.vars);
    csv_number(f, "codes", s->info.codes);
    for (size_t i = 0; i < s->found.clocks; i++) {
        snprintf(text, sizeof text, "%" PRIu64, s->activity[s->found.clock[i].code].min_period);
        csv_row(f, "clock_period", name_of(s->wave, s->found.clock[i].var), text);
    }
    for (size_t i = 0; i < s->found.events; i++) {
        snprintf(text, sizeof text, "%" PRIu64, s->activity[s->found.event[i].code].rises);
        csv_row(f, "event_rises", name_of(s->wave, s->found.event[i].var), text);
    }
}

/* Scans the whole file; the error, if any, is filled in. */
static enum pc_status summarise(struct summary *s, struct pc_error *err)
{
    pc_wave_get_info(s->wave, &s->info);
    s->activity = calloc(s->info.codes + 1, sizeof *s->activity);
    if (s->activity) {
        enum pc_status status = pc_wave_scan(s->wave, &s->totals, s->activity, err);
        if (status)
            return status;
    }
    if (!s->activity || !cli_suggest(s->wave, s->activity, &s->found)) {
        *err = (struct pc_error){ .status = PC_ENOMEM, .code = 100, .text = "out of memory" };
        return PC_ENOMEM;
    }
    pc_wave_get_info(s->wave, &s->info); /* reading on may have added warnings */
    return PC_OK;
}

static int run_summary(const struct options *o, struct pc_wave *wave)
{
    struct summary s = { .file = o->file, .wave = wave };
    struct pc_error err;
    struct cli_out out;
    int code;

    if (summarise(&s, &err)) {
        code = cli_error(&err, o->file, NULL);
    } else if ((code = cli_out_open(&out, o->output)) == CLI_OK) {
        if (o->format == JSON)
            print_json(out.file, &s);
        else if (o->format == CSV)
            print_csv(out.file, &s);
        else
            print_text(out.file, &s);
        code = cli_out_commit(&out);
        for (size_t i = 0; o->format != JSON && i < s.info.warnings; i++)
            cli_warning(501, "%s", pc_wave_warning(wave, i));
    }
    cli_suggest_free(&s.found);
    free(s.activity);
    return code;
}

/* Whole path, or its last part; without a wildcard the text may stand anywhere. */
static bool selected(const char *glob, const char *name)
{
    const char *dot = strrchr(name, '.');

    if (!glob)
        return true;
    if (!strpbrk(glob, "*?"))
        return strstr(name, glob) != NULL;
    return fnmatch(glob, name, 0) == 0 || (dot && fnmatch(glob, dot + 1, 0) == 0);
}

static void print_var(FILE *f, enum format format, const struct pc_wave_var *v, size_t n)
{
    if (format == TEXT) {
        fprintf(f, "%-10s %7" PRIu32 "  ", v->type, v->width);
        cli_print_name(f, v->name);
        cli_print_name(f, v->range);
        fputc('\n', f);
        return;
    }
    if (format == JSON) {
        fprintf(f, "%s\n    { \"name\": ", n ? "," : "");
        cli_json_string(f, v->name);
        fputs(", \"range\": ", f);
        cli_json_string(f, v->range);
        fprintf(f,
                ", \"type\": \"%s\", \"kind\": \"%s\", \"width\": %" PRIu32 ", \"msb\": %" PRId32
                ", \"lsb\": %" PRId32 ", \"code\": %" PRIu32 " }",
                v->type, kinds[v->kind], v->width, v->msb, v->lsb, v->code);
        return;
    }
    cli_csv_field(f, v->name);
    fputc(',', f);
    cli_csv_field(f, v->range);
    fprintf(f, ",%s,%s,%" PRIu32 ",%" PRId32 ",%" PRId32 ",%" PRIu32 "\r\n", v->type,
            kinds[v->kind], v->width, v->msb, v->lsb, v->code);
}

static int run_vars(const struct options *o, const struct pc_wave *wave)
{
    struct pc_wave_var v;
    struct cli_out out;
    size_t listed = 0;
    int code = cli_out_open(&out, o->output);

    if (code)
        return code;
    if (o->format == TEXT)
        fputs("TYPE         WIDTH  NAME\n", out.file);
    else if (o->format == CSV)
        fputs("name,range,type,kind,width,msb,lsb,code\r\n", out.file);
    else
        fputs("{\n  \"$schema\": \"urn:pcounter:info-vars:1\",\n  \"vars\": [", out.file);
    for (size_t i = 0; pc_wave_get_var(wave, i, &v) == PC_OK; i++)
        if (selected(o->glob, v.name))
            print_var(out.file, o->format, &v, listed++);
    if (o->format == JSON)
        fputs("\n  ]\n}\n", out.file);
    code = cli_out_commit(&out);
    if (code == CLI_OK && listed == 0 && o->glob) {
        cli_note(502, "no variable matches \"%s\"", o->glob);
        return CLI_NO;
    }
    return code;
}

static bool parse_format(const char *text, enum format *out)
{
    static const char *const names[] = { "text", "json", "csv" };

    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (enum format)i;
            return true;
        }
    }
    return false;
}

/* A file name ending in .json or .csv tells the format, if nothing else does. */
static enum format format_by_suffix(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    enum format format;

    return dot && parse_format(dot + 1, &format) ? format : TEXT;
}

/* The word behind --vars is its GLOB, if another one is left to be the FILE. */
static int take_words(struct options *o, char *const *word, const bool *behind_vars, int words)
{
    if (words == 0)
        return cli_usage("info", "no waveform is named");
    if (words > 2 || (words == 2 && !behind_vars[0] && !behind_vars[1]))
        return cli_usage("info", "more than one waveform is named");
    int file = words == 2 && behind_vars[0] ? 1 : 0;
    o->file = word[file];
    if (words == 2)
        o->glob = word[1 - file];
    return CLI_OK;
}

/* Returns CLI_OK, an exit code, or -1 when help was printed. */
static int parse(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        { "vars", optional_argument, NULL, 'v' },
        { "format", required_argument, NULL, 'f' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    char *word[3];
    bool behind_vars[3] = { false };
    int words = 0, c, last = 0;
    bool has_format = false;

    while ((c = getopt_long(argc, argv, "-:o:qh", longs, NULL)) != -1) {
        if (c == 'h' || c == 'H') {
            cli_print_help(&cli_verb_info, c == 'H');
            return -1;
        } else if (c == 1) {
            if (words < 3) {
                behind_vars[words] = last == 'v';
                word[words++] = optarg;
            }
        } else if (c == 'v') {
            o->vars = true;
            o->glob = optarg;
        } else if (c == 'f') {
            if (!parse_format(optarg, &o->format))
                return cli_usage("info", "there is no format \"%s\"", optarg);
            has_format = true;
        } else if (c == 'o') {
            o->output = optarg;
        } else if (c == 'q') {
            cli_quiet = true;
        } else if (c == ':') {
            return cli_usage("info", "%s needs a value", argv[optind - 1]);
        } else {
            return cli_usage("info", "there is no option %s", argv[optind - 1]);
        }
        last = c == 'v' && optarg ? 0 : c;
    }
    for (; optind < argc && words < 3; optind++) { /* behind a -- */
        behind_vars[words] = false;
        word[words++] = argv[optind];
    }
    if (!has_format)
        o->format = format_by_suffix(o->output);
    return take_words(o, word, behind_vars, words);
}

static int run(int argc, char **argv)
{
    struct options o = { 0 };
    int code = parse(argc, argv, &o);

    if (code)
        return code < 0 ? CLI_OK : code;
    struct pc_wave_desc desc = { .path = o.file };
    struct pc_wave *wave;
    struct pc_error err;
    if (pc_wave_open(&desc, &wave, &err))
        return cli_error(&err, o.file, NULL);
    code = o.vars ? run_vars(&o, wave) : run_summary(&o, wave);
    pc_wave_close(wave);
    return code;
}

const struct cli_verb cli_verb_info = {
    .name = "info",
    .summary = "what is in a waveform: times, signals, likely clocks and events",
    .run = run,
    .brief = "usage: pcounter info [OPTION]... FILE\n\n"
             "  pcounter info dump.vcd                 summary, likely clocks and events\n"
             "  pcounter info dump.fst --vars '*_valid'  names, widths and types\n"
             "  zstdcat dump.vcd.zst | pcounter info - --format json\n\n"
             "  --vars [GLOB]            list variables instead of the summary\n"
             "  --format text|json|csv   else by the suffix of -o\n"
             "  -o, --output FILE        write there, whole or not at all; - is stdout\n"
             "  -q, --quiet              no notes and warnings\n"
             "  -h, --help               this, and everything\n",
    .full = "FILE is a VCD, an extended VCD or an FST; VCD may be compressed with gzip or zstd,\n"
            "and - reads standard input.  Formats are told by content.\n\n"
            "The summary reads the whole file once.  A likely clock is one bit that rises at\n"
            "least eight times, always after the same period.  Other one-bit signals that rise\n"
            "are listed with the most telling names first (valid, ready, req, ack, stall, hit,\n"
            "miss, busy, full, empty, grant ...), then the busiest.\n\n"
            "--vars reads the header only.  GLOB has * and ? and is held against the whole path\n"
            "and against its last part; a text without them may stand anywhere in the path.\n"
            "With a GLOB that matches nothing the exit code is 1.\n\n"
            "In JSON times are strings, since they can have 64 bits.  In CSV the summary has the\n"
            "columns property, signal and value; variables have name, range, type, kind, width,\n"
            "msb, lsb and code, where equal codes are one signal under several names.\n",
};

/* SPDX-License-Identifier: MIT */
/* pcounter info: what is in a waveform, and what may be worth counting in it. */
#include "cli.h"
#include "info.h"
#include "process/jobs.h"
#include "process/progress.h"
#include "wave/read_options.h"
#include "text/regs_text.h"
#include "wave/wave_bits.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *output, *glob;
    bool vars;
    unsigned threads;
    enum cli_format format;
    struct cli_read_options read;
};

static const char *const kinds[] = { "bits", "real", "string", "event" };

/* Scans the whole file; the error, if any, is filled in. */
static enum pc_status summarise(struct info_summary *s, struct pc_error *err)
{
    pc_wave_get_info(s->wave, &s->info);
    s->activity = calloc(s->info.codes + 1, sizeof *s->activity);
    if (s->activity) {
        cli_progress_begin(s->progress);
        enum pc_status status = pc_wave_scan(s->wave, &s->totals, s->activity, err);
        cli_progress_end(s->progress);
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

static int run_summary(const struct options *o, struct pc_wave *wave, struct cli_progress *progress)
{
    struct info_summary s = { .file = o->file, .wave = wave, .progress = progress };
    struct pc_error err;
    struct cli_out out;
    int code;

    if (summarise(&s, &err)) {
        code = cli_error(&err, o->file, NULL);
    } else if ((code = cli_out_open(&out, o->output)) == CLI_OK) {
        cli_keep_wave_warnings(wave, o->file);
        if (o->format == CLI_JSON)
            info_print_json(out.file, &s);
        else if (o->format == CLI_CSV)
            info_print_csv(out.file, &s);
        else
            info_print_text(out.file, &s);
        code = cli_out_commit(&out);
        if (o->format != CLI_JSON)
            cli_wave_warnings(wave, o->file);
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
    return cli_matches_path(glob, name) || (dot && cli_matches_path(glob, dot + 1));
}

/* Codes of the value streams: of a vector that is declared bit by bit one a bit, from the left. */
static void print_codes(FILE *f, const struct cli_wave_vars *at, const struct pc_wave_var *v,
                        const char *separator)
{
    struct pc_wave_var bit;

    fprintf(f, "%" PRIu32, v->code);
    for (size_t i = 1; i < at->bits && pc_wave_get_var(at->wave, at->first + i, &bit) == PC_OK; i++)
        fprintf(f, "%s%" PRIu32, separator, bit.code);
}

static void print_var(FILE *f, enum cli_format format, const struct cli_wave_vars *at,
                      const struct pc_wave_var *v, size_t n)
{
    if (format == CLI_TEXT) {
        fprintf(f, "%-10s %7" PRIu32 "  ", v->type, v->width);
        cli_print_name(f, v->name);
        cli_print_name(f, v->range);
        fputc('\n', f);
        return;
    }
    if (format == CLI_JSON) {
        fprintf(f, "%s\n    { \"name\": ", n ? "," : "");
        cli_json_string(f, v->name);
        fputs(", \"range\": ", f);
        cli_json_string(f, v->range);
        fprintf(f,
                ", \"type\": \"%s\", \"kind\": \"%s\", \"width\": %" PRIu32 ", \"msb\": %" PRId32
                ", \"lsb\": %" PRId32 ", %s",
                v->type, kinds[v->kind], v->width, v->msb, v->lsb,
                at->bits ? "\"codes\": [" : "\"code\": ");
        print_codes(f, at, v, ", ");
        fputs(at->bits ? "] }" : " }", f);
        return;
    }
    cli_csv_field(f, v->name);
    fputc(',', f);
    cli_csv_field(f, v->range);
    fprintf(f, ",%s,%s,%" PRIu32 ",%" PRId32 ",%" PRId32 ",", v->type, kinds[v->kind], v->width,
            v->msb, v->lsb);
    print_codes(f, at, v, " ");
    fputs("\r\n", f);
}

static int run_vars(const struct options *o, const struct pc_wave *wave)
{
    struct cli_wave_vars at;
    struct pc_wave_var v;
    struct cli_out out;
    size_t listed = 0;
    int code = cli_out_open(&out, o->output);

    if (code)
        return code;
    if (o->format == CLI_TEXT)
        fputs("TYPE         WIDTH  NAME\n", out.file);
    else if (o->format == CLI_CSV)
        fputs("name,range,type,kind,width,msb,lsb,code\r\n", out.file);
    else
        fputs("{\n  \"$schema\": \"pcounter-info-vars-1\",\n  \"vars\": [", out.file);
    cli_wave_vars_begin(&at, wave);
    while (cli_wave_vars_next(&at, &v))
        if (selected(o->glob, v.name))
            print_var(out.file, o->format, &at, &v, listed++);
    if (o->format == CLI_JSON)
        fputs("\n  ]\n}\n", out.file);
    code = cli_out_commit(&out);
    if (code == CLI_OK && listed == 0 && o->glob) {
        cli_note(502, "no variable matches \"%s\"", o->glob);
        return CLI_NO;
    }
    return code;
}

/* The word behind --vars is its GLOB, if another one is left to be the FILE. */
static int take_words(struct options *o, char *const *word, const bool *behind_vars, int words)
{
    if (words == 0)
        return cli_usage("info", "which waveform? A file, or - for standard input");
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
        { "jobs", required_argument, NULL, 'j' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_READ_OPTIONS,
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    char *word[3];
    bool behind_vars[3] = { false };
    int words = 0, c, last = 0;
    bool has_format = false;

    while ((c = cli_getopt(argc, argv, "-:j:o:qh", longs)) != -1) {
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
            if (!cli_parse_format("info", optarg, &o->format))
                return CLI_INPUT;
            has_format = true;
        } else if (c == 'j') {
            int code = cli_parse_jobs("info", optarg, &o->threads);
            if (code)
                return code;
        } else if (c == 'o') {
            if (cli_take_once("info", "-o", optarg, &o->output))
                return CLI_INPUT;
        } else if (c == 'q') {
            cli_quiet = true;
        } else {
            int code = cli_read_option("info", c, &o->read);
            if (code)
                return code > 0 ? code : cli_bad_option("info", c, argv, longs);
        }
        last = c == 'v' && optarg ? 0 : c;
    }
    for (; optind < argc && words < 3; optind++) { /* behind a -- */
        behind_vars[words] = false;
        word[words++] = argv[optind];
    }
    if (!has_format && cli_output_format("info", o->output, &o->format))
        return CLI_INPUT;
    return take_words(o, word, behind_vars, words);
}

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
    cli_progress_bytes(ctx, done, total);
}

static int run(int argc, char **argv)
{
    struct cli_progress progress;
    struct options o = { 0 };
    int code = parse(argc, argv, &o);

    if (code)
        return code < 0 ? CLI_OK : code;
    struct pc_wave_desc desc = cli_wave_desc(&o.read, o.file);
    struct pc_wave *wave;
    struct pc_error err;
    desc.threads = cli_jobs(o.threads, &o.file, 1);
    desc.progress = show_progress;
    desc.progress_ctx = &progress;
    if (cli_claim_input("info", o.file) != CLI_OK)
        return CLI_INPUT;
    if (pc_wave_open(&desc, &wave, &err))
        return cli_error(&err, o.file, NULL);
    code = o.vars ? run_vars(&o, wave) : run_summary(&o, wave, &progress);
    pc_wave_close(wave);
    return code;
}

const struct cli_verb cli_verb_info = {
    .name = "info",
    .summary = "what is in a waveform: times, signals, likely clocks and events",
    .run = run,
    .brief =
        "usage: pcounter info [OPTION]... FILE\n\n"
        "  pcounter info dump.vcd                 summary, likely clocks and events\n"
        "  pcounter info dump.fst --vars '*_valid'  names, widths and types\n"
        "  zstdcat dump.vcd.zst | pcounter info - --format json\n\n"
        "  --vars [GLOB]            list variables instead of the summary\n"
        "  -j, --jobs N             threads; what is printed does not depend on them (1; for\n"
        "                           16 MB and more as many as CPUs, up to 4)\n"
        "  -o, --output FILE        - or none: standard output; .csv and .json choose the format\n"
        "  --format FORMAT          text, csv or json\n"
        "  -q, --quiet              no notes and warnings, no progress\n"
        "  -h, --help               this, and everything\n",
    .full =
        "FILE is a VCD, an extended VCD, an FST, a sigrok session (.sr) or a CSV with a line\n"
        "of names; it may be compressed (gzip, zstd, xz, bzip2), and - reads standard input.\n"
        "Formats are told by content.\n\n"
        "The summary reads every value of the file once, a plain VCD of 1 GB in a second\n"
        "or two.\n"
        "A likely clock is one bit that rises at least eight times, always after the same\n"
        "period but for where it was unknown, as while dumping was off.  Other one-bit signals\n"
        "that rise are listed with the most telling names first (valid, ready, req, ack, stall,\n"
        "hit, miss, busy, full, empty, grant ...), then the busiest.\n\n"
        "--vars reads the header only.  GLOB has * and ? and is held against the whole path\n"
        "and against its last part; a text without them may stand anywhere in the path.\n"
        "A vector whose bits the file declares one by one is listed as one variable, x[7:0].\n"
        "With a GLOB that matches nothing the exit code is 1.\n\n"
        "In a capture of a fixed sample rate (sigrok; CSV without times) a time is the number\n"
        "of a sample, from 0.\n\n"
        "In JSON times are strings, since they can have 64 bits.  In CSV the summary has the\n"
        "columns property, signal and value; variables have name, range, type, kind, width,\n"
        "msb, lsb and code, where equal codes are one signal under several names.  A vector of\n"
        "single bits has a code for each of them, from the left: in CSV with blanks between\n"
        "them, in JSON as an array codes in place of code.\n\n" CLI_READ_HELP "\n"
        "Exit codes: 0 ok, 1 no variable matches GLOB, 2 wrong input, 4 a limit was reached.\n",
};

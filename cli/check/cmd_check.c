/* SPDX-License-Identifier: MIT */
/* pcounter check: the model of CVA6's counters against recorded behaviour, by content. */
#include "process/batch.h"
#include "check.h"
#include "core/core.h"
#include "devicetree.h"
#include "process/jobs.h"
#include "process/ranks.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * A file that begins neither with a line of vectors, with or without a byte order mark, nor as gzip
 * does: nobody has to read ahead.
 */
static bool is_other(const char *path)
{
    struct stat st;
    unsigned char first[2];

    FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    const size_t n = fread(first, 1, sizeof first, file);
    fclose(file);
    return n == sizeof first && first[0] != '#' && first[0] != 0xef &&
           !(first[0] == 0x1f && first[1] == 0x8b);
}

/* Vectors; options of waveforms would do nothing. */
static int check_rows(struct check_input *in, const struct check_options *o)
{
    if (o->core || o->scope || o->map || o->requires)
        return cli_usage("check",
                         "%s has vectors, which say themselves what core they are of: --core, "
                         "--scope, --map and --require are for waveforms",
                         in->path);
    if (o->read.given)
        return cli_usage("check", "%s has vectors: %s is about waveforms", in->path, o->read.given);
    return check_vectors(in, o);
}

/* By what the file starts with. */
static int check_file(const char *path, const struct check_options *o)
{
    struct check_input in;
    struct pc_error err;
    int code = CLI_OK;

    if (o->core && (cli_read_once(path) || is_other(path)))
        return check_wave(path, o); /* what was looked at in a pipe could not be read again */
    code = check_open(&in, path);
    if (code)
        return code;
    if (check_starts_with(&in, "# cva6-perf-vectors ") ||
        check_starts_with(&in, "# cva6-csr-vectors ")) {
        code = check_rows(&in, o);
    } else if (o->core) {
        check_close(&in);
        return check_wave(path, o);
    } else {
        check_fail(&err, 1020, &in, 0, "%s",
                   in.used > in.at ? "this is no file of CVA6 vectors" : "the file is empty");
        snprintf(
            err.hint, sizeof err.hint, "%s",
            "for a waveform name the configuration of the core, like --core cv64a6_imafdc_sv39");
        code = cli_error(&err, path, NULL);
    }
    check_close(&in);
    return code;
}

/* --- several files --- */

struct several {
    char **paths;
    size_t files, told;
    struct check_options each;
    FILE *out;
    char header[400]; /* the first line of CSV that was told last */
};

static int run_file(void *ctx, size_t i)
{
    const struct several *s = ctx;

    return check_file(s->paths[i], &s->each);
}

/* Bytes at the beginning that are a header told before. */
static size_t same_header(struct several *s, const struct cli_batch_part *part)
{
    const char *end = memchr(part->out, '\n', part->size);
    size_t n = end ? (size_t)(end + 1 - part->out) : 0;

    if (n == 0 || n >= sizeof s->header)
        return 0;
    if (strlen(s->header) == n && memcmp(s->header, part->out, n) == 0)
        return n;
    memcpy(s->header, part->out, n);
    s->header[n] = '\0';
    return 0;
}

/* CSV has one header for files of one kind, JSON is an array; lines follow each other. */
static void tell_file(void *ctx, size_t i, const struct cli_batch_part *part)
{
    struct several *s = ctx;
    const bool json = s->each.format == CLI_JSON && !s->each.jsonl;
    size_t from = 0, size = part->size;

    if (json && size > 0) {
        fputs(s->told++ ? ",\n" : "[\n", s->out);
        size--; /* its newline */
    } else if (s->each.format == CLI_CSV && size > 0) {
        from = same_header(s, part);
    }
    fwrite(part->out + from, 1, size - from, s->out);
    if (json && i + 1 == s->files)
        fputs(s->told ? "\n]\n" : "[]\n", s->out);
    cli_flush(s->out);
}

/* With ranks everything is printed at the end, or nothing if one of them failed. */
static int check_by_ranks(struct several *s, const struct cli_batch *batch)
{
    char *text = NULL;
    size_t size = 0;
    bool whole;

    s->out = open_memstream(&text, &size);
    if (!s->out)
        return cli_no_memory();
    int code = cli_batch_run(batch, &whole);
    if (!cli_collected(s->out, &text)) {
        whole = false;
        code = cli_no_memory();
    }
    if (whole)
        fwrite(text, 1, size, cli_stdout());
    free(text);
    return code;
}

struct job {
    char **paths;
    size_t files;
    const struct check_options *o;
};

/* The highest exit code of all; one file is told as it is read. */
static int check_files(void *ctx)
{
    const struct job *job = ctx;
    const struct check_options *o = job->o;
    const size_t files = job->files;
    struct several s = { .paths = job->paths, .files = files, .each = *o, .out = cli_stdout() };
    const struct cli_batch batch = {
        .files = files,
        .threads = o->threads,
        .keep_going = true,
        .own = files,
        .ctx = &s,
        .run = run_file,
        .tell = tell_file,
    };

    bool whole;

    if (files == 1)
        return cli_ranks_first() ? check_file(job->paths[0], o) : CLI_OK;
    s.each.threads = o->threads > files ? o->threads / (unsigned)files : 1;
    return cli_ranks ? check_by_ranks(&s, &batch) : cli_batch_run(&batch, &whole);
}

/* --- the command line --- */

static const struct option long_options[] = {
    { "devicetree", required_argument, NULL, 'D' },
    { "profile", required_argument, NULL, 'P' },
    { "quirk", required_argument, NULL, 'Q' },
    { "core", required_argument, NULL, 'C' },
    { "scope", required_argument, NULL, 'S' },
    { "map", required_argument, NULL, 'M' },
    { "require", required_argument, NULL, 'R' },
    { "jobs", required_argument, NULL, 'j' },
    { "keep-going", no_argument, NULL, 'k' },
    { "format", required_argument, NULL, 'F' },
    { "output", required_argument, NULL, 'o' },
    { "quiet", no_argument, NULL, 'q' },
    CLI_READ_OPTIONS,
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

/* One option; an exit code, or -1 to go on. */
static int take_option(int c, char **argv, struct check_options *o, bool *has_format)
{
    int code = CLI_OK;

    switch (c) {
    case 'P':
        code = cli_find_profile(optarg, &o->profile);
        break;
    case 'Q':
        code = core_switch_quirk("check", optarg, &o->quirks_on, &o->quirks_off);
        break;
    case 'C':
        code = cli_find_core(optarg, &o->core);
        break;
    case 'S':
        code = cli_take_once("check", "--scope", optarg, &o->scope);
        break;
    case 'M':
        code = cli_take_once("check", "--map", optarg, &o->map);
        break;
    case 'R':
        code = check_take_required(optarg, o);
        break;
    case 'j':
        code = cli_parse_jobs("check", optarg, &o->threads);
        break;
    case 'k':
        o->keep_going = true;
        break;
    case 'D': /* written out, it is a form of its own */
        return cli_usage("check", "--devicetree is not abbreviated");
    case 'F':
        *has_format = true;
        code =
            cli_parse_format_or("check", optarg, &o->format, &o->jsonl, NULL) ? CLI_OK : CLI_INPUT;
        break;
    default:
        code = cli_read_option("check", c, &o->read);
        if (code < 0)
            return cli_common_option(&cli_verb_check, c, argv, long_options, &o->output);
    }
    return code == CLI_OK ? -1 : code;
}

static int run(int argc, char **argv)
{
    struct check_options o = { .threads = 0 };
    bool has_format = false;
    int c;

    if (check_is_devicetree(argc, argv))
        return check_devicetree(argc, argv);
    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":hj:ko:q", long_options)) != -1) {
        int code = take_option(c, argv, &o, &has_format);
        if (code >= 0)
            return code;
    }
    if (optind == argc)
        return cli_usage("check",
                         "which file? Vectors, or with --core a waveform; - is standard input");
    if (!has_format && cli_output_format_or_lines("check", o.output, &o.format, &o.jsonl))
        return CLI_INPUT;
    if (check_required(&o) != CLI_OK)
        return CLI_INPUT;
    if (o.jsonl && !o.core)
        return cli_usage("check",
                         "jsonl is about waveforms: --core NAME; vectors have --format json");
    struct job job = { argv + optind, (size_t)(argc - optind), &o };
    o.threads = cli_jobs(o.threads, (const char *const *)job.paths, job.files);
    /* the map is read again for each waveform */
    const unsigned dashes = cli_dashes(&o.map, 1) * (job.files > 1 ? 2 : 1) +
                            cli_dashes((const char *const *)job.paths, job.files);
    if (cli_check_dashes("check", dashes) != CLI_OK)
        return CLI_INPUT;
    return cli_into(o.output, check_files, &job);
}

const struct cli_verb cli_verb_check = {
    .name = "check",
    .summary = "compare CVA6's counters with recorded behaviour",
    .run = run,
    .brief = "usage: pcounter check [OPTION]... FILE...\n"
             "       pcounter check --devicetree FILE --core NAME   (-h: more)\n"
             "\n"
             "  pcounter check --core cv64a6_imafdc_sv39 --profile rtl dump.fst\n"
             "  pcounter check csr-rv64-imafdc-msu-a.txt.gz\n"
             "  pcounter check --profile spec --keep-going csr-rv32-imac-msu-a.txt.gz\n"
             "\n"
             "  --core NAME         the files are waveforms of a core of this configuration\n"
             "  --scope SCOPE       where perf_counters is, if there are several or few ports\n"
             "  --map FILE          ports by other names, slices of flat vectors, inverses\n"
             "  --require NAME,...  what must be compared, or none (any event counter)\n"
             "  --profile NAME      rtl (default for vectors) or spec (default for waveforms)\n"
             "  --quirk NAME=on|off one difference between the two\n"
             "  -j, --jobs N        threads, for several files and for reading (1; for 16 MB and "
             "more as\n"
             "                      many as CPUs, up to 4)\n"
             "  -k, --keep-going    past the first difference\n"
             "  -o, --output FILE   - or none: standard output; .csv, .json, .jsonl: the format\n"
             "  --format FORMAT     text, csv, json; of waveforms jsonl, too\n"
             "  -q, --quiet         no notes\n"
             "  -h, --help          this screen; everything\n",
    .full = "FILE has vectors: clocks of CVA6's RTL, recorded with what it answered.  Its first\n"
            "line says which kind: `# cva6-perf-vectors 1`, the module perf_counters alone, or\n"
            "`# cva6-csr-vectors 1`, the CSR file around it.  Plain or gzip; - is standard input.\n"
            "\n"
            "Compared are, in every clock, the value and the exception of an access and which\n"
            "counters changed; and at each state row all registers.  A difference is shown with\n"
            "its line, both values, and the rule of the model that decides there; with\n"
            "--keep-going the model goes on from the file's next state row.\n"
            "\n"
            "With --core FILE is a waveform (VCD, FST) with the ports of the RTL module\n"
            "perf_counters, found by their names whatever the instance is called.  The wires of\n"
            "the design drive the model; at every clock edge out of reset its counters, selectors\n"
            "and read data are compared, and mcycle and minstret where the waveform has them.  A\n"
            "difference is shown with its edge and time, both values, the last writes, the rule\n"
            "that decides there, and the quirk that would explain the design; with --keep-going\n"
            "the model goes on from the design's value.  Unmodified RTL wants --profile rtl.\n"
            "pcounter-check(1) describes maps; examples/cva6 has some.\n"
            "\n"
            "What was not compared is listed with the reason.  A check in which no event counter\n"
            "was compared ends with exit code 2, of a core that has none one in which no register\n"
            "was.  --require names what has to be compared instead: registers (mcycle, minstret,\n"
            "mhpmcounter3 .. 8, mhpmevent3 .. 8, data_o), counters, selectors, all, or none.\n"
            "\n"
            "Quirks, each on in the profile rtl and off in spec but for the two marked:\n"
            "  half_write_ticks     XLEN 32: half of mcycle or minstret written, the other ticks\n"
            "  write_freezes_all    a write to one event counter holds all six (on in both)\n"
            "  trap_freezes         XLEN 64: so does a trapping write to b83..b9f\n"
            "  or_ports             two matching retirements in one clock add 1\n"
            "  shadow3h_zero        hpmcounter3h reads 0\n"
            "  evict_ff             event 18 compares with 8 ways, whatever their number\n"
            "  ret_any_rs1          event 13 is any jalr with rd=x0\n"
            "  debug_runs           counters run on in debug mode (off in both)\n"
            "  u_needs_scounteren   U without S: shadow reads always trap\n"
            "  h_gate_and           H: U and VU trap only if both enables refuse\n"
            "  h_trap_writes        H: a write that raises 22 is made all the same\n"
            "  h_high_virtual       H: hcounteren comes before all other checks\n"
            "The last four are about privilege, of which a waveform shows nothing: there they\n"
            "have no effect.\n"
            "\n"
            "Reading waveforms, an error with vectors:\n" CLI_READ_HELP "\n"
            "Of several files CSV has one header, and JSON is an array. With jsonl each\n"
            "difference, register and rule is a line.\n"
            "\n"
            "Exit codes: 0 no difference, 1 differences, 2 a file is malformed, cut off or has\n"
            "nothing to compare, or what had to be compared was not; 4 a limit was reached.\n",
};

/* SPDX-License-Identifier: MIT */
/* pcounter emit: the one event table of CVA6 in the formats of the software around the core. */
#include "emit.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>

static const struct format {
    const char *name;
    void (*write)(const struct emit_request *r, FILE *file);
} formats[] = {
    { "perf-json", emit_perf_json }, { "devicetree", emit_devicetree },
    { "c-header", emit_c_header },   { "whisper-json", emit_whisper_json },
    { "dpi-bind", emit_dpi_bind },
};
#define FORMATS (sizeof formats / sizeof formats[0])

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static int write_file(const struct format *f, const struct emit_request *r, const char *path)
{
    struct cli_out out;
    const int code = cli_out_open(&out, path);

    if (code != CLI_OK)
        return code;
    f->write(r, out.file);
    return cli_out_commit(&out);
}

/* The three files of a perf directory; each is whole or as it was. */
static int write_topics(const struct emit_request *r, const char *directory)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        struct pc_error err = { .status = PC_EIO, .code = 901 };
        snprintf(err.text, sizeof err.text, "cannot make the directory %s: %s", directory,
                 strerror(errno));
        return cli_error(&err, NULL, NULL);
    }
    for (int topic = PC_HPM_MEMORY; topic <= PC_HPM_MICROARCH; topic++) {
        struct cli_out out;
        char path[4000];
        const int n = snprintf(path, sizeof path, "%s/%s.json", directory,
                               emit_topic_name((enum pc_hpm_topic)topic));
        if (n < 0 || (size_t)n >= sizeof path)
            return cli_usage("emit", "the name of the directory is too long");
        int code = cli_out_open(&out, path);
        if (code != CLI_OK)
            return code;
        emit_perf_topic(r, out.file, (enum pc_hpm_topic)topic);
        code = cli_out_commit(&out);
        if (code != CLI_OK)
            return code;
    }
    return CLI_OK;
}

/* What the files themselves have no place for. */
static void remarks(const struct format *f, const struct emit_request *r)
{
    if (f->write == emit_perf_json && !r->config->perf_counter_en)
        cli_note(1300, "%s has no event counters: there is no event to list", r->config->name);
    if (f->write == emit_whisper_json && r->config->perf_counter_en)
        cli_note(1301, "Whisper's classes are near CVA6's but not equal: CVA6 counts LR and AMO "
                       "as stores, mul and div as integer, and in its RTL any jr as a return");
    if (f->write == emit_devicetree && r->config->xlen == 32 && r->counter3 &&
        r->config->perf_counter_en)
        cli_note(1302, "counter 3 is offered: its high half reads 0 unless the RTL is repaired");
}

static int emit(const struct format *f, const struct emit_request *r, const char *path)
{
    if (f->write == emit_dpi_bind && !r->config->perf_counter_en) {
        struct pc_error err = { .status = PC_EUNFIT, .code = 1300 };
        snprintf(err.text, sizeof err.text, "%s has no event counters: nothing to bind to",
                 r->config->name);
        return cli_error(&err, NULL, NULL);
    }
    remarks(f, r);
    if (f->write == emit_perf_json && path && strcmp(path, "-") != 0)
        return write_topics(r, path);
    return write_file(f, r, path);
}

static int set_profile(const char *name, struct emit_request *r)
{
    struct pc_error err;

    return pc_hpm_profile_find(name, &r->profile, &err) == PC_OK ? CLI_OK
                                                                 : cli_error(&err, NULL, NULL);
}

static int set_core(const char *name, struct emit_request *r)
{
    struct pc_error err;

    return pc_hpm_config_get(name, &r->config, &err) == PC_OK ? CLI_OK
                                                              : cli_error(&err, NULL, NULL);
}

static int finish(int argc, char **argv, const struct emit_request *r, const char *path)
{
    if (optind == argc)
        return cli_usage("emit", "emit what: perf-json, devicetree, c-header, whisper-json or "
                                 "dpi-bind?");
    const struct format *f = find_format(argv[optind]);
    if (!f)
        return cli_usage("emit",
                         "there is no format \"%s\"; there are perf-json, devicetree, c-header, "
                         "whisper-json, dpi-bind",
                         argv[optind]);
    if (optind + 1 < argc)
        return cli_usage("emit", "one format at a time, not also \"%s\"", argv[optind + 1]);
    if (!r->config)
        return cli_usage("emit", "for which core? Say it with --core, like "
                                 "--core cv64a6_imafdc_sv39");
    return emit(f, r, path);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "core", required_argument, NULL, 'C' },
        { "profile", required_argument, NULL, 'P' },
        { "counter3", no_argument, NULL, '3' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    struct emit_request r = { .profile = NULL };
    const char *path = NULL;
    int c, code = set_profile("rtl", &r);

    opterr = 0;
    while (code == CLI_OK && (c = getopt_long(argc, argv, "ho:q", options, NULL)) != -1) {
        switch (c) {
        case 'C':
            code = set_core(optarg, &r);
            break;
        case 'P':
            code = set_profile(optarg, &r);
            break;
        case '3':
            r.counter3 = true;
            break;
        case 'o':
            path = optarg;
            break;
        case 'q':
            cli_quiet = true;
            break;
        case 'h':
        case 'H':
            cli_print_help(&cli_verb_emit, c == 'H');
            return CLI_OK;
        default:
            return cli_usage("emit", "unknown option, or no value: %s", argv[optind - 1]);
        }
    }
    return code == CLI_OK ? finish(argc, argv, &r, path) : code;
}

const struct cli_verb cli_verb_emit = {
    .name = "emit",
    .summary = "CVA6's events as perf JSON, device tree, C header ...",
    .run = run,
    .brief = "usage: pcounter emit FORMAT --core NAME [OPTION]...\n"
             "\n"
             "  pcounter emit perf-json --core cv64a6_imafdc_sv39 -o cva6\n"
             "  pcounter emit devicetree --core cv32a6_imac_sv32 -o pmu.dtsi\n"
             "  pcounter emit dpi-bind --core cv64a6_imafdc_sv39 -o pcounter_bind.sv\n"
             "\n"
             "  FORMAT           perf-json, devicetree, c-header, whisper-json or dpi-bind\n"
             "  --core NAME      configuration of CVA6, as its package is called\n"
             "  --profile NAME   rtl (default) or spec: what never counts, what counts once\n"
             "  --counter3       XLEN 32: offer counter 3 in the device tree\n"
             "  -o, --output X   a file, or a directory for perf-json; - is standard output\n"
             "  -q, --quiet      no notes\n"
             "  -h, --help       this screen; everything\n",
    .full = "Formats, all from one event table, with what is there in the core and no more:\n"
            "  perf-json     events for tools/perf/pmu-events of Linux, names and codes as\n"
            "                upstream; -o makes DIR/memory.json, instructions.json and\n"
            "                microarch.json, standard output gets one array.  The line of\n"
            "                mapfile.csv is 0x602-0x3-0x0,v1,openhwgroup/cva6,core\n"
            "  devicetree    the node riscv,pmu that OpenSBI reads; every mapped event has a\n"
            "                selector row.  `pcounter check --devicetree` checks one\n"
            "  c-header      selector values and CSR addresses, for C and assembly\n"
            "  whisper-json  the counter part of a configuration of the simulator Whisper\n"
            "  dpi-bind      SystemVerilog that binds a lock-step checker to perf_counters;\n"
            "                link it with libpcounter_dpi, see examples/cva6-dpi\n"
            "\n"
            "Configurations with counters: cv32a6_imac_sv32, cv64a60ax, cv64a6_imafdc_sv39 and\n"
            "its variants, cv64a6_imafdch_sv39, cv64a6_imafdcv_sv39.  The others have mcycle\n"
            "and minstret alone.\n"
            "\n"
            "Exit codes: 0 ok, 2 no such core or format, 3 nothing to bind to.\n",
};

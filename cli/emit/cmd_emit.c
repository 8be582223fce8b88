/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit: the one event table of CVA6 in the formats of the software around the core; the
 * registers of PCOUNTER in those of drivers and of envytools.
 */
#include "emit.h"
#include "text/regs_text.h"
#include "text/signal_names.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>

static const struct format {
    const char *name;
    void (*write)(const struct emit_request *r, FILE *file);     /* of a core; may be NULL */
    int (*write_chip)(const struct emit_request *r, FILE *file); /* of a chip; may be NULL */
    bool needs_chip;
} formats[] = {
    { "perf-json", emit_perf_json, NULL, false },
    { "devicetree", emit_devicetree, NULL, false },
    { "c-header", emit_c_header, emit_chip_header, true },
    { "rnndb", NULL, emit_rnndb, false },
    { "whisper-json", emit_whisper_json, NULL, false },
    { "dpi-bind", emit_dpi_bind, NULL, false },
};
#define FORMATS (sizeof formats / sizeof formats[0])

static const char *format_name(size_t i)
{
    return i < FORMATS ? formats[i].name : NULL;
}

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

/* Registers of a chip, or of the layouts of NV10:GF100. */
static int write_chip(const struct format *f, const struct emit_request *r, const char *path)
{
    struct cli_out out;
    int code = cli_out_open(&out, path);

    if (code == CLI_OK && (code = f->write_chip(r, out.file)) != CLI_OK)
        cli_out_abort(&out);
    return code == CLI_OK ? cli_out_commit(&out) : code;
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
    if (f->write == emit_devicetree && r->counter3)
        cli_note(1302, "counter 3 is offered: its high half reads 0 unless the RTL is repaired");
}

/* For CVA6. */
static int emit_core(const struct format *f, const struct emit_request *r, const char *path)
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

static int check_chip(const struct format *f, const struct pc_chip *chip)
{
    struct pc_error err;
    int code = cli_check_registers(chip);

    if (code)
        return code;
    if (f->write_chip != emit_rnndb || chip->layout != PC_LAYOUT_GF100)
        return CLI_OK;
    err = (struct pc_error){ .status = PC_EUNSUP, .code = 1301 };
    snprintf(err.text, sizeof err.text, "envytools has the registers of %s already", chip->name);
    return cli_error(&err, NULL, NULL);
}

/* For PCOUNTER. */
static int emit_chip(const struct format *f, struct emit_request *r, const char *path,
                     const struct cli_name_files *files)
{
    struct pc_names *names = NULL;
    int code = r->chip ? check_chip(f, r->chip) : CLI_OK;

    if (code == CLI_OK && f->needs_chip)
        code = cli_names_open("emit", r->chip, files, &names);
    r->names = names;
    if (code == CLI_OK)
        code = write_chip(f, r, path);
    pc_names_close(names);
    return code;
}

/* Formats are of a core, of a chip, or of either. */
static int check_device(const struct format *f, const struct emit_request *r,
                        const struct cli_name_files *files, bool has_profile)
{
    if (r->chip && r->config)
        return cli_usage("emit", "--core is a RISC-V core, -a is a GPU: which one?");
    if (r->chip && !f->write_chip)
        return cli_usage("emit", "%s is of a core: --core instead of -a", f->name);
    if (r->config && !f->write)
        return cli_usage("emit", "%s is of PCOUNTER, not of a core", f->name);
    if (files->count > 0 && (!f->needs_chip || !r->chip))
        return cli_usage("emit", "--signals is about c-header with -a");
    if (has_profile && !r->config && (r->chip || !f->write))
        return cli_usage("emit", "--profile is about a core: --core NAME");
    if (has_profile && f->write == emit_whisper_json)
        return cli_usage("emit", "--profile does nothing to whisper-json");
    if (r->counter3 && f->write != emit_devicetree)
        return cli_usage("emit", "--counter3 is about devicetree");
    if (r->config)
        return emit_check_counter3("emit", r);
    if (r->chip || !f->write)
        return CLI_OK;
    if (f->write_chip)
        return cli_usage("emit", "for which chip or core? Say it with -a, like -a G92, or with "
                                 "--core, like --core cv64a6_imafdc_sv39");
    return cli_usage("emit", "for which core? Say it with --core, like "
                             "--core cv64a6_imafdc_sv39");
}

static int finish(int argc, char **argv, struct emit_request *r, const char *path,
                  const struct cli_name_files *files, bool has_profile)
{
    if (optind == argc)
        return cli_usage("emit", "emit what: perf-json, devicetree, c-header, rnndb, "
                                 "whisper-json or dpi-bind?");
    const struct format *f = find_format(argv[optind]);
    if (!f)
        return cli_usage("emit",
                         "there is no format \"%s\"; there are perf-json, devicetree, c-header, "
                         "rnndb, whisper-json, dpi-bind",
                         argv[optind]);
    if (optind + 1 < argc)
        return cli_usage("emit", "one format at a time, not also \"%s\"", argv[optind + 1]);
    int code = check_device(f, r, files, has_profile);
    if (code != CLI_OK)
        return code;
    return r->config ? emit_core(f, r, path) : emit_chip(f, r, path, files);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "chip", required_argument, NULL, 'a' },
        { "core", required_argument, NULL, 'C' },
        { "signals", required_argument, NULL, 's' },
        { "profile", required_argument, NULL, 'P' },
        { "counter3", no_argument, NULL, '3' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    struct emit_request r = { .profile = NULL };
    struct cli_name_files files = { .count = 0 };
    const char *path = NULL;
    bool has_profile = false;
    int c, code = cli_find_profile("rtl", &r.profile);

    opterr = 0;
    while (code == CLI_OK && (c = cli_getopt(argc, argv, ":a:ho:q", options)) != -1) {
        switch (c) {
        case 'a':
            if (!(r.chip = cli_find_chip(optarg)))
                return CLI_INPUT;
            break;
        case 's':
            code = cli_names_add("emit", &files, optarg);
            break;
        case 'C':
            code = cli_find_core(optarg, &r.config);
            break;
        case 'P':
            has_profile = true;
            code = cli_find_profile(optarg, &r.profile);
            break;
        case '3':
            r.counter3 = true;
            break;
        default:
            code = cli_common_option(&cli_verb_emit, c, argv, options, &path);
            if (code >= 0)
                return code;
            code = CLI_OK;
        }
    }
    if (code == CLI_OK)
        code = cli_check_dashes("emit", cli_dashes(files.path, files.count));
    return code == CLI_OK ? finish(argc, argv, &r, path, &files, has_profile) : code;
}

const struct cli_verb cli_verb_emit = {
    .name = "emit",
    .summary = "events and registers as files for perf, OpenSBI, C, envytools",
    .run = run,
    .word = format_name,
    .brief =
        "usage: pcounter emit FORMAT --core NAME [OPTION]...\n"
        "       pcounter emit c-header -a CHIP [--signals FILE]\n"
        "       pcounter emit rnndb [-a CHIP]\n"
        "\n"
        "  pcounter emit perf-json --core cv64a6_imafdc_sv39 -o cva6\n"
        "  pcounter emit devicetree --core cv32a6_imac_sv32 -o pmu.dtsi\n"
        "  pcounter emit c-header -a G92 -o g92_pcounter.h\n"
        "  pcounter emit rnndb -o pcounter.xml\n"
        "\n"
        "  FORMAT           perf-json, devicetree, c-header, rnndb, whisper-json or dpi-bind\n"
        "  -a, --chip CHIP  registers of a chip instead of events of a core\n"
        "  --core NAME      configuration of CVA6, as its package is called\n"
        "  --profile NAME   rtl (default) or spec: what never counts, what counts once; not with\n"
        "                   whisper-json\n"
        "  --counter3       XLEN 32, rtl: offer counter 3 in the device tree\n"
        "  --signals FILE   c-header -a: names of one's own, see pcounter-signals(5)\n"
        "  -o, --output X   a file, or a directory for perf-json; - is standard output\n"
        "  -q, --quiet      no notes\n"
        "  -h, --help       this screen; everything\n",
    .full =
        "Formats for CVA6, all from one event table, with what is there in the core and no\n"
        "more:\n"
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
        "Formats for PCOUNTER:\n"
        "  c-header      addresses, fields and values of the registers of a chip, and the\n"
        "                positions of its signals\n"
        "  rnndb         rules-ng XML for envytools: the registers of NV10:GF100 by its names,\n"
        "                with what its own files lack: meanings, effects of writes, access.\n"
        "                With -a only the layout of that chip.  lookup and demmio take it,\n"
        "                see pcounter-emit(1) for what else they need:\n"
        "                  RNN_PATH=.:ENVYTOOLS/rnndb lookup -f pcounter.xml -a G92 a7c4\n"
        "\n"
        "Exit codes: 0 ok, 2 no such core, chip or format, or a chip whose registers are not\n"
        "known or not missing, 3 the chip has no PCOUNTER, or nothing to bind to, 4 a limit\n"
        "was reached: a table of --signals is too large.\n",
};

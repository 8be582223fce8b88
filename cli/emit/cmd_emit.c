/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit: the one event table of CVA6 in the formats of the software around the core; the
 * registers of PCOUNTER in those of drivers and of envytools.
 */
#include "complete/complete.h"
#include "core/core.h"
#include "described/described.h"
#include "emit.h"
#include "emit_tap.h"
#include "text/regs_text.h"
#include "opt/opt.h"

#include <errno.h>
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
    { "core", emit_core_description, NULL, false },
    { "tap", NULL, NULL, false },
};
#define FORMATS (sizeof formats / sizeof formats[0])

static void offer_formats(struct complete *c)
{
    for (size_t i = 0; i < FORMATS; i++)
        complete_offer(c, formats[i].name, NULL);
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

/* The files of a perf directory, one a topic and the metrics; each is whole or as it was. */
static int write_topics(const struct emit_request *r, const char *directory)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        struct pc_error err = { .status = PC_EIO, .code = 901 };
        snprintf(err.text, sizeof err.text, "cannot make the directory %s: %s", directory,
                 strerror(errno));
        return cli_error(&err, NULL, NULL);
    }
    for (int topic = PC_HPM_MEMORY; topic <= PC_HPM_MICROARCH + 1; topic++) {
        const bool metrics = topic > PC_HPM_MICROARCH;
        struct cli_out out;
        char path[4000];
        const int n = snprintf(path, sizeof path, "%s/%s.json", directory,
                               metrics ? "metrics" : emit_topic_name((enum pc_hpm_topic)topic));
        if (n < 0 || (size_t)n >= sizeof path)
            return cli_usage("emit", "the name of the directory is too long");
        int code = cli_out_open(&out, path);
        if (code != CLI_OK)
            return code;
        if (metrics)
            emit_perf_metrics(r, out.file);
        else
            emit_perf_topic(r, out.file, (enum pc_hpm_topic)topic);
        code = cli_out_commit(&out);
        if (code != CLI_OK)
            return code;
    }
    return CLI_OK;
}

/* Prints notes that the files themselves have no place for. */
static void remarks(const struct format *f, const struct emit_request *r)
{
    if (f->write == emit_perf_json && !r->config->perf_counter_en)
        cli_note(1300, "%s has no event counters, so there are no events to list", r->config->name);
    if (f->write == emit_whisper_json && r->config->perf_counter_en)
        cli_note(1301,
                 "Whisper's classes are similar to CVA6's but not equal: CVA6 counts LR and AMO "
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
        return cli_usage("emit", "for which chip or core? Name it with -a, like -a G92, or with "
                                 "--core, like --core cv64a6_imafdc_sv39");
    return cli_usage("emit", "for which core? Name it with --core, like "
                             "--core cv64a6_imafdc_sv39");
}

void emit_in_comment(FILE *file, const char *text)
{
    for (const char *end; (end = strstr(text, "*/")) != NULL; text = end + 1) {
        char *before = strndup(text, (size_t)(end + 1 - text));
        cli_print_between(file, "", before ? before : "...", " ");
        free(before);
    }
    cli_print_name(file, text);
}

struct options {
    struct emit_request r;
    struct cli_name_files files;
    const char *path, *wave, *description;
    struct emit_tap tap;
};
/* This takes the whole struct: a configuration of CVA6, or the file of a description. */
static int take_core(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct options *o = field;

    (void)verb, (void)row;
    if (!described_is_file(text))
        return cli_find_core(text, &o->r.config);
    o->description = text;
    return CLI_OK;
}

static const struct opt_kind core = { .value = "NAME", .take = take_core, .offer = complete_cores };

#define O struct options
static const struct opt rows[] = {
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, r.chip),
      .brief = "registers of a chip instead of events of a core" },
    { .name = "core",
      .kind = &core,
      .brief = "configuration of CVA6, or FILE.yaml, a description",
      .more = "a configuration has the name of its package" },
    { .name = "profile",
      OPT_PROFILE(O, r.profile),
      .brief = "rtl (default) or spec; not with whisper-json",
      .more = "what never counts, and what counts once" },
    { .name = "counter3",
      OPT_SWITCH(O, r.counter3),
      .brief = "XLEN 32, rtl: offer counter 3 in the device tree" },
    { .name = "signals",
      OPT_SIGNALS(O, files),
      .brief = "c-header -a: names of your own, see pcounter-signals(5)" },
    { .letter = 'c',
      .name = "clock",
      OPT_TEXTS(O, tap.clock),
      .value = "CLOCK",
      .brief = "tap: sample at this clock, as in `pcounter stat`" },
    { .letter = 'e',
      .name = "event",
      OPT_TEXTS(O, tap.event),
      .value = "EXPR",
      .brief = "tap: hand over the signals of this event" },
    { .letter = 'f',
      .name = "measures",
      OPT_TEXTS(O, tap.file),
      .value = "FILE",
      .brief = "tap: hand over the signals of these measurements" },
    { .name = "map",
      OPT_FILE(O, tap.map),
      .brief = "tap: hand over the signals of these buses",
      .flags = OPT_ONCE },
    { .name = "timescale",
      OPT_TEXT(O, tap.timescale),
      .value = "SCALE",
      .brief = "tap: its `timescale, like 1ns/1ps, so that times are known",
      .flags = OPT_ONCE },
    { .name = "wave",
      OPT_FILE(O, wave),
      .brief = "core: describe what this waveform has of it",
      .more = "without --core: a first draft, from the signals of --scope",
      .flags = OPT_ONCE },
    { .name = "scope",
      OPT_TEXT(O, r.scope),
      .value = "SCOPE",
      .brief = "core: scope to describe; dpi-bind: module to bind to",
      .more = "dpi-bind takes it with --core FILE",
      .flags = OPT_ONCE },
    OPT_OUTPUT(O, path, "a file, or a directory for perf-json; - is standard output"),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operand = { .first = offer_formats };
static const struct opt_line line = { .name = "emit", .row = rows, .operand = &operand };

/* A description, of CVA6 or as a beginning. */
static int describe(const struct format *f, struct options *o)
{
    const struct pc_wave_desc desc = { .path = o->wave };
    struct pc_error err;
    struct cli_out out;

    if (o->r.chip)
        return cli_usage("emit", "core is about cores, not about chips: --core, or --wave");
    if (!o->r.config && (!o->wave || !o->r.scope))
        return cli_usage("emit", "a description of what? --core NAME is one of CVA6, --wave FILE "
                                 "--scope SCOPE a beginning for any other design");
    if (o->r.config && o->r.scope)
        return cli_usage("emit", "--scope is about a beginning: leave out --core");
    o->r.wave_path = o->wave;
    if (o->wave && cli_wave_open(&desc, &o->r.wave, &err))
        return cli_error(&err, o->wave, NULL);
    int code = cli_out_open(&out, o->path);
    if (code == CLI_OK) {
        if (o->r.config)
            f->write(&o->r, out.file);
        else
            code = emit_skeleton(&o->r, out.file);
        if (code)
            cli_out_abort(&out);
        else
            code = cli_out_commit(&out);
    }
    pc_wave_close(o->r.wave);
    return code;
}

/* Writes the format of a description. */
static int emit_of_file(const struct format *f, const struct options *o)
{
    const bool bind = f->write == emit_dpi_bind;

    if (!bind && f->write != emit_c_header && f->write != emit_perf_json &&
        f->write != emit_devicetree)
        return cli_usage("emit", "of a description there are c-header, perf-json, devicetree and "
                                 "dpi-bind");
    if (o->r.chip || o->r.config || o->wave)
        return cli_usage("emit", "--core FILE goes without -a, --wave and another --core");
    if (o->r.scope && !bind)
        return cli_usage("emit", "with --core FILE --scope is about dpi-bind");
    return emit_described(f->name, o->description, o->r.scope, o->path);
}

static int make_tap(struct options *o)
{
    if (o->r.chip || o->r.config || o->wave)
        return cli_usage("emit", "tap is about a design: leave out -a, --wave and --core NAME");
    o->tap.description = o->description;
    o->tap.scope = o->r.scope;
    o->tap.path = o->path;
    const int code = emit_tap(&o->tap);
    opt_texts_free(&o->tap.clock);
    opt_texts_free(&o->tap.event);
    opt_texts_free(&o->tap.file);
    return code;
}

static int run(int argc, char **argv)
{
    struct options o = { .r = { .profile = core_profile(NULL) } };
    struct opt_said said;
    int code = opt_read(&cli_verb_emit, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    code = cli_check_dashes("emit", cli_dashes(o.files.path, o.files.count));
    if (code != CLI_OK)
        return code;
    if (said.operands == 0)
        return cli_usage("emit", "emit what: perf-json, devicetree, c-header, rnndb, "
                                 "whisper-json, dpi-bind, core or tap?");
    const struct format *f = find_format(said.operand[0]);
    if (!f)
        return cli_usage("emit",
                         "unknown format \"%s\"; the formats are perf-json, devicetree, c-header, "
                         "rnndb, whisper-json, dpi-bind, core",
                         said.operand[0]);
    if (said.operands > 1)
        return cli_usage("emit", "only one format at a time; also given: \"%s\"", said.operand[1]);
    if (strcmp(f->name, "tap") == 0)
        return make_tap(&o);
    if (o.tap.clock.count + o.tap.event.count + o.tap.file.count > 0 || o.tap.map ||
        o.tap.timescale)
        return cli_usage("emit", "-c, -e, -f, --map and --timescale are about tap");
    if (o.description)
        return emit_of_file(f, &o);
    if (f->write == emit_core_description)
        return describe(f, &o);
    if (o.wave || o.r.scope)
        return cli_usage("emit",
                         "--wave is about core, --scope about core and dpi-bind --core FILE");
    code = check_device(f, &o.r, &o.files, opt_given(&said, "profile"));
    if (code != CLI_OK)
        return code;
    return o.r.config ? emit_core(f, &o.r, o.path) : emit_chip(f, &o.r, o.path, &o.files);
}

const struct cli_verb cli_verb_emit = {
    .name = "emit",
    .summary = "write events and registers for perf, OpenSBI, C, envytools",
    .run = run,
    .line = &line,
};

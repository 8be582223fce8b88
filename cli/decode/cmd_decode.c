/* SPDX-License-Identifier: MIT */
/*
 * pcounter decode: a register word as fields, and what a write of it would do.
 *
 * Clauses: those that the register rows name.
 */
#include "text/card_regs.h"
#include "complete/complete.h"
#include "decode_inputs.h"
#include "text/op_text.h"
#include "opt/opt.h"
#include "text/written_text.h"

#include <stdlib.h>
#include <string.h>

struct word {
    const struct pc_chip *chip;
    struct pc_reg_info reg;
    struct cli_reg_name name;
    uint32_t value;
    uint32_t unused;    /* bits set where the chip has no field */
    char written[1000]; /* what a write of the value does */
};

/* ---- fields ---- */

static const char *access_name(const struct pc_field_info *f)
{
    return f->strobe ? "strobe" : f->writable ? "rw" : "ro";
}

static const char *value_name(const struct pc_field_info *f, uint32_t value)
{
    return value < f->value_count ? f->values[value] : "";
}

/* Describes what the unit drives a selected signal with; "" for a signal of the card. */
static void signal_note(const struct word *w, const struct pc_field_info *f, char *out, size_t size)
{
    static const char *const names[] = {
        [PC_SIG_ABSENT] = "absent, reads 0",
        [PC_SIG_RAW] = "",
        [PC_SIG_ZERO] = "ZERO",
        [PC_SIG_PERIODIC] = "PERIODIC",
        [PC_SIG_PM_TRIGGER] = "PM_TRIGGER",
        [PC_SIG_WRCACHE_FLUSH] = "WRCACHE_FLUSH",
        [PC_SIG_PAUSED] = "PAUSED",
    };
    const char *name = w->reg.name;
    size_t length = strlen(name);
    struct pc_chip set; /* the chip as the register's domain set sees it */

    out[0] = '\0';
    if (length < 4 || strcmp(name + length - 4, "_SRC") != 0 || w->reg.domain < 0 ||
        pc_chip_of_set(w->chip, w->reg.set, &set, NULL) != PC_OK)
        return;
    struct pc_signal_info s =
        pc_chip_signal(&set, (unsigned)w->reg.domain, cli_field_value(f, w->value));
    if (s.kind == PC_SIG_DOM_EVENT || s.kind == PC_SIG_DOM_FLAG)
        snprintf(out, size, "%s of domain %u%s%s", s.kind == PC_SIG_DOM_FLAG ? "FLAG" : "EVENT",
                 s.index, w->reg.place[0] ? " of the set" : "",
                 s.index < set.domains ? "" : ", absent, reads 0");
    else if (s.kind == PC_SIG_USER)
        snprintf(out, size, "USER_%u", s.index);
    else
        snprintf(out, size, "%s", names[s.kind]);
}

/* The line about a value, about its signal, or about the field. */
static void field_note(const struct word *w, const struct pc_field_info *f, char *out, size_t size)
{
    uint32_t value = cli_field_value(f, w->value);
    char signal[64];

    signal_note(w, f, signal, sizeof signal);
    if (signal[0])
        snprintf(out, size, "%s", signal);
    else if (f->value_notes && value < f->value_count)
        snprintf(out, size, "%s", f->value_notes[value]);
    else
        snprintf(out, size, "%s", f->note ? f->note : "");
}

static bool is_hex(const struct pc_field_info *f)
{
    return f->bits > 4;
}

static void field_text(const struct pc_field_info *f, uint32_t word, char *out, size_t size)
{
    uint32_t value = cli_field_value(f, word);

    if (is_hex(f))
        snprintf(out, size, "0x%0*x", (int)(f->bits + 3) / 4, (unsigned)value);
    else
        snprintf(out, size, "%u", (unsigned)value);
}

static void bits_text(const struct pc_field_info *f, char *out, size_t size)
{
    if (f->bits == 1)
        snprintf(out, size, "[%u]", f->shift);
    else
        snprintf(out, size, "[%u:%u]", f->shift + f->bits - 1, f->shift);
}

/* ---- for people ---- */

static void print_text(FILE *out, const struct word *w)
{
    struct cli_op_text op;
    int widest = 0, digits = 1, names = 0;
    char bits[16], text[16], note[200];
    const struct cli_io_address io = cli_io_address(w->chip, &w->reg);

    fprintf(out, "%s%s (0x%06x%s%s) = 0x%08x  %s%s%s\n", cli_is_card(&w->reg) ? "" : "PCOUNTER.",
            w->name.text, (unsigned)w->reg.address, io.text[0] ? ", " : "", io.text,
            (unsigned)w->value, w->reg.range, w->reg.clause[0] ? "  " : "", w->reg.clause);
    for (size_t i = 0; i < w->reg.field_count; i++) {
        const struct pc_field_info *f = &w->reg.fields[i];
        int length = (int)strlen(f->name),
            name = (int)strlen(value_name(f, cli_field_value(f, w->value)));
        field_text(f, w->value, text, sizeof text);
        widest = length > widest ? length : widest;
        digits = (int)strlen(text) > digits ? (int)strlen(text) : digits;
        names = name > names ? name : names;
    }
    for (size_t i = 0; i < w->reg.field_count; i++) {
        const struct pc_field_info *f = &w->reg.fields[i];
        char line[400];
        bits_text(f, bits, sizeof bits);
        field_text(f, w->value, text, sizeof text);
        field_note(w, f, note, sizeof note);
        bool read_only = w->reg.writable && !f->writable && !f->strobe;
        int n = snprintf(line, sizeof line, "  %-*s %-7s %*s  %-*s%s%s%s%s", widest, f->name, bits,
                         digits, text, names, value_name(f, cli_field_value(f, w->value)),
                         names ? "  " : "", note, note[0] && read_only ? "  " : "",
                         read_only ? "(read-only)" : "");
        while (n > 0 && line[n - 1] == ' ')
            line[--n] = '\0';
        fprintf(out, "%s\n", line);
    }
    if (cli_op_text(w->chip, &w->reg, w->value, &op))
        fprintf(out, "  function: %s   (%s)\n", op.function, op.sources);
    if (w->unused)
        fprintf(out, "  not kept: 0x%08x, %s has no field there\n", (unsigned)w->unused,
                w->chip->name);
    fprintf(out, "  written now: %s\n", w->written);
}

/* ---- for programs ---- */

static const char *const accesses[] = { "rw", "ro", "strobe", NULL };

static const struct rep_field field_fields[] = {
    { "field", REP_TEXT, .about = "its name" },
    { "shift", REP_COUNT, .about = "its lowest bit", .most = 31 },
    { "bits", REP_COUNT, .about = "its width", .least = 1, .most = 32 },
    { "access", REP_WORD, .about = "strobe: acts when it is written, and is not kept",
      .words = accesses },
    { "value", REP_COUNT, .about = "its value in the word", .most = UINT32_MAX },
    { "value_name", REP_TEXT, .about = "the name of that value; empty: it has none" },
    { "note", REP_TEXT, .about = "what it means" },
    { "clause", REP_TEXT, .about = "the clause of the document" },
    { .name = NULL },
};
enum { FIELDS = 10 };
static const struct rep_field word_fields[] = {
    { "register", REP_TEXT, .about = "its name" },
    { "address", REP_TEXT, .about = "where in MMIO", .pattern = "^0x[0-9a-f]{6,8}$" },
    { "io_address", REP_TEXT, .about = "where PDAEMON itself has it, if it does",
      .flags = REP_MAYBE, .pattern = "^I\\[[0-9a-f]+\\]$" },
    { "value", REP_HEX, .about = "the word", .csv = "word", .digits = 8 },
    { "range", REP_TEXT, .about = "the chips that have it" },
    { "clause", REP_TEXT, .about = "the clause of the document" },
    { "function", REP_TEXT, .about = "of an OP register: what it computes", .flags = REP_MAYBE },
    { "sources", REP_TEXT, .about = "of an OP register: what s0 to s3 are", .flags = REP_MAYBE },
    { "not_kept", REP_HEX, .about = "bits of the word that no field has", .digits = 8 },
    { "written_now", REP_TEXT, .about = "what writing it does; empty: nothing else" },
    { "fields", REP_LIST, .about = "its fields, from bit 0 on", .flags = REP_ROW,
      .field = field_fields, .item = "a field" },
    { .name = NULL },
};
enum { WORDS = 1 };
static const struct rep_field report_fields[] = {
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "data", REP_LIST, .about = "in the order they were given", .field = word_fields,
      .item = "a register and its value" },
    { .name = NULL },
};

static const struct rep_def report = {
    .schema = "pcounter-decode-1",
    .call = "pcounter decode",
    .about = "What register values mean.",
    .field = report_fields,
    .columns = "chip,register,address,word,field,shift,bits,access,value,value_name,note",
    .own = REP_COMMANDS,
    .bare = true,
};

static void put_word(struct rep *r, const struct word *w)
{
    const struct cli_io_address io = cli_io_address(w->chip, &w->reg);
    struct cli_op_text op;
    const bool has_op = cli_op_text(w->chip, &w->reg, w->value, &op);
    char address[16], note[200];

    snprintf(address, sizeof address, "0x%06x", (unsigned)w->reg.address);
    rep_begin(r, WORDS,
              REP_CELLS(rep_text(w->name.text), rep_text(address),
                        io.text[0] ? rep_text(io.text) : rep_absent(), rep_hex(w->value, 8),
                        rep_text(w->reg.range), rep_text(w->reg.clause),
                        has_op ? rep_text(op.function) : rep_absent(),
                        has_op ? rep_text(op.sources) : rep_absent(), rep_hex(w->unused, 8),
                        rep_text(w->written)));
    for (size_t i = 0; i < w->reg.field_count; i++) {
        const struct pc_field_info *f = &w->reg.fields[i];
        const uint32_t value = cli_field_value(f, w->value);
        field_note(w, f, note, sizeof note);
        rep_row(r, FIELDS,
                REP_CELLS(rep_text(f->name), rep_count(f->shift), rep_count(f->bits),
                          rep_text(access_name(f)), rep_count(value),
                          rep_text(value_name(f, value)), rep_text(note), rep_text(f->clause)));
    }
    rep_end(r);
}

/* ---- the verb ---- */

static int read_word(const struct pc_chip *chip, const char *name, const char *value,
                     struct word *w)
{
    memset(w, 0, sizeof *w);
    w->chip = chip;
    int code = cli_find_register(chip, name, &w->reg);
    if (code != CLI_OK)
        return code;
    if (!cli_parse_u32(value, &w->value))
        return cli_usage("decode",
                         "\"%s\" is not a 32-bit value: write 0x1f or 31, no leading zeros", value);
    w->name = cli_reg_name(&w->reg);
    w->unused = w->value & ~w->reg.rw_mask;
    for (size_t i = 0; i < w->reg.field_count; i++)
        w->unused &= ~(UINT32_MAX >> (32 - w->reg.fields[i].bits) << w->reg.fields[i].shift);
    if (cli_is_card(&w->reg) && w->reg.writable && cli_card_effect(chip, &w->reg, w->value)[0])
        snprintf(w->written, sizeof w->written, "%s", cli_card_effect(chip, &w->reg, w->value));
    else
        cli_written_text(chip, &w->reg, w->value, w->written, sizeof w->written);
    return CLI_OK;
}

struct job {
    const struct pc_chip *chip;
    const char *inputs; /* NULL: not given */
    struct rep_request report;
    struct cli_name_files files;
    uint32_t max_ratio;
};

/* Every pair is checked before the first is printed. */
static int decode(const struct job *job, char **argument, int count)
{
    const struct pc_chip *chip = job->chip;
    struct rep *r;
    struct word w;
    int code;

    for (int i = 0; i < count; i += 2) {
        code = read_word(chip, argument[i], argument[i + 1], &w);
        if (code != CLI_OK)
            return code;
    }
    code = rep_open(&r, &report, &job->report);
    if (code)
        return code;
    rep_root(r, REP_CELLS(rep_text(chip->name)));
    for (int i = 0; i < count; i += 2) {
        read_word(chip, argument[i], argument[i + 1], &w);
        if (rep_page(r) && i > 0)
            fputc('\n', rep_page(r));
        if (rep_page(r))
            print_text(rep_page(r), &w);
        put_word(r, &w);
    }
    return rep_close(r, CLI_OK);
}

static int no_inputs(const char *path, const struct pc_chip *chip)
{
    struct pc_error err = { .status = PC_EINPUT, .code = 907 };

    snprintf(err.text, sizeof err.text, "no OP register of %s is written", chip->name);
    return cli_error(&err, path, NULL);
}

/* The inputs of all domains that a file writes. */
static int decode_file(const struct job *job)
{
    const char *path = job->inputs;
    struct decode_inputs *in = calloc(1, sizeof *in);

    if (!in)
        return cli_no_memory();
    in->chip = job->chip;
    in->max_ratio = job->max_ratio;
    int code = decode_inputs_read(in, path);
    if (code == CLI_OK)
        code = cli_check_registers(in->chip);
    if (code == CLI_OK && in->kepts == 0)
        code = no_inputs(path, in->chip);
    if (code == CLI_OK)
        code = cli_names_open("decode", in->chip, &job->files, &in->names);
    if (code == CLI_OK)
        code = decode_inputs_print(&job->report, in);
    decode_inputs_free(in);
    free(in);
    return code;
}

#define O struct job
static const struct opt rows[] = {
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, chip),
      .brief = "the chip; with -i only if FILE does not name it",
      .more = "`pcounter list chips` shows all" },
    { .letter = 'i',
      .name = "inputs",
      OPT_FILE(O, inputs),
      .brief = "decode the inputs of each domain to expressions",
      .more = "FILE is a script, a dump with an address and its words a line, or an mmiotrace",
      .flags = OPT_ONCE | OPT_LETTER },
    { .name = "signals",
      OPT_SIGNALS(O, files),
      .brief = "with -i: names of your own, see pcounter-signals(5)" },
    { .name = "read-limit",
      OPT_RATIO(O, max_ratio),
      .brief = "with -i: limit of the decompression ratio (1000)",
      .flags = OPT_RARE },
    REP_OPTIONS(O, report, &report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand registers = { .first = complete_registers,
                                              .rest = complete_registers };
static const struct opt_line line = { .name = "decode", .row = rows, .operand = &registers };

static int run(int argc, char **argv)
{
    struct job job = { .chip = NULL };
    struct opt_said said;
    const int code = opt_read(&cli_verb_decode, &line, argc, argv, &job, &said);

    if (code >= 0)
        return code;
    if (job.inputs && said.operands > 0)
        return cli_usage("decode", "-i reads a file; registers are not given with it");
    if (cli_check_dashes("decode",
                         cli_dashes(&job.inputs, 1) + cli_dashes(job.files.path, job.files.count)))
        return CLI_INPUT;
    if (job.inputs)
        return decode_file(&job);
    if (job.files.count > 0)
        return cli_usage("decode", "--signals is about expressions: with -i");
    if (job.max_ratio > 0)
        return cli_usage("decode", "--read-limit is about a file: with -i");
    for (size_t i = 0; i < job.report.outputs; i++)
        if (rep_is(&job.report, i, "command"))
            return cli_usage("decode", "--format command is about expressions: with -i");
    if (!job.chip)
        return cli_usage("decode", "which chip? Name it with -a, like -a G92");
    if (said.operands == 0 || said.operands % 2 != 0)
        return cli_usage("decode", "registers and values come in pairs: REGISTER VALUE");
    return decode(&job, said.operand, (int)said.operands);
}

const struct cli_verb cli_verb_decode = {
    .name = "decode",
    .summary = "explain a register value, and the effects of writing it",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &report, &decode_inputs_report, NULL },
};

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

/* What the unit drives a selected signal with; "" for a signal of the card. */
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

/* ---- formats ---- */

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

static void print_csv(FILE *out, const struct word *w)
{
    char note[200];

    for (size_t i = 0; i < w->reg.field_count; i++) {
        const struct pc_field_info *f = &w->reg.fields[i];
        uint32_t value = cli_field_value(f, w->value);
        fprintf(out, "%s,%s,0x%06x,0x%08x,%s,%u,%u,%s,%u,", w->chip->name, w->name.text,
                (unsigned)w->reg.address, (unsigned)w->value, f->name, f->shift, f->bits,
                access_name(f), (unsigned)value);
        cli_csv_field(out, value_name(f, value));
        fputc(',', out);
        field_note(w, f, note, sizeof note);
        cli_csv_field(out, note);
        cli_csv_end(out);
    }
}

static void json_pair(FILE *out, const char *key, const char *value)
{
    fprintf(out, "\"%s\":", key);
    cli_json_string(out, value);
}

static void print_json_field(FILE *out, const struct word *w, const struct pc_field_info *f)
{
    uint32_t value = cli_field_value(f, w->value);
    char note[200];

    field_note(w, f, note, sizeof note);
    fputs("\n  {", out);
    json_pair(out, "field", f->name);
    fprintf(out, ",\"shift\":%u,\"bits\":%u,\"access\":\"%s\",\"value\":%u,", f->shift, f->bits,
            access_name(f), (unsigned)value);
    json_pair(out, "value_name", value_name(f, value));
    fputc(',', out);
    json_pair(out, "note", note);
    fputc(',', out);
    json_pair(out, "clause", f->clause);
    fputc('}', out);
}

static void print_json(FILE *out, const struct word *w)
{
    struct cli_op_text op;

    fputs(" {", out);
    json_pair(out, "register", w->name.text);
    fprintf(out, ",\"address\":\"0x%06x\",", (unsigned)w->reg.address);
    if (cli_io_address(w->chip, &w->reg).text[0]) {
        json_pair(out, "io_address", cli_io_address(w->chip, &w->reg).text);
        fputc(',', out);
    }
    fprintf(out, "\"value\":\"0x%08x\",", (unsigned)w->value);
    json_pair(out, "range", w->reg.range);
    fputc(',', out);
    json_pair(out, "clause", w->reg.clause);
    if (cli_op_text(w->chip, &w->reg, w->value, &op)) {
        fputc(',', out);
        json_pair(out, "function", op.function);
        fputc(',', out);
        json_pair(out, "sources", op.sources);
    }
    fprintf(out, ",\"not_kept\":\"0x%08x\",", (unsigned)w->unused);
    json_pair(out, "written_now", w->written);
    fputs(",\"fields\":[", out);
    for (size_t i = 0; i < w->reg.field_count; i++) {
        if (i > 0)
            fputc(',', out);
        print_json_field(out, w, &w->reg.fields[i]);
    }
    fputs("]}", out);
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
    const char *inputs, *format, *output; /* NULL: not given */
    struct cli_name_files files;
    uint32_t max_ratio;
};

/* Every pair is checked before the first is printed. */
static int decode(const struct job *job, char **argument, int count, enum cli_format format)
{
    const struct pc_chip *chip = job->chip;
    struct cli_out out;
    struct word w;
    int code;

    for (int i = 0; i < count; i += 2) {
        code = read_word(chip, argument[i], argument[i + 1], &w);
        if (code != CLI_OK)
            return code;
    }
    code = cli_out_open(&out, job->output);
    if (code)
        return code;
    if (format == CLI_CSV)
        fputs("chip,register,address,word,field,shift,bits,access,value,value_name,note\r\n",
              out.file);
    if (format == CLI_JSON)
        fprintf(out.file, "{\"$schema\":\"pcounter-decode-1\",\"chip\":\"%s\",\"data\":[\n",
                chip->name);
    for (int i = 0; i < count; i += 2) {
        read_word(chip, argument[i], argument[i + 1], &w);
        if (i > 0 && format != CLI_CSV)
            fputs(format == CLI_JSON ? ",\n" : "\n", out.file);
        if (format == CLI_TEXT)
            print_text(out.file, &w);
        else if (format == CLI_CSV)
            print_csv(out.file, &w);
        else
            print_json(out.file, &w);
    }
    if (format == CLI_JSON)
        fputs("\n]}\n", out.file);
    return cli_out_commit(&out);
}

static int no_inputs(const char *path, const struct pc_chip *chip)
{
    struct pc_error err = { .status = PC_EINPUT, .code = 907 };

    snprintf(err.text, sizeof err.text, "no OP register of %s is written", chip->name);
    return cli_error(&err, path, NULL);
}

/* The inputs of all domains that a file writes. */
static int decode_file(const struct job *job, enum decode_format format)
{
    const char *path = job->inputs;
    struct decode_inputs *in = calloc(1, sizeof *in);
    struct cli_out out;

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
        code = cli_out_open(&out, job->output);
    if (code == CLI_OK) {
        decode_inputs_print(out.file, in, format);
        code = cli_out_commit(&out);
    }
    decode_inputs_free(in);
    free(in);
    return code;
}

static int parse_inputs_format(const char *text, int *which)
{
    static const char *const formats[] = { "text", "command", "json", NULL };

    return cli_parse_word("decode", "--format with -i", text, formats, which);
}

#define SUFFIXES ".txt, .csv and .json"

static int decode_inputs(const struct job *job)
{
    enum cli_format format = CLI_TEXT;
    int which = DECODE_TEXT;

    if (!job->format && cli_output_format("decode", job->output, ".txt and .json", &format))
        return CLI_INPUT;
    if (format == CLI_CSV)
        return cli_usage("decode", "-o %s: with -i there is no CSV; .json chooses JSON",
                         job->output);
    if (format == CLI_JSON)
        which = DECODE_JSON;
    if (job->format && parse_inputs_format(job->format, &which) != CLI_OK)
        return CLI_INPUT;
    return decode_file(job, (enum decode_format)which);
}

/* What it means depends on -i, which may come later; completion is told of both meanings. */
static const char *format_at(const struct opt *row, size_t i)
{
    static const char *const words[] = { "text", "csv", "json", "csv-safe", "command" };

    (void)row;
    return i < sizeof words / sizeof words[0] ? words[i] : NULL;
}

static const struct opt_kind either_format = { .value = "FORMAT",
                                               .take = opt_take_text,
                                               .word = format_at };

#define O struct job
static const struct opt rows[] = {
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, chip),
      .brief =
          "the chip, with -i of a file that does not say it; `pcounter list chips` shows all" },
    { .letter = 'i',
      .name = "inputs",
      OPT_FILE(O, inputs),
      .brief = "what the inputs of each domain mean, as expressions: from a script, a dump with an "
               "address and its words a line, or an mmiotrace",
      .flags = OPT_ONCE | OPT_LETTER },
    { .name = "signals",
      OPT_SIGNALS(O, files),
      .brief = "with -i: names of signals of your own, see pcounter-signals(5)" },
    { .name = "read-limit",
      OPT_RATIO(O, max_ratio),
      .brief = "with -i: how much larger a compressed trace may become (1000)",
      .flags = OPT_RARE },
    OPT_OUTPUT(O, output, "where to write; " SUFFIXES " choose the format"),
    { .name = "format",
      OPT_OF(either_format, O, const char *, format),
      .brief = "text, csv, json or csv-safe; with -i text, command or json" },
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
        return decode_inputs(&job);
    if (job.files.count > 0)
        return cli_usage("decode", "--signals is about expressions: with -i");
    if (job.max_ratio > 0)
        return cli_usage("decode", "--read-limit is about a file: with -i");
    enum cli_format format = CLI_TEXT;
    if (job.format ? !cli_parse_format("decode", job.format, &format)
                   : cli_output_format("decode", job.output, SUFFIXES, &format))
        return CLI_INPUT;
    if (!job.chip)
        return cli_usage("decode", "which chip? Say it with -a, like -a G92");
    if (said.operands == 0 || said.operands % 2 != 0)
        return cli_usage("decode", "registers and values come in pairs: REGISTER VALUE");
    return decode(&job, said.operand, (int)said.operands, format);
}

const struct cli_verb cli_verb_decode = {
    .name = "decode",
    .summary = "what a register value means, and what writing it does",
    .run = run,
    .line = &line,
};

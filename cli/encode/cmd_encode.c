/* SPDX-License-Identifier: MIT */
/* pcounter encode: fields to a register word. */
#include "text/card_regs.h"
#include "complete/complete.h"
#include "opt/opt.h"
#include "text/written_text.h"

#include <ctype.h>
#include <string.h>

enum { FIELD_NAME = 40 };

/* "MODE=RECORD" in two; false if it is not of that form. */
static bool split(const char *text, char field[FIELD_NAME], const char **value)
{
    size_t n = strcspn(text, "=");

    if (n == 0 || n >= FIELD_NAME || text[n] != '=' || text[n + 1] == '\0')
        return false;
    for (size_t i = 0; i < n; i++)
        field[i] = (char)toupper((unsigned char)text[i]);
    field[n] = '\0';
    *value = text + n + 1;
    return true;
}

/* ---- formats ---- */

static void print_csv(FILE *out, const struct pc_chip *chip, const struct pc_reg_info *reg,
                      uint32_t word)
{
    fputs("chip,register,address,value", out);
    cli_csv_end(out);
    cli_csv_field(out, chip->name);
    fputc(',', out);
    cli_csv_field(out, cli_reg_name(reg).text);
    fprintf(out, ",0x%06x,0x%08x", (unsigned)reg->address, (unsigned)word);
    cli_csv_end(out);
}

static void print_json(FILE *out, const struct pc_chip *chip, const struct pc_reg_info *reg,
                       uint32_t word)
{
    fprintf(out, "{\"$schema\":\"pcounter-encode-1\",\"data\":[\n {\"chip\":");
    cli_json_string(out, chip->name);
    fputs(",\"register\":", out);
    cli_json_string(out, cli_reg_name(reg).text);
    fprintf(out, ",\"address\":\"0x%06x\",\"address_number\":%u", (unsigned)reg->address,
            (unsigned)reg->address);
    if (cli_io_address(chip, reg).text[0])
        fprintf(out, ",\"io_address\":\"%s\"", cli_io_address(chip, reg).text);
    fprintf(out, ",\"value\":\"0x%08x\",\"value_number\":%u}\n]}\n", (unsigned)word,
            (unsigned)word);
}

/* by_io: the register was named by its address in I[], so the access is made there. */
static int print(const char *output, enum cli_format format, const struct pc_chip *chip,
                 const struct pc_reg_info *reg, uint32_t word, bool by_io)
{
    struct cli_out out;
    int code = cli_out_open(&out, output);

    if (code)
        return code;
    if (format == CLI_CSV)
        print_csv(out.file, chip, reg, word);
    else if (format == CLI_JSON)
        print_json(out.file, chip, reg, word);
    else if (by_io)
        fprintf(out.file, "%s 0x%08x\n", cli_io_address(chip, reg).text, (unsigned)word);
    else
        fprintf(out.file, "0x%06x 0x%08x\n", (unsigned)reg->address, (unsigned)word);
    return cli_out_commit(&out);
}

static int encode(const struct pc_chip *chip, char **argument, int count, const char *output,
                  enum cli_format format)
{
    struct pc_reg_info reg;
    struct pc_error err;
    uint32_t word = 0, seen = 0, io;

    int code = cli_find_register(chip, argument[0], &reg);
    if (code != CLI_OK)
        return code;
    if (!reg.writable)
        return cli_usage("encode", "%s is read-only", cli_reg_name(&reg).text);
    for (int i = 1; i < count; i++) {
        char field[FIELD_NAME];
        const char *value;
        if (!split(argument[i], field, &value))
            return cli_usage("encode", "\"%s\" is not FIELD=VALUE", argument[i]);
        if (pc_reg_set_field(&reg, field, value, &word, &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
        for (size_t f = 0; f < reg.field_count; f++) {
            if (strcmp(reg.fields[f].name, field) != 0)
                continue;
            if (seen >> f & 1)
                return cli_usage("encode", "%s is given twice", field);
            seen |= 1u << f;
        }
    }
    if (cli_is_opaque(chip, &reg))
        cli_note(201, "%s has no domain %d: the word is kept, nothing else", chip->name,
                 reg.domain);
    else if (chip->layout != PC_LAYOUT_GF100 && reg.domain >= (int)chip->domains)
        cli_note(201, "%s has no domain %d: the write will be dropped", chip->name, reg.domain);
    return print(output, format, chip, &reg, word, cli_parse_io(argument[0], &io));
}

struct options {
    const struct pc_chip *chip;
    struct opt_report report;
};
#define O struct options
static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, chip) },
    OPT_REPORT(O, report, &opt_plain),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operand = { .first = complete_registers, .rest = complete_fields };
static const struct opt_line line = { .name = "encode", .row = rows, .operand = &operand };

static int run(int argc, char **argv)
{
    struct options o = { .chip = NULL };
    struct opt_said said;
    const int code = opt_read(&cli_verb_encode, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    if (!o.chip)
        return cli_usage("encode", "which chip? Say it with -a, like -a G92");
    if (said.operands == 0)
        return cli_usage("encode", "which register?");
    return encode(o.chip, said.operand, (int)said.operands, o.report.path, o.report.format);
}

const struct cli_verb cli_verb_encode = {
    .name = "encode",
    .summary = "fields of a register to address and value",
    .run = run,
    .line = &line,
};

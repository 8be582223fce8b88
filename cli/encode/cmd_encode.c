/* SPDX-License-Identifier: MIT */
/* pcounter encode: fields to a register word. */
#include "text/card_regs.h"
#include "complete/complete.h"
#include "report/report.h"
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

static const struct rep_field row_fields[] = {
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "register", REP_TEXT, .about = "its name" },
    { "address", REP_COUNT, .about = "where in MMIO", .flags = REP_NO_CSV, .most = UINT32_MAX },
    { "address_in_hex", REP_HEX, .flags = REP_NO_JSON, .csv = "address" },
    { "io_address", REP_TEXT, .about = "where PDAEMON itself has it, if it does",
      .flags = REP_MAYBE, .pattern = "^I\\[[0-9a-f]+\\]$" },
    { "value", REP_COUNT, .about = "the word", .flags = REP_NO_CSV, .most = UINT32_MAX },
    { "value_in_hex", REP_HEX, .flags = REP_NO_JSON, .csv = "value" },
    { .name = NULL },
};
static const struct rep_field fields[] = {
    { "data", REP_LIST, .about = "one row", .flags = REP_ROW, .field = row_fields,
      .item = "a register and its word" },
    { .name = NULL },
};
static const struct rep_def encode_report = {
    .schema = "pcounter-encode-2",
    .call = "pcounter encode",
    .about = "Fields of a register as a word.",
    .field = fields,
    .columns = "chip,register,address,value",
    .bare = true,
};

/* by_io: the register was named by its address in I[], so the access is made there. */
static int print(const struct rep_request *report, const struct pc_chip *chip,
                 const struct pc_reg_info *reg, uint32_t word, bool by_io)
{
    const struct cli_reg_name name = cli_reg_name(reg);
    const struct cli_io_address io = cli_io_address(chip, reg);
    struct rep *r;
    const int code = rep_open(&r, &encode_report, report);

    if (code)
        return code;
    if (rep_page(r) && by_io)
        fprintf(rep_page(r), "%s 0x%08x\n", io.text, (unsigned)word);
    else if (rep_page(r))
        fprintf(rep_page(r), "0x%06x 0x%08x\n", (unsigned)reg->address, (unsigned)word);
    rep_root(r, REP_NO_CELLS);
    rep_row(r, 0,
            REP_CELLS(rep_text(chip->name), rep_text(name.text), rep_count(reg->address),
                      rep_hex(reg->address, 6), io.text[0] ? rep_text(io.text) : rep_absent(),
                      rep_count(word), rep_hex(word, 8)));
    return rep_close(r, CLI_OK);
}

static int encode(const struct pc_chip *chip, char **argument, int count,
                  const struct rep_request *report)
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
    return print(report, chip, &reg, word, cli_parse_io(argument[0], &io));
}

struct options {
    const struct pc_chip *chip;
    struct rep_request report;
};
#define O struct options
static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, chip) },
    REP_OPTIONS(O, report, &encode_report),
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
        return cli_usage("encode", "which chip? Name it with -a, like -a G92");
    if (said.operands == 0)
        return cli_usage("encode", "which register?");
    return encode(o.chip, said.operand, (int)said.operands, &o.report);
}

const struct cli_verb cli_verb_encode = {
    .name = "encode",
    .summary = "make a register's address and value from its fields",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &encode_report, NULL },
};

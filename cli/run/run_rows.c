/* SPDX-License-Identifier: MIT */
#include "run_rows.h"
#include "text/card_regs.h"
#include "text/warnings.h"

#include <inttypes.h>

#define RUN_ROWS_CUT "  ],\n  \"complete\": false,\n  \"warnings\": []\n}\n"

/* "CTRL[1]"; "" where there is no register. */
static void name_of(const struct pc_chip *chip, const struct pc_script_access *a, char out[64])
{
    struct pc_reg_info reg;

    out[0] = '\0';
    if (a->io ? cli_card_at_io(chip, a->address, &reg)
              : pc_reg_at(chip, a->address, &reg, NULL) == PC_OK ||
                    cli_card_at(chip, a->address, &reg))
        snprintf(out, 64, "%s", cli_reg_name(&reg).text);
}

/* Behind "$schema". */
static void json_head(FILE *out, const struct run_rows *r, const struct pc_chip *chip)
{
    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"script\": ", pc_version());
    cli_json_string(out, r->path);
    fprintf(out, ",\n  \"chip\": \"%s\"", chip->name);
}

static void begin(struct run_rows *r, const struct pc_chip *chip)
{
    if (r->begun)
        return;
    r->begun = true;
    if (r->format == CLI_CSV) {
        fputs("script,chip,line,register,address,value,expected,mask,count,failed", r->out);
        cli_csv_end(r->out);
        return;
    }
    if (r->lines) {
        FILE *f = cli_line_begin(r->lines, r->out, "pcounter-run-lines-1");
        if (!f)
            return;
        json_head(f, r, chip);
        cli_line_close(r->lines);
        return;
    }
    fputs("{\n  \"$schema\": \"pcounter-run-1\"", r->out);
    json_head(r->out, r, chip);
    fputs(",\n  \"reads\": [", r->out);
}

static void put_address(FILE *out, const struct pc_script_access *a)
{
    fprintf(out, a->io ? "I[%" PRIx32 "]" : "0x%06" PRIx32, a->address);
}

static void csv_row(const struct run_rows *r, const struct pc_chip *chip, const char *name,
                    const struct pc_script_access *a)
{
    cli_csv_field(r->out, r->path);
    fprintf(r->out, ",%s,%" PRIu32 ",%s,", chip->name, a->line, name);
    put_address(r->out, a);
    fprintf(r->out, ",0x%08" PRIx32 ",", a->value);
    if (a->expects)
        fprintf(r->out, "0x%08" PRIx32 ",0x%08" PRIx32, a->expected, a->mask);
    else
        fputc(',', r->out);
    fprintf(r->out, ",%" PRIu64 ",", a->count);
    if (a->expects)
        fprintf(r->out, "%" PRIu64, a->failed);
    cli_csv_end(r->out);
}

static void json_row(FILE *out, const char *name, const struct pc_script_access *a)
{
    fprintf(out, "{ \"line\": %" PRIu32 ", \"register\": ", a->line);
    if (name[0])
        cli_json_string(out, name);
    else
        fputs("null", out);
    fputs(", \"address\": \"", out);
    put_address(out, a);
    fprintf(out,
            "\", \"value\": \"0x%08" PRIx32 "\", \"value_number\": %" PRIu32
            ", \"count\": %" PRIu64,
            a->value, a->value, a->count);
    if (a->expects)
        fprintf(out,
                ", \"expected\": \"0x%08" PRIx32 "\", \"mask\": \"0x%08" PRIx32
                "\", \"failed\": %" PRIu64,
                a->expected, a->mask, a->failed);
    else
        fputs(", \"expected\": null, \"mask\": null, \"failed\": null", out);
    fputs(" }", out);
}

static void put_json(struct run_rows *r, const char *name, const struct pc_script_access *a)
{
    FILE *line = r->lines ? cli_line_item(r->lines, r->out, "read") : NULL;

    if (line) {
        json_row(line, name, a);
        cli_line_close(r->lines);
    } else if (!r->lines) {
        fputs(r->rows ? ",\n    " : "\n    ", r->out);
        json_row(r->out, name, a);
    }
}

void run_rows_add(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_access *access)
{
    char name[64];

    if (r->format == CLI_TEXT || access->write)
        return;
    name_of(chip, access, name);
    begin(r, chip);
    if (r->format == CLI_CSV)
        csv_row(r, chip, name, access);
    else
        put_json(r, name, access);
    r->rows++;
}

static void json_accesses(FILE *out, const struct pc_script_result *result)
{
    fprintf(out,
            ",\n  \"accesses\": { \"reads\": %" PRIu64 ", \"writes\": %" PRIu64
            ", \"expectations\": %" PRIu64 ", \"failed\": %" PRIu64 " }",
            result->reads, result->writes, result->expectations, result->failed);
}

static void json_end(const struct run_rows *r, const struct pc_script_result *result)
{
    fprintf(r->out, "\n  ],\n  \"complete\": %s", result ? "true" : "false");
    if (result)
        json_accesses(r->out, result);
    fputs(",\n  ", r->out);
    cli_json_warnings(r->out);
    fputs("\n}\n", r->out);
}

static void lines_end(const struct run_rows *r, const struct pc_script_result *result)
{
    FILE *f = cli_line_end(r->lines, r->out, !result);

    if (!f)
        return;
    if (result)
        json_accesses(f, result);
    fputs(", ", f);
    cli_json_warnings(f);
    cli_line_close(r->lines);
}

void run_rows_cut(const struct run_rows *r, char *out, size_t size)
{
    if (r->lines)
        snprintf(out, size,
                 "{ \"type\": \"end\", \"seq\": %" PRIu64 ", \"items\": %" PRIu64
                 ", \"partial\": true, \"warnings\": [] }\n",
                 r->lines->seq, r->lines->seq - 1);
    else
        snprintf(out, size, "\n%s", RUN_ROWS_CUT);
}

void run_rows_end(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_result *result)
{
    char head[40];

    if (r->format == CLI_TEXT)
        cli_text_warnings(r->out);
    if (r->format == CLI_TEXT || (!r->begun && !result))
        return;
    begin(r, chip);
    snprintf(head, sizeof head, ",%s,,WARNING,,", chip->name); /* the text is the value */
    if (r->format == CLI_CSV)
        cli_csv_warnings(r->out, r->path, head, ",,,,");
    else if (r->lines)
        lines_end(r, result);
    else
        json_end(r, result);
}

/* SPDX-License-Identifier: MIT */
#include "run_rows.h"
#include "text/card_regs.h"

#include <inttypes.h>

/* "CTRL[1]"; "" where there is no register. */
static void name_of(const struct pc_chip *chip, uint32_t address, char out[64])
{
    struct pc_reg_info reg;

    out[0] = '\0';
    if (pc_reg_at(chip, address, &reg, NULL) == PC_OK || cli_card_at(chip, address, &reg))
        snprintf(out, 64, "%s", cli_reg_name(&reg).text);
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
    fprintf(r->out,
            "{\n  \"$schema\": \"pcounter-run-1\",\n  \"tool\": \"pcounter %s\",\n  \"script\": ",
            pc_version());
    cli_json_string(r->out, r->path);
    fprintf(r->out, ",\n  \"chip\": \"%s\",\n  \"reads\": [", chip->name);
}

static void csv_row(const struct run_rows *r, const struct pc_chip *chip, const char *name,
                    const struct pc_script_access *a)
{
    cli_csv_field(r->out, r->path);
    fprintf(r->out, ",%s,%" PRIu32 ",%s,0x%06" PRIx32 ",0x%08" PRIx32 ",", chip->name, a->line,
            name, a->address, a->value);
    if (a->expects)
        fprintf(r->out, "0x%08" PRIx32 ",0x%08" PRIx32, a->expected, a->mask);
    else
        fputc(',', r->out);
    fprintf(r->out, ",%" PRIu64 ",", a->count);
    if (a->expects)
        fprintf(r->out, "%" PRIu64, a->failed);
    cli_csv_end(r->out);
}

static void json_row(const struct run_rows *r, const char *name, const struct pc_script_access *a)
{
    fprintf(r->out, "%s\n    { \"line\": %" PRIu32 ", \"register\": ", r->rows ? "," : "", a->line);
    if (name[0])
        cli_json_string(r->out, name);
    else
        fputs("null", r->out);
    fprintf(r->out,
            ", \"address\": \"0x%06" PRIx32 "\", \"value\": \"0x%08" PRIx32
            "\", \"value_number\": %" PRIu32 ", \"count\": %" PRIu64,
            a->address, a->value, a->value, a->count);
    if (a->expects)
        fprintf(r->out,
                ", \"expected\": \"0x%08" PRIx32 "\", \"mask\": \"0x%08" PRIx32
                "\", \"failed\": %" PRIu64,
                a->expected, a->mask, a->failed);
    else
        fputs(", \"expected\": null, \"mask\": null, \"failed\": null", r->out);
    fputs(" }", r->out);
}

void run_rows_add(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_access *access)
{
    char name[64];

    if (r->format == CLI_TEXT || access->write)
        return;
    name_of(chip, access->address, name);
    begin(r, chip);
    if (r->format == CLI_CSV)
        csv_row(r, chip, name, access);
    else
        json_row(r, name, access);
    r->rows++;
}

void run_rows_end(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_result *result)
{
    if (r->format == CLI_TEXT || (!r->begun && !result))
        return;
    begin(r, chip);
    if (r->format != CLI_JSON)
        return;
    fputs("\n", r->out);
    fputs(result ? "  ],\n  \"complete\": true" : RUN_ROWS_CUT, r->out);
    if (result)
        fprintf(r->out,
                ",\n  \"accesses\": { \"reads\": %" PRIu64 ", \"writes\": %" PRIu64
                ", \"expectations\": %" PRIu64 ", \"failed\": %" PRIu64 " }",
                result->reads, result->writes, result->expectations, result->failed);
    fputs(result ? "\n}\n" : "", r->out);
}

/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE, for programs: CSV, JSON, and JSON a line at a time. */
#include "check_wave.h"
#include "text/json_lines.h"
#include "text/warnings.h"

#include <inttypes.h>

/* ---- csv and json ---- */

/* Index of the first difference told of the register; -1 if none was. */
static int first_of(const struct wave_result *r, unsigned reg)
{
    for (size_t i = 0; i < r->shown_count; i++)
        if (r->shown[i].reg == reg)
            return (int)i;
    return -1;
}

/* The last columns of a register, and the end of its row. */
static void csv_more(const struct core *c, const struct wave_result *r, unsigned reg)
{
    char text[300];

    fputc(',', cli_stdout());
    cli_csv_field(cli_stdout(), wave_why_not(c, r, reg, text, sizeof text));
    wave_guess_text(r, reg, text, sizeof text);
    fputc(',', cli_stdout());
    cli_csv_field(cli_stdout(), text);
    cli_csv_end(cli_stdout());
}

/* In the column of clauses. */
static void csv_warnings(const struct core *c)
{
    char head[200];

    snprintf(head, sizeof head, ",%s,%s,,WARNING,,,,,,,", c->options->config->name,
             c->options->profile->name);
    cli_csv_warnings(cli_stdout(), c->options->path, head, ",,,,");
}

void wave_print_csv(const struct check_options *o, const struct core *c,
                    const struct wave_result *r, const uint64_t *time)
{
    const uint32_t regs = wave_regs_of(c->options->config);
    char name[WAVE_NAME], quirks[400];

    core_switched(o->quirks_on, o->quirks_off, quirks, sizeof quirks);
    const char *switched = quirks + (quirks[0] != '\0');
    fputs("file,core,profile,scope,register,compared,differences,first_edge,first_time,design,"
          "model,clause,like,switched,not_compared,as_if\r\n",
          cli_stdout());
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        const int first = first_of(r, i);
        if (!(regs >> i & 1))
            continue;
        cli_csv_field(cli_stdout(), c->options->path);
        fprintf(cli_stdout(), ",%s,%s,", c->options->config->name, c->options->profile->name);
        cli_csv_field(cli_stdout(), c->scope);
        fprintf(cli_stdout(), ",%s,%" PRIu64 ",%" PRIu64, wave_reg_name(i, name), r->compared[i],
                r->differences[i]);
        if (first < 0) {
            fprintf(cli_stdout(), ",,,,,,,%s", switched);
            csv_more(c, r, i);
            continue;
        }
        const struct wave_diff *d = &r->shown[first];
        fprintf(cli_stdout(), ",%" PRIu64 ",", d->cycle);
        if (time)
            fprintf(cli_stdout(), "%" PRIu64, time[first]);
        if (d->unknown)
            fputs(",x", cli_stdout());
        else
            fprintf(cli_stdout(), ",0x%" PRIx64, d->design);
        fprintf(cli_stdout(), ",0x%" PRIx64 ",%s,%s,%s", d->model, wave_clause_of(d->rule),
                d->like ? d->like->name : "", switched);
        csv_more(c, r, i);
    }
    csv_warnings(c);
}

static void json_diff(FILE *out, const struct wave_diff *d, const uint64_t *time)
{
    char name[WAVE_NAME];

    fprintf(out, "{\"edge\":%" PRIu64 ",\"register\":\"%s\",", d->cycle,
            wave_reg_name(d->reg, name));
    if (time)
        fprintf(out, "\"time\":%" PRIu64 ",", *time);
    if (d->unknown)
        fputs("\"design\":null,", out);
    else
        fprintf(out, "\"design\":\"0x%" PRIx64 "\",", d->design);
    fprintf(out, "\"model\":\"0x%" PRIx64 "\",\"clause\":\"%s\",\"rule\":", d->model,
            wave_clause_of(d->rule));
    cli_json_string(out, wave_about_of(d->rule));
    if (d->like) {
        fprintf(out, ",\"like\":\"%s\",\"reference\":", d->like->name);
        cli_json_string(out, wave_quirk_reference(d->like->bit));
    }
    fputc('}', out);
}

/* Behind "$schema". */
static void json_head(FILE *out, const struct check_options *o, const struct core *c)
{
    char quirks[400];

    core_switched(o->quirks_on, o->quirks_off, quirks, sizeof quirks);
    fputs(",\"file\":", out);
    cli_json_string(out, c->options->path);
    fprintf(out, ",\"core\":\"%s\",\"profile\":\"%s\",\"switched\":\"%s\",\"scope\":",
            c->options->config->name, c->options->profile->name, quirks[0] ? quirks + 1 : "");
    cli_json_string(out, c->scope);
}

static void json_sums(FILE *out, const struct wave_result *r)
{
    fprintf(out,
            ",\"edges\":%" PRIu64 ",\"in_reset\":%" PRIu64 ",\"resets_between\":%" PRIu64
            ",\"taken_as_reset\":%" PRIu64 ",\"compared\":%" PRIu64 ",\"differences\":%" PRIu64
            ",\"agrees_with_rtl\":%s",
            r->edges, r->in_reset, r->between, r->assumed, r->total_compared, r->total_differences,
            r->rtl_agrees ? "true" : "false");
}

static void json_register(FILE *out, const struct wave_result *r, unsigned i)
{
    char name[WAVE_NAME], guess[200];

    fprintf(out, "{\"name\":\"%s\",\"compared\":%" PRIu64 ",\"differences\":%" PRIu64,
            wave_reg_name(i, name), r->compared[i], r->differences[i]);
    if (i != WAVE_RDATA)
        fprintf(out, ",\"last\":\"%" PRIu64 "\"", r->last[i]);
    wave_guess_text(r, i, guess, sizeof guess);
    if (guess[0]) {
        fputs(",\"as_if\":", out);
        cli_json_string(out, guess);
    }
    fputc('}', out);
}

/* Was the register not compared, though the core has it?  Then why not. */
static bool is_left_out(const struct core *c, const struct wave_result *r, unsigned reg, char *why,
                        size_t size)
{
    return (wave_regs_of(c->options->config) >> reg & 1) && *wave_why_not(c, r, reg, why, size);
}

static void json_left_out(FILE *out, unsigned reg, const char *why)
{
    char name[WAVE_NAME];

    fprintf(out, "{\"name\":\"%s\",\"why\":", wave_reg_name(reg, name));
    cli_json_string(out, why);
    fputc('}', out);
}

static void json_all_left_out(FILE *out, const struct core *c, const struct wave_result *r)
{
    const char *separator = "";
    char why[300];

    fputs("],\"not_compared\":[", out);
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (is_left_out(c, r, i, why, sizeof why)) {
            fputs(separator, out);
            json_left_out(out, i, why);
            separator = ",";
        }
}

static void json_group(FILE *out, const struct wave_group *g)
{
    fprintf(out,
            "{\"clause\":\"%s\",\"like\":\"%s\",\"count\":%" PRIu64 ",\"first_edge\":%" PRIu64 "}",
            wave_clause_of(g->rule), g->like ? g->like->name : "", g->count, g->first);
}

void wave_print_json(const struct check_options *o, const struct core *c,
                     const struct wave_result *r, const uint64_t *time)
{
    FILE *out = cli_stdout();
    const char *separator = "";

    fputs("{\"$schema\":\"pcounter-check-wave-1\"", out);
    json_head(out, o, c);
    json_sums(out, r);
    fprintf(out, ",\"complete\":%s,\"registers\":[", r->stopped ? "false" : "true");
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        if (r->compared[i] == 0)
            continue;
        fputs(separator, out);
        json_register(out, r, i);
        separator = ",";
    }
    json_all_left_out(out, c, r);
    fputs("],\"groups\":[", out);
    for (size_t i = 0; i < r->groups; i++) {
        fputs(i ? "," : "", out);
        json_group(out, &r->group[i]);
    }
    fputs("],\"shown\":[", out);
    for (size_t i = 0; i < r->shown_count; i++) {
        fputs(i ? "," : "", out);
        json_diff(out, &r->shown[i], time ? &time[i] : NULL);
    }
    fputs("],", out);
    cli_json_warnings(out);
    fputs("}\n", out);
}

/* ---- json, a line at a time ---- */

static void put_lines(struct cli_lines *l, FILE *out, const struct core *c,
                      const struct wave_result *r, const uint64_t *time)
{
    char why[300];
    FILE *f;

    for (size_t i = 0; i < r->shown_count; i++)
        if ((f = cli_line_item(l, out, "difference")) != NULL) {
            json_diff(f, &r->shown[i], time ? &time[i] : NULL);
            cli_line_close(l);
        }
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (r->compared[i] > 0 && (f = cli_line_item(l, out, "register")) != NULL) {
            json_register(f, r, i);
            cli_line_close(l);
        }
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (is_left_out(c, r, i, why, sizeof why) &&
            (f = cli_line_item(l, out, "not_compared")) != NULL) {
            json_left_out(f, i, why);
            cli_line_close(l);
        }
    for (size_t i = 0; i < r->groups; i++)
        if ((f = cli_line_item(l, out, "group")) != NULL) {
            json_group(f, &r->group[i]);
            cli_line_close(l);
        }
}

int wave_print_lines(const struct check_options *o, const struct core *c,
                     const struct wave_result *r, const uint64_t *time)
{
    FILE *out = cli_stdout(), *f;
    struct cli_lines l = { .out = out };

    if ((f = cli_line_begin(&l, out, "pcounter-check-wave-lines-1")) != NULL) {
        json_head(f, o, c);
        cli_line_close(&l);
    }
    put_lines(&l, out, c, r, time);
    if ((f = cli_line_end(&l, out, r->stopped)) != NULL) {
        json_sums(f, r);
        fputs(",", f);
        cli_json_warnings(f);
        cli_line_close(&l);
    }
    return l.failed ? CLI_LIMIT : CLI_OK;
}

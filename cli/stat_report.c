/* SPDX-License-Identifier: MIT */
/*
 * What pcounter stat prints: text as `perf stat` has it, CSV (RFC 4180) with the same
 * columns in every run, JSON ("pcounter-stat-1") with 64-bit values as strings, and as
 * numbers where no reader of JSON can lose digits.
 */
#include "stat.h"

#include <inttypes.h>
#include <string.h>

static const char *const slot_names[STAT_SLOTS] = { "PRE", "START", "EVENT", "STOP" };
static const char *const state_names[] = { "exact", "tainted", "saturated", "lost" };
static const char *const edge_names[] = { "posedge", "negedge", "every" }; /* enum pc_edge */
static const char *const x_names[] = { "taint", "zero", "one", "error" };

static const char *sampling(const struct stat_options *o)
{
    return o->edge == PC_EDGE_EVERY ? "every" : o->post_edge ? "post-edge" : "pre-edge";
}

/* --- text --- */

static int digits(uint64_t value)
{
    return (int)strlen(cli_grouped(value));
}

static int display_width(const char *text)
{
    int n = 0;

    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        n += *p < ' ' || *p == 0x7f ? 4 : (*p & 0xc0) != 0x80;
    return n;
}

static double percent(uint64_t value, uint64_t cycles)
{
    return cycles ? 100.0 * (double)value / (double)cycles : 0.0;
}

static void text_line(FILE *out, int width, int name_width, const struct stat_event *e,
                      const struct stat_result *r)
{
    int pad = name_width - display_width(e->name);

    fprintf(out, "  %*s  ", width, cli_grouped(e->value));
    cli_print_name(out, e->name);
    fprintf(out, "%*s  # %6.2f %% of cycles", pad > 0 ? pad : 0, "", percent(e->value, r->cycles));
    if (e->state == STAT_TAINTED)
        fprintf(out, "  tainted: unknown inputs matter in %s %s", cli_grouped(e->tainted),
                e->tainted == 1 ? "cycle" : "cycles");
    else if (e->state != STAT_EXACT)
        fprintf(out, "  %s", state_names[e->state]);
    fputc('\n', out);
}

/* "posedge " where the command line says "top.clk" alone. */
static const char *edge_prefix(const struct stat_options *o)
{
    size_t blanks = strspn(o->clock, " \t");

    if (o->edge != PC_EDGE_POS || strncmp(o->clock + blanks, "posedge", 7) == 0)
        return "";
    return "posedge ";
}

static void text_header(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                        const struct stat_result *r)
{
    fputs("Counters of ", out);
    cli_print_name(out, o->path);
    fprintf(out, ": %s, ", o->chip->name);
    if (plan->passes > 0)
        fprintf(out, "%zu %s, ", plan->passes, plan->passes == 1 ? "pass" : "passes");
    fprintf(out, "%s %s, unknown values: %s\nclock %s", sampling(o),
            o->edge == PC_EDGE_EVERY ? "sample" : "samples", x_names[o->x], edge_prefix(o));
    cli_print_name(out, o->clock);
    fprintf(out, ": %s cycles%s\n\n", cli_grouped(r->cycles), r->partial ? ", partial" : "");
}

static void report_text(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                        const struct stat_result *r)
{
    int width = digits(r->cycles), name_width = 6;

    text_header(out, o, plan, r);
    for (size_t n = 0; n < o->events; n++) {
        int m = display_width(o->event[n].name);
        name_width = m > name_width && m <= 40 ? m : name_width;
    }
    fprintf(out, "  %*s  cycles\n", width, cli_grouped(r->cycles));
    for (size_t n = 0; n < o->events; n++)
        text_line(out, width, name_width, &o->event[n], r);
    if (r->partial)
        fputs("\npartial: interrupted before the end of the waveform\n", out);
}

/* --- CSV --- */

static void report_csv(FILE *out, const struct stat_options *o, const struct stat_result *r)
{
    if (o->number == 0)
        fputs("trace,chip,pass,domain,slot,name,value,state,cycles,expression\r\n", out);
    cli_csv_field(out, o->path);
    fprintf(out, ",%s,,,CYCLES,cycles,%" PRIu64 ",%s,%" PRIu64 ",1\r\n", o->chip->name, r->cycles,
            r->partial ? "partial" : "exact", r->cycles);
    for (size_t n = 0; n < o->events; n++) {
        const struct stat_event *e = &o->event[n];
        cli_csv_field(out, o->path);
        fprintf(out, ",%s,%u,%u,%s,", o->chip->name, e->pass + 1, e->domain, slot_names[e->slot]);
        cli_csv_field(out, e->name);
        fprintf(out, ",%" PRIu64 ",%s,%" PRIu64 ",", e->value,
                r->partial ? "partial" : state_names[e->state], r->cycles);
        cli_csv_field(out, e->text);
        fputs("\r\n", out);
    }
}

/* --- JSON --- */

#define SAFE_NUMBER (UINT64_C(1) << 53) /* doubles hold all integers up to here */

static void json_count(FILE *out, const char *key, uint64_t value)
{
    fprintf(out, "\"%s\": \"%" PRIu64 "\"", key, value);
    if (value < SAFE_NUMBER)
        fprintf(out, ", \"%s_number\": %" PRIu64, key, value);
}

static void json_event(FILE *out, const struct stat_event *e)
{
    fputs("    { \"name\": ", out);
    cli_json_string(out, e->name);
    fputs(", \"expression\": ", out);
    cli_json_string(out, e->text);
    fputs(", ", out);
    json_count(out, "value", e->value);
    fprintf(out, ", \"state\": \"%s\", ", state_names[e->state]);
    json_count(out, "tainted_cycles", e->tainted);
    fprintf(out, ", \"pass\": %u, \"domain\": %u, \"slot\": \"%s\", \"derived\": %s }", e->pass + 1,
            e->domain, slot_names[e->slot], e->derived ? "true" : "false");
}

static void report_json(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                        const struct stat_result *r)
{
    fprintf(out,
            "{\n  \"$schema\": \"pcounter-stat-1\",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ",
            pc_version());
    cli_json_string(out, o->path);
    fprintf(out, ",\n  \"chip\": \"%s\",\n  \"clock\": ", o->chip->name);
    cli_json_string(out, o->clock);
    fprintf(out,
            ",\n  \"edge\": \"%s\",\n  \"sample\": \"%s\",\n  \"x\": \"%s\",\n  \"passes\": %zu,\n "
            " \"partial\": %s,\n  ",
            edge_names[o->edge], sampling(o), x_names[o->x], plan->passes,
            r->partial ? "true" : "false");
    json_count(out, "cycles", r->cycles);
    fputs(",\n  \"events\": [", out);
    for (size_t n = 0; n < o->events; n++) {
        fputs(n ? ",\n" : "\n", out);
        json_event(out, &o->event[n]);
    }
    fputs(o->events ? "\n  ]\n}\n" : "]\n}\n", out);
}

void stat_report(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                 const struct stat_result *r)
{
    switch (o->format) {
    case CLI_TEXT:
        report_text(out, o, plan, r);
        break;
    case CLI_CSV:
        report_csv(out, o, r);
        break;
    case CLI_JSON:
        report_json(out, o, plan, r);
        break;
    }
}

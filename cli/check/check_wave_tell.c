/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: differences with their reasons, and what was compared. */
#include "check_wave.h"
#include "text/json_lines.h"
#include "text/warnings.h"

#include <inttypes.h>
#include <string.h>

static const char *reg_name(unsigned reg, char out[WAVE_NAME])
{
    if (reg == 0 || reg == 2)
        return reg ? "minstret" : "mcycle";
    if (reg == WAVE_RDATA)
        return "data_o";
    if (reg < WAVE_SELECTORS)
        snprintf(out, WAVE_NAME, "mhpmcounter%u", reg);
    else
        snprintf(out, WAVE_NAME, "mhpmevent%u", PC_HPM_FIRST + reg - WAVE_SELECTORS);
    return out;
}

/* Which clause and, where there is one, which defect of CVA6 a quirk stands for. */
static const char *quirk_reference(uint32_t quirk)
{
    static const struct {
        uint32_t quirk;
        const char *where;
    } rows[] = {
        { PC_HPM_Q_HALF_WRITE_TICKS,
          "riscv-isa-manual#1255; riscv-tests instret_overflow on RV32" },
        { PC_HPM_Q_WRITE_FREEZES_ALL, "perf_counters.sv: !we_i in front of every increment" },
        { PC_HPM_Q_TRAP_FREEZES, "csr_regfile.sv: the strobe of b83..b9f does not see the trap" },
        { PC_HPM_Q_OR_PORTS, "perf_counters.sv: |load_event and its like" },
        { PC_HPM_Q_SHADOW3H_ZERO, "openhwgroup/cva6#3323" },
        { PC_HPM_Q_EVICT_FF, "perf_counters.sv: valid bits compared with 8'hFF" },
        { PC_HPM_Q_RET_ANY_RS1, "perf_counters.sv: return_event does not look at rs1" },
        { PC_HPM_Q_DEBUG_RUNS, "openhwgroup/cva6#2297" },
        { PC_HPM_Q_H_GATE_AND, "openhwgroup/cva6#3055" },
        { PC_HPM_Q_H_TRAP_WRITES, "openhwgroup/cva6#3398" },
        { PC_HPM_Q_H_HIGH_VIRTUAL, "openhwgroup/cva6#3466" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].quirk == quirk)
            return rows[i].where;
    return "";
}

static const char *clause_of(const struct pc_hpm_rule *rule)
{
    return rule ? rule->clause : "HPM.RESET.1";
}

static const char *about_of(const struct pc_hpm_rule *rule)
{
    return rule ? rule->about : "every register is 0 out of reset";
}

/* ---- text ---- */

static void text_write(const char *name, const struct wave_write *w, const char *separator)
{
    if (w->any)
        fprintf(cli_stdout(), "%s%s = 0x%" PRIx64 " at edge %s", separator, name, w->value,
                cli_grouped(w->cycle));
    else
        fprintf(cli_stdout(), "%sno write of %s since reset", separator, name);
}

static void text_clock(const struct wave_diff *d)
{
    const struct pc_hpm_event *event = pc_hpm_event_at(d->selector);

    if (d->reg == WAVE_RDATA) {
        fprintf(cli_stdout(), "  clock   addr_i %03x\n", d->address);
        return;
    }
    fprintf(cli_stdout(), "  clock   mcountinhibit 0x%" PRIx32, d->inhibit);
    if (d->reg >= PC_HPM_FIRST && d->reg < WAVE_SELECTORS)
        fprintf(cli_stdout(), ", selector %u %s, its line %u", (unsigned)d->selector,
                event ? event->name : "reserved", event ? d->events >> d->selector & 1 : 0);
    fputc('\n', cli_stdout());
}

static void text_diff(const struct check_options *o, const struct core *c,
                      const struct wave_diff *d, const uint64_t *time)
{
    char name[WAVE_NAME], select[WAVE_NAME], when[40] = "";
    const char *reg = reg_name(d->reg, name);

    (void)o;
    cli_print_name(cli_stdout(), c->options->path);
    fprintf(cli_stdout(), ": difference at edge %s", cli_grouped(d->cycle));
    if (time) {
        core_time_text(c, *time, when, sizeof when);
        fprintf(cli_stdout(), " (%s)", when);
    }
    fprintf(cli_stdout(), ": %s\n  design  ", reg);
    if (d->unknown)
        fputs("unknown (x or z)\n", cli_stdout());
    else
        fprintf(cli_stdout(), "0x%" PRIx64 "\n", d->design);
    fprintf(cli_stdout(), "  model   0x%" PRIx64 "\n", d->model);
    if (d->rule)
        text_clock(d);
    if (d->reg >= PC_HPM_FIRST && d->reg < WAVE_RDATA) {
        text_write(reg, &d->written, "  writes  ");
        if (d->reg < WAVE_SELECTORS)
            text_write(reg_name(WAVE_SELECTORS + d->reg - PC_HPM_FIRST, select), &d->selected,
                       "; ");
        fputc('\n', cli_stdout());
    } else if (d->reg < PC_HPM_FIRST && !c->port[CORE_ADDRESS].present) {
        fputs("  writes  cannot be told: addr_i is not in the waveform\n", cli_stdout());
    }
    fprintf(cli_stdout(), "  rule    %s: %s\n", clause_of(d->rule), about_of(d->rule));
    if (d->like)
        fprintf(cli_stdout(), "  like    %s, %s: %s\n", d->like->name, d->like->clause,
                quirk_reference(d->like->bit));
    fputc('\n', cli_stdout());
}

static void text_regs(uint32_t regs)
{
    char name[WAVE_NAME];
    const char *separator = "";

    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (regs >> r & 1) {
            fprintf(cli_stdout(), "%s%s", separator, reg_name(r, name));
            separator = ", ";
        }
}

static void text_groups(const struct wave_result *r)
{
    fputs("\n  differences by rule\n", cli_stdout());
    for (size_t i = 0; i < r->groups; i++) {
        const struct wave_group *g = &r->group[i];
        fprintf(cli_stdout(), "  %14s  %s: %s\n", cli_grouped(g->count), clause_of(g->rule),
                about_of(g->rule));
        fprintf(cli_stdout(), "  %14s  ", "");
        if (g->like)
            fprintf(cli_stdout(), "like %s; ", g->like->name);
        fprintf(cli_stdout(), "first at edge %s; ", cli_grouped(g->first));
        text_regs(g->regs);
        fputc('\n', cli_stdout());
    }
}

static void text_table(const struct wave_result *r)
{
    char name[WAVE_NAME];

    fputs("  register            compared    differences  the model at the end\n", cli_stdout());
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        if (r->compared[i] == 0)
            continue;
        fprintf(cli_stdout(), "  %-13s %14s %14s", reg_name(i, name), cli_grouped(r->compared[i]),
                cli_grouped(r->differences[i]));
        if (i != WAVE_RDATA)
            fprintf(cli_stdout(), "  %s", cli_grouped(r->last[i]));
        fputc('\n', cli_stdout());
    }
}

static void print_text(const struct check_options *o, const struct core *c,
                       const struct wave_result *r, const uint64_t *time)
{
    char quirks[400];

    core_switched(o->quirks_on, o->quirks_off, quirks, sizeof quirks);
    for (size_t i = 0; i < r->shown_count; i++)
        text_diff(o, c, &r->shown[i], time ? &time[i] : NULL);
    cli_print_name(cli_stdout(), c->options->path);
    fprintf(cli_stdout(), ": %s, profile %s%s\n  scope ", c->options->config->name,
            c->options->profile->name, quirks);
    cli_print_name(cli_stdout(), c->scope[0] ? c->scope : "(ports by map)");
    fprintf(cli_stdout(), "\n  edges %s, %s in reset", cli_grouped(r->edges),
            cli_grouped(r->in_reset));
    if (r->between)
        fprintf(cli_stdout(), ", %s between two edges", cli_count(r->between, "reset"));
    fputc('\n', cli_stdout());
    text_table(r);
    if (r->groups > 0 && o->keep_going)
        text_groups(r);
    fprintf(cli_stdout(), "\n  %s compared, %s%s%s\n", cli_count(r->total_compared, "value"),
            r->total_differences ? cli_count(r->total_differences, "difference") : "no differences",
            r->shown_count < r->total_differences ? ", the first 20 shown" : "",
            r->stopped ? ", stopped there (--keep-going goes on)" : "");
    cli_text_warnings(cli_stdout());
}

/* ---- csv and json ---- */

/* Index of the first difference told of the register; -1 if none was. */
static int first_of(const struct wave_result *r, unsigned reg)
{
    for (size_t i = 0; i < r->shown_count; i++)
        if (r->shown[i].reg == reg)
            return (int)i;
    return -1;
}

/* In the column of clauses. */
static void csv_warnings(const struct core *c)
{
    char head[200];

    snprintf(head, sizeof head, ",%s,%s,,WARNING,,,,,,,", c->options->config->name,
             c->options->profile->name);
    cli_csv_warnings(cli_stdout(), c->options->path, head, ",,");
}

static void print_csv(const struct check_options *o, const struct core *c,
                      const struct wave_result *r, const uint64_t *time)
{
    char name[WAVE_NAME], quirks[400];

    core_switched(o->quirks_on, o->quirks_off, quirks, sizeof quirks);
    const char *switched = quirks + (quirks[0] != '\0');
    fputs("file,core,profile,scope,register,compared,differences,first_edge,first_time,design,"
          "model,clause,like,switched\r\n",
          cli_stdout());
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        const int first = first_of(r, i);
        if (r->compared[i] == 0)
            continue;
        cli_csv_field(cli_stdout(), c->options->path);
        fprintf(cli_stdout(), ",%s,%s,", c->options->config->name, c->options->profile->name);
        cli_csv_field(cli_stdout(), c->scope);
        fprintf(cli_stdout(), ",%s,%" PRIu64 ",%" PRIu64, reg_name(i, name), r->compared[i],
                r->differences[i]);
        if (first < 0) {
            fprintf(cli_stdout(), ",,,,,,,%s\r\n", switched);
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
        fprintf(cli_stdout(), ",0x%" PRIx64 ",%s,%s,%s\r\n", d->model, clause_of(d->rule),
                d->like ? d->like->name : "", switched);
    }
    csv_warnings(c);
}

static void json_diff(FILE *out, const struct wave_diff *d, const uint64_t *time)
{
    char name[WAVE_NAME];

    fprintf(out, "{\"edge\":%" PRIu64 ",\"register\":\"%s\",", d->cycle, reg_name(d->reg, name));
    if (time)
        fprintf(out, "\"time\":%" PRIu64 ",", *time);
    if (d->unknown)
        fputs("\"design\":null,", out);
    else
        fprintf(out, "\"design\":\"0x%" PRIx64 "\",", d->design);
    fprintf(out, "\"model\":\"0x%" PRIx64 "\",\"clause\":\"%s\",\"rule\":", d->model,
            clause_of(d->rule));
    cli_json_string(out, about_of(d->rule));
    if (d->like) {
        fprintf(out, ",\"like\":\"%s\",\"reference\":", d->like->name);
        cli_json_string(out, quirk_reference(d->like->bit));
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
            ",\"compared\":%" PRIu64 ",\"differences\":%" PRIu64,
            r->edges, r->in_reset, r->between, r->total_compared, r->total_differences);
}

static void json_register(FILE *out, const struct wave_result *r, unsigned i)
{
    char name[WAVE_NAME];

    fprintf(out, "{\"name\":\"%s\",\"compared\":%" PRIu64 ",\"differences\":%" PRIu64,
            reg_name(i, name), r->compared[i], r->differences[i]);
    if (i != WAVE_RDATA)
        fprintf(out, ",\"last\":\"%" PRIu64 "\"", r->last[i]);
    fputc('}', out);
}

static void json_group(FILE *out, const struct wave_group *g)
{
    fprintf(out,
            "{\"clause\":\"%s\",\"like\":\"%s\",\"count\":%" PRIu64 ",\"first_edge\":%" PRIu64 "}",
            clause_of(g->rule), g->like ? g->like->name : "", g->count, g->first);
}

static void print_json(const struct check_options *o, const struct core *c,
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

static void put_lines(struct cli_lines *l, FILE *out, const struct wave_result *r,
                      const uint64_t *time)
{
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
    for (size_t i = 0; i < r->groups; i++)
        if ((f = cli_line_item(l, out, "group")) != NULL) {
            json_group(f, &r->group[i]);
            cli_line_close(l);
        }
}

static int print_lines(const struct check_options *o, const struct core *c,
                       const struct wave_result *r, const uint64_t *time)
{
    FILE *out = cli_stdout(), *f;
    struct cli_lines l = { .out = out };

    if ((f = cli_line_begin(&l, out, "pcounter-check-wave-lines-1")) != NULL) {
        json_head(f, o, c);
        cli_line_close(&l);
    }
    put_lines(&l, out, r, time);
    if ((f = cli_line_end(&l, out, r->stopped)) != NULL) {
        json_sums(f, r);
        fputs(",", f);
        cli_json_warnings(f);
        cli_line_close(&l);
    }
    return l.failed ? CLI_LIMIT : CLI_OK;
}

/* ---- notes ---- */

static void note_missing(const struct core *c, const struct wave_result *r)
{
    enum core_port want[CORE_PORTS + 1];
    char missing[600];
    size_t n = 0;

    for (unsigned i = 0; i < CORE_LOAD; i++) {
        const bool second = i >= CORE_FU_1 && i <= CORE_RS1_1;
        const bool rs1 = i == CORE_RS1_0 || i == CORE_RS1_1; /* without it event 13 is another */
        if (!rs1 && (!second || c->options->config->commit_ports > 1))
            want[n++] = (enum core_port)i;
    }
    want[n] = CORE_PORTS;
    core_note_rs1(c, r->quirks);
    if (core_missing(c, want, missing, sizeof missing))
        cli_note(1041, "not in the waveform: %s; %s, --map can name the signals", missing,
                 r->undriven ? "no event counter is compared"
                             : "counters of events that need them are not compared while they "
                               "count");
    if (r->adopted)
        cli_note(1042,
                 "the waveform does not begin in reset%s: the model begins with the design's "
                 "registers",
                 c->port[CORE_RESET].present ? "" : ", as far as is seen without rst_ni");
    if (r->unknown_inputs)
        cli_note(1043, "unknown inputs in %s are taken as 0",
                 cli_count(r->unknown_inputs, "clock"));
    if (r->counted == 0 && !r->undriven)
        cli_note(1046, "no event counter counts in this waveform: only its standing still was "
                       "compared");
    if (r->cut.any)
        cli_note(1047, "a selector keeps 5 bits: 0x%" PRIx64 ", written at edge %s, selects %u",
                 r->cut.value, cli_grouped(r->cut.cycle), (unsigned)(r->cut.value & 31));
    if (r->unasked)
        cli_note(1048,
                 "every register is 0 at edge %s, and the model's are not: a reset between two "
                 "edges cannot be looked for in %s, which is read once",
                 cli_grouped(r->unasked_edge), cli_input_name(c->options->path));
    if (r->fixed_writes)
        cli_note(1044, "writes of mcycle or minstret taken over from the design: %s",
                 cli_grouped(r->fixed_writes));
}

int wave_tell(const struct check_options *o, const struct core *c, const struct wave_result *r)
{
    uint64_t cycle[WAVE_SHOWN], time[WAVE_SHOWN];
    bool timed = r->shown_count > 0;

    for (size_t i = 0; i < r->shown_count; i++)
        cycle[i] = r->shown[i].cycle;
    timed = timed && core_edge_times(c, cycle, r->shown_count, time);
    note_missing(c, r);
    if (o->jsonl)
        return print_lines(o, c, r, timed ? time : NULL);
    if (o->format == CLI_JSON)
        print_json(o, c, r, timed ? time : NULL);
    else if (o->format == CLI_CSV)
        print_csv(o, c, r, timed ? time : NULL);
    else
        print_text(o, c, r, timed ? time : NULL);
    return CLI_OK;
}

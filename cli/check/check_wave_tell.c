/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: differences with their reasons, and what was compared. */
#include "check_wave.h"
#include "text/warnings.h"
#include "wave/time_counted.h"

#include <inttypes.h>
#include <string.h>

/* ---- text ---- */

static void text_write(const char *name, const struct wave_write *w, const char *separator)
{
    if (w->any)
        fprintf(cli_stdout(), "%s%s = 0x%" PRIx64 " at edge %s", separator, name, w->value,
                cli_grouped(w->cycle));
    else
        fprintf(cli_stdout(), "%sno write of %s since reset", separator, name);
}

/* An access to csr_regfile, who makes it, and what gates it. */
static void text_access(const struct wave_diff *d)
{
    static const char *const ops[] = { "none", "csrrw", "csrrs", "csrrc", "read" };
    static const char *const modes[] = { "U", "S", "H", "M" };
    const struct pc_hpm_mode *m = &d->mode;

    fprintf(cli_stdout(), "  access  %s of %03x", ops[d->csr.op], (unsigned)d->csr.address);
    if (d->csr.op != PC_HPM_CSR_READ)
        fprintf(cli_stdout(), ", operand 0x%" PRIx64, d->csr.operand);
    fprintf(cli_stdout(), ", %s%s", m->virtualised ? "V" : "",
            m->debug ? "debug" : modes[m->privilege & 3]);
    if (m->privilege < 3 && !m->debug)
        fprintf(cli_stdout(), "; mcounteren 0x%" PRIx32 ", scounteren 0x%" PRIx32, d->mcounteren,
                d->scounteren);
    if (d->hcounteren)
        fprintf(cli_stdout(), ", hcounteren 0x%" PRIx32, d->hcounteren);
    fputc('\n', cli_stdout());
}

static void text_clock(const struct wave_diff *d)
{
    const struct pc_hpm_event *event = pc_hpm_event_at(d->selector);

    if (d->reg == WAVE_RDATA) {
        fprintf(cli_stdout(), "  clock   addr_i %03x\n", d->address);
        return;
    }
    if (d->csr.op != PC_HPM_CSR_NONE && (d->reg < PC_HPM_FIRST || d->reg >= WAVE_INHIBIT))
        text_access(d);
    if (d->reg >= WAVE_INHIBIT)
        return;
    fprintf(cli_stdout(), "  clock   mcountinhibit 0x%" PRIx32, d->inhibit);
    if (d->reg >= PC_HPM_FIRST && d->reg < WAVE_SELECTORS)
        fprintf(cli_stdout(), ", selector %u %s, its line %u", (unsigned)d->selector,
                event ? event->name : "reserved", event ? d->events >> d->selector & 1 : 0);
    fputc('\n', cli_stdout());
}

static void text_diff(const struct check_options *o, const struct core *c,
                      const struct wave_diff *d, const uint64_t *time)
{
    char name[WAVE_NAME], select[WAVE_NAME], when[CLI_TIME_TEXT];
    const char *reg = wave_reg_name(d->reg, name);
    struct pc_wave_info info;

    (void)o;
    cli_print_name(cli_stdout(), cli_input_label(c->options->path));
    fprintf(cli_stdout(), ": difference at edge %s", cli_grouped(d->cycle));
    if (time) {
        pc_wave_get_info(c->wave, &info);
        fprintf(cli_stdout(), " (%s)", cli_time_text(&info, *time, when));
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
            text_write(wave_reg_name(WAVE_SELECTORS + d->reg - PC_HPM_FIRST, select), &d->selected,
                       "; ");
        fputc('\n', cli_stdout());
    } else if (core_has_csr(c) && !(WAVE_ANSWERS >> d->reg & 1)) {
        text_write(reg, &d->written, "  writes  ");
        fputc('\n', cli_stdout());
    } else if (d->reg < PC_HPM_FIRST && !c->port[CORE_ADDRESS].present) {
        fputs("  writes  not known: addr_i is not in the waveform\n", cli_stdout());
    }
    fprintf(cli_stdout(), "  rule    %s: %s\n", wave_clause_of(d->rule), wave_about_of(d->rule));
    if (d->like)
        fprintf(cli_stdout(), "  like    %s, %s: %s\n", d->like->name, d->like->clause,
                d->like->reference);
    fputc('\n', cli_stdout());
}

static void text_regs(uint32_t regs)
{
    char name[WAVE_NAME];
    const char *separator = "";

    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (regs >> r & 1) {
            fprintf(cli_stdout(), "%s%s", separator, wave_reg_name(r, name));
            separator = ", ";
        }
}

static void text_groups(const struct wave_result *r)
{
    fputs("\n  differences by rule\n", cli_stdout());
    for (size_t i = 0; i < r->groups; i++) {
        const struct wave_group *g = &r->group[i];
        fprintf(cli_stdout(), "  %14s  %s: %s\n", cli_grouped(g->count), wave_clause_of(g->rule),
                wave_about_of(g->rule));
        fprintf(cli_stdout(), "  %14s  ", "");
        if (g->like)
            fprintf(cli_stdout(), "like %s; ", g->like->name);
        fprintf(cli_stdout(), "first at edge %s; ", cli_grouped(g->first));
        text_regs(g->regs);
        fputc('\n', cli_stdout());
    }
}

/* Why the register was not compared; what lacks itself alone needs no name. */
static const char *short_reason(const struct core *c, const struct wave_result *r, unsigned reg,
                                char *out, size_t size)
{
    const char *port = core_port_name(wave_port_of(reg));
    const size_t n = strlen(port);

    wave_why_not(c, r, reg, out, size);
    return strncmp(out, port, n) == 0 && strncmp(out + n, " is ", 4) == 0 ? out + n + 4 : out;
}

/* Registers by the reason for which they were not compared, a line each. */
static void text_not_compared(const struct core *c, const struct wave_result *r)
{
    const uint32_t regs = wave_regs_seen(c);
    char one[300], other[300], name[WAVE_NAME];
    uint32_t told = 0;

    for (unsigned i = 0; i < WAVE_REGS; i++) {
        const char *why = short_reason(c, r, i, one, sizeof one);
        if (!(regs >> i & 1) || (told >> i & 1) || !*why)
            continue;
        fputs("  not compared  ", cli_stdout());
        for (unsigned k = i; k < WAVE_REGS; k++)
            if ((regs >> k & 1) && strcmp(short_reason(c, r, k, other, sizeof other), why) == 0) {
                fprintf(cli_stdout(), "%s%s", k > i ? ", " : "", wave_reg_name(k, name));
                told |= 1u << k;
            }
        fprintf(cli_stdout(), ": %s\n", why);
    }
}

static void text_guesses(const struct wave_result *r)
{
    char name[WAVE_NAME], guess[200];

    for (unsigned i = 0; i < WAVE_REGS; i++) {
        wave_guess_text(r, i, guess, sizeof guess);
        if (guess[0])
            fprintf(cli_stdout(), "  %s: %s%s as if %s\n", wave_reg_name(i, name),
                    cli_count(r->guess[i].differences, "difference"),
                    r->guess[i].differences < r->differences[i] ? " (those that are not quirks)"
                                                                : "",
                    guess);
    }
}

static void text_table(const struct wave_result *r)
{
    char name[WAVE_NAME];

    fputs("  register            compared    differences  the model at the end\n", cli_stdout());
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        if (r->compared[i] == 0)
            continue;
        fprintf(cli_stdout(), "  %-13s %14s %14s", wave_reg_name(i, name),
                cli_grouped(r->compared[i]), cli_grouped(r->differences[i]));
        if (!(WAVE_ANSWERS >> i & 1))
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
    cli_print_name(cli_stdout(), cli_input_label(c->options->path));
    fprintf(cli_stdout(), ": %s, profile %s%s\n  scope ", c->options->config->name,
            c->options->profile->name, quirks);
    cli_print_name(cli_stdout(), c->scope[0] ? c->scope : "(ports by map)");
    fprintf(cli_stdout(), "\n  edges %s, %s in reset", cli_grouped(r->edges),
            cli_grouped(r->in_reset));
    if (r->between)
        fprintf(cli_stdout(), ", %s between two edges", cli_count(r->between, "reset"));
    if (r->assumed)
        fprintf(cli_stdout(), ", %s taken as in reset", cli_grouped(r->assumed));
    fputc('\n', cli_stdout());
    text_table(r);
    text_not_compared(c, r);
    if (r->groups > 0 && o->keep_going)
        text_groups(r);
    text_guesses(r);
    fprintf(cli_stdout(), "\n  %s compared, %s%s%s\n", cli_count(r->total_compared, "value"),
            r->total_differences ? cli_count(r->total_differences, "difference") : "no differences",
            r->shown_count < r->total_differences ? ", the first 20 shown" : "",
            r->stopped ? ", stopped there (--keep-going continues)" : "");
    if (r->rtl_agrees)
        fputs("  the design is as --profile rtl describes it: no difference there\n", cli_stdout());
    cli_text_warnings(cli_stdout());
}

/* ---- notes ---- */

static void note_missing(const struct core *c, const struct wave_result *r)
{
    enum core_port want[CORE_PORTS + 1];
    char missing[2000];
    size_t n = 0;

    for (unsigned i = 0; i < CORE_LOAD; i++) {
        const bool second = i >= CORE_FU_1 && i <= CORE_RS1_1;
        const bool rs1 = i == CORE_RS1_0 || i == CORE_RS1_1; /* without it event 13 is another */
        /* without event counters it only tells a read of mcycle from a write */
        const bool instr = !c->options->config->perf_counter_en && i >= CORE_FU_0;
        if (!rs1 && !instr && (!second || c->options->config->commit_ports > 1))
            want[n++] = (enum core_port)i;
    }
    want[n] = CORE_PORTS;
    core_note_rs1(c, r->quirks);
    check_warn_reset(c->options->path, r->edges, r->in_reset, "!rst_ni");
    if (core_missing(c, want, missing, sizeof missing))
        cli_note(1041, "not in the waveform: %s; %s, --map can name the signals", missing,
                 !c->options->config->perf_counter_en ? "registers that need them are not compared"
                 : r->undriven                        ? "no event counter is compared"
                               : "counters of events that need them are not compared while they "
                                 "count");
    if (r->adopted)
        cli_note(1042,
                 "the waveform does not begin in reset%s: the model begins with the design's "
                 "registers",
                 c->port[CORE_RESET].present ? "" : ", as far as is seen without rst_ni");
    if (r->unknown_inputs)
        cli_note(1043, "unknown inputs in %s: what they decide is not compared",
                 cli_count(r->unknown_inputs, "clock"));
    if (!r->counted && !r->undriven && c->options->config->perf_counter_en)
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
    if (r->assumed)
        cli_note(
            1052,
            "%s: %s in which every register that is seen is 0 are taken as reset, from edge %s "
            "on",
            c->port[CORE_RESET].present ? "rst_ni is that of a scope around"
                                        : "rst_ni is not in the waveform",
            cli_count(r->assumed, "clock"), cli_grouped(r->assumed_edge));
    if (r->fixed_writes)
        cli_note(1044, "writes of mcycle or minstret taken over from the design: %s",
                 cli_grouped(r->fixed_writes));
}

struct told {
    const struct check_options *o;
    const struct core *c;
    const struct wave_result *r;
    const uint64_t *time;
};

static void print_page(void *ctx)
{
    const struct told *t = ctx;

    print_text(t->o, t->c, t->r, t->time);
}

/* The ports, each one after the other, and the first difference. */
static int show_place(const struct told *t)
{
    struct check_place place = { .wave = t->c->wave, .name = NULL };
    struct pc_wave_bit bit[CORE_PORTS];
    char name[WAVE_NAME];

    for (unsigned p = 0; p < CORE_PORTS; p++)
        if (t->c->port[p].present && !t->c->port[p].constant && t->c->port[p].bits > 0)
            bit[place.bits++] = t->c->port[p].bit[0];
    place.bit = bit;
    if (t->time) {
        place.name = wave_reg_name(t->r->shown[0].reg, name);
        place.time = t->time[0];
        place.edge = t->r->shown[0].cycle;
    }
    return check_goto(t->o, t->c->options->path, &place);
}

int wave_tell(const struct check_options *o, const struct core *c, const struct wave_result *r)
{
    uint64_t cycle[WAVE_SHOWN], time[WAVE_SHOWN];
    bool timed = r->shown_count > 0;

    for (size_t i = 0; i < r->shown_count; i++)
        cycle[i] = r->shown[i].cycle;
    timed = timed && core_edge_times(c, cycle, r->shown_count, time);
    note_missing(c, r);
    struct told told = { o, c, r, timed ? time : NULL };
    struct rep *rep;
    const int code = rep_open(&rep, &check_wave_report, &o->report);
    if (code)
        return code;
    rep_print(rep, print_page, &told);
    if (rep_has_rows(rep))
        wave_put(rep, o, c, r, told.time);
    return rep_close(rep, show_place(&told));
}

/* SPDX-License-Identifier: MIT */
/* pcounter check --core FILE, for people: differences with what decided, and what was compared. */
#include "check_core.h"

#include <inttypes.h>
#include <string.h>

#include "text/regs_text.h"
#include "text/table.h"
#include "text/warnings.h"
#include "wave/time_counted.h"

/* Prints " (1,520 ns)", if the time is known. */
static void put_time(FILE *out, const struct core_run *run, const struct core_difference *k)
{
    struct pc_wave_info info;
    char text[CLI_TIME_TEXT];

    pc_wave_get_info(run->wave, &info);
    if (k->timed)
        fprintf(out, " (%s)", cli_time_text(&info, k->time, text));
}

struct described_said core_said(const struct core_run *run, const struct core_difference *k)
{
    if (k->of_check)
        return run->d.check_said[k->item];
    struct described_said said = { NULL, NULL };
    if (!k->was_reset)
        said = *described_rule_said(&run->d, k->item, k->rule);
    if (!said.known)
        said.known = described_rule_said(&run->d, k->item, k->as_if)->known;
    return said;
}

static void put_said(FILE *out, const struct described_said *said)
{
    if (said->clause)
        cli_print_between(out, "  clause  ", said->clause, "\n");
    if (said->known)
        cli_print_between(out, "  known   ", said->known, "\n");
}

static void put_difference(const struct core_run *run, const struct core_difference *k)
{
    const struct described_said said = core_said(run, k);
    char rule[600];
    FILE *out = cli_stdout();

    cli_print_name(out, cli_input_label(run->path));
    if (k->of_check) {
        const struct pc_core_check *check = &run->d.check[k->item];
        fprintf(out, ": check fails at edge %s", cli_grouped(k->edge));
        put_time(out, run, k);
        cli_print_between(out, ": ", check->name, "\n");
        if (k->design)
            fprintf(out, "  left    %s\n  right   %s\n", k->design, k->model);
        fprintf(out, "  that    line %" PRIu32, described_line(run->d.check_node[k->item]));
        cli_print_between(out, ": ", check->that, "\n");
        put_said(out, &said);
        fputc('\n', out);
        return;
    }
    fprintf(out, ": difference at edge %s", cli_grouped(k->edge));
    put_time(out, run, k);
    cli_print_between(out, ": ", run->d.reg[k->item].name, "\n");
    fprintf(out, "  design  %s\n  model   %s\n", k->design ? k->design : "unknown (x or z)",
            k->model);
    if (k->before)
        fprintf(out, "  before  %s\n", k->before);
    if (k->was_reset)
        snprintf(rule, sizeof rule, "the value after a reset");
    else
        described_rule_text(&run->d, k->item, k->rule, rule, sizeof rule);
    cli_print_between(out, "  rule    ", rule, "\n");
    put_said(out, &said);
    if (k->values && k->values[0])
        cli_print_between(out, "  values  ", k->values, "\n");
    if (k->writes)
        cli_print_between(out, "  writes  ", k->writes, "\n");
    if (k->cause && k->cause[0])
        cli_print_between(out, "  as if   ", k->cause, "\n");
    fputc('\n', out);
}

/* ---- the summary ---- */

static int width_of_names(const struct described *d)
{
    size_t width = 8;

    for (size_t i = 0; i < d->desc.regs; i++)
        if (strlen(d->reg[i].name) > width)
            width = strlen(d->reg[i].name);
    for (size_t i = 0; i < d->desc.checks; i++)
        if (strlen(d->check[i].name) > width)
            width = strlen(d->check[i].name);
    return width > 48 ? 48 : (int)width;
}

static struct cli_table *open_table(FILE *out, const struct described *d, const char *const head[3])
{
    const struct cli_column column[] = {
        { .head = head[0], .width = width_of_names(d), .left = true },
        { .head = head[1], .width = 14 },
        { .head = head[2], .width = 14 }
    };
    struct cli_table *t =
        cli_table_open(out, &(struct cli_look){ .indent = 2, .gap = 2, .streams = true });

    fputc('\n', out);
    cli_table_columns(t, column, 3);
    cli_table_head(t);
    return t;
}

static int put_table(const struct core_run *run)
{
    static const char *const of_registers[] = { "register", "compared", "differences" },
                             *const of_checks[] = { "check", "looked at", "failed" };
    const struct described *d = &run->d;
    struct pc_core_figures f;
    FILE *out = cli_stdout();
    struct cli_table *t = open_table(out, d, of_registers);

    for (size_t i = 0; i < d->desc.regs; i++) {
        pc_core_get_register(d->core, i, &f);
        cli_cell(t, d->reg[i].name);
        cli_cell(t, d->reg[i].is ? cli_grouped(f.compared) : "not shown");
        cli_cell_count(t, f.differences);
        cli_row_end(t);
    }
    const int code = cli_table_close(t);
    if (d->desc.checks == 0 || code)
        return code;
    t = open_table(out, d, of_checks);
    for (size_t i = 0; i < d->desc.checks; i++) {
        pc_core_get_check(d->core, i, &f);
        cli_cell(t, d->check[i].name);
        cli_cell_count(t, f.compared);
        cli_cell_count(t, f.differences);
        cli_row_end(t);
    }
    return cli_table_close(t);
}

static void put_instead(const struct core_run *run)
{
    char text[CORE_INSTEAD_TEXT];
    struct pc_core_figures f;

    for (size_t i = 0; i < run->d.desc.regs; i++) {
        if (!core_instead_text(run, i, text, sizeof text))
            continue;
        pc_core_get_register(run->d.core, i, &f);
        cli_print_between(cli_stdout(), "  ", run->d.reg[i].name, ": ");
        fprintf(cli_stdout(), "%s%s",
                run->instead[i].differences < f.differences ? "the first " : "",
                cli_count(run->instead[i].differences, "difference"));
        cli_print_between(cli_stdout(), " as if ", text, "\n");
    }
}

struct page {
    const struct core_run *run;
    int code;
};

static void print_page(void *ctx)
{
    struct page *page = ctx;
    const struct core_run *run = page->run;
    FILE *out = cli_stdout();

    for (size_t i = 0; i < run->differences && i < CORE_SHOWN; i++)
        put_difference(run, &run->difference[i]);
    if (run->counts.differences > CORE_SHOWN)
        fprintf(out, "%s not shown\n\n",
                cli_count(run->counts.differences - CORE_SHOWN, "more difference"));
    cli_print_name(out, cli_input_label(run->path));
    cli_print_between(out, ": ", run->d.name, ", ");
    if (run->d.profile)
        cli_print_between(out, "profile ", run->d.profile, ", ");
    fputs(cli_count(run->counts.edges, "edge"), out);
    fprintf(out, " (%s in reset), ", cli_grouped(run->counts.in_reset));
    fprintf(out, "%s compared, ", cli_count(run->counts.compared, "value"));
    fprintf(out, "%s%s\n", cli_count(run->counts.differences, "difference"),
            run->stopped ? ", where the run ended" : "");
    put_instead(run);
    page->code = put_table(run);
    cli_text_warnings(out);
}

/* ---- notes ---- */

static void note(struct core_run *run)
{
    if (run->counts.adopted)
        cli_note(1904, "%s does not begin in reset: registers began with the design's values",
                 run->path);
    if (run->counts.resets_between)
        cli_note(1905, "%s: %s between two edges of the clock", run->path,
                 cli_count(run->counts.resets_between, "reset"));
    if (run->resets.unasked)
        cli_note(1906, "%s can be read only once, so a reset before edge %s is not searched for",
                 run->path, cli_grouped(run->resets.unasked_edge));
    if (run->counts.unknown)
        cli_warning(1907, "%s: unknown inputs left registers or checks unknown: %s", run->path,
                    cli_grouped(run->counts.unknown));
    if (run->counts.differences > CORE_KEPT)
        cli_note(1908, "reports have the first %d differences, and the first of each register",
                 CORE_KEPT);
    if (!run->stopped)
        run->never = core_untried_warn(run);
}

int core_check_tell(struct core_run *run)
{
    struct page page = { .run = run };
    struct rep *rep;

    note(run);
    const int code = rep_open(&rep, &check_core_report, &run->o->report);
    if (code)
        return code;
    rep_print(rep, print_page, &page);
    if (rep_has_rows(rep))
        core_check_put(rep, run);
    return rep_close(rep, page.code);
}

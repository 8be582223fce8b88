/* SPDX-License-Identifier: MIT */
/* Text of pcounter idle: a legend of the counters, one line a window, sums. */
#include "idle.h"
#include "text/table.h"
#include "text/warnings.h"

#include <inttypes.h>
#include <string.h>

#define TIME_WIDTH  12
#define COUNT_WIDTH 13
#define SHARE_WIDTH 7

bool idle_has_column(const struct idle_plan *plan, size_t i)
{
    const struct idle_meter *m = &plan->meter[i];

    return (int)i != plan->busy && (int)i != plan->total && (m->engine >= 0 || m->pass == 0);
}

static const char *time_heading(const struct idle_report *r)
{
    static char text[16];

    if (!r->o->window.text || r->o->window.in_clocks)
        return "clock";
    snprintf(text, sizeof text, "t(%s)", r->o->window.unit);
    return text;
}

static void legend(const struct idle_report *r)
{
    const struct idle_plan *plan = r->plan;

    for (size_t i = 0; i < plan->meters; i++) {
        const struct idle_meter *m = &plan->meter[i];
        char mask[200];
        if ((int)i != plan->busy && (int)i != plan->total && !idle_has_column(plan, i))
            continue;
        idle_mask_text(r->o->chip, m->mask, mask, sizeof mask);
        fprintf(r->file, "  %-10s ", m->name);
        if (plan->passes > 1)
            fprintf(r->file, "pass %u ", m->pass + 1);
        fprintf(r->file, "counter %u  %s", m->counter, idle_mode_names[m->mode]);
        if (m->mode == PC_IDLE_ALL || m->mode == PC_IDLE_NOT_ALL)
            fprintf(r->file, " %s", mask);
        fputc('\n', r->file);
    }
    fputc('\n', r->file);
}

static void add_column(struct cli_table *t, const char *head, int gap, int width)
{
    cli_table_column(t, &(struct cli_column){ .head = head, .gap = gap, .width = width });
}

static void headings(struct idle_report *r)
{
    static const struct cli_column level = { .head = "level", .gap = 2, .left = true },
                                   note = { .named = "note", .gap = 2, .left = true };
    const struct idle_plan *plan = r->plan;
    struct cli_table *t = cli_table_open(r->file, &(struct cli_look){ .gap = 1, .streams = true });

    add_column(t, time_heading(r), 0, TIME_WIDTH);
    if (plan->busy >= 0)
        add_column(t, "busy", 1, COUNT_WIDTH);
    add_column(t, "total", 1, COUNT_WIDTH);
    if (plan->busy >= 0)
        add_column(t, "util", 1, 5);
    for (size_t i = 0; i < plan->meters; i++)
        if (idle_has_column(plan, i))
            add_column(t, plan->meter[i].name, 2, SHARE_WIDTH - 1);
    if (r->o->governed) {
        add_column(t, "avg", 1, 5);
        cli_table_column(t, &level);
    }
    cli_table_column(t, &note);
    cli_table_head(t);
    r->table = t;
}

void idle_text_begin(struct idle_report *r)
{
    fprintf(r->file, "Idle counters of %s over ", r->o->chip->name);
    cli_print_name(r->file, r->o->path);
    if (r->o->clock) {
        fputs("\nclock ", r->file);
        cli_print_name(r->file, r->o->clock);
        fprintf(r->file, ", %s sample%s, unknown values: %s", idle_sampling(r->o),
                r->o->every ? "" : "s", idle_x_names[r->o->x]);
    }
    fprintf(r->file, "\nwindow %s, %s\n", r->o->window.text ? r->o->window.text : "all",
            r->o->exact ? "counts exact: read and not cleared"
                        : "counts as the driver sees them: read, then cleared");
    legend(r);
    headings(r);
}

static const char *end_text(const struct idle_report *r, uint64_t end)
{
    const struct idle_window *w = &r->o->window;

    if (!w->text || w->in_clocks)
        return cli_grouped(end);
    static char text[80];
    uint64_t windows = end / w->ticks, point = 1;
    if (windows > UINT64_MAX / w->number)
        return "beyond";
    for (int i = 0; i < w->decimals; i++)
        point *= 10;
    if (point == 1)
        return cli_grouped(windows * w->number);
    snprintf(text, sizeof text, "%s.%0*" PRIu64, cli_grouped(windows * w->number / point),
             w->decimals % 32, windows * w->number % point);
    return text;
}

static enum idle_state worst_state(const struct idle_plan *plan)
{
    enum idle_state worst = IDLE_EXACT;

    for (size_t i = 0; i < plan->meters; i++)
        if (plan->meter[i].state > worst)
            worst = plan->meter[i].state;
    return worst;
}

/* Puts a line of counts; `sums`: that of all windows. */
static void counts(const struct idle_report *r, bool sums)
{
    const struct idle_plan *plan = r->plan;
    const struct idle_meter *busy = plan->busy >= 0 ? &plan->meter[plan->busy] : NULL;
    const struct idle_meter *total = &plan->meter[plan->total];
    uint64_t b = busy ? sums ? busy->sum : busy->value : 0;
    uint64_t t = sums ? total->sum : total->value;

    if (busy)
        cli_cell_count(r->table, b);
    cli_cell_count(r->table, t);
    if (busy && t)
        cli_cell_print(r->table, "%" PRIu64, b / t * 100 + b % t * 100 / t);
    else if (busy)
        cli_cell(r->table, "-");
    for (size_t i = 0; i < plan->meters; i++) {
        const struct idle_meter *m = &plan->meter[i], *whole = idle_total_of(plan, m);
        if (!idle_has_column(plan, i))
            continue;
        const char *share =
            idle_percent(sums ? m->sum : m->value, sums ? whole->sum : whole->value);
        cli_cell(r->table, share[0] ? share : "-");
    }
}

static void unmeasured(const struct idle_report *r)
{
    const struct idle_plan *plan = r->plan;

    for (int i = 0; i < (plan->busy >= 0 ? 3 : 1); i++)
        cli_cell(r->table, "-");
    for (size_t i = 0; i < plan->meters; i++)
        if (idle_has_column(plan, i))
            cli_cell(r->table, "-");
}

void idle_text_window(const struct idle_report *r, const struct idle_result *w)
{
    enum idle_state state = worst_state(r->plan);

    cli_cell(r->table, end_text(r, w->end));
    if (w->clocks == 0)
        unmeasured(r);
    else
        counts(r, false);
    if (r->o->governed)
        cli_cell_count(r->table, w->average);
    if (r->o->governed && w->next != w->level)
        cli_cell_print(r->table, "%" PRIu32 " -> %" PRIu32, w->level, w->next);
    else if (r->o->governed)
        cli_cell_count(r->table, w->level);
    cli_cell_print(r->table, "%s%s%s", w->whole ? "" : "partial",
                   !w->whole && state != IDLE_EXACT ? "  " : "",
                   state == IDLE_EXACT ? "" : idle_state_names[state]);
    cli_row_end(r->table);
}

/* --- the end --- */

static int levels(const struct idle_report *r, const struct idle_totals *t)
{
    static const struct cli_column column[] = { { .head = "level", .width = 7 },
                                                { .head = "MHz", .width = 7 },
                                                { .head = "windows", .width = 9 },
                                                { .head = "clocks", .width = COUNT_WIDTH + 2 },
                                                { .head = "time %", .width = 8 } };
    const struct pc_governor *g = &r->o->governor;
    struct cli_table *table =
        cli_table_open(r->file, &(struct cli_look){ .gap = 1, .streams = true });

    fprintf(r->file,
            "\ngovernor %s: target %" PRIu32 ", max %" PRIu32 ", smooth %" PRIu32
            " (integer arithmetic as in the driver); trace recorded at level %" PRIu32 "\n",
            g->name, g->target, g->ceiling, g->smooth, r->o->recorded);
    cli_table_columns(table, column, sizeof column / sizeof *column);
    cli_table_head(table);
    for (uint32_t i = 0; i < g->levels; i++) {
        if (!t->level_windows[i])
            continue;
        cli_cell_print(table, "%" PRIu32, i);
        cli_cell_print(table, "%" PRIu32, g->khz[i] / 1000);
        cli_cell_count(table, t->level_windows[i]);
        cli_cell_count(table, t->level_clocks[i]);
        cli_cell(table, idle_percent(t->level_clocks[i], t->clocks));
        cli_row_end(table);
    }
    fprintf(r->file, "lost  %s of %s of work", cli_grouped(t->lost), cli_count(t->work, "clock"));
    if (t->work)
        fprintf(r->file, " (%s %%)", idle_percent(t->lost, t->work));
    fprintf(r->file, ", saved %s of %s", cli_grouped(t->saved), cli_count(t->capacity, "clock"));
    if (t->capacity)
        fprintf(r->file, " (%s %%)", idle_percent(t->saved, t->capacity));
    fputc('\n', r->file);
    return cli_table_close(table);
}

int idle_text_end(struct idle_report *r, const struct idle_totals *t)
{
    if (t->windows > 1) {
        cli_cell(r->table, "all");
        counts(r, true);
        cli_row_end(r->table);
    }
    int code = cli_table_close(r->table);
    r->table = NULL;
    if (r->o->governed && t->windows > 0 && code == CLI_OK)
        code = levels(r, t);
    if (t->interrupted)
        fputs("\npartial: interrupted before the end\n", r->file);
    else if (t->failed)
        fputs("\npartial: an error ended the run\n", r->file);
    cli_text_warnings(r->file);
    return code;
}

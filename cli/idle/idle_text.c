/* SPDX-License-Identifier: MIT */
/* Text of pcounter idle: a legend of the counters, one line a window, sums. */
#include "idle.h"
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

static int column_width(const struct idle_meter *m)
{
    int n = (int)strlen(m->name) + 2;

    return n > SHARE_WIDTH + 1 ? n : SHARE_WIDTH + 1;
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

static void headings(const struct idle_report *r)
{
    const struct idle_plan *plan = r->plan;

    fprintf(r->file, "%*s", TIME_WIDTH, time_heading(r));
    if (plan->busy >= 0)
        fprintf(r->file, " %*s", COUNT_WIDTH, "busy");
    fprintf(r->file, " %*s", COUNT_WIDTH, "total");
    if (plan->busy >= 0)
        fprintf(r->file, "%6s", "util");
    for (size_t i = 0; i < plan->meters; i++)
        if (idle_has_column(plan, i))
            fprintf(r->file, "%*s", column_width(&plan->meter[i]), plan->meter[i].name);
    if (r->o->governed)
        fprintf(r->file, "%6s  %s", "avg", "level");
    fputc('\n', r->file);
}

void idle_text_begin(const struct idle_report *r)
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

/* One line of counts; `sums` for the line of all windows. */
static void counts(const struct idle_report *r, bool sums)
{
    const struct idle_plan *plan = r->plan;
    const struct idle_meter *busy = plan->busy >= 0 ? &plan->meter[plan->busy] : NULL;
    const struct idle_meter *total = &plan->meter[plan->total];
    uint64_t b = busy ? sums ? busy->sum : busy->value : 0;
    uint64_t t = sums ? total->sum : total->value;

    if (busy)
        fprintf(r->file, " %*s", COUNT_WIDTH, cli_grouped(b));
    fprintf(r->file, " %*s", COUNT_WIDTH, cli_grouped(t));
    if (busy && t)
        fprintf(r->file, "%6" PRIu64, b / t * 100 + b % t * 100 / t);
    else if (busy)
        fprintf(r->file, "%6s", "-");
    for (size_t i = 0; i < plan->meters; i++) {
        const struct idle_meter *m = &plan->meter[i], *whole = idle_total_of(plan, m);
        if (!idle_has_column(plan, i))
            continue;
        const char *share =
            idle_percent(sums ? m->sum : m->value, sums ? whole->sum : whole->value);
        fprintf(r->file, "%*s", column_width(m), share[0] ? share : "-");
    }
}

static void unmeasured(const struct idle_report *r)
{
    const struct idle_plan *plan = r->plan;

    if (plan->busy >= 0)
        fprintf(r->file, " %*s %*s%6s", COUNT_WIDTH, "-", COUNT_WIDTH, "-", "-");
    else
        fprintf(r->file, " %*s", COUNT_WIDTH, "-");
    for (size_t i = 0; i < plan->meters; i++)
        if (idle_has_column(plan, i))
            fprintf(r->file, "%*s", column_width(&plan->meter[i]), "-");
}

void idle_text_window(const struct idle_report *r, const struct idle_result *w)
{
    enum idle_state state = worst_state(r->plan);

    fprintf(r->file, "%*s", TIME_WIDTH, end_text(r, w->end));
    if (w->clocks == 0)
        unmeasured(r);
    else
        counts(r, false);
    if (r->o->governed && w->next != w->level)
        fprintf(r->file, "%6" PRIu32 "  %" PRIu32 " -> %" PRIu32, w->average, w->level, w->next);
    else if (r->o->governed)
        fprintf(r->file, "%6" PRIu32 "  %" PRIu32, w->average, w->level);
    if (!w->whole)
        fputs("  partial", r->file);
    if (state != IDLE_EXACT)
        fprintf(r->file, "  %s", idle_state_names[state]);
    fputc('\n', r->file);
}

/* --- the end --- */

static void levels(const struct idle_report *r, const struct idle_totals *t)
{
    const struct pc_governor *g = &r->o->governor;

    fprintf(r->file,
            "\ngovernor %s: target %" PRIu32 ", max %" PRIu32 ", smooth %" PRIu32
            " (integer arithmetic as in the driver); trace recorded at level %" PRIu32 "\n",
            g->name, g->target, g->ceiling, g->smooth, r->o->recorded);
    fprintf(r->file, "%7s%8s%10s %*s%9s\n", "level", "MHz", "windows", COUNT_WIDTH + 2, "clocks",
            "time %");
    for (uint32_t i = 0; i < g->levels; i++)
        if (t->level_windows[i])
            fprintf(r->file, "%7" PRIu32 "%8" PRIu32 "%10s %*s%9s\n", i, g->khz[i] / 1000,
                    cli_grouped(t->level_windows[i]), COUNT_WIDTH + 2,
                    cli_grouped(t->level_clocks[i]), idle_percent(t->level_clocks[i], t->clocks));
    fprintf(r->file, "lost  %s of %s of work", cli_grouped(t->lost), cli_count(t->work, "clock"));
    if (t->work)
        fprintf(r->file, " (%s %%)", idle_percent(t->lost, t->work));
    fprintf(r->file, ", saved %s of %s", cli_grouped(t->saved), cli_count(t->capacity, "clock"));
    if (t->capacity)
        fprintf(r->file, " (%s %%)", idle_percent(t->saved, t->capacity));
    fputc('\n', r->file);
}

void idle_text_end(const struct idle_report *r, const struct idle_totals *t)
{
    if (t->windows > 1) {
        fprintf(r->file, "%*s", TIME_WIDTH, "all");
        counts(r, true);
        fputc('\n', r->file);
    }
    if (r->o->governed && t->windows > 0)
        levels(r, t);
    if (t->interrupted)
        fputs("\npartial: interrupted before the end\n", r->file);
    else if (t->failed)
        fputs("\npartial: an error ended the run\n", r->file);
    cli_text_warnings(r->file);
}

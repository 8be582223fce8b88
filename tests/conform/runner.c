/* SPDX-License-Identifier: MIT */
/*
 * Runs cases over chips and domains.  PC_FILTER=text keeps the paths that contain it; a chapter
 * with none of them is skipped.  A case that no chip runs is a failure: a test that never
 * runs proves nothing.
 */
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One chip of every range of the document, and two that differ inside one. */
static const char *const chosen[] = { "NV10", "NV15", "NV20", "NV35",  "NV40",
                                      "G80",  "G84",  "G92",  "MCP77", "GT215" };

struct instance {
    const struct conform_case *what;
    struct rig *rig; /* shared: making a unit costs more than most cases */
    unsigned dom;
    const struct pc_chip *chip;
    char path[96];
};

struct plan {
    struct rig rig;
    struct instance *instance;
    struct CMUnitTest *test;
    size_t count, room;
};

/* The unit of the case before serves again, reset, if it is of the same chip and unchanged. */
static int set_up(void **state)
{
    const struct instance *in = *state;
    struct rig *rig = in->rig;

    if (rig->unit && (rig->chip != in->chip || rig->changed || in->what->flags & CASE_FRESH))
        rig_close(rig);
    if (!rig->unit)
        rig_open(rig, in->chip, in->dom, 0);
    else
        rig_restart(rig);
    rig->dom = in->dom;
    return 0;
}

static void run(void **state)
{
    const struct instance *in = *state;

    in->what->run(in->rig);
}

static bool is_chosen(const struct pc_chip *chip)
{
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++)
        if (strcmp(chosen[i], chip->name) == 0)
            return true;
    return false;
}

static bool wanted(const struct conform_case *c, const struct pc_chip *chip)
{
    if (chip->layout != PC_LAYOUT_NV10 && chip->layout != PC_LAYOUT_NV40)
        return false;
    if (!(c->flags & CASE_EVERY_CHIP) && !is_chosen(chip))
        return false;
    return chip_has(chip, c->need) && !(chip->features & c->lack) && chip->domains >= c->domains;
}

static void name(struct instance *in, const char *chapter)
{
    char dom[16] = "";

    if (!(in->what->flags & CASE_UNIT))
        snprintf(dom, sizeof dom, "dom%u/", in->dom);
    snprintf(in->path, sizeof in->path, "%s/%s%s/%s", in->chip->name, dom, chapter, in->what->name);
    for (char *p = in->path; *p && *p != '/'; p++)
        *p = (char)tolower((unsigned char)*p);
}

/* Adds the instance, or only counts it while there are no arrays yet. */
static void add(struct plan *plan, struct instance in, const char *chapter)
{
    const char *filter = getenv("PC_FILTER");

    name(&in, chapter);
    if (filter && !strstr(in.path, filter))
        return;
    if (plan->count < plan->room) {
        struct instance *to = &plan->instance[plan->count];
        *to = in;
        plan->test[plan->count] = (struct CMUnitTest){ to->path, run, set_up, NULL, to };
    }
    plan->count++;
}

/* Adds the runs of a case on a chip; false if it is not for this chip. */
static bool expand(struct plan *plan, const struct conform_case *c, const struct pc_chip *chip,
                   const char *chapter)
{
    unsigned domains = c->flags & CASE_UNIT ? 1 : chip->domains;
    bool any = false;

    if (!wanted(c, chip))
        return false;
    for (unsigned d = 0; d < domains; d++)
        if (!c->signals || chip_raw_count(chip, d) >= c->signals) {
            struct instance in = { .what = c, .rig = &plan->rig, .dom = d, .chip = chip };
            add(plan, in, chapter);
            any = true;
        }
    return any;
}

static void expand_all(struct plan *plan, const char *chapter, const struct conform_case *cases,
                       size_t count)
{
    plan->count = 0;
    for (size_t i = 0; i < pc_chip_count(); i++)
        for (size_t c = 0; c < count; c++)
            expand(plan, &cases[c], pc_chip_at(i), chapter);
}

static bool all_cases_run(const char *chapter, const struct conform_case *cases, size_t count)
{
    struct plan none = { .room = 0 };
    bool all = true;

    for (size_t c = 0; c < count; c++) {
        bool any = false;
        for (size_t i = 0; i < pc_chip_count(); i++)
            any |= expand(&none, &cases[c], pc_chip_at(i), chapter);
        if (!any)
            fprintf(stderr, "%s/%s: no chip runs this case\n", chapter, cases[c].name);
        all &= any;
    }
    return all;
}

int conform_run(const char *chapter, const struct conform_case *cases, size_t count)
{
    struct plan plan = { 0 };

    if (!all_cases_run(chapter, cases, count))
        return 1;
    expand_all(&plan, chapter, cases, count);
    if (plan.count == 0) {
        fprintf(stderr, "%s: PC_FILTER=%s keeps no case\n", chapter, getenv("PC_FILTER"));
        return 77;
    }
    plan.room = plan.count;
    plan.instance = calloc(plan.room, sizeof *plan.instance);
    plan.test = calloc(plan.room, sizeof *plan.test);
    if (!plan.instance || !plan.test) {
        fprintf(stderr, "%s: out of memory\n", chapter);
        return 1;
    }
    expand_all(&plan, chapter, cases, count);
    int failed = _cmocka_run_group_tests(chapter, plan.test, plan.count, NULL, NULL);
    rig_close(&plan.rig);
    free(plan.test);
    free(plan.instance);
    return failed != 0;
}

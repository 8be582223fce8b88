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
static const char *const chosen[] = { "NV10", "NV15", "NV20", "NV35", "NV40",
                                      "G80",  "G84",  "G92",  "MCP77", "GT215" };

struct instance {
    const struct conform_case *what;
    struct rig rig;
    unsigned dom;
    const struct pc_chip *chip;
    char path[96];
};

struct plan {
    struct instance *instance;
    struct CMUnitTest *test;
    size_t count, room;
};

static int set_up(void **state)
{
    struct instance *in = *state;

    rig_open(&in->rig, in->chip, in->dom, 0);
    return 0;
}

static int tear_down(void **state)
{
    struct instance *in = *state;

    rig_close(&in->rig);
    return 0;
}

static void run(void **state)
{
    struct instance *in = *state;

    in->what->run(&in->rig);
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
        plan->test[plan->count] = (struct CMUnitTest){ to->path, run, set_up, tear_down, to };
    }
    plan->count++;
}

/* False if no chip runs the case. */
static bool expand(struct plan *plan, const struct conform_case *c, const char *chapter)
{
    bool any = false;

    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        if (!wanted(c, chip))
            continue;
        unsigned domains = c->flags & CASE_UNIT ? 1 : chip->domains;
        for (unsigned d = 0; d < domains; d++)
            if (!c->signals || chip_raw_count(chip, d) >= c->signals) {
                add(plan, (struct instance){ .what = c, .dom = d, .chip = chip }, chapter);
                any = true;
            }
    }
    return any;
}

static bool expand_all(struct plan *plan, const char *chapter, const struct conform_case *cases,
                       size_t count)
{
    plan->count = 0;
    for (size_t i = 0; i < count; i++)
        if (!expand(plan, &cases[i], chapter)) {
            fprintf(stderr, "%s/%s: no chip runs this case\n", chapter, cases[i].name);
            return false;
        }
    return true;
}

int conform_run(const char *chapter, const struct conform_case *cases, size_t count)
{
    struct plan plan = { 0 };

    if (!expand_all(&plan, chapter, cases, count))
        return 1;
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
    free(plan.test);
    free(plan.instance);
    return failed != 0;
}

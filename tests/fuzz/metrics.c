/* SPDX-License-Identifier: MIT */
/*
 * The input is a file of metrics.  What must hold of one that is right: each metric is found
 * by its name, has a unit of the list, reads each event once, has a number or a reason why
 * not, is never better than its worst event, and comes back the same from its own text.
 */
#include "fuzz.h"
#include "pcounter/unstable/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EVENTS 64

static bool same_value(const struct pc_metric_value *a, const struct pc_metric_value *b)
{
    return a->state == b->state && (a->value == b->value || (isnan(a->value) && isnan(b->value)));
}

/* Inputs that differ from event to event, some of them bad. */
static enum pc_value_state fill(struct pc_metric_input *in, size_t events, unsigned round)
{
    enum pc_value_state worst = PC_VALUE_EXACT;

    for (size_t k = 0; k < events; k++) {
        in[k].value = (double)((k * 37 + round * 11) % 5);
        in[k].state = (enum pc_value_state)(round == 0 ? PC_VALUE_EXACT : (k + round) % 6);
        worst = in[k].state > worst ? in[k].state : worst;
    }
    return worst;
}

static void evaluate(const struct pc_metrics *set, size_t i, const struct pc_metric *m,
                     const struct pc_metrics *again)
{
    struct pc_metric_input in[EVENTS];

    for (unsigned round = 0; round < 4; round++) {
        struct pc_metric_value v, w;
        enum pc_value_state worst = fill(in, m->events, round);
        pc_metrics_eval(set, i, in, 1000, round % 2 ? 0.5 : 0, &v);
        FUZZ_CHECK(v.state >= worst && v.state <= PC_VALUE_UNMEASURED);
        FUZZ_CHECK((v.state == PC_VALUE_EXACT) == (v.why[0] == '\0'));
        FUZZ_CHECK(isfinite(v.value));
        FUZZ_CHECK(v.state != PC_VALUE_UNMEASURED || v.value == 0);
        pc_metrics_eval(again, 0, in, 1000, round % 2 ? 0.5 : 0, &w);
        FUZZ_CHECK(same_value(&v, &w));
    }
}

static void check(const struct pc_metrics *set, size_t i)
{
    static char line[3 * 4096];
    struct pc_metrics *again = NULL;
    struct pc_metric m;
    struct pc_error err;
    size_t found = SIZE_MAX;

    FUZZ_CHECK(pc_metrics_at(set, i, &m));
    FUZZ_CHECK(m.name[0] && m.formula[0] && m.unit[0] && m.events <= EVENTS);
    FUZZ_CHECK(pc_metrics_find(set, m.name, &found, &err) == PC_OK && found == i);
    for (size_t a = 0; a < m.events; a++)
        for (size_t b = 0; b < a; b++)
            FUZZ_CHECK(strcmp(m.event[a], m.event[b]) != 0);
    int n = snprintf(line, sizeof line, "%s = %s %s", m.name, m.formula, m.unit);
    if (n >= 4096)
        return; /* with its unit the line is too long */
    FUZZ_CHECK(pc_metrics_load(NULL, line, (size_t)n, &again, &err) == PC_OK);
    struct pc_metric other;
    FUZZ_CHECK(pc_metrics_at(again, 0, &other) && other.events == m.events);
    FUZZ_CHECK(strcmp(other.unit, m.unit) == 0 && strcmp(other.formula, m.formula) == 0);
    evaluate(set, i, &m, again);
    pc_metrics_close(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pc_metrics *set = NULL;
    struct pc_error err = { 0 };
    struct pc_metric past;

    if (size > 16384)
        return 0;
    enum pc_status status = pc_metrics_load(NULL, (const char *)data, size, &set, &err);
    fuzz_check_error(status, &err);
    if (status) {
        FUZZ_CHECK(set == NULL && err.line > 0);
        return 0;
    }
    for (size_t i = 0; i < pc_metrics_count(set); i++)
        check(set, i);
    FUZZ_CHECK(!pc_metrics_at(set, pc_metrics_count(set), &past));
    pc_metrics_close(set);
    return 0;
}

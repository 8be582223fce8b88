/* SPDX-License-Identifier: MIT */
/* Metrics from a text, and the value of the first. */
#ifndef PC_TESTS_METRIC_TEST_H
#define PC_TESTS_METRIC_TEST_H

#include "test.h"
#include "pcounter/unstable/metric.h"

#include <string.h>

static struct pc_metrics *load(const char *text)
{
    struct pc_metrics *m = NULL;
    struct pc_error err;

    test_ok(pc_metrics_load(NULL, text, strlen(text), &m, &err), &err);
    return m;
}

/* Events a, b, c, .. by the last letter of their names. */
static struct pc_metric_value eval(const char *text, const struct pc_metric_input *letter)
{
    struct pc_metrics *m = load(text);
    struct pc_metric_input in[64];
    struct pc_metric_value out;
    struct pc_metric info;

    assert_true(pc_metrics_at(m, 0, &info));
    for (size_t i = 0; i < info.events; i++)
        in[i] = letter[info.event[i][strlen(info.event[i]) - 1] - 'a'];
    pc_metrics_eval(m, 0, in, 1000, 0.5, &out);
    pc_metrics_close(m);
    return out;
}

#endif

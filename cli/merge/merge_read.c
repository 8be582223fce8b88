/* SPDX-License-Identifier: MIT */
/* A report out of its JSON, along the fields that its verb has of it. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "activity/activity.h"
#include "bus/bus.h"
#include "diff/diff_jansson.h"
#include "record/record.h"
#include "stat/stat_report.h"
#include "wave/event_list.h"

const struct rep_def *const merge_defs[MERGE_KINDS] = { &stat_report_def, &bus_report,
                                                        &activity_report, &record_report };

int merge_read(const struct diff_file *f, const json_t *json, struct merge_report *out)
{
    const char *schema = diff_text(f, json, "$schema"), *failed = diff_text(f, json, "error");

    if (!schema)
        return diff_fail(f, 1701, "this JSON does not say what it is a report of");
    if (strcmp(schema, "pcounter-stat-failed-1") == 0 && failed) {
        const char *trace = diff_text(f, json, "trace");
        return diff_fail(f, 1703, "%.100s was not counted: %.200s", trace ? trace : "a waveform",
                         failed);
    }
    for (unsigned k = 0; k < MERGE_KINDS; k++)
        if (strcmp(merge_defs[k]->schema, schema) == 0) {
            out->kind = k;
            out->field =
                (struct rep_field){ .name = "", .kind = REP_OBJECT, .field = merge_defs[k]->field };
            out->reports = 1;
            out->path = f->path;
            out->root.field = &out->field;
            return diff_read_object(f, merge_defs[k]->field, json, &out->root);
        }
    return diff_fail(f, 1701, "cannot merge this report: %.60s", schema);
}

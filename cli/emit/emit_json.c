/* SPDX-License-Identifier: MIT */
/*
 * Event files of Linux' perf (tools/perf/pmu-events), and the counter part of a configuration
 * of the simulator Whisper.
 */
#include "emit.h"

/* Objects of the events of one topic, or of all (topic < 0); was there one? */
static bool perf_objects(const struct emit_request *r, FILE *file, int topic)
{
    bool first = true;

    for (unsigned id = 1; id < PC_HPM_EVENTS; id++) {
        const struct pc_hpm_event *event = pc_hpm_event_at(id);
        char text[400];
        if (!emit_event_exists(r->config, id) || (topic >= 0 && (int)event->topic != topic))
            continue;
        emit_describe(r, id, text, sizeof text);
        fprintf(file, "%s  {\n    \"EventName\": \"%s\",\n    \"EventCode\": \"0x%X\",\n",
                first ? "" : ",\n", event->name, id);
        fputs("    \"BriefDescription\": ", file);
        cli_json_string(file, text);
        fputs("\n  }", file);
        first = false;
    }
    return !first;
}

static bool metric_objects(const struct emit_request *r, FILE *file, bool any)
{
    struct emit_metric m;

    for (size_t i = 0; emit_metric_at(r, &i, &m); any = true) {
        fprintf(file, "%s  {\n    \"MetricName\": \"%s\",\n    \"MetricExpr\": \"%s / %s\",\n",
                any ? ",\n" : "", m.name, m.of, m.by);
        fprintf(file, "    \"ScaleUnit\": \"100%%\",\n    \"BriefDescription\": \"%s\"\n  }",
                m.about);
    }
    return any;
}

void emit_perf_topic(const struct emit_request *r, FILE *file, enum pc_hpm_topic topic)
{
    fputs("[\n", file);
    fputs(perf_objects(r, file, (int)topic) ? "\n]\n" : "]\n", file);
}

void emit_perf_metrics(const struct emit_request *r, FILE *file)
{
    fputs("[\n", file);
    fputs(metric_objects(r, file, false) ? "\n]\n" : "]\n", file);
}

void emit_perf_json(const struct emit_request *r, FILE *file)
{
    fputs("[\n", file);
    fputs(metric_objects(r, file, perf_objects(r, file, -1)) ? "\n]\n" : "]\n", file);
}

/* Whisper's own names of the classes nearest to CVA6's. */
static const struct {
    unsigned event;
    const char *name;
} whisper[] = {
#define WHISPER(event, name) { event, name },
#include "cva6_names.inc"
#undef WHISPER
};
#define WHISPER_COUNT (sizeof whisper / sizeof whisper[0])

void emit_whisper_json(const struct emit_request *r, FILE *file)
{
    const bool any = r->config->perf_counter_en;

    fprintf(file, "{\n  \"num_mmode_perf_regs\": %d,\n  \"mmode_perf_events\": [",
            any ? PC_HPM_LAST - PC_HPM_FIRST + 1 : 0);
    for (size_t i = 0; any && i < WHISPER_COUNT; i++)
        fprintf(file, "%s%u", i ? ", " : "", whisper[i].event);
    fputs("],\n  \"mmode_perf_event_map\": {", file);
    for (size_t i = 0; any && i < WHISPER_COUNT; i++)
        fprintf(file, "%s\n    \"%s\": %u", i ? "," : "", whisper[i].name, whisper[i].event);
    fputs(any ? "\n  }\n}\n" : "}\n}\n", file);
}

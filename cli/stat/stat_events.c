/* SPDX-License-Identifier: MIT */
/* The events after -e of pcounter stat, and --clock. */
#include "stat.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

int stat_too_many(const struct cli_place *place, size_t most)
{
    return cli_error_at(1504, place, 1, NULL, "more than %zu events", most);
}

static int add(struct stat_options *o, struct stat_asked **out)
{
    void *array = o->event;

    *out = cli_one_more(&array, &o->events_capacity, &o->events, sizeof **out);
    o->event = array;
    return *out ? CLI_OK : cli_no_memory();
}

static int take_event(void *ctx, const struct cli_event_text *text)
{
    struct stat_options *o = ctx;
    struct stat_asked *e;
    int code = add(o, &e);

    if (code == CLI_OK)
        code = o->events > STAT_MOST_EVENTS ? stat_too_many(&text->place, STAT_MOST_EVENTS)
                                            : cli_event_reserved(text);
    for (size_t i = 0; i + 1 < o->events && code == CLI_OK; i++)
        code = cli_event_twice(text, o->event[i].name, o->event[i].text);
    if (code)
        return code;
    e->place = text->place;
    e->group = text->group;
    e->slots = text->slots;
    e->at = text->clock;
    e->at_size = text->clock_size;
    e->at_place = text->clock_place;
    e->text = cli_copy(text->text, text->text_size);
    e->name =
        text->name ? cli_copy(text->name, text->name_size) : cli_copy(text->text, text->text_size);
    if (!e->text || !e->name)
        return cli_no_memory();
    o->read.texts |= strchr(e->text, '"') != NULL;
    return CLI_OK;
}

int stat_parse_events(struct stat_options *o, const char *label, const char *argument)
{
    return cli_parse_events(label, argument, &o->groups, take_event, o);
}

/* --- the clock --- */

static char *copy_name(const struct pc_clock_name *name)
{
    return cli_copy_name(name->text, name->size);
}

int stat_parse_clock(const char *label, const char *text, struct stat_clock *out)
{
    const struct cli_place place = { label, text, 0 };
    struct pc_clock_text said;
    struct pc_error err;

    *out = (struct stat_clock){ .edge = PC_EDGE_POS };
    if (pc_wave_parse_clock(text, strlen(text), &said, &err))
        return cli_library_error_at(&err, &place);
    out->edge = said.edge;
    out->has_iff = said.has_iff;
    out->iff_low = said.iff_low;
    out->more = said.is_expression;
    if (said.clock.text) {
        out->clock_offset = (uint32_t)(said.clock.text - text);
        out->clock = said.edge == PC_EDGE_PERIOD ? cli_copy(said.clock.text, said.clock.size)
                                                 : copy_name(&said.clock);
    }
    if (said.has_iff) {
        out->iff_offset = (uint32_t)(said.iff.text - text);
        out->condition_offset = (uint32_t)(said.condition.text - text);
        out->iff = copy_name(&said.iff);
        out->condition = cli_copy(said.condition.text, said.condition.size);
    }
    const bool lacks =
        (said.clock.text && !out->clock) || (said.has_iff && (!out->iff || !out->condition));
    return lacks ? cli_no_memory() : CLI_OK;
}

void stat_free_clock(struct stat_clock *c)
{
    free(c->clock);
    free(c->iff);
    free(c->condition);
}

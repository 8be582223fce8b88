/* SPDX-License-Identifier: MIT */
/*
 * Packets to rows.  A period ends with a STOP; packets that a counter at 0xf000 sent before it
 * (STOP 0) are added to it.  With --packets each packet is a row.
 */
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* --- open, close --- */

static void clear(struct record_sheet *s)
{
    memset(s->count, 0, (s->o->of.events + 1) * sizeof *s->count);
    s->stops = s->stop_tainted = 0;
    s->closed = 0;
}

/* Nothing is printed before there is something to say. */
static void begin(struct record_sheet *s)
{
    if (s->begun)
        return;
    s->begun = true;
    record_report_begin(s);
    if (s->page)
        record_text_begin(s);
}

static int open_tracks(struct record_sheet *s)
{
    enum timeline_format format;
    FILE *out;

    for (size_t i = 0; (format = rep_view(s->rep, i, &out)) != TIMELINE_NONE; i++) {
        const int code = record_tracks_check(s->o, s->times, format);
        if (code)
            return code;
        if (!(s->tracks[i] = record_tracks_open(s, out, format)))
            return cli_no_memory();
    }
    return CLI_OK;
}

int record_sheet_open(struct record_sheet *s, struct rep *rep, struct record_options *o,
                      struct record_times *times, uint32_t domains)
{
    const size_t events = o->of.events + 1;

    *s = (struct record_sheet){ .rep = rep,
                                .page = rep_page(rep),
                                .o = o,
                                .of = &o->of,
                                .has_domains = o->decode ? o->program != NULL : o->slots,
                                .times = times,
                                .domains = domains,
                                .first_time = UINT64_MAX,
                                .count = calloc(events, sizeof *s->count),
                                .sum = calloc(events, sizeof *s->sum) };
    if (!s->count || !s->sum || !record_spread_open(s) || (o->spark && !record_spark_open(s)))
        return cli_no_memory();
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++)
        s->time[d] = UINT64_MAX;
    const int code = s->page ? record_report_keep(rep) : CLI_OK;
    return code ? code : open_tracks(s);
}

void record_sheet_begin(struct record_sheet *s, uint64_t first)
{
    s->begin = s->first = first;
    if (s->times && s->times->known)
        s->first_time = record_time_of(s->times, first);
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++) {
        s->end[d] = first;
        s->time[d] = s->first_time;
    }
}

void record_sheet_close(struct record_sheet *s)
{
    for (size_t i = 0; i < s->lates; i++)
        free(s->late[i].count);
    if (s->table)
        (void)cli_table_close(s->table);
    free(s->late);
    free(s->count);
    free(s->sum);
    free(s->spread);
    record_spread_close(s);
    record_spark_close(s);
    for (size_t i = 0; i < REP_OUTPUTS; i++)
        record_tracks_close(s->tracks[i]);
}

/* --- a row --- */

/* Returns when it was, for cycles [first, end). */
static struct stat_interval when(const struct record_sheet *s, uint64_t first, uint64_t end,
                                 uint64_t from, uint64_t to)
{
    struct stat_interval i = {
        .number = s->rows, .span = 1, .first = first, .cycles = end - first
    };
    const struct record_times *t = s->times;

    if (!t && s->o->clock_hz > 0) {
        i.timed = true;
        i.time = (double)first / s->o->clock_hz;
        i.seconds = (double)i.cycles / s->o->clock_hz;
    }
    if (!t || !t->known || from == UINT64_MAX)
        return i;
    i.timed = true;
    i.time = (double)from * t->unit.seconds;
    if (t->unit.decimal && from >= STAT_LONG_TIME)
        i.at = (struct stat_long_time){ .tick = { from, 0 }, .exponent = t->unit.exponent };
    i.seconds = to == UINT64_MAX ? 0 : (double)(to - from) * t->unit.seconds;
    return i;
}

static void add_sum(struct record_sheet *s, const struct record_row *row)
{
    for (size_t n = 0; n < s->o->of.events; n++) {
        if (!record_in_row(s, row, n))
            continue;
        s->sum[n].value += row->count[n].value;
        s->sum[n].tainted += row->count[n].tainted;
        const bool by_stop = row->count[n].state == STAT_TAINTED && row->count[n].tainted == 0;
        if (row->count[n].state > s->sum[n].state && !by_stop) /* in which row does not matter */
            s->sum[n].state = row->count[n].state;
    }
}

static void tell(struct record_sheet *s, const struct record_row *row)
{
    begin(s);
    add_sum(s, row);
    if (s->spark)
        record_spark_add(s, row);
    record_spread_add(s, row);
    for (size_t i = 0; i < REP_OUTPUTS && s->tracks[i]; i++)
        record_tracks_add(s->tracks[i], s, row);
    if (s->page)
        record_text_row(s, row);
    if (rep_has_rows(s->rep))
        record_report_row(s, row);
    s->has_rest |= row->kind == RECORD_REST;
    s->rows++;
}

void record_sheet_row(struct record_sheet *s, struct record_row *row, uint64_t to)
{
    const uint64_t first = row->when.first;

    row->when = when(s, first, first + row->when.cycles, row->ticks, to);
    tell(s, row);
}

/* Keeps the row until its end is known. */
static void delay(struct record_sheet *s, const struct record_late *late)
{
    const size_t size = (s->o->of.events + 1) * sizeof *s->count;
    void *array = s->late;
    struct record_count *count = malloc(size);
    struct record_late *one =
        count ? cli_one_more(&array, &s->late_capacity, &s->lates, sizeof *one) : NULL;

    s->late = array;
    if (!one) {
        free(count);
        s->code = s->code ? s->code : cli_no_memory();
        return;
    }
    *one = *late;
    memcpy(count, s->count, size);
    one->count = count;
}

void record_sheet_know(struct record_sheet *s, uint64_t time)
{
    s->first_time = s->first_time == RECORD_LATER ? time : s->first_time;
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++)
        s->time[d] = s->time[d] == RECORD_LATER ? time : s->time[d];
    for (size_t i = 0; i < s->lates; i++) {
        struct record_late *l = &s->late[i];
        l->row.ticks = l->from == RECORD_LATER ? time : l->from;
        l->row.when = when(s, l->first, l->end, l->row.ticks, time);
        l->row.count = l->count;
        tell(s, &l->row);
        free(l->count);
    }
    s->lates = 0;
}

/* Makes a row of the packets so far. */
static void end_row(struct record_sheet *s, enum record_kind kind, unsigned domain, uint64_t first,
                    uint64_t first_time, enum stat_state stop_state)
{
    const uint64_t end = s->end[domain];
    struct record_row row = { .kind = kind,
                              .ticks = first_time,
                              .domain = domain,
                              .stops = s->stops,
                              .stop_state = stop_state,
                              .count = s->count };

    if (s->time[domain] == RECORD_LATER) {
        delay(s, &(struct record_late){ row, first, end, first_time, NULL });
    } else {
        row.when = when(s, first, end, first_time, s->time[domain]);
        tell(s, &row);
    }
    clear(s);
    s->first = end;
    s->first_time = s->time[domain];
}

/* --- a packet --- */

/* Adds its counts to the open row. */
static void add_counts(struct record_sheet *s, unsigned domain, const struct pc_packet *p,
                       const struct record_unknown *unknown)
{
    const bool uncertain = unknown && unknown->stop > 0;

    for (size_t n = 0; n < s->o->of.events; n++) {
        struct record_count *c = &s->count[n];
        const size_t input = n % RECORD_INPUTS;
        if (s->o->of.event[n].domain != domain || input >= p->events)
            continue;
        c->value += p->event[input];
        c->tainted += unknown ? unknown->tainted[input] : 0;
        if (p->event[input] == PC_PACKET_EVENT_MAX)
            c->state = STAT_SATURATED;
        else if (c->state == STAT_EXACT && (c->tainted > 0 || uncertain))
            c->state = STAT_TAINTED;
    }
    if (unknown)
        s->stop_tainted += unknown->stop;
}

/* Up to which cycle the domain has sent, and when that was. */
static void move_on(struct record_sheet *s, unsigned domain, uint64_t cycles)
{
    const uint64_t grown = (cycles - (s->end[domain] - s->begin)) & PC_PACKET_CYCLES_MAX;

    s->end[domain] += grown;
    if (s->times && s->times->known)
        s->time[domain] = record_time_of(s->times, s->end[domain]);
}

static enum stat_state state_of_stop(const struct record_sheet *s, const struct pc_packet *p)
{
    return p->stop == PC_PACKET_STOP_MAX ? STAT_SATURATED
           : s->stop_tainted             ? STAT_TAINTED
                                         : STAT_EXACT;
}

void record_sheet_packet(struct record_sheet *s, unsigned domain, const struct pc_packet *p,
                         const struct record_unknown *unknown)
{
    const uint64_t first = s->end[domain], first_time = s->time[domain];

    move_on(s, domain, p->cycles);
    add_counts(s, domain, p, unknown);
    s->packets++;
    s->bytes += p->events == RECORD_INPUTS ? PC_PACKET_LONG : PC_PACKET_SHORT;
    if (s->o->packets) {
        s->stops = p->stop;
        end_row(s, RECORD_PACKET, domain, first, first_time, state_of_stop(s, p));
        return;
    }
    if (p->stop == 0)
        return;
    s->stops = p->stop;
    s->closed |= UINT32_C(1) << domain;
    if (s->closed != s->domains)
        return;
    end_row(s, RECORD_PERIOD, domain, s->first, s->first_time, state_of_stop(s, p));
}

static unsigned first_domain(const struct record_sheet *s)
{
    unsigned d = 0;

    while (!(s->domains >> d & 1))
        d++;
    return d;
}

void record_sheet_leave(struct record_sheet *s)
{
    const unsigned d = first_domain(s);

    if (s->end[d] > s->first)
        end_row(s, RECORD_REST, d, s->first, s->first_time,
                s->stop_tainted ? STAT_TAINTED : STAT_EXACT);
}

void record_sheet_rest(struct record_sheet *s, unsigned domain, const struct pc_packet *p,
                       const struct record_unknown *unknown)
{
    const uint64_t first = s->end[domain], first_time = s->time[domain];

    move_on(s, domain, p->cycles);
    add_counts(s, domain, p, unknown);
    s->closed |= UINT32_C(1) << domain;
    if (!s->o->packets && s->closed == s->domains)
        record_sheet_leave(s);
    else if (s->o->packets && s->end[domain] > first)
        end_row(s, RECORD_REST, domain, first, first_time,
                s->stop_tainted ? STAT_TAINTED : STAT_EXACT);
}

/* After rows of CSV there is nothing: one without a cycle says that they were interrupted. */
static void leave_mark(struct record_sheet *s)
{
    const unsigned d = first_domain(s);

    clear(s);
    end_row(s, RECORD_REST, d, s->end[d], s->time[d], STAT_EXACT);
}

static bool has_format(const struct record_sheet *s, const char *format)
{
    for (size_t i = 0; i < s->o->report.outputs; i++)
        if (rep_is(&s->o->report, i, format))
            return true;
    return false;
}

static bool has_csv(const struct record_sheet *s)
{
    return has_format(s, "csv");
}

int record_sheet_end(struct record_sheet *s, uint64_t cycles)
{
    struct stat_job *of = s->of;
    const struct stat_result r = { .cycles = cycles, .first = s->begin, .partial = s->partial };

    for (size_t n = 0; n < of->events; n++) {
        of->event[n].value = s->sum[n].value;
        of->event[n].tainted = s->sum[n].tainted;
        of->event[n].state = s->sum[n].state;
        of->event[n].origin = n;
    }
    const int code = record_spread_end(s);
    if (code)
        return code;
    begin(s);
    if (s->partial && !s->has_rest && has_csv(s))
        leave_mark(s);
    for (size_t i = 0; i < REP_OUTPUTS && s->tracks[i]; i++)
        record_tracks_end(s->tracks[i], s, &r);
    record_report_end(s, &r);
    if (s->page)
        record_text_end(s, &r);
    return s->code;
}

/* Standard output has the rows of CSV as they are; others have an end. */
void record_sheet_cut(struct record_sheet *s, uint64_t cycles)
{
    if (!s->begun || s->page || has_csv(s) || !rep_has_rows(s->rep))
        return;
    s->partial = true;
    (void)record_sheet_end(s, cycles); /* there is another error */
}

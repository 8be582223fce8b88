/* SPDX-License-Identifier: MIT */
/*
 * By how much the second capture is later: as the user says, or the shift at which most edges
 * agree.  A search looks at the first ALIGN_EDGES edges of each: of all pairs of one signal and
 * value the differences of times are sorted, and where these are densest shifts are tried.  Each
 * signal has one vote, so that a clock, which agrees at each of its periods, does not decide.
 */
#include "diff/diff_align.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 64 };

static int PC_PRINTF(2, 3) fail(unsigned code, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    return cli_error(&err, NULL, NULL);
}

/* --- the common unit --- */

static int find_unit(struct align_shift *s, struct align_side side[2])
{
    for (int k = 0; k < 2; k++)
        side[k].scale = cli_time_scale(&side[k].info);
    if (side[0].scale.unknown != side[1].scale.unknown)
        return fail(1704, "only one of the captures defines its time unit: give that of the other "
                          "one with --time-unit");
    s->unknown = side[0].scale.unknown;
    s->exponent = side[0].scale.exponent < side[1].scale.exponent ? side[0].scale.exponent
                                                                  : side[1].scale.exponent;
    for (int k = 0; k < 2 && !s->unknown; k++)
        if (!cli_time_scale_finer(&side[k].scale, s->exponent))
            return fail(1704, "the time units of the captures are too different");
    return CLI_OK;
}

/* A time of the command line in the common unit; an exit code. */
static int units_of(const struct align_shift *s, const char *option, const struct cli_span *span,
                    int64_t *out)
{
    struct pc_wave_info info = { .timescale_factor = !s->unknown,
                                 .timescale_exponent = s->exponent };
    struct cli_ticks ticks = { .whole = span->number };

    if (span->in_cycles && strchr(span->text, 'c'))
        return cli_usage("diff --align", "%s %s: a time has a unit (s, ms, us, ns, ps, fs)", option,
                         span->text);
    if (span->in_cycles != s->unknown && span->number != 0)
        return cli_usage("diff --align", "%s %s: %s", option, span->text,
                         s->unknown ? "these captures do not define their time unit; give a number"
                                    : "a time has a unit (s, ms, us, ns, ps, fs)");
    if ((!span->in_cycles && span->number != 0 && !cli_span_ticks(span, &info, &ticks)) ||
        ticks.whole > INT64_MAX / 4)
        return cli_usage("diff --align", "%s %s is too long", option, span->text);
    *out = (int64_t)ticks.whole;
    return CLI_OK;
}

/* Samples see an edge up to one sample later than it is. */
static int64_t default_jitter(const struct align_side side[2])
{
    int64_t jitter = 0;

    for (int k = 0; k < 2; k++) {
        uint64_t sample = 0;
        if (side[k].info.sampled && cli_time_scaled(&side[k].scale, 1, &sample))
            jitter += (int64_t)sample + side[k].scale.rounded;
    }
    return jitter;
}

/* --- what the user says --- */

static int shift_of_time(struct align_shift *s, const char *text)
{
    const bool minus = text[0] == '-';
    struct cli_span span;

    int code = cli_span_take("diff --align", "--align", text + (minus || text[0] == '+'),
                             CLI_SPAN_UNITS, &span);
    if (code == CLI_OK)
        code = units_of(s, "--align", &span, &s->shift);
    s->shift = minus ? -s->shift : s->shift;
    return code;
}

/* The name in "rise(x)", which starts at `text`; free() it; NULL: it is not one. */
static char *name_inside(const char *text, const char *word)
{
    const size_t n = strlen(word), length = strlen(text);

    if (strncmp(text, word, n) != 0 || text[n] != '(' || length < n + 3 || text[length - 1] != ')')
        return NULL;
    return cli_copy(text + n + 1, length - n - 2);
}

enum { RISE, FALL, EDGE, WORDS };
static const char *const words[WORDS] = { "rise", "fall", "edge" };

/* Finds the time of the first such edge of a side; an exit code. */
static int first_edge(struct align_side *s, uint32_t signal, int which, const char *text,
                      int64_t *out)
{
    struct align_edge e;
    int code;

    while ((code = align_side_next(s, &e)) == CLI_OK && e.signal != UINT32_MAX) {
        if (e.signal != signal || (which != EDGE && (e.unknown || e.value != (which == RISE))))
            continue;
        *out = e.time;
        return CLI_OK;
    }
    return code ? code : fail(1705, "%s has no %s", cli_input_name(s->path), text);
}

static int shift_of_edge(struct align_shift *s, const struct align_names *n,
                         struct align_side side[2], const char *name, int which, const char *text)
{
    uint32_t signal = 0;
    int64_t at[2] = { 0, 0 };
    int code = align_find_signal(n, side, name, &signal);

    for (int k = 0; k < 2 && code == CLI_OK; k++)
        code = first_edge(&side[k], signal, which, text, &at[k]);
    s->shift = at[1] - at[0];
    return code;
}

/* --- the search --- */

struct list {
    struct align_edge edge[ALIGN_EDGES];
    size_t edges;
    int64_t first, last; /* time that the list covers */
};
struct difference {
    int64_t by;
    double weight;
};
struct search {
    struct list *list[2];
    struct difference *difference;
    size_t differences;
    uint64_t *count[2]; /* edges in the list, by signal */
    uint64_t *agree;    /* by signal: of the shift that is tried */
    uint32_t used[ALIGN_EDGES];
    uint32_t turn;
    int64_t jitter;
    size_t signals;
};
struct candidate {
    int64_t shift;
    uint64_t agree, edges;
    double score;
};

/* The first edges of a side, of one signal or of all (UINT32_MAX). */
static int read_list(struct align_side *s, uint32_t signal, struct list *l)
{
    struct align_edge e = { .signal = 0 };
    int code = CLI_OK;

    while (l->edges < ALIGN_EDGES && (code = align_side_next(s, &e)) == CLI_OK &&
           e.signal != UINT32_MAX)
        if (signal == UINT32_MAX || e.signal == signal)
            l->edge[l->edges++] = e;
    l->first = s->first;
    l->last = l->edges == ALIGN_EDGES ? l->edge[l->edges - 1].time : s->last;
    return code;
}

static bool alike(const struct align_edge *a, const struct align_edge *b)
{
    return a->signal == b->signal && a->value == b->value && a->unknown == b->unknown;
}

static uint64_t fewest(const struct search *s, uint32_t signal)
{
    return s->count[0][signal] < s->count[1][signal] ? s->count[0][signal] : s->count[1][signal];
}

static int by_difference(const void *a, const void *b)
{
    const struct difference *x = a, *y = b;

    return (x->by > y->by) - (x->by < y->by);
}

static bool find_differences(struct search *s)
{
    const struct list *a = s->list[0], *b = s->list[1];

    s->difference = malloc((a->edges * b->edges + 1) * sizeof *s->difference);
    for (size_t i = 0; s->difference && i < a->edges; i++)
        for (size_t k = 0; k < b->edges; k++)
            if (alike(&a->edge[i], &b->edge[k]))
                s->difference[s->differences++] =
                    (struct difference){ b->edge[k].time - a->edge[i].time,
                                         1 / (double)fewest(s, a->edge[i].signal) };
    if (s->difference)
        qsort(s->difference, s->differences, sizeof *s->difference, by_difference);
    return s->difference != NULL;
}

/* Tries a shift; the middle of the differences of the edges that agree is a better one. */
static struct candidate try_shift(struct search *s, int64_t shift)
{
    const struct list *a = s->list[0], *b = s->list[1];
    const int64_t from = a->first > b->first - shift ? a->first : b->first - shift;
    const int64_t to = a->last < b->last - shift ? a->last : b->last - shift;
    struct candidate c = { .shift = shift };
    uint64_t there[2] = { 0, 0 };
    int64_t least = INT64_MAX, most = INT64_MIN;
    size_t begin = 0;

    s->turn++;
    memset(s->agree, 0, s->signals * sizeof *s->agree);
    for (size_t k = 0; k < b->edges; k++)
        there[1] += b->edge[k].time - shift >= from && b->edge[k].time - shift <= to;
    for (size_t i = 0; i < a->edges; i++) {
        const int64_t at = a->edge[i].time + shift;
        there[0] += a->edge[i].time >= from && a->edge[i].time <= to;
        while (begin < b->edges && b->edge[begin].time < at - s->jitter)
            begin++;
        for (size_t k = begin; k < b->edges && b->edge[k].time <= at + s->jitter; k++) {
            const int64_t by = b->edge[k].time - a->edge[i].time;
            if (s->used[k] == s->turn || !alike(&a->edge[i], &b->edge[k]))
                continue;
            s->used[k] = s->turn;
            s->agree[a->edge[i].signal]++;
            c.agree++;
            least = by < least ? by : least;
            most = by > most ? by : most;
            break;
        }
    }
    c.edges = there[0] > there[1] ? there[0] : there[1];
    for (uint32_t i = 0; i < s->signals; i++)
        if (s->agree[i] > 0)
            c.score += (double)s->agree[i] / (double)fewest(s, i);
    if (c.agree > 0)
        c.shift = least + (most - least) / 2;
    return c;
}

static bool is_near(const struct search *s, int64_t a, int64_t b)
{
    return (a > b ? a - b : b - a) <= 2 * s->jitter;
}

/* The densest windows of differences, no two of which are one. */
static size_t find_candidates(const struct search *s, struct candidate out[CANDIDATES])
{
    size_t count = 0;
    double weight = 0;

    for (size_t i = 0, k = 0; i < s->differences; i++) {
        for (; k < s->differences && s->difference[k].by <= s->difference[i].by + 2 * s->jitter;
             k++)
            weight += s->difference[k].weight;
        const struct candidate c = { .shift = s->difference[i].by +
                                              (s->difference[k - 1].by - s->difference[i].by) / 2,
                                     .score = weight };
        weight -= s->difference[i].weight;
        size_t at = count;
        for (size_t m = 0; m < count; m++)
            if (is_near(s, out[m].shift, c.shift))
                at = m;
        if (at == count && count == CANDIDATES)
            for (size_t m = 0; m < count; m++)
                at = at == count || out[m].score < out[at].score ? m : at;
        if (at == count)
            out[count++] = c;
        else if (c.score > out[at].score)
            out[at] = c;
    }
    return count;
}

static int judge(struct align_shift *s, struct search *search)
{
    struct candidate found[CANDIDATES], best = { .score = -1 }, next = { .score = -1 };
    const size_t count = find_candidates(search, found);

    for (size_t i = 0; i < count; i++) {
        const struct candidate c = try_shift(search, try_shift(search, found[i].shift).shift);
        const bool again = best.score >= 0 && is_near(search, c.shift, best.shift);
        if (c.score > best.score) {
            next = again ? next : best;
            best = c;
        } else if (!again && c.score > next.score) {
            next = c;
        }
    }
    if (best.score < 0 || 2 * best.agree < best.edges || best.agree < 2)
        return fail(1705,
                    "no shift was found at which the first edges of each (at most %s) agree; the "
                    "best one has %s of %s",
                    cli_grouped(ALIGN_EDGES), cli_grouped(best.score < 0 ? 0 : best.agree),
                    cli_count(best.score < 0 ? 0 : best.edges, "edge"));
    s->searched = true;
    s->shift = best.shift;
    s->agree = best.agree;
    s->edges = best.edges;
    s->has_next = next.score >= 0;
    s->next = next.shift;
    s->next_agree = next.agree;
    s->next_edges = next.edges;
    s->ambiguous = next.score >= 0.9 * best.score;
    return CLI_OK;
}

static int search_shift(struct align_shift *s, const struct align_names *n,
                        struct align_side side[2], uint32_t signal)
{
    struct search *search = calloc(1, sizeof *search);
    int code = CLI_OK;

    if (!search)
        return cli_no_memory();
    search->jitter = s->jitter;
    search->signals = n->signals;
    search->agree = calloc(n->signals + 1, sizeof *search->agree);
    bool memory = search->agree != NULL;
    for (int k = 0; k < 2; k++) {
        search->list[k] = calloc(1, sizeof *search->list[k]);
        search->count[k] = calloc(n->signals + 1, sizeof *search->count[k]);
        memory &= search->list[k] && search->count[k];
        if (memory && code == CLI_OK)
            code = read_list(&side[k], signal, search->list[k]);
        for (size_t i = 0; memory && code == CLI_OK && i < search->list[k]->edges; i++)
            search->count[k][search->list[k]->edge[i].signal]++;
    }
    if (!memory || (code == CLI_OK && !find_differences(search)))
        code = cli_no_memory();
    if (code == CLI_OK)
        code = judge(s, search);
    for (int k = 0; k < 2; k++) {
        free(search->list[k]);
        free(search->count[k]);
    }
    free(search->agree);
    free(search->difference);
    free(search);
    return code;
}

/* --- --- */

static int refuse_pipes(const struct align_side side[2])
{
    for (int k = 0; k < 2; k++)
        if (cli_read_once(side[k].path))
            return cli_usage("diff --align",
                             "%s is read once, and a shift is looked for before captures are "
                             "compared: use a file, or give the shift, like --align 0",
                             cli_input_name(side[k].path));
    return CLI_OK;
}

int align_find_shift(struct align_shift *s, const struct align_options *o,
                     const struct align_names *n, struct align_side side[2])
{
    const char *text = o->align;
    uint32_t signal = UINT32_MAX;
    int code = find_unit(s, side);

    s->jitter = default_jitter(side);
    if (code == CLI_OK && o->jitter.text)
        code = units_of(s, "--jitter", &o->jitter, &s->jitter);
    if (code)
        return code;
    if ((text[0] >= '0' && text[0] <= '9') || text[0] == '-' || text[0] == '+')
        return shift_of_time(s, text);
    code = refuse_pipes(side);
    for (int k = 0; k < 2 && code == CLI_OK; k++)
        code = align_side_begin(&side[k], o, n);
    for (int i = 0; i < WORDS && code == CLI_OK; i++) {
        char *name = name_inside(text, words[i]);
        if (!name)
            continue;
        code = shift_of_edge(s, n, side, name, i, text);
        free(name);
        return code;
    }
    if (code == CLI_OK && strcmp(text, "auto") != 0)
        code = align_find_signal(n, side, text, &signal);
    return code ? code : search_shift(s, n, side, signal);
}

/* SPDX-License-Identifier: MIT */
/* --pulse 'high >= 1ms & high <= 2ms': which widths are valid, in time units. */
#include "activity/activity.h"

#include <string.h>

#include "text/chars.h"
#include "wave/event_list.h"

struct rule {
    const struct activity_run *run;
    struct cli_place place;
    size_t at;
    bool begun; /* there was a comparison */
};

static int wrong(const struct rule *r, const char *what)
{
    return cli_error_at(914, &r->place, (uint32_t)r->at + 1,
                        "Write it like `high >= 10us`, or `low > 1ms & low < 2ms`.", "%s", what);
}

static void pass_blanks(struct rule *r)
{
    while (cli_is_blank(r->place.argument[r->at]))
        r->at++;
}

static int read_width(struct rule *r, enum pc_activity_width *out)
{
    static const char *const words[] = { "high", "low", "period" };
    const char *text = r->place.argument + r->at;

    for (size_t i = 0; i < 3; i++) {
        const size_t n = strlen(words[i]);
        if (strncmp(text, words[i], n) != 0 || cli_is_word(text[n]))
            continue;
        if (r->begun && *out != (enum pc_activity_width)i)
            return wrong(r, "a rule is of one width");
        *out = (enum pc_activity_width)i;
        r->at += n;
        pass_blanks(r);
        return CLI_OK;
    }
    return wrong(r, "expected high, low or period");
}

static int read_comparison(struct rule *r, char out[3])
{
    const char *text = r->place.argument + r->at;
    const bool equal = text[0] != '\0' && text[1] == '=';
    const size_t n = text[0] != '\0' && strchr("<>", text[0]) ? 1 + equal
                     : text[0] == '=' && equal                ? 2
                                                              : 0;

    if (n == 0)
        return wrong(r, "expected >= > <= < or ==");
    memcpy(out, text, n);
    out[n] = '\0';
    r->at += n;
    pass_blanks(r);
    return CLI_OK;
}

static int read_time(struct rule *r, struct cli_ticks *out)
{
    const char *text = r->place.argument + r->at;
    const size_t n = strcspn(text, " \t&");
    struct cli_span span;
    uint32_t column = 1;
    char word[64];

    if (n == 0 || n >= sizeof word)
        return wrong(r, "expected a time, like 10us");
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    const char *what = cli_span_parse(word, CLI_SPAN_UNITS, &span, &column);
    if (what || (span.in_cycles && strchr(word, 'c')))
        return wrong(r, what ? what : "expected a time, like 10us, or time units");
    *out = (struct cli_ticks){ .whole = span.number };
    if (!span.in_cycles && r->run->info.timescale_factor == 0)
        return wrong(r, "the waveform does not say how long its time unit is: give a number of "
                        "time units");
    if (!span.in_cycles && !cli_span_ticks(&span, &r->run->info, out))
        return wrong(r, "the time has more than 64 bits of time units");
    r->at += n;
    pass_blanks(r);
    return CLI_OK;
}

/* Narrows the widths to those that the comparison allows. */
static void narrow(struct pc_activity_pulse *p, const char *compare, const struct cli_ticks *t)
{
    const bool or_equal = compare[1] == '=';
    const uint64_t up = t->whole + (t->part > 0 && t->whole < UINT64_MAX);
    uint64_t least = 0, most = UINT64_MAX;

    if (compare[0] == '>' || compare[0] == '=') {
        least = or_equal || t->part > 0 ? up : t->whole + (t->whole < UINT64_MAX);
        if (!or_equal && t->part == 0 && t->whole == UINT64_MAX)
            most = 0;
    }
    if (compare[0] == '<' || compare[0] == '=') {
        most = or_equal || t->part > 0 ? t->whole : t->whole - (t->whole > 0);
        if (!or_equal && t->part == 0 && t->whole == 0)
            least = UINT64_MAX;
    }
    p->least = least > p->least ? least : p->least;
    p->most = most < p->most ? most : p->most;
}

int activity_read_pulse(struct activity_run *run)
{
    struct rule r = { .run = run, .place = { "--pulse", run->o->pulse, 0 } };
    struct cli_ticks ticks;
    char compare[3];
    int code = CLI_OK;

    if (!run->o->pulse)
        return CLI_OK;
    run->pulse = (struct pc_activity_pulse){ .most = UINT64_MAX };
    pass_blanks(&r);
    do {
        code = read_width(&r, &run->pulse.width);
        if (code == CLI_OK)
            code = read_comparison(&r, compare);
        if (code == CLI_OK)
            code = read_time(&r, &ticks);
        if (code)
            return code;
        narrow(&run->pulse, compare, &ticks);
        r.begun = true;
        if (r.place.argument[r.at] == '\0')
            return run->pulse.least <= run->pulse.most
                       ? CLI_OK
                       : wrong(&r, "no width fits, in time units of the waveform");
        if (r.place.argument[r.at] != '&')
            return wrong(&r, "expected & or the end");
        r.at += r.place.argument[r.at + 1] == '&' ? 2 : 1;
        pass_blanks(&r);
    } while (true);
}

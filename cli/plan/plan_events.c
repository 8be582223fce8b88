/* SPDX-License-Identifier: MIT */
/*
 * Events of pcounter plan: names to signals, and by them to the domain; sum(LIST) iff CONDITION;
 * what sets and clears the flag.  An event without an operator can be the name of a known
 * configuration.
 */
#include "plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- names to signals --- */

struct lookup {
    struct plan_job *j;
    struct plan_event *e;
    bool known; /* the domain */
    bool any;   /* it looks at some signal */
    int told;   /* exit code of what the look-up has said itself */
};

/* s2a, s[42], s[45:42]: in every domain there is one. */
static bool is_position(const char *name)
{
    return (name[0] == 's' || name[0] == 'S') &&
           (name[1] == '[' || (isxdigit((unsigned char)name[1]) &&
                               isxdigit((unsigned char)name[2]) && name[3] == '\0'));
}

/* No signal is called like the event: a known configuration may be, nearly, or a metric. */
static void hint_of_metric(const struct lookup *l, const char *name, struct pc_error *err)
{
    struct pc_profiler_metric m;
    char near[200];

    if (strcmp(name, l->e->text) != 0)
        return;
    for (size_t i = 0; pc_profiler_metric_at(i, &m); i++)
        if (strcmp(m.name, name) == 0 && pc_names_chip_listed(m.chips, l->j->chip->name)) {
            snprintf(err->hint, sizeof err->hint, "it is the name of a metric: -M %.60s", name);
            return;
        }
    pc_metric_row_near(l->j->chip, name, near, sizeof near);
    const size_t n = cli_suggests(err) ? strlen(err->hint) : 0;
    if (near[0])
        snprintf(err->hint + n, sizeof err->hint - n, "%ssimilar configurations: %s", n ? "; " : "",
                 near);
}

/* While the domain is not known: which one has the name?  What is in several says nothing. */
static enum pc_status guess(struct lookup *l, const char *name, struct pc_error *err)
{
    struct pc_chip_domain place[2];
    struct pc_signal s;
    struct pc_error why;
    enum pc_status status = pc_names_find(l->j->names, PC_NAMES_ANY, name, &s, &why);

    l->any = true;
    if (status == PC_EAMBIG || (status && is_position(name)))
        return PC_OK;
    if (status) {
        *err = why;
        hint_of_metric(l, name, err);
        return status;
    }
    if (!l->known) {
        l->known = true;
        l->e->domain = s.domain;
    }
    if (s.domain == l->e->domain)
        return PC_OK;
    (void)pc_chip_get_domain(l->j->chip, l->e->domain, &place[0]);
    (void)pc_chip_get_domain(l->j->chip, s.domain, &place[1]);
    *err = (struct pc_error){ .status = pc_explain(1506)->status, .code = 1506 };
    snprintf(err->text, sizeof err->text,
             "\"%.60s\" is in domain %s, other signals of the event in domain %s", name,
             place[1].name, place[0].name);
    snprintf(err->hint, sizeof err->hint,
             "a counter sees only the signals of its own domain: count them as two events");
    return err->status;
}

static enum pc_status look_up_guess(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                                    size_t *count, bool *is_signed, struct pc_error *err)
{
    unsigned long high, low;

    (void)is_signed;
    if (!cli_position_range(name, &high, &low))
        high = low = 0;
    if (low > high)
        return cli_range_backwards(name, err);
    low = high - low >= capacity ? high : low;
    *count = high - low + 1;
    for (size_t i = 0; i < *count; i++)
        wires[i] = (uint32_t)i;
    return guess(ctx, name, err);
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    const struct lookup *l = ctx;
    unsigned long high, low;
    struct pc_signal s;
    char one[32];

    (void)is_signed;
    if (!cli_position_range(name, &high, &low)) { /* single positions are names to the library */
        enum pc_status status = pc_names_find(l->j->names, l->e->domain, name, &s, err);
        *count = 1;
        wires[0] = status == PC_OK ? s.position : 0;
        if (status == PC_ENOENT)
            hint_of_metric(l, name, err);
        return status;
    }
    if (low > high)
        return cli_range_backwards(name, err);
    snprintf(one, sizeof one, "s[%lu]", high);
    enum pc_status status = pc_names_find(l->j->names, l->e->domain, one, &s, err);
    *count = status == PC_OK ? high - low + 1 : 0;
    for (size_t i = 0; i < *count && i < capacity; i++)
        wires[i] = (uint32_t)(low + i);
    return status;
}

/* --- expressions --- */

static int parse(const char *text, const struct cli_place *place, pc_expr_lookup_fn *lookup,
                 struct lookup *l, struct pc_expr **out)
{
    struct pc_error err;

    if (pc_expr_parse(NULL, text, out, &err) || pc_expr_resolve(*out, lookup, l, &err))
        return l->told ? l->told : cli_library_error_at(&err, place);
    return CLI_OK;
}

/* Registers of the multiplexers of all signals that an expression or the sum looks at. */
static enum pc_status look_up_mux(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                                  size_t *count, bool *is_signed, struct pc_error *err)
{
    struct lookup *l = ctx;
    enum pc_status status = look_up(ctx, name, wires, capacity, count, is_signed, err);

    for (size_t i = 0; status == PC_OK && i < *count && i < capacity; i++) {
        l->told = plan_mux_of_signal(l->j, l->e, wires[i]);
        if (l->told) {
            *err = (struct pc_error){ .status = PC_EINPUT }; /* it is not printed */
            return PC_EINPUT;
        }
    }
    return status;
}

/* --- sum(LIST) iff CONDITION --- */

static size_t blanks(const char *text)
{
    return strspn(text, " \t\n\r");
}

/* Signals up to the closing parenthesis, the most significant first; text[at] after. */
static int take_list(const char *text, size_t *at, const struct cli_place *place,
                     pc_expr_lookup_fn *lookup, struct lookup *l)
{
    struct plan_event *e = l->e;
    uint32_t wire[PC_SUM_BITS + PC_MAX_SIGNALS], one[PC_MAX_SIGNALS];
    size_t used = 0, count = 0;

    for (;; ++*at) {
        char name[PC_SIGNAL_NAME];
        struct pc_error err;
        *at += blanks(text + *at);
        size_t n = strcspn(text + *at, ",) \t\n\r"), begin = *at;
        if (n == 0 || n >= sizeof name)
            return cli_error_at(301, place, (uint32_t)begin + 1, NULL, "expected a signal");
        snprintf(name, sizeof name, "%.*s", (int)n, text + begin);
        if (lookup(l, name, one, PC_MAX_SIGNALS, &count, &(bool){ false }, &err) != PC_OK) {
            if (l->told)
                return l->told;
            err.line = 1;
            err.column = (uint32_t)begin + 1;
            return cli_library_error_at(&err, place);
        }
        if (used + count > PC_SUM_BITS)
            return cli_error_at(341, place, (uint32_t)begin + 1, NULL,
                                "a sum has 2, 4 or 6 bits, not more");
        for (size_t i = count; i-- > 0;)
            wire[used++] = one[i];
        *at += n;
        *at += blanks(text + *at);
        if (text[*at] == ')')
            break;
        if (text[*at] != ',')
            return cli_error_at(301, place, (uint32_t)*at + 1, NULL,
                                "expected a comma or the ) of sum(");
    }
    ++*at;
    if (used != 2 && used != 4 && used != PC_SUM_BITS)
        return cli_error_at(341, place, 1, NULL, "a sum has 2, 4 or 6 bits, not %zu", used);
    e->sum_bits = (unsigned)used;
    for (size_t i = 0; i < used; i++)
        e->sum[i] = wire[used - 1 - i];
    return CLI_OK;
}

/* Where the condition begins, or the whole text if it is no sum; its number goes to the event. */
static int take_sum(const char *text, const struct cli_place *place, pc_expr_lookup_fn *lookup,
                    struct lookup *l, const char **condition)
{
    size_t at = strncmp(text, "sum", 3) == 0 ? 3 + blanks(text + 3) : 0;

    *condition = text;
    if (at == 0 || text[at] != '(')
        return CLI_OK;
    at++;
    int code = take_list(text, &at, place, lookup, l);
    if (code)
        return code;
    at += blanks(text + at);
    *condition = "1";
    if (text[at] == '\0')
        return CLI_OK;
    if (strncmp(text + at, "iff", 3) != 0 || (!blanks(text + at + 3) && text[at + 3] != '('))
        return cli_error_at(301, place, (uint32_t)at + 1, NULL,
                            "expected `iff CONDITION` or the end after sum(...)");
    *condition = text + at + 3;
    return CLI_OK;
}

/* One read of the event's text. */
static int read_text(struct plan_event *e, pc_expr_lookup_fn *lookup, struct lookup *l)
{
    const char *condition;
    struct cli_place place = e->place;
    int code = take_sum(e->text, &e->place, lookup, l, &condition);

    if (code)
        return code;
    if (condition >= e->text && condition <= e->text + strlen(e->text))
        place.offset += (uint32_t)(condition - e->text);
    return parse(condition, &place, lookup, l, &e->expr);
}

/* --- the domain --- */

static int find_domain(struct plan_job *j, struct plan_event *e, const struct plan_next *next)
{
    struct lookup l = { .j = j, .e = e };
    struct pc_chip_domain second;
    struct pc_error err;

    if (next->domain) {
        if (pc_chip_find_domain(j->chip, next->domain, &e->domain, &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
        return CLI_OK;
    }
    int code = read_text(e, look_up_guess, &l);
    pc_expr_free(e->expr);
    e->expr = NULL;
    if (code || l.known || !pc_chip_get_domain(j->chip, 1, &second))
        return code;
    if (!l.any) {
        e->anywhere = !next->setflag && !next->clrflag;
        return CLI_OK;
    }
    return cli_error_at(1506, &e->place, 1, "say it before the event, like -d 1",
                        "\"%.60s\": a signal of which domain?", e->name);
}

/* --- events --- */

static int add_event(struct plan_job *j, struct plan_event **out)
{
    void *array = j->event;

    *out = cli_one_more(&array, &j->events_capacity, &j->events, sizeof **out);
    j->event = array;
    if (!*out)
        return cli_no_memory();
    (*out)->origin = j->events - 1;
    return CLI_OK;
}

static int take_flag(const char *label, const char *text, struct lookup *l, struct pc_expr **out)
{
    const struct cli_place place = { label, text, 0 };

    return text ? parse(text, &place, look_up_mux, l, out) : CLI_OK;
}

/* A known configuration has its domain and its flag; options of its -e that say otherwise. */
static int check_row(struct plan_job *j, const struct plan_event *e, const struct plan_next *next)
{
    struct pc_chip_domain place;
    struct pc_error err;
    unsigned domain;

    if (next->setflag || next->clrflag)
        return cli_usage(
            "plan",
            "--%s applies to expressions; %s is a known configuration: give it a separate -e",
            next->setflag ? "setflag" : "clrflag", e->name);
    if (!next->domain || !next->moved) /* it is that of an -e before */
        return CLI_OK;
    if (pc_chip_find_domain(j->chip, next->domain, &domain, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    if (domain == e->domain)
        return CLI_OK;
    (void)pc_chip_get_domain(j->chip, e->domain, &place);
    return cli_error_at(1506, &e->place, 1,
                        "a known configuration is in the domain of its signals: leave --domain "
                        "out, or give this one a separate -e",
                        "%s is counted in domain %s, not in %s (--domain)", e->name, place.name,
                        next->domain);
}

/* An event whose name, group, place and text are there. */
static int complete_event(struct plan_job *j, struct plan_event *e, const struct plan_next *next)
{
    struct lookup l = { .j = j, .e = e };
    struct pc_metric_row row;
    int code = CLI_OK;

    /* a name of the table with braces can be written with a backslash, as in Verilog */
    if (plan_find_row(j->chip, e->text + (e->text[0] == '\\'), &row)) {
        free(e->text);
        e->text = NULL;
        code = plan_take_row(j, e, &row);
        if (code == CLI_OK && next == j->now)
            code = check_row(j, e, next);
    } else {
        code = find_domain(j, e, next);
        if (code == CLI_OK)
            code = read_text(e, look_up_mux, &l);
        if (code == CLI_OK)
            code = take_flag("--setflag", next->setflag, &l, &e->setflag);
        if (code == CLI_OK)
            code = take_flag("--clrflag", next->clrflag, &l, &e->clrflag);
    }
    for (size_t i = 0; i < next->muxes && code == CLI_OK; i++)
        code = plan_take_mux(j, e, next->mux[i]);
    return code;
}

static int take_event(void *ctx, const struct cli_event_text *text)
{
    struct plan_job *j = ctx;
    struct plan_event *e = NULL;
    struct pc_metric_row row;
    int code = text->clock ? cli_error_at(330, &text->clock_place, 1, NULL,
                                          "a plan is of one clock: leave out @%.*s",
                                          (int)text->clock_size, text->clock)
                           : add_event(j, &e);

    if (code == CLI_OK)
        code = j->events > PC_PLAN_EVENTS ? cli_event_too_many(text) : cli_event_reserved(text);
    if (code)
        return code;
    e->place = text->place;
    e->group = text->group;
    e->slots = text->slots;
    e->text = cli_copy(text->text, text->text_size);
    e->name =
        text->name ? cli_copy(text->name, text->name_size) : cli_copy(text->text, text->text_size);
    if (!e->text || !e->name)
        return cli_no_memory();
    /* a known configuration twice is the same twice, though its text is not its name any more */
    bool known = !text->name && plan_find_row(j->chip, e->text + (e->text[0] == '\\'), &row);
    for (size_t i = 0; i + 1 < j->events && code == CLI_OK; i++)
        code = cli_event_twice(text, j->event[i].name, known ? NULL : j->event[i].text);
    return code == CLI_OK ? complete_event(j, e, j->now) : code;
}

int plan_read_list(struct plan_job *j, const struct plan_list *list)
{
    j->now = &list->next;
    return cli_parse_events("-e", list->text, &j->groups, take_event, j);
}

/* The vendor's profiler knows the event by name. */
static bool in_profiler(const struct pc_chip *chip, const char *name)
{
    struct pc_profiler_metric m;
    size_t size = strlen(name);

    for (size_t i = 0; pc_profiler_metric_at(i, &m); i++) {
        if (!pc_names_chip_listed(m.chips, chip->name))
            continue;
        for (const char *at = m.events; *at; at += strcspn(at, " "), at += strspn(at, " "))
            if (strcspn(at, " ") == size && strncmp(at, name, size) == 0)
                return true;
    }
    return false;
}

bool plan_knows_event(void *ctx, const char *name)
{
    const struct plan_job *j = ctx;
    struct pc_metric_row row;
    struct pc_signal signal;

    for (size_t n = 0; n < j->events; n++)
        if (strcmp(j->event[n].name, name) == 0)
            return true;
    return plan_find_row(j->chip, name, &row) ||
           pc_names_find(j->names, PC_NAMES_ANY, name, &signal, NULL) == PC_OK ||
           !in_profiler(j->chip, name);
}

int plan_find_event(void *ctx, const struct cli_metric *m, const char *name, size_t *event)
{
    struct plan_job *j = ctx;
    struct plan_next next = { .domain = NULL };
    struct pc_metric_row row;
    struct pc_signal signal;
    struct plan_event *e = NULL;

    for (*event = 0; *event < j->events; ++*event)
        if (strcmp(j->event[*event].name, name) == 0)
            return CLI_OK;
    const struct cli_place place = cli_metric_place(m, name);
    if (pc_names_find(j->names, PC_NAMES_ANY, name, &signal, NULL) != PC_OK)
        next.domain = j->o->next.domain; /* the last -d, for what is in every domain */
    j->domain_taken |= next.domain && !plan_find_row(j->chip, name, &row);
    if (!plan_knows_event(j, name))
        return cli_error_at(1508, &place, 1, NULL, "how %s counts %s is not known", j->chip->name,
                            name);
    int code = add_event(j, &e);
    if (code)
        return code;
    e->place = place;
    e->group = j->groups++;
    e->text = cli_copy(name, strlen(name));
    e->name = cli_copy(name, strlen(name));
    return e->text && e->name ? complete_event(j, e, &next) : cli_no_memory();
}

/* Shares everything with the event that it repeats. */
int plan_copy_event(void *ctx, size_t event, size_t *copy)
{
    struct plan_job *j = ctx;
    struct plan_event *e = NULL;
    int code = add_event(j, &e);

    if (code)
        return code;
    *copy = j->events - 1;
    *e = j->event[event];
    e->group = j->groups++;
    return plan_request(j);
}

int plan_request(struct plan_job *j)
{
    void *array = j->planned;

    if (!cli_grow(&array, &j->planned_capacity, j->events + 1, sizeof *j->planned))
        return cli_no_memory();
    j->planned = array;
    for (size_t n = j->planned_count; n < j->events; n++) {
        struct plan_event *e = &j->event[n];
        struct pc_plan_event *p = &j->planned[n];
        *p = (struct pc_plan_event){ .name = e->name, .slots = e->slots, .group = e->group + 1 };
        p->domains = e->anywhere ? UINT64_MAX : UINT64_C(1) << e->domain;
        p->expr = e->expr;
        p->sum_bits = e->sum_bits;
        memcpy(p->sum, e->sum, sizeof p->sum);
        p->setflag = e->setflag;
        p->clrflag = e->clrflag;
        p->fixed = e->fixed;
        p->mux = e->mux;
        p->muxes = e->muxes;
    }
    j->planned_count = j->events;
    return CLI_OK;
}

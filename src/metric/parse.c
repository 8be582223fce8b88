/* SPDX-License-Identifier: MIT */
/*
 * `name = formula unit`.  What stands behind a complete formula is the unit: there an operator
 * or the end could follow, so no name of an event can be meant.
 */
#include "metric/metric.h"
#include "base/text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *line;
    size_t size, at;
    uint32_t number;
    struct pc_error *err;
    struct me_step step[ME_MAX_STEPS];
    size_t steps;
    struct {
        size_t begin, size;
    } event[ME_MAX_EVENTS];
    size_t events;
    struct {
        char what;     /* '(' ',' or an operator: + - * / n */
        char function; /* of a parenthesis: 0, 'm' min, 'M' max */
        bool comma;    /* of min, max: its comma was there */
        size_t begin;  /* in the line; of an operator: where its right operand begins */
    } stack[ME_MAX_DEPTH];
    size_t depth;
    size_t begin; /* of the formula */
    bool divides;
};

static enum pc_status fail(struct parser *p, size_t at, const char *what)
{
    return pc_fail_at(p->err, 1520, p->number, (uint32_t)at + 1, "%s", what);
}

static bool is_first(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_name(char c)
{
    return is_first(c) || pc_is_digit(c) || c == '.' || c == '$';
}

/* As in expressions: bytes above 0x7f are parts of UTF-8 letters of a signal. */
static bool is_foreign(char c)
{
    return (unsigned char)c >= 0x80;
}

/* Events and signals may be called so, metrics not. */
static bool begins_operand(char c)
{
    return is_first(c) || is_foreign(c) || c == '$';
}

static void skip(struct parser *p)
{
    while (p->at < p->size && pc_is_blank(p->line[p->at]))
        p->at++;
}

static char look(const struct parser *p)
{
    return p->at < p->size ? p->line[p->at] : '\0';
}

/* Length of the name at the current place: of an operand, or of the metric. */
static size_t name_size(const struct parser *p, bool operand)
{
    size_t n = 0;

    if (operand ? !begins_operand(look(p)) : !is_first(look(p)))
        return 0;
    while (p->at + n < p->size &&
           (in_name(p->line[p->at + n]) || (operand && is_foreign(p->line[p->at + n]))))
        n++;
    return n;
}

static bool is_word(const struct parser *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p->line + p->at, word, n) == 0;
}

static enum pc_status emit(struct parser *p, struct me_step step)
{
    if (p->steps == ME_MAX_STEPS)
        return fail(p, p->at, "the formula is too long");
    p->step[p->steps++] = step;
    return PC_OK;
}

/* --- operands --- */

/* Digits with at most one point: their value without it, and how many stand behind it. */
static enum pc_status take_digits(struct parser *p, double *value, int *decimals)
{
    size_t n = 0;
    bool dot = false;

    *value = 0;
    *decimals = 0;
    for (; p->at + n < p->size; n++) {
        const char c = p->line[p->at + n];
        if (c == '.' && dot)
            return fail(p, p->at + n, "a number has one point");
        if (c != '.' && !pc_is_digit(c))
            break;
        if (c == '.') {
            dot = true;
            continue;
        }
        *value = *value * 10 + (c - '0');
        *decimals += dot;
    }
    if (n >= 64 || (n == 1 && dot))
        return fail(p, p->at, "expected a number of up to 63 digits");
    p->at += n;
    return PC_OK;
}

/* "e3", "E-6" behind the digits, or nothing. */
static enum pc_status take_exponent(struct parser *p, int *exponent)
{
    bool negative = false;

    *exponent = 0;
    if (pc_lower(look(p)) != 'e')
        return PC_OK;
    p->at++;
    if (look(p) == '+' || look(p) == '-')
        negative = p->line[p->at++] == '-';
    if (!pc_is_digit(look(p)))
        return fail(p, p->at, "an exponent is a whole number: 1e3, 2.5e-6");
    for (; pc_is_digit(look(p)); p->at++)
        if (*exponent < 1000) /* more makes no difference */
            *exponent = *exponent * 10 + (look(p) - '0');
    if (look(p) == '.')
        return fail(p, p->at, "an exponent is a whole number: 1e3, 2.5e-6");
    if (negative)
        *exponent = -*exponent;
    return PC_OK;
}

/* In one step as far as powers of ten are exact, so that 2.5e-6 is the double nearest to it. */
static double times_ten_to(double value, int exponent)
{
    while (exponent != 0) {
        const int n = exponent > 22 ? 22 : exponent < -22 ? -22 : exponent;
        double power = 1;
        for (int i = 0; i < n || i < -n; i++)
            power *= 10;
        value = n < 0 ? value / power : value * power;
        exponent -= n;
    }
    return value;
}

/* strtod's point depends on the locale; the digits do not. */
static enum pc_status take_number(struct parser *p)
{
    const size_t begin = p->at;
    double digits, value;
    int decimals, exponent;
    enum pc_status status = take_digits(p, &digits, &decimals);

    if (status == PC_OK)
        status = take_exponent(p, &exponent);
    if (status)
        return status;
    value = times_ten_to(digits, exponent - decimals);
    if (value > DBL_MAX)
        return fail(p, begin, "a number is less than 1.8e308");
    if (value < DBL_MIN && digits > 0)
        return fail(p, begin, "a number is 0, or 2.3e-308 and more");
    return emit(p, (struct me_step){ .op = ME_NUMBER, .number = value });
}

static enum pc_status take_event(struct parser *p, size_t n)
{
    struct me_step step = { .op = ME_EVENT };
    size_t i = 0;

    if (is_word(p, n, "cycles") || is_word(p, n, "seconds")) {
        step.op = p->line[p->at] == 'c' ? ME_CYCLES : ME_SECONDS;
    } else {
        while (i < p->events && (p->event[i].size != n ||
                                 memcmp(p->line + p->event[i].begin, p->line + p->at, n) != 0))
            i++;
        if (i == ME_MAX_EVENTS)
            return fail(p, p->at, "a formula reads up to 64 events");
        if (i == p->events) {
            p->event[i].begin = p->at;
            p->event[p->events++].size = n;
        }
        step.event = (uint16_t)i;
    }
    p->at += n;
    return emit(p, step);
}

static enum pc_status push(struct parser *p, char what, char function, size_t begin)
{
    if (p->depth == ME_MAX_DEPTH)
        return fail(p, p->at, "too many open parentheses");
    p->stack[p->depth].what = what;
    p->stack[p->depth].function = function;
    p->stack[p->depth].comma = false;
    p->stack[p->depth++].begin = begin;
    return PC_OK;
}

/* An operand, or what opens one; *done: the operand is complete. */
static enum pc_status take_operand(struct parser *p, bool *done)
{
    size_t n = name_size(p, true), begin = p->at;
    char c = look(p);

    *done = false;
    if (c == '(' || c == '-') {
        p->at++;
        return push(p, c == '(' ? '(' : 'n', 0, begin);
    }
    if (c == '+') {
        p->at++;
        return PC_OK;
    }
    if (pc_is_digit(c) || c == '.') {
        *done = true;
        return take_number(p);
    }
    if (n == 0)
        return fail(p, p->at, "expected a number, the name of an event or a parenthesis");
    bool function = is_word(p, n, "min") || is_word(p, n, "max");
    char which = function && p->line[p->at + 1] == 'i' ? 'm' : 'M';
    size_t behind = p->at + n;
    while (behind < p->size && pc_is_blank(p->line[behind]))
        behind++;
    if (behind < p->size && p->line[behind] == '(') {
        if (!function)
            return fail(p, p->at, "the functions are min and max");
        p->at = behind + 1;
        return push(p, '(', which, begin);
    }
    *done = true;
    return take_event(p, n);
}

/* --- operators --- */

static unsigned strength(char op)
{
    return op == 'n' ? 3 : op == '*' || op == '/' ? 2 : op == '+' || op == '-' ? 1 : 0;
}

static enum pc_status reduce(struct parser *p)
{
    char op = p->stack[--p->depth].what;
    size_t begin = p->stack[p->depth].begin, end = p->at;
    struct me_step step = { .op = op == 'n'   ? ME_NEG
                                  : op == '+' ? ME_ADD
                                  : op == '-' ? ME_SUB
                                  : op == '*' ? ME_MUL
                                              : ME_DIV };

    while (begin < end && pc_is_blank(p->line[begin]))
        begin++;
    while (end > begin && pc_is_blank(p->line[end - 1]))
        end--;
    step.begin = (uint16_t)(begin - p->begin);
    step.end = (uint16_t)(end - p->begin);
    p->divides |= step.op == ME_DIV;
    return emit(p, step);
}

/* Operators on the stack that bind at least as strongly as the next one. */
static enum pc_status reduce_down(struct parser *p, unsigned to)
{
    enum pc_status status = PC_OK;

    while (status == PC_OK && p->depth > 0 && strength(p->stack[p->depth - 1].what) >= to &&
           p->stack[p->depth - 1].what != '(')
        status = reduce(p);
    return status;
}

static enum pc_status close_parenthesis(struct parser *p)
{
    enum pc_status status = reduce_down(p, 1);

    if (status)
        return status;
    if (p->depth == 0)
        return fail(p, p->at, "no parenthesis is open here");
    char function = p->stack[--p->depth].function;
    if (function && !p->stack[p->depth].comma)
        return fail(p, p->at, "min and max take two operands");
    p->at++;
    if (!function)
        return PC_OK;
    return emit(p, (struct me_step){ .op = function == 'm' ? ME_MIN : ME_MAX });
}

static enum pc_status take_comma(struct parser *p)
{
    enum pc_status status = reduce_down(p, 1);

    if (status)
        return status;
    if (p->depth == 0 || !p->stack[p->depth - 1].function || p->stack[p->depth - 1].comma)
        return fail(p, p->at, "a comma stands between the two operands of min and max");
    p->stack[p->depth - 1].comma = true;
    p->at++;
    return PC_OK;
}

/* "/s" with a blank before it and nothing behind it: the unit, not a division. */
static bool is_per_second(const struct parser *p)
{
    size_t behind = p->at + 2;

    if (p->size < behind || p->line[p->at + 1] != 's' || !pc_is_blank(p->line[p->at - 1]))
        return false;
    while (behind < p->size && pc_is_blank(p->line[behind]))
        behind++;
    return behind == p->size;
}

/* Behind an operand: *more: another operand has to follow; *end: the formula is complete. */
static enum pc_status take_operator(struct parser *p, bool *more, bool *end)
{
    enum pc_status status = PC_OK;
    char c = look(p);

    *more = *end = false;
    if (c == ')')
        return close_parenthesis(p);
    if (c == ',') {
        *more = true;
        return take_comma(p);
    }
    if (pc_is_one_of(c, "+-*/") && !(c == '/' && is_per_second(p))) {
        *more = true;
        status = reduce_down(p, strength(c));
        p->at++;
        return status ? status : push(p, c, 0, p->at);
    }
    if (p->depth > 0) {
        status = reduce_down(p, 1);
        if (status == PC_OK && p->depth > 0)
            status = c == '\0' ? fail(p, p->stack[p->depth - 1].begin, "this is not closed")
                               : fail(p, p->at, "expected an operator or )");
    }
    *end = true;
    return status;
}

static enum pc_status take_formula(struct parser *p)
{
    bool done, more = true, end = false;

    p->begin = p->at;
    while (!end) {
        skip(p);
        enum pc_status status = PC_OK;
        if (more) {
            status = take_operand(p, &done);
            more = !done;
        } else {
            status = take_operator(p, &more, &end);
        }
        if (status)
            return status;
    }
    return PC_OK;
}

/* --- units --- */

static const struct {
    const char *written, *unit;
} units[] = {
    { "%", "%" },           { "ratio", "ratio" },     { "count", "count" },
    { "cycles", "cycles" }, { "bytes", "bytes" },     { "B", "bytes" },
    { "s", "s" },           { "count/s", "count/s" }, { "cycles/s", "cycles/s" },
    { "Hz", "count/s" },    { "bytes/s", "bytes/s" }, { "B/s", "bytes/s" },
    { "/s", "count/s" },    { "%/s", "%/s" },         { "ratio/s", "ratio/s" },
};

static enum pc_status take_unit(struct parser *p, const char **out)
{
    size_t end = p->size;

    *out = p->divides ? "ratio" : "count";
    while (end > p->at && pc_is_blank(p->line[end - 1]))
        end--;
    if (p->at == end)
        return PC_OK;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (is_word(p, end - p->at, units[i].written)) {
            *out = units[i].unit;
            return PC_OK;
        }
    return fail(p, p->at,
                "expected an operator, or one of the units %, ratio, count, cycles, "
                "bytes, s, with or without /s");
}

/* --- the line --- */

static enum pc_status take_name(struct parser *p, size_t *begin, size_t *size)
{
    skip(p);
    *begin = p->at;
    *size = name_size(p, false);
    if (*size == 0)
        return fail(p, p->at, "expected the name of a metric");
    p->at += *size;
    skip(p);
    if (look(p) != '=')
        return fail(p, p->at, "expected = behind the name of the metric");
    p->at++;
    skip(p);
    return PC_OK;
}

static char *copy(char *to, const char *from, size_t size)
{
    memcpy(to, from, size);
    to[size] = '\0';
    return to + size + 1;
}

static enum pc_status keep(const struct pc_alloc *alloc, const struct parser *p, size_t name,
                           size_t name_length, size_t formula_end, const char *unit,
                           struct me_metric *m)
{
    size_t size = name_length + 1 + formula_end - p->begin + 1 + strlen(unit) + 1;

    for (size_t i = 0; i < p->events; i++)
        size += p->event[i].size + 1;
    m->text_size = size;
    m->steps = p->steps;
    m->events = p->events;
    m->text = pc_calloc(alloc, size, 1);
    m->step = pc_calloc(alloc, p->steps, sizeof *m->step);
    m->event = pc_calloc(alloc, p->events + 1, sizeof *m->event);
    if (!m->text || !m->step || !m->event)
        return pc_fail(p->err, 100, "out of memory for a metric");
    char *to = copy(m->text, p->line + name, name_length);
    m->formula = (size_t)(to - m->text);
    to = copy(to, p->line + p->begin, formula_end - p->begin);
    m->unit = (size_t)(to - m->text);
    to = copy(to, unit, strlen(unit));
    for (size_t i = 0; i < p->events; i++) {
        m->event[i] = to;
        to = copy(to, p->line + p->event[i].begin, p->event[i].size);
    }
    memcpy(m->step, p->step, p->steps * sizeof *m->step);
    return PC_OK;
}

enum pc_status me_parse(const struct pc_alloc *alloc, const char *line, size_t size,
                        uint32_t number, struct me_metric *out, struct pc_error *err)
{
    struct parser p = { .line = line, .size = size, .number = number, .err = err };
    size_t name, name_length;
    const char *unit;
    enum pc_status status = take_name(&p, &name, &name_length);

    if (status == PC_OK)
        status = take_formula(&p);
    size_t end = p.at;
    if (status == PC_OK)
        status = take_unit(&p, &unit);
    if (status)
        return status;
    while (end > p.begin && pc_is_blank(line[end - 1]))
        end--;
    return keep(alloc, &p, name, name_length, end, unit, out);
}

void me_free(const struct pc_alloc *alloc, struct me_metric *m)
{
    pc_free(alloc, m->text, m->text ? m->text_size : 0);
    pc_free(alloc, m->step, m->step ? m->steps * sizeof *m->step : 0);
    pc_free(alloc, m->event, m->event ? (m->events + 1) * sizeof *m->event : 0);
}

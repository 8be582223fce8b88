/* SPDX-License-Identifier: MIT */
/*
 * `name = formula unit`.  What comes after a complete formula is the unit: there an operator
 * or the end could follow, so no name of an event can be meant.
 */
#include "base/text.h"
#include "lang/metric/parser.h"

#include <string.h>

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

/* Returns true where an operand begins; events and signals may be called so, metrics not. */
static bool begins_operand(char c)
{
    return is_first(c) || is_foreign(c) || c == '$';
}

static void skip(struct me_parser *p)
{
    while (p->at < p->size && pc_is_blank(p->line[p->at]))
        p->at++;
}

static char look(const struct me_parser *p)
{
    return p->at < p->size ? p->line[p->at] : '\0';
}

/* Returns bytes of an index at this place, as in "ram[0].u"; 0: there is none. */
static size_t index_size(const struct me_parser *p, size_t at)
{
    size_t n = at + 1;

    if (at >= p->size || p->line[at] != '[')
        return 0;
    while (n < p->size && p->line[n] >= '0' && p->line[n] <= '9')
        n++;
    return n > at + 1 && n < p->size && p->line[n] == ']' ? n + 1 - at : 0;
}

/* Returns the length of the name at the current place: of an operand, or of the metric. */
static size_t name_size(const struct me_parser *p, bool operand)
{
    size_t n = 0;

    if (operand ? !begins_operand(look(p)) : !is_first(look(p)))
        return 0;
    while (p->at + n < p->size &&
           (in_name(p->line[p->at + n]) ||
            (operand && (is_foreign(p->line[p->at + n]) || index_size(p, p->at + n) > 0))))
        n += in_name(p->line[p->at + n]) || is_foreign(p->line[p->at + n])
                 ? 1
                 : index_size(p, p->at + n);
    return n;
}

static bool is_word(const struct me_parser *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p->line + p->at, word, n) == 0;
}

/* --- operands --- */

static enum pc_status take_number(struct me_parser *p)
{
    struct me_step step;
    const size_t begin = p->at;
    const enum pc_status status = me_take_number(p, &step);
    const struct me_quantity q = { .number = true, .hundred = step.number == 100, .begin = begin };

    return status ? status : me_operand(p, step, q);
}

/* Finds the number of an event, a new one at its first use; false: there are too many. */
static bool number_of(struct me_parser *p, const char *name, size_t size, uint16_t *out)
{
    size_t i = 0;

    while (i < p->events && (p->event[i].size != size || memcmp(p->event[i].name, name, size) != 0))
        i++;
    if (i == ME_MAX_EVENTS)
        return false;
    if (i == p->events) {
        p->event[i].name = name;
        p->event[p->events++].size = size;
    }
    *out = (uint16_t)i;
    return true;
}

static enum pc_status take_event(struct me_parser *p, size_t n)
{
    const char *name = p->line + p->at;
    struct me_step step = { .op = ME_EVENT };
    struct me_quantity q = { .events = 1, .begin = p->at };

    if (is_word(p, n, "cycles")) {
        step.op = ME_CYCLES;
    } else if (is_word(p, n, "seconds")) {
        step.op = ME_SECONDS;
        q.events = 0;
        q.seconds = 1;
    } else if (!number_of(p, name, n, &step.event)) {
        return me_fail(p, p->at, "a formula reads up to 64 events");
    }
    p->at += n;
    return me_operand(p, step, q);
}

/* Takes the steps of a metric whose name stands here. */
static enum pc_status take_metric(struct me_parser *p, size_t n, const struct me_metric *m)
{
    const bool number = m->kind == PC_METRIC_NUMBER, part = m->kind == PC_METRIC_PART;
    const struct me_quantity q = { .number = number,
                                   .part = part,
                                   .events = m->powers[0],
                                   .seconds = m->powers[1],
                                   .unit = number || part ? NULL : m->unit,
                                   .begin = p->at };
    enum pc_status status = PC_OK;

    if (p->nameds == ME_MAX_NAMED)
        return me_fail(p, p->at, "a formula names up to 16 metrics");
    p->named[p->nameds++] = m;
    for (size_t i = 0; i < m->steps && status == PC_OK; i++) {
        struct me_step step = m->step[i];
        if (step.op == ME_DIV)
            step.named = (uint16_t)p->nameds;
        if (step.op == ME_EVENT) {
            const char *name = m->event[step.event];
            if (!number_of(p, name, strlen(name), &step.event))
                return me_fail(p, p->at, "a formula reads up to 64 events");
        }
        status = me_emit(p, step);
    }
    p->at += n;
    return status ? status : me_named(p, m->steps, q);
}

static const struct me_metric *known(const struct me_parser *p, size_t n)
{
    for (size_t i = 0; i < p->knowns; i++) {
        const struct me_metric *m = &p->known[i].metrics->metric[p->known[i].index];
        if (is_word(p, n, m->text))
            return m;
    }
    return NULL;
}

static enum pc_status push(struct me_parser *p, char what, char function, size_t begin)
{
    if (p->depth == ME_MAX_DEPTH)
        return me_fail(p, p->at, "a formula opens up to 64 parentheses and signs at once");
    p->stack[p->depth].what = what;
    p->stack[p->depth].function = function;
    p->stack[p->depth].comma = false;
    p->stack[p->depth++].begin = begin;
    return PC_OK;
}

/* Takes an operand, or what opens one; *done: the operand is complete. */
static enum pc_status take_operand(struct me_parser *p, bool *done)
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
        return me_fail(p, p->at, "expected a number, the name of an event or a parenthesis");
    bool function = is_word(p, n, "min") || is_word(p, n, "max");
    char which = function && p->line[p->at + 1] == 'i' ? 'm' : 'M';
    size_t behind = p->at + n;
    while (behind < p->size && pc_is_blank(p->line[behind]))
        behind++;
    if (behind < p->size && p->line[behind] == '(') {
        if (!function)
            return me_fail(p, p->at, "the functions are min and max");
        p->at = behind + 1;
        return push(p, '(', which, begin);
    }
    *done = true;
    const struct me_metric *metric = known(p, n);
    return metric ? take_metric(p, n, metric) : take_event(p, n);
}

/* --- operators --- */

static unsigned strength(char op)
{
    return op == 'n' ? 3 : op == '*' || op == '/' ? 2 : op == '+' || op == '-' ? 1 : 0;
}

static enum pc_status reduce(struct me_parser *p)
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
    step.begin = (uint32_t)(begin - p->begin);
    step.end = (uint32_t)(end - p->begin);
    p->divides |= step.op == ME_DIV;
    return op == 'n' ? me_negate(p) : me_operator(p, step);
}

/* Operators on the stack that bind at least as strongly as the next one. */
static enum pc_status reduce_down(struct me_parser *p, unsigned to)
{
    enum pc_status status = PC_OK;

    while (status == PC_OK && p->depth > 0 && strength(p->stack[p->depth - 1].what) >= to &&
           p->stack[p->depth - 1].what != '(')
        status = reduce(p);
    return status;
}

static enum pc_status close_parenthesis(struct me_parser *p)
{
    enum pc_status status = reduce_down(p, 1);

    if (status)
        return status;
    if (p->depth == 0)
        return me_fail(p, p->at, "unmatched parenthesis");
    char function = p->stack[--p->depth].function;
    if (function && !p->stack[p->depth].comma)
        return me_fail(p, p->at, "min and max take two operands");
    p->at++;
    if (!function)
        return PC_OK;
    return me_operator(p, (struct me_step){ .op = function == 'm' ? ME_MIN : ME_MAX });
}

static enum pc_status take_comma(struct me_parser *p)
{
    enum pc_status status = reduce_down(p, 1);

    if (status)
        return status;
    if (p->depth == 0 || !p->stack[p->depth - 1].function || p->stack[p->depth - 1].comma)
        return me_fail(p, p->at, "min and max need a comma between their two operands");
    p->stack[p->depth - 1].comma = true;
    p->at++;
    return PC_OK;
}

/* "/s" with a blank before it and nothing after it: the unit, not a division. */
static bool is_per_second(const struct me_parser *p)
{
    size_t behind = p->at + 2;

    if (p->size < behind || p->line[p->at + 1] != 's' || !pc_is_blank(p->line[p->at - 1]))
        return false;
    while (behind < p->size && pc_is_blank(p->line[behind]))
        behind++;
    return behind == p->size;
}

/* After an operand: *more: another operand has to follow; *end: the formula is complete. */
static enum pc_status take_operator(struct me_parser *p, bool *more, bool *end)
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
            status = c == '\0' ? me_fail(p, p->stack[p->depth - 1].begin, "this is not closed")
                               : me_fail(p, p->at, "expected an operator or )");
    }
    *end = true;
    return status;
}

static enum pc_status take_formula(struct me_parser *p)
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

static enum pc_status take_unit(struct me_parser *p, struct me_metric *m)
{
    size_t end = p->size;
    const struct me_unit *unit = NULL;

    while (end > p->at && pc_is_blank(p->line[end - 1]))
        end--;
    if (p->at < end) {
        unit = me_unit(p->line + p->at, end - p->at);
        if (!unit)
            return me_fail(p, p->at,
                           "expected an operator, or a unit: %, ratio, count, cycles, B, s, Hz, "
                           "their multiples (kB, MiB, ns, MHz), or one with /s");
    }
    return me_settle(p, unit, p->at, m);
}

/* --- the line --- */

static enum pc_status take_name(struct me_parser *p, size_t *begin, size_t *size)
{
    skip(p);
    *begin = p->at;
    *size = name_size(p, false);
    if (*size == 0)
        return me_fail(p, p->at, "expected the name of a metric");
    p->at += *size;
    skip(p);
    if (look(p) != '=')
        return me_fail(p, p->at, "expected = after the name of the metric");
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

/* Formulas of metrics that it names stand after its own, for what is said of a division. */
static char *copy_formulas(const struct me_parser *p, char *to, size_t size, struct me_metric *m)
{
    const char *const begin = to;
    size_t at[ME_MAX_NAMED + 1] = { 0 };

    to = copy(to, p->line + p->begin, size);
    for (size_t i = 0; i < p->nameds; i++) {
        at[i + 1] = (size_t)(to - begin);
        to = copy(to, p->named[i]->text + p->named[i]->formula, p->named[i]->formulas - 1);
    }
    for (size_t i = 0; i < m->steps; i++) {
        m->step[i].begin += (uint32_t)at[m->step[i].named];
        m->step[i].end += (uint32_t)at[m->step[i].named];
        m->step[i].named = 0;
    }
    m->formulas = (size_t)(to - begin);
    return to;
}

static enum pc_status keep(const struct pc_alloc *alloc, const struct me_parser *p, size_t name,
                           size_t name_length, size_t formula_end, struct me_metric *m)
{
    size_t size = name_length + 1 + formula_end - p->begin + 1;

    for (size_t i = 0; i < p->nameds; i++)
        size += p->named[i]->formulas;
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
    memcpy(m->step, p->step, p->steps * sizeof *m->step);
    char *to = copy(m->text, p->line + name, name_length);
    m->formula = (size_t)(to - m->text);
    to = copy_formulas(p, to, formula_end - p->begin, m);
    for (size_t i = 0; i < p->events; i++) {
        m->event[i] = to;
        to = copy(to, p->event[i].name, p->event[i].size);
    }
    return PC_OK;
}

enum pc_status me_parse(const struct pc_alloc *alloc, const struct me_line *line,
                        struct me_metric *out, struct pc_error *err)
{
    struct me_parser p = { .line = line->text,
                           .size = line->size,
                           .number = line->number,
                           .known = line->known,
                           .knowns = line->knowns,
                           .err = err };
    size_t name, name_length;
    enum pc_status status = take_name(&p, &name, &name_length);

    if (status == PC_OK)
        status = take_formula(&p);
    size_t end = p.at;
    if (status == PC_OK)
        status = take_unit(&p, out);
    if (status)
        return status;
    while (end > p.begin && pc_is_blank(line->text[end - 1]))
        end--;
    return keep(alloc, &p, name, name_length, end, out);
}

void me_free(const struct pc_alloc *alloc, struct me_metric *m)
{
    pc_free(alloc, m->text, m->text ? m->text_size : 0);
    pc_free(alloc, m->step, m->step ? m->steps * sizeof *m->step : 0);
    pc_free(alloc, m->event, m->event ? (m->events + 1) * sizeof *m->event : 0);
}

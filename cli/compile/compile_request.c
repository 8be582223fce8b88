/* SPDX-License-Identifier: MIT */
/*
 * What the command line of `pcounter compile` says, as a request: INPUT=EXPRESSION,
 * sum(LIST), --swap, --record, --record-buffer.
 */
#include "compile.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- errors --- */

int compile_error_at(const char *label, const char *whole, size_t at, unsigned code,
                     const char *hint, const char *fmt, ...)
{
    struct pc_error err = { .code = code ? code : 301, .line = 1, .column = (uint32_t)at + 1 };
    va_list args;

    err.status = pc_explain(err.code)->status;
    va_start(args, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, args);
    va_end(args);
    snprintf(err.hint, sizeof err.hint, "%s", hint ? hint : "");
    return cli_error(&err, label, whole);
}

int compile_error(const struct compile_text *t, const struct pc_error *err)
{
    struct pc_error placed = *err;

    placed.line = 1;
    if (!placed.column) /* the whole text */
        placed.column = (uint32_t)t->offset + 1;
    else
        placed.column += (uint32_t)t->parsed_offset;
    return cli_error(&placed, t->label, t->whole);
}

/* --- numbers --- */

/* 0x1f or 31; leading zeros would be octal to some readers.  *rest: behind it. */
bool compile_read_number(const char *text, const char **rest, uint64_t *out)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;

    if (!isdigit((unsigned char)text[0]) || (text[0] == '0' && isdigit((unsigned char)text[1])) ||
        (hex && !isxdigit((unsigned char)text[2])))
        return false;
    errno = 0;
    *out = strtoull(text, &end, hex ? 16 : 10);
    *rest = end;
    return errno == 0;
}

int compile_number(const char *option, const char *text, uint64_t limit, uint64_t *out)
{
    const char *end = "";

    if (compile_read_number(text, &end, out) && *end == '\0' && *out <= limit)
        return CLI_OK;
    return cli_usage("compile", "%s takes a number up to 0x%llx, 0x1f or 31, not \"%s\"", option,
                     (unsigned long long)limit, text);
}

/* START:LIMIT, START:LIMIT:short */
int compile_record_buffer(struct compile_job *j, const char *argument)
{
    struct pc_compile_request *r = &j->request;
    const char *p = argument;
    bool good = compile_read_number(p, &p, &r->record_start) && *p++ == ':' &&
                compile_read_number(p, &p, &r->record_limit);

    r->record_short = good && strcmp(p, ":short") == 0;
    if (good && (*p == '\0' || r->record_short))
        return CLI_OK;
    return cli_usage("compile",
                     "--record-buffer takes START:LIMIT or START:LIMIT:short, byte addresses like "
                     "0x100000:0x10fff0, not \"%s\"",
                     argument);
}

/* --- lists of signals --- */

static size_t blanks(const char *text)
{
    return strspn(text, " \t\n\r");
}

/* Past one name: commas inside of its brackets belong to it. */
static size_t name_length(const char *text)
{
    size_t n = 0, depth = 0;

    for (; text[n] && (depth > 0 || !strchr(",) \t\n\r", text[n])); n++) {
        depth += text[n] == '[';
        depth -= depth > 0 && text[n] == ']';
    }
    return n;
}

struct signal_list {
    uint32_t wire[PC_MAX_SIGNALS]; /* as written: of a vector the most significant first */
    size_t used;
};

/*
 * "a, b, v[3:0]" at *at of `whole`, up to a ) or the end, where *at then is.  `limit`:
 * signals that may be there; `what` says so.
 */
static int read_list(struct compile_job *j, const char *label, const char *whole, size_t *at,
                     size_t limit, struct signal_list *out)
{
    out->used = 0;
    for (;;) {
        uint32_t wire[PC_MAX_SIGNALS];
        char name[COMPILE_TEXT_MAX];
        struct pc_error err;
        size_t count = 0;
        *at += blanks(whole + *at);
        size_t n = name_length(whole + *at);
        if (n == 0 || n >= sizeof name)
            return compile_error_at(label, whole, *at, 0, "", "expected a signal");
        snprintf(name, sizeof name, "%.*s", (int)n, whole + *at);
        if (compile_element(&j->names, name, wire, &count, &err) != PC_OK)
            return compile_error_at(label, whole, *at, err.code, err.hint, "%s", err.text);
        if (out->used + count > limit)
            return compile_error_at(label, whole, *at, 341, "", "more than %zu signals", limit);
        for (size_t i = count; i-- > 0;)
            out->wire[out->used++] = wire[i];
        *at += n;
        *at += blanks(whole + *at);
        if (whole[*at] != ',')
            return CLI_OK;
        ++*at;
    }
}

/* --record: signals of PRE_SRC0, PRE_SRC1 and so on. */
static int take_record(struct compile_job *j)
{
    struct signal_list list;
    size_t at = 0;
    int code = read_list(j, "--record", j->record, &at, PC_RECORD_SIGNALS, &list);

    if (code != CLI_OK)
        return code;
    if (j->record[at])
        return compile_error_at("--record", j->record, at, 0, "",
                                "expected a comma or the end of the list");
    j->request.record_signals = (unsigned)list.used;
    memcpy(j->request.record, list.wire, list.used * sizeof list.wire[0]);
    return CLI_OK;
}

/* --- expressions --- */

/* "sum" "(" list ")" [ "iff" expression ] at the start of t->text: the sum to the request. */
static int take_sum(struct compile_job *j, struct compile_text *t, size_t open, int input)
{
    struct pc_compile_sum *sum = &j->request.number[input];
    struct signal_list list;
    size_t at = t->offset + open + 1, first = at;
    int code;

    if (sum->bits)
        return compile_error_at(t->label, t->whole, t->offset, 341, "count one of them",
                                "a second sum for %s: a counter adds one number",
                                pc_input_name((enum pc_input_id)input));
    code = read_list(j, t->label, t->whole, &at, PC_SUM_BITS, &list);
    if (code != CLI_OK)
        return code;
    if (t->whole[at] != ')')
        return compile_error_at(t->label, t->whole, at, 0, "", "expected a comma or the ) of sum(");
    if (list.used != 2 && list.used != 4 && list.used != PC_SUM_BITS)
        return compile_error_at(t->label, t->whole, first, 341, "",
                                "a sum has 4 or 6 bits, or 2 beside another of 6; not %zu",
                                list.used);
    sum->bits = (unsigned)list.used;
    for (size_t i = 0; i < list.used; i++)
        sum->signal[i] = list.wire[list.used - 1 - i];
    at++;
    at += blanks(t->whole + at);
    size_t end = t->offset + strlen(t->text);
    bool iff = at + 3 <= end && strncmp(t->whole + at, "iff", 3) == 0 &&
               (at + 3 == end || blanks(t->whole + at + 3) || t->whole[at + 3] == '(');
    if (at < end && !iff)
        return compile_error_at(t->label, t->whole, at, 0, "",
                                "expected `iff CONDITION` or the end behind sum(...)");
    t->parsed_offset = iff ? at + 3 : t->offset;
    snprintf(t->parsed, sizeof t->parsed, "%s", iff ? t->text + (at + 3 - t->offset) : "1");
    return CLI_OK;
}

int compile_expression(struct compile_job *j, struct compile_text *t, int *input)
{
    struct pc_error err;
    size_t open = strncmp(t->text, "sum", 3) == 0 ? 3 + blanks(t->text + 3) : 0;
    int code = CLI_OK;

    t->parsed_offset = t->offset;
    snprintf(t->parsed, sizeof t->parsed, "%s", t->text);
    if (open && t->text[open] == '(') {
        if (*input > PC_INPUT_STOP)
            return compile_error_at(t->label, t->whole, t->offset, 341, "",
                                    "%s has no counter that could add a sum",
                                    pc_input_name((enum pc_input_id) * input));
        if (*input == PC_ANY_INPUT)
            *input = PC_INPUT_EVENT;
        code = take_sum(j, t, open, *input);
    }
    if (code != CLI_OK)
        return code;
    if (pc_expr_parse(NULL, t->parsed, &t->expr, &err) != PC_OK ||
        pc_expr_resolve(t->expr, compile_lookup, &j->names, &err) != PC_OK)
        return compile_error(t, &err);
    return CLI_OK;
}

/* INPUT=EXPRESSION */
static int take_input(struct compile_job *j, const char *argument)
{
    size_t n = strcspn(argument, "=");
    int input = 0;

    if (strlen(argument) >= COMPILE_TEXT_MAX)
        return cli_usage("compile", "an expression has %d characters at most, not %zu",
                         COMPILE_TEXT_MAX - 1, strlen(argument));
    if (argument[n] != '=')
        return cli_usage("compile", "\"%.60s\" is not INPUT=EXPRESSION", argument);
    while (input < PC_INPUT_COUNT &&
           (strlen(pc_input_name((enum pc_input_id)input)) != n ||
            strncasecmp(pc_input_name((enum pc_input_id)input), argument, n) != 0))
        input++;
    if (input == PC_INPUT_COUNT)
        return cli_usage("compile",
                         "the inputs are pre, start, event, stop, setflag, clrflag; "
                         "not \"%.*s\"",
                         (int)n, argument);
    struct compile_text *t = &j->input[input];
    if (t->expr)
        return cli_usage("compile", "%s is given twice", pc_input_name((enum pc_input_id)input));
    t->label = pc_input_name((enum pc_input_id)input);
    t->whole = argument + n + 1;
    snprintf(t->text, sizeof t->text, "%s", t->whole);
    int code = compile_expression(j, t, &input);
    j->request.input[input] = t->expr;
    return code;
}

int compile_request(struct compile_job *j, char **input, int inputs)
{
    struct pc_error err;
    int code = CLI_OK;

    if (j->domain_name && pc_chip_find_domain(j->chip, j->domain_name, &j->request.domain, &err))
        return cli_error(&err, NULL, NULL);
    if (compile_names_of(j->chip, j->request.domain, &j->names, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    if (j->swap) {
        j->request.has_swap = true;
        if (compile_signal(&j->names, j->swap, &j->request.swap, &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
    }
    j->request.chip = j->chip;
    j->request.mode = (enum pc_count_mode)j->mode;
    if (j->record)
        code = take_record(j);
    for (int i = 0; i < inputs && code == CLI_OK; i++)
        code = take_input(j, input[i]);
    if (code == CLI_OK && j->events)
        code = compile_events(j, j->events);
    return code == CLI_OK ? compile_muxes(j) : code;
}

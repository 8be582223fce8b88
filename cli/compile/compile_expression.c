/* SPDX-License-Identifier: MIT */
/* Expressions, sum(LIST) and --record LIST on the command line of `pcounter compile`. */
#include "compile.h"

#include <string.h>

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

int compile_record_list(struct compile_job *j)
{
    struct signal_list list;
    size_t at = 0;
    int code = read_list(j, "--record", j->o->record, &at, PC_RECORD_SIGNALS, &list);

    if (code != CLI_OK)
        return code;
    if (j->o->record[at])
        return compile_error_at("--record", j->o->record, at, 0, "",
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
                                "a sum has 2, 4 or 6 bits, not %zu", list.used);
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
                                "expected `iff CONDITION` or the end after sum(...)");
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

/* SPDX-License-Identifier: MIT */
/*
 * Tokens of the expression language: names with dots, brackets and escapes, operators.  A name
 * keeps its bit or slice: what that means is decided by who looks it up.
 */
#include "lang/expr/expr.h"

#include "base/near.h"
#include "base/text.h"

#include <string.h>

/* Bytes above 0x7f are parts of UTF-8 letters. */
static bool starts_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool in_word(char c)
{
    return starts_word(c) || pc_is_digit(c);
}

const char *ex_quote(const struct pc_expr *e, uint32_t begin, uint32_t end, char out[EX_QUOTE_SIZE])
{
    size_t n = end - begin, most = EX_QUOTE_SIZE - 4;

    if (n <= most) {
        memcpy(out, e->text + begin, n);
        out[n] = '\0';
    } else {
        memcpy(out, e->text + begin, most);
        memcpy(out + most, "...", 4);
    }
    return out;
}

static bool add_char(struct pc_expr *e, char c)
{
    void *p = e->arena;

    if (!pc_grow(&e->alloc, &p, &e->arena_capacity, e->arena_used + 1, 1))
        return false;
    e->arena = p;
    e->arena[e->arena_used++] = c;
    return true;
}

static enum pc_status out_of_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "out of memory for an expression");
}

/* In rules, what stands in a bracket may be computed: is it not all numbers? */
static bool is_computed(const struct pc_expr *e, size_t at)
{
    const char *text = e->text + at + 1;

    while (pc_is_digit(*text) || ex_is_blank(*text) || *text == ':' || *text == '-')
        text++;
    return e->numbers && *text != ']';
}

/* Reads one number of a bracket, copied to the arena. */
static enum pc_status lex_index(struct pc_expr *e, size_t *at, struct pc_error *err)
{
    size_t p = ex_skip_blanks(e->text, *at);
    bool ok = true;

    if (e->text[p] == '-')
        ok = add_char(e, e->text[p++]);
    if (!pc_is_digit(e->text[p]))
        return EX_FAIL(err, 303, p, "expected the number of a bit");
    while (ok && pc_is_digit(e->text[p]))
        ok = add_char(e, e->text[p++]);
    *at = ex_skip_blanks(e->text, p);
    return ok ? PC_OK : out_of_memory(err);
}

/* "[3]" or "[7:0]"; blanks inside are left out. */
static enum pc_status lex_bracket(struct pc_expr *e, size_t *at, struct pc_error *err)
{
    size_t p = *at + 1;
    bool ok = add_char(e, '[');
    enum pc_status status = lex_index(e, &p, err);

    if (status)
        return status;
    if (e->text[p] == ':') {
        p++;
        ok = ok && add_char(e, ':');
        status = lex_index(e, &p, err);
        if (status)
            return status;
    }
    if (e->text[p] != ']') {
        status = EX_FAIL(err, 303, p, "expected \"]\" after the number of a bit");
        ex_foreign_slice(e->text + p, err);
        return status;
    }
    *at = p + 1;
    return ok && add_char(e, ']') ? PC_OK : out_of_memory(err);
}

/* Reads one word of a path; tells whether it is escaped (and then ended by a blank). */
static enum pc_status lex_word(struct pc_expr *e, size_t *at, bool *escaped, struct pc_error *err)
{
    size_t p = *at;
    bool ok = true;

    *escaped = e->text[p] == '\\';
    if (*escaped) {
        ok = add_char(e, e->text[p++]);
        if (e->text[p] == '\0' || ex_is_blank(e->text[p]))
            return EX_FAIL(err, 303, p, "expected an escaped name after the backslash");
        while (ok && e->text[p] != '\0' && !ex_is_blank(e->text[p]))
            ok = add_char(e, e->text[p++]);
    } else {
        if (!starts_word(e->text[p]))
            return EX_FAIL(err, 303, p, "expected a name after the dot");
        while (ok && in_word(e->text[p]))
            ok = add_char(e, e->text[p++]);
    }
    *at = p;
    return ok ? PC_OK : out_of_memory(err);
}

/* "#2" after a name that is declared twice; *at stays where it is if there is none. */
static bool lex_turn(struct pc_expr *e, size_t *at, bool escaped)
{
    size_t p = escaped ? ex_skip_blanks(e->text, *at) : *at;
    bool ok = true;

    if (e->text[p] != '#' || !pc_is_digit(e->text[p + 1]))
        return true;
    do
        ok = ok && add_char(e, e->text[p++]);
    while (pc_is_digit(e->text[p]));
    *at = p;
    return ok;
}

static bool is_function(const char *name, size_t size);

/* "(3)" right after a word that is no function: an index of VHDL.  Its length, or 0. */
static size_t round_index(const struct pc_expr *e, size_t at, size_t begin)
{
    const char *text = e->text + at, *name = e->arena + begin;
    const size_t size = e->arena_used - begin;
    size_t n = text[0] == '(' && text[1] == '-' ? 2 : 1;

    if (is_function(name, size) || text[0] != '(' || !pc_is_digit(text[n]) || size == 0 ||
        name[0] == '$')
        return 0;
    while (pc_is_digit(text[n]))
        n++;
    return text[n] == ')' ? n + 1 : 0;
}

/* Reads as many of them as there are, as they stand. */
static enum pc_status lex_rounds(struct pc_expr *e, size_t *at, size_t begin, struct pc_error *err)
{
    size_t n;

    while ((n = round_index(e, *at, begin)) > 0)
        for (; n > 0; n--, ++*at)
            if (!add_char(e, e->text[*at]))
                return out_of_memory(err);
    return PC_OK;
}

/* Reads words, dots and brackets. Blanks may stand before a bracket and after an escaped word. */
static enum pc_status lex_path(struct pc_expr *e, size_t *at, struct pc_error *err)
{
    const size_t begin = e->arena_used;

    for (;;) {
        bool escaped;
        enum pc_status status = lex_word(e, at, &escaped, err);
        if (status)
            return status;
        for (size_t end = *at + (escaped ? 0 : pc_scope_index(e->text + *at)); *at < end; ++*at)
            if (!add_char(e, e->text[*at]))
                return out_of_memory(err);
        if (!escaped && (status = lex_rounds(e, at, begin, err)) != PC_OK)
            return status;
        if (!lex_turn(e, at, escaped))
            return out_of_memory(err);
        for (size_t next = ex_skip_blanks(e->text, *at);
             e->text[next] == '[' && !is_computed(e, next); next = ex_skip_blanks(e->text, *at)) {
            *at = next;
            if ((status = lex_bracket(e, at, err)) != PC_OK ||
                (status = lex_rounds(e, at, begin, err)) != PC_OK) /* lanes[2](3) */
                return status;
        }
        if (!lex_turn(e, at, false))
            return out_of_memory(err);
        size_t dot = escaped ? ex_skip_blanks(e->text, *at) : *at;
        if (e->text[dot] != '.')
            return add_char(e, '\0') ? PC_OK : out_of_memory(err);
        if (!add_char(e, '.'))
            return out_of_memory(err);
        *at = dot + 1;
    }
}

static const struct {
    const char *name;
    enum ex_op op;
} functions[] = {
    { "rise", EX_RISE },
    { "fall", EX_FALL },
    { "edge", EX_EDGE },
    { "prev", EX_PREV },
    { "$signed", EX_SIGNED },
    { "$unsigned", EX_UNSIGNED },
    { "$onehot", EX_ONEHOT },
    { "$onehot0", EX_ONEHOT0 },
    { "$isunknown", EX_ISUNKNOWN },
    { "$countones", EX_COUNTONES },
    { "countones", EX_COUNTONES }, /* of rules */
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

static bool is_function(const char *name, size_t size)
{
    for (size_t f = 0; f < FUNCTIONS; f++)
        if (strlen(functions[f].name) == size && memcmp(functions[f].name, name, size) == 0)
            return true;
    return false;
}

static enum pc_status unknown_function(struct pc_expr *e, const struct ex_token *t,
                                       const char *name, struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE], text[64];
    struct pc_near near;
    enum pc_status status = EX_FAIL(err, 305, t->begin, "unknown function \"%s\"",
                                    ex_quote(e, t->begin, t->end, quote));

    if (ex_foreign_call(e->text + t->end, name, err))
        return status;
    pc_near_begin(&near, name);
    for (size_t i = 0; i < FUNCTIONS - !e->numbers; i++)
        pc_near_offer(&near, functions[i].name);
    pc_near_text(&near, text, sizeof text);
    if (text[0])
        pc_hint(err, "did you mean %s?", text);
    return status;
}

static enum pc_status lex_name(struct pc_expr *e, size_t *at, struct ex_token *t,
                               struct pc_error *err)
{
    t->kind = EX_T_NAME;
    t->data = (uint32_t)e->arena_used;
    enum pc_status status = lex_path(e, at, err);
    if (status)
        return status;
    t->end = (uint32_t)*at;

    size_t open = ex_skip_blanks(e->text, *at);
    if (e->text[open] != '(')
        return PC_OK;
    const char *name = e->arena + t->data;
    size_t f = 0;
    while (f < FUNCTIONS && strcmp(name, functions[f].name) != 0)
        f++;
    if (f == FUNCTIONS - 1 && !e->numbers)
        f = FUNCTIONS;
    if (f == FUNCTIONS)
        return unknown_function(e, t, name, err);
    t->op = functions[f].op;
    t->kind = EX_T_FUNCTION;
    e->arena_used = t->data;
    *at = open + 1;
    return PC_OK;
}

/* --- operators --- */

struct spelling {
    char text[3];
    enum ex_token_kind kind;
    enum ex_op op;
};

/* Longer ones first; those of rules alone before all. */
enum { OF_RULES = 3 };
static const struct spelling spellings[] = {
    { "<<", EX_T_BINARY, EX_SHL },      { ">>", EX_T_BINARY, EX_SHR },
    { "+", EX_T_BINARY, EX_ADD },       { "&&", EX_T_BINARY, EX_LAND },
    { "||", EX_T_BINARY, EX_LOR },      { "==", EX_T_BINARY, EX_EQ },
    { "!=", EX_T_BINARY, EX_NE },       { "<=", EX_T_BINARY, EX_LE },
    { ">=", EX_T_BINARY, EX_GE },       { "<", EX_T_BINARY, EX_LT },
    { ">", EX_T_BINARY, EX_GT },        { "&", EX_T_BINARY, EX_AND },
    { "|", EX_T_BINARY, EX_OR },        { "^", EX_T_BINARY, EX_XOR },
    { "!", EX_T_LNOT, EX_LNOT },        { "~", EX_T_NOT, EX_NOT },
    { "(", EX_T_OPEN, EX_NAME },        { ")", EX_T_CLOSE, EX_NAME },
    { "?", EX_T_QUESTION, EX_MUX },     { ":", EX_T_COLON, EX_MUX },
    { ",", EX_T_COMMA, EX_NAME },       { "{", EX_T_OPEN_SET, EX_NAME },
    { "}", EX_T_CLOSE_SET, EX_NAME },   { "[", EX_T_OPEN_RANGE, EX_NAME },
    { "]", EX_T_CLOSE_RANGE, EX_NAME },
};

static void lex_operator(const struct pc_expr *e, size_t *at, struct ex_token *t)
{
    const char *text = e->text + *at;
    const bool number = e->numbers && (text[0] == '+' || (text[0] == '-' && text[1] != '>') ||
                                       strncmp(text, "<<", 2) == 0 || strncmp(text, ">>", 2) == 0);
    const char *hint = number ? "" : ex_foreign_operator(text);
    const bool brace = text[0] == '{' || text[0] == '}'; /* of inside, or of a concatenation */

    t->hint = hint;
    for (size_t i = number ? 0 : OF_RULES;
         (hint[0] == '\0' || brace) && i < sizeof spellings / sizeof spellings[0]; i++) {
        size_t n = strlen(spellings[i].text);
        if (strncmp(text, spellings[i].text, n) == 0) {
            t->kind = spellings[i].kind;
            t->op = spellings[i].op;
            *at += n;
            t->end = (uint32_t)*at;
            return;
        }
    }
    /* the parser says what it wanted instead */
    t->kind = text[0] == '-' && text[1] != '>' ? EX_T_MINUS : EX_T_OTHER;
    t->op = EX_NEG;
    t->end = (uint32_t)*at + 1;
    ++*at;
}

enum pc_status ex_lex(struct pc_expr *e, size_t *at, struct ex_token *out, struct pc_error *err)
{
    size_t p = ex_skip_blanks(e->text, *at);
    struct ex_token t = { .kind = EX_T_END, .begin = (uint32_t)p, .end = (uint32_t)p };
    enum pc_status status = PC_OK;
    char c = e->text[p];

    if (starts_word(c) || c == '\\')
        status = lex_name(e, &p, &t, err);
    else if (pc_is_digit(c) || c == '\'')
        status = ex_lex_number(e, &p, &t, err);
    else if (c == '"')
        status = ex_lex_text(e, &p, &t, err);
    else if (c != '\0')
        lex_operator(e, &p, &t);
    if (status)
        return status;
    *at = p;
    *out = t;
    return PC_OK;
}

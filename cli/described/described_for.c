/* SPDX-License-Identifier: MIT */
/*
 * Numbers that are known when a description is read: `for: n = 0, 2, 3..12`, {64 * n + 63} in
 * texts, and in expressions n itself and sums in brackets, event[n - 3].
 */
#include "described/described.h"

#include <stdlib.h>
#include <string.h>

#include "text/chars.h"

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static const char *skip(const char *p)
{
    while (cli_is_blank(*p))
        p++;
    return p;
}

/* --- arithmetic: + - * / % and parentheses, of numbers and n --- */

enum { DEEPEST = 20 }; /* parentheses and signs within each other */

struct reader {
    const char *at;
    const struct described_number *n;
    bool wrong; /* it is something else */
    bool zero;  /* a division by 0 */
    int depth;
};

static long sum(struct reader *r);

static long operand(struct reader *r)
{
    r->at = skip(r->at);
    if (*r->at == '-' && r->depth < DEEPEST) {
        r->depth++;
        r->at++;
        long value = operand(r);
        r->depth--;
        r->wrong = r->wrong || __builtin_sub_overflow(0, value, &value);
        return value;
    }
    if (*r->at == '(' && r->depth < DEEPEST) {
        r->depth++;
        r->at++;
        const long value = sum(r);
        r->at = skip(r->at);
        r->wrong = r->wrong || *r->at != ')';
        r->at += !r->wrong;
        r->depth--;
        return value;
    }
    if (*r->at >= '0' && *r->at <= '9') {
        char *end;
        const long value = strtol(r->at, &end, 0);
        r->wrong = r->wrong || in_word(*end) || *end == '\'' || value > 1000000000;
        r->at = end;
        return value;
    }
    if (r->n->name && strncmp(r->at, r->n->name, r->n->length) == 0 &&
        !in_word(r->at[r->n->length]) && r->at[r->n->length] != '.') {
        r->at += r->n->length;
        return r->n->value;
    }
    r->wrong = true;
    return 0;
}

static long product(struct reader *r)
{
    long value = operand(r);

    for (r->at = skip(r->at); !r->wrong && (*r->at == '*' || *r->at == '/' || *r->at == '%');
         r->at = skip(r->at)) {
        const char op = *r->at++;
        const long other = operand(r);
        if (op == '*' || (op == '/' && other == -1)) {
            r->wrong = r->wrong || __builtin_mul_overflow(value, other, &value);
        } else if (other == -1) { /* the least number by it is no number of the CPU */
            value = 0;
        } else if (other == 0) {
            r->zero = r->wrong = true;
        } else {
            value = op == '/' ? value / other : value % other;
        }
    }
    return value;
}

static long sum(struct reader *r)
{
    long value = product(r);

    for (r->at = skip(r->at); !r->wrong && (*r->at == '+' || *r->at == '-'); r->at = skip(r->at)) {
        const char op = *r->at++;
        const long other = product(r);
        r->wrong = r->wrong || (op == '+' ? __builtin_add_overflow(value, other, &value)
                                          : __builtin_sub_overflow(value, other, &value));
    }
    return value;
}

/* A number that ends at `end`; the place after it, or NULL. */
static const char *number(const char *at, const struct described_number *n, char end, long *out,
                          const char **wrong)
{
    struct reader r = { .at = at, .n = n };

    *out = sum(&r);
    if (r.zero)
        *wrong = "a division by 0";
    r.at = skip(r.at);
    return r.wrong || *r.at != end ? NULL : r.at + 1;
}

/* --- texts --- */

struct text {
    char *text;
    size_t size, capacity;
    bool full;
};

static void put(struct text *t, const char *from, size_t length)
{
    if (t->size + length + 1 > t->capacity) {
        const size_t more = 2 * (t->size + length + 1);
        char *grown = realloc(t->text, more);
        if (!grown) {
            t->full = true;
            return;
        }
        t->text = grown;
        t->capacity = more;
    }
    memcpy(t->text + t->size, from, length);
    t->size += length;
    t->text[t->size] = '\0';
}

static void put_number(struct text *t, long value)
{
    char digits[32];

    put(t, digits, (size_t)snprintf(digits, sizeof digits, "%ld", value));
}

/* "[n - 3]" or "[8 * n + 7:8 * n]" as numbers; NULL: something else stands there. */
static const char *put_bracket(struct text *t, const char *at, const struct described_number *n,
                               const char **wrong)
{
    long hi, lo;
    const char *end = number(at + 1, n, ']', &hi, wrong);
    const char *colon = end ? NULL : number(at + 1, n, ':', &hi, wrong);

    if (!end && colon)
        end = number(colon, n, ']', &lo, wrong);
    if (!end)
        return NULL;
    put(t, "[", 1);
    put_number(t, hi);
    if (colon) {
        put(t, ":", 1);
        put_number(t, lo);
    }
    put(t, "]", 1);
    return end;
}

/* A word of the text, which may be n. */
static const char *put_word(struct text *t, const char *text, const char *at,
                            const struct described_number *n)
{
    const char *end = at;

    while (in_word(*end))
        end++;
    const bool inside = at > text && (at[-1] == '.' || at[-1] == '\'' || at[-1] == '\\');
    if (n->name && (size_t)(end - at) == n->length && memcmp(at, n->name, n->length) == 0 &&
        !inside && *end != '.')
        put_number(t, n->value);
    else
        put(t, at, (size_t)(end - at));
    return end;
}

char *described_expand(const char *text, const struct described_number *n, bool expression,
                       const char **wrong)
{
    struct text t = { 0 };
    long value;

    *wrong = NULL;
    put(&t, "", 0);
    for (const char *at = text; *at != '\0' && !*wrong && !t.full;) {
        const char *end = NULL;
        if (*at == '{' && (end = number(at + 1, n, '}', &value, wrong)) != NULL)
            put_number(&t, value);
        else if (*at == '[' && expression)
            end = put_bracket(&t, at, n, wrong);
        else if (in_word(*at) && expression)
            end = put_word(&t, text, at, n);
        if (!end) {
            put(&t, at, 1);
            end = at + 1;
        }
        at = end;
    }
    if (!t.full && !*wrong)
        return t.text;
    free(t.text);
    return NULL;
}

/* --- for --- */

const char *described_for_begin(struct described_for *f, const char *text)
{
    const char *at = skip(text), *end = at;

    while (in_word(*end))
        end++;
    *f = (struct described_for){ .number = { at, (size_t)(end - at), 0 }, .text = text, .next = 1 };
    if (end == at || (*at >= '0' && *at <= '9'))
        return "expected a name before the numbers, as in n = 0, 2, 3..12";
    end = skip(end);
    if (*end != '=')
        return "expected = and numbers after the name, as in n = 0, 2, 3..12";
    f->at = end + 1;
    return NULL;
}

const char *described_for_next(struct described_for *f, bool *has)
{
    const struct described_number none = { NULL, 0, 0 };

    *has = true;
    if (f->next <= f->last) {
        f->number.value = f->next++;
        return NULL;
    }
    f->at = skip(f->at);
    if (*f->at == '\0') {
        *has = false;
        return NULL;
    }
    struct reader r = { .at = f->at, .n = &none };
    f->number.value = f->last = operand(&r);
    f->next = r.wrong ? 1 : f->last + 1; /* a number of at most 10^9 */
    r.at = skip(r.at);
    if (!r.wrong && strncmp(r.at, "..", 2) == 0) {
        r.at += 2;
        f->last = operand(&r);
        r.at = skip(r.at);
        if (f->last < f->number.value)
            return "a range goes up, as 3..12";
    }
    if (r.wrong || (*r.at != ',' && *r.at != '\0'))
        return "numbers have commas between them, and ranges two dots, as in n = 0, 2, 3..12";
    f->at = *r.at == ',' ? r.at + 1 : r.at;
    return NULL;
}

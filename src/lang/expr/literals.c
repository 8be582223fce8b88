/* SPDX-License-Identifier: MIT */
/*
 * Literals: numbers as in Verilog, texts, and names of values of an enumeration.  The bits of all
 * of them lie in one array, a byte each, from the lowest on.
 */
#include "lang/expr/expr.h"

#include "base/near.h"
#include "base/text.h"

#include <string.h>

static enum pc_status out_of_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "out of memory for an expression");
}

enum pc_status ex_reserve_bits(struct pc_expr *e, size_t count, struct pc_error *err)
{
    void *p = e->literal_bits;

    if (!pc_grow(&e->alloc, &p, &e->literal_capacity, e->literal_used + count, 1))
        return out_of_memory(err);
    e->literal_bits = p;
    return PC_OK;
}

/* Appends a digit: bits = bits * base + digit, over `*width` bits that grow as needed. */
static enum pc_status append_digit(struct pc_expr *e, uint32_t first, uint32_t *width,
                                   unsigned base, unsigned digit, struct pc_error *err)
{
    unsigned carry = digit;

    for (uint32_t i = 0; i < *width || carry; i++) {
        if (i == *width) {
            if (i == EX_MAX_WIDTH)
                return EX_FAIL(err, 304, 0, "a literal has more than %d bits", EX_MAX_WIDTH);
            e->literal_used = first + i;
            enum pc_status status = ex_reserve_bits(e, 1, err);
            if (status)
                return status;
            e->literal_bits[first + i] = 0;
            *width = i + 1;
        }
        /* The carry stays below 16: a bit is at most 1, base at most 16. */
        unsigned sum = e->literal_bits[first + i] * base + carry;
        e->literal_bits[first + i] = (uint8_t)(sum & 1);
        carry = sum >> 1;
    }
    e->literal_used = first + *width;
    return PC_OK;
}

/* Reads digits and underscores; at least one digit. */
static enum pc_status lex_digits(struct pc_expr *e, size_t *at, unsigned base, struct ex_token *t,
                                 struct pc_error *err)
{
    size_t p = *at;
    bool any = false;

    for (; pc_is_word(e->text[p]); p++) {
        if (e->text[p] == '_' && any)
            continue;
        int digit = pc_hex_digit(e->text[p]);
        if (digit < 0 || (unsigned)digit >= base)
            return EX_FAIL(err, 302, p, "\"%c\" is not a digit of base %u", e->text[p], base);
        any = true;
        enum pc_status status = append_digit(e, t->data, &t->width, base, (unsigned)digit, err);
        if (status) {
            if (err && err->column)
                err->column = t->begin + 1;
            return status;
        }
    }
    if (!any)
        return EX_FAIL(err, 302, p, "expected a digit of base %u", base);
    *at = p;
    return PC_OK;
}

/* Reads the size before the quote of 8'hff; 0 if it is not a size. */
static uint32_t literal_size(const char *text, size_t begin, size_t end)
{
    uint32_t size = 0;

    for (size_t i = begin; i < end; i++) {
        if (text[i] == '_')
            continue;
        size = size * 10 + (uint32_t)(text[i] - '0');
        if (size > EX_MAX_WIDTH)
            return 0;
    }
    return size;
}

static unsigned base_of(char letter)
{
    switch (letter) {
    case 'b':
    case 'B':
        return 2;
    case 'o':
    case 'O':
        return 8;
    case 'd':
    case 'D':
        return 10;
    case 'h':
    case 'H':
        return 16;
    default:
        return 0;
    }
}

/* Makes the literal exactly `size` bits wide. */
static enum pc_status fit_literal(struct pc_expr *e, struct ex_token *t, uint32_t size,
                                  struct pc_error *err)
{
    if (t->width > size)
        return EX_FAIL(err, 302, t->begin, "the literal needs %u bits and is declared with %u",
                       t->width, size);
    enum pc_status status = ex_reserve_bits(e, size - t->width, err);
    if (status)
        return status;
    memset(e->literal_bits + e->literal_used, 0, size - t->width);
    e->literal_used += size - t->width;
    t->width = size;
    return PC_OK;
}

/* 8'hff, 'b1, 4'sd7: from the quote at *at on. */
static enum pc_status lex_based(struct pc_expr *e, size_t *at, struct ex_token *t,
                                struct pc_error *err)
{
    size_t p = *at + 1;

    t->is_signed = e->text[p] == 's' || e->text[p] == 'S';
    p += t->is_signed;
    unsigned base = base_of(e->text[p]);
    if (base == 0) {
        enum pc_status status = EX_FAIL(err, 302, p, "expected b, o, d or h after the quote%s",
                                        t->is_signed ? " and the s" : "");
        ex_foreign_literal(e->text + *at, err);
        return status;
    }
    *at = ex_skip_blanks(e->text, p + 1);
    return lex_digits(e, at, base, t, err);
}

/* Keeps characters in the arena: after `first` if that is not 0, without _ of numbers and the
 * backslashes of texts. */
static bool keep_text(struct pc_expr *e, size_t begin, size_t end, char first, uint32_t *out)
{
    void *p = e->arena;

    if (!pc_grow(&e->alloc, &p, &e->arena_capacity, e->arena_used + (end - begin) + 2, 1))
        return false;
    e->arena = p;
    *out = (uint32_t)e->arena_used + 1;
    if (first)
        e->arena[e->arena_used++] = first;
    for (size_t i = begin; i < end; i++) {
        i += !first && e->text[i] == '\\';
        if (!first || e->text[i] != '_')
            e->arena[e->arena_used++] = e->text[i];
    }
    e->arena[e->arena_used++] = '\0';
    return true;
}

/* Returns the end of the fraction and the exponent of a decimal number; where it begins if it has
 * none. */
static size_t fraction_end(const char *text, size_t at)
{
    size_t p = at;

    if (text[p] == '.' && pc_is_digit(text[p + 1]))
        for (p++; pc_is_digit(text[p]);)
            p++;
    if (text[p] != 'e' && text[p] != 'E')
        return p; /* it may be the end of the text */
    const size_t sign = text[p + 1] == '-' || text[p + 1] == '+';
    if (pc_is_digit(text[p + 1 + sign]))
        for (p += 1 + sign; pc_is_digit(text[p]);)
            p++;
    return p;
}

/* Reads a decimal number: its digits are kept, as it may be compared with a real. */
static enum pc_status lex_decimal(struct pc_expr *e, size_t *at, struct ex_token *t,
                                  struct pc_error *err)
{
    size_t whole = *at, end;

    while (pc_is_digit(e->text[whole]) || e->text[whole] == '_')
        whole++;
    end = fraction_end(e->text, whole);
    t->fraction = end > whole;
    if (!keep_text(e, *at, end, '=', &t->number))
        return out_of_memory(err);
    if (!t->fraction)
        return lex_digits(e, at, 10, t, err);
    *at = end;
    return append_digit(e, t->data, &t->width, 10, 1, err); /* it stands for nothing */
}

/*
 * Reads 12, 0x1f, 8'hff, 'b1. Without a size a literal is as wide as its value needs. Signed are
 * decimal numbers without a base, and what has an s.
 */
enum pc_status ex_lex_number(struct pc_expr *e, size_t *at, struct ex_token *t,
                             struct pc_error *err)
{
    size_t p = *at;
    uint32_t size = 0;
    enum pc_status status;

    t->kind = EX_T_LITERAL;
    t->data = (uint32_t)e->literal_used;
    t->width = 0;
    while (pc_is_digit(e->text[p]) || (p > *at && e->text[p] == '_'))
        p++;
    if (e->text[p] == '\'') {
        bool sized = p > *at;
        size = literal_size(e->text, *at, p);
        if (sized && size == 0)
            return EX_FAIL(err, 302, *at, "the size of a literal is 1 to %d bits", EX_MAX_WIDTH);
        status = lex_based(e, &p, t, err);
    } else if (e->text[*at] == '0' && (e->text[*at + 1] == 'x' || e->text[*at + 1] == 'X')) {
        p = *at + 2;
        status = lex_digits(e, &p, 16, t, err);
    } else {
        p = *at;
        t->is_signed = true;
        status = lex_decimal(e, &p, t, err);
    }
    if (status)
        return status;
    *at = p;
    t->end = (uint32_t)p;
    t->unsized = size == 0;
    if (size == 0)
        size = t->width ? t->width : 1;
    return fit_literal(e, t, size, err);
}

/* --- texts: eight bits a character, the last one lowest, as in Verilog --- */

static enum pc_status add_character(struct pc_expr *e, struct ex_token *t, char c,
                                    struct pc_error *err)
{
    if (t->width + 8 > EX_MAX_WIDTH)
        return EX_FAIL(err, 304, t->begin, "a text has more than %d characters", EX_MAX_WIDTH / 8);
    enum pc_status status = ex_reserve_bits(e, 8, err);
    if (status)
        return status;
    uint8_t *bits = e->literal_bits + t->data;
    memmove(bits + 8, bits, t->width);
    for (unsigned b = 0; b < 8; b++)
        bits[b] = (uint8_t)c >> b & 1;
    t->width += 8;
    e->literal_used += 8;
    return PC_OK;
}

static enum pc_status wrong_text(size_t at, const char *what, struct pc_error *err)
{
    const enum pc_status status = EX_FAIL(err, 302, at, "%s", what);

    pc_hint(err, "write \\\" and \\\\ for these two; a text has one character at least");
    return status;
}

enum pc_status ex_lex_text(struct pc_expr *e, size_t *at, struct ex_token *t, struct pc_error *err)
{
    size_t p = *at + 1;

    t->kind = EX_T_LITERAL;
    t->data = (uint32_t)e->literal_used;
    t->width = 0;
    for (; e->text[p] != '"'; p++) {
        const char c = e->text[p];
        if (c == '\0')
            return wrong_text(*at, "the text is not closed by another \"", err);
        if (c == '\\' && (e->text[p + 1] == '"' || e->text[p + 1] == '\\'))
            p++;
        else if (c == '\\')
            return wrong_text(p, "the text has a backslash before another character", err);
        enum pc_status status = add_character(e, t, e->text[p], err);
        if (status)
            return status;
    }
    if (t->width == 0)
        return wrong_text(*at, "the text has no character", err);
    if (!keep_text(e, *at + 1, p, '\0', &t->text))
        return out_of_memory(err);
    *at = p + 1;
    t->end = (uint32_t)*at;
    return PC_OK;
}

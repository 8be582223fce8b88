/* SPDX-License-Identifier: MIT */
/* Text on its way into a file, or into memory: integers and fixed decimals by own digits. */
#include "report/report_tree.h"
#include "report/report_writer.h"
#include "text/chars.h"
#include "text/fifteen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void keep(struct rep_buffer *b)
{
    char *more = b->failed ? NULL : realloc(b->text, b->size + b->used + 1);

    if (!more) {
        b->failed = true;
        return;
    }
    memcpy(more + b->size, b->room, b->used);
    b->text = more;
    b->size += b->used;
    b->text[b->size] = '\0';
}

void rep_put_out(struct rep_buffer *b)
{
    if (b->used > 0 && b->file)
        fwrite(b->room, 1, b->used, b->file);
    else if (!b->file)
        keep(b);
    b->used = 0;
}

void rep_put_long(struct rep_buffer *b, const char *text, size_t size)
{
    while (size > 0) {
        if (b->used == REP_ROOM)
            rep_put_out(b);
        const size_t room = REP_ROOM - b->used, n = size < room ? size : room;
        memcpy(b->room + b->used, text, n);
        b->used += n;
        text += n;
        size -= n;
    }
}

/* The digits of a value at the end of the room; `least` of them at least. */
static size_t digits_of(uint64_t value, int least, char room[24])
{
    size_t at = 24;

    for (; value >= 10; value /= 100, least -= 2)
        memcpy(room + (at -= 2), cli_two_digits + 2 * (value % 100), 2);
    for (; value > 0 || least > 0; value = 0, least--)
        room[--at] = (char)('0' + value);
    return at;
}

void rep_put_count(struct rep_buffer *b, uint64_t value)
{
    char room[24];

    if (value < 10) {
        rep_putc(b, (char)('0' + value));
        return;
    }
    const size_t at = digits_of(value, 1, room);
    rep_put(b, room + at, sizeof room - at);
}

static void put_fixed(struct rep_buffer *b, uint64_t value, int decimals)
{
    char room[24];
    const size_t at = digits_of(value, decimals + 1, room), point = sizeof room - (size_t)decimals;

    rep_put(b, room + at, point - at);
    if (decimals > 0)
        rep_putc(b, '.');
    rep_put(b, room + point, (size_t)decimals);
}

/* Whole numbers that a double has exactly need no %g. */
static bool put_double(struct rep_buffer *b, double number, int digits)
{
    const double magnitude = fabs(number);
    char room[40];

    if (!isfinite(number))
        return false;
    if (magnitude < 1e15 && digits >= 15 && !signbit(number)) {
        const uint64_t whole = (uint64_t)magnitude;
        if (!((double)whole < magnitude)) {
            rep_put_count(b, whole);
            return true;
        }
    }
    rep_put(b, room,
            digits == 15 ? cli_fifteen_digits(room, number)
                         : (size_t)snprintf(room, sizeof room, "%.*g", digits, number));
    return true;
}

bool rep_put_number(struct rep_buffer *b, const struct rep_cell *cell)
{
    char wide[PC_WIDE_TEXT];

    switch (cell->what) {
    case REP_IS_MINUS:
        rep_putc(b, '-');
        rep_put_count(b, cell->as.count);
        return true;
    case REP_IS_COUNT:
        rep_put_count(b, cell->as.count);
        return true;
    case REP_IS_FIXED:
        put_fixed(b, cell->as.count, cell->digits);
        return true;
    case REP_IS_NUMBER:
        return put_double(b, cell->as.number, cell->digits);
    case REP_IS_DIGITS:
        rep_puts(b, cell->as.text);
        return true;
    case REP_IS_WIDE:
        pc_wide_text(tree_wide(*cell->as.wide), wide);
        rep_puts(b, wide);
        return true;
    }
    return false;
}

/* --- text --- */

void rep_put_hiding(struct rep_buffer *b, const char *text, const char *(*escape)(char c),
                    size_t (*hidden)(const char *text, char out[CLI_HIDDEN]))
{
    const char *begin = text;
    char instead[CLI_HIDDEN];

    while (*text) {
        if (cli_is_word(*text) && *text != '_') { /* no format has another for these */
            text++;
            continue;
        }
        const char *other = escape ? escape(*text) : NULL;
        size_t n = other ? 1 : cli_character(text);
        if (!other && n > 0) {
            text += n;
            continue;
        }
        rep_put(b, begin, (size_t)(text - begin));
        if (!other)
            n = hidden(text, instead);
        rep_puts(b, other ? other : instead);
        begin = text += n;
    }
    rep_put(b, begin, (size_t)(text - begin));
}

void rep_put_escaped(struct rep_buffer *b, const char *text, const char *(*escape)(char c))
{
    rep_put_hiding(b, text, escape, cli_hidden);
}

const char *rep_escape_xml(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\t':
    case '\n':
        return " ";
    }
    return NULL;
}

static void put_hex(struct rep_buffer *b, uint64_t value, int digits)
{
    rep_puts(b, "0x");
    for (int i = digits - 1; i >= 0; i--)
        rep_putc(b, "0123456789abcdef"[value >> (4 * i) & 15]);
}

void rep_put_cell(struct rep_buffer *b, const struct rep_cell *cell, const char *(*escape)(char c))
{
    switch (cell->what) {
    case REP_ABSENT:
    case REP_IS_NULL:
        return;
    case REP_IS_TEXT:
        rep_put_escaped(b, cell->as.text, escape);
        return;
    case REP_IS_BOOL:
        if (escape)
            rep_puts(b, cell->as.count ? "yes" : "no");
        else
            rep_putc(b, cell->as.count ? '1' : '0');
        return;
    case REP_IS_HEX:
        put_hex(b, cell->as.count, cell->digits);
        return;
    default:
        rep_put_number(b, cell);
    }
}

struct rep_cell rep_exact(double number)
{
    char text[40];

    for (int digits = 15; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        const double again = strtod(text, NULL);
        if (!(again < number) && !(again > number))
            return rep_number(number, digits);
    }
    return rep_number(number, 17);
}

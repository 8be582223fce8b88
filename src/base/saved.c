/* SPDX-License-Identifier: MIT */
/* See saved.h. */
#include "base/saved.h"

#include <string.h>

#include "base/bytes.h"

union number {
    uint8_t of_1;
    uint16_t of_2;
    uint32_t of_4;
    uint64_t of_8;
};

static uint64_t get_member(const void *from, unsigned width)
{
    union number n = { .of_8 = 0 };

    memcpy(&n, from, width);
    return width == 1 ? n.of_1 : width == 2 ? n.of_2 : width == 4 ? n.of_4 : n.of_8;
}

static void set_member(void *to, unsigned width, uint64_t value)
{
    union number n = { .of_8 = value };

    if (width == 1)
        n.of_1 = (uint8_t)value;
    else if (width == 2)
        n.of_2 = (uint16_t)value;
    else if (width == 4)
        n.of_4 = (uint32_t)value;
    memcpy(to, &n, width);
}

size_t pc_rows_size(const struct pc_row *row, size_t rows)
{
    size_t size = 0;

    for (size_t r = 0; r < rows; r++)
        size += (size_t)row[r].width * row[r].count;
    return size;
}

uint8_t *pc_rows_put(const struct pc_row *row, size_t rows, const void *from, uint8_t *to)
{
    for (const struct pc_row *end = row + rows; row < end; row++)
        for (unsigned i = 0; i < row->count; i++, to += row->width)
            pc_put_bytes(to, row->width,
                         get_member((const char *)from + row->at + i * row->width, row->width));
    return to;
}

const struct pc_row *pc_rows_take(const struct pc_row *row, size_t rows, const uint8_t *from,
                                  void *to)
{
    for (const struct pc_row *end = row + rows; row < end; row++)
        for (unsigned i = 0; i < row->count; i++, from += row->width) {
            const uint64_t value = pc_get_bytes(from, row->width);
            if (value > row->last)
                return row;
            set_member((char *)to + row->at + i * row->width, row->width, value);
        }
    return NULL;
}

/* ---- the head ---- */

static void put_text(uint8_t to[8], const char *text)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(*text ? *text++ : 0);
}

uint8_t *pc_saved_put(const struct pc_saved *s, uint8_t to[PC_SAVED_HEAD])
{
    put_text(to, s->magic);
    pc_put_bytes(to + 8, 4, s->version);
    pc_put_bytes(to + 12, 4, s->part);
    put_text(to + 16, s->chip);
    return to + PC_SAVED_HEAD;
}

enum pc_status pc_saved_check(const struct pc_saved *s, const uint8_t *from, size_t size,
                              struct pc_error *err)
{
    uint8_t own[PC_SAVED_HEAD];

    pc_saved_put(s, own);
    if (size < PC_SAVED_HEAD)
        return pc_fail(err, 406, "the state of %s ends early", s->of);
    if (memcmp(from, own, 8) != 0)
        return pc_fail(err, 406, "this is not a state of %s", s->of);
    const uint32_t its = (uint32_t)pc_get_bytes(from + 8, 4);
    if (its != s->version)
        return pc_fail(err, 406, "the state of %s has version %u, this program has %u", s->of,
                       (unsigned)its, (unsigned)s->version);
    if (memcmp(from + 16, own + 16, 8) != 0)
        return pc_fail(err, 406, "the state was saved for another chip than %s", s->chip);
    if (memcmp(from + 12, own + 12, 4) != 0)
        return pc_fail(err, 406, "the state was saved for another set of %s's domains", s->chip);
    return PC_OK;
}

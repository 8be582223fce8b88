/* SPDX-License-Identifier: MIT */
/* See mutate.h. */
#include "mutate.h"

#include <string.h>

/* --- taking apart --- */

void fields_begin(struct fields *f, unsigned seed)
{
    f->count = f->used = 0;
    f->records = 0;
    f->full = f->lies = false;
    f->random = UINT64_C(0x9e3779b97f4a7c15) * (seed + 1u);
}

void take_record(struct fields *f, unsigned tag)
{
    f->records++;
    if (f->count < FIELDS) /* the fields to come take it from here */
        f->field[f->count].tag = tag;
}

static struct field *add(struct fields *f, enum field_kind kind)
{
    static struct field spare;

    if (f->count + 1 >= FIELDS) {
        f->full = true;
        return &spare;
    }
    struct field *field = &f->field[f->count++];
    const unsigned tag = field->tag;
    *field = (struct field){ .kind = kind, .record = f->records, .tag = tag };
    f->field[f->count].tag = tag;
    return field;
}

static uint8_t byte_of(struct input *in)
{
    if (in->at == in->end) {
        in->short_of = true;
        return 0;
    }
    return *in->at++;
}

static uint64_t fixed(struct input *in, unsigned bytes, bool high)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)byte_of(in) << 8 * (high ? bytes - 1 - i : i);
    return value;
}

static uint64_t leb(struct input *in, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = byte_of(in);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && shift < 70);
    if (is_signed && byte & 0x40 && shift < 64)
        value |= UINT64_MAX << shift;
    return value;
}

uint64_t take_number(struct fields *f, struct input *in, enum field_kind kind)
{
    if (kind == FIELD_U32 && in->high)
        kind = FIELD_U32_HIGH;
    struct field *field = add(f, kind);

    switch (kind) {
    case FIELD_U8:
        field->value = byte_of(in);
        break;
    case FIELD_U16:
        field->value = fixed(in, 2, false);
        break;
    case FIELD_U32:
    case FIELD_U32_HIGH:
        field->value = fixed(in, 4, in->high);
        break;
    default:
        field->value = leb(in, kind == FIELD_SLEB);
        break;
    }
    return field->value;
}

uint64_t take_length(struct fields *f, struct input *in, enum field_kind kind)
{
    const uint64_t value = take_number(f, in, kind);

    if (f->count > 0)
        f->field[f->count - 1].role = FIELD_LENGTH;
    return value;
}

void take_count(struct fields *f, struct input *in, unsigned of)
{
    (void)take_number(f, in, FIELD_U32);
    if (f->count > 0) {
        f->field[f->count - 1].role = FIELD_COUNT;
        f->field[f->count - 1].of = of;
    }
}

const uint8_t *take_bytes(struct fields *f, struct input *in, size_t size)
{
    const uint8_t *from = in->at;
    struct field *field = add(f, FIELD_BYTES);

    if (size > (size_t)(in->end - in->at)) {
        in->short_of = true;
        size = (size_t)(in->end - in->at);
    }
    if (size > FIELD_BYTES_MAX / 2 - f->used) {
        f->full = true;
        size = 0;
    }
    field->at = f->used;
    field->size = size;
    if (size > 0)
        memcpy(f->bytes + f->used, from, size);
    f->used += size;
    in->at += size;
    return from;
}

void take_rest(struct fields *f, struct input *in)
{
    if (in->at < in->end)
        (void)take_bytes(f, in, (size_t)(in->end - in->at));
}

/* --- changing --- */

uint32_t fields_random(struct fields *f, uint32_t below)
{
    f->random = f->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (uint32_t)((f->random >> 33) % below) : 0;
}

static void change_number(struct fields *f, struct field *field)
{
    const uint32_t shift = fields_random(f, 64);
    size_t other = fields_random(f, (uint32_t)f->count);

    switch (fields_random(f, 6)) {
    case 0:
        field->value++;
        break;
    case 1:
        field->value--;
        break;
    case 2:
        field->value = (UINT64_C(1) << shift) - fields_random(f, 3) + 1;
        break;
    case 3:
        field->value = fields_random(f, 256);
        break;
    case 4:
        field->value ^= UINT64_C(1) << shift % 8;
        break;
    default: /* another one of the input */
        for (size_t i = 0; i < f->count; i++, other = (other + 1) % f->count)
            if (f->field[other].kind == field->kind && &f->field[other] != field) {
                field->value = f->field[other].value;
                break;
            }
        break;
    }
}

static void change_bytes(struct fields *f, struct field *field)
{
    const size_t room = field->size + 1 + fields_random(f, 16);

    if (room > FIELD_BYTES_MAX - f->used)
        return;
    memcpy(f->bytes + f->used, f->bytes + field->at, field->size);
    field->at = f->used;
    field->size = LLVMFuzzerMutate(f->bytes + f->used, field->size, room);
    f->used += field->size;
}

static size_t end_of(const struct fields *f, size_t begin)
{
    size_t end = begin;

    while (end < f->count && f->field[end].record == f->field[begin].record)
        end++;
    return end;
}

/* Finds a record that may move: its first field, or SIZE_MAX. */
static size_t any_record(struct fields *f, unsigned tag)
{
    size_t i = fields_random(f, (uint32_t)f->count);

    for (size_t n = 0; n < f->count; n++, i = (i + 1) % f->count)
        if (f->field[i].tag && (!tag || f->field[i].tag == tag) &&
            (i == 0 || f->field[i - 1].record != f->field[i].record))
            return i;
    return SIZE_MAX;
}

/* Puts a copy of the fields of a record to another place. */
static void copy_record(struct fields *f, size_t begin, size_t to)
{
    static struct field copy[FIELDS];
    const size_t n = end_of(f, begin) - begin;

    if (f->count + n >= FIELDS)
        return;
    memcpy(copy, f->field + begin, n * sizeof *copy);
    memmove(f->field + to + n, f->field + to, (f->count - to) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i].record = f->records + 1;
    f->records++;
    memcpy(f->field + to, copy, n * sizeof *copy);
    f->count += n;
}

static void drop_record(struct fields *f, size_t begin)
{
    const size_t end = end_of(f, begin);

    memmove(f->field + begin, f->field + end, (f->count - end) * sizeof f->field[0]);
    f->count -= end - begin;
}

static void change_record(struct fields *f)
{
    const size_t one = any_record(f, 0);
    const uint32_t how = fields_random(f, 4);

    if (one == SIZE_MAX)
        return;
    const size_t other = any_record(f, how == 3 ? 0 : f->field[one].tag);
    if (how == 0) {
        drop_record(f, one);
        return;
    }
    copy_record(f, one, how == 1 ? end_of(f, one) : end_of(f, other));
    if (how == 2 && other != one && end_of(f, other) <= one) /* moved: the old one is further on */
        drop_record(f, one + end_of(f, one) - one < f->count ? end_of(f, one) : one);
}

void fields_change(struct fields *f)
{
    const uint32_t changes = fields_random(f, 3) ? 1 : 1 + fields_random(f, 4);

    f->lies = fields_random(f, 8) == 0;
    for (uint32_t n = 0; n < changes && f->count > 0; n++) {
        struct field *field = &f->field[fields_random(f, (uint32_t)f->count)];
        if (fields_random(f, 3) == 0)
            change_record(f);
        else if (field->kind == FIELD_BYTES)
            change_bytes(f, field);
        else if (field->role == FIELD_PLAIN || f->lies)
            change_number(f, field);
    }
}

/* --- putting together --- */

struct output {
    uint8_t *at, *end;
    bool full;
};

static void put(struct output *o, uint64_t byte)
{
    if (o->at == o->end)
        o->full = true;
    else
        *o->at++ = (uint8_t)byte;
}

static void put_leb(struct output *o, uint64_t value, bool is_signed)
{
    const uint64_t fill = is_signed && value >> 63 ? ~(UINT64_MAX >> 7) : 0;
    bool more;

    do {
        const uint8_t byte = value & 0x7f;
        value = value >> 7 | fill;
        more = is_signed ? !((value == 0 && !(byte & 0x40)) || (value == UINT64_MAX && byte & 0x40))
                         : value != 0;
        put(o, byte | (more ? 0x80u : 0));
    } while (more);
}

static uint64_t value_of(const struct fields *f, size_t i)
{
    const struct field *field = &f->field[i];
    uint64_t count = 0;

    if (f->lies || field->role == FIELD_PLAIN)
        return field->value;
    if (field->role == FIELD_LENGTH)
        return i + 1 < f->count && f->field[i + 1].kind == FIELD_BYTES ? f->field[i + 1].size
                                                                       : field->value;
    for (size_t k = 0; k < f->count; k++)
        count += f->field[k].tag == field->of &&
                 (k == 0 || f->field[k - 1].record != f->field[k].record);
    return count;
}

size_t fields_write(const struct fields *f, uint8_t *out, size_t most)
{
    struct output o = { out, out + most, false };

    for (size_t i = 0; i < f->count; i++) {
        const struct field *field = &f->field[i];
        const uint64_t value = value_of(f, i);
        const unsigned width = field->kind == FIELD_U8 ? 1 : field->kind == FIELD_U16 ? 2 : 4;
        if (field->kind == FIELD_BYTES)
            for (size_t k = 0; k < field->size; k++)
                put(&o, f->bytes[field->at + k]);
        else if (field->kind == FIELD_LEB || field->kind == FIELD_SLEB)
            put_leb(&o, value, field->kind == FIELD_SLEB);
        else
            for (unsigned k = 0; k < width; k++)
                put(&o, value >> 8 * (field->kind == FIELD_U32_HIGH ? width - 1 - k : k));
    }
    return o.full ? 0 : (size_t)(o.at - out);
}

size_t fields_mutate(take_fn *take, uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct fields f;
    static uint8_t out[FIELD_BYTES_MAX];
    struct input in = { .at = data, .end = data + size };

    fields_begin(&f, seed);
    f.field[0].tag = 0;
    if (fields_random(&f, 10) == 0 || !take(&f, &in) || f.full || f.count == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    take_rest(&f, &in);
    fields_change(&f);
    const size_t n = fields_write(&f, out, max_size < sizeof out ? max_size : sizeof out);
    if (n == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(data, out, n);
    return n;
}

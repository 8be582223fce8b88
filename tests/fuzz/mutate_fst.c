/* SPDX-License-Identifier: MIT */
/*
 * The mutator of `fst`: blocks change places; or one block is unpacked, its parts change, and it is
 * packed again with lengths that fit (tests/wave/fst_make.h).  Parts: entries of the tree, lengths
 * of the geometry, and of values the frame, a chain, the table of chains or the times.
 */
#include "mutate.h"
#include "fst_make.h"

#include "wave/fst/fastlz.h"

#include <lz4.h>
#include <string.h>
#include <zlib.h>

enum { BLOCKS = 64, UNPACKED = 1 << 16, ENTRY = 1, STREAM, TIME, RECORD };
enum {
    HEADER = 0,
    CHANGES = 1,
    GEOMETRY = 3,
    GZIP = 4,
    CHANGES_5 = 5,
    LZ4 = 6,
    LZ4_TWICE = 7,
    CHANGES_8 = 8
};

struct part {
    const uint8_t *at;
    size_t size;
};
struct block {
    unsigned type;
    struct part all, content;
};

static struct fields fields;
static uint8_t plain[UNPACKED], again[UNPACKED], changed[UNPACKED];

static uint64_t u64(const uint8_t *p)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < 8; i++)
        value = value << 8 | p[i];
    return value;
}

/* Reads a number; false at the end of the part. */
static bool number(struct part *p, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; p->size > 0; shift += 7) {
        const uint8_t byte = *p->at++;
        p->size--;
        if (shift < 64)
            *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool unpack_zlib(struct part p, int window, uint8_t *to, size_t *size)
{
    z_stream z = { 0 };

    if (inflateInit2(&z, window) != Z_OK)
        return false;
    z.next_in = (Bytef *)(uintptr_t)p.at;
    z.avail_in = (uInt)p.size;
    z.next_out = to;
    z.avail_out = UNPACKED;
    const int code = inflate(&z, Z_FINISH);
    *size = UNPACKED - z.avail_out;
    inflateEnd(&z);
    return code == Z_STREAM_END;
}

static bool unpack(char packing, struct part p, size_t size, uint8_t *to)
{
    size_t got;

    if (size > UNPACKED || p.size > UNPACKED)
        return false;
    if (packing == '4')
        return LZ4_decompress_safe((const char *)p.at, (char *)to, (int)p.size, (int)size) ==
               (int)size;
    if (packing == 'F')
        return fst_fastlz_unpack(p.at, p.size, to, size);
    return unpack_zlib(p, 15, to, &got) && got == size;
}

static size_t blocks_of(const uint8_t *data, size_t size, struct block block[BLOCKS])
{
    size_t n = 0;

    while (size >= 9 && n < BLOCKS) {
        const uint64_t length = u64(data + 1);
        if (length < 8 || length > size - 1)
            break;
        block[n++] = (struct block){ data[0],
                                     { data, (size_t)length + 1 },
                                     { data + 9, (size_t)length - 8 } };
        data += length + 1;
        size -= (size_t)length + 1;
    }
    return n;
}

/* Changes what `take` takes apart; the result is in `changed`. */
static size_t change(take_fn *take, struct part p)
{
    struct input in = { .at = p.at, .end = p.at + p.size };

    fields.count = fields.used = 0;
    fields.full = false;
    fields.field[0].tag = 0;
    if (!take(&fields, &in) || fields.full)
        return 0;
    take_rest(&fields, &in);
    fields_change(&fields);
    return fields_write(&fields, changed, sizeof changed);
}

/* --- the tree --- */

static void text(struct fields *f, struct input *in)
{
    const uint8_t *nul = memchr(in->at, 0, (size_t)(in->end - in->at));

    (void)take_bytes(f, in, (size_t)((nul ? nul + 1 : in->end) - in->at));
}

static bool take_entries(struct fields *f, struct input *in)
{
    while (in->at < in->end && !f->full) {
        take_record(f, ENTRY);
        const uint64_t tag = take_number(f, in, FIELD_U8);
        if (tag == 255 || tag == 253)
            continue;
        (void)take_number(f, in, FIELD_U8);
        if (tag == 252) /* an attribute */
            (void)take_number(f, in, FIELD_U8);
        text(f, in);
        if (tag == 254)
            text(f, in);
        else
            (void)take_number(f, in, FIELD_LEB);
        if (tag != 254 && tag != 252)
            (void)take_number(f, in, FIELD_LEB);
    }
    return true;
}

static bool change_tree(const struct block *b, struct mk *out)
{
    struct part p = b->content;
    uint64_t first;
    size_t size = 0;

    if (p.size < 8)
        return false;
    const uint64_t claim = u64(p.at);
    p.at += 8;
    p.size -= 8;
    if (b->type == GZIP) {
        if (!unpack_zlib(p, 31, plain, &size))
            return false;
    } else if (b->type == LZ4) {
        size = (size_t)claim;
        if (!unpack('4', p, size, plain))
            return false;
    } else {
        size = (size_t)claim;
        if (!number(&p, &first) || !unpack('4', p, (size_t)first, again) ||
            !unpack('4', (struct part){ again, (size_t)first }, size, plain))
            return false;
    }
    struct mk entries = { .data = changed };
    entries.used = change(take_entries, (struct part){ plain, size });
    if (entries.used == 0)
        return false;
    mk_hierarchy(out,
                 fields_random(&fields, 4) ? b->type : GZIP + fields_random(&fields, 4) % 2 * 2,
                 &entries);
    return true;
}

/* --- numbers alone: the geometry, positions, times --- */

static bool take_numbers(struct fields *f, struct input *in)
{
    while (in->at < in->end && !f->full) {
        take_record(f, TIME);
        (void)take_number(f, in, FIELD_LEB);
    }
    return true;
}

static bool change_geometry(const struct block *b, struct mk *out)
{
    struct part p = b->content;

    if (p.size < 16)
        return false;
    const uint64_t size = u64(p.at);
    const bool packed = size != p.size - 16;
    p = (struct part){ p.at + 16, p.size - 16 };
    if (packed && !unpack('Z', p, (size_t)size, plain))
        return false;
    const size_t n = change(take_numbers, packed ? (struct part){ plain, (size_t)size } : p);
    const size_t begin = mk_begin(out, GEOMETRY);
    mk_u64(out, n);
    mk_u64(out, fields_random(&fields, 4) ? fields.count : u64(b->content.at + 8));
    if (fields_random(&fields, 2))
        mk_pack(out, 'Z', changed, n);
    else
        mk_bytes(out, changed, n);
    mk_end(out, begin);
    return true;
}

/* --- values --- */

/* A block of values in its parts, each as it stands in the file. */
struct values {
    struct part head; /* up to the frame: three numbers after 24 bytes */
    uint64_t frame_size, frame_packed, frame_streams, streams;
    struct part frame, chains, positions, times;
    uint64_t times_size, times_count;
    bool times_packed;
};

static bool take_back(struct part *p, size_t size, struct part *out)
{
    if (size > p->size)
        return false;
    p->size -= size;
    *out = (struct part){ p->at + p->size, size };
    return true;
}

static bool values_of(const struct block *b, struct values *v)
{
    struct part p = b->content, tail, size;

    if (p.size < 24)
        return false;
    v->head = (struct part){ p.at, 24 };
    p = (struct part){ p.at + 24, p.size - 24 };
    if (!number(&p, &v->frame_size) || !number(&p, &v->frame_packed) ||
        !number(&p, &v->frame_streams) || v->frame_packed > p.size)
        return false;
    v->frame = (struct part){ p.at, (size_t)v->frame_packed };
    p = (struct part){ p.at + v->frame_packed, p.size - (size_t)v->frame_packed };
    if (!number(&p, &v->streams) || !take_back(&p, 24, &tail))
        return false;
    v->times_size = u64(tail.at);
    v->times_count = u64(tail.at + 16);
    if (u64(tail.at + 8) > p.size || !take_back(&p, (size_t)u64(tail.at + 8), &v->times))
        return false;
    v->times_packed = v->times.size != v->times_size;
    if (!take_back(&p, 8, &size) || u64(size.at) > p.size ||
        !take_back(&p, (size_t)u64(size.at), &v->positions))
        return false;
    v->chains = p; /* from the letter of the packing on */
    return p.size > 0;
}

static void write_values(const struct block *b, const struct values *v, struct mk *out)
{
    const size_t begin = mk_begin(out, b->type);

    mk_bytes(out, v->head.at, v->head.size);
    mk_number(out, v->frame_size);
    mk_number(out, v->frame.size);
    mk_number(out, v->frame_streams);
    mk_bytes(out, v->frame.at, v->frame.size);
    mk_number(out, v->streams);
    mk_bytes(out, v->chains.at, v->chains.size);
    mk_bytes(out, v->positions.at, v->positions.size);
    mk_u64(out, v->positions.size);
    mk_bytes(out, v->times.at, v->times.size);
    mk_u64(out, v->times_size);
    mk_u64(out, v->times.size);
    mk_u64(out, v->times_count);
    mk_end(out, begin);
}

static bool change_frame(struct values *v, struct mk *room)
{
    if (v->frame_size != v->frame.size && !unpack('Z', v->frame, (size_t)v->frame_size, plain))
        return false;
    if (v->frame_size > sizeof plain || v->frame_size == 0)
        return false;
    if (v->frame_size == v->frame.size)
        memcpy(plain, v->frame.at, v->frame.size);
    for (uint32_t n = fields_random(&fields, 5); n <= 4; n++)
        plain[fields_random(&fields, (uint32_t)v->frame_size)] =
            (uint8_t) "01xzhuwl-"[fields_random(&fields, 9)];
    mk_pack(room, 'Z', plain, (size_t)v->frame_size);
    v->frame = (struct part){ room->data, room->used };
    return room->used != v->frame_size;
}

static bool change_times(struct values *v, struct mk *room)
{
    struct part p = v->times;

    if (v->times_packed && !unpack('Z', p, (size_t)v->times_size, plain))
        return false;
    if (v->times_packed)
        p = (struct part){ plain, (size_t)v->times_size };
    const size_t n = change(take_numbers, p);
    v->times_size = n;
    if (fields_random(&fields, 4))
        v->times_count = fields.count;
    mk_pack(room, 'Z', changed, n);
    v->times = (struct part){ room->data, room->used };
    if (room->used >= n || fields_random(&fields, 2))
        v->times = (struct part){ changed, n };
    return n > 0;
}

static bool take_signed(struct fields *f, struct input *in)
{
    while (in->at < in->end && !f->full) {
        take_record(f, STREAM);
        (void)take_number(f, in, *in->at & 1 ? FIELD_SLEB : FIELD_LEB);
    }
    return true;
}

/* An entry of a table: 2 d+1 a chain that begins d bytes after the last. */
struct chain {
    size_t at, end, entry; /* in the chains; of the number in the table */
};

/* Finds the n-th chain of a table without aliases, and how many there are. */
static size_t chains_of(const struct values *v, bool is_signed, struct chain *chain, size_t wanted)
{
    struct part p = v->positions;
    size_t at = 0, count = 0;

    while (p.size > 0) {
        const bool odd = *p.at & 1;
        uint64_t value;
        if (!number(&p, &value))
            break;
        if (is_signed && odd && value >> 1 >= v->chains.size)
            continue; /* below 0: an alias */
        if (!odd || value >> 1 == 0)
            continue;
        at += (size_t)(value >> 1);
        if (at >= v->chains.size)
            break;
        if (count == wanted + 1)
            chain->end = at;
        if (count == wanted)
            *chain = (struct chain){ at, v->chains.size, 0 };
        count++;
    }
    return count;
}

static bool take_chain(struct fields *f, struct input *in)
{
    while (in->at < in->end && !f->full) {
        take_record(f, RECORD);
        (void)take_number(f, in, FIELD_LEB);
    }
    return true;
}

/* The records of one chain change, and stay as long as they were where that can be: the table of
 * chains is then still right.  Records of one bit are numbers alone. */
static bool change_chain(const struct block *b, struct values *v, struct mk *room)
{
    struct chain c = { 0 };
    uint64_t size;
    const size_t count = chains_of(v, b->type == CHANGES_8, &c, SIZE_MAX - 1);

    if (count == 0)
        return false;
    (void)chains_of(v, b->type == CHANGES_8, &c, fields_random(&fields, (uint32_t)count));
    struct part p = { v->chains.at + c.at, c.end - c.at };
    if (!number(&p, &size))
        return false;
    const char packing = (char)v->chains.at[0];
    if (size > 0 && !unpack(packing, p, (size_t)size, plain))
        return false;
    const size_t n = change(take_chain, size > 0 ? (struct part){ plain, (size_t)size } : p);
    mk_bytes(room, v->chains.at, c.at);
    if (n > p.size || n == 0) {
        mk_number(room, n);
        mk_pack(room, packing == '4' || packing == 'F' ? packing : 'Z', changed, n);
    } else {
        mk_u8(room, 0);
        mk_bytes(room, changed, n);
    }
    while (room->used < c.end && fields_random(&fields, 16)) /* records that change nothing */
        mk_u8(room, 0);
    const size_t moved = room->used;
    mk_bytes(room, v->chains.at + c.end, v->chains.size - c.end);
    v->chains = (struct part){ room->data, room->used };
    return moved == c.end || fields_random(&fields, 4) == 0;
}

static bool change_values(const struct block *b, struct mk *out)
{
    struct values v;
    struct mk room = { 0 };
    bool done = false;

    if (!values_of(b, &v))
        return false;
    switch (fields_random(&fields, 5)) {
    case 0:
        done = change_frame(&v, &room);
        break;
    case 1:
        done = change_times(&v, &room);
        break;
    case 2: {
        const size_t n = change(b->type == CHANGES_8 ? take_signed : take_numbers, v.positions);
        v.positions = (struct part){ changed, n };
        done = n > 0;
        break;
    }
    default:
        done = change_chain(b, &v, &room);
        break;
    }
    if (done)
        write_values(b, &v, out);
    mk_free(&room);
    return done;
}

/* --- the file --- */

static bool change_block(const struct block *b, struct mk *out)
{
    switch (b->type) {
    case GZIP:
    case LZ4:
    case LZ4_TWICE:
        return change_tree(b, out);
    case GEOMETRY:
        return change_geometry(b, out);
    case CHANGES:
    case CHANGES_5:
    case CHANGES_8:
        return change_values(b, out);
    default:
        return false;
    }
}

/* Blocks after the header: one is left out, comes twice or changes its place. */
static void move_blocks(const struct block *block, size_t count, struct mk *out)
{
    const uint32_t how = fields_random(&fields, 3);
    const size_t one = 1 + fields_random(&fields, (uint32_t)count - 1);
    const size_t other = 1 + fields_random(&fields, (uint32_t)count - 1);

    for (size_t i = 0; i < count; i++) {
        if (i != one || how == 1)
            mk_bytes(out, block[i].all.at, block[i].all.size);
        if (i == other && how > 0)
            mk_bytes(out, block[one].all.at, block[one].all.size);
    }
}

static bool change_file(const struct block *block, size_t count, struct mk *out)
{
    const size_t one = fields_random(&fields, (uint32_t)count);
    bool done = false;

    if (fields_random(&fields, 8) == 0 && count > 1) {
        move_blocks(block, count, out);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t before = out->used;
        if (i == one && change_block(&block[i], out)) {
            done = true;
            continue;
        }
        out->used = before;
        mk_bytes(out, block[i].all.at, block[i].all.size);
    }
    return done;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct block block[BLOCKS];
    struct mk out = { 0 }, wrapped = { 0 };
    bool done = false;

    fields_begin(&fields, seed);
    const size_t count = blocks_of(data, size, block);
    if (count > 0 && block[0].type == HEADER && fields_random(&fields, 10))
        for (unsigned n = 0; n < 8 && !done; n++) {
            out.used = 0;
            done = change_file(block, count, &out);
        }
    if (done && fields_random(&fields, 64) == 0) {
        mk_wrap(&wrapped, &out);
        done = wrapped.used <= max_size;
        if (done)
            memcpy(data, wrapped.data, size = wrapped.used);
    } else if (done && out.used <= max_size) {
        memcpy(data, out.data, size = out.used);
    } else {
        done = false;
    }
    mk_free(&out);
    mk_free(&wrapped);
    return done ? size : LLVMFuzzerMutate(data, size, max_size);
}

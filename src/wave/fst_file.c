/* SPDX-License-Identifier: MIT */
/*
 * The outermost layer of an FST file: the wrapper, the header and the row of blocks.  A
 * file whose writer was stopped, or that was cut, is read as far as its blocks are whole.
 */
#include "wave/fst.h"

#include <stdio.h>

#define HEADER_SIZE 321u /* content of the header block */
#define BLOCK_HEAD  9u   /* type and length */

/* Text of a field of fixed size, without blanks and line ends around it. */
static void copy_field(char *to, size_t room, const uint8_t *from, size_t size)
{
    size_t begin = 0, end = 0;

    while (end < size && from[end] != '\0')
        end++;
    while (begin < end && from[begin] <= ' ')
        begin++;
    while (end > begin && from[end - 1] <= ' ')
        end--;
    size_t length = end - begin < room - 1 ? end - begin : room - 1;
    memcpy(to, from + begin, length);
    to[length] = '\0';
}

/* Euler's number as a double: what FST has instead of a magic number, in either byte order. */
static bool is_magic(const uint8_t *p)
{
    static const uint8_t little[8] = { 0x69, 0x57, 0x14, 0x8b, 0x0a, 0xbf, 0x05, 0x40 };
    bool forward = true, backward = true;

    for (int i = 0; i < 8; i++) {
        forward = forward && p[i] == little[i];
        backward = backward && p[i] == little[7 - i];
    }
    return forward || backward;
}

/* 10^exponent as 1, 10 or 100 of a unit that has a name: ..., ns, us, ms, s. */
static void set_timescale(struct pc_wave_info *info, int exponent)
{
    int rest = ((exponent % 3) + 3) % 3;

    info->timescale_exponent = exponent - rest;
    info->timescale_factor = rest == 0 ? 1 : rest == 1 ? 10 : 100;
}

static enum pc_status load_header(struct fst *f, struct pc_error *err)
{
    struct fst_cursor c = fst_cursor_on(f->data, f->size, 0);
    struct pc_wave_info *info = &f->reader.info;

    uint8_t type = fst_u8(&c);
    uint64_t length = fst_u64(&c);
    if (c.fault || type != FST_HEADER || length < HEADER_SIZE + 8)
        return pc_fail_byte(err, 700, 0, "no FST header: block type %u, length %llu", type,
                            (unsigned long long)length);
    f->start = fst_u64(&c);
    f->finish = fst_u64(&c);
    const uint8_t *e = fst_take(&c, 8);
    if (e && !is_magic(e))
        return pc_fail_byte(err, 700, 25, "the double at byte 25 is not Euler's number");
    fst_take(&c, 40); /* memory of the writer, counts: all of it is counted again */
    int exponent = (int8_t)fst_u8(&c);
    const uint8_t *version = fst_take(&c, 128);
    const uint8_t *date = fst_take(&c, 119);
    fst_u8(&c); /* language of the design */
    uint64_t zero = fst_u64(&c);
    if (c.fault)
        return fst_check(&c, err, "header");
    if (exponent < -30 || exponent > 9)
        return pc_fail_byte(err, 704, 73, "a time unit of 10^%d seconds", exponent);
    copy_field(f->version, sizeof f->version, version, 128);
    copy_field(f->date, sizeof f->date, date, 119);
    set_timescale(info, exponent);
    if (zero != 0)
        wv_warn(&f->reader.hier, "times count from time zero of the file, which stands for %lld",
                (long long)zero);
    return PC_OK;
}

static enum pc_status add_changes(struct fst *f, struct fst_block b, struct pc_error *err)
{
    struct fst_cursor c = fst_file_cursor(f, b.at, b.size);

    b.begin = fst_u64(&c);
    b.end = fst_u64(&c);
    enum pc_status status = fst_check(&c, err, "value change block");
    if (status)
        return status;
    if (!pc_grow(&f->alloc, (void **)&f->block, &f->block_capacity, f->blocks + 1,
                 sizeof *f->block))
        return fst_no_memory(err, "the list of blocks");
    f->block[f->blocks++] = b;
    return PC_OK;
}

static enum pc_status add_only(struct fst_block *slot, struct fst_block b, const char *what,
                               struct pc_error *err)
{
    if (slot->type != FST_SKIP)
        return pc_fail_byte(err, 703, b.at - BLOCK_HEAD,
                            "a second %s block; the first is at byte %llu", what,
                            (unsigned long long)(slot->at - BLOCK_HEAD));
    *slot = b;
    return PC_OK;
}

static enum pc_status add_block(struct fst *f, struct fst_block b, struct pc_error *err)
{
    switch (b.type) {
    case FST_CHANGES:
    case FST_CHANGES_ALIAS:
    case FST_CHANGES_ALIAS2:
        return add_changes(f, b, err);
    case FST_GEOMETRY:
        return add_only(&f->geometry, b, "geometry", err);
    case FST_HIERARCHY:
    case FST_HIERARCHY_LZ4:
    case FST_HIERARCHY_LZ4_TWICE:
        return add_only(&f->hierarchy, b, "hierarchy", err);
    case FST_BLACKOUT:
        return add_only(&f->blackout, b, "blackout", err);
    case FST_SKIP:
        return PC_OK;
    default:
        wv_warn(&f->reader.hier, "block of unknown type %u at byte %llu skipped", b.type,
                (unsigned long long)(b.at - BLOCK_HEAD));
        return PC_OK;
    }
}

/*
 * A value change block that was begun and not written has length 0 and holds its times
 * and the frame.  Writers that close a file without any change leave it in the row, and
 * the geometry follows.  Gives the byte where that stands, 0 if it does not.
 */
static uint64_t behind_begun_block(const struct fst *f, uint64_t at)
{
    struct fst_cursor c = fst_file_cursor(f, at, f->size - at);

    fst_take(&c, 24);
    fst_number(&c);
    uint64_t packed = fst_number(&c);
    fst_number(&c);
    fst_take(&c, packed);
    uint64_t next = at + (uint64_t)(c.at - c.begin);
    uint8_t type = fst_u8(&c);
    uint64_t length = fst_u64(&c);
    bool fits = length >= 8 && length - 8 <= fst_left(&c);
    return c.fault == FST_NO_FAULT && type == FST_GEOMETRY && fits ? next : 0;
}

static enum pc_status load_row(struct fst *f, struct pc_error *err)
{
    uint64_t at = 0;

    while (at < f->size && !f->stop_why) {
        struct fst_cursor c = fst_file_cursor(f, at, f->size - at);
        uint8_t type = fst_u8(&c);
        uint64_t length = fst_u64(&c);
        f->stop = at;
        if (c.fault) {
            f->stop_why = "the file ends inside the head of a block";
        } else if (type == FST_SKIP && length == 0) {
            at = behind_begun_block(f, at + BLOCK_HEAD);
            if (at == 0)
                f->stop_why = "the block there was still being written";
        } else if (length < 8 || length - 8 > fst_left(&c)) {
            f->stop_why = length < 8 ? "the block there claims less than its own length field"
                                     : "the block there claims more bytes than the file has";
        } else {
            struct fst_block b = { .at = at + BLOCK_HEAD, .size = length - 8, .type = type };
            enum pc_status status = at == 0 ? PC_OK : add_block(f, b, err);
            if (status)
                return status;
            at += 1 + length;
        }
    }
    return PC_OK;
}

static enum pc_status unwrap(struct fst *f, struct pc_error *err)
{
    struct fst_cursor c = fst_cursor_on(f->data, f->size, 0), out;

    fst_u8(&c);
    uint64_t length = fst_u64(&c), size = fst_u64(&c);
    enum pc_status status = fst_check(&c, err, "wrapper");
    if (status)
        return status;
    if (length < 16 || length - 16 > fst_left(&c))
        return pc_fail_byte(err, 703, 1, "the wrapper claims %llu bytes, %zu follow",
                            (unsigned long long)length, fst_left(&c) + 16);
    c.end = c.at + (length - 16);
    uint64_t budget = fst_budget(f, length);
    status = fst_unpack_buffer(f, &c, FST_GZIP, size, &budget, &f->unwrapped, &out, err, "wrapper");
    if (status)
        return status;
    f->data = f->unwrapped.data;
    f->size = (size_t)size;
    f->wrapped = true;
    return PC_OK;
}

enum pc_status fst_load_blocks(struct fst *f, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    f->hierarchy.type = f->geometry.type = f->blackout.type = FST_SKIP;
    if (f->size > 0 && f->data[0] == FST_WRAPPER)
        status = unwrap(f, err);
    if (status == PC_OK)
        status = load_header(f, err);
    if (status == PC_OK)
        status = load_row(f, err);
    if (status)
        return status;
    if (f->stop_why) {
        f->reader.info.unfinished = true;
        wv_warn(&f->reader.hier, "the file was not finished: read up to byte %llu, where %s",
                (unsigned long long)f->stop, f->stop_why);
    }
    if (f->geometry.type == FST_SKIP)
        f->reader.info.unfinished = true;
    return PC_OK;
}

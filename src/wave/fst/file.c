/* SPDX-License-Identifier: MIT */
/*
 * The outermost layer of an FST file: the wrapper, the header and the row of blocks.  A
 * file whose writer was stopped, or that was cut, is read as far as its blocks are whole.
 */
#include "wave/fst/fst.h"

#include <stdio.h>

#define HEADER_SIZE 321u /* content of the header block */
#define BLOCK_HEAD  9u   /* type and length */

/* ---- bytes ---- */

enum pc_status fst_read(const struct fst *f, uint64_t at, uint64_t size, uint8_t *room,
                        struct fst_cursor *out, struct pc_error *err)
{
    *out = fst_cursor_on(f->data ? f->data + at : room, (size_t)size, at);
    return f->data ? PC_OK : wv_input_take_at(f->in, at, room, (size_t)size, err);
}

enum pc_status fst_read_buffer(const struct fst *f, struct fst_span span, struct fst_buffer *buffer,
                               struct fst_cursor *out, struct pc_error *err)
{
    if (!f->data &&
        (span.size >= SIZE_MAX ||
         !pc_grow(&f->alloc, (void **)&buffer->data, &buffer->capacity, (size_t)span.size + 1, 1)))
        return fst_no_memory(err, "what is stored");
    return fst_read(f, span.at, span.size, buffer->data, out, err);
}

void fst_free_buffer(const struct fst *f, struct fst_buffer *buffer)
{
    pc_free(&f->alloc, buffer->data, buffer->capacity);
    *buffer = (struct fst_buffer){ 0 };
}

/* ---- the header ---- */

/* Copies the text of a field of fixed size, without blanks and line ends around it. */
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

double fst_double(const struct fst *f, const uint8_t *bytes)
{
    uint64_t bits = 0;
    double value;

    for (unsigned i = 0; i < 8; i++)
        bits |= (uint64_t)bytes[f->big_doubles ? 7 - i : i] << 8 * i;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sets 10^exponent as 1, 10 or 100 of a unit that has a name: ..., ns, us, ms, s. */
static void set_timescale(struct pc_wave_info *info, int exponent)
{
    int rest = ((exponent % 3) + 3) % 3;

    info->timescale_exponent = exponent - rest;
    info->timescale_factor = rest == 0 ? 1 : rest == 1 ? 10 : 100;
}

static enum pc_status load_header(struct fst *f, struct pc_error *err)
{
    struct pc_wave_info *info = &f->reader.info;
    uint8_t room[BLOCK_HEAD + HEADER_SIZE];
    struct fst_cursor c;

    enum pc_status status = fst_read(f, 0, fst_least(f->size, sizeof room), room, &c, err);
    if (status)
        return status;
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
    f->big_doubles = e && e[0] == 0x40; /* else little-endian: 0x69 */
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
    f->reader.dumps_events = strncmp(f->version, "Icarus", 6) == 0; /* $dumpvars has them, as 1 */
    copy_field(f->date, sizeof f->date, date, 119);
    set_timescale(info, exponent);
    if (zero != 0)
        wv_warn(&f->reader.hier, "times count from time zero of the file, which is %lld",
                (long long)zero);
    return PC_OK;
}

/* The cursor is on its content, or the begin of that. */
static enum pc_status add_changes(struct fst *f, struct fst_block b, struct fst_cursor *c,
                                  struct pc_error *err)
{
    c->end = c->at + fst_least(fst_left(c), b.size);
    b.begin = fst_u64(c);
    b.end = fst_u64(c);
    enum pc_status status = fst_check(c, err, "value change block");
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

static enum pc_status add_block(struct fst *f, struct fst_block b, struct fst_cursor *c,
                                struct pc_error *err)
{
    switch (b.type) {
    case FST_CHANGES:
    case FST_CHANGES_ALIAS:
    case FST_CHANGES_ALIAS2:
        return add_changes(f, b, c, err);
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
static enum pc_status behind_begun_block(const struct fst *f, uint64_t at, uint64_t *out,
                                         struct pc_error *err)
{
    uint8_t room[24 + 3 * FST_NUMBER_MAX];
    struct fst_cursor c;

    *out = 0;
    enum pc_status status = fst_read(f, at, fst_least(f->size - at, sizeof room), room, &c, err);
    if (status)
        return status;
    fst_take(&c, 24);
    fst_number(&c);
    uint64_t packed = fst_number(&c);
    fst_number(&c);
    const uint64_t frame = at + (uint64_t)(c.at - c.begin);
    if (c.fault || packed > f->size - frame)
        return PC_OK;
    const uint64_t next = frame + packed;
    status = fst_read(f, next, fst_least(f->size - next, BLOCK_HEAD), room, &c, err);
    if (status)
        return status;
    uint8_t type = fst_u8(&c);
    uint64_t length = fst_u64(&c);
    if (c.fault == FST_NO_FAULT && type == FST_GEOMETRY && length >= 8 &&
        length - 8 <= f->size - next - BLOCK_HEAD)
        *out = next;
    return PC_OK;
}

/* Loads the block at *at, and goes on to the next one; f->stop_why: there is none. */
static enum pc_status load_one(struct fst *f, uint64_t *at, struct pc_error *err)
{
    uint8_t room[BLOCK_HEAD + 16];
    struct fst_cursor c;

    enum pc_status status = fst_read(f, *at, fst_least(f->size - *at, sizeof room), room, &c, err);
    if (status)
        return status;
    const uint8_t type = fst_u8(&c);
    const uint64_t length = fst_u64(&c);
    f->stop = *at;
    if (c.fault) {
        f->stop_why = "the file ends inside the head of a block";
    } else if (type == FST_SKIP && length == 0) {
        status = behind_begun_block(f, *at + BLOCK_HEAD, at, err);
        if (*at == 0)
            f->stop_why = "the block there was still being written";
    } else if (length < 8 || length - 8 > f->size - *at - BLOCK_HEAD) {
        f->stop_why = length < 8 ? "the block there claims less than its own length field"
                                 : "the block there claims more bytes than the file has";
    } else {
        const struct fst_block b = { .at = *at + BLOCK_HEAD, .size = length - 8, .type = type };
        status = *at == 0 ? PC_OK : add_block(f, b, &c, err);
        *at += 1 + length;
    }
    return status;
}

static enum pc_status load_row(struct fst *f, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    for (uint64_t at = 0; at < f->size && !f->stop_why && status == PC_OK;)
        status = load_one(f, &at, err);
    return status;
}

static enum pc_status unwrap(struct fst *f, struct pc_error *err)
{
    struct fst_buffer stored = { 0 };
    uint8_t room[BLOCK_HEAD + 8];
    struct fst_cursor c, out;

    enum pc_status status = fst_read(f, 0, fst_least(f->size, sizeof room), room, &c, err);
    if (status)
        return status;
    fst_u8(&c);
    uint64_t length = fst_u64(&c), size = fst_u64(&c);
    status = fst_check(&c, err, "wrapper");
    if (status)
        return status;
    const uint64_t left = f->size - sizeof room;
    if (length < 16 || length - 16 > left)
        return pc_fail_byte(err, 703, 1, "the wrapper claims %llu bytes, %llu follow",
                            (unsigned long long)length, (unsigned long long)left + 16);
    uint64_t budget = fst_budget(f, length);
    const struct fst_span span = { sizeof room, length - 16 };
    status = fst_read_buffer(f, span, &stored, &c, err);
    if (status == PC_OK)
        status =
            fst_unpack_buffer(f, &c, FST_GZIP, size, &budget, &f->unwrapped, &out, err, "wrapper");
    fst_free_buffer(f, &stored);
    if (status)
        return status;
    f->data = f->unwrapped.data;
    f->size = size;
    f->wrapped = true;
    return PC_OK;
}

enum pc_status fst_load_blocks(struct fst *f, struct pc_error *err)
{
    uint8_t room[1];
    struct fst_cursor c;

    f->hierarchy.type = f->geometry.type = f->blackout.type = FST_SKIP;
    enum pc_status status = fst_read(f, 0, fst_least(f->size, sizeof room), room, &c, err);
    if (status == PC_OK && fst_u8(&c) == FST_WRAPPER)
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
    } else if (f->geometry.type == FST_SKIP) {
        f->reader.info.unfinished = true;
        wv_warn(&f->reader.hier, "the file was not finished: %s",
                f->blocks > 0 ? "it ends after a block of values" : "it has no values yet");
    }
    return PC_OK;
}

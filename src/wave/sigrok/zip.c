/* SPDX-License-Identifier: MIT */
/*
 * The zip archive of a sigrok session, by libzip (libzip.h): small texts, and which members
 * have samples. What the archive declares is checked against what comes out, and nothing is
 * allocated by it.
 */
#include "wave/sigrok/sigrok.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHORTER ENODATA /* of a read: the file was longer when it was opened */

enum pc_status sr_fail_zip(const struct sr_libzip *z, struct pc_error *err, const char *what,
                           zip_error_t *error)
{
    const int code = z->error_code_zip(error);

    if (code == ZIP_ER_MEMORY)
        return pc_fail(err, 100, "not enough memory to read a zip archive");
    if (code == ZIP_ER_READ)
        return pc_fail(err, z->error_code_system(error) == SHORTER ? 508 : 501, "%.200s: %s", what,
                       z->error_strerror(error));
    return pc_fail(err, 719, "%.200s: %s", what, z->error_strerror(error));
}

/* ---- the archive for libzip ---- */

static zip_int64_t read_file(struct sr_archive *a, void *to, zip_uint64_t size)
{
    const uint64_t left = a->size - a->at;
    const size_t want = (size_t)(size < left ? size : left);
    size_t got = 0;

    const bool read = wv_input_read_at(a->in, a->at, to, want, &got, NULL) == PC_OK;
    if (!read || got < want) {
        a->libzip->error_set(&a->error, ZIP_ER_READ, read ? SHORTER : EIO);
        return -1;
    }
    a->at += got;
    return (zip_int64_t)got;
}

static zip_int64_t seek_file(struct sr_archive *a, void *data, zip_uint64_t size)
{
    const zip_int64_t at =
        a->libzip->source_seek_compute_offset(a->at, a->size, data, size, &a->error);

    if (at < 0)
        return -1;
    a->at = (uint64_t)at;
    return 0;
}

static zip_int64_t say_size(const struct sr_archive *a, zip_stat_t *st)
{
    a->libzip->stat_init(st);
    st->valid = ZIP_STAT_SIZE;
    st->size = a->size;
    return sizeof *st;
}

/* libzip's source: one command at a time. */
static zip_int64_t serve(void *ctx, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    struct sr_archive *a = ctx;

    switch (command) {
    case ZIP_SOURCE_OPEN:
        a->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_file(a, data, size);
    case ZIP_SOURCE_SEEK:
        return seek_file(a, data, size);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)a->at;
    case ZIP_SOURCE_STAT:
        return say_size(a, data);
    case ZIP_SOURCE_ERROR:
        return a->libzip->error_to_data(&a->error, data, size);
    case ZIP_SOURCE_SUPPORTS:
        return a->libzip->source_make_command_bitmap(
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    default:
        a->libzip->error_set(&a->error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

enum pc_status sr_open_zip(const struct sigrok *s, struct sr_archive *a, zip_t **zip,
                           struct pc_error *err)
{
    enum pc_status status = PC_OK;
    zip_source_t *source;
    zip_error_t error;

    a->libzip = &s->libzip;
    s->libzip.error_init(&error);
    s->libzip.error_init(&a->error);
    a->in = s->in;
    a->size = wv_input_extent(s->in);
    source = s->data ? s->libzip.source_buffer_create(s->data, s->size, 0, &error)
                     : s->libzip.source_function_create(serve, a, &error);
    *zip = source ? s->libzip.open_from_source(source, ZIP_RDONLY, &error) : NULL;
    if (!*zip) {
        s->libzip.source_free(source);
        status = sr_fail_zip(&s->libzip, err, "the archive cannot be opened", &error);
    }
    s->libzip.error_fini(&error);
    return status;
}

enum pc_status sr_open_archive(struct sigrok *s, struct pc_error *err)
{
    enum pc_status status = sr_libzip_load(&s->libzip, err);

    if (status == PC_OK && wv_input_extent(s->in) == 0)
        status = wv_input_hold(s->in, &s->data, &s->size, err);
    return status ? status : sr_open_zip(s, &s->archive, &s->zip, err);
}

/* ---- members ---- */

/* Reads size and packing of a member, both of which must be there and be such as are read. */
static enum pc_status look_at(struct sigrok *s, zip_uint64_t member, zip_stat_t *out,
                              struct pc_error *err)
{
    const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;

    if (s->libzip.stat_index(s->zip, member, 0, out) != 0)
        return sr_fail_zip(&s->libzip, err, "a member", s->libzip.get_error(s->zip));
    if ((out->valid & needed) != needed)
        return pc_fail(err, 719, "the archive does not say the size of member %" PRIu64, member);
    if (out->encryption_method != ZIP_EM_NONE)
        return pc_fail(err, 727, "%.200s is encrypted", out->name);
    if (out->comp_method != ZIP_CM_STORE && out->comp_method != ZIP_CM_DEFLATE)
        return pc_fail(err, 727, "%.200s is packed by method %u", out->name, out->comp_method);
    return PC_OK;
}

/* After the declared bytes: the member must end here, and its sum be right. */
enum pc_status sr_finish_file(const struct sr_libzip *z, zip_file_t *file, const char *name,
                              struct pc_error *err)
{
    uint8_t more;
    zip_int64_t n = z->fread(file, &more, 1);
    enum pc_status status = PC_OK;

    if (n > 0)
        status = pc_fail(err, 726, "%.200s has more bytes than the archive declares", name);
    else if (n < 0)
        status = sr_fail_zip(z, err, name, z->file_get_error(file));
    return status;
}

static enum pc_status fill_text(struct sigrok *s, const zip_stat_t *st, char *to,
                                struct pc_error *err)
{
    enum pc_status status = PC_OK;
    zip_file_t *file = s->libzip.fopen_index(s->zip, st->index, 0);
    size_t used = 0;

    if (!file)
        return sr_fail_zip(&s->libzip, err, st->name, s->libzip.get_error(s->zip));
    while (status == PC_OK && used < st->size) {
        zip_int64_t n = s->libzip.fread(file, to + used, st->size - used);
        if (n < 0)
            status = sr_fail_zip(&s->libzip, err, st->name, s->libzip.file_get_error(file));
        else if (n == 0)
            status =
                pc_fail(err, 726, "%.200s has fewer bytes than the archive declares", st->name);
        else
            used += (size_t)n;
    }
    if (status == PC_OK)
        status = sr_finish_file(&s->libzip, file, st->name, err);
    s->libzip.fclose(file);
    return status;
}

enum pc_status sr_read_text(struct sigrok *s, const char *name, size_t limit, char **text,
                            size_t *size, struct pc_error *err)
{
    zip_int64_t member = s->libzip.name_locate(s->zip, name, 0);
    zip_stat_t st;

    if (member < 0)
        return PC_END;
    enum pc_status status = look_at(s, (zip_uint64_t)member, &st, err);
    if (status)
        return status;
    if (st.size > limit)
        return pc_fail(err, 723, "%s has %" PRIu64 " bytes, more than %zu", name, st.size, limit);
    char *to = pc_calloc(&s->alloc, (size_t)st.size + 1, 1);
    if (!to)
        return pc_fail(err, 100, "not enough memory to read %s", name);
    status = fill_text(s, &st, to, err);
    if (status) {
        pc_free(&s->alloc, to, (size_t)st.size + 1);
        return status;
    }
    *text = to;
    *size = (size_t)st.size;
    return PC_OK;
}

/* ---- chunks ---- */

/* Parses the number after "logic-1-"; false if it is none, or too large to be one. */
static bool parse_number(const char *text, uint64_t *out)
{
    uint64_t n = 0;

    if (text[0] < '1' || text[0] > '9' || strlen(text) > 18)
        return false;
    for (; *text >= '0' && *text <= '9'; text++)
        n = 10 * n + (uint64_t)(*text - '0');
    *out = n;
    return *text == '\0';
}

static enum pc_status take_member(struct sigrok *s, zip_uint64_t member, struct pc_error *err)
{
    const struct sr_span *capture = &s->meta.capture;
    const char *name = s->libzip.get_name(s->zip, member, 0);
    uint64_t number = 0;
    zip_stat_t st;

    if (!name || strncmp(name, capture->at, capture->length) != 0)
        return PC_OK;
    const char *rest = name + capture->length;
    if (*rest != '\0' && *rest != '-')
        return PC_OK;
    if (*rest == '-' && !parse_number(rest + 1, &number))
        return pc_fail(err, 725, "%.200s is not the name of a piece", name);
    enum pc_status status = look_at(s, member, &st, err);
    if (status)
        return status;
    if (!pc_grow(&s->alloc, (void **)&s->chunk, &s->chunk_capacity, s->chunks + 1,
                 sizeof *s->chunk))
        return pc_fail(err, 100, "not enough memory for the list of pieces");
    s->chunk[s->chunks++] = (struct sr_chunk){ member, number, st.size, st.comp_size };
    if (s->chunks == 1)
        s->base.info.encoding = st.comp_method == ZIP_CM_STORE ? "stored" : "deflate";
    return PC_OK;
}

static int by_number(const void *a, const void *b)
{
    const struct sr_chunk *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* Checks for 0 alone, or 1 to the last, each once. */
static enum pc_status check_order(const struct sigrok *s, struct pc_error *err)
{
    const struct sr_chunk *c = s->chunk;
    const struct sr_span *name = &s->meta.capture;

    for (size_t i = 1; i < s->chunks; i++)
        if (c[i].number == c[i - 1].number)
            return pc_fail(err, 725, "the archive has %.*s%s%.0" PRIu64 " twice", (int)name->length,
                           name->at, c[i].number ? "-" : "", c[i].number);
    if (c[0].number == 0)
        return s->chunks == 1
                   ? PC_OK
                   : pc_fail(err, 725, "there is %.*s, and %.*s-%" PRIu64 " as well",
                             (int)name->length, name->at, (int)name->length, name->at, c[1].number);
    for (size_t i = 0; i < s->chunks; i++)
        if (c[i].number != i + 1)
            return pc_fail(err, 725, "%.*s-%zu is missing, before %.*s-%" PRIu64, (int)name->length,
                           name->at, i + 1, (int)name->length, name->at, c[i].number);
    return PC_OK;
}

/* Pieces hold whole samples; but for the last one, whose end may have been lost. */
static enum pc_status check_sizes(struct sigrok *s, struct pc_error *err)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < s->chunks; i++) {
        const struct sr_chunk *c = &s->chunk[i];
        uint64_t odd = c->size % s->unit;
        if (c->size > INT64_MAX - bytes)
            return pc_fail(err, 719, "the archive declares more than 2^63 bytes of samples");
        bytes += c->size;
        s->packed += c->packed;
        if (odd && i + 1 < s->chunks)
            return pc_fail(err, 726,
                           "piece %" PRIu64 " has %" PRIu64 " bytes, no multiple of a sample's %zu",
                           c->number, c->size, s->unit);
        if (odd)
            wv_warn(&s->base.hier,
                    "%" PRIu64 " bytes at the end are less than a sample of %zu, and not read", odd,
                    s->unit);
    }
    return PC_OK;
}

/* Two texts of one name: it is not known which is meant. */
static enum pc_status check_texts(const struct sigrok *s, struct pc_error *err)
{
    static const char *const text[] = { "version", "metadata" };
    zip_int64_t members = s->libzip.get_num_entries(s->zip, 0);

    for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
        unsigned found = 0;
        for (zip_int64_t i = 0; i < members; i++) {
            const char *name = s->libzip.get_name(s->zip, (zip_uint64_t)i, 0);
            found += name && strcmp(name, text[k]) == 0;
        }
        if (found != 1)
            return pc_fail(err, 725, "the archive has %u members %s", found, text[k]);
    }
    return PC_OK;
}

enum pc_status sr_find_chunks(struct sigrok *s, struct pc_error *err)
{
    zip_int64_t members = s->libzip.get_num_entries(s->zip, 0);
    enum pc_status status = check_texts(s, err);

    for (zip_int64_t i = 0; status == PC_OK && i < members; i++)
        status = take_member(s, (zip_uint64_t)i, err);
    if (status)
        return status;
    if (s->chunks == 0)
        return pc_fail(err, 725, "the archive has neither %.*s nor %.*s-1",
                       (int)s->meta.capture.length, s->meta.capture.at, (int)s->meta.capture.length,
                       s->meta.capture.at);
    qsort(s->chunk, s->chunks, sizeof *s->chunk, by_number);
    status = check_order(s, err);
    return status ? status : check_sizes(s, err);
}

/* SPDX-License-Identifier: MIT */
/* See fst_support.h. */
#include "fst_direct.h"
#include "wave/input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct test_heap fst_memory;

const struct pc_alloc fst_watched = { test_heap_resize, &fst_memory };

static void add_hash(uint64_t *hash, const void *data, size_t size)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ p[i]) * 0x100000001b3u; /* FNV-1a */
}

static void count_edge(struct fst_scan *s, char *last, uint32_t code, char bit)
{
    s->rises[code] += last[code] == '0' && bit == '1';
    s->falls[code] += last[code] == '1' && bit == '0';
    last[code] = bit;
}

static void take_group(struct fst_scan *s, const struct wv_reader *r, const struct wv_group *g,
                       char *last, struct mk *text)
{
    char line[64];

    if (!g->initial) {
        assert_true(s->stamps == 0 || g->time > s->last);
        if (s->stamps++ == 0)
            s->first = g->time;
        s->last = g->time;
    }
    s->records += g->records;
    if (text && g->initial)
        mk_bytes(text, "initial", 7);
    else if (text)
        mk_bytes(text, line,
                 (size_t)snprintf(line, sizeof line, "#%llu", (unsigned long long)g->time));
    for (size_t i = 0; i < g->changes; i++) {
        uint32_t code = g->change[i].code;
        const struct wv_code *c = &r->hier.code[code];
        const char *bits = g->bits + g->change[i].at;
        size_t width = c->kind == PC_VAR_BITS ? c->width : 0;
        add_hash(&s->code_hash[code], &g->time, sizeof g->time);
        add_hash(&s->code_hash[code], bits, width);
        if (width == 1)
            count_edge(s, last, code, *bits);
        if (text) {
            mk_bytes(text, line, (size_t)snprintf(line, sizeof line, " %lu=", (unsigned long)code));
            mk_bytes(text, bits, width);
        }
    }
    if (text)
        mk_u8(text, '\n');
}

static void read_through(struct wv_reader *r, fst_wanted_fn *wanted, struct mk *text,
                         struct fst_scan *s)
{
    uint8_t *want = calloc(s->codes + 1, 1);
    char *last = calloc(s->codes + 1, 1);
    struct wv_group group;
    uint64_t done = 0, total = 0, before = 0;

    assert_true(want && last);
    for (size_t i = 0; i < s->vars; i++)
        if (!wanted || wanted(r->hier.names + r->hier.var[i].name))
            want[r->hier.var[i].code] = 1;
    s->status = r->ops->select(r, want, &s->err);
    while (s->status == PC_OK) {
        group = (struct wv_group){ .time = 0 };
        s->status = r->ops->next(r, &group, &s->err);
        if (s->status == PC_OK)
            take_group(s, r, &group, last, text);
        r->ops->progress(r, &done, &total);
        assert_true(done >= before && done <= total);
        before = done;
    }
    assert_true(s->status != PC_END || s->stamps == 0 || done == total);
    free(want);
    free(last);
}

void fst_scan(const char *path, fst_wanted_fn *wanted, const struct pc_wave_limits *limits,
              bool tolerate, struct mk *text, struct fst_scan *s)
{
    struct pc_wave_desc desc = { .path = path,
                                 .alloc = &fst_watched,
                                 .tolerate_time_backwards = tolerate };
    struct wv_input *in = NULL;
    struct wv_reader *r = NULL;

    if (limits)
        desc.limits = *limits;
    memset(s, 0, sizeof *s);
    s->status = wv_input_open(&desc, NULL, &in, &s->err);
    if (s->status == PC_OK)
        s->status = wv_fst_open(in, &desc, &r, &s->err);
    if (s->status)
        return;
    s->opened = true;
    s->vars = r->hier.vars;
    s->codes = r->hier.codes;
    s->scopes = r->hier.scopes;
    s->unfinished = r->info.unfinished;
    s->exponent = r->info.timescale_exponent;
    s->factor = r->info.timescale_factor;
    snprintf(s->encoding, sizeof s->encoding, "%s", r->info.encoding);
    snprintf(s->version, sizeof s->version, "%s", r->info.version);
    snprintf(s->date, sizeof s->date, "%s", r->info.date);
    s->rises = calloc(s->codes + 1, sizeof *s->rises);
    s->falls = calloc(s->codes + 1, sizeof *s->falls);
    s->code_hash = calloc(s->codes + 1, sizeof *s->code_hash);
    assert_true(s->rises && s->falls && s->code_hash);
    read_through(r, wanted, text, s);
    s->warnings = r->hier.warnings;
    s->hier = r->hier;
    r->ops->close(r);
}

void fst_scan_free(struct fst_scan *s)
{
    if (s->opened)
        wv_hier_free(&s->hier);
    free(s->rises);
    free(s->falls);
    free(s->code_hash);
    memset(s, 0, sizeof *s);
}

static char temp_name[4096];

const char *fst_temp(const struct mk *content, const char *ending)
{
    static char path[sizeof temp_name + 16];

    if (temp_name[0] == '\0') {
        snprintf(temp_name, sizeof temp_name, "./fst-test-XXXXXX");
        int fd = mkstemp(temp_name);
        assert_true(fd >= 0);
        close(fd);
    }
    snprintf(path, sizeof path, "%s%s", temp_name, ending);
    /* Not emptied first: some file systems then write it out at every close. */
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, content->data, content->used, 0), content->used);
    assert_int_equal(ftruncate(file, (off_t)content->used), 0);
    assert_int_equal(close(file), 0);
    return path;
}

void fst_temp_close(void)
{
    char path[sizeof temp_name + 16];

    if (temp_name[0] == '\0')
        return;
    snprintf(path, sizeof path, "%s.hier", temp_name);
    remove(path);
    remove(temp_name);
    temp_name[0] = '\0';
}

void fst_scan_bytes(const struct mk *file, struct mk *text, struct fst_scan *out)
{
    fst_scan(fst_temp(file, ""), NULL, NULL, false, text, out);
    if (!out->opened)
        assert_int_equal(fst_memory.live, 0);
}

unsigned fst_error_of(const struct mk *file, struct pc_error *err)
{
    struct fst_scan s;

    fst_scan_bytes(file, NULL, &s);
    unsigned code = s.status == PC_END ? 0 : s.err.code;
    if (err)
        *err = s.err;
    fst_scan_free(&s);
    assert_int_equal(fst_memory.live, 0);
    return code;
}

static void expect_located(const struct mk *file, const struct pc_error *err)
{
    assert_in_range(err->code, 500, 799);
    assert_true(err->text[0] != '\0');
    assert_true(err->has_byte);
    assert_true(err->byte <= file->used);
}

unsigned fst_located_error_of(const struct mk *file)
{
    struct fst_direct_seen direct;
    struct pc_error err;
    unsigned code;

    fst_memory = (struct test_heap){ .limit = (size_t)64 << 20 };
    code = fst_error_of(file, &err);
    fst_read_both(fst_temp(file, ""), &fst_watched, &direct);
    assert_int_equal(fst_memory.live, 0);
    if (direct.status != PC_END) {
        expect_located(file, &direct.err);
        assert_int_not_equal(code, 0); /* what blocks look at, timestamps do too */
    }
    if (code != 0)
        expect_located(file, &err);
    return code;
}

void fst_expect_text(const struct mk *file, const char *text, const char *what)
{
    struct mk got = { 0 };
    struct fst_scan s;

    fst_scan_bytes(file, &got, &s);
    if (s.status != PC_END)
        fail_msg("%s: PC-E%04u byte %llu: %s", what, s.err.code, (unsigned long long)s.err.byte,
                 s.err.text);
    mk_u8(&got, 0);
    if (strcmp((const char *)got.data, text) != 0)
        fail_msg("%s: read\n%s instead of\n%s", what, (const char *)got.data, text);
    mk_free(&got);
    fst_scan_free(&s);
}

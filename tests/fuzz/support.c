/* SPDX-License-Identifier: MIT */
/* See fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned long fuzz_taken;

void fuzz_broken(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

uint8_t fuzz_u8(struct fuzz_bytes *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

uint32_t fuzz_u32(struct fuzz_bytes *in)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)fuzz_u8(in) << (8 * i);
    return value;
}

uint64_t fuzz_u64(struct fuzz_bytes *in)
{
    uint64_t low = fuzz_u32(in);

    return low | (uint64_t)fuzz_u32(in) << 32;
}

static void take_text(struct fuzz_bytes *in, char *out, size_t size, int end)
{
    size_t n = 0;

    while (in->left > 0) {
        uint8_t c = fuzz_u8(in);
        if (c == end)
            break;
        if (n < size - 1)
            out[n++] = (char)c;
    }
    out[n] = '\0';
}

void fuzz_line(struct fuzz_bytes *in, char *out, size_t size)
{
    take_text(in, out, size, '\n');
}

void fuzz_rest(struct fuzz_bytes *in, char *out, size_t size)
{
    take_text(in, out, size, -1);
}

/* Stands before each allocation, in a place of the strictest alignment. */
union head {
    size_t size;
    max_align_t align;
};

static void *resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct fuzz_heap *heap = ctx;
    union head *old = p ? (union head *)p - 1 : NULL;

    FUZZ_CHECK(old_size == (old ? old->size : 0));
    if (new_size == 0) {
        heap->live -= old_size;
        free(old);
        return NULL;
    }
    if (new_size > heap->limit || heap->live - old_size > heap->limit - new_size)
        return NULL;
    union head *fresh = malloc(sizeof *fresh + new_size);
    if (!fresh)
        return NULL;
    /* always moves: who keeps an old pointer is found out */
    fresh->size = new_size;
    if (old)
        memcpy(fresh + 1, p, old_size < new_size ? old_size : new_size);
    free(old);
    heap->live += new_size - old_size;
    return fresh + 1;
}

struct pc_alloc fuzz_alloc(struct fuzz_heap *heap)
{
    return (struct pc_alloc){ .resize = resize, .ctx = heap };
}

void fuzz_all_returned(const struct fuzz_heap *heap)
{
    FUZZ_CHECK(heap->live == 0);
}

static bool one_line(const char *text, size_t size)
{
    const char *end = memchr(text, '\0', size);

    for (const char *p = text; end && p < end; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return false;
    return end != NULL;
}

void fuzz_check_error(enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK || status == PC_END)
        return;
    FUZZ_CHECK(err->status == status);
    FUZZ_CHECK(pc_explain(err->code) != NULL);
    FUZZ_CHECK(err->text[0] != '\0');
    FUZZ_CHECK(one_line(err->text, sizeof err->text));
    FUZZ_CHECK(one_line(err->hint, sizeof err->hint));
}

const struct pc_chip *fuzz_chip(unsigned number)
{
    return pc_chip_at(number % pc_chip_count());
}

/* The files have no name in any folder, so nothing is left behind when a target is stopped. */
const char *fuzz_file_of(unsigned which, const uint8_t *data, size_t size)
{
    static char name[FUZZ_FILES][32];
    static int opened[FUZZ_FILES]; /* 0: not yet */

    FUZZ_CHECK(which < FUZZ_FILES);
    if (opened[which] == 0) {
        FILE *file = tmpfile();
        FUZZ_CHECK(file != NULL);
        opened[which] = fileno(file);
        snprintf(name[which], sizeof name[which], "/dev/fd/%d", opened[which]);
    }
    FUZZ_CHECK(ftruncate(opened[which], 0) == 0);
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(opened[which], data + done, size - done, (off_t)done);
        FUZZ_CHECK(n > 0);
        done += (size_t)n;
    }
    return name[which];
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    return fuzz_file_of(0, data, size);
}

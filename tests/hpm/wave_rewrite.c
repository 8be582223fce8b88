/* SPDX-License-Identifier: MIT */
/*
 * Rewrites a VCD line by line, as Verilator and wave_make.c write them: one declaration or one
 * value a line.  The code of bit i of a vector is that of the vector with "//i" after it, which
 * is longer than any other.
 */
#include "wave_rewrite.h"

#include "test.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST_BITS = 512, LINE = 4096 };

/* A code that is written otherwise. */
struct stream {
    char code[16];
    unsigned width;
    bool bits, inverted;
    char shown[MOST_BITS]; /* of each bit, from the left; 0: nothing yet */
};

struct rewriter {
    const struct wave_rewrite *how;
    FILE *out;
    void *streams; /* tsearch */
    unsigned deep; /* scopes within how->scope, that one counted; 0: outside */
};

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct stream *)a)->code, ((const struct stream *)b)->code);
}

static struct stream *find(struct rewriter *r, const char *code, bool add)
{
    struct stream key = { .width = 0 };
    void *at;

    if (snprintf(key.code, sizeof key.code, "%s", code) >= (int)sizeof key.code)
        fail_msg("the code %s is too long", code);
    at = tfind(&key, &r->streams, compare);
    if (!at && add) {
        struct stream *s = malloc(sizeof *s);
        assert_non_null(s);
        *s = key;
        at = tsearch(s, &r->streams, compare);
        assert_non_null(at);
    }
    return at ? *(struct stream **)at : NULL;
}

static bool is_inverted(const struct rewriter *r, const char *name)
{
    for (size_t i = 0; r->how->invert && r->how->invert[i]; i++)
        if (strcmp(r->how->invert[i], name) == 0)
            return !r->how->scope || r->deep > 0;
    return false;
}

/* "$var wire 4 % x [3:0] $end" */
static bool declare(struct rewriter *r, const char *line)
{
    char type[20], code[16], name[200], range[40] = "";
    unsigned width;
    int left = 0, right = 0;
    const int n = sscanf(line, " $var %19s %u %15s %199s %39s", type, &width, code, name, range);

    if (n < 4)
        return false;
    assert_true(strlen(code) < 6);
    const bool inverted = is_inverted(r, name);
    const bool ranged = n == 5 && sscanf(range, "[%d:%d]", &left, &right) == 2;
    const bool bits = r->how->bits && ranged && width > 1 && width <= MOST_BITS;
    if (r->how->index && n == 4 + (strcmp(range, "$end") == 0) && width == 1 && !inverted) {
        fprintf(r->out, "$var %s 1 %s %s [0] $end\n", type, code, name);
        return true;
    }
    if (!inverted && !bits)
        return false;
    struct stream *s = find(r, code, true);
    s->width = width;
    s->bits = s->bits || bits;
    s->inverted = s->inverted || inverted;
    if (r->how->twice && strcmp(r->how->twice, name) == 0)
        fprintf(r->out, "$var %s %u %s$ %s %s $end\n", type, width, code, name, range);
    for (int i = 0; bits && i < (int)width; i++)
        fprintf(r->out, "$var %s 1 %s//%03d %s%s [%d] $end\n", type, code, i, name,
                inverted ? "_n" : "", left > right ? left - i : left + i);
    if (!bits)
        fprintf(r->out, "$var %s %u %s %s%s %s $end\n", type, width, code, name,
                inverted ? "_n" : "", n == 5 && ranged ? range : "");
    return true;
}

static char level(const struct stream *s, char bit)
{
    return s->inverted && (bit == '0' || bit == '1') ? (char)(bit ^ 1) : bit;
}

/* "b101 %" or "1%" */
static bool change(struct rewriter *r, const char *line)
{
    const bool vector = line[0] == 'b';
    const char *value = line + vector, *code = vector ? strchr(line, ' ') : line + 1;
    char bits[MOST_BITS + 1];

    if (line[0] == '\0' || !strchr("01xzb", line[0]) || !code)
        return false;
    struct stream *s = find(r, code + vector, false);
    if (!s)
        return false;
    const size_t length = vector ? (size_t)(code - value) : 1;
    assert_true(length >= 1 && length <= s->width);
    const size_t pad = s->width - length;
    for (size_t i = 0; i < s->width; i++) /* extended by 0, or by its x or z */
        bits[i] = i >= pad ? level(s, value[i - pad]) : value[0] > '1' ? value[0] : level(s, '0');
    bits[s->width] = '\0';
    for (unsigned i = 0; s->bits && i < s->width; i++)
        if (bits[i] != s->shown[i]) {
            s->shown[i] = bits[i];
            fprintf(r->out, "%c%s//%03u\n", bits[i], s->code, i);
        }
    if (!s->bits)
        fprintf(r->out, vector ? "b%s %s\n" : "%s%s\n", bits, s->code);
    return true;
}

static void take_scope(struct rewriter *r, const char *line)
{
    char name[200] = "";

    if (sscanf(line, " $scope %*s %199s", name) == 1)
        r->deep += r->deep > 0 || (r->how->scope && strcmp(name, r->how->scope) == 0);
    else if (strstr(line, "$upscope") && r->deep > 0)
        r->deep--;
}

void wave_rewrite(const struct wave_rewrite *how, const char *from, char to[64])
{
    struct rewriter r = { .how = how };
    char line[LINE];

    snprintf(to, 64, "/tmp/pcounter-wave-XXXXXX");
    const int fd = mkstemp(to);
    assert_true(fd >= 0);
    r.out = fdopen(fd, "w");
    gzFile in = gzopen(from, "rb");
    assert_true(r.out && in);
    while (gzgets(in, line, sizeof line)) {
        char *end = strchr(line, '\n');
        assert_non_null(end); /* no longer lines */
        *end = '\0';
        const bool scope = strstr(line, "scope ") != NULL && strchr(line, '$') != NULL;
        if (scope)
            take_scope(&r, line);
        if (scope || !(strstr(line, "$var") ? declare(&r, line) : change(&r, line)))
            fprintf(r.out, "%s\n", line);
    }
    gzclose(in);
    assert_int_equal(fclose(r.out), 0);
    while (r.streams) {
        struct stream *s = *(struct stream **)r.streams;
        tdelete(s, &r.streams, compare);
        free(s);
    }
}

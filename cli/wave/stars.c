/* SPDX-License-Identifier: MIT */
#include "wave/stars.h"

#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

/* A name in a text. */
struct word {
    size_t begin, end;
    unsigned stars;
};

/* The texts that the stars match. */
struct stand {
    const char *text[CLI_STARS];
    size_t size[CLI_STARS];
};

struct expansion {
    const struct pc_wave *wave;
    const char *text;
    struct word longest; /* the name with most stars: variables are matched with it */
    char *key;           /* ".0.cpu" of the rows so far, each with its NUL */
    size_t key_size, key_capacity, rows;
    int (*take)(void *ctx, char *text, const char *stars);
    void *ctx;
};

/* --- names in a text --- */

static bool in_word(char c)
{
    return cli_is_word(c) || c == '$' || c == '.' || c == '*' || (unsigned char)c >= 0x80;
}

/* Finds the next name from `at` on; false: there is none. A number is none, nor is a star alone. */
static bool next_word(const char *text, size_t at, struct word *out)
{
    while (text[at] != '\0') {
        if (text[at] == '\\') { /* an escaped name reaches to a blank */
            while (text[at] != '\0' && !cli_is_space(text[at]))
                at++;
            continue;
        }
        if (!in_word(text[at]) || text[at] == '.') {
            at++;
            continue;
        }
        *out = (struct word){ .begin = at };
        while (in_word(text[at]) || (text[at] == '[' && at > out->begin)) {
            const size_t n = text[at] == '[' ? strcspn(text + at, "] ") : 1;
            const size_t size = n > 1 && text[at + n] == ']' ? n + 1 : n;
            for (size_t i = at; i < at + size; i++)
                out->stars += text[i] == '*';
            at += size;
        }
        out->end = at;
        const bool alone = out->end - out->begin == out->stars;
        if (cli_is_digit(text[out->begin]) || alone)
            out->stars = 0;
        return true;
    }
    return false;
}

static struct word most_stars(const char *text)
{
    struct word best = { .stars = 0 }, w;

    for (size_t at = 0; next_word(text, at, &w); at = w.end)
        if (w.stars > best.stars)
            best = w;
    return best;
}

bool cli_has_star(const char *text)
{
    return most_stars(text).stars > 0;
}

/* --- matching --- */

/* Matches all of the name by all of the pattern; a star is as short as can be. */
static bool match(const char *pattern, size_t left, const char *name, unsigned star,
                  struct stand *out)
{
    char before = '\0';

    for (; left > 0 && *pattern != '*'; left--) {
        before = *pattern;
        if (*pattern++ != *name++)
            return false;
    }
    if (left == 0)
        return *name == '\0';
    const bool index = before == '[';
    for (size_t n = 1; name[n - 1] != '\0' && name[n - 1] != '.' && !(index && name[n - 1] == ']');
         n++) {
        out->text[star] = name;
        out->size[star] = n;
        if (match(pattern + 1, left - 1, name + n, star + 1, out))
            return true;
    }
    return false;
}

/* Returns the text with what its stars stand for; NULL: no memory. */
static char *fill(const char *text, const struct stand *s)
{
    size_t size = 0, from = 0;
    FILE *out;
    char *filled = NULL;
    struct word w;

    out = open_memstream(&filled, &size);
    if (!out)
        return NULL;
    for (size_t at = 0; next_word(text, at, &w); at = w.end) {
        unsigned star = 0;
        if (w.stars == 0)
            continue;
        fwrite(text + from, 1, w.begin - from, out);
        for (size_t i = w.begin; i < w.end; i++)
            if (text[i] == '*') {
                fwrite(s->text[star], 1, s->size[star], out);
                star++;
            } else {
                fputc(text[i], out);
            }
        from = w.end;
    }
    fputs(text + from, out);
    return cli_collected(out, &filled) ? filled : NULL;
}

/* Returns true if the waveform has each name that had a star. One that several signals have is told
 * of later. */
static bool all_there(const struct expansion *x, const char *text, const char *filled)
{
    struct word from, to;
    size_t i = 0, k = 0;

    for (; next_word(text, i, &from) && next_word(filled, k, &to); i = from.end, k = to.end) {
        struct pc_wave_bit bit;
        size_t count;
        if (from.stars == 0)
            continue;
        char *name = cli_copy(filled + to.begin, to.end - to.begin);
        const enum pc_status status =
            name ? pc_wave_find_bits(x->wave, name, &bit, 1, &count, NULL) : PC_ENOMEM;
        free(name);
        if (status != PC_OK && status != PC_EAMBIG)
            return false;
    }
    return true;
}

/* --- rows --- */

static bool is_known(const struct expansion *x, const char *key)
{
    for (size_t at = 0; at < x->key_size; at += strlen(x->key + at) + 1)
        if (strcmp(x->key + at, key) == 0)
            return true;
    return false;
}

static int keep(struct expansion *x, const char *key)
{
    void *array = x->key;
    const size_t size = strlen(key) + 1;

    if (!cli_grow(&array, &x->key_capacity, x->key_size + size, 1))
        return cli_no_memory();
    x->key = array;
    memcpy(x->key + x->key_size, key, size);
    x->key_size += size;
    return CLI_OK;
}

static int add_row(struct expansion *x, const struct stand *s)
{
    char key[1024];
    size_t used = 0;

    for (unsigned i = 0; i < x->longest.stars; i++) {
        if (used + s->size[i] + 3 > sizeof key)
            return CLI_OK; /* no name of a row */
        used +=
            (size_t)snprintf(key + used, sizeof key - used, ".%.*s", (int)s->size[i], s->text[i]);
    }
    if (is_known(x, key))
        return CLI_OK;
    int code = keep(x, key);
    char *filled = code ? NULL : fill(x->text, s);
    if (code || !filled)
        return code ? code : cli_no_memory();
    if (!all_there(x, x->text, filled)) {
        free(filled);
        return CLI_OK;
    }
    x->rows++;
    return x->take(x->ctx, filled, key);
}

/* Matches the variable, from each of its scopes on. */
static int match_name(struct expansion *x, const char *name)
{
    const char *pattern = x->text + x->longest.begin;
    const size_t size = x->longest.end - x->longest.begin;
    struct stand s;

    for (const char *at = name; at; at = strchr(at, '.')) {
        at += *at == '.';
        if (match(pattern, size, at, 0, &s))
            return add_row(x, &s);
    }
    return CLI_OK;
}

/* Also each bit of a vector: the pattern may end in [*], or in the number of one. */
static int match_var(struct expansion *x, const struct pc_wave_var *v)
{
    int code = match_name(x, v->name);
    const bool bits =
        x->text[x->longest.end - 1] == ']' && v->width > 1 && v->width <= CLI_STAR_ROWS;
    const int step = v->msb >= v->lsb ? 1 : -1;

    for (uint32_t i = 0; bits && i < v->width && code == CLI_OK; i++) {
        const size_t size = strlen(v->name) + 16;
        char *name = malloc(size);
        if (!name)
            return cli_no_memory();
        snprintf(name, size, "%s[%d]", v->name, (int)v->lsb + step * (int)i);
        code = match_name(x, name);
        free(name);
    }
    return code;
}

static int no_row(const struct expansion *x, const struct cli_place *place)
{
    const struct word w = x->longest;
    struct pc_error err = { .status = PC_ENOENT };
    char *name = cli_copy(x->text + w.begin, w.end - w.begin);
    struct pc_wave_bit bit;
    size_t count;

    if (!name)
        return cli_no_memory();
    (void)!pc_wave_find_bits(x->wave, name, &bit, 1, &count, &err); /* for near names */
    free(name);
    return cli_error_at(520, place, (uint32_t)w.begin + 1, err.hint[0] ? err.hint : NULL,
                        "no signals are called like \"%.*s\"%s", (int)(w.end - w.begin),
                        x->text + w.begin, x->key_size > 0 ? " where all other names exist" : "");
}

int cli_expand_stars(const struct pc_wave *wave, const struct cli_place *place, const char *text,
                     int (*take)(void *ctx, char *text, const char *stars), void *ctx)
{
    struct expansion x = {
        .wave = wave, .text = text, .longest = most_stars(text), .take = take, .ctx = ctx
    };
    struct pc_wave_var v;
    int code = CLI_OK;

    if (x.longest.stars > CLI_STARS)
        return cli_error_at(520, place, (uint32_t)x.longest.begin + 1, NULL,
                            "a name has at most %d stars", CLI_STARS);
    for (size_t i = 0; code == CLI_OK && pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        code = match_var(&x, &v);
        if (code == CLI_OK && x.rows > CLI_STAR_ROWS)
            code = cli_error_at(1504, place, (uint32_t)x.longest.begin + 1, NULL,
                                "more than %d signals are called like that", CLI_STAR_ROWS);
    }
    if (code == CLI_OK && x.rows == 0)
        code = no_row(&x, place);
    free(x.key);
    return code;
}

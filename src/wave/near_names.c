/* SPDX-License-Identifier: MIT */
/* "Did you mean": variables whose names are near, as they can stand in an expression. */
#include "wave/find.h"
#include "base/near.h"
#include "base/text.h"

#include <string.h>

#define TRIES 200000 /* names that are compared */
#define TYPED 100    /* longer names are shown as they are */

/* Returns the end of `path` with as many parts as `wanted` has. */
static const char *comparable(const char *path, const char *wanted)
{
    size_t parts = 1;
    const char *p = path + strlen(path);

    for (const char *w = wanted; *w; w++)
        parts += *w == '.';
    while (p > path)
        if (*--p == '.' && --parts == 0)
            return p + 1;
    return path;
}

static bool is_word_char(char c)
{
    return pc_is_word(c) || c == '$' || (unsigned char)c >= 0x80;
}

/* A part of a path, up to its brackets */
struct part {
    const char *at;
    size_t length;
};

/* Returns true if it needs a backslash before it. */
static bool is_odd(struct part part)
{
    size_t i = 0;

    while (i < part.length && part.at[i] == ' ')
        i++;
    bool odd = i < part.length && pc_is_digit(part.at[i]);
    for (; i < part.length; i++)
        odd |= !is_word_char(part.at[i]) && part.at[i] != ' ';
    return odd;
}

/* Adds the part without its blanks; returns the new length. */
static size_t add_part(struct part part, char *out, size_t n)
{
    const bool odd = is_odd(part);

    if (odd)
        out[n++] = '\\';
    for (size_t i = 0; i < part.length; i++)
        if (part.at[i] != ' ')
            out[n++] = part.at[i];
    if (odd)
        out[n++] = ' ';
    return n;
}

/*
 * Writes it as it can stand in an expression: "Channel 0" as Channel0, "0" as "\\0 ". An escaped
 * name keeps its blank.
 */
static const char *as_written(const char *name, char out[2 * TYPED])
{
    size_t n = 0;

    if (strlen(name) >= TYPED || strchr(name, '\\'))
        return name;
    for (;; name++) {
        struct part part = { name, strcspn(name, ".") };
        const size_t base = strcspn(name, ".[(");
        const bool indexed =
            (name[base] == '[' && strspn(name + base, "[]:-0123456789") == part.length - base) ||
            (name[base] == '(' && pc_scope_index(name + base) == part.length - base);
        name += part.length;
        if (indexed)
            part.length = base;
        n = add_part(part, out, n);
        for (const char *p = part.at + part.length; p < name; p++)
            out[n++] = *p;
        if (*name == '\0')
            break;
        out[n++] = '.';
    }
    out[n] = '\0';
    return out;
}

static bool is_known(const struct pc_near *near, const char *name)
{
    for (size_t k = 0; k < near->count; k++)
        if (strcmp(near->name[k], name) == 0)
            return true;
    return false;
}

static void offer_near(struct pc_near *near, const char *path, const char *wanted)
{
    const char *candidate = comparable(path, wanted);

    if (!is_known(near, candidate))
        pc_near_offer(near, candidate);
}

/* Returns true if it is a part of the path. */
static bool has_part(const char *path, struct part part)
{
    for (;; path++) {
        const size_t n = strcspn(path, ".");
        if (n == part.length && memcmp(path, part.at, n) == 0)
            return true;
        path += n;
        if (*path == '\0')
            return false;
    }
}

static unsigned parts_in_common(const char *path, struct part wanted)
{
    unsigned n = 0;

    for (size_t at = 0; at < wanted.length; at++) {
        const struct part part = { wanted.at + at, strcspn(wanted.at + at, ".") };
        n += has_part(path, part);
        at += part.length;
    }
    return n;
}

/* Paths that end in the last part of `wanted`, but lead elsewhere: those with most parts of it
 * first. */
static void offer_leaves(const struct pc_wave *wave, const char *wanted, struct pc_near *near)
{
    const struct wv_hier *h = wv_hier_of(wave);
    const char *dot = strrchr(wanted, '.');
    unsigned score[PC_NEAR_MAX];

    if (!dot)
        return;
    const struct wv_piece leaf = { dot + 1, strcspn(dot + 1, "[#") };
    for (uint32_t at = wave->name_head[wv_name_hash(leaf.at, leaf.length) & (wave->name_heads - 1)];
         at; at = wave->name_next[at - 1]) {
        const char *path = h->names + h->var[at - 1].name;
        const struct part before = { wanted, (size_t)(dot - wanted) };
        if (wv_compare_paths((struct wv_piece){ path, strlen(path) }, leaf, false) == 0 ||
            is_known(near, path))
            continue;
        const unsigned common = parts_in_common(path, before);
        size_t place = near->count;
        while (place > 0 && score[place - 1] < common)
            place--;
        if (place == PC_NEAR_MAX)
            continue;
        near->count += near->count < PC_NEAR_MAX;
        for (size_t i = near->count - 1; i > place; i--) {
            near->name[i] = near->name[i - 1];
            score[i] = score[i - 1];
        }
        near->name[place] = path;
        score[place] = common;
    }
}

void wv_hint_near(const struct pc_wave *wave, const char *wanted, bool splits, struct pc_error *err)
{
    const struct wv_hier *h = wv_hier_of(wave);
    const size_t length = strlen(wanted);
    const bool vectors = splits && (length == 0 || wanted[length - 1] != ']'); /* else their bits */
    struct pc_near near;
    char list[350], typed[PC_NEAR_MAX][2 * TYPED];

    pc_near_begin(&near, wanted);
    for (size_t i = 0, tries = 0, r = 0; i < h->vars && tries < TRIES; tries++) {
        const bool begins = vectors && r < wave->splits && wave->split[r].first == i;
        offer_near(&near,
                   begins ? wave->split_text + wave->split[r].name : h->names + h->var[i].name,
                   wanted);
        i += begins ? wave->split[r++].count : 1;
    }
    if (near.count == 0)
        offer_leaves(wave, wanted, &near);
    for (size_t i = 0; i < near.count; i++)
        near.name[i] = as_written(near.name[i], typed[i]);
    pc_near_text(&near, list, sizeof list);
    if (list[0])
        pc_hint(err, "did you mean: %s%s", list,
                list[strlen(list) - 1] == ' ' ? "(the blank is part of it)" : "");
}

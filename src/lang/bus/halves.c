/* SPDX-License-Identifier: MIT */
/* Scopes that are structs: halves of a bus, told by the end of their names. */
#include "lang/bus/find.h"

#include <stdio.h>
#include <string.h>

enum side pc_bus_direction(const char *word)
{
    return pc_bus_is_one_of(word, "i in li ni")    ? IN
           : pc_bus_is_one_of(word, "o out lo no") ? OUT
                                                   : NO_SIDE;
}

static size_t before_dot(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] != '.')
        length--;
    return length;
}

/*
 * Returns true if the last word is one of a half, as "m2s" of "axi_m2s". *last is then the words
 * before it. Of "axilReadMaster" it is two words, of "aximo" the last letter, *cut.
 */
static bool is_half(const struct bus_words *w, size_t *last, size_t *cut)
{
    const char *word = w->token[*last - 1];
    const size_t length = strlen(word);

    if (pc_bus_is_one_of(word, "req resp rsp reqs resps rsps h2d d2h m2s s2m mosi miso fwd bwd")) {
        --*last;
        return true;
    }
    if (*last > 1 && pc_bus_is_one_of(word, "master slave masters slaves")) {
        --*last;
        *last -= *last > 1 && pc_bus_is_one_of(w->token[*last - 1], "read write");
        return true;
    }
    *cut = length > 3 && length < 6 && strchr("io", word[length - 1]) &&
           (strncmp(word, "axi", 3) == 0 || strncmp(word, "ahb", 3) == 0 ||
            strncmp(word, "apb", 3) == 0) &&
           (length == 4 || strchr("ms", word[3]));
    return *cut > 0;
}

/*
 * Makes the path of a scope without the part that names its half of a bus: "tb.slv_req" and
 * "tb.slv_resp" are "tb.slv", "tb.h2f" and "tb.f2h" are "tb.f2h".  False: it says no such thing.
 */
bool pc_bus_whole_of(const char *name, size_t scope, char *out, size_t size, enum side *direction)
{
    const size_t start = before_dot(name, scope - 1);
    const char *part = name + start;
    size_t length = scope - 1 - start, index = strcspn(part, "[");
    struct bus_words w;

    if (index > length)
        index = length;
    if (!pc_bus_split(part, index, &w) || w.count == 0)
        return false;
    size_t last = w.count, cut = 0;
    *direction = last > 1 ? pc_bus_direction(w.token[last - 1]) : NO_SIDE;
    last -= *direction != NO_SIDE;
    const bool half = is_half(&w, &last, &cut);
    const char *only = w.token[0];
    const bool two = last == 1 && strlen(only) == 3 && only[1] == '2' && only[0] != only[2];
    if (!half && !two && *direction == NO_SIDE)
        return false;
    const size_t keep = last > 0 ? start + w.end[last - 1] - cut : start > 0 ? start - 1 : 0;
    if (keep + (length - index) + 1 >= size)
        return false;
    if (two)
        snprintf(out, size, "%.*s%c2%c", (int)start, name, only[0] < only[2] ? only[0] : only[2],
                 only[0] < only[2] ? only[2] : only[0]);
    else
        snprintf(out, size, "%.*s%.*s", (int)keep, name, (int)(length - index), part + index);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Another event in a selector, or an inhibited bit: what explains all differences of a register. */
#include "check_core.h"

#include <string.h>

#include "text/chars.h"

void core_add_instead(struct core_run *run, size_t reg)
{
    struct core_instead *k = &run->instead[reg];
    struct pc_core_instead one;
    size_t i = 0;

    if (k->differences == CORE_TRIED)
        return;
    for (; i < CORE_INSTEAD && pc_core_find_instead(run->d.core, reg, i, &one); i++) {
        if (k->differences > 0) {
            one.values &= k->of[i].values;
            one.alone &= k->of[i].alone;
            one.inverted &= k->of[i].inverted;
        }
        k->of[i] = one;
    }
    k->count = i;
    k->differences++;
}

/* Does a condition pick elements of the vector by the register: v[r], v & r or r & v? */
static bool picks(const char *when, const char *v, const char *r)
{
    static const char *const ways[] = { "%s[%s", "%s & %s" };
    char text[300];

    for (unsigned i = 0; when && i < 3; i++) {
        snprintf(text, sizeof text, ways[i > 0], i < 2 ? v : r, i < 2 ? r : v);
        const char *at = strstr(when, text);
        if (at && (at == when || !cli_is_word(at[-1])) && !cli_is_word(at[strlen(text)]))
            return true;
    }
    return false;
}

/* The vector of which number or bit n of a selector picks an element; NULL: it is no selector. */
static const struct pc_core_vector *vector_of(const struct core_run *run, size_t reg,
                                              const char *selector, unsigned n)
{
    for (size_t i = 0; i < run->d.desc.vectors; i++)
        for (size_t k = 0; k < run->d.reg[reg].rules; k++) {
            const struct pc_core_vector *v = &run->d.desc.vector[i];
            if (n < v->elements && picks(run->d.reg[reg].rule[k].when, v->name, selector))
                return v;
        }
    return NULL;
}

/* "9", "9 (branch: branch_i) or 10 (jump_i)", "9, 10 or 11" */
static void put_numbers(FILE *out, const struct core_run *run, size_t reg, const char *selector,
                        uint64_t set)
{
    for (unsigned left = (unsigned)__builtin_popcountll(set); left > 0; left--, set &= set - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(set);
        const struct pc_core_vector *v = selector ? vector_of(run, reg, selector, n) : NULL;
        fprintf(out, "%u", n);
        if (v && v->called && v->called[n])
            fprintf(out, " (%s: %s)", v->called[n], v->element[n]);
        else if (v)
            fprintf(out, " (%s)", v->element[n]);
        fputs(left > 2 ? ", " : left == 2 ? " or " : "", out);
    }
}

/* Which of the sets says most: the one of fewest, of those that there are; 0: none says much. */
static uint64_t best_of(const struct pc_core_instead *of)
{
    enum { FEW = 3 };
    const uint64_t sets[] = { of->values, of->inverted, of->alone };

    for (int most = 1; most <= FEW; most++)
        for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
            if (__builtin_popcountll(sets[i]) == most)
                return sets[i];
    return 0;
}

bool core_element_text(const struct core_run *run, size_t reg, int most, char *out, size_t size)
{
    struct pc_core_instead one;

    for (size_t i = 0; i < CORE_INSTEAD && pc_core_find_instead(run->d.core, reg, i, &one); i++) {
        const char *name = run->d.reg[one.reg].name;
        const int count = __builtin_popcountll(one.values);
        if (count == 0 || count > most ||
            !vector_of(run, reg, name, (unsigned)__builtin_ctzll(one.values)))
            continue;
        FILE *text = fmemopen(out, size, "w");
        if (!text)
            return false;
        fprintf(text, "%s were ", name);
        put_numbers(text, run, reg, name, one.values);
        if (one.as != SIZE_MAX)
            fprintf(text, ", as %s is", run->d.reg[one.as].name);
        fclose(text);
        return true;
    }
    return false;
}

bool core_instead_text(const struct core_run *run, size_t reg, char *out, size_t size)
{
    const struct core_instead *k = &run->instead[reg];
    FILE *text = fmemopen(out, size, "w");
    const char *before = "";

    out[0] = '\0';
    for (size_t i = 0; text && i < k->count && k->differences > 1; i++) {
        const struct pc_core_instead *of = &k->of[i];
        const char *name = run->d.reg[of->reg].name;
        const uint64_t set = best_of(of);
        if (set == 0)
            continue;
        const bool is_inverted = set == of->inverted && set != of->values;
        fprintf(text, "%s%s", before, is_inverted ? "bit " : name);
        if (is_inverted) {
            put_numbers(text, run, reg, NULL, set);
            fprintf(text, " of %s were inverted", name);
        } else {
            fputs(set == of->values ? " were " : " had only bit ", text);
            put_numbers(text, run, reg, name, set);
        }
        before = ", or ";
    }
    if (text)
        fclose(text);
    return before[0];
}

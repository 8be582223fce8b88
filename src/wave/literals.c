/* SPDX-License-Identifier: MIT */
/* Values of enumerations by their names, as the file declares them. */
#include "wave/wave.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static enum pc_status out_of_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "not enough memory for the values of an enumeration");
}

enum pc_status wv_add_enumeration(struct wv_hier *h, uint32_t *number, struct pc_error *err)
{
    if (!pc_grow(&h->alloc, (void **)&h->enumeration, &h->enumerations_capacity,
                 h->enumerations + 1, sizeof *h->enumeration))
        return out_of_memory(err);
    h->enumeration[h->enumerations++] = (struct wv_enumeration){ .first = h->literals };
    *number = (uint32_t)h->enumerations;
    return PC_OK;
}

enum pc_status wv_add_literal(struct wv_hier *h, const char *name, size_t length,
                              const char *digits, size_t width, struct pc_error *err)
{
    struct wv_literal literal;
    enum pc_status status = wv_add_text(h, name, length, &literal.name, err);

    if (status == PC_OK)
        status = wv_add_text(h, digits, width, &literal.digits, err);
    if (status == PC_OK && !pc_grow(&h->alloc, (void **)&h->literal, &h->literals_capacity,
                                    h->literals + 1, sizeof *h->literal))
        status = out_of_memory(err);
    if (status)
        return status;
    h->literal[h->literals++] = literal;
    h->enumeration[h->enumerations - 1].count++;
    return PC_OK;
}

/* Returns the enumeration of a whole variable; NULL: it has none. */
static const struct wv_enumeration *find_enumeration(const struct pc_wave *wave, const char *name,
                                                     size_t *var)
{
    const struct wv_hier *h = wv_hier_of(wave);
    uint32_t hi, lo;

    if (h->enumerations == 0 || pc_wave_find(wave, name, var, &hi, &lo, NULL) != PC_OK)
        return NULL;
    const struct wv_var *v = &h->var[*var];
    return v->enumeration > 0 && v->kind == PC_VAR_BITS && lo == 0 && hi + 1 == v->width
               ? &h->enumeration[v->enumeration - 1]
               : NULL;
}

enum pc_status pc_wave_get_value_name(const struct pc_wave *wave, size_t var, size_t i,
                                      const char **name, const char **digits)
{
    const struct wv_hier *h = wv_hier_of(wave);

    if (var >= h->vars || h->var[var].enumeration == 0 ||
        i >= h->enumeration[h->var[var].enumeration - 1].count)
        return PC_END;
    const struct wv_literal *l = &h->literal[h->enumeration[h->var[var].enumeration - 1].first + i];
    *name = h->names + l->name;
    *digits = h->names + l->digits;
    return PC_OK;
}

/* Finds the value of that name; if none has it as it is written, the only one whose letters differ
 * in nothing but their case. */
static const struct wv_literal *find_literal(const struct wv_hier *h,
                                             const struct wv_enumeration *e, const char *word)
{
    const struct wv_literal *like = NULL;
    size_t alike = 0;

    for (size_t i = 0; i < e->count; i++) {
        const struct wv_literal *l = &h->literal[e->first + i];
        if (strcmp(h->names + l->name, word) == 0)
            return l;
        if (pc_same_text(h->names + l->name, word)) {
            like = l;
            alike++;
        }
    }
    return alike == 1 ? like : NULL;
}

static enum pc_status no_literal(const struct wv_hier *h, const struct wv_enumeration *e,
                                 const char *name, const char *word, struct pc_error *err)
{
    const enum pc_status status =
        pc_fail(err, 520, "\"%.100s\" is neither a value of %.100s nor a signal", word, name);
    char text[300];
    size_t used = 0;

    if (!err)
        return status;
    text[0] = '\0';
    for (size_t i = 0; i < e->count; i++) {
        const char *literal = h->names + h->literal[e->first + i].name;
        const size_t n = strlen(literal) + 2;
        if (used + n + sizeof ", ..." + 16 > sizeof text) {
            snprintf(text + used, sizeof text - used, ", ...");
            break;
        }
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", literal);
    }
    pc_hint(err, "its values are %s", text);
    return status;
}

/* Finds the bits of a number as a real has them. */
static enum pc_status find_number(const struct pc_wave *wave, const char *name, const char *number,
                                  uint8_t *bits, size_t capacity, size_t *count, bool *is_signed)
{
    char digits[WV_REAL_BITS];
    uint32_t hi, lo;
    double value;
    size_t var;

    if (capacity < WV_REAL_BITS || pc_wave_find(wave, name, &var, &hi, &lo, NULL) != PC_OK ||
        wv_hier_of(wave)->var[var].kind != PC_VAR_REAL ||
        !wv_read_real(number, strlen(number), &value))
        return PC_END;
    wv_put_real(value, digits);
    for (unsigned i = 0; i < WV_REAL_BITS; i++)
        bits[i] = digits[WV_REAL_BITS - 1 - i] == '1';
    *count = WV_REAL_BITS;
    *is_signed = false;
    return PC_OK;
}

enum pc_status pc_wave_find_value(const void *wave, const char *name, const char *word,
                                  uint8_t *bits, size_t capacity, size_t *count, bool *is_signed,
                                  struct pc_error *err)
{
    const struct pc_wave *w = wave;
    const struct wv_hier *h = wv_hier_of(w);
    size_t var = 0;
    const struct wv_enumeration *e;

    if (word[0] == '=')
        return find_number(w, name, word + 1, bits, capacity, count, is_signed);
    e = find_enumeration(w, name, &var);
    if (!e || h->var[var].width > capacity)
        return PC_END;
    const struct wv_literal *l = find_literal(h, e, word);
    if (!l)
        return no_literal(h, e, name, word, err);
    const char *digits = h->names + l->digits;
    const size_t n = strlen(digits);
    *count = h->var[var].width;
    *is_signed = h->var[var].is_signed;
    for (size_t i = 0; i < *count; i++) {
        const char digit = i < n ? digits[n - 1 - i] : '0';
        if (digit != '0' && digit != '1')
            return pc_fail(err, 520, "the value %.100s of %.100s is %.100s: nothing equals it",
                           word, name, digits);
        bits[i] = digit == '1';
    }
    return PC_OK;
}

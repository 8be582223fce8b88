/* SPDX-License-Identifier: MIT */
/*
 * Enumerations of an FST.  An attribute declares a table under a number:
 *
 *     name, how many, that many names of values, that many values      blanks between them
 *
 * with what is no letter as in C's texts, "\x20"; the same attribute with the number and without
 * a text says that the next variable is of that table.
 */
#include "wave/fst/fst.h"

#include "base/text.h"

enum { MOST = 1 << 20 }; /* numbers of tables */

struct words {
    const char *at, *end;
    char *text; /* of the present one, decoded */
    size_t length;
};

/* Reads the next word, up to a blank; false: there is none. The name of a table may be empty. */
static bool next_word(struct words *w)
{
    w->length = 0;
    if (*w->at == '\0')
        return false;
    while (*w->at != ' ' && *w->at != '\0')
        w->text[w->length++] = *w->at == '\\' ? wv_escaped(&w->at, w->end) : *w->at++;
    w->at += *w->at == ' ';
    return true;
}

static bool is_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (wv_state_of(text[i]) == '\0')
            return false;
    return length > 0;
}

static size_t take_count(const struct words *w)
{
    size_t n = 0;

    for (size_t i = 0; i < w->length && pc_is_digit(w->text[i]) && n < FST_ENUM_VALUES; i++)
        n = n * 10 + (size_t)(w->text[i] - '0');
    return n;
}

/* Takes the words of a table as literals of a new enumeration; false: it is none. */
static bool take_table(struct fst *f, const char *text, char *room, uint32_t *number,
                       enum pc_status *status, struct pc_error *err)
{
    struct wv_hier *h = &f->reader.hier;
    struct words names = { .at = text, .end = text + strlen(text), .text = room }, values;

    if (!next_word(&names) || !next_word(&names))
        return false;
    const size_t count = take_count(&names);
    values = (struct words){ .at = names.at, .end = names.end, .text = room + strlen(text) + 1 };
    for (size_t i = 0; i < count; i++)
        if (!next_word(&values))
            return false;
    *status = count && count < FST_ENUM_VALUES ? wv_add_enumeration(h, number, err) : PC_END;
    for (size_t i = 0; i < count && *status == PC_OK; i++) {
        if (!next_word(&names) || !next_word(&values) || !is_digits(values.text, values.length))
            return false;
        for (size_t d = 0; d < values.length; d++)
            values.text[d] = wv_state_of(values.text[d]);
        *status = wv_add_literal(h, names.text, names.length, values.text, values.length, err);
    }
    return *status != PC_END;
}

static enum pc_status declare(struct fst *f, struct fst_enums *e, const char *text, uint64_t handle,
                              struct pc_error *err)
{
    const size_t length = strlen(text) + 1;
    enum pc_status status = PC_OK;
    uint32_t number = 0;

    if (handle == 0 || handle > MOST) {
        wv_warn(&f->reader.hier, "a table of an enumeration has the number %llu: it is left out",
                (unsigned long long)handle);
        return PC_OK;
    }
    char *room = pc_calloc(&f->alloc, 2 * length, 1);
    if (!room || !pc_grow(&f->alloc, (void **)&e->table, &e->capacity, (size_t)handle + 1,
                          sizeof *e->table)) {
        pc_free(&f->alloc, room, 2 * length);
        return fst_no_memory(err, "an enumeration");
    }
    for (; e->tables <= handle; e->tables++)
        e->table[e->tables] = 0;
    const bool ok = take_table(f, text, room, &number, &status, err);
    if (!ok)
        wv_warn(&f->reader.hier,
                "a table of an enumeration is malformed: its values have no names");
    e->table[handle] = ok && status == PC_OK ? number : 0;
    pc_free(&f->alloc, room, 2 * length);
    return ok ? status : PC_OK;
}

enum pc_status fst_take_enum(struct fst *f, struct fst_enums *e, const char *text, uint64_t handle,
                             struct pc_error *err)
{
    if (text[0] != '\0')
        return declare(f, e, text, handle, err);
    e->next = handle < e->tables ? e->table[handle] : 0;
    return PC_OK;
}

void fst_free_enums(struct fst *f, struct fst_enums *e)
{
    pc_free(&f->alloc, e->table, e->capacity * sizeof *e->table);
}

/* SPDX-License-Identifier: MIT */
/*
 * The names of states: by --names FILE, a value and a name a line, or else by the enumeration
 * that a GHW or FST has of the vector.
 */
#include "stat_machine.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES = 4096 }; /* of a file; each is compared with all before it */

/* --- names --- */

/* One more; it keeps the text, NULL: there is no memory. */
static int add_name(struct stat_machine *k, uint64_t value, char *text)
{
    void *array = k->name;
    struct stat_name *new =
        text ? cli_one_more(&array, &k->name_capacity, &k->names, sizeof *new) : NULL;

    k->name = array;
    if (!new) {
        free(text);
        return cli_no_memory();
    }
    *new = (struct stat_name){ value, text };
    return CLI_OK;
}

static int by_signed(const void *a, const void *b)
{
    const int64_t x = (int64_t)((const struct stat_name *)a)->value,
                  y = (int64_t)((const struct stat_name *)b)->value;

    return x < y ? -1 : x > y;
}

static int by_unsigned(const void *a, const void *b)
{
    const uint64_t x = ((const struct stat_name *)a)->value,
                   y = ((const struct stat_name *)b)->value;

    return x < y ? -1 : x > y;
}

static bool fits(const struct stat_machine *k, uint64_t value, bool minus)
{
    const unsigned bits = k->is_signed ? k->width - 1 : k->width;

    if (minus)
        return k->is_signed && -value <= UINT64_C(1) << bits;
    return bits == 64 || value >> bits == 0;
}

/* --- the enumeration --- */

/* "0110" as a number; false: it has an x, or is too long. */
static bool read_digits(const struct stat_machine *k, const char *digits, uint64_t *out)
{
    *out = 0;
    if (strlen(digits) > 64 || strspn(digits, "01") != strlen(digits))
        return false;
    for (; *digits; digits++)
        *out = *out << 1 | (uint64_t)(*digits == '1');
    if (k->is_signed && k->width < 64 && *out >> (k->width - 1) & 1)
        *out |= UINT64_MAX << k->width;
    return true;
}

static int take_enumeration(struct stat_machine *k, const char *vector, const struct pc_wave *wave)
{
    const char *name, *digits;
    struct pc_wave_var info;
    uint32_t hi, lo;
    uint64_t value;
    size_t var;
    int code = CLI_OK;

    if (pc_wave_find(wave, vector, &var, &hi, &lo, NULL) != PC_OK ||
        pc_wave_get_var(wave, var, &info) != PC_OK || lo != 0 || hi + 1 != info.width)
        return CLI_OK;
    for (size_t i = 0; code == CLI_OK && !pc_wave_get_value_name(wave, var, i, &name, &digits); i++)
        if (read_digits(k, digits, &value) && strlen(name) <= STAT_STATE_NAME)
            code = add_name(k, value, cli_copy(name, strlen(name)));
    return code;
}

/* --- --names --- */

/* "fsm=FILE" of a machine that is called fsm: where its file begins; 0: it is for all. */
static size_t scope_of(const struct stat_measures *all, const char *text, const char **name)
{
    for (size_t i = 0; i < all->count; i++) {
        const size_t n = strlen(all->item[i].name);
        if (all->item[i].kind != STAT_STATES || strncmp(text, all->item[i].name, n) != 0 ||
            text[n] != '=')
            continue;
        *name = all->item[i].name;
        return n + 1;
    }
    return 0;
}

/*
 * Refuses "y=FILE" where no --states is called y, rather than to look for a file of that name.  A
 * path with a = in it is one where the file is there, or where the text before the = is not a name.
 */
static int check_scope(const struct stat_measures *all, const char *text)
{
    const size_t n = strcspn(text, "=");
    char known[300] = "";
    size_t used = 0;

    if (text[n] == '\0' || n == 0 || memchr(text, '/', n) || access(text, F_OK) == 0)
        return CLI_OK;
    for (size_t i = 0; i < all->count && used < sizeof known; i++)
        if (all->item[i].kind == STAT_STATES)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     all->item[i].name);
    return cli_usage("stat", "--names %s: no --states is called %.*s; there is %s", text, (int)n,
                     text, known);
}

int stat_check_names_files(const struct stat_measures *all)
{
    const char *name, *first = NULL;

    if (all->names.count > 0 && !stat_measure_has(all, STAT_STATES))
        return cli_usage("stat", "--names is about --states: give one");
    for (size_t i = 0; i < all->names.count; i++) {
        if (scope_of(all, all->names.text[i], &name) > 0)
            continue;
        if (check_scope(all, all->names.text[i]) != CLI_OK)
            return CLI_INPUT;
        if (first)
            return cli_usage("stat",
                             "--names %s and %s are both for all state machines: say for which, "
                             "like --names fsm=%s",
                             first, all->names.text[i], all->names.text[i]);
        first = all->names.text[i];
    }
    return CLI_OK;
}

/* Its own file, or that of all; NULL: neither is there. */
static const char *file_of(const struct stat_measures *all, const struct stat_measure *m)
{
    const char *found = NULL, *name;

    for (size_t i = 0; i < all->names.count; i++) {
        const size_t n = scope_of(all, all->names.text[i], &name);
        if (n > 0 && strcmp(name, m->name) == 0)
            return all->names.text[i] + n;
        if (n == 0)
            found = all->names.text[i];
    }
    return found;
}

/* A line of the file. */
struct line {
    const struct stat_measure *m;
    const char *path, *text;
    uint32_t number;
};

static int PC_PRINTF(4, 5)
    wrong(const struct line *l, size_t at, const char *hint, const char *fmt, ...)
{
    char *label = cli_line_label(l->path, l->number, 1), what[300];
    const struct cli_place place = { label, l->text, 0 };
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    const int code =
        label ? cli_error_at(1806, &place, (uint32_t)at + 1, hint, "%s", what) : cli_no_memory();
    free(label);
    return code;
}

/* The value of a digit; 99: it is none. */
static unsigned digit_of(char c)
{
    return cli_is_digit(c)        ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 99;
}

/* The base of what follows 0 or ', and how many characters say it; 10: none. */
static unsigned base_of(const char *text, size_t *skip)
{
    static const char letters[] = "bBoOxXhHdD";
    static const unsigned bases[] = { 2, 8, 16, 16, 10 };
    const char *quote = strchr(text, '\'');
    const size_t lead = quote ? (size_t)(quote - text) + 1 : text[0] == '0' ? 1 : 0;
    const char *letter = lead && text[lead] ? strchr(letters, text[lead]) : NULL;

    *skip = letter ? lead + 1 : 0;
    return letter ? bases[(letter - letters) / 2] : 10;
}

/* Reads "5", "-1", "0x1f", "0b101", "3'b101" or "'h1f"; false: it is not a number. */
static bool read_value(const char *text, uint64_t *out, bool *minus)
{
    size_t skip;

    *minus = text[0] == '-';
    text += *minus;
    const unsigned base = base_of(text, &skip);
    uint64_t n = 0;
    bool any = false;

    for (const char *c = text + skip; *c; c++) {
        if (*c == '_' && any)
            continue;
        if (digit_of(*c) >= base || __builtin_mul_overflow(n, base, &n) ||
            __builtin_add_overflow(n, digit_of(*c), &n))
            return false;
        any = true;
    }
    *out = *minus ? -n : n;
    return any;
}

static int no_room(const struct line *l, const char *text, size_t at)
{
    const struct stat_machine *k = l->m->machine;

    return wrong(l, at, NULL, "%.80s does not fit into %.80s, which has %s%s", text, l->m->name,
                 cli_count(k->width, "bit"), k->is_signed ? " and a sign" : "");
}

/* Reads a value whose digits may be the bits of the vector: "0010" of four. */
static bool read_value_of(const struct stat_machine *k, const char *text, uint64_t *out,
                          bool *minus)
{
    if (k->width < 2 || strlen(text) != k->width || strspn(text, "01") != k->width)
        return read_value(text, out, minus);
    const bool known = read_digits(k, text, out);
    *minus = k->is_signed && *out >> 63;
    return known;
}

/* Two words: a value and its name, in either order. */
static int take_words(const struct line *l, char *const word[2], const size_t at[2])
{
    struct stat_machine *k = l->m->machine;
    uint64_t value, other;
    bool minus, ignored;
    const unsigned v = !read_value_of(k, word[0], &value, &minus);

    if (v == 1 && !read_value_of(k, word[1], &value, &minus))
        return wrong(l, at[0], "like '0 IDLE', 'RUN = 2'b01' or '0x2 DONE'",
                     "expected a value and a name, found \"%.60s\" and \"%.60s\"", word[0],
                     word[1]);
    const char *name = word[1 - v];
    if (read_value(name, &other, &ignored))
        return wrong(l, at[1 - v], NULL, "expected a name, found the number %.60s", name);
    if (strlen(name) > STAT_STATE_NAME)
        return wrong(l, at[1 - v], NULL, "a name of a state has up to %d characters",
                     STAT_STATE_NAME);
    if (!fits(k, value, minus))
        return no_room(l, word[v], at[v]);
    if (k->names == MOST_NAMES)
        return wrong(l, at[1 - v], NULL, "a state machine has up to %d states", MOST_NAMES);
    for (size_t i = 0; i < k->names; i++) {
        if (k->name[i].value == value)
            return wrong(l, at[v], NULL, "%.60s has a name already: %.80s", word[v],
                         k->name[i].text);
        if (strcmp(k->name[i].text, name) == 0)
            return wrong(l, at[1 - v], NULL, "%.80s is the name of another value already", name);
    }
    return add_name(k, value, cli_copy(name, strlen(name)));
}

static const char separators[] = " \t\r=:,;";

/* Returns whether a # or // stands here that is not part of a name. */
static bool is_comment(const char *text, size_t at)
{
    return (text[at] == '#' || (text[at] == '/' && text[at + 1] == '/')) &&
           (at == 0 || strchr(separators, text[at - 1]));
}

static int take_line(const struct line *l, char *copy)
{
    char *word[3];
    size_t at[3], words = 0, end = 0;

    while (copy[end] && !is_comment(copy, end))
        end++;
    copy[end] = '\0';
    for (size_t i = strspn(copy, separators); copy[i] && words < 3;) {
        const size_t n = strcspn(copy + i, separators);
        word[words] = copy + i;
        at[words++] = i;
        i += n;
        if (copy[i])
            copy[i++] = '\0';
        i += strspn(copy + i, separators);
    }
    if (words == 0)
        return CLI_OK;
    return words == 2 ? take_words(l, word, at)
                      : wrong(l, words == 3 ? at[2] : strlen(l->text),
                              "like '0 IDLE', 'RUN = 2'b01' or '0x2 DONE'",
                              words == 3 ? "expected a value and a name, and nothing else"
                                         : "expected a value and a name");
}

static int take_file(struct stat_measure *m, const char *path)
{
    struct line l = { .m = m, .path = cli_input_name(path), .number = 1 };
    char *text;
    size_t size;
    int code = cli_read_text("stat", path, &text, &size);

    if (code)
        return code;
    if (strlen(text) != size)
        code = cli_error_at(1806, NULL, 0, NULL, "%s is not text: it has a NUL", l.path);
    for (char *at = text; code == CLI_OK && at; l.number++) {
        char *end = strchr(at, '\n');
        if (end)
            *end = '\0';
        char *copy = cli_copy(at, strlen(at));
        l.text = at;
        code = copy ? take_line(&l, copy) : cli_no_memory();
        free(copy);
        at = end ? end + 1 : NULL;
    }
    free(text);
    if (code == CLI_OK && m->machine->names == 0)
        code = cli_error_at(1806, NULL, 0, NULL, "%s has no name of a state", l.path);
    return code;
}

/* Sorts them by value; of two of one value, which an enumeration may have, one is left. */
static void sort_names(struct stat_machine *k)
{
    size_t n = 0;

    if (k->names > 0)
        qsort(k->name, k->names, sizeof *k->name, k->is_signed ? by_signed : by_unsigned);
    for (size_t i = 0; i < k->names; i++) {
        if (n > 0 && k->name[n - 1].value == k->name[i].value)
            free(k->name[i].text);
        else
            k->name[n++] = k->name[i];
    }
    k->names = n;
}

int stat_machine_names(struct stat_measure *m, const struct stat_measures *all,
                       const struct stat_wires *wires)
{
    const char *path = file_of(all, m);
    struct stat_machine *k = m->machine;
    char *vector = cli_copy_name(m->piece[0].text, strlen(m->piece[0].text));
    int code = !vector ? cli_no_memory()
               : path  ? take_file(m, path)
                       : take_enumeration(k, vector, wires->wave);

    free(vector);
    sort_names(k);
    return code;
}

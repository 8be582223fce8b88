/* SPDX-License-Identifier: MIT */
/*
 * The name at the end of an expression.  Those of a waveform go scope by scope, as files go folder
 * by folder; where no path begins so, ends of paths that mean one signal do.  Only what the reader
 * finds again under the name as it is written is offered.
 */
#include "complete.h"
#include "text/chars.h"
#include "wave/read_options.h"
#include "wave/wave_bits.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Limits on a file, so that a key press does not wait long for it. */
static const struct pc_wave_limits limits = { .max_vars = 1 << 20, .max_names_total = 64 << 20 };

/* A file that can be read at once: no pipe, no device. */
static bool is_file(const char *path)
{
    struct stat info;

    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* --- the language, as pcounter-expr(7) has it --- */

static bool starts_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool in_word(char c)
{
    return starts_word(c) || cli_is_digit(c);
}

/* After a path that begins there; an escaped word goes to its blank, which belongs to it. */
static const char *skip_path(const char *p)
{
    for (;;) {
        if (*p == '\\') {
            while (*p && !cli_is_space(*p))
                p++;
            if (!cli_is_space(*p))
                return p;
            if (p[1] != '.' && p[1] != '\0')
                return p;
            p++;
        }
        while (in_word(*p) || *p == '[' || *p == ']')
            p++;
        p += cli_scope_index(p);
        if (*p != '.')
            return p;
        p++;
        if (!starts_word(*p) && *p != '\\')
            return p;
    }
}

/* Where the name at the end begins: the end, if there is none. */
static const char *last_name(const char *text)
{
    const char *p = text;

    while (*p) {
        if (cli_is_digit(*p)) { /* 12, 4'b1x0 */
            while (in_word(*p) || *p == '\'')
                p++;
        } else if (starts_word(*p) || *p == '\\') {
            const char *end = skip_path(p);
            if (*end == '\0')
                return p;
            p = end;
        } else {
            p++;
        }
    }
    return p;
}

/* --- waveforms --- */

static bool is_plain(const char *word, size_t size)
{
    size_t n = 0;

    if (size == 0 || !starts_word(word[0]))
        return false;
    while (n < size && in_word(word[n]))
        n++;
    if (n + cli_scope_index(word + n) == size)
        return true;
    while (n < size && word[n] == '[') { /* an index */
        for (n++; n < size && cli_is_digit(word[n]); n++)
            ;
        if (n == size || word[n++] != ']')
            return false;
    }
    return n == size;
}

/* How long the first part of a path is.  A dot with nothing after it belongs to it. */
static size_t part_size(const char *path)
{
    size_t size = strcspn(path, ".");

    while (path[size] == '.') {
        const size_t next = size + 1 + strspn(path + size + 1, "\\ ");
        if (path[next] != '.' && path[next] != '\0')
            break;
        size = next;
    }
    return size;
}

/* A path as it stands in an expression, for free(). */
static char *written(const char *path)
{
    const size_t length = strlen(path);
    char *out = malloc(3 * length + 3), *to = out;

    for (const char *p = path; out; p++) {
        const size_t size = part_size(p);
        char *const begin = ++to; /* room for a backslash */
        for (size_t i = 0; i < size; i++)
            if (p[i] != '\\' && p[i] != ' ') /* these do not count (src/wave/find.c) */
                *to++ = p[i];
        *to = p[size]; /* after an index of scopes a dot is looked for */
        if (is_plain(begin, (size_t)(to - begin))) {
            memmove(begin - 1, begin, (size_t)(to-- - begin));
        } else {
            begin[-1] = '\\';
            *to++ = ' ';
        }
        p += size;
        if (*p == '\0')
            break;
        *to++ = '.';
    }
    if (out)
        *to = '\0';
    return out;
}

/* The next dot between two words of a path, or its end. */
static const char *next_dot(const char *p)
{
    if (*p == '\\') {
        while (*p && *p != ' ')
            p++;
        return p + (*p == ' ');
    }
    return p + strcspn(p, ".");
}

/* Does the name mean this: all of it, by its bit on the right? */
static bool finds(const struct pc_wave *wave, const char *name, const struct pc_wave_var *wanted)
{
    struct pc_wave_bit bit;
    struct pc_wave_var var;
    size_t count;

    return pc_wave_find_bits(wave, name, &bit, 1, &count, NULL) == PC_OK &&
           count == wanted->width && bit.bit == 0 &&
           pc_wave_get_var(wave, bit.var, &var) == PC_OK && var.code == wanted->code;
}

/* The path, or the scope in which it goes on after `typed`. */
static void offer_path(struct complete *c, const struct pc_wave *wave, const char *typed,
                       char *path, const struct pc_wave_var *var)
{
    const size_t length = strlen(typed);
    const char *dot;

    if (strncmp(path, typed, length) != 0)
        return;
    for (dot = next_dot(path); *dot == '.' && dot < path + length;)
        dot = next_dot(dot + 1);
    if (*dot == '.') {
        path[dot + 1 - path] = '\0';
        complete_offer(c, path, "scope");
    } else if (finds(wave, path, var)) {
        complete_offer(c, path, NULL);
    }
}

/* Ends of the path that begin so and are unique. */
static void offer_ends(struct complete *c, const struct pc_wave *wave, const char *path,
                       const struct pc_wave_var *var)
{
    const size_t typed = strlen(c->word + c->from);

    for (const char *dot = next_dot(path); *dot == '.'; dot = next_dot(dot + 1))
        if (strncmp(dot + 1, c->word + c->from, typed) == 0 && finds(wave, dot + 1, var))
            complete_offer(c, dot + 1, NULL);
}

/* typed: NULL for ends of paths. */
static void offer_vars(struct complete *c, const struct pc_wave *wave, const char *typed)
{
    struct cli_wave_vars at;
    struct pc_wave_var var, right;

    cli_wave_vars_begin(&at, wave);
    while (cli_wave_vars_next(&at, &var)) {
        if (var.kind != PC_VAR_BITS || var.width == 0)
            continue;
        if (at.bits > 0 && pc_wave_get_var(wave, at.first + at.bits - 1, &right) == PC_OK)
            var.code = right.code;
        char *path = written(var.name);
        if (path && typed)
            offer_path(c, wave, typed, path, &var);
        else if (path)
            offer_ends(c, wave, path, &var);
        free(path);
    }
}

/* A scope that is alone is entered: a shell would close the quotes after it. */
static void offer_paths(struct complete *c, const struct pc_wave *wave)
{
    char *scope = NULL;

    offer_vars(c, wave, c->word + c->from);
    while (c->count == 1) {
        char *const text = c->candidate[0].text;
        const size_t length = strlen(text);
        if (text[length - 1] != '.' || (scope && strcmp(scope, text) == 0))
            break;
        free(scope);
        scope = text;
        free(c->candidate[0].about);
        c->count = 0;
        offer_vars(c, wave, scope);
    }
    free(scope);
}

/* The first of the arguments that is a waveform. */
static struct pc_wave *open_wave(const struct complete *c)
{
    struct pc_wave *wave;
    char at_home[CLI_PATH];

    for (size_t i = 0; i < c->operands; i++) {
        const char *path = c->operand[i], *home = getenv("HOME");
        if (strncmp(path, "~/", 2) == 0 && home) {
            snprintf(at_home, sizeof at_home, "%s%s", home, path + 1);
            path = at_home;
        }
        const struct pc_wave_desc desc = { .path = path, .limits = limits };
        if (is_file(path) && cli_wave_open(&desc, &wave, NULL) == PC_OK)
            return wave;
    }
    return NULL;
}

void complete_wave_names(struct complete *c)
{
    struct pc_wave *wave = open_wave(c);

    c->from = (size_t)(last_name(c->word + c->from) - c->word);
    if (!wave)
        return;
    offer_paths(c, wave);
    if (c->count == 0 && c->word[c->from] != '\0')
        offer_vars(c, wave, NULL);
    pc_wave_close(wave);
}

/* --- chips --- */

static void load_tables(const struct complete *c, struct pc_names *names)
{
    for (size_t i = 0; i < c->givens; i++) {
        char *text;
        size_t size, added;
        const char *path = c->given[2 * i + 1];
        if (strcmp(c->given[2 * i], "signals") != 0 || !is_file(path) ||
            cli_read_text("complete", path, &text, &size) != CLI_OK)
            continue;
        (void)!pc_names_load(names, text, size, &added, NULL);
        free(text);
    }
}

/*
 * Offers the signals of the domain of -d.  Without -d: those of the first domain for `pcounter
 * compile`, else those of all domains, where the first of several equal units represents them.
 */
void complete_chip_names(struct complete *c)
{
    const char *name = complete_given(c, "chip"), *domain = complete_given(c, "domain");
    const struct pc_chip *chip = name ? pc_chip_find(name) : NULL;
    struct pc_chip_domain place;
    struct pc_names *names;
    struct pc_signal s;
    unsigned only = 0;
    bool all = !domain && strcmp(c->verb->name, "compile") != 0;

    c->from = (size_t)(last_name(c->word + c->from) - c->word);
    if (!chip || pc_names_open(NULL, chip, &names, NULL) != PC_OK)
        return;
    load_tables(c, names);
    if (domain && pc_chip_find_domain(chip, domain, &only, NULL) != PC_OK)
        all = true;
    for (unsigned d = 0; pc_chip_get_domain(chip, d, &place); d++)
        for (size_t i = 0; (all ? place.unit == 0 : d == only) && pc_names_at(names, d, i, &s); i++)
            complete_offer(c, s.name, s.about);
    pc_names_close(names);
}

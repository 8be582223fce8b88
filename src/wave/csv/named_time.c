/* SPDX-License-Identifier: MIT */
/* Which names are those of times, and in what unit: "time", "Time [s]", "t_us", "nanoseconds". */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <string.h>

static bool take_unit(struct csv *c, const char *name)
{
    if (!csv_time_unit(name, &c->unit))
        return false;
    c->time = CSV_UNIT;
    return true;
}

/* sigrok counts in the power of 1000 that the rate does not exceed. */
void csv_unit_of_rate(struct csv *c)
{
    uint64_t scale = 1;
    int unit = 0;

    c->time = CSV_TICKS;
    if (c->rate == 0)
        return;
    for (; scale < c->rate; scale *= 1000)
        unit -= 3;
    c->time = CSV_UNIT;
    c->unit = unit;
}

static bool ends_in(const char *name, size_t length, const char *word)
{
    const size_t n = strlen(word);

    return length >= n && memcmp(name + length - n, word, n) == 0;
}

/* Takes "Zeit [ms]", "elapsed time (us)", "t(us)": but V(s) is a voltage. */
static bool take_bracketed(struct csv *c, char *name, size_t length)
{
    const char close = name[length - 1];
    char *open = close == ']' ? strrchr(name, '[') : close == ')' ? strrchr(name, '(') : NULL;

    if (!open)
        return false;
    const size_t before = (size_t)(open - name);
    if (close == ')' && !ends_in(name, before, "time") && !ends_in(name, before, "timestamp") &&
        !(before == 1 && name[0] == 't'))
        return false;
    name[length - 1] = '\0';
    const bool taken = take_unit(c, open + 1);
    name[length - 1] = close;
    return taken;
}

/* Takes "time", "t_us", "time_ns", "timestamp/ms", "Time, s". */
static bool take_word(struct csv *c, const char *name)
{
    static const char *const words[] = { "timestamp", "time", "t" };

    for (size_t i = 0; i < 3; i++) {
        const char *rest = name + strlen(words[i]);
        if (strncmp(name, words[i], strlen(words[i])) != 0)
            continue;
        if (*rest == '\0') {
            csv_unit_of_rate(c);
            return true;
        }
        if (pc_is_one_of(*rest, "_/,") && take_unit(c, rest + 1))
            return true;
    }
    return false;
}

/* It is called a time, in an unknown unit: "Time (min)", "time in us". */
static bool has_other_unit(const char *p, size_t length)
{
    static const char word[] = "time";
    const size_t n = sizeof word - 1;

    for (size_t i = 0; i < n; i++)
        if (i == length || pc_lower(p[i]) != word[i])
            return false;
    return length > n + 1 && pc_is_one_of(p[n], "[(/, ") && !pc_is_digit(p[n + 1]);
}

/* Vivado and Quartus number the samples. */
static bool is_sample_number(const char *name)
{
    return strcmp(name, "samples") == 0 || strcmp(name, "sampleinbuffer") == 0;
}

/* Takes "Second", "sec", "Elapsed (s)", "X (ms)", "x-axis": but V(s) is a voltage. */
static bool take_likely(struct csv *c, const char *name, size_t length)
{
    const char *open = strchr(name, '(');
    char unit[64];

    c->unit = 0;
    c->time = CSV_UNIT;
    if (csv_time_unit(name, &c->unit) || strcmp(name, "second") == 0 || strcmp(name, "x") == 0 ||
        strcmp(name, "x-axis") == 0 || strcmp(name, "elapsed") == 0)
        return true;
    if (open && open > name && name[length - 1] == ')' &&
        !(open == name + 1 && pc_is_one_of(name[0], "vi"))) {
        const size_t n = (size_t)(name + length - 1 - (open + 1));
        memcpy(unit, open + 1, n);
        unit[n] = '\0';
        if (csv_time_unit(unit, &c->unit))
            return true;
    }
    c->time = CSV_NO_TIME;
    return false;
}

/* "time", "Time [s]", "t(us)", "time_ns", "nanoseconds" ... */
enum csv_time_name csv_time_name(struct csv *c, const char *p, size_t length)
{
    char name[64];
    const size_t plain = csv_plain(p, length, name);

    if (plain == 0)
        return CSV_NAME_OTHER;
    if (is_sample_number(name) || strcmp(name, "sample") == 0) {
        c->time = strcmp(name, "sample") == 0 ? CSV_TICKS : CSV_IGNORED;
        return CSV_NAME_NUMBER;
    }
    if ((plain > 3 && take_unit(c, name)) || take_bracketed(c, name, plain) || take_word(c, name))
        return CSV_NAME_TIME;
    if (take_likely(c, name, plain))
        return CSV_NAME_LIKELY;
    return has_other_unit(p, length) ? CSV_NAME_UNKNOWN : CSV_NAME_OTHER;
}

/*
 * Without a unit in the name the first cell has one, or is a date or a fraction: a design may count
 * in a signal "time".
 */
bool csv_is_later_time(struct csv *c, const char *p, size_t n, const struct csv_field *cell)
{
    char name[64];
    const size_t length = csv_plain(p, n, name);
    int exponent;

    if (length == 0 || !cell)
        return false;
    const enum csv_form form = csv_time_form(c, cell, &exponent);
    if (form == CSV_FORM_NONE || !strstr(name, "time"))
        return false;
    if (take_bracketed(c, name, length) && strncmp(name, "time", 4) == 0)
        return true;
    c->time = CSV_NO_TIME;
    if (!take_word(c, name))
        return false;
    if (c->time == CSV_UNIT || form != CSV_FORM_WHOLE)
        return true;
    c->time = CSV_NO_TIME;
    return false;
}

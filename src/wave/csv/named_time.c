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
static void unit_of_rate(struct csv *c)
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

/* "Zeit [ms]", "elapsed time (us)", "t(us)": but V(s) is a voltage. */
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

/* "time", "t_us", "time_ns", "timestamp/ms", "Time, s" */
static bool take_word(struct csv *c, const char *name)
{
    static const char *const words[] = { "timestamp", "time", "t" };

    for (size_t i = 0; i < 3; i++) {
        const char *rest = name + strlen(words[i]);
        if (strncmp(name, words[i], strlen(words[i])) != 0)
            continue;
        if (*rest == '\0') {
            unit_of_rate(c);
            return true;
        }
        if (pc_is_one_of(*rest, "_/,") && take_unit(c, rest + 1))
            return true;
    }
    return false;
}

/* It is called a time, in what nobody knows: "Time (min)", "time in us". */
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

/* Is this the name of a time?  "time", "Time [s]", "t(us)", "time_ns", "nanoseconds" ... */
void csv_look_for_time(struct csv *c, const struct csv_field *f)
{
    char name[64];
    size_t length = csv_plain(c->text.buf + f->at, f->length, name);

    if (length == 0)
        return;
    if (is_sample_number(name))
        c->time = CSV_IGNORED;
    else if (strcmp(name, "sample") == 0)
        c->time = CSV_TICKS;
    else if (!(length > 3 && take_unit(c, name)) && !take_bracketed(c, name, length) &&
             !take_word(c, name) && has_other_unit(c->text.buf + f->at, f->length))
        wv_warn(
            &c->base.hier,
            "%.*s is read as a signal, and each row as a sample: units of a time are s, ms, us, "
            "ns, ps and fs",
            (int)f->length, c->text.buf + f->at);
}

/*
 * Without a unit in the name the first cell has one, or is a date or a fraction: a design may count
 * in a signal "time".
 */
bool csv_is_later_time(struct csv *c, const struct csv_field *f, const struct csv_field *cell)
{
    char name[64];
    const size_t length = csv_plain(c->text.buf + f->at, f->length, name);
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

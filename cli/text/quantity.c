/* SPDX-License-Identifier: MIT */
/* See quantity.h. */
#include "text/quantity.h"

#include <stdio.h>
#include <string.h>

static bool is_share(const char *unit)
{
    return unit[0] == '%';
}

const char *cli_report_unit(const struct pc_metric *m)
{
    return is_share(m->unit) ? m->unit : m->base;
}

double cli_report_value(const struct pc_metric *m, double value)
{
    return is_share(m->unit) ? value * 100 : value;
}

/* --- prefixes --- */

struct prefix {
    const char *text;
    double size;
};

static const struct prefix shorter[] = { { "f", 1e-15 }, { "p", 1e-12 }, { "n", 1e-9 },
                                         { "u", 1e-6 },  { "m", 1e-3 },  { "", 1 } },
                           longer[] = { { "", 1 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 } },
                           binary[] = { { "", 1 },
                                        { "Ki", 1024.0 },
                                        { "Mi", 1024.0 * 1024 },
                                        { "Gi", 1024.0 * 1024 * 1024 } };

struct family {
    const struct prefix *prefix;
    size_t count;
};

static struct family family_of(const char *unit, bool in_binary)
{
    if (strcmp(unit, "s") == 0)
        return (struct family){ shorter, sizeof shorter / sizeof shorter[0] };
    if (strcmp(unit, "Hz") != 0 && unit[0] != 'B')
        return (struct family){ NULL, 0 };
    return in_binary ? (struct family){ binary, sizeof binary / sizeof binary[0] }
                     : (struct family){ longer, sizeof longer / sizeof longer[0] };
}

bool cli_has_prefix(const char *unit)
{
    return family_of(unit, false).count > 0;
}

static double size_of(double value)
{
    return value < 0 ? -value : value;
}

/* 999.96 with four digits is 1,000: such numbers take the next prefix. */
static bool reaches(double size, double next, int digits)
{
    double half = 0.5;

    for (int i = 0; i < digits; i++)
        half /= 10;
    return size >= next * (1 - half);
}

/* Chooses the largest that leaves 1 or more before the point. */
static const struct prefix *choose(struct family f, double value, int digits)
{
    size_t i = 0;

    while (i + 1 < f.count && reaches(size_of(value), f.prefix[i + 1].size, digits))
        i++;
    if (size_of(value) > 0)
        return f.prefix + i;
    while (f.prefix[i].text[0]) /* 0 of what has no prefix */
        i++;
    return f.prefix + i;
}

/* --- numbers --- */

/* Decimals of a number, and its whole digits in groups. */
static void grouped(double value, int decimals, bool plus, char out[CLI_QUANTITY])
{
    char digits[CLI_QUANTITY];

    snprintf(digits, sizeof digits, "%.*f", decimals, size_of(value));
    const size_t whole = strcspn(digits, ".");
    int n = snprintf(out, CLI_QUANTITY, "%s", value < 0 ? "-" : plus && value > 0 ? "+" : "");
    for (size_t i = 0; digits[i] && n + 2 < CLI_QUANTITY; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            out[n++] = ',';
        out[n++] = digits[i];
    }
    out[n] = '\0';
}

static void short_form(double value, int digits, bool plus, char out[CLI_QUANTITY])
{
    snprintf(out, CLI_QUANTITY, plus && size_of(value) > 0 ? "%+.*g" : "%.*g", digits, value);
}

static void with_prefix(double value, const char *unit, struct family f, int digits, bool plus,
                        char out[CLI_QUANTITY])
{
    const struct prefix *p = choose(f, value, digits);
    const double shown = value / p->size;
    char number[CLI_QUANTITY];

    if (size_of(shown) >= 1000 && size_of(shown) < 1e15)
        grouped(shown, 0, plus, number);
    else
        short_form(shown, digits, plus, number);
    snprintf(out, CLI_QUANTITY, "%.40s %s%.16s", number, p->text, unit);
}

/* Counts are whole; of others a few decimals, and those of what is small by a power of ten. */
static void without_prefix(double value, const char *unit, char out[CLI_QUANTITY])
{
    const double size = size_of(value);
    const bool whole = size < 1e15 && (double)(int64_t)value == value;
    const bool share = is_share(unit), ratio = strncmp(unit, "ratio", 5) == 0;
    const int decimals = share ? size >= 1000 ? 0 : 2 : whole && !ratio ? 0 : size >= 1000 ? 1 : 4;
    const double least = share ? 0.005 : 0.001;
    char number[CLI_QUANTITY];

    if (size >= 1e15 || (decimals > 1 && size > 0 && size < least))
        short_form(value, share ? 2 : 4, false, number); /* 0.0000 tells nothing */
    else
        grouped(value, decimals, false, number);
    snprintf(out, CLI_QUANTITY, "%.40s %.16s", number, unit);
}

void cli_report_quantity(const char *unit, const char *given, double value, char out[CLI_QUANTITY])
{
    const struct family f = family_of(unit, strstr(given, "iB") != NULL);

    if (f.count > 0)
        with_prefix(value, unit, f, 4, false, out);
    else
        without_prefix(value, unit, out);
}

void cli_metric_quantity(const struct pc_metric *m, double value, char out[CLI_QUANTITY])
{
    cli_report_quantity(cli_report_unit(m), m->unit, cli_report_value(m, value), out);
}

void cli_quantity_digits(double value, const char *unit, int digits, bool plus,
                         char out[CLI_QUANTITY])
{
    const struct family f = family_of(unit, false);

    char number[CLI_QUANTITY];

    if (f.count > 0) {
        with_prefix(value, unit, f, digits, plus, out);
        return;
    }
    short_form(value, digits, plus, number);
    snprintf(out, CLI_QUANTITY, "%.40s%s%.16s", number, unit[0] ? " " : "", unit);
}

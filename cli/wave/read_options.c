/* SPDX-License-Identifier: MIT */
#include "wave/read_options.h"
#include "process/simulation.h"
#include "text/warnings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t cli_parse_size(const char *text)
{
    static const char units[] = "KMG";
    char *end;

    errno = 0;
    unsigned long long n = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (n == 0 || errno)
        return 0;
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if ((*end && !unit) || (unit && end[1]) || n > UINT64_MAX >> shift)
        return 0;
    return (uint64_t)n << shift;
}

static int bad_limit(const char *verb, const char *text)
{
    return cli_usage(verb,
                     "--read-limit takes NAME=N, like vars=32M, of vars, name-bytes, names-total, "
                     "depth, width and ratio; not \"%s\"",
                     text);
}

int cli_read_limits(const char *verb, const char *text, struct pc_wave_limits *out)
{
    const struct {
        const char *name;
        uint64_t *wide;
        uint32_t *narrow;
    } known[] = {
        { "vars", &out->max_vars, NULL },
        { "name-bytes", &out->max_name_bytes, NULL },
        { "names-total", &out->max_names_total, NULL },
        { "depth", NULL, &out->max_depth },
        { "width", NULL, &out->max_width },
        { "ratio", NULL, &out->max_ratio },
    };
    enum { KNOWN = sizeof known / sizeof known[0] };

    for (const char *p = text;; p++) {
        size_t name = strcspn(p, "=,"), i = 0;
        char number[32];
        while (i < KNOWN && (strlen(known[i].name) != name || strncmp(p, known[i].name, name) != 0))
            i++;
        if (i == KNOWN || p[name] != '=')
            return bad_limit(verb, text);
        p += name + 1;
        size_t digits = strcspn(p, ",");
        snprintf(number, sizeof number, "%.*s", (int)(digits < 31 ? digits : 31), p);
        uint64_t n = digits < 31 ? cli_parse_size(number) : 0;
        if (n == 0 || (known[i].narrow && n > UINT32_MAX))
            return bad_limit(verb, text);
        if (known[i].narrow == &out->max_width && n > PC_WAVE_WIDTH_MAX)
            return cli_usage(verb, "--read-limit width takes up to 64M bits, not \"%s\"", number);
        if (known[i].narrow)
            *known[i].narrow = (uint32_t)n;
        else
            *known[i].wide = n;
        p += digits;
        if (*p == '\0')
            return CLI_OK;
    }
}

int cli_read_unit(const char *verb, const char *text, struct cli_read_options *out)
{
    const size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits + strspn(text + digits, " ");
    const unsigned long factor = digits == 0 ? 1 : digits > 3 ? 0 : strtoul(text, NULL, 10);

    if ((factor == 1 || factor == 10 || factor == 100) &&
        pc_time_unit_find(unit, strlen(unit), &out->unit_exponent)) {
        out->unit_factor = factor;
        return CLI_OK;
    }
    return cli_usage(verb,
                     "--time-unit takes 1, 10 or 100 of s, ms, us, ns, ps, fs, like 1ps; not "
                     "\"%s\"",
                     text);
}

int cli_ratio_limit(const char *verb, const char *text, uint32_t *out)
{
    uint64_t n = strncmp(text, "ratio=", 6) == 0 ? cli_parse_size(text + 6) : 0;

    if (n == 0 || n > UINT32_MAX)
        return cli_usage(
            verb, "--read-limit takes ratio=N for a trace, like ratio=5000; not \"%s\"", text);
    *out = (uint32_t)n;
    return CLI_OK;
}

int cli_memory_limit(const char *verb, const char *text, size_t *out)
{
    const uint64_t n = cli_parse_size(text);

    if (n == 0 || n > UINT64_C(64) << 30 || n > SIZE_MAX)
        return cli_usage(verb, "--memory takes bytes up to 64G, like 256M, not \"%s\"", text);
    *out = (size_t)n;
    return CLI_OK;
}

struct pc_wave_desc cli_wave_desc(const struct cli_read_options *o, const char *path)
{
    return (struct pc_wave_desc){ .path = path,
                                  .limits = o->limits,
                                  .tolerate_time_backwards = o->time_backwards,
                                  .strict = o->strict,
                                  .unit_factor = o->unit_factor,
                                  .unit_exponent = o->unit_exponent,
                                  .texts = o->texts,
                                  .refuse_oddities = o->strict };
}

enum pc_status cli_wave_open(const struct pc_wave_desc *desc, struct pc_wave **out,
                             struct pc_error *err)
{
    struct pc_error none;

    if (!cli_reads(desc->path))
        return cli_replaced(cli_input_name(desc->path), err ? err : &none);
    if (strcmp(desc->path, "-") == 0)
        cli_simulation_start();
    return pc_wave_open(desc, out, err);
}

void cli_keep_wave_warnings(const struct pc_wave *wave, const char *path)
{
    char line[1000];
    const char *text;

    for (size_t i = 0; (text = pc_wave_warning(wave, i)) != NULL; i++) {
        snprintf(line, sizeof line, "%s: %s", path, text);
        cli_keep_warning(501, line);
    }
}

void cli_wave_warnings(const struct pc_wave *wave, const char *path)
{
    const char *text;

    for (size_t i = 0; (text = pc_wave_warning(wave, i)) != NULL; i++)
        cli_warning(501, "%s: %s", path, text);
    for (size_t i = 0; (text = pc_wave_note(wave, i)) != NULL; i++)
        cli_note(520, "%s: %s", path, text);
}

/* SPDX-License-Identifier: MIT */
#include "wave/time_window.h"

#include <string.h>

static int PC_PRINTF(3, 4) fail(unsigned code, const char *path, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    return cli_error(&err, path, NULL);
}

int cli_time_units(const struct cli_time_of *of, const struct cli_span *span, const char *option,
                   bool whole, uint64_t *out)
{
    const char *file = cli_input_name(of->path);
    struct cli_ticks ticks;

    if (!span->text)
        return CLI_OK;
    if (span->in_cycles && strchr(span->text, 'c'))
        return cli_usage(of->verb,
                         "%s %s: there is no clock here; a number is in time units, a time has a "
                         "unit (s, ms, us, ns, ps, fs)",
                         option, span->text);
    *out = span->number;
    if (span->in_cycles)
        return CLI_OK;
    if (of->info->timescale_factor == 0)
        return fail(909, file,
                    "the waveform does not define its time unit: give %s in time units, "
                    "as a number alone",
                    option);
    const bool fits = cli_span_ticks(span, of->info, &ticks);
    if (whole && fits && (ticks.part > 0 || ticks.whole == 0))
        return fail(910, file, "%s %s is not a whole number of the waveform's time units", option,
                    span->text);
    *out = !fits || (ticks.part > 0 && ticks.whole == UINT64_MAX) ? UINT64_MAX
                                                                  : ticks.whole + (ticks.part > 0);
    return CLI_OK;
}

int cli_time_window(const struct cli_time_of *of, const struct cli_span *from,
                    const struct cli_span *to, uint64_t *first, uint64_t *end)
{
    int code = cli_time_units(of, from, "--from", false, first);

    if (code == CLI_OK)
        code = cli_time_units(of, to, "--to", false, end);
    if (code == CLI_OK && to->text && *end <= *first)
        return cli_usage(of->verb, "--from %s and --to %s leave no time between them",
                         from->text ? from->text : "0", to->text);
    return code;
}

/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit core --wave FILE --scope SCOPE: what a description of that scope begins with.  The
 * clock, the reset and what is called like a counter are told; rules are not guessed.
 */
#include "emit.h"
#include "text/chars.h"
#include "wave/wave_bits.h"

#include <inttypes.h>
#include <string.h>

static bool contains(const char *name, const char *word)
{
    const size_t n = strlen(word);

    for (; *name; name++) {
        size_t i = 0;
        while (i < n && (name[i] | 0x20) == word[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* The variable's own name, if it is in the scope; NULL: it is not. */
static const char *own_name(const struct pc_wave_var *var, const char *scope)
{
    const size_t n = strlen(scope);
    const char *at = var->name;

    for (; (at = strstr(at, scope)) != NULL; at++)
        if ((at == var->name || at[-1] == '.') && at[n] == '.' && strchr(at + n + 1, '.') == NULL)
            return at + n + 1;
    return NULL;
}

static bool is_counter(const struct pc_wave_var *var, const char *name)
{
    static const char *const words[] = { "count", "cnt",     "cycle", "instret", "hpm",
                                         "event", "inhibit", "perf",  "stat" };

    if (var->kind != PC_VAR_BITS || var->width < 2 || strcmp(var->type, "parameter") == 0)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (contains(name, words[i]))
            return true;
    return false;
}

/* The first of the names that the scope has; NULL: none. */
static const char *find(const struct emit_request *r, const char *const *names)
{
    struct pc_wave_var var;

    for (size_t k = 0; names[k]; k++)
        for (size_t i = 0; pc_wave_get_var(r->wave, i, &var) == PC_OK; i++) {
            const char *name = own_name(&var, r->scope);
            if (name && var.width == 1 && strcmp(name, names[k]) == 0)
                return names[k];
        }
    return NULL;
}

static const char *find_reset(const struct emit_request *r, bool *low)
{
    static const char *const lows[] = { "rst_ni",  "rst_n", "resetn", "reset_n",
                                        "aresetn", "rstn",  "nreset", NULL };
    static const char *const highs[] = { "rst_i", "rst", "reset_i", "reset", NULL };
    const char *name = find(r, lows);

    *low = name != NULL;
    return name ? name : find(r, highs);
}

static bool put_registers(const struct emit_request *r, FILE *file)
{
    struct cli_wave_vars vars;
    struct pc_wave_var var;
    bool any = false;

    cli_wave_vars_begin(&vars, r->wave);
    while (cli_wave_vars_next(&vars, &var)) {
        const char *name = own_name(&var, r->scope);
        if (!name || !is_counter(&var, name))
            continue;
        any = true;
        fprintf(file,
                "  - name: \"%s\"\n    width: %" PRIu32 "\n    reset: 0                       # is "
                "it?\n    rules: []                      # open: what does it count, who writes "
                "it?\n",
                name, var.width);
    }
    return any;
}

int emit_skeleton(const struct emit_request *r, FILE *file)
{
    static const char *const clocks[] = {
        "clk_i", "clk", "clock", "i_clk", "aclk", "clock_i", NULL
    };
    bool low;
    const char *clock = find(r, clocks), *reset = find_reset(r, &low);
    struct pc_wave_var var;
    bool there = false;

    for (size_t i = 0; !there && pc_wave_get_var(r->wave, i, &var) == PC_OK; i++)
        there = own_name(&var, r->scope) != NULL;
    if (!there)
        return cli_usage("emit", "the waveform has no scope %s with signals in it", r->scope);
    fprintf(file,
            "pcounter-core: 1\nname: %s\nabout: \"begun from a waveform: its rules are open\"\n",
            r->scope);
    fprintf(file, "scope: \"%s\"\n", r->scope);
    if (clock)
        fprintf(file,
                "clock: %s                       # the clock of the counters, which may be "
                "gated\n",
                clock);
    else
        fputs("clock: CLOCK                     # none was found by its name\n", file);
    if (reset)
        fprintf(file, "reset: \"%s%s\"\n", low ? "!" : "", reset);
    else
        fputs("# reset: \"!rst_n\"               # none was found by its name\n", file);
    fputs("\nregisters:\n", file);
    if (!put_registers(r, file))
        fputs("  []                             # nothing is called like a counter\n", file);
    return CLI_OK;
}

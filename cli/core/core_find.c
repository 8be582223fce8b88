/* SPDX-License-Identifier: MIT */
/*
 * The core in a waveform: the scope that has the ports of perf_counters, whatever its
 * instance is called, the ports in it, and mcycle and minstret in the scopes around it.
 */
#include "core.h"
#include "wave/wave_bits.h"

#include <stdlib.h>
#include <string.h>

/* Ports that make a scope the counters', or worth a question; scopes told. */
enum { ENOUGH = 5, SOME = 2, MOST_SCOPES = 64 };

/* Ports that few other modules of the core have. */
static const char *const marks[] = {
    "mcountinhibit_i", "stall_issue_i", "i_tlb_flush_i", "l1_dcache_miss_i", "l1_icache_miss_i",
    "if_empty_i",      "sb_full_i",     "itlb_miss_i",   "commit_ack_i",     "generic_counter_q[1]",
};

struct candidates {
    char *name[MOST_SCOPES + 1]; /* NULL ends them */
    unsigned hits[MOST_SCOPES];
    size_t count;
};

/* Where `name` goes on behind all of `prefix`, but for what does not count; NULL: it does not. */
static const char *behind(const char *name, const char *prefix)
{
    for (;; name++, prefix++) {
        while (*name == ' ' || *name == '\\')
            name++;
        while (*prefix == ' ' || *prefix == '\\')
            prefix++;
        if (!*prefix)
            return name;
        if (*name != *prefix)
            return NULL;
    }
}

static bool same_name(const char *a, const char *b)
{
    const char *rest = behind(a, b);

    return rest && !*rest;
}

/* ---- scopes ---- */

static bool note_scope(struct candidates *c, const char *path, size_t length)
{
    for (size_t i = 0; i < c->count; i++)
        if (strncmp(c->name[i], path, length) == 0 && c->name[i][length] == '\0') {
            c->hits[i]++;
            return true;
        }
    if (c->count == MOST_SCOPES)
        return true;
    c->name[c->count] = malloc(length + 1);
    if (!c->name[c->count])
        return false;
    memcpy(c->name[c->count], path, length);
    c->name[c->count][length] = '\0';
    c->hits[c->count++] = 1;
    return true;
}

/* A port of one bit may have its index behind it (find_with_index). */
static bool is_mark(const char *leaf, const char *mark)
{
    const char *rest = behind(leaf, mark);

    return rest && (!*rest || strcmp(rest, "[0]") == 0);
}

static bool collect(const struct pc_wave *wave, struct candidates *c)
{
    struct cli_wave_vars vars;
    struct pc_wave_var var;

    cli_wave_vars_begin(&vars, wave);
    while (cli_wave_vars_next(&vars, &var)) {
        const char *leaf = strrchr(var.name, '.');
        for (size_t m = 0; leaf && m < sizeof marks / sizeof marks[0]; m++)
            if (is_mark(leaf + 1, marks[m]) && !note_scope(c, var.name, (size_t)(leaf - var.name)))
                return false;
    }
    return true;
}

/* 2: the scope itself, 1: the end of its path, 0: another one. */
static int fits(const char *scope, const char *wanted)
{
    const size_t n = strlen(scope), m = strlen(wanted);

    if (strcmp(scope, wanted) == 0)
        return 2;
    return n > m && scope[n - m - 1] == '.' && strcmp(scope + n - m, wanted) == 0;
}

static int tell_scopes(const struct core *c, const struct candidates *all, unsigned code,
                       const char *text)
{
    struct pc_error err;
    size_t used = 0;

    cli_fail(&err, code, "%s", text);
    for (size_t i = 0; i < all->count && used < sizeof err.hint; i++)
        if (all->hits[i] >= ENOUGH)
            used += (size_t)snprintf(err.hint + used, sizeof err.hint - used, "%s%s",
                                     used ? ", " : "perf_counters is in: ", all->name[i]);
    return cli_error(&err, c->options->path, NULL);
}

/* The candidate that --scope means, or the only one; `none` if there is none at all. */
static int choose(const struct core *c, const struct candidates *all, size_t *out, bool *none)
{
    const char *wanted = c->options->scope;
    int best = 0;
    size_t matches = 0;
    char text[300];

    for (size_t i = 0; i < all->count; i++) {
        int fit = wanted ? fits(all->name[i], wanted) : all->hits[i] >= ENOUGH;
        if (fit == 0 || fit < best)
            continue;
        matches = fit > best ? 1 : matches + 1;
        best = fit;
        *out = i;
    }
    *none = matches == 0;
    if (matches == 1 || (*none && !wanted))
        return CLI_OK;
    snprintf(text, sizeof text,
             *none ? "no scope \"%.200s\" has ports of perf_counters"
                   : "%.200s matches %zu scopes with the ports of perf_counters",
             wanted ? wanted : "the waveform", matches);
    return tell_scopes(c, all, *none ? 1032 : 1031, text);
}

/* No scope has enough ports: the one with most of them, if that may be no accident. */
static void hint_at(struct core *c, const struct candidates *all)
{
    size_t most = 0;

    for (size_t i = 1; i < all->count; i++)
        if (all->hits[i] > all->hits[most])
            most = i;
    if (all->count > 0 && all->hits[most] >= SOME)
        snprintf(c->hint, sizeof c->hint,
                 "%.200s has %u of the ports that tell perf_counters: if it is that, name it "
                 "with --scope",
                 all->name[most], all->hits[most]);
}

static int find_scope(struct core *c)
{
    struct candidates all = { .count = 0 };
    bool complete = collect(c->wave, &all), none = true;
    size_t chosen = 0;
    int code = CLI_OK;

    if (complete)
        code = choose(c, &all, &chosen, &none);
    if (complete && code == CLI_OK && !none) {
        c->scope = all.name[chosen];
        all.name[chosen] = NULL;
    } else if (complete && code == CLI_OK) {
        c->scope = calloc(1, 1);
        hint_at(c, &all);
    }
    if (code == CLI_OK && !c->scope) {
        struct pc_error err;
        cli_fail(&err, 100, "no memory to look for perf_counters");
        code = cli_error(&err, NULL, NULL);
    }
    for (size_t i = 0; i < all.count; i++)
        free(all.name[i]);
    return code;
}

/* ---- ports ---- */

static struct pc_wave_bit *bits_of(const struct core *c, enum core_port port)
{
    return c->bit + (size_t)CORE_MOST_BITS * port;
}

static void take(struct core *c, enum core_port port, size_t bits)
{
    c->port[port] =
        (struct core_source){ .present = true, .bit = bits_of(c, port), .bits = (uint32_t)bits };
}

/*
 * The variable of exactly this path, or the vector of such; not a slice of another one.  It is no
 * port if that is too wide, or no bits.
 */
static enum pc_status find_exactly(struct core *c, enum core_port port, const char *path)
{
    struct pc_wave_bit *bits = bits_of(c, port);
    struct pc_wave_var var;
    size_t count;
    /* no error: to make one, each name of the waveform is looked at */
    enum pc_status status = pc_wave_find_bits(c->wave, path, bits, CORE_MOST_BITS, &count, NULL);

    if (status != PC_OK)
        return status;
    if (count == 0 || pc_wave_get_var(c->wave, bits[0].var, &var) != PC_OK)
        return PC_EINPUT;
    const char *rest = behind(var.name, path);
    if (!rest || (*rest && *rest != '[')) /* the index of a vector's bit */
        return PC_ENOENT;
    if (count > core_port_bits(port) || var.kind != PC_VAR_BITS)
        return PC_EINPUT;
    take(c, port, count);
    return PC_OK;
}

static enum pc_status find_in(struct core *c, enum core_port port, const char *scope, size_t length,
                              const char *leaf)
{
    char path[1024];

    if (snprintf(path, sizeof path, "%.*s.%s", (int)length, scope, leaf) >= (int)sizeof path)
        return PC_EINPUT;
    return find_exactly(c, port, path);
}

/* In the scopes around perf_counters, from the inside to the outside. */
static void find_around(struct core *c, enum core_port port, const char *const *leaves)
{
    size_t length = strlen(c->scope);

    while (length > 0) {
        while (length > 0 && c->scope[--length] != '.')
            ;
        for (size_t i = 0; leaves[i] && length > 0; i++)
            if (find_in(c, port, c->scope, length, leaves[i]) == PC_OK)
                return;
    }
}

/* A port of one bit that is declared with a range ([0:0]), in a file that has bits one by one. */
static void find_with_index(struct core *c, enum core_port port)
{
    char leaf[80];

    snprintf(leaf, sizeof leaf, "%s[0]", core_port_name(port));
    find_in(c, port, c->scope, strlen(c->scope), leaf);
}

static void find_by_name(struct core *c)
{
    static const char *const mcycle[] = { "csr_regfile_i.cycle_q", "mcycle", NULL };
    static const char *const minstret[] = { "csr_regfile_i.instret_q", "minstret", NULL };

    for (unsigned i = 0; i < CORE_MCYCLE; i++) {
        const enum core_port port = (enum core_port)i;
        const enum pc_status status =
            find_in(c, port, c->scope, strlen(c->scope), core_port_name(port));
        if (status == PC_ENOENT && (core_port_bits(port) == 1 || port == CORE_ACK))
            find_with_index(c, port);
    }
    find_around(c, CORE_MCYCLE, mcycle);
    find_around(c, CORE_MINSTRET, minstret);
}

/* A signal of a map: in the scope first. */
static int find_mapped(struct core *c, const struct core_map *map, const struct core_map_row *row)
{
    struct pc_wave_bit *bits = bits_of(c, row->port);
    struct pc_error err, inside;
    char path[1024];
    size_t count = 0;
    enum pc_status status = PC_ENOENT;

    if (c->scope[0] &&
        snprintf(path, sizeof path, "%s.%s", c->scope, row->signal) < (int)sizeof path)
        status = cli_find_bits(c->wave, path, bits, CORE_MOST_BITS, &count, 1035, &inside);
    if (status == PC_EINPUT) /* a slice that is too large, no bits */
        return core_map_error(map, row, &inside);
    if (status != PC_OK)
        status = cli_find_bits(c->wave, row->signal, bits, CORE_MOST_BITS, &count, 1035, &err);
    if (status == PC_OK && count > core_port_bits(row->port))
        status = cli_fail(&err, 1035, "%s has %zu bits, %s at most %u", row->signal, count,
                          core_port_name(row->port), core_port_bits(row->port));
    if (status == PC_OK && count > 1 && row->one_bit) {
        status = cli_fail(&err, 1035, "! is for one bit; %s has %zu", row->signal, count);
        snprintf(err.hint, sizeof err.hint, "~%s is the inverse of each bit", row->signal);
    }
    if (status != PC_OK)
        return core_map_error(map, row, &err);
    take(c, row->port, count);
    c->port[row->port].inverted = row->inverted;
    return CLI_OK;
}

static int apply_map(struct core *c)
{
    struct core_map map;
    int code = core_map_load(c->options->verb, c->options->map, &map);

    for (size_t i = 0; i < map.count && code == CLI_OK; i++) {
        const struct core_map_row *row = &map.row[i];
        if (row->signal)
            code = find_mapped(c, &map, row);
        else
            c->port[row->port] = (struct core_source){ .present = true,
                                                       .constant = true,
                                                       .value = row->value,
                                                       .bits = core_port_bits(row->port) };
    }
    core_map_free(&map);
    return code;
}

/* ---- what is there ---- */

size_t core_missing(const struct core *c, const enum core_port *want, char *out, size_t size)
{
    size_t used = 0, missing = 0;

    out[0] = '\0';
    for (; *want != CORE_PORTS; want++)
        if (!c->port[*want].present) {
            if (used < size)
                used += (size_t)snprintf(out + used, size - used, "%s%s", missing ? ", " : "",
                                         core_port_name(*want));
            missing++;
        }
    return missing;
}

/* Does one of the ports' events stand in for commit_instr_i? */
static bool by_class(const struct core *c)
{
    for (unsigned i = CORE_LOAD; i <= CORE_FP; i++)
        if (c->port[i].present)
            return true;
    return false;
}

static uint32_t port_events(const struct core *c)
{
    static const uint8_t event[] = { 5, 6, 9, 12, 13, 20, 21 }; /* of CORE_LOAD .. CORE_FP */
    const struct core_source *p = c->port;
    const bool two = c->options->config->commit_ports > 1;
    uint32_t events = 0;

    if (!p[CORE_ACK].present)
        return 0;
    if (by_class(c)) {
        for (unsigned i = 0; i < sizeof event; i++)
            events |= (uint32_t)p[CORE_LOAD + i].present << event[i];
        return events;
    }
    const bool fu = p[CORE_FU_0].present && (!two || p[CORE_FU_1].present);
    const bool op = p[CORE_OP_0].present && (!two || p[CORE_OP_1].present);
    const bool rd = p[CORE_RD_0].present && (!two || p[CORE_RD_1].present);
    if (fu)
        events |= 1u << 5 | 1u << 6 | 1u << 9 | 1u << 20 | 1u << 21;
    if (op && rd)
        events |= 1u << 13 | (uint32_t)fu << 12;
    return events;
}

static uint32_t line_events(const struct core *c)
{
    static const struct {
        uint8_t event, line;
    } one[] = {
        { 1, PC_HPM_ICACHE_MISS },       { 2, PC_HPM_DCACHE_MISS },      { 3, PC_HPM_ITLB_MISS },
        { 4, PC_HPM_DTLB_MISS },         { 7, PC_HPM_EXCEPTION },        { 8, PC_HPM_ERET },
        { 11, PC_HPM_BRANCH_EXCEPTION }, { 14, PC_HPM_SCOREBOARD_FULL }, { 15, PC_HPM_FETCH_EMPTY },
        { 16, PC_HPM_ICACHE_REQUEST },   { 19, PC_HPM_TLB_FLUSH },       { 22, PC_HPM_ISSUE_STALL },
    };
    const struct core_source *p = c->port;
    uint32_t events = 1; /* selector 0 needs nothing */

    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        events |= (uint32_t)p[CORE_LINE_0 + one[i].line].present << one[i].event;
    if (p[CORE_RESOLVED].present && p[CORE_MISPREDICT].present)
        events |= 1u << 10;
    if (p[CORE_DCACHE_REQUEST_0].present && p[CORE_DCACHE_REQUEST_1].present &&
        p[CORE_DCACHE_REQUEST_2].present)
        events |= 1u << 17;
    if (p[CORE_EVICTION].present || (p[CORE_DCACHE_MISS].present && p[CORE_WAYS_0].present &&
                                     p[CORE_WAYS_1].present && p[CORE_WAYS_2].present))
        events |= 1u << 18;
    return events;
}

/* A waveform of another configuration than the one that was named. */
static int check_widths(const struct core *c)
{
    const struct pc_hpm_config *config = c->options->config;
    const struct core_source *ack = &c->port[CORE_ACK], *data = &c->port[CORE_RDATA];
    struct pc_error err;

    if (ack->present && !ack->constant && ack->bits != config->commit_ports)
        cli_fail(&err, 1035, "commit_ack_i has %s; %s has %s", cli_count(ack->bits, "bit"),
                 config->name, cli_count(config->commit_ports, "commit port"));
    else if (data->present && !data->constant && data->bits != config->xlen)
        cli_fail(&err, 1035, "data_o has %u bits; %s has XLEN %u", data->bits, config->name,
                 (unsigned)config->xlen);
    else
        return CLI_OK;
    snprintf(err.hint, sizeof err.hint,
             "--core names the configuration of the design; `pcounter list cores` has them");
    return cli_error(&err, c->options->path, NULL);
}

/* Ports that are a variable and, in the same scope, a vector of other ones: neither was taken. */
static int check_clear(const struct core *c)
{
    struct pc_wave_bit bits[CORE_MOST_BITS];
    struct pc_wave_var var;
    struct pc_error err;
    char path[1024];
    uint32_t hi, lo;
    size_t i, count;

    for (unsigned port = 0; port < CORE_MCYCLE && c->scope[0]; port++) {
        if (!c->port[port].present &&
            snprintf(path, sizeof path, "%s.%s", c->scope, core_port_name((enum core_port)port)) <
                (int)sizeof path &&
            pc_wave_find(c->wave, path, &i, &hi, &lo, NULL) == PC_OK &&
            pc_wave_get_var(c->wave, i, &var) == PC_OK && same_name(var.name, path) &&
            cli_find_bits(c->wave, path, bits, CORE_MOST_BITS, &count, 1035, &err) == PC_EAMBIG)
            return cli_error(&err, c->options->path, NULL);
    }
    return CLI_OK;
}

static int PC_PRINTF(2, 3) fail_to_find(const struct core *c, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 1030, fmt, args);
    va_end(args);
    if (c->hint[0])
        snprintf(err.hint, sizeof err.hint, "%s, and ports that have other names in a map (--map)",
                 c->hint);
    return cli_error(&err, c->options->path, NULL);
}

int core_find_ports(struct core *c)
{
    struct pc_error err;
    int code = find_scope(c);

    if (code != CLI_OK)
        return code;
    c->bit = calloc((size_t)CORE_PORTS * CORE_MOST_BITS, sizeof *c->bit);
    if (!c->bit) {
        cli_fail(&err, 100, "no memory for the ports of perf_counters");
        return cli_error(&err, NULL, NULL);
    }
    if (c->scope[0]) {
        find_by_name(c);
    } else if (!c->options->map) {
        return fail_to_find(c, "no scope of the waveform has the ports of perf_counters");
    }
    if (c->options->map)
        code = apply_map(c);
    if (code == CLI_OK)
        code = check_clear(c);
    if (code == CLI_OK)
        code = check_widths(c);
    c->events = port_events(c) | line_events(c);
    if (code == CLI_OK && (!c->port[CORE_CLOCK].present || c->port[CORE_CLOCK].constant))
        return c->scope[0] ? fail_to_find(c, "there is no clock: no clk_i in \"%s\"", c->scope)
                           : fail_to_find(c, "there is no clock: the map has no signal for clk_i, "
                                             "and no scope the ports of perf_counters");
    return code;
}

bool core_wanted(const struct core *c, unsigned port)
{
    if (!c->port[port].present || c->port[port].constant || port == CORE_CLOCK)
        return false;
    if (!c->options->inputs_only)
        return true;
    return !((port >= CORE_COUNTER_3 && port <= CORE_MINSTRET) || port == CORE_RDATA ||
             port == CORE_WDATA || port == CORE_ADDRESS);
}

/* SPDX-License-Identifier: MIT */
/*
 * --map: where the ports of perf_counters are, for waveforms that have them by other names,
 * as slices of flat vectors, or not at all.  One line a port:
 *
 *     name = signal            the whole of it
 *     name = signal[bit]       name = signal[hi:lo]       indices as declared
 *     name = ~signal           the inverse of each bit; of one bit also !signal
 *     name = {signal, signal}  the one on the left above the other
 *     name = {0, signal}       zeros above, as far as the port goes
 *     name = number            decimal or 0x: the port is tied to it
 *
 * # starts a comment.  A signal is looked for in the scope of perf_counters first, then by its
 * path or the unique end of it.  pcounter-check(1) lists the names.
 */
#include "core.h"
#include "text/chars.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_LIMIT = 1 << 20 };

static const struct {
    const char *name;
    unsigned bits;
} ports[] = {
#define CORE_PORT(id, name, bits) { name, bits },
#include "core_ports.def"
#undef CORE_PORT
};

const char *core_port_name(enum core_port port)
{
    return ports[port].name;
}

unsigned core_port_bits(enum core_port port)
{
    return ports[port].bits;
}

/* ---- the file ---- */

int core_map_error(const struct core_map *map, const struct core_map_row *row,
                   const struct pc_error *err)
{
    struct pc_error placed = *err;

    placed.line = row->line;
    placed.column = row->column;
    return cli_error(&placed, map->path, map->text);
}

static int fail_at(const struct core_map *map, const char *at, const struct pc_error *err)
{
    struct core_map_row row = { .line = 1 };
    const char *start = map->words;

    for (const char *p = map->words; p < at; p++)
        if (map->text[p - map->words] == '\n') {
            row.line++;
            start = p + 1;
        }
    row.column = (uint32_t)(at - start) + 1;
    return core_map_error(map, &row, err);
}

char *core_trim(char *from, char *to)
{
    while (from < to && cli_is_blank(*from))
        from++;
    while (to > from && cli_is_blank(to[-1]))
        to--;
    *to = '\0';
    return from;
}

static int find_port(const struct core_map *map, const char *name, enum core_port *out)
{
    const char *names[CORE_PORTS + 1] = { NULL };
    struct pc_error err;
    char near[200];

    for (unsigned i = 0; i < CORE_PORTS; i++) {
        names[i] = ports[i].name;
        if (strcmp(name, ports[i].name) == 0) {
            *out = (enum core_port)i;
            return CLI_OK;
        }
    }
    cli_fail(&err, 1034, "perf_counters has no port \"%s\"", name);
    cli_near(name, names, near, sizeof near);
    if (near[0])
        snprintf(err.hint, sizeof err.hint, "did you mean %s?", near);
    return fail_at(map, name, &err);
}

static bool parse_number(const char *text, uint64_t *out)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, hex ? 16 : 10);
    return *end == '\0' && errno == 0;
}

/* Parses what comes after the =, at the place of the row. */
static int parse_source(const struct core_map *map, const char *name, const char *text,
                        struct core_map_row *row)
{
    const unsigned bits = ports[row->port].bits;
    const char *signal = text;
    struct pc_error err = { .code = 0 };

    if (*signal == '!' || *signal == '~') {
        row->inverted = true;
        row->one_bit = *signal == '!';
        while (cli_is_blank(*++signal))
            ;
    }
    row->column += (uint32_t)(signal - text);
    if (!parse_number(signal, &row->value))
        row->signal = signal;
    else if (row->inverted)
        cli_fail(&err, 1033, "a number has no inverse: write what %s is tied to", name);
    else if (bits < 64 && row->value >> bits)
        cli_fail(&err, 1033, "%s has %u bits: %s does not fit", name, bits, signal);
    if (row->signal && !*signal)
        cli_fail(&err, 1033, "no signal after \"%s = %s\"", name, text);
    if (row->signal && (*signal == '{') != (*signal && signal[strlen(signal) - 1] == '}'))
        cli_fail(&err, 1033, "signals are joined as {a, b}, zeros above as {0, a}: not \"%s\"",
                 signal);
    return err.code ? core_map_error(map, row, &err) : CLI_OK;
}

/* One line, from `line` to the NUL at its end; comments are gone. */
static int parse_line(struct core_map *map, char *line, char *end)
{
    char *equals = memchr(line, '=', (size_t)(end - line));
    struct core_map_row row = { .line = 1 };
    struct pc_error err;

    if (!equals) {
        line = core_trim(line, end);
        if (!*line)
            return CLI_OK;
        cli_fail(&err, 1033, "a line of a map is NAME = SIGNAL");
        return fail_at(map, line, &err);
    }
    char *name = core_trim(line, equals), *signal = core_trim(equals + 1, end);
    int code = find_port(map, name, &row.port);
    if (code != CLI_OK)
        return code;
    if (!*signal) {
        cli_fail(&err, 1033, "no signal after \"%s =\"", name);
        return fail_at(map, signal, &err);
    }
    for (size_t i = 0; i < map->count; i++)
        if (map->row[i].port == row.port) {
            cli_fail(&err, 1033, "%s is there twice; first in line %u", name,
                     (unsigned)map->row[i].line);
            return fail_at(map, name, &err);
        }
    for (const char *p = map->text; p < map->text + (signal - map->words); p++) {
        row.line += *p == '\n';
        row.column = *p == '\n' ? 0 : row.column + 1;
    }
    row.column++;
    code = parse_source(map, name, signal, &row);
    if (code == CLI_OK)
        map->row[map->count++] = row;
    return code;
}

static int parse(struct core_map *map, size_t size)
{
    char *line = map->words, *end = map->words + size;
    int code = CLI_OK;

    while (line < end && code == CLI_OK) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        char *stop = next ? next : end;
        char *comment = memchr(line, '#', (size_t)(stop - line));
        code = parse_line(map, line, comment ? comment : stop);
        line = stop + 1;
    }
    if (code == CLI_OK && map->count == 0) {
        struct pc_error err;
        cli_fail(&err, 1033, "the map names no port");
        return cli_error(&err, map->path, NULL);
    }
    return code;
}

static int read_text(struct core_map *map, size_t *size)
{
    struct pc_error err;
    int code = cli_read_file(map->verb, map->path, MAP_LIMIT, &map->text, size);

    if (code != CLI_OK)
        return code;
    if (memchr(map->text, '\0', *size)) {
        cli_fail(&err, 1033, "this is not text: there is a NUL in it");
        return cli_error(&err, map->path, NULL);
    }
    *size = cli_drop_mark(map->text, *size);
    map->words = malloc(*size + 1);
    if (!map->words)
        return cli_no_memory();
    memcpy(map->words, map->text, *size + 1);
    return CLI_OK;
}

int core_map_load(const char *verb, const char *path, struct core_map *out)
{
    size_t size = 0;

    *out = (struct core_map){ .verb = verb, .path = path };
    int code = read_text(out, &size);
    return code == CLI_OK ? parse(out, size) : code;
}

void core_map_free(struct core_map *map)
{
    free(map->text);
    free(map->words);
    *map = (struct core_map){ .count = 0 };
}

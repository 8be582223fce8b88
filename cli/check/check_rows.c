/* SPDX-License-Identifier: MIT */
/*
 * Parses the vectors of CVA6's counters.  A row is a letter and hexadecimal fields with
 * blanks between them; how many and how large is the layout's business, which follows from
 * the header.
 */
#include "check_rows.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

#define PERF_MAGIC "# cva6-perf-vectors "
#define CSR_MAGIC  "# cva6-csr-vectors "

/* ---- header ---- */

bool vectors_is_head(const char *line)
{
    return strncmp(line, CSR_MAGIC, strlen(CSR_MAGIC)) == 0 ||
           strncmp(line, PERF_MAGIC, strlen(PERF_MAGIC)) == 0;
}

/* The value of "key=" in the line, up to a blank; NULL if it is not there. */
static const char *find_key(const char *line, const char *key, size_t *length)
{
    const size_t n = strlen(key);

    for (const char *p = line; *p != '\n'; p++) {
        if ((p > line && !cli_is_space(p[-1])) || strncmp(p, key, n) != 0 || p[n] != '=')
            continue;
        *length = strcspn(p + n + 1, " \t\r\n");
        return p + n + 1;
    }
    return NULL;
}

static enum pc_status number_of(const struct check_input *in, const char *line, const char *key,
                                uint64_t limit, uint64_t *out, struct pc_error *err)
{
    size_t length;
    const char *text = find_key(line, key, &length);
    uint64_t value = 0;

    if (!text)
        return check_fail(err, 1020, in, 0, "the parameters have no %s=", key);
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > limit)
            return check_fail(err, 1020, in, (unsigned)(text - line) + 1,
                              "%s=%.*s is not a number up to %llu", key, (int)length, text,
                              (unsigned long long)limit);
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    if (length == 0 || value > limit)
        return check_fail(err, 1020, in, (unsigned)(text - line) + 1,
                          "%s=%.*s is not a number up to %llu", key, (int)length, text,
                          (unsigned long long)limit);
    *out = value;
    return PC_OK;
}

static void text_of(const char *line, const char *key, char *out, size_t size)
{
    size_t length;
    const char *text = find_key(line, key, &length);

    if (text)
        snprintf(out, size, "%.*s", (int)length, text);
}

/* Flags of a csr file; csr_regfile's module has no cache, so any number of ways will do. */
static enum pc_status csr_flags(const struct check_input *in, const char *line,
                                struct pc_hpm_config *c, struct pc_error *err)
{
    const struct {
        const char *key;
        bool *flag;
    } flags[] = {
        { "S", &c->rvs },
        { "U", &c->rvu },
        { "H", &c->rvh },
        { "debug", &c->debug },
        { "zicntr", &c->zicntr },
        { "zihpm", &c->zihpm },
        { "perfcnt", &c->perf_counter_en },
    };

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        uint64_t value;
        enum pc_status status = number_of(in, line, flags[i].key, 1, &value, err);
        if (status != PC_OK)
            return status;
        *flags[i].flag = value != 0;
    }
    c->dcache_ways = 8;
    return PC_OK;
}

static enum pc_status perf_flags(const struct check_input *in, const char *line,
                                 struct pc_hpm_config *c, struct pc_error *err)
{
    uint64_t ways;
    enum pc_status status = number_of(in, line, "dassoc", 32, &ways, err);

    if (status != PC_OK)
        return status;
    c->dcache_ways = (uint8_t)ways;
    c->perf_counter_en = c->debug = c->zicntr = c->zihpm = c->rvs = c->rvu = true;
    return PC_OK;
}

static enum pc_status parameters(const struct check_input *in, const char *line,
                                 struct vectors_head *h, struct pc_error *err)
{
    uint64_t xlen, ports;
    size_t length;
    enum pc_status status = number_of(in, line, "xlen", 64, &xlen, err);

    if (status == PC_OK)
        status = number_of(in, line, "ports", PC_HPM_MAX_PORTS, &ports, err);
    if (status == PC_OK && find_key(line, "cycles", &length))
        status = number_of(in, line, "cycles", UINT64_MAX / 16, &h->announced, err);
    if (status == PC_OK)
        status = (h->csr ? csr_flags : perf_flags)(in, line, &h->config, err);
    if (status != PC_OK)
        return status;
    h->config.xlen = (uint8_t)xlen;
    h->config.commit_ports = (uint8_t)ports;
    h->config.rvc = true;
    h->config.rvf = true;
    text_of(line, "unit", h->unit, sizeof h->unit);
    snprintf(h->core, sizeof h->core, "rv%u, %u port%s", (unsigned)xlen, (unsigned)ports,
             ports == 1 ? "" : "s");
    text_of(line, "config", h->core, sizeof h->core);
    h->config.name = h->core;
    return PC_OK;
}

enum pc_status vectors_read_head(struct check_input *in, struct vectors_head *out,
                                 struct pc_error *err)
{
    const char *line;
    enum pc_status status = check_line(in, &line, err);

    memset(out, 0, sizeof *out);
    if (status == PC_END)
        return check_fail(err, 1020, in, 0, "the file is empty");
    if (status != PC_OK)
        return status;
    out->csr = strncmp(line, CSR_MAGIC, strlen(CSR_MAGIC)) == 0;
    if (!vectors_is_head(line))
        return check_fail(err, 1020, in, 1, "the first line is not that of CVA6 vectors");
    const char *version = line + strlen(out->csr ? CSR_MAGIC : PERF_MAGIC);
    if (version[0] != '1' || !cli_is_space(version[1]))
        return check_fail(err, 1020, in, (unsigned)(version - line) + 1,
                          "version %.*s of the format is not known, only 1",
                          (int)strcspn(version, " \t\r\n"), version);
    status = check_line(in, &line, err);
    if (status == PC_OK && line[0] == '#')
        return parameters(in, line, out, err);
    return status == PC_OK || status == PC_END
               ? check_fail(err, 1020, in, 0, "the second line has no parameters")
               : status;
}

/* ---- layout ---- */

struct column {
    const char *name;
    uint64_t limit; /* 0: XLEN bits; 1 and up as they are */
};

static unsigned add(struct vectors_layout *l, unsigned at, uint64_t xmask, const struct column *c,
                    size_t count)
{
    for (size_t i = 0; i < count; i++, at++) {
        l->name[at] = c[i].name;
        l->limit[at] = c[i].limit ? c[i].limit : xmask;
    }
    return at;
}

static void add_state(struct vectors_layout *l, const char *const *names, unsigned count,
                      uint64_t limit)
{
    for (unsigned i = 0; i < count; i++, l->state_count++) {
        l->state_name[l->state_count] = names[i];
        l->state_limit[l->state_count] = limit;
    }
}

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

void vectors_layout(const struct vectors_head *h, struct vectors_layout *l)
{
    static const char *const fixed[] = { "mcycle", "minstret" };
    static const char *const counters[] = { "mhpmcounter3", "mhpmcounter4", "mhpmcounter5",
                                            "mhpmcounter6", "mhpmcounter7", "mhpmcounter8" };
    static const char *const selectors[] = { "mhpmevent3", "mhpmevent4", "mhpmevent5",
                                             "mhpmevent6", "mhpmevent7", "mhpmevent8" };
    static const char *const enables[] = { "mcountinhibit", "mcounteren", "scounteren",
                                           "hcounteren" };
    static const struct column perf_in[] = {
        { "dbg", 1 }, { "we", 1 }, { "addr", 0xfff }, { "wdata", 0 }, { "inh", UINT32_MAX }
    };
    static const struct column csr_in[] = { { "prv", 3 }, { "v", 1 },        { "dbg", 1 },
                                            { "op", 4 },  { "addr", 0xfff }, { "wdata", 0 } };
    static const struct column port[] = { { "ack", 1 }, { "fu", 15 }, { "op", 2 }, { "rd", 31 } };
    const uint64_t xmask = h->config.xlen == 64 ? UINT64_MAX : UINT32_MAX;
    const uint64_t ways =
        h->config.dcache_ways >= 32 ? UINT32_MAX : (UINT64_C(1) << h->config.dcache_ways) - 1;
    const struct column perf_out[] = { { "ev", 0x1ffff }, { "vld0", ways }, { "vld1", ways },
                                       { "vld2", ways },  { "rdata", 0 },   { "chg", 0x3f } };
    const struct column csr_out[] = { { "ex", 1 },    { "eret", 1 }, { "ev", 0x3fff },
                                      { "rdata", 0 }, { "exc", 22 }, { "chg", 0x1ff } };

    memset(l, 0, sizeof *l);
    l->ports = h->csr ? add(l, 0, xmask, csr_in, COUNT(csr_in))
                      : add(l, 0, xmask, perf_in, COUNT(perf_in));
    l->after = l->ports;
    for (unsigned p = 0; p < h->config.commit_ports; p++)
        l->after = add(l, l->after, xmask, port, COUNT(port));
    l->count = h->csr ? add(l, l->after, xmask, csr_out, COUNT(csr_out))
                      : add(l, l->after, xmask, perf_out, COUNT(perf_out));
    if (h->csr)
        add_state(l, fixed, COUNT(fixed), UINT64_MAX);
    add_state(l, counters, COUNT(counters), UINT64_MAX);
    add_state(l, selectors, COUNT(selectors), 31);
    if (h->csr)
        add_state(l, enables, COUNT(enables), UINT32_MAX);
}

/* ---- rows ---- */

/* Value of a hexadecimal digit, 16 for anything else. */
static const uint8_t digit[256] = {
#define X16 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16
    X16, X16, X16, 0,  1,  2,  3,  4,  5,  6,  7,   8,   9,   16,  16,  16,  16,  16,  16, 16, 10,
    11,  12,  13,  14, 15, 16, 16, 16, 16, 16, 16,  16,  16,  16,  X16, 16,  10,  11,  12, 13, 14,
    15,  16,  16,  16, 16, 16, 16, 16, 16, 16, X16, X16, X16, X16, X16, X16, X16, X16, X16
#undef X16
};

/*
 * The fields of a row, the hot loop of a check: NULL, or where the first bad one is.  Most
 * fields have one digit and one blank before and after.
 */
static const char *split(const char *p, struct vectors_row *row)
{
    unsigned count = 0;

    for (;;) {
        unsigned one;
        while (p[0] == ' ' && (one = digit[(unsigned char)p[1]]) < 16 && p[2] == ' ' &&
               count < ROW_MAX_FIELDS) {
            row->field[count++] = one;
            p += 2;
        }
        while (cli_is_blank(*p))
            p++;
        if (*p == '\n')
            break;
        const char *start = p;
        uint64_t value = digit[(unsigned char)*p++];
        if (value == 16 || count == ROW_MAX_FIELDS)
            return start;
        for (unsigned d; (d = digit[(unsigned char)*p]) < 16; p++)
            value = value << 4 | d;
        if (p - start > 16 || !cli_is_space(*p))
            return start;
        row->field[count++] = value;
    }
    row->count = count;
    return NULL;
}

/* Column of field i of a line, from 1. */
static unsigned column_of(const char *line, unsigned i)
{
    const char *p = line;

    for (unsigned n = 0; *p != '\n'; n++) {
        p += strcspn(p, " \t\r\n");
        p += strspn(p, " \t\r");
        if (n == i)
            break;
    }
    return (unsigned)(p - line) + 1;
}

static enum pc_status bad_count(const struct check_input *in, const struct vectors_row *row,
                                unsigned expected, struct pc_error *err)
{
    return check_fail(err, 1021, in, 0, "a row %c has %u fields here, and should have %u",
                      row->type, row->count, expected);
}

static enum pc_status check_limits(const struct check_input *in, const char *line,
                                   const struct vectors_row *row, const uint64_t *limit,
                                   const char *const *name, struct pc_error *err)
{
    unsigned above = 0;

    for (unsigned i = 0; i < row->count; i++)
        above += row->field[i] > limit[i];
    for (unsigned i = 0; above > 0 && i < row->count; i++)
        if (row->field[i] > limit[i])
            return check_fail(err, 1021, in, column_of(line, i), "%s is %llx, more than %llx",
                              name[i], (unsigned long long)row->field[i],
                              (unsigned long long)limit[i]);
    return PC_OK;
}

enum pc_status vectors_parse_row(const struct check_input *in, const char *line,
                                 const struct vectors_layout *layout, struct vectors_row *row,
                                 struct pc_error *err)
{
    row->type = line[0];
    row->count = 0;
    if (line[0] == '\n' || line[0] == '\r') {
        row->type = 0;
        return PC_OK;
    }
    if (line[0] == '#')
        return PC_OK;
    if ((line[0] != 'N' && line[0] != 'X' && line[0] != 'R' && line[0] != 'S') ||
        !cli_is_space(line[1]))
        return check_fail(err, 1021, in, 1, "a row starts with N, X, R or S");
    const char *bad = split(line + 1, row);
    if (bad)
        return check_fail(err, 1021, in, (unsigned)(bad - line) + 1,
                          "\"%.*s\" is not a hexadecimal number of at most 16 digits, or one field "
                          "too many",
                          (int)strcspn(bad, " \t\r\n"), bad);
    if (line[0] == 'R')
        return row->count == 0 ? PC_OK : bad_count(in, row, 0, err);
    if (line[0] == 'S') {
        if (row->count != layout->state_count)
            return bad_count(in, row, layout->state_count, err);
        return check_limits(in, line, row, layout->state_limit, layout->state_name, err);
    }
    if (row->count != layout->count)
        return bad_count(in, row, layout->count, err);
    return check_limits(in, line, row, layout->limit, layout->name, err);
}

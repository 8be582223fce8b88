/* SPDX-License-Identifier: MIT */
/*
 * Device tree source, as much of it as a PMU node is made of: nodes, labels, properties of
 * numbers, strings, references and bytes, comments, /dts-v1/.  Includes, macros, arithmetic,
 * /delete-.../ and /bits/ are refused, for they could change what the node says.  A file may
 * be a whole tree or the node alone.
 */
#include "devicetree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, WORD, STRING, MARK, BROKEN };

struct token {
    enum kind kind;
    const char *at;
    size_t size;
    uint32_t line, column;
};

struct reader {
    const char *p, *end, *line_start;
    uint32_t line;
    struct token t; /* the one to look at */
    struct dt_pmu *out;
    struct dt_pmu *node; /* what the innermost node has so far */
    unsigned depth;
    bool found;
    struct pc_error *err;
};

/* Characters of names, numbers and directives; a comma is one of them: "riscv,pmu". */
static bool in_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr(",._+-#?@/\\&*|~^!%$'", c));
}

static void step(struct reader *r)
{
    if (*r->p++ == '\n') {
        r->line++;
        r->line_start = r->p;
    }
}

static bool starts(const struct reader *r, const char *text)
{
    const size_t n = strlen(text);

    return (size_t)(r->end - r->p) >= n && memcmp(r->p, text, n) == 0;
}

/* Spaces and comments; false in a comment that does not end. */
static bool skip_space(struct reader *r)
{
    while (r->p < r->end) {
        if (isspace((unsigned char)*r->p)) {
            step(r);
        } else if (starts(r, "//")) {
            while (r->p < r->end && *r->p != '\n')
                step(r);
        } else if (starts(r, "/*")) {
            while (r->p < r->end && !starts(r, "*/"))
                step(r);
            if (r->p == r->end)
                return false;
            r->p += 2;
        } else {
            return true;
        }
    }
    return true;
}

static void next_string(struct reader *r)
{
    step(r);
    r->t.at = r->p;
    while (r->p < r->end && *r->p != '"') {
        if (*r->p == '\\' && r->p + 1 < r->end)
            step(r);
        step(r);
    }
    r->t.size = (size_t)(r->p - r->t.at);
    r->t.kind = r->p < r->end ? STRING : BROKEN;
    if (r->p < r->end)
        step(r);
}

/* A word ends before a comment, and before the comma between two values. */
static void next_word(struct reader *r)
{
    while (r->p < r->end && in_word(*r->p) && !starts(r, "//") && !starts(r, "/*"))
        step(r);
    r->t.kind = WORD;
    r->t.size = (size_t)(r->p - r->t.at);
}

static void next(struct reader *r)
{
    const bool good = skip_space(r);

    r->t = (struct token){
        .kind = END, .at = r->p, .line = r->line, .column = (uint32_t)(r->p - r->line_start) + 1
    };
    if (!good) {
        r->t.kind = BROKEN;
    } else if (r->p == r->end) {
        return;
    } else if (*r->p == '"') {
        next_string(r);
    } else if (starts(r, "&{")) {
        while (r->p < r->end && *r->p != '}')
            step(r);
        r->t.kind = r->p < r->end ? WORD : BROKEN;
        if (r->p < r->end)
            step(r);
        r->t.size = (size_t)(r->p - r->t.at);
    } else if (*r->p == ',' || !in_word(*r->p)) {
        step(r);
        r->t.kind = MARK;
        r->t.size = 1;
    } else {
        next_word(r);
    }
}

static bool is_mark(const struct reader *r, char c)
{
    return r->t.kind == MARK && *r->t.at == c;
}

static bool is_text(const struct token *t, const char *text)
{
    return t->size == strlen(text) && memcmp(t->at, text, t->size) == 0;
}

static enum pc_status refuse(struct reader *r, const char *what)
{
    const bool fits = r->t.size <= 60;

    return dt_fail(r->err, 1311, r->t.line, r->t.column, "%s \"%.*s%s\"", what,
                   fits ? (int)r->t.size : 57, r->t.at, fits ? "" : "...");
}

static enum pc_status expect(struct reader *r, char c)
{
    if (!is_mark(r, c))
        return dt_fail(r->err, 1311, r->t.line, r->t.column,
                       r->t.kind == END ? "the file ends before \"%c\"" : "\"%c\" must stand here",
                       c);
    next(r);
    return PC_OK;
}

/* ---- properties ---- */

static bool number(const struct token *t, uint32_t *out)
{
    char text[32], *end;

    if (t->kind != WORD || t->size == 0 || t->size >= sizeof text ||
        !isdigit((unsigned char)*t->at))
        return false;
    memcpy(text, t->at, t->size);
    text[t->size] = '\0';
    const unsigned long long value = strtoull(text, &end, 0); /* C's, octal too, as for dtc */
    end += strspn(end, "uUlL");
    if (*end != '\0' || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* < 1 2 3 >, and so on, of one of the three properties. */
static enum pc_status read_cells(struct reader *r, struct dt_cells *cells)
{
    enum pc_status status = expect(r, '<');

    while (status == PC_OK && !is_mark(r, '>')) {
        if (cells->count == DT_MAX_CELLS)
            return dt_fail(r->err, 1312, r->t.line, r->t.column, "more than %d cells",
                           DT_MAX_CELLS);
        if (!number(&r->t, &cells->cell[cells->count]))
            return r->t.kind == END ? expect(r, '>')
                                    : refuse(r, "expected a literal number of 32 bits, not");
        cells->line[cells->count++] = r->t.line;
        next(r);
    }
    return status == PC_OK ? expect(r, '>') : status;
}

static enum pc_status read_matrix(struct reader *r, const struct token *name,
                                  enum dt_property property)
{
    struct dt_cells *cells = &r->node->property[property];

    if (cells->present) {
        r->t = *name;
        return refuse(r, "the node has a second");
    }
    cells->present = true;
    while (is_mark(r, '=') || is_mark(r, ',')) {
        next(r);
        const enum pc_status status = read_cells(r, cells);
        if (status != PC_OK)
            return status;
    }
    return expect(r, ';');
}

static enum pc_status read_compatible(struct reader *r)
{
    while (is_mark(r, '=') || is_mark(r, ',')) {
        next(r);
        if (r->t.kind != STRING)
            return refuse(r, "expected a string, not");
        r->node->compatible |= is_text(&r->t, "riscv,pmu");
        next(r);
    }
    return expect(r, ';');
}

static enum pc_status skip_values(struct reader *r)
{
    while (!is_mark(r, ';')) {
        if (r->t.kind == END || r->t.kind == BROKEN)
            return dt_fail(r->err, 1311, r->t.line, r->t.column, "the file ends within a property");
        if (is_mark(r, '{') || is_mark(r, '}'))
            return refuse(r, "a property must end with \";\" before");
        next(r);
    }
    next(r);
    return PC_OK;
}

/* After the name of a property. */
static enum pc_status read_property(struct reader *r, const struct token *name)
{
    for (int i = 0; i < DT_PROPERTIES; i++)
        if (is_text(name, dt_property_name((enum dt_property)i)))
            return read_matrix(r, name, (enum dt_property)i);
    if (is_text(name, "compatible"))
        return read_compatible(r);
    dt_add_other(r->node, name->at, name->size, name->line);
    return skip_values(r);
}

/* ---- nodes ---- */

static bool has_any(const struct dt_pmu *node)
{
    for (int i = 0; i < DT_PROPERTIES; i++)
        if (node->property[i].present)
            return true;
    for (size_t i = 0; i < node->others && i < DT_MAX_OTHERS; i++)
        if (dt_old_property(node->other[i].name, strlen(node->other[i].name)) != DT_PROPERTIES)
            return true;
    return false;
}

/* An empty node; the cells keep their numbers, of which none counts any more. */
static void clear(struct dt_pmu *node)
{
    node->compatible = false;
    node->line = 0;
    node->others = 0;
    for (int i = 0; i < DT_PROPERTIES; i++) {
        node->property[i].present = false;
        node->property[i].count = 0;
    }
}

/* The node has all its properties: is it the one?  One that only looks like it comes second. */
static enum pc_status settle(struct reader *r)
{
    const struct dt_pmu *node = r->node;

    if (node->compatible && r->found && r->out->compatible)
        return dt_fail(r->err, 1311, node->line, 0,
                       "a second node riscv,pmu; the first is in line %u", (unsigned)r->out->line);
    if (node->compatible || (has_any(node) && !r->found)) {
        *r->out = *node;
        r->found = true;
    }
    clear(r->node);
    return PC_OK;
}

static enum pc_status enter(struct reader *r, uint32_t line)
{
    enum pc_status status = settle(r);

    r->depth++;
    r->node->line = line;
    next(r);
    return status;
}

static enum pc_status leave(struct reader *r)
{
    enum pc_status status = settle(r);

    if (r->depth == 0)
        return refuse(r, "no node is open before");
    r->depth--;
    next(r);
    return status == PC_OK ? expect(r, ';') : status;
}

/* "#include" and the like, and /directives/ but for /dts-v1/ and the root's "/". */
static bool is_refused(const struct reader *r)
{
    static const char *const macros[] = { "#include", "#define", "#if",    "#ifdef",
                                          "#ifndef",  "#undef",  "#endif", "#" };

    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
        if (is_text(&r->t, macros[i]))
            return true;
    return r->t.size > 1 && *r->t.at == '/' && !is_text(&r->t, "/dts-v1/") &&
           !is_text(&r->t, "/plugin/");
}

/* A label, a node, a property, or the end of a node. */
static enum pc_status read_statement(struct reader *r)
{
    const struct token name = r->t;

    if (is_mark(r, '}'))
        return leave(r);
    if (name.kind == BROKEN)
        return dt_fail(r->err, 1311, name.line, name.column,
                       "a comment, string or path that does not end");
    if (name.kind != WORD)
        return refuse(r, "a node or property must start here, not");
    if (is_refused(r))
        return refuse(r, "not understood:");
    next(r);
    if (is_mark(r, ':')) {
        next(r);
        return PC_OK;
    }
    if (is_mark(r, '{'))
        return enter(r, name.line);
    if (r->depth == 0 && is_text(&name, "/dts-v1/"))
        return expect(r, ';');
    return read_property(r, &name);
}

enum pc_status dts_read(const char *text, size_t size, struct dt_pmu *pmu, struct pc_error *err)
{
    struct dt_pmu *node = calloc(1, sizeof *node);
    struct reader r = { .p = text,
                        .end = text + size,
                        .line_start = text,
                        .line = 1,
                        .out = pmu,
                        .node = node,
                        .err = err };
    enum pc_status status = PC_OK;

    if (!node)
        return dt_fail(err, 100, 0, 0, "no memory for a node");
    memset(pmu, 0, sizeof *pmu);
    next(&r);
    while (status == PC_OK && r.t.kind != END)
        status = read_statement(&r);
    if (status == PC_OK && r.depth > 0)
        status = dt_fail(err, 1311, r.t.line, 0, "the file ends with %u nodes open", r.depth);
    if (status == PC_OK)
        status = settle(&r); /* properties without a node around them */
    if (status == PC_OK && !r.found)
        status = dt_fail(err, 1313, 0, 0, "no node says compatible = \"riscv,pmu\"");
    free(node);
    return status;
}

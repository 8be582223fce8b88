/* SPDX-License-Identifier: MIT */
/* Which outputs a report has, and the nodes of its tree that are open. */
#include "report/report_tree.h"
#include "report/report_writer.h"

#include "text/warnings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct rep_writer *writer_of(const struct rep *r, size_t i)
{
    return rep_writer_of(r->output[i].format, r->def);
}

/* --- open, close --- */

/* A file has its name when it is whole; before that it cannot be read. */
static bool is_live(const struct cli_out *out)
{
    struct stat info;

    return out->file == stdout ||
           (!out->path && (fstat(fileno(out->file), &info) != 0 || !S_ISREG(info.st_mode)));
}

static int open_output(struct rep *r, const struct rep_wanted *w)
{
    struct rep_output *o = &r->output[r->outputs++];
    const int code = cli_out_open(&o->out, w->path);

    if (code)
        return code;
    o->open = true;
    o->format = w->format;
    o->buffer.file = o->out.file;
    o->buffer.live = is_live(&o->out);
    const struct rep_writer *writer = rep_writer_of(w->format, r->def);
    if (!writer || !writer->own)
        return CLI_OK;
    o->own = calloc(1, writer->own);
    if (!o->own)
        return cli_no_memory();
    if (writer->open)
        writer->open(r, o);
    return CLI_OK;
}

void rep_free(struct rep *r)
{
    for (size_t i = 0; i < r->outputs; i++)
        free(r->output[i].own);
    cli_page_close(&r->page);
    tree_forget(r);
    free(r);
}

int rep_open(struct rep **out, const struct rep_def *def, const struct rep_request *wanted)
{
    struct rep *r = calloc(1, sizeof *r);
    int code = CLI_OK;

    *out = NULL;
    if (!r)
        return cli_no_memory();
    r->def = def;
    r->part = wanted->part;
    r->more = wanted->more;
    r->csv_safe = wanted->csv_safe;
    for (size_t i = 0; i < wanted->outputs && code == CLI_OK; i++)
        code = open_output(r, &wanted->output[i]);
    if (wanted->outputs == 0)
        code = open_output(r, &(struct rep_wanted){ .path = NULL, .format = rep_text_format() });
    if (code == CLI_OK && !rep_page_open(r))
        code = cli_no_memory();
    if (code == CLI_OK)
        *out = r;
    else
        rep_close(r, code);
    return code;
}

int rep_into(struct rep_request *wanted, int (*work)(void *ctx), void *ctx)
{
    const char *path = wanted->output[0].path;

    if (wanted->outputs != 1)
        return work(ctx);
    wanted->output[0].path = NULL; /* that is cli_stdout() */
    return cli_into(path, work, ctx);
}

size_t rep_finish(struct rep *r, struct cli_out *out[REP_OUTPUTS])
{
    size_t count = 0;

    while (r->depth > 0)
        rep_end(r);
    rep_page_hand_over(r, true);
    for (size_t i = 0; i < r->outputs; i++)
        if (r->output[i].open) {
            rep_put_out(&r->output[i].buffer);
            out[count++] = &r->output[i].out;
        }
    return count;
}

bool rep_has_failed(const struct rep *r)
{
    for (size_t i = 0; i < r->outputs; i++)
        if (r->output[i].buffer.failed)
            return true;
    return false;
}

int rep_close(struct rep *r, int code)
{
    struct cli_out *out[REP_OUTPUTS];

    if (!r)
        return code;
    const size_t count = rep_finish(r, out);
    if ((code == CLI_OK || code == CLI_NO) && rep_has_failed(r))
        code = cli_no_memory();
    if (code == CLI_OK || code == CLI_NO) {
        const int written = cli_out_commit_all(out, count);
        code = written ? written : code;
    } else {
        for (size_t i = 0; i < count; i++) {
            fflush(out[i]->file);
            cli_out_abort(out[i]);
        }
    }
    rep_free(r);
    return code;
}

bool rep_is_hidden(const struct rep *r)
{
    for (size_t i = 0; i < r->outputs; i++)
        if (!r->output[i].out.path)
            return false;
    return true;
}

/* The writer of a JSON ends it, in memory and with a copy of what it knows. */
void rep_tail(struct rep *r, char *out, size_t size)
{
    unsigned char known[512];

    out[0] = '\0';
    for (size_t i = 0; i < r->outputs; i++) {
        struct rep_output *o = &r->output[i];
        const struct rep_writer *w = writer_of(r, i);
        const unsigned depth = r->depth;
        if (!w || !w->tree || o->out.path || w->own > sizeof known || o->buffer.used > 0)
            continue;
        FILE *const file = o->buffer.file;
        memcpy(known, o->own, w->own);
        o->buffer.file = NULL;
        for (; r->depth > 0; r->depth--)
            w->end(r, o);
        rep_put_out(&o->buffer);
        snprintf(out, size, "%s", o->buffer.text ? o->buffer.text : "");
        free(o->buffer.text);
        o->buffer.text = NULL;
        o->buffer.size = 0;
        o->buffer.file = file;
        memcpy(o->own, known, w->own);
        r->depth = depth;
        return;
    }
}

/* --- what the verb does itself --- */

FILE *rep_own(const struct rep *r, const char *format)
{
    for (size_t i = 0; i < r->outputs; i++)
        if (strcmp(r->output[i].format->name, format) == 0)
            return r->output[i].out.file;
    return NULL;
}

FILE *rep_page(const struct rep *r)
{
    return r->page.file ? r->page.file : rep_own(r, rep_text_format()->name);
}

void rep_print(const struct rep *r, void (*print)(void *ctx), void *ctx)
{
    const struct cli_streams before = cli_streams();
    FILE *page = rep_page(r);

    if (!page)
        return;
    cli_redirect(page, before.err);
    print(ctx);
    cli_redirect(before.out, before.err);
}

enum timeline_format rep_view(const struct rep *r, size_t i, FILE **out)
{
    for (size_t n = 0; n < r->outputs; n++) {
        if (writer_of(r, n) || r->output[n].format->timeline == TIMELINE_NONE || i-- > 0)
            continue;
        *out = r->output[n].out.file;
        return r->output[n].format->timeline;
    }
    return TIMELINE_NONE;
}

bool rep_has_rows(const struct rep *r)
{
    for (size_t i = 0; i < r->outputs; i++) {
        const struct rep_writer *w = writer_of(r, i);
        if (w && !w->page)
            return true;
    }
    return false;
}

void rep_flush(struct rep *r)
{
    rep_page_hand_over(r, false);
    for (size_t i = 0; i < r->outputs; i++) {
        rep_put_out(&r->output[i].buffer);
        cli_flush(r->output[i].out.file);
    }
}

bool rep_is_read(const struct rep *r)
{
    for (size_t i = 0; i < r->outputs; i++)
        if (ferror(r->output[i].out.file))
            return false;
    return true;
}

/* --- nodes --- */

static bool is_told(const struct rep_writer *w, const struct rep_field *of)
{
    if (!w || (w->tree && of && of->flags & REP_NO_JSON))
        return false;
    return !of || !(of->flags & REP_TEST) || w->tests;
}

static void push(struct rep *r, const struct rep_field *of, const char *name,
                 const struct rep_field *members, struct rep_cells cells)
{
    struct rep_node *node = &r->node[r->depth++];

    node->of = of;
    node->name = name;
    node->field = members;
    node->fields = 0;
    while (members[node->fields].name)
        node->fields++;
    const size_t n = cells.count < node->fields ? cells.count : node->fields;
    if (n > 0)
        memcpy(node->cell, cells.cell, n * sizeof *cells.cell);
    memset(node->cell + n, 0, (node->fields - n) * sizeof *node->cell);
    for (size_t i = 0; i < r->outputs; i++) {
        const struct rep_writer *w = writer_of(r, i);
        if (is_told(w, of) && w->begin)
            w->begin(r, &r->output[i]);
    }
    if (r->keep)
        tree_begin(r);
}

void rep_root(struct rep *r, struct rep_cells cells)
{
    r->begun = true;
    push(r, NULL, NULL, r->def->field, cells);
}

void rep_begin_named(struct rep *r, unsigned field, const char *name, struct rep_cells cells)
{
    const struct rep_field *of = &r->node[r->depth - 1].field[field];

    push(r, of, name, of->field, cells);
}

void rep_begin(struct rep *r, unsigned field, struct rep_cells cells)
{
    rep_begin_named(r, field, NULL, cells);
}

void rep_end(struct rep *r)
{
    const struct rep_field *of = r->node[r->depth - 1].of;

    for (size_t i = 0; i < r->outputs; i++) {
        const struct rep_writer *w = writer_of(r, i);
        if (is_told(w, of) && w->end)
            w->end(r, &r->output[i]);
    }
    if (r->keep)
        tree_end(r);
    r->depth--;
}

void rep_row(struct rep *r, unsigned field, struct rep_cells cells)
{
    rep_begin(r, field, cells);
    rep_end(r);
}

void rep_named(struct rep *r, unsigned field, const char *name, struct rep_cell cell)
{
    const struct rep_field *of = &r->node[r->depth - 1].field[field];

    for (size_t i = 0; i < r->outputs; i++) {
        const struct rep_writer *w = writer_of(r, i);
        if (is_told(w, of) && w->item)
            w->item(r, &r->output[i], of, name, &cell);
    }
    if (r->keep)
        tree_put_item(r, of, name, &cell);
}

void rep_item(struct rep *r, unsigned field, struct rep_cell cell)
{
    rep_named(r, field, NULL, cell);
}

void rep_set(struct rep *r, unsigned field, struct rep_cell cell)
{
    r->node[r->depth - 1].cell[field] = cell;
}

void rep_total_row(struct rep *r)
{
    for (size_t i = 0; i < r->outputs; i++) {
        const struct rep_writer *w = writer_of(r, i);
        if (w && w->total)
            w->total(r, &r->output[i]);
    }
}

void rep_draw(struct rep *r, void (*draw)(FILE *out, const void *ctx), const void *ctx)
{
    for (size_t i = 0; i < r->outputs; i++) {
        const struct rep_writer *w = writer_of(r, i);
        if (!w || !w->draws)
            continue;
        w->draws(r, &r->output[i]);
        rep_put_out(&r->output[i].buffer);
        draw(r->output[i].out.file, ctx);
    }
}

void rep_totals(struct rep *r, bool partial)
{
    r->partial = partial;
}

void rep_warnings(struct rep *r, unsigned field)
{
    const char *text;

    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++)
        rep_item(r, field, rep_text(text));
}

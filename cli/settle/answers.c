/* SPDX-License-Identifier: MIT */
#include "settle/answers.h"

#include "diff/diff_jansson.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 }; /* bytes of a file of answers */

struct reader {
    const char *path;
    struct diff_jansson j;
    struct answers *out;
    size_t used, size; /* of the texts */
};

static int fail(const struct reader *r, const char *what)
{
    struct pc_error err;

    (void)cli_fail(&err, 2201, "%s", what);
    return cli_error(&err, cli_input_name(r->path), NULL);
}

static bool is_option(const char *name)
{
    for (size_t i = 0; pc_option_at(i); i++)
        if (strcmp(pc_option_at(i)->name, name) == 0)
            return true;
    return false;
}

/* "U-003": a question that no option has, so that nothing can be set. */
static bool is_unknown(const char *name)
{
    return strncmp(name, "U-", 2) == 0 && strspn(name + 2, "0123456789") == strlen(name + 2);
}

/* Checks that the value is one of the option's. The model is asked. */
static int check(const struct reader *r, const char *name, const char *value)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find("GT215") };
    struct pc_error err;
    struct pc_gpu *gpu;
    enum pc_status status = pc_gpu_create(&desc, &gpu, &err);

    if (status)
        return cli_error(&err, cli_input_name(r->path), NULL);
    status = pc_gpu_option(gpu, name, value, &err);
    pc_gpu_destroy(gpu);
    return status ? cli_error(&err, cli_input_name(r->path), NULL) : CLI_OK;
}

static int take(struct reader *r, const char *name, const char *value)
{
    char what[160];

    if (is_unknown(name))
        return CLI_OK;
    if (!value || !is_option(name)) {
        snprintf(what, sizeof what,
                 value ? "\"%.60s\" is not an option of the model"
                       : "the answer of \"%.60s\" is not a text",
                 name);
        return fail(r, what);
    }
    const int code = check(r, name, value);
    if (code)
        return code;
    char *text = r->out->memory + r->used; /* as long as the file, which has them all */
    r->used += (size_t)snprintf(text, r->size - r->used, "%s=%s", name, value) + 1;
    return opt_texts_add(&r->out->option, text);
}

static int take_all(struct reader *r, json_t *root)
{
    json_t *answers = r->j.object_get(root, "answers");
    const char *chip = r->j.string_value(r->j.object_get(root, "chip"));
    int code = CLI_OK;

    if (!answers || json_typeof(answers) != JSON_OBJECT)
        return fail(r, "it has no object \"answers\"");
    if (chip)
        snprintf(r->out->chip, sizeof r->out->chip, "%.20s", chip);
    for (void *at = r->j.object_iter(answers); at && code == CLI_OK;
         at = r->j.object_iter_next(answers, at))
        code = take(r, r->j.object_iter_key(at), r->j.string_value(r->j.object_iter_value(at)));
    return code;
}

static int parse(struct reader *r, const char *text, size_t size)
{
    json_error_t wrong;
    const char *why = diff_jansson_load(&r->j);

    if (why)
        return fail(r, why);
    diff_jansson_limit(80 * (uint64_t)size + (1 << 16));
    json_t *root = diff_jansson_parse(&r->j, text, size, &wrong);
    int code;
    if (!root) {
        char what[200];
        snprintf(what, sizeof what, "it is not JSON: %.120s in line %d", wrong.text, wrong.line);
        code = diff_jansson_refused() ? cli_no_memory() : fail(r, what);
    } else {
        code = take_all(r, root);
    }
    if (root)
        r->j.delete(root); /* no one else has it */
    diff_jansson_unload(&r->j);
    return code;
}

int answers_read(const char *verb, const char *path, struct answers *out)
{
    struct reader r = { .path = path, .out = out };
    char *text;
    size_t size;
    int code = cli_read_file(verb, path, MOST, &text, &size);

    *out = (struct answers){ .chip = "" };
    if (code)
        return code;
    r.size = size + 1;
    out->memory = malloc(r.size);
    code = out->memory ? parse(&r, text, size) : cli_no_memory();
    free(text);
    if (code)
        answers_free(out);
    return code;
}

void answers_free(struct answers *a)
{
    opt_texts_free(&a->option);
    free(a->memory);
    a->memory = NULL;
}

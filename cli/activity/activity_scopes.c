/* SPDX-License-Identifier: MIT */
/* Toggles of each scope, of all nets in it. */
#include "activity/activity.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };

size_t activity_part_end(const char *path, size_t from)
{
    if (path[from] == '\\')
        from += strcspn(path + from, " ");
    return from + strcspn(path + from, ".");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct activity_scope *)a)->name,
                  ((const struct activity_scope *)b)->name);
}

static int by_surplus(const void *a, const void *b)
{
    const struct activity_scope *x = a, *y = b;
    const int64_t left = activity_surplus(x->toggles, x->settled),
                  right = activity_surplus(y->toggles, y->settled);

    return left != right ? (left > right ? -1 : 1) : strcmp(x->name, y->name);
}

static struct activity_scope *more(struct activity_scopes *s, size_t *capacity)
{
    void *array = s->scope;

    if (!cli_grow(&array, capacity, s->count + 1, sizeof *s->scope))
        return NULL;
    s->scope = array;
    return &s->scope[s->count++];
}

/* One for each scope that the net is in. */
static int add_net(struct activity_scopes *s, size_t *capacity, const struct activity_told *t)
{
    size_t end = activity_part_end(t->name, 0);

    for (unsigned depth = 0; t->name[end] != '\0' && depth < DEEPEST; depth++) {
        struct activity_scope *new = more(s, capacity);
        if (!new)
            return cli_no_memory();
        *new = (struct activity_scope){ .name = cli_copy(t->name, end),
                                        .nets = 1,
                                        .toggles = t->f.rises + t->f.falls,
                                        .settled = t->f.settled,
                                        .outside = t->f.outside };
        if (!new->name)
            return cli_no_memory();
        end = activity_part_end(t->name, end + 1);
    }
    return CLI_OK;
}

/* Those of one name are one. */
static void join(struct activity_scopes *s)
{
    size_t kept = 0;

    if (s->count > 0)
        qsort(s->scope, s->count, sizeof *s->scope, by_name);
    for (size_t i = 0; i < s->count; i++) {
        struct activity_scope *last = kept ? &s->scope[kept - 1] : NULL, *now = &s->scope[i];
        if (!last || strcmp(last->name, now->name) != 0) {
            s->scope[kept++] = *now;
            continue;
        }
        last->nets++;
        last->toggles += now->toggles;
        last->settled += now->settled;
        last->outside += now->outside;
        free(now->name);
    }
    s->count = kept;
    if (kept > 0)
        qsort(s->scope, kept, sizeof *s->scope, by_surplus);
}

int activity_sum_scopes(const struct activity_view *view, struct activity_scopes *out)
{
    struct activity_told t;
    size_t capacity = 0;
    int code = CLI_OK;

    *out = (struct activity_scopes){ .count = 0 };
    for (size_t i = 0; i < view->rows && code == CLI_OK; i++) {
        code = view->tell(view->ctx, i, &t);
        if (code == CLI_OK)
            code = add_net(out, &capacity, &t);
        activity_untell(&t);
    }
    if (code == CLI_OK)
        join(out);
    return code;
}

void activity_free_scopes(struct activity_scopes *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->scope[i].name);
    free(s->scope);
}

/* SPDX-License-Identifier: MIT */
/* Texts that a job of pcounter plan keeps, and what it calls signals. */
#include "plan.h"

#include <string.h>

const char *plan_keep(struct plan_job *j, const char *text)
{
    void *array = j->kept;

    for (size_t i = 0; i < j->kepts; i++)
        if (strcmp(j->kept[i], text) == 0)
            return j->kept[i];
    if (!cli_grow(&array, &j->kept_capacity, j->kepts + 1, sizeof *j->kept))
        return NULL;
    j->kept = array;
    char *copy = cli_copy(text, strlen(text));
    if (copy)
        j->kept[j->kepts++] = copy;
    return copy;
}

void plan_signal_name(const struct plan_job *j, unsigned domain, unsigned position, char *out,
                      size_t size)
{
    struct pc_signal s;

    if (pc_names_position(j->names, domain, position, &s) && s.confidence != PC_CONF_SUSPECT &&
        strlen(s.name) < size)
        snprintf(out, size, "%s", s.name);
    else
        snprintf(out, size, "s%02x", position);
}

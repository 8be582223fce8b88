/* SPDX-License-Identifier: MIT */
/*
 * Signals of which a writer says that it left them out: GHDL has "$comment rc is not handled $end"
 * in a VCD for each record, array of vectors, enumeration, time and text.
 */
#include "wave/wave.h"

#include <string.h>

enum pc_status wv_leave_out(struct wv_hier *h, const char *name, size_t length,
                            struct pc_error *err)
{
    size_t offset = 0;
    enum pc_status status = wv_add_text(h, name, length, &offset, err);

    if (status)
        return status;
    if (!pc_grow(&h->alloc, (void **)&h->left_out, &h->left_out_capacity, h->left_outs + 1,
                 sizeof *h->left_out))
        return pc_fail(err, 100, "out of memory for the names of signals");
    h->left_out[h->left_outs++] = offset;
    return PC_OK;
}

/* Returns true if `name` is one of the parts of a path, but for brackets. */
static bool has_part(const char *path, const char *name)
{
    const size_t length = strlen(name);

    for (const char *p = path; p; p = strchr(p, '.') ? strchr(p, '.') + 1 : NULL)
        if (strncmp(p, name, length) == 0 && strchr(".[", p[length])) /* or the end */
            return true;
    return false;
}

void wv_hint_left_out(const struct wv_hier *h, const char *wanted, struct pc_error *err)
{
    for (size_t i = 0; i < h->left_outs; i++) {
        const char *name = h->names + h->left_out[i];
        if (!has_part(wanted, name))
            continue;
        pc_hint(err,
                "the simulator says that it left out \"%.100s\": GHDL writes no records, arrays of "
                "vectors, enumerations, times and texts into a VCD; let the design assign the "
                "values to a separate signal of type std_logic or std_logic_vector",
                name);
        return;
    }
}

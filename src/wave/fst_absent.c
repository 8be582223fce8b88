/* SPDX-License-Identifier: MIT */
/* Stands in where the FST reader is not built: says so. */
#include "wave/reader.h"

enum pc_status wv_fst_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err)
{
    (void)desc;
    (void)out;
    wv_input_close(in);
    return pc_fail(err, 503, "this is an FST, which is not built in");
}

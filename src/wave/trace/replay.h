/* SPDX-License-Identifier: MIT */
/* Inside of src/wave/trace: trace.c hands out lines of a file, line.c says what one line means. */
#ifndef PC_REPLAY_REPLAY_H
#define PC_REPLAY_REPLAY_H

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/pcounter.h"
#include "pcounter/unstable/trace.h"

#define RP_LINE_MAX ((size_t)1 << 21)

/* Pure: text to event.  PC_END: an empty line or a comment.  The event points into the text. */
enum pc_status rp_parse_line(const char *text, size_t size, uint32_t line,
                             struct pc_trace_event *out, struct pc_error *err);

#endif

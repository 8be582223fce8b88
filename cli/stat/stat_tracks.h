/* SPDX-License-Identifier: MIT */
/* pcounter stat -I for viewers: intervals as the rows of a timeline (timeline/timeline.h). */
#ifndef PC_CLI_STAT_TRACKS_H
#define PC_CLI_STAT_TRACKS_H

#include "stat_interval.h"

struct stat_tracks;

/* An exit code: intervals whose times the format cannot have. */
int stat_tracks_check(const struct stat_job *j, const struct stat_timeline *t,
                      enum timeline_format format);
/* NULL: no memory. */
struct stat_tracks *stat_tracks_open(FILE *out, enum timeline_format format,
                                     const struct stat_job *j, const struct stat_plan *plan,
                                     const struct stat_timeline *t);
void stat_tracks_add(struct stat_tracks *tracks, const struct stat_result *result);
/* After the last one. */
void stat_tracks_end(struct stat_tracks *tracks, const struct stat_result *result);
void stat_tracks_close(struct stat_tracks *tracks);

#endif

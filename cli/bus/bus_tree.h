/* SPDX-License-Identifier: MIT */
/* Members of the report, where the code that fills it names them. */
#ifndef PC_CLI_BUS_TREE_H
#define PC_CLI_BUS_TREE_H

#include "bus/bus.h"
#include "report/report_dist.h"

extern const struct rep_field bus_fields[], bus_channel_fields[], bus_transfer_fields[];
extern const struct rep_field bus_packet_fields[];
enum { DIST_DISTINCT = REP_DIST_CELLS, DIST_HIST, DIST_LOG2, DIST_PERCENTILES, DIST_MEMBERS };
enum { OUTSTANDING_DISTINCT = 3, OUTSTANDING_HIST };
enum {
    AT_NAME,
    AT_PROTOCOL,
    AT_CLOCK,
    AT_CLOCK_NUMBER,
    AT_RESET,
    AT_RESET_ACTIVE,
    AT_CREDIT_INIT,
    AT_SIGNALS,
    AT_NAMES,
    AT_ALIASES,
    AT_EVIDENCE,
    AT_UNSURE,
    AT_CANDIDATES,
    AT_EDGES,
    AT_RESET_EDGES,
    AT_RESET_UNKNOWN,
    AT_CYCLES,
    AT_MEAN_PERIOD,
    AT_FIRST_EDGE,
    AT_WAITS,
    AT_STUCK,
    AT_STUCK_SINCE,
    AT_STUCK_EDGE,
    AT_PAIRS,
    AT_UNPAIRED,
    AT_CHANNELS,
    AT_BANDWIDTH,
    AT_PACKETS,
    AT_READ,
    AT_WRITE,
    AT_TRANSACTIONS
};

#endif

/* SPDX-License-Identifier: MIT */
/* Rows of reports for the model of CVA6 that counted. */
#ifndef PC_CLI_CORE_FIELDS_H
#define PC_CLI_CORE_FIELDS_H

#include "report/report.h"

/* "rtl", "spec" */
extern const char *const core_profiles[];

#define CORE_PROFILE_FIELD                                                                         \
    {                                                                                              \
        "profile", REP_WORD,                                                                       \
            .about = "whether the counters are those of the RTL or of the documents",              \
            .words = core_profiles                                                                 \
    }
#define CORE_SWITCHED_FIELD                                                                        \
    {                                                                                              \
        "switched", REP_TEXT,                                                                      \
            .about = "what --quirk switched: +name or -name, with blanks between them; empty if "  \
                     "nothing was",                                                                \
            .pattern = "^([+-][a-z0-9_]+( [+-][a-z0-9_]+)*)?$"                                     \
    }
#define CORE_SCOPE_FIELD                                                                           \
    {                                                                                              \
        "scope", REP_TEXT,                                                                         \
            .about = "the path of the scope of perf_counters; empty if the map names all ports"    \
    }

#endif

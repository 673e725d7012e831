/* output/stats.h: the work that queries took, as a report. */
#ifndef TOOLS_OUTPUT_STATS_H
#define TOOLS_OUTPUT_STATS_H

#include "tools/output/output.h"

#include <sightline/intersect.h>

typedef struct stats_out {
    const char *what; /* what was asked about: "points" */
    uint64_t asked;
    const sl_stats *stats;
    bool proxies; /* there was one to be asked */
    double seconds;
} stats_out;

/* A record of answers that are JSON; else on stderr.  answers may be NULL: they are no text. */
void stats_out_put(output *answers, const stats_out *stats);

#endif

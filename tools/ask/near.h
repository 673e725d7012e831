/* ask/near.h: what 'nearest' and 'within' share: points, answered with triangles in the order of
 * their distances. */
#pragma once

#include "tools/ask/ask.h"

extern const option_row ask_near_report_rows[];

/* All groups of options; rows: those of the query. */
#define NEAR_GROUPS(rows_)                                                                         \
    ASK_POINT_GROUPS, { .title = "Query", .rows = rows_ },                                         \
        { .title = "Report", .rows = ask_near_report_rows }, PARTS_GROUP(ask_options),             \
        FILTER_GROUP(ask_options), PROXY_GROUP(ask_options), ASK_WORLD_GROUPS,                     \
        FILTERED_VERIFY_GROUP(ask_options, verify)

extern const ask_query ask_query_nearest, ask_query_within;

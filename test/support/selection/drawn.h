/* drawn.h: regions at random, of all kinds and sizes, about what a picture shows. */
#pragma once

#include "test/support/selection/crowd.h"

#include <sightline/select.h>

enum { DRAWN_CORNERS = 10000 };

typedef struct drawn {
    sl_region region;
    double corners[2 * DRAWN_CORNERS];
} drawn;

/* Of a lasso of up to so many corners (10 at least), if it is one. */
void drawn_region(const crowd *of, const sl_view *view, size_t corners, test_random *random,
                  drawn *out);

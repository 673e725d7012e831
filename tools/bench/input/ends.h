/* bench/input/ends.h: lines that end on a surface, or begin there, as users' lines do. */
#pragma once

#include "tools/bench/input/sets.h"

/* From 64 eyes in the box, each to as many ends. */
typedef enum bench_end {
    END_VERTEX, /* segments to vertices */
    END_BOTH,   /* segments from vertex to vertex */
    END_EDGE,   /* to midpoints of edges, rounded to floats */
    END_FACE,   /* to centroids, rounded to floats */
    END_HIT,    /* to where other rays hit, rounded to floats */
    END_AXIS,   /* to vertices, with the eye in one of the planes along the axes through them */
    END_FROM,   /* rays from vertices, t from a millionth of the way to the eye on */
    END_COUNT
} bench_end;

/* Makes count of them, and in keep the same lines as far as they keep off the surface: a
 * ten-thousandth of the way.  False: out of memory, and both are empty. */
bool bench_ends_make(const bench_source *source, bench_end end, size_t count, bench_rays *out,
                     bench_rays *keep);

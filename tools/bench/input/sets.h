/* bench/input/sets.h: the rays, segments and points that bench measures.
 *
 * A set is a function of mesh, seed and count alone: neither the tree nor the processor shows in
 * it.  What comes from primary rays follows the order of the picture: tiles of 32 x 32 pixels,
 * within them blocks of 4 x 4 and so on, so that rays that follow each other stay close. */
#pragma once

#include "tools/bench/harness/ask.h"
#include "tools/bench/harness/random.h"

typedef enum bench_set {
    SET_PRIMARY,    /* closest: three cameras: one sees all of the box, two are in it */
    SET_PRIMARY256, /* closest: their pictures of 256 x 256 pixels */
    SET_PRIMARY64,  /* closest: of 64 x 64 */
    SET_ORTHO,   /* closest: three orthographic cameras: from a corner, from in front, from above */
    SET_DIFFUSE, /* closest: one cosine bounce from primary hits, in the order of the picture */
    SET_DIFFSHUF, /* the same, shuffled */
    SET_DIFFANY,  /* any: the shuffled bounce rays */
    SET_AO,       /* any: cosine rays from primary hits, 7 % of the box diagonal long */
    SET_RANDOM,   /* closest: from a sphere around the box towards random points in it */
    SET_LOSBOX,   /* blocked: between random points of the box */
    SET_LOSSURF,  /* blocked: between points 0.1 % of the diagonal above the surface */
    SET_LOSLOCAL, /* blocked: 1 to 5 % of the diagonal long, upwards from points on the surface */
    SET_LOSFAN,   /* blocked: 64 eyes in the box, each to as many points above the surface */
    SET_PTNEAR,   /* nearest: points of the surface, moved by up to 2 % of the diagonal */
    SET_PTBOX,    /* nearest: random points of the box */
    SET_LATTICE,  /* closest: along the axes, through edges and vertices of a lattice (meshes.h) */
    SET_LOSCLOSE, /* closest: SET_LOSBOX as rays, from one end to the other; in worlds alone */
    SET_COUNT
} bench_set;

bench_query bench_set_query(bench_set set);

/* What sets are made from: a mesh, or a world of instances, of which there are only those sets that
 * need no points of the surface (harness/world.h). */
typedef struct bench_source {
    bench_surface surface;
    const sl_bvh *scene; /* NULL: a mesh */
    sl_aabb bounds;
    float diagonal;
    uint64_t seed;
    const sl_tasks *tasks; /* may be NULL */
} bench_source;

/* count rays or segments, or count / 4 points, which take longer.  False: out of memory.  *out has
 * count 0 where there are none to make: primary rays that hit nothing have no bounces. */
bool bench_rays_make(const bench_source *source, bench_set set, size_t count, bench_rays *out);

enum { BENCH_PICTURE = 1024, BENCH_RAYS_MAX = 3 * BENCH_PICTURE * BENCH_PICTURE };

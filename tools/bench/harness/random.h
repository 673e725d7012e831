/* bench/harness/random.h: random numbers, directions and surface points for the sets of bench.
 *
 * Only + - * / and sqrt are used, so that the same seed gives the same bits on every machine. */
#pragma once

#include <sightline/rays.h>

/* splitmix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014). */
typedef struct bench_random {
    uint64_t state;
} bench_random;

/* Streams of random numbers, a number for each purpose.  They stay when sets come or go, so that
 * the others stay what they are. */
enum {
    STREAM_BOUNCE = 1,
    STREAM_SHUFFLE,
    STREAM_AO = 4,
    STREAM_RANDOM,
    STREAM_LOSBOX,
    STREAM_LOSSURF,
    STREAM_LOSLOCAL,
    STREAM_LOSFAN,
    STREAM_PTNEAR,
    STREAM_PTBOX,
    STREAM_LATTICE,
    STREAM_OPTIONS = 16,
    STREAM_INVALID,
    STREAM_NEEDLES,
    STREAM_WORLD,
    STREAM_FRAME,
    STREAM_GAME,
    STREAM_ENDS = 32 /* and those after it, one for each family */
};

/* A stream of its own for each pair of seed and purpose. */
bench_random bench_random_make(uint64_t seed, uint64_t purpose);

uint64_t bench_random_bits(bench_random *random);
float bench_random_in(bench_random *random, float min, float max); /* min <= x <= max */
size_t bench_random_below(bench_random *random, size_t count);     /* count > 0 */
void bench_random_point(bench_random *random, const sl_aabb *box, float out[3]);
void bench_random_sphere(bench_random *random, float out[3]); /* a direction of unit length */

/* Unit vectors on the side of a unit normal: with a density that follows the cosine, or uniform. */
void bench_random_cosine(bench_random *random, const float normal[3], float out[3]);
void bench_random_hemisphere(bench_random *random, const float normal[3], float out[3]);

/* Points of a surface, uniform by area. */
typedef struct bench_surface {
    const sl_mesh *mesh;
    const sl_bvh *bvh;
    double *area; /* [i]: of triangles 0 .. i together */
} bench_surface;

/* False: out of memory, or without any area (area is NULL then, too, and *empty true). */
bool bench_surface_make(bench_surface *surface, const sl_mesh *mesh, const sl_bvh *bvh,
                        bool *empty);
void bench_surface_free(bench_surface *surface); /* a zeroed one is fine */

/* A point of it, in floats, as the surface at a hit there; zeroed where there is none. */
typedef struct bench_point {
    float point[3], normal[3], front_origin[3];
} bench_point;
bool bench_point_at(const sl_bvh *bvh, const sl_hit *hit, bool back, bench_point *out);
bench_point bench_surface_point(const bench_surface *surface, bench_random *random);

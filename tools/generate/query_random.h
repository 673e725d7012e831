/* generate/query_random.h: numbers and places for queries that are made to order.
 *
 * Whatever is made is a function of mesh, kind, seed and index alone: any part of a sequence can be
 * made again, on any machine and any number of threads, with the same bits. */
#pragma once

#include <sightline/bvh.h>

struct mesh_in; /* input/mesh.h */

typedef struct query_random {
    const sl_mesh *mesh;
    const sl_bvh *bvh;            /* for kinds that ask where the hits are */
    const struct scene_in *scene; /* input/scene.h; instead of both; NULL: none */
    sl_aabb bounds;
    double extent; /* the largest of the bounds */
    uint64_t seed;
    uint64_t count; /* how many there will be */
} query_random;

query_random query_random_make(const sl_mesh *mesh, const sl_bvh *bvh, uint64_t seed,
                               uint64_t count);

query_random query_random_make_of(const struct scene_in *scene, uint64_t seed, uint64_t count);

/* The state from which number index of a kind is made. */
uint64_t query_random_start(const query_random *m, int kind, uint64_t index);

/* splitmix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014). */
static inline uint64_t query_random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double query_random_unit(uint64_t *state); /* in [0, 1), with 53 bits */
uint32_t query_random_below(uint64_t *state, uint32_t limit);

/* The nearest finite float. */
float query_random_float(double x);

/* In the bounds, grown on every side by grow times the extent (and a little where that is 0). */
void query_random_point(const query_random *m, uint64_t *state, double grow, float out[3]);

/* A triangle that was not left out; without one, a triangle of the bounds. */
sl_triangle query_random_triangle(const query_random *m, uint64_t *state);

/* Somewhere on a triangle, as far as floats can say. */
void query_random_on_surface(uint64_t *state, const sl_triangle *triangle, float out[3]);

/* A vertex of the triangle, or the middle between two. */
void query_random_special(uint64_t *state, const sl_triangle *triangle, bool middle, float out[3]);

/* One step of a float up or down on one axis or more. */
void query_random_step(uint64_t *state, float point[3]);

/* --snap: moves the mesh to a lattice of 2^bits steps (each a power of two) across its largest
 * extent, around the origin: sums, differences and midpoints of its vertices are then exact.  bits
 * 0: leaves it.  EXIT_DONE, or the status of a reported error. */
int mesh_in_snap(struct mesh_in *in, uint64_t bits);

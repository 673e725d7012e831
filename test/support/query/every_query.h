/* every_query.h: calls every public query on one tree, single and in bulk, for tests of what holds
 * for all of them.  CMake makes the calls from docs/api.md (calls.awk). */
#pragma once

#include <sightline/sightline.h>

enum { QUERY_KEPT = 5, QUERY_SWEPT = 14 };

/* The questions, and arrays for the answers. */
typedef struct query_table {
    const sl_bvh *bvh, *other; /* what meets bvh; NULL: bvh itself */
    sl_soup soup;
    sl_boundary *boundary;
    const sl_tasks *tasks;
    const sl_options *query; /* NULL: everything counts */
    sl_stats *stats;         /* of the calls in bulk; NULL: nothing is counted */
    size_t count;            /* of everything */
    sl_ray *rays;
    sl_segment *segments;
    sl_volume *volumes;
    sl_sweep *sweeps;
    sl_sweep_d *sweeps_d;
    double *xyz; /* of hulls in sweeps_d */
    sl_transform transforms[QUERY_KEPT];
    float *points;
    sl_hit *hits, *next; /* hits: QUERY_KEPT for each; so near and refs */
    sl_nearest *near;
    sl_inside *inside;
    sl_triangle_ref *refs, *hint;
    sl_contact *contacts; /* QUERY_KEPT for each */
    sl_clash_pair *pairs;
    sl_distance distances[QUERY_KEPT];
    uint64_t *totals;
    uint8_t *yes;
    uint64_t sum; /* so that something was found */
    /* Called after each query, with its name; may be NULL. */
    void (*asked)(void *user, const char *name);
    void *user;
} query_table;

/* Hard rays, segments, points and volumes for the mesh, which outlives the table.  The caller fills
 * in bvh and what else it wants, and releases it by query_table_free. */
query_table query_table_make(const sl_mesh *mesh, size_t count, const sl_allocator *allocator,
                             uint64_t seed);
void query_table_free(query_table *t);

/* With item i each, and with all items in bulk; options from t->query. */
void every_query_alone(query_table *t, size_t i);
void every_query_in_bulk(query_table *t);

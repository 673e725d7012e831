/* explain/subject.h: what explain asks: the triangles of a mesh, decided in floats, or those of a
 * scene, decided in doubles. */
#pragma once

#include "tools/explain/explain.h"

uint32_t subject_mask(const explain_query *query, sl_triangle_ref is);
bool subject_is_mirrored(const explain_query *query, uint32_t instance);

/* Whether the library says that one triangle is hit, by that ray instead of the query's. */
bool subject_decide(const explain_query *query, const sl_ray_d *ray, const sl_triangle_d *triangle,
                    const sl_options *options, sl_hit_d *hit);

/* Every hit of the tree or scene, in order. */
typedef struct subject_hits {
    sl_hit_d *hits;
    size_t count;
    sl_stats stats; /* of the walk to the closest one */
} subject_hits;

/* EXIT_DONE, or the status of a reported error; free(out->hits) either way. */
int subject_ask(const explain_query *query, const sl_options *options, subject_hits *out);

/* Its place among them, counted from 0; their number where it is none of them. */
size_t subject_find(const subject_hits *a, sl_triangle_ref is);

/* explain.h: why a ray or a segment hits a triangle, or why it does not.
 *
 * The decision is the library's own, taken again with one option after another removed; which edge
 * was missed, and whether the ray is parallel, comes from plain exact arithmetic
 * (explain/big_integer.h).  The numbers are for reading: the decision never depends on them. */
#pragma once

#include "tools/input/mesh.h"

#include <sightline/rays.h>

/* Each is sufficient by itself; there are no others. */
typedef enum explain_reason {
    REASON_INVALID,   /* the ray itself */
    REASON_LEFT_OUT,  /* the triangle was bad, and --bad leave-out */
    REASON_SKIPPED,   /* --skip names it */
    REASON_MASKED,    /* no bit shared with --mask */
    REASON_CULLED,    /* --cull, and this is its side */
    REASON_ZERO_AREA, /* no ray hits it */
    REASON_IN_PLANE,  /* the ray lies in the plane of the triangle */
    REASON_PARALLEL,  /* the ray runs along the plane, beside it */
    REASON_MISSED,    /* it crosses the plane outside of the triangle */
    REASON_BEFORE,    /* it would hit before tmin */
    REASON_BEYOND,    /* it would hit beyond tmax */
    REASON_OPEN_END,  /* a segment hits with an end that is open */
    REASON_COUNT
} explain_reason;

extern const char *const explain_reason_words[REASON_COUNT];

/* What can be wrong with a ray or segment itself. */
typedef enum explain_fault {
    FAULT_NOT_FINITE, /* a coordinate of its origin, direction or ends */
    FAULT_TOO_LARGE,  /* one is finite, and beyond the range of floats */
    FAULT_NO_LENGTH,
    FAULT_LIMIT_NAN,
    FAULT_LIMITS, /* tmin > tmax */
    FAULT_COUNT
} explain_fault;

extern const char *const explain_fault_words[FAULT_COUNT];

/* Of a mesh, whose numbers are floats; or of a scene, whose corners are doubles. */
typedef struct explain_query {
    bool is_segment;
    sl_ray_d ray;            /* of a mesh: as floats have it, the limits too */
    sl_segment_d segment;    /* the same */
    sl_triangle_ref skip[2]; /* of query */
    sl_options query;
    mesh_in in;
} explain_query;

typedef struct explanation {
    sl_triangle_ref is;
    bool reasons[REASON_COUNT];
    bool hit;          /* no reason against it */
    bool contradicted; /* the library and plain arithmetic disagree: a defect of ours */
    sl_hit_d at;       /* the hit without --cull and limits, if there is one (prim not SL_NONE) */
    int facing;        /* 1 the front is met, -1 the back, 0 neither */
    bool crosses;      /* t and weights mean something: the line crosses the plane */
    double t, weights[3];
    bool missed[3];  /* the edge that lies across from this vertex */
    double distance; /* the least distance of the ray to the triangle within its limits, in units */
} explanation;

/* `is` names a triangle of the mesh, or of one of the scene's instances (subject.h).  Masks of the
 * triangles in a scene's trees are not known here; those of its instances are. */
void explain_triangle(const explain_query *query, sl_triangle_ref is, explanation *out);

void explain_faults(const explain_query *query, bool faults[FAULT_COUNT]);
bool explain_is_valid(const explain_query *query); /* no fault */

/* The triangle to which the ray comes nearest within its limits; prim SL_NONE where there is
 * none. */
sl_triangle_ref explain_nearest(const explain_query *query);

/* The least distance between the points at tmin <= t <= tmax and a triangle that the ray does not
 * cross there (explain/miss_distance.c). */
double explain_miss_distance(const double origin[3], const double dir[3], double tmin, double tmax,
                             const sl_triangle_d *triangle);

/* ---- subject.c: what explain asks: the triangles of a mesh, decided in floats, or those of a
 * scene, decided in doubles. ---- */

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

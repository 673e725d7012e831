/* search.h: the corners and sides near a position of the picture: down the tree over the instances,
 * then down theirs, as far as boxes may show something near enough (screen.h) that no triangle
 * hides for certain (occluder.h).  What is found waits in a small pool, nearest first, until it is
 * nearer than all that is to come; only then is it judged whether it is seen.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/visibility.h"

enum { SLI_POOL = 40 };

/* What a search needs memory for. */
typedef struct sli_pick_pool {
    sli_candidate waiting[SLI_POOL];
    sli_hidden hidden[SLI_HIDDEN];
} sli_pick_pool;

typedef struct sli_pick_search {
    const sl_bvh *bvh;
    const sli_screen *screen;
    const sl_pick_def *def;
    sli_world_ray options;
    double position[2];
    sli_screen_at at;
    uint32_t kinds; /* SL_PICK_EDGE, SL_PICK_VERTEX */
    double limit;   /* pixels; what is farther does not count */
    double limit2;  /* at least its square */
    bool found;
    sli_candidate best;
    sli_visibility visibility;
    uint64_t deadline; /* on sli_clock_ns; 0: none */
    uint32_t steps;
    bool cut_short;
    sl_stats *stats;
    /* Takes everything within the limit, seen or not, in place of the search for the best one; and
     * may lower the limit.  NULL: the best one is found. */
    void (*take)(void *context, const sli_candidate *candidate);
    void *take_context;
    sli_candidate *pool; /* SLI_POOL; not used where there is take */
    int pool_count;
    /* The present instance. */
    const sli_transformed *transformed;
    uint32_t instance;
    const struct sl_topology *topology;
    sli_screen_space space;
    sli_screen_at_local local;
    sli_occluder_local occluder[SLI_OCCLUDERS];
    int occluder_count;
    uint32_t occluder_version;
    /* What appears within the limit is hidden where SLI_ROW_NEAR is more (patch.h); found, or
     * sought in vain, for what is within `covered` pixels (not yet: negative). */
    double behind, covered;
    sl_triangle_ref front; /* what patches begin with; prim SL_NONE: nothing */
    sl_triangle_ref only;  /* what is of the part of this triangle alone counts; likewise */
    bool scouts, met;      /* it only asks whether anything counts within the limit; and so it is */
} sli_pick_search;

/* Forgets what hides something: all candidates from now on are within this many pixels.
 * What is in front (prim SL_NONE: nothing, or not known) may hide what is behind it; where what is
 * hidden counts, nothing does.  hidden: as of sli_visibility_begin. */
void sli_pick_search_within(sli_pick_search *s, double pixels, sl_triangle_ref in_front,
                            sli_hidden *hidden);

/* Finds the best candidate of s->kinds, better than s->best if that was found.  s->def, options,
 * scene, screen, position, deadline, stats, behind, covered and visibility are set; best, found. */
void sli_pick_search_run(sli_pick_search *s);

/* Whether all of what is in front at the position is within some pixels; then most of what is near
 * it is as small. */
bool sli_pick_search_front_is_within(const sli_pick_search *s, double pixels,
                                     sl_triangle_ref in_front);

/* Whether it may find anything of s->kinds within some pixels.  Where triangles are smaller than
 * that and a topology tells what counts, that is asked first, in a walk that needs no patch and
 * ends at the first element: on smooth surfaces there mostly is none. */
bool sli_pick_search_may_find(sli_pick_search *s, double pixels, sl_triangle_ref in_front);

/* The same, with what is in front at the position (prim SL_NONE: nothing, or not known). */
void sli_pick_search_run_from(sli_pick_search *s, sl_triangle_ref in_front);

/* Nothing farther than this many pixels counts any more. */
void sli_pick_search_limit(sli_pick_search *s, double pixels);

/* Whether time is up; reads the clock now and then. */
bool sli_pick_search_is_late(sli_pick_search *s);

/* ---- Steps: the pool that candidates wait in (search_pool.c), and triangles that may have some
 * (search_triangles.c) ---- */

/* Judges what waits within a distance (squared), nearest first, until one is seen, or only `leave`
 * are left: what is behind that one is worse. */
void sli_pick_search_resolve(sli_pick_search *s, double distance2, int leave);

/* A candidate that appears within the limit, of a triangle with corners v in the world; all but its
 * line of sight is set. */
void sli_pick_search_offer(sli_pick_search *s, const double v[3][3], sli_candidate *candidate);

/* Whether all of a box of the present instance's tree is hidden, as far as it is within reach. */
bool sli_pick_search_hides(sli_pick_search *s, const sl_aabb *box);

/* Offers what the triangles of a leaf, or one by its number, of the present instance have. */
void sli_pick_search_look_at(sli_pick_search *s, const sli_tri_pack *pack);
void sli_pick_search_look_at_prim(sli_pick_search *s, uint32_t prim);

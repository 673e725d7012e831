/* Whether corners and sides are seen. */
#include "bvh/pick/visibility.h"

#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/query.h"

static void forget_occluders(sli_visibility *visibility)
{
    memset(visibility->occluders, 0xFF, sizeof visibility->occluders);
    visibility->full = 0;
}

void sli_visibility_begin(sli_visibility *visibility, const sl_bvh *bvh, const sli_screen *screen,
                          const sli_world_ray *options, const double position[2], double radius,
                          sli_hidden *hidden, sl_stats *stats)
{
    visibility->bvh = bvh;
    visibility->screen = screen;
    visibility->options = *options;
    memcpy(visibility->position, position, sizeof visibility->position);
    sli_reach_make(screen, position, radius, &visibility->reach);
    visibility->occluder_count = 0;
    visibility->version = 0;
    visibility->stats = stats;
    visibility->traced = 0;
    forget_occluders(visibility);
    visibility->hidden = hidden;
    for (int i = 0; i < SLI_HIDDEN && hidden != NULL; i++) {
        visibility->hidden[i].kind = SL_PICK_NONE;
    }
}

/* ---- What hides ---- */

/* Of two that cover everything the one in front hides more. */
static bool hides_less(const sli_occluder *a, const sli_occluder *b)
{
    return a->within != b->within ? a->within < b->within
                                  : a->within == SLI_REACH_SAMPLES && a->depth > b->depth;
}

/* The one to be replaced: of what covers everything there is one at most, for it hides whatever
 * the ones behind it do; else the one that hides least.  SLI_OCCLUDERS: there is open. */
static int occluder_slot(const sli_visibility *visibility, const sli_occluder *occluder)
{
    int least = 0;
    for (int i = 0; i < visibility->occluder_count; i++) {
        if (occluder->within == SLI_REACH_SAMPLES &&
            visibility->occluder[i].within == SLI_REACH_SAMPLES) {
            return i;
        }
        least = hides_less(&visibility->occluder[i], &visibility->occluder[least]) ? i : least;
    }
    return visibility->occluder_count < SLI_OCCLUDERS ? SLI_OCCLUDERS : least;
}

static void keep_occluder(sli_visibility *visibility, const sli_occluder *occluder)
{
    const int at = occluder_slot(visibility, occluder);
    if (at == SLI_OCCLUDERS) {
        visibility->occluder[visibility->occluder_count++] = *occluder;
        visibility->version++;
    } else if (hides_less(&visibility->occluder[at], occluder)) {
        visibility->occluder[at] = *occluder;
        visibility->version++;
    }
}

void sli_visibility_learn(sli_visibility *visibility, sl_triangle_ref triangle)
{
    sli_occluder made;
    sl_triangle found;
    double corners[3][3], before = INFINITY;
    for (int i = 0; i < visibility->occluder_count; i++) {
        const sl_triangle_ref known = visibility->occluder[i].triangle;
        if (visibility->occluder[i].within == SLI_REACH_SAMPLES) {
            before = visibility->occluder[i].depth;
        }
        if (known.instance == triangle.instance && known.prim == triangle.prim) {
            return;
        }
    }
    if (visibility->reach.usable &&
        sli_triangle_corners(visibility->bvh, triangle, &found, corners) &&
        sli_occluder_make(visibility->screen, &visibility->reach, corners, triangle, before,
                          &made)) {
        keep_occluder(visibility, &made);
    }
}

void sli_visibility_shrink(sli_visibility *visibility, double radius)
{
    sli_occluder made;
    int kept = 0;
    if (!(radius < 0.7 * visibility->reach.radius) || !visibility->reach.usable) {
        return;
    }
    sli_reach_make(visibility->screen, visibility->position, radius, &visibility->reach);
    for (int i = 0; i < visibility->occluder_count; i++) {
        sli_occluder *old = &visibility->occluder[i];
        if (sli_occluder_make(visibility->screen, &visibility->reach, old->corners, old->triangle,
                              INFINITY, &made)) {
            visibility->occluder[kept++] = made;
        }
    }
    visibility->occluder_count = kept;
    visibility->version++;
    forget_occluders(visibility);
}

/* The cell at a position of the picture, as seen from the position; beside the grid the nearest. */
static int cell_of(const sli_visibility *visibility, double x)
{
    const double last = (double)SLI_OCCLUDER_SIDE - 1;
    const double share = (x / visibility->reach.radius * 0.5 + 0.5) * (last + 1);
    return share > 0 ? (share < last ? (int)share : SLI_OCCLUDER_SIDE - 1) : 0;
}

static struct sli_cell_occluders *occluders_at(sli_visibility *visibility, const double xy[2])
{
    return &visibility->occluders[cell_of(visibility, xy[1] - visibility->position[1])]
                                 [cell_of(visibility, xy[0] - visibility->position[0])];
}

static void note_in_cell(sli_visibility *visibility, int cell, sl_triangle_ref triangle)
{
    sl_triangle_ref *of_cell =
        visibility->occluders[cell / SLI_OCCLUDER_SIDE][cell % SLI_OCCLUDER_SIDE].triangle;
    int k = 0;
    while (k < SLI_CELL_OCCLUDERS && of_cell[k].prim != SL_NONE) {
        k++;
    }
    if (k < SLI_CELL_OCCLUDERS) {
        of_cell[k] = triangle;
    }
    visibility->full |= (uint64_t)(k >= SLI_CELL_OCCLUDERS - 1) << cell;
}

void sli_visibility_note(sli_visibility *visibility, sl_triangle_ref triangle,
                         const double least[2], const double most[2])
{
    const int x0 = cell_of(visibility, least[0]), x1 = cell_of(visibility, most[0]);
    const int y0 = cell_of(visibility, least[1]), y1 = cell_of(visibility, most[1]);
    const uint64_t columns = (0xFFu >> (SLI_OCCLUDER_SIDE - 1 - (x1 - x0))) << x0;
    for (int y = y0; y <= y1; y++) {
        uint64_t open = columns << (SLI_OCCLUDER_SIDE * y) & ~visibility->full;
        for (; open != 0; open &= open - 1) {
            note_in_cell(visibility, __builtin_ctzll(open), triangle);
        }
    }
}

/* What has hidden something is tried first. */
static void move_to_front(struct sli_cell_occluders *of_cell, sl_triangle_ref triangle)
{
    int k = 0;
    while (k < SLI_CELL_OCCLUDERS - 1 && !(of_cell->triangle[k].prim == triangle.prim &&
                                           of_cell->triangle[k].instance == triangle.instance)) {
        k++;
    }
    for (; k > 0; k--) {
        of_cell->triangle[k] = of_cell->triangle[k - 1];
    }
    of_cell->triangle[0] = triangle;
}

/* ---- What is known to be hidden ---- */

static sli_hidden *hidden_slot(const sli_visibility *visibility, const sli_candidate *candidate)
{
    const uint64_t hash = sli_ends_hash(candidate->kind, candidate->end);
    return &visibility->hidden[hash & (SLI_HIDDEN - 1)];
}

bool sli_visibility_knows_hidden(const sli_visibility *visibility, const sli_candidate *candidate)
{
    if (visibility->hidden == NULL) {
        return false;
    }
    const sli_hidden *known = hidden_slot(visibility, candidate);
    return known->kind == candidate->kind && sli_ends_equal(known->end, candidate->end);
}

static void remember_hidden(sli_visibility *visibility, const sli_candidate *candidate)
{
    if (visibility->hidden == NULL) {
        return;
    }
    sli_hidden *known = hidden_slot(visibility, candidate);
    known->kind = candidate->kind;
    memcpy(known->end, candidate->end, sizeof known->end);
}

/* ---- Lines of sight ---- */

typedef struct sight {
    sli_visibility *visibility;
    const sli_candidate *candidate;
} sight;

bool sli_triangle_is_culled(const sli_eye *eye, const sli_world_ray *options,
                            const sli_transformed *transformed, const double v[3][3])
{
    static const double zeros[3];
    sli_decision_stage stage;
    if (options->cull == SL_CULL_NONE) {
        return false;
    }
    const double *from = eye->kind != 0 ? v[0] : zeros;
    const int side = sli_triple3d(from, eye->at, v[0], v[1], v[0], v[2], &stage);
    const int front = eye->kind < 0 ? -1 : 1;
    return side != (sli_world_cull(options, transformed) == SL_CULL_BACK ? front : -front);
}

/* Whether a triangle hides an edge that it hits the line of sight to: not if it has both ends. */
static bool hides_edge(void *user, size_t index, const sl_hit_d *hit)
{
    const sight *s = user;
    sl_triangle found;
    double v[3][3];
    (void)index;
    return !sli_triangle_corners(s->visibility->bvh, (sl_triangle_ref){ hit->instance, hit->prim },
                                 &found, v) ||
           !sli_corners_have_ends(v, s->candidate->end);
}

/* Whether a triangle that is there, near by, hides the candidate. */
static bool hint_hides(sli_visibility *visibility, const sli_world_ray *ray,
                       const sli_candidate *candidate, sl_triangle_ref hint)
{
    sl_triangle found;
    double v[3][3];
    sli_exact_hit_d hit;
    if (!sli_triangle_corners(visibility->bvh, hint, &found, v) ||
        sli_corners_have_ends(v, candidate->end)) {
        return false;
    }
    visibility->stats->triangles++;
    const sl_cull cull = sli_world_cull(ray, &visibility->bvh->world.transformed[hint.instance]);
    return sli_world_hit(ray, v, cull, INFINITY, &hit);
}

bool sli_visibility_is_seen(sli_visibility *visibility, const sli_candidate *candidate)
{
    const sli_kernels *kernels = visibility->bvh->kernels;
    sight s = { .visibility = visibility, .candidate = candidate };
    sli_world_ray ray = visibility->options;
    sl_triangle_ref occluder;
    struct sli_cell_occluders *of_cell = occluders_at(visibility, candidate->shown.xy);
    sl_segment_d line;
    memcpy(line.p, candidate->from, sizeof line.p);
    memcpy(line.q, candidate->shown.point, sizeof line.q);
    visibility->traced++;
    if (!sli_exact_ray_from_segment_d(&line, SL_OPEN_END, &ray.exact)) {
        return true;
    }
    if (candidate->kind == SL_PICK_EDGE) {
        ray.accepts = hides_edge;
        ray.accepts_user = &s;
    }
    for (int k = 0; k < SLI_CELL_OCCLUDERS && of_cell->triangle[k].prim != SL_NONE; k++) {
        if (hint_hides(visibility, &ray, candidate, of_cell->triangle[k])) {
            move_to_front(of_cell, of_cell->triangle[k]);
            remember_hidden(visibility, candidate);
            return false;
        }
    }
    if (!kernels->world_any(sli_world_for_ray(visibility->bvh, &ray), &ray, &occluder,
                            visibility->stats)) {
        return true;
    }
    move_to_front(of_cell, occluder);
    remember_hidden(visibility, candidate);
    sli_visibility_learn(visibility, occluder);
    return false;
}

/* Whether corners and sides are seen. */
#include "bvh/pick/sights.h"

#include "bvh/kernel/scene/decide.h"

#include <math.h>
#include <string.h>

static void forget_blockers(sli_sights *sights)
{
    memset(sights->blockers, 0xFF, sizeof sights->blockers);
    sights->full = 0;
}

void sli_sights_begin(sli_sights *sights, const sl_scene *scene, const sli_screen *screen,
                      const sli_scene_ray *options, const double position[2], double radius,
                      sli_hidden *hidden, sl_stats *stats)
{
    sights->scene = scene;
    sights->screen = screen;
    sights->options = *options;
    sights->options.cull = SL_CULL_NONE;
    memcpy(sights->position, position, sizeof sights->position);
    sli_reach_make(screen, position, radius, &sights->reach);
    sights->occluder_count = 0;
    sights->version = 0;
    sights->stats = stats;
    sights->asked = 0;
    forget_blockers(sights);
    sights->hidden = hidden;
    for (int i = 0; i < SLI_HIDDEN && hidden != NULL; i++) {
        sights->hidden[i].kind = SL_PICK_NONE;
    }
}

/* ---- What hides ---- */

static bool corners_of(const sl_scene *scene, sl_triangle_ref triangle, double corners[3][3])
{
    sl_triangle found;
    if (triangle.instance >= scene->world.count ||
        scene->world.placed[triangle.instance].tree == NULL ||
        !sl_bvh_triangle(scene->world.placed[triangle.instance].tree, triangle.prim, &found)) {
        return false;
    }
    sli_scene_corners(&scene->world.placed[triangle.instance], found.v, corners);
    return true;
}

/* Of two that cover everything the one in front hides more. */
static bool hides_less(const sli_occluder *a, const sli_occluder *b)
{
    return a->within != b->within ? a->within < b->within
                                  : a->within == SLI_REACH_SAMPLES && a->depth > b->depth;
}

/* The one to be replaced: of what covers everything there is one at most, for it hides whatever
 * the ones behind it do; else the one that hides least.  SLI_OCCLUDERS: there is room. */
static int place_for(const sli_sights *sights, const sli_occluder *occluder)
{
    int least = 0;
    for (int i = 0; i < sights->occluder_count; i++) {
        if (occluder->within == SLI_REACH_SAMPLES &&
            sights->occluder[i].within == SLI_REACH_SAMPLES) {
            return i;
        }
        least = hides_less(&sights->occluder[i], &sights->occluder[least]) ? i : least;
    }
    return sights->occluder_count < SLI_OCCLUDERS ? SLI_OCCLUDERS : least;
}

static void keep(sli_sights *sights, const sli_occluder *occluder)
{
    const int at = place_for(sights, occluder);
    if (at == SLI_OCCLUDERS) {
        sights->occluder[sights->occluder_count++] = *occluder;
        sights->version++;
    } else if (hides_less(&sights->occluder[at], occluder)) {
        sights->occluder[at] = *occluder;
        sights->version++;
    }
}

void sli_sights_learn(sli_sights *sights, sl_triangle_ref triangle)
{
    sli_occluder made;
    double corners[3][3], before = INFINITY;
    for (int i = 0; i < sights->occluder_count; i++) {
        const sl_triangle_ref known = sights->occluder[i].triangle;
        if (sights->occluder[i].within == SLI_REACH_SAMPLES) {
            before = sights->occluder[i].depth;
        }
        if (known.instance == triangle.instance && known.prim == triangle.prim) {
            return;
        }
    }
    if (sights->reach.usable && corners_of(sights->scene, triangle, corners) &&
        sli_occluder_make(sights->screen, &sights->reach, corners, triangle, before, &made)) {
        keep(sights, &made);
    }
}

void sli_sights_shrink(sli_sights *sights, double radius)
{
    sli_occluder made;
    int kept = 0;
    if (!(radius < 0.7 * sights->reach.radius) || !sights->reach.usable) {
        return;
    }
    sli_reach_make(sights->screen, sights->position, radius, &sights->reach);
    for (int i = 0; i < sights->occluder_count; i++) {
        sli_occluder *old = &sights->occluder[i];
        if (sli_occluder_make(sights->screen, &sights->reach, old->corners, old->triangle, INFINITY,
                              &made)) {
            sights->occluder[kept++] = made;
        }
    }
    sights->occluder_count = kept;
    sights->version++;
    forget_blockers(sights);
}

/* The cell at a place of the picture, as seen from the position; beside the grid the nearest. */
static int cell_of(const sli_sights *sights, double x)
{
    const double last = (double)SLI_BLOCKER_SIDE - 1;
    const double share = (x / sights->reach.radius * 0.5 + 0.5) * (last + 1);
    return share > 0 ? (share < last ? (int)share : SLI_BLOCKER_SIDE - 1) : 0;
}

static struct sli_blockers *blockers_at(sli_sights *sights, const double xy[2])
{
    return &sights->blockers[cell_of(sights, xy[1] - sights->position[1])]
                            [cell_of(sights, xy[0] - sights->position[0])];
}

static void note_at(sli_sights *sights, int cell, sl_triangle_ref triangle)
{
    sl_triangle_ref *of_cell =
        sights->blockers[cell / SLI_BLOCKER_SIDE][cell % SLI_BLOCKER_SIDE].triangle;
    int k = 0;
    while (k < SLI_BLOCKERS && of_cell[k].prim != SL_NONE) {
        k++;
    }
    if (k < SLI_BLOCKERS) {
        of_cell[k] = triangle;
    }
    sights->full |= (uint64_t)(k >= SLI_BLOCKERS - 1) << cell;
}

void sli_sights_note(sli_sights *sights, sl_triangle_ref triangle, const double least[2],
                     const double most[2])
{
    const int x0 = cell_of(sights, least[0]), x1 = cell_of(sights, most[0]);
    const int y0 = cell_of(sights, least[1]), y1 = cell_of(sights, most[1]);
    const uint64_t columns = (0xFFu >> (SLI_BLOCKER_SIDE - 1 - (x1 - x0))) << x0;
    for (int y = y0; y <= y1; y++) {
        uint64_t room = columns << (SLI_BLOCKER_SIDE * y) & ~sights->full;
        for (; room != 0; room &= room - 1) {
            note_at(sights, __builtin_ctzll(room), triangle);
        }
    }
}

/* What has hidden something is tried first. */
static void move_to_front(struct sli_blockers *of_cell, sl_triangle_ref triangle)
{
    int k = 0;
    while (k < SLI_BLOCKERS - 1 && !(of_cell->triangle[k].prim == triangle.prim &&
                                     of_cell->triangle[k].instance == triangle.instance)) {
        k++;
    }
    for (; k > 0; k--) {
        of_cell->triangle[k] = of_cell->triangle[k - 1];
    }
    of_cell->triangle[0] = triangle;
}

/* ---- What is known to be hidden ---- */

static sli_hidden *hidden_slot(const sli_sights *sights, const sli_candidate *candidate)
{
    const uint64_t hash = sli_ends_hash(candidate->kind, candidate->end);
    return &sights->hidden[hash & (SLI_HIDDEN - 1)];
}

bool sli_sights_know_hidden(const sli_sights *sights, const sli_candidate *candidate)
{
    if (sights->hidden == NULL) {
        return false;
    }
    const sli_hidden *known = hidden_slot(sights, candidate);
    return known->kind == candidate->kind && sli_ends_equal(known->end, candidate->end);
}

static void remember_hidden(sli_sights *sights, const sli_candidate *candidate)
{
    if (sights->hidden == NULL) {
        return;
    }
    sli_hidden *known = hidden_slot(sights, candidate);
    known->kind = candidate->kind;
    memcpy(known->end, candidate->end, sizeof known->end);
}

/* ---- Lines of sight ---- */

typedef struct sight {
    sli_sights *sights;
    const sli_candidate *candidate;
} sight;

/* Whether a triangle hides an edge that it hits the line of sight to: not if it has both ends. */
static bool hides_edge(void *user, size_t index, const sl_hit_d *hit)
{
    const sight *s = user;
    double v[3][3];
    (void)index;
    return !corners_of(s->sights->scene, (sl_triangle_ref){ hit->instance, hit->prim }, v) ||
           !sli_corners_have_ends(v, s->candidate->end);
}

/* Whether a triangle that is there, near by, hides the candidate. */
static bool hint_hides(sli_sights *sights, const sli_scene_ray *ray, const sli_candidate *candidate,
                       sl_triangle_ref hint)
{
    double v[3][3];
    sli_exact_hit_d hit;
    if (!corners_of(sights->scene, hint, v) || sli_corners_have_ends(v, candidate->end)) {
        return false;
    }
    sights->stats->triangles++;
    return sli_scene_hit(ray, v, SL_CULL_NONE, INFINITY, &hit);
}

bool sli_sights_see(sli_sights *sights, const sli_candidate *candidate)
{
    const sli_kernels *kernels = sights->scene->kernels;
    sight s = { .sights = sights, .candidate = candidate };
    sli_scene_ray ray = sights->options;
    sl_triangle_ref blocker;
    struct sli_blockers *of_cell = blockers_at(sights, candidate->shown.xy);
    sl_segment_d line;
    memcpy(line.p, candidate->from, sizeof line.p);
    memcpy(line.q, candidate->shown.point, sizeof line.q);
    sights->asked++;
    if (!sli_exact_ray_from_segment_d(&line, SL_OPEN_END, &ray.exact)) {
        return true;
    }
    if (candidate->kind == SL_PICK_EDGE) {
        ray.accepts = hides_edge;
        ray.accepts_user = &s;
    }
    for (int k = 0; k < SLI_BLOCKERS && of_cell->triangle[k].prim != SL_NONE; k++) {
        if (hint_hides(sights, &ray, candidate, of_cell->triangle[k])) {
            move_to_front(of_cell, of_cell->triangle[k]);
            remember_hidden(sights, candidate);
            return false;
        }
    }
    if (!kernels->scene_any(&sights->scene->world, &ray, &blocker, sights->stats)) {
        return true;
    }
    move_to_front(of_cell, blocker);
    remember_hidden(sights, candidate);
    sli_sights_learn(sights, blocker);
    return false;
}

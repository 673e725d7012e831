/* Whether a point is on the boundaries of both solids, where that is not plain: triangles meet of
 * which only some pieces are boundary.
 *
 * The points on both boundaries are bounded by corners of pieces, so it is enough to look at these,
 * and at the ends of what two triangles share.  Such a point is on a boundary where the cells
 * around it are not all in the solid, or all out of it.  Around the point there are planes of
 * triangles; a cell there has one of the lines in which two planes meet for an edge, and lies
 * beside one of the two, on one of its sides: eight ways to go from the point, of which each begins
 * along the line. */
#include "bvh/contact/solid/judge.h"
#include "lib/base/memory.h"
#include "lib/geom/contact/relation.h"
#include "lib/geom/exact/predicates.h"

/* Triangles of a solid through a point. */
typedef struct through {
    sli_solid_job *job;
    int side;
    const sli_witness *point;
    sl_triangle_d *list;
    size_t count, capacity;
    bool surely, perhaps; /* on the boundary */
    bool in, out;         /* there are cells around the point that are */
} through;

static bool take_through(void *context, sl_triangle_ref ref, const sl_triangle_d *corners)
{
    through *t = context;
    sli_solid_job *job = t->job;
    const sli_solid *solid = &job->solid[t->side];
    const uint8_t state = solid->state[sli_solid_number(solid, ref)];
    if ((state & SLI_SOLID_FLAT) != 0 || !sli_witness_touches(t->point, corners)) {
        return true;
    }
    t->perhaps = t->perhaps || (state & SLI_SOLID_BOUNDS) != 0;
    t->surely = (state & (SLI_SOLID_BOUNDS | SLI_SOLID_WITHIN)) == SLI_SOLID_BOUNDS;
    if (!t->surely && !sli_grow_array(&job->hooks.allocator, &t->list, &t->capacity, t->count + 1,
                                      sizeof *t->list)) {
        sli_solid_fails(job);
        return false;
    }
    if (!t->surely) {
        t->list[t->count++] = *corners;
    }
    return !t->surely;
}

/* Leaves one triangle of each plane. */
static void keep_planes(through *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++) {
        const double(*v)[3] = (const double(*)[3])t->list[i].v;
        bool known = false;
        for (size_t k = 0; k < kept && !known; k++) {
            const double(*p)[3] = (const double(*)[3])t->list[k].v;
            known = sli_orient3d(p[0], p[1], p[2], v[0]) == 0 &&
                    sli_orient3d(p[0], p[1], p[2], v[1]) == 0 &&
                    sli_orient3d(p[0], p[1], p[2], v[2]) == 0;
        }
        if (!known) {
            t->list[kept++] = t->list[i];
        }
    }
    t->count = kept;
}

static void look_around(through *t, const sli_witness *witness)
{
    const sli_solid *solid = &t->job->solid[t->side];
    int64_t winding[SLI_WITNESS_WAYS];
    sli_witness_winding(witness, solid, winding);
    for (int way = 0; way < 1 << witness->turned; way++) {
        const bool in = sli_solid_holds(solid, winding[way]);
        t->in = t->in || in;
        t->out = t->out || !in;
    }
}

/* Beside plane p, along the line that it has in common with plane q. */
static void look_along(through *t, const sl_triangle_d *p, const sl_triangle_d *q)
{
    sli_bigs bigs = { .arena = sli_arena_make(&t->job->hooks.allocator) };
    sli_witness witness = *t->point;
    sli_big n[2][3];
    witness.bigs = &bigs;
    witness.turned = 3;
    sli_big_normal(&bigs, p, n[0]);
    sli_big_normal(&bigs, q, n[1]);
    sli_big_vector_cross(&bigs, n[0], n[1], witness.dir[0]);
    for (int i = 0, across = 0; i < 3 && across == 0; i++) { /* a side of p that is not in q */
        sli_witness_direct(&witness, 1, p->v[i], p->v[(i + 1) % 3]);
        across = sli_big_dot(&bigs, n[1], witness.dir[1]).sign;
    }
    witness.axis = sli_solid_axis(p);
    sli_witness_direct_axis(&witness, 2, witness.axis);
    look_around(t, &witness);
    if (bigs.failed) {
        sli_solid_fails(t->job);
    }
    sli_arena_free(&bigs.arena);
}

/* On both sides of the only plane. */
static void look_across(through *t)
{
    sli_witness witness = *t->point;
    const sl_triangle_d *p = &t->list[0];
    witness.turned = 1;
    witness.axis = sli_solid_axis(p);
    sli_witness_direct_axis(&witness, 0, witness.axis);
    sli_witness_direct(&witness, 1, p->v[0], p->v[1]);
    sli_witness_direct(&witness, 2, p->v[1], p->v[2]);
    look_around(t, &witness);
}

static bool is_on_boundary(sli_solid_job *job, int side, const sli_witness *point)
{
    through t = { .job = job, .side = side, .point = point };
    sl_aabb_d box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = point->near[axis] - 2 * point->off[axis];
        box.max[axis] = point->near[axis] + 2 * point->off[axis];
    }
    sli_solid_near(&job->solid[side], &box, take_through, &t);
    if (!t.surely && t.perhaps) {
        keep_planes(&t);
        if (t.count == 1) {
            look_across(&t);
        }
        for (size_t i = 0; i < t.count * t.count && !(t.in && t.out); i++) {
            if (i / t.count != i % t.count && sli_solid_goes_on(job)) {
                look_along(&t, &t.list[i / t.count], &t.list[i % t.count]);
            }
        }
    }
    sli_free_array(&job->hooks.allocator, t.list, t.capacity, sizeof *t.list);
    return t.surely || (t.in && t.out);
}

static bool take_point(void *context, sli_witness *point)
{
    sli_solid_job *job = context;
    job->meet = is_on_boundary(job, 0, point) && is_on_boundary(job, 1, point);
    return sli_solid_goes_on(job) && !job->meet;
}

void sli_solid_meet_at_corners(sli_solid_job *job)
{
    if (job->result == SL_OK && !sli_pieces_corners(&job->pieces, take_point, job)) {
        sli_solid_fails(job);
    }
}

/* Where the side i of a triangle goes through the plane of another one. */
static void meet_on_side(sli_solid_job *job, const sl_triangle_d *t, int i,
                         const sl_triangle_d *plane)
{
    sli_bigs bigs = { .arena = sli_arena_make(&job->hooks.allocator) };
    sli_witness point = { .bigs = &bigs };
    const double *v[2] = { t->v[i], t->v[(i + 1) % 3] };
    sli_big n[3], value[2];
    sli_big_normal(&bigs, plane, n);
    for (int end = 0; end < 2; end++) {
        sli_big to[3];
        sli_big_differences(&bigs, v[end], plane->v[0], to);
        value[end] = sli_big_dot(&bigs, n, to);
    }
    point.weight = sli_big_sub(&bigs, value[1], value[0]);
    for (int axis = 0; axis < 3; axis++) {
        point.at[axis] = sli_big_cross(&bigs, sli_big_of(&bigs, v[0][axis]), value[1],
                                       sli_big_of(&bigs, v[1][axis]), value[0]);
    }
    if (!bigs.failed && point.weight.sign != 0) {
        sli_witness_finish(&point);
        (void)take_point(job, &point);
    }
    if (bigs.failed) {
        sli_solid_fails(job);
    }
    sli_arena_free(&bigs.arena);
}

/* The side that bits of corners name: 3, 6 or 5. */
static int side_named(uint8_t corners)
{
    return corners == 3 ? 0 : corners == 6 ? 1 : 2;
}

void sli_solid_meet_at_sides(sli_solid_job *job, const sl_triangle_d corners[2])
{
    sli_common common;
    sli_triangles_common(&corners[0], &corners[1], &common);
    for (int i = 0; i < common.count && job->result == SL_OK && !job->meet; i++) {
        const uint8_t in[2] = { common.at[i].in_a, common.at[i].in_b };
        for (int side = 0; side < 2 && !job->meet; side++) {
            if (in[side] == 3 || in[side] == 5 || in[side] == 6) {
                meet_on_side(job, &corners[side], side_named(in[side]), &corners[1 - side]);
            }
        }
    }
}

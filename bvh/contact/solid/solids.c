/* How two solids lie: sl_bvh_solids.
 *
 * A walk finds all pairs of triangles that meet.  A pair that crosses mostly tells all at once: the
 * four cells around what it shares are in both solids, in one, in the other and in none.  Else all
 * triangles that meet others are cut into pieces, each of which is judged by a witness of its own
 * (solid.h), and of the others some (regions.c). */
#include "bvh/contact/solid/judge.h"
#include "bvh/contact/walk/walk.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/geom/contact/relation.h"

#include <math.h>
#include <string.h>

enum { REPORT_STEPS = 256 }; /* from one report to the next: some ms */

bool sli_solid_goes_on(sli_solid_job *job)
{
    if (job->result == SL_OK && job->steps++ % REPORT_STEPS == 0 &&
        !sli_report(&job->hooks, "solids", job->done)) {
        job->result = sli_fail_result(job->error, SL_CANCELLED);
    }
    return job->result == SL_OK;
}

void sli_solid_fails(sli_solid_job *job)
{
    job->result = sli_fail_memory(job->error);
}

/* ---- Witnesses ---- */

typedef struct judgement {
    sli_solid_job *job;
    int side;
    uint8_t *state; /* of the triangle */
    bool *in_other;
} judgement;

/* The points come in pairs: one on each side of the triangle. */
static bool take_witness(void *context, sli_witness *witness)
{
    const judgement *j = context;
    sli_solid_job *job = j->job;
    const int ways = 1 << witness->turned, across = ways / 2;
    bool in[2][SLI_WITNESS_WAYS], varies[2] = { false, false };
    for (int side = 0; side < 2; side++) {
        int64_t winding[SLI_WITNESS_WAYS];
        sli_witness_winding(witness, &job->solid[side], winding);
        for (int way = 0; way < ways; way++) {
            in[side][way] = sli_solid_holds(&job->solid[side], winding[way]);
            varies[side] = varies[side] || in[side][way] != in[side][0];
        }
    }
    if (witness->bigs->failed) {
        return false;
    }
    for (int way = 0; way < ways; way++) {
        job->both = job->both || (in[0][way] && in[1][way]);
        job->only[0] = job->only[0] || (in[0][way] && !in[1][way]);
        job->only[1] = job->only[1] || (in[1][way] && !in[0][way]);
    }
    for (int way = 0; way < across; way++) {
        const bool bounds = in[j->side][way] != in[j->side][way + across];
        *j->state |= (uint8_t)(bounds ? SLI_SOLID_BOUNDS : SLI_SOLID_WITHIN);
    }
    job->meet = job->meet || (varies[0] && varies[1]);
    if (j->in_other != NULL) {
        *j->in_other = in[1 - j->side][0];
    }
    return sli_solid_goes_on(job) && !sli_solid_all_is_known(job);
}

void sli_solid_judge(sli_solid_job *job, int side, uint32_t triangle, bool *in_other)
{
    judgement j = { job, side, &job->solid[side].state[triangle], in_other };
    if (job->result == SL_OK && !sli_pieces_witnesses(&job->pieces, take_witness, &j)) {
        sli_solid_fails(job);
    }
}

/* ---- Cuts ---- */

typedef struct own_cuts {
    sli_solid_job *job;
    int side;
    uint32_t triangle;
} own_cuts;

static bool take_own(void *context, sl_triangle_ref ref, const sl_triangle_d *corners)
{
    const own_cuts *c = context;
    const sli_solid *solid = &c->job->solid[c->side];
    const uint32_t number = sli_solid_number(solid, ref);
    if (number != c->triangle && (solid->state[number] & SLI_SOLID_FLAT) == 0 &&
        !sli_pieces_cut(&c->job->pieces, corners)) {
        sli_solid_fails(c->job);
    }
    return c->job->result == SL_OK;
}

void sli_solid_cut_by_own(sli_solid_job *job, int side, uint32_t triangle)
{
    own_cuts cuts = { job, side, triangle };
    sl_triangle_d corners;
    sl_aabb_d box;
    sli_solid_corners(&job->solid[side], &job->vertices, triangle, &corners);
    sli_pieces_begin(&job->pieces, &corners);
    for (int axis = 0; axis < 3; axis++) {
        const double a = corners.v[0][axis], b = corners.v[1][axis], c = corners.v[2][axis];
        box.min[axis] = fmin(a, fmin(b, c));
        box.max[axis] = fmax(a, fmax(b, c));
    }
    sli_solid_near(&job->solid[side], &box, take_own, &cuts);
}

/* The triangles of the other solid that one of this solid meets, one solid after the other. */
typedef struct partners {
    size_t *start; /* those of triangle i are at start[i] .. start[i + 1] - 1 */
    uint32_t *of;
} partners;

static void partners_fill(const sli_solid_job *job, int side, const partners *p)
{
    const uint32_t count = job->solid[side].count;
    memset(p->start, 0, ((size_t)count + 1) * sizeof *p->start);
    for (size_t i = 0; i < job->pair_count; i++) {
        p->start[job->pairs[i].of[side] + 1]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        p->start[i + 1] += p->start[i];
    }
    for (size_t i = 0; i < job->pair_count; i++) {
        p->of[p->start[job->pairs[i].of[side]]++] = job->pairs[i].of[1 - side];
    }
    memmove(p->start + 1, p->start, count * sizeof *p->start);
    p->start[0] = 0;
}

/* The pieces of a triangle that meets others. */
static void cut_met(sli_solid_job *job, int side, uint32_t triangle, const partners *p)
{
    const sli_solid *other = &job->solid[1 - side];
    sli_solid_cut_by_own(job, side, triangle);
    for (size_t i = p->start[triangle]; i < p->start[triangle + 1] && job->result == SL_OK; i++) {
        sl_triangle_d corners;
        sli_solid_corners(other, &job->vertices, p->of[i], &corners);
        if ((other->state[p->of[i]] & SLI_SOLID_FLAT) == 0 &&
            !sli_pieces_cut(&job->pieces, &corners)) {
            sli_solid_fails(job);
        }
    }
}

/* Cuts all triangles of a solid that have one of some bits and area; then judges their pieces, or
 * asks their corners. */
static void look_at_all(sli_solid_job *job, int side, uint8_t bit)
{
    const sl_allocator *allocator = &job->hooks.allocator;
    const sli_solid *solid = &job->solid[side];
    const size_t starts = (size_t)solid->count + 1;
    const partners p = { .start = sli_alloc_array(allocator, starts, sizeof *p.start),
                         .of = sli_alloc_array(allocator, job->pair_count, sizeof *p.of) };
    if (p.start == NULL || p.of == NULL) {
        sli_solid_fails(job);
    } else {
        partners_fill(job, side, &p);
    }
    for (uint32_t i = 0; i < solid->count && job->result == SL_OK && !sli_solid_all_is_known(job);
         i++) {
        job->done = 0.5f * ((float)side + (float)i / (float)solid->count);
        if ((solid->state[i] & (bit | SLI_SOLID_FLAT)) != bit) {
            continue;
        }
        cut_met(job, side, i, &p);
        if (bit == SLI_SOLID_MET) {
            sli_solid_judge(job, side, i, NULL);
        } else if (!job->meet) {
            sli_solid_meet_at_corners(job);
        }
    }
    sli_free_array(allocator, p.start, starts, sizeof *p.start);
    sli_free_array(allocator, p.of, job->pair_count, sizeof *p.of);
}

/* ---- Pairs ---- */

static bool take_pair(void *context, const sli_walk_pair *pair)
{
    sli_solid_job *job = context;
    const sl_relation relation = sli_triangles_relation(pair->at_a, pair->at_b);
    if (relation == SL_APART) {
        return true;
    }
    const sli_solid_pair met = { { sli_solid_number(&job->solid[0], pair->a),
                                   sli_solid_number(&job->solid[1], pair->b) } };
    job->surfaces = relation > job->surfaces ? relation : job->surfaces;
    if (!sli_grow_array(&job->hooks.allocator, &job->pairs, &job->pair_capacity,
                        job->pair_count + 1, sizeof met)) {
        sli_solid_fails(job);
        return false;
    }
    job->pairs[job->pair_count++] = met;
    if ((job->solid[1].state[met.of[1]] & SLI_SOLID_FLAT) == 0) {
        job->solid[0].state[met.of[0]] |= SLI_SOLID_MET;
    }
    if ((job->solid[0].state[met.of[0]] & SLI_SOLID_FLAT) == 0) {
        job->solid[1].state[met.of[1]] |= SLI_SOLID_MET;
    }
    if (relation == SL_CROSSING && job->crossing_count < SLI_SOLID_CROSSINGS) {
        job->crossings[job->crossing_count++] = met;
    }
    return sli_solid_goes_on(job) && job->crossing_count < job->crossing_limit;
}

/* Of open meshes only the highest relation is asked for. */
static bool take_relation(void *context, const sli_walk_pair *pair)
{
    sli_solid_job *job = context;
    const sl_relation relation = sli_triangles_relation(pair->at_a, pair->at_b);
    job->surfaces = relation > job->surfaces ? relation : job->surfaces;
    return sli_solid_goes_on(job) && job->surfaces != SL_CROSSING;
}

static void walk_with(sli_solid_job *job, bool (*take)(void *context, const sli_walk_pair *pair))
{
    sl_stats stats = { .rays = 0 };
    sli_walk walk = { .a = job->solid[0].item,
                      .b = job->solid[1].item,
                      .triangles = take,
                      .context = job,
                      .stats = &stats };
    (void)sli_walk_worlds(&walk, &job->solid[0].bvh->world, &job->solid[1].bvh->world, NULL);
}

/* What pairs that cross tell by themselves. */
static void try_crossings(sli_solid_job *job, size_t first)
{
    for (size_t i = first;
         i < job->crossing_count && job->result == SL_OK && !sli_solid_all_is_known(job); i++) {
        sl_triangle_d corners[2];
        for (int side = 0; side < 2; side++) {
            sli_solid_corners(&job->solid[side], &job->vertices, job->crossings[i].of[side],
                              &corners[side]);
        }
        sli_pieces_begin(&job->pieces, &corners[0]);
        if (!sli_pieces_cut(&job->pieces, &corners[1])) {
            sli_solid_fails(job);
        }
        sli_solid_judge(job, 0, job->crossings[i].of[0], NULL);
    }
}

/* Ends at the first pair that crosses, which mostly tells all; else begins again, up to more of
 * them, and at last for all pairs. */
static void walk_pairs(sli_solid_job *job)
{
    static const size_t limits[] = { 1, 8, SLI_SOLID_CROSSINGS, SIZE_MAX };
    for (int i = 0; i < 4 && job->result == SL_OK && !sli_solid_all_is_known(job); i++) {
        job->pair_count = job->crossing_count = 0;
        job->crossing_limit = limits[i];
        walk_with(job, take_pair);
        if (job->crossing_count < limits[i]) {
            return;
        }
        try_crossings(job, i > 0 ? limits[i - 1] : 0);
    }
}

/* ---- Both together ---- */

/* Whether a point is on both boundaries, where witnesses have not found one.  It is on triangles
 * that meet.  Where all of both is boundary, there is one; else corners are asked. */
static void boundaries_meet(sli_solid_job *job)
{
    const uint8_t kinds = SLI_SOLID_FLAT | SLI_SOLID_BOUNDS | SLI_SOLID_WITHIN;
    bool mixed = false;
    for (size_t i = 0; i < job->pair_count && !job->meet; i++) {
        uint8_t *state[2] = { &job->solid[0].state[job->pairs[i].of[0]],
                              &job->solid[1].state[job->pairs[i].of[1]] };
        if ((*state[0] & *state[1] & SLI_SOLID_BOUNDS) != 0) {
            job->meet =
                (*state[0] & kinds) == SLI_SOLID_BOUNDS && (*state[1] & kinds) == SLI_SOLID_BOUNDS;
            *state[0] |= SLI_SOLID_ASKED;
            *state[1] |= SLI_SOLID_ASKED;
            mixed = true;
        }
    }
    for (size_t i = 0; i < job->pair_count && mixed && !job->meet && job->result == SL_OK; i++) {
        const uint32_t *of = job->pairs[i].of;
        if ((job->solid[0].state[of[0]] & job->solid[1].state[of[1]] & SLI_SOLID_BOUNDS) != 0) {
            sl_triangle_d corners[2];
            sli_solid_corners(&job->solid[0], &job->vertices, of[0], &corners[0]);
            sli_solid_corners(&job->solid[1], &job->vertices, of[1], &corners[1]);
            sli_solid_meet_at_sides(job, corners);
        }
    }
    for (int side = 0; side < 2 && mixed && !job->meet && job->result == SL_OK; side++) {
        look_at_all(job, side, SLI_SOLID_ASKED);
    }
}

static sl_solid_relation relation_of(const sli_solid_job *job)
{
    if (!job->both) {
        return job->meet ? SL_SOLIDS_TOUCHING : SL_SOLIDS_APART;
    }
    if (job->only[0]) {
        return job->only[1] ? SL_SOLIDS_OVERLAPPING : SL_SOLIDS_B_INSIDE;
    }
    return job->only[1] ? SL_SOLIDS_A_INSIDE : SL_SOLIDS_EQUAL;
}

static void solids_relate(sli_solid_job *job, sl_solids *out)
{
    const sl_allocator *allocator = &job->hooks.allocator;
    for (int side = 0; side < 2; side++) {
        job->result = SLI_THEN(
            job->result, sli_solid_make(&job->solid[side], &job->vertices, allocator, job->error));
    }
    for (int side = 0; side < 2; side++) {
        job->result =
            SLI_THEN(job->result, sli_solid_is_open(&job->solid[side], &job->vertices, allocator,
                                                    &out->open[side], job->error));
    }
    const bool solids = !out->open[0] && !out->open[1];
    const bool same = job->result == SL_OK && solids && sli_solids_are_same(job);
    const bool differ = solids && !same; /* pieces are to be looked at */
    if (job->result == SL_OK && differ) {
        walk_pairs(job);
    } else if (job->result == SL_OK) {
        walk_with(job, take_relation);
    }
    if (job->result == SL_OK && differ && !sli_solid_all_is_known(job)) {
        sli_solid_regions(job);
    }
    for (int side = 0; side < 2 && job->result == SL_OK && differ; side++) {
        if (!sli_solid_all_is_known(job)) {
            look_at_all(job, side, SLI_SOLID_MET);
        }
    }
    if (differ && job->result == SL_OK) {
        boundaries_meet(job);
    }
    out->relation = solids ? relation_of(job) : SL_SOLIDS_NONE;
    out->boundaries_meet = job->meet;
    out->surfaces = job->surfaces;
}

static SLI_NOINLINE sl_result solids_find(sli_solid_job *job, sl_solids *out)
{
    const sl_allocator *allocator = &job->hooks.allocator;
    sl_solids found = { .relation = SL_SOLIDS_NONE };
    solids_relate(job, &found);
    for (int side = 0; side < 2; side++) {
        sli_solid_free(&job->solid[side], allocator);
    }
    sli_solid_vertices_free(&job->vertices, allocator);
    sli_pieces_free(&job->pieces);
    sli_free_array(allocator, job->pairs, job->pair_capacity, sizeof *job->pairs);
    if (job->result == SL_OK) {
        *out = found;
    }
    return job->result;
}

sl_result sl_bvh_solids(const sl_bvh *a, const sl_bvh *b, const sl_solids_def *def, sl_solids *out,
                        sl_error *error)
{
    const sl_solids_def options = def != NULL ? *def : (sl_solids_def){ .a = NULL };
    if (a == NULL || b == NULL || out == NULL) {
        return sli_refuse(error, "%s is NULL", a == NULL ? "a" : b == NULL ? "b" : "out");
    }
    SLI_TRY(sli_check_allocator(&options.hooks.allocator, error));
    sli_solid_job job = { .hooks = sli_hooks(&options.hooks), .error = error };
    for (int side = 0; side < 2; side++) {
        const sl_options *given = side == 0 ? options.a : options.b;
        sli_solid *solid = &job.solid[side];
        solid->bvh = side == 0 ? a : b;
        solid->by_parity = options.by_parity;
        solid->item = sli_item_options(given != NULL ? given : &sli_everything, 0);
    }
    job.pieces.allocator = job.hooks.allocator;
    return SLI_IN_FPENV(solids_find(&job, out));
}

/* The best element at a position: what is of the highest rank is looked for first. */
#include "bvh/pick/query.h"

#include "bvh/query/query.h"

enum { KINDS = 3 }; /* faces, edges and vertices: bits 0 to 2, and numbers of ranks */

/* Those of some kinds that have the highest rank among them. */
static uint32_t highest_kinds(const sl_pick_def *def, uint32_t kinds)
{
    uint32_t of_highest = 0;
    int rank = -1;
    for (int i = 0; i < KINDS; i++) {
        if ((kinds >> i & 1) != 0) {
            of_highest = def->rank[i] > rank ? 0 : of_highest;
            of_highest |= def->rank[i] >= rank ? 1u << i : 0;
            rank = def->rank[i] > rank ? def->rank[i] : rank;
        }
    }
    return of_highest;
}

typedef struct face {
    bool traced, found;
    sli_candidate candidate;
} face;

static void face_find(const sli_pick_query *q, face *out)
{
    sl_ray_d ray;
    sli_world_ray exact;
    sl_hit_d hit;
    out->traced = true;
    out->found =
        sli_pick_ray(q, &ray, &exact) &&
        q->bvh->kernels->world_closest(sli_world_for_ray(q->bvh, &exact), &exact, &hit, q->stats);
    if (out->found) {
        sli_pick_face(q, &ray, &hit, &out->candidate);
    }
}

/* Kind by kind; the last search's visibility are kept for the next one but for what shrank. */
static bool find_best(const sli_pick_query *q, sli_candidate *best, uint32_t *flags)
{
    sli_pick_search s;
    sli_pick_pool pool;
    face in_front = { .traced = false };
    uint32_t kinds = q->def.kinds & ((1u << KINDS) - 1);
    if ((kinds & SL_PICK_FACE) != 0 || !q->def.hidden || q->def.same_part) {
        face_find(q, &in_front);
    }
    const sl_triangle_ref front = { in_front.candidate.instance,
                                    in_front.found ? in_front.candidate.prim : SL_NONE };
    if ((kinds & ~(uint32_t)SL_PICK_FACE) != 0) {
        sli_pick_search_begin(q, front, &pool, &s);
        s.only.instance = front.instance;
        s.only.prim = q->def.same_part ? front.prim : SL_NONE;
    }
    *flags = 0;
    while (kinds != 0) {
        const uint32_t now = highest_kinds(&q->def, kinds);
        kinds &= ~now;
        const bool has_face = (now & SL_PICK_FACE) != 0 && in_front.found;
        s.found = has_face;
        s.best = in_front.candidate;
        s.kinds = now & ~(uint32_t)SL_PICK_FACE;
        if (s.kinds != 0 && *flags == 0 &&
            sli_pick_search_may_find(&s, (double)q->def.radius, front)) {
            sli_pick_search_run_from(&s, front);
            *flags |= s.cut_short ? (uint32_t)SL_PICK_CUT_SHORT : 0;
        }
        if (s.found) {
            *best = s.best;
            if (q->def.hidden && best->kind != SL_PICK_FACE &&
                !sli_visibility_is_seen(&s.visibility, best)) {
                *flags |= SL_PICK_HIDDEN;
            }
            return true;
        }
    }
    return false;
}

static size_t answer_at(const sli_pick_query *query, const sli_pick_call *call)
{
    sli_candidate best;
    uint32_t flags;
    if (!find_best(query, &best, &flags)) {
        return 0;
    }
    sli_pick_write(query, &best, flags, call->out);
    return 1;
}

bool sl_pick_at(const sl_bvh *bvh, const sl_view *view, const double xy[2], const sl_pick_def *def,
                sl_pick *out)
{
    return sli_pick_answer(&(sli_pick_call){
               .bvh = bvh, .view = view, .xy = xy, .def = def, .answer = answer_at, .out = out }) !=
           0;
}

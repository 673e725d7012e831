/* Everything at a position, and the next unit there.  One walk finds all units, however many; what
 * is kept of them is the nearest in the caller's array, and the numbers of some hundred, by which
 * they are counted: where there are more, the walk is repeated for each further hundred or so. */
#include "bvh/pick/query.h"
#include "lib/base/inline.h"
#include "lib/base/search.h"

enum { NUMBERS = 256, NEXT = 32 };

typedef struct list {
    const sli_pick_query *query;
    sli_pick_search *search;
    sl_pick *out;
    size_t capacity, count;
    uint64_t number[NUMBERS]; /* of units, the lowest from floor on, in rising order */
    size_t number_count;
    uint64_t floor;
    bool more; /* there are higher ones */
    bool counts_only;
} list;

/* ---- Units ---- */

/* The instances of the object that an instance belongs to. */
static sl_instance_range unit_object(const sl_bvh *bvh, uint32_t instance)
{
    const sli_instances *all = bvh->instances;
    if (all == NULL || all->first == NULL) {
        return (sl_instance_range){ instance, 1 };
    }
    const uint32_t *first = all->first + sli_instances_index(all, instance);
    return (sl_instance_range){ first[0], first[1] - first[0] };
}

/* A number that is another one for each unit. */
static uint64_t unit_of(const sli_pick_query *q, uint32_t instance, uint32_t prim)
{
    const sl_topology *topology = sli_pick_topology(q, instance);
    switch (q->def.unit) {
    case SL_PICK_PARTS:
        return (uint64_t)instance << 32 |
               (topology != NULL ? sl_topology_element_of(topology, prim, SL_PARTS, 0) : SL_NONE);
    case SL_PICK_FACES:
        return (uint64_t)instance << 32 |
               (topology != NULL ? sl_topology_element_of(topology, prim, SL_FACES, 0) : prim);
    case SL_PICK_INSTANCES:
        return instance;
    default:
        return unit_object(q->bvh, instance).first;
    }
}

/* ---- One pick ---- */

static bool is_nearer(const sl_pick *a, const sl_pick *b)
{
    return SLI_IS_NEARER(a, b);
}

/* Whether it counts, and its flags. */
static bool is_there(sli_pick_search *s, const sli_candidate *candidate, uint32_t *flags)
{
    *flags = 0;
    if (candidate->kind == SL_PICK_FACE) {
        return true;
    }
    const bool seen = !sli_visibility_knows_hidden(&s->visibility, candidate) &&
                      sli_visibility_is_seen(&s->visibility, candidate);
    *flags = seen ? 0 : (uint32_t)SL_PICK_HIDDEN;
    return seen || s->def->hidden;
}

/* ---- Lists ---- */

/* The slot of the first number that is not lower. */
static size_t list_number_slot(const list *l, uint64_t unit)
{
    return SLI_FIRST(i, 0, l->number_count, l->number[i] >= unit);
}

static void list_count_unit(list *l, size_t at, uint64_t unit)
{
    if (at == NUMBERS) {
        l->more = true;
        return;
    }
    l->more = l->more || l->number_count == NUMBERS;
    l->number_count -= l->number_count == NUMBERS;
    memmove(&l->number[at + 1], &l->number[at], (l->number_count - at) * sizeof *l->number);
    l->number[at] = unit;
    l->number_count++;
}

/* Where the unit is in the list; its count where it is not. */
static size_t list_index(const list *l, uint64_t unit)
{
    size_t i = 0;
    while (i < l->count && unit_of(l->query, l->out[i].instance, l->out[i].prim) != unit) {
        i++;
    }
    return i;
}

/* In place of what was known of its unit, or of the farthest one. */
static void list_put(list *l, size_t known, const sl_pick *pick)
{
    size_t at = known < l->count ? known : l->count < l->capacity ? l->count++ : l->count - 1;
    for (; at > 0 && is_nearer(pick, &l->out[at - 1]); at--) {
        l->out[at] = l->out[at - 1];
    }
    l->out[at] = *pick;
}

static void list_take(void *context, const sli_candidate *candidate)
{
    list *l = context;
    const uint64_t unit = unit_of(l->query, candidate->instance, candidate->prim);
    const size_t at = list_number_slot(l, unit);
    const bool counted = unit < l->floor || (at < l->number_count && l->number[at] == unit);
    size_t known = 0;
    bool listed = false;
    sl_pick pick;
    uint32_t flags;
    if (!l->counts_only && l->capacity > 0) {
        sli_pick_write(l->query, candidate, 0, &pick);
        known = list_index(l, unit);
        listed = known < l->count
                     ? is_nearer(&pick, &l->out[known])
                     : l->count < l->capacity || is_nearer(&pick, &l->out[l->count - 1]);
    }
    if ((counted && !listed) || !is_there(l->search, candidate, &flags)) {
        return;
    }
    if (!counted) {
        list_count_unit(l, at, unit);
    }
    if (listed) {
        pick.flags |= flags;
        list_put(l, known, &pick);
    }
}

/* Faces along the ray, as candidates. */
typedef struct faces {
    const sli_pick_query *query;
    const sli_pick_search *search;
    sl_ray_d ray;
} faces;

static void faces_take(void *context, const sl_hit_d *hit)
{
    const faces *f = context;
    sli_candidate face;
    sli_pick_face(f->query, &f->ray, hit, &face);
    f->search->take(f->search->take_context, &face);
}

/* Shows s->take all that is near, seen or not. */
static void list_walk(const sli_pick_query *q, sli_pick_search *s)
{
    faces f = { .query = q, .search = s };
    sli_world_ray exact;
    if ((q->def.kinds & SL_PICK_FACE) != 0 && sli_pick_ray(q, &f.ray, &exact)) {
        (void)q->bvh->kernels->world_all(&q->bvh->world, &exact, faces_take, &f, q->stats);
    }
    s->found = false;
    if (s->kinds != 0 && !s->cut_short) {
        sli_pick_search_run(s);
    }
}

static void list_begin(const sli_pick_query *q, sli_pick_pool *pool, sli_pick_search *s)
{
    sli_pick_search_begin(q, (sl_triangle_ref){ 0, SL_NONE }, pool, s);
    s->kinds = q->def.kinds & (SL_PICK_EDGE | SL_PICK_VERTEX);
}

static SLI_NOINLINE size_t list_all(const sli_pick_query *q, sl_pick *out, size_t capacity)
{
    sli_pick_search s;
    sli_pick_pool pool;
    list l = { .query = q, .search = &s, .out = out, .capacity = capacity };
    size_t total = 0;
    list_begin(q, &pool, &s);
    s.take = list_take;
    s.take_context = &l;
    do {
        l.more = false;
        l.number_count = 0;
        list_walk(q, &s);
        total += l.number_count;
        l.floor = l.number_count > 0 ? l.number[l.number_count - 1] + 1 : l.floor;
        l.counts_only = true;
    } while (l.more && !s.cut_short);
    for (size_t i = 0; i < l.count && s.cut_short; i++) {
        out[i].flags |= SL_PICK_CUT_SHORT;
    }
    return total;
}

/* ---- The next one ---- */

/* The nearest pick behind another one, of all units or of one. */
typedef struct nearest {
    const sli_pick_query *query;
    sli_pick_search *search;
    const sl_pick *after; /* NULL: from the first on */
    bool of_one;
    uint64_t unit;
    bool found;
    sl_pick best;
} nearest;

static void nearest_take(void *context, const sli_candidate *candidate)
{
    nearest *n = context;
    sl_pick pick;
    uint32_t flags;
    if (n->of_one && unit_of(n->query, candidate->instance, candidate->prim) != n->unit) {
        return;
    }
    sli_pick_write(n->query, candidate, 0, &pick);
    if ((n->after != NULL && !is_nearer(n->after, &pick)) ||
        (n->found && !is_nearer(&pick, &n->best)) || !is_there(n->search, candidate, &flags)) {
        return;
    }
    pick.flags |= flags;
    n->best = pick;
    n->found = true;
}

/* Finds it. */
static bool nearest_find(nearest *n)
{
    n->found = false;
    n->search->take = nearest_take;
    n->search->take_context = n;
    list_walk(n->query, n->search);
    return n->found;
}

/* The first unit whose nearest pick is behind another, which is the nearest of its own unit: pick
 * by pick, until one is the nearest of its unit.  For more units than NEXT. */
static SLI_NOINLINE bool find_behind(const sli_pick_query *q, const sl_pick *from, sl_pick *out)
{
    sli_pick_search s;
    sli_pick_pool pool;
    nearest n = { .query = q, .search = &s };
    sl_pick at = *from;
    list_begin(q, &pool, &s);
    for (;;) {
        n.after = &at;
        n.of_one = false;
        if (!nearest_find(&n)) {
            return false;
        }
        const sl_pick next = n.best;
        n.after = NULL;
        n.of_one = true;
        n.unit = unit_of(q, next.instance, next.prim);
        if (!nearest_find(&n) || !is_nearer(&n.best, &next)) {
            *out = next;
            return true;
        }
        at = next;
    }
}

/* The nearest of a unit. */
static SLI_NOINLINE bool find_of_unit(const sli_pick_query *q, uint64_t unit, sl_pick *out)
{
    sli_pick_search s;
    sli_pick_pool pool;
    nearest n = { .query = q, .search = &s, .of_one = true, .unit = unit };
    list_begin(q, &pool, &s);
    const bool found = nearest_find(&n);
    *out = n.best;
    return found;
}

static SLI_NOINLINE bool find_next(const sli_pick_query *q, const sl_pick *selected, sl_pick *out)
{
    sl_pick first[NEXT], of_selected;
    const size_t total = list_all(q, first, NEXT), count = total < NEXT ? total : NEXT;
    if (total == 0) {
        return false;
    }
    const bool is_known = selected != NULL && selected->instance < q->bvh->world.count;
    const uint64_t unit = is_known ? unit_of(q, selected->instance, selected->prim) : 0;
    *out = first[0]; /* which selected may be */
    if (!is_known) {
        return true;
    }
    size_t i = 0;
    while (i < count && unit_of(q, first[i].instance, first[i].prim) != unit) {
        i++;
    }
    if (i + 1 < count) {
        *out = first[i + 1];
    } else if (total > NEXT && (first[0].flags & SL_PICK_CUT_SHORT) == 0 &&
               find_of_unit(q, unit, &of_selected)) {
        (void)find_behind(q, &of_selected, out);
    }
    return true;
}

/* ---- The public face ---- */

static size_t answer_all(const sli_pick_query *query, const sli_pick_call *call)
{
    return list_all(query, call->out, call->capacity);
}

static size_t answer_next(const sli_pick_query *query, const sli_pick_call *call)
{
    return find_next(query, call->selected, call->out);
}

size_t sl_pick_all(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                   const sl_pick_def *def, sl_pick *out, size_t capacity)
{
    return sli_pick_answer(&(sli_pick_call){ .bvh = bvh,
                                             .view = view,
                                             .xy = xy,
                                             .def = def,
                                             .answer = answer_all,
                                             .out = out,
                                             .capacity = capacity });
}

bool sl_pick_next(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                  const sl_pick_def *def, const sl_pick *selected, sl_pick *out)
{
    return sli_pick_answer(&(sli_pick_call){ .bvh = bvh,
                                             .view = view,
                                             .xy = xy,
                                             .def = def,
                                             .answer = answer_next,
                                             .out = out,
                                             .selected = selected }) != 0;
}

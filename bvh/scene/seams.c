/* sl_bvh_find_seams: pairs of corners of different instances that nearly coincide, from a hash
 * grid whose cells are 16 tolerances wide, so that mostly one of them has to be searched. */
#include "bvh/scene/corners.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"

/* The first `capacity` seams so far, as a heap with the last of them on top. */
typedef struct search {
    const sli_corners *corners;
    double tolerance;
    double reach; /* no corners farther apart than this differ by the tolerance, once rounded */
    sl_seam *heap;
    size_t capacity;
    sl_seams_report report;
} search;

static int compare_corners(const sl_seam_corner *a, const sl_seam_corner *b)
{
    const uint32_t x[3] = { a->triangle.instance, a->triangle.prim, a->vertex };
    const uint32_t y[3] = { b->triangle.instance, b->triangle.prim, b->vertex };
    for (int i = 0; i < 3; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool seam_before(const sl_seam *x, const sl_seam *y)
{
    const int a = compare_corners(&x->a, &y->a);
    return (a != 0 ? a : compare_corners(&x->b, &y->b)) < 0;
}

static void seam_heap_add(sl_seam *seams, size_t capacity, uint64_t total, const sl_seam *seam);
static void seam_heap_sort(sl_seam *seams, size_t capacity, uint64_t total);

#define HIT           sl_seam
#define HIT_BEFORE    seam_before
#define HIT_HEAP_ADD  seam_heap_add
#define HIT_HEAP_SORT seam_heap_sort
#include "lib/geom/intersect/hit_heap.inl"

static void add_seam(search *s, const sl_seam_corner *one, const sl_seam_corner *other,
                     double distance)
{
    const bool ordered = one->triangle.instance < other->triangle.instance;
    const sl_seam seam = { ordered ? *one : *other, ordered ? *other : *one, distance };
    s->report.worst = fmax(s->report.worst, distance);
    seam_heap_add(s->heap, s->capacity, s->report.count++, &seam);
}

/* Both lists are by instance; *at follows along. */
static bool has_instance(const sli_corner_member *members, uint32_t *at, uint32_t instance)
{
    while (*at != SLI_NO_CORNER && members[*at].corner.triangle.instance < instance) {
        *at = members[*at].next;
    }
    return *at != SLI_NO_CORNER && members[*at].corner.triangle.instance == instance;
}

/* Whether both locations have the same instances. */
static bool are_alike(const sli_corner_member *members, uint32_t one, uint32_t other)
{
    while (one != SLI_NO_CORNER && other != SLI_NO_CORNER &&
           members[one].corner.triangle.instance == members[other].corner.triangle.instance) {
        one = members[one].next;
        other = members[other].next;
    }
    return one == other;
}

/* The seams between two locations.  A pair is none if each has an equal in the other one: if the
 * instances of both are at both locations. */
static void pair_locations(search *s, const sli_corner_location *p, const sli_corner_location *q,
                           double distance)
{
    const sli_corner_member *members = s->corners->members;
    if (are_alike(members, p->first, q->first)) {
        return;
    }
    uint32_t in_q = q->first;
    for (uint32_t i = p->first; i != SLI_NO_CORNER; i = members[i].next) {
        const sl_seam_corner *a = &members[i].corner;
        const bool a_in_q = has_instance(members, &in_q, a->triangle.instance);
        uint32_t in_p = p->first;
        for (uint32_t k = q->first; k != SLI_NO_CORNER; k = members[k].next) {
            const sl_seam_corner *b = &members[k].corner;
            const bool b_in_p = has_instance(members, &in_p, b->triangle.instance);
            if (a->triangle.instance != b->triangle.instance && !(a_in_q && b_in_p)) {
                add_seam(s, a, b, distance);
            }
        }
    }
}

/* Searches the locations of a cell that come before this one; the chain may have some of other
 * cells, too. */
static void search_cell(search *s, uint32_t at, const double cell[3])
{
    const sli_corner_location *locations = s->corners->locations, *p = &locations[at];
    for (uint32_t i = sli_corners_chain(s->corners, cell); i != SLI_NO_CORNER;
         i = locations[i].next) {
        double distance = 0;
        bool here = i < at;
        for (int axis = 0; axis < 3 && here; axis++) {
            distance = fmax(distance, fabs(locations[i].x[axis] - p->x[axis]));
            here = distance <= s->tolerance &&
                   sli_corners_cell(s->corners, locations[i].x[axis]) == cell[axis];
        }
        if (here) {
            pair_locations(s, &locations[i], p, distance);
        }
    }
}

/* All cells that hold a point within reach: one or two along each axis, since floor, quotient and
 * sum are monotonic. */
static void search_around(search *s, uint32_t at)
{
    double ends[2][3];
    for (int axis = 0; axis < 3; axis++) {
        const double x = s->corners->locations[at].x[axis];
        ends[0][axis] = sli_corners_cell(s->corners, x - s->reach);
        ends[1][axis] = sli_corners_cell(s->corners, x + s->reach);
    }
    for (int i = 0; i < 8; i++) {
        double cell[3];
        bool first = true; /* of the ways to name this cell */
        for (int axis = 0; axis < 3; axis++) {
            const int end = i >> axis & 1;
            cell[axis] = ends[end][axis];
            first = first && (end == 0 || ends[0][axis] != ends[1][axis]);
        }
        if (first) {
            search_cell(s, at, cell);
        }
    }
}

static void count_members(search *s, const sli_corner_location *location)
{
    const sli_corner_member *members = s->corners->members;
    uint64_t count = 0;
    for (uint32_t i = location->first; i != SLI_NO_CORNER; i = members[i].next) {
        count++;
    }
    s->report.corners += count;
    s->report.shared += count > 1 ? count : 0;
}

/* A 2^20th of the largest coordinate, or a 2^10th of the smallest instance. */
static double default_tolerance(const sl_bvh *bvh)
{
    double largest = 0, smallest = INFINITY;
    const sl_aabb_d box = sl_bvh_bounds(bvh);
    for (uint32_t i = 0; i < bvh->world.count; i++) {
        if (bvh->world.transformed[i].tree != NULL) {
            smallest = fmin(smallest, 2 * bvh->world.transformed[i].half);
        }
    }
    for (int axis = 0; axis < 3 && smallest < INFINITY; axis++) {
        largest = fmax(largest, fmax(fabs(box.min[axis]), fabs(box.max[axis])));
    }
    return fmax(fmin(0x1p-20 * largest, 0x1p-10 * smallest), 0x1p-149);
}

static SLI_NOINLINE sl_result seams_find(const sl_bvh *bvh, const sl_allocator *allocator,
                                         search *s, sl_error *error)
{
    sli_corners corners;
    s->report.tolerance = s->tolerance = s->tolerance > 0 ? s->tolerance : default_tolerance(bvh);
    s->reach = nextafter(fmin(s->tolerance, 0x1p190), INFINITY); /* beyond the width of any world */
    const double cell = fmin(fmax(16 * s->tolerance, 0x1p-145), 0x1p200); /* quotients are finite */
    const sl_result result = sli_corners_make(bvh, allocator, cell, &corners, error);
    s->corners = &corners;
    for (size_t i = 0; i < corners.location_count && result == SL_OK; i++) {
        count_members(s, &corners.locations[i]);
        search_around(s, (uint32_t)i);
    }
    sli_corners_free(&corners);
    return result;
}

static sl_result check_arguments(const sl_bvh *bvh, const sl_seam *seams, size_t capacity,
                                 const sl_seams_def *options, sl_error *error)
{
    if (bvh == NULL) {
        return sli_refuse(error, "bvh is NULL");
    }
    if (seams == NULL && capacity > 0) {
        return sli_refuse(error, "seams is NULL, and there should be room for %zu", capacity);
    }
    if (!(options->tolerance >= 0 && options->tolerance < INFINITY)) {
        return sli_refuse(error, "sl_seams_def.tolerance is %g; it must be 0 or more, and finite",
                          options->tolerance);
    }
    return sli_check_allocator(&options->hooks.allocator, error);
}

sl_result sl_bvh_find_seams(const sl_bvh *bvh, const sl_seams_def *def, sl_seam *seams,
                            size_t capacity, sl_seams_report *report, sl_error *error)
{
    const sl_seams_def options = def != NULL ? *def : (sl_seams_def){ 0 };
    search s = { .heap = seams, .capacity = capacity };
    const sli_fpenv saved = sli_fpenv_enter();
    sl_result result = check_arguments(bvh, seams, capacity, &options, error);
    if (result == SL_OK) {
        const sl_allocator allocator = sli_allocator(&options.hooks.allocator);
        s.tolerance = options.tolerance;
        result = seams_find(bvh, &allocator, &s, error);
    }
    sli_fpenv_leave(saved);
    if (result == SL_OK) {
        seam_heap_sort(seams, capacity, s.report.count);
        if (report != NULL) {
            *report = s.report;
        }
    }
    return result;
}

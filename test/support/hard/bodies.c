#include "test/support/hard/bodies.h"
#include "lib/geom/exact/valid.h"
#include "test/support/oracle/frustum_oracle.h"
#include "test/support/oracle/support_oracle.h"
#include "test/support/test.h"

static bool nudged; /* zeros of the lattice are sometimes moved by very little */

static float number(test_random *random, hard_numbers numbers, float before, int size)
{
    const float x = hard_number(random, numbers, before, size);
    if (!nudged || x != 0 || test_random_below(random, 3) == 0) {
        return x;
    }
    const float hair = ldexpf(1, -50 - (int)test_random_below(random, 100));
    return test_random_below(random, 2) != 0 ? hair : -hair;
}

static void numbers_into(test_random *random, hard_numbers numbers, int size, int count, float *x)
{
    for (int i = 0; i < count; i++) {
        x[i] = number(random, numbers, i >= 3 ? x[i - 3] : 0, size);
    }
}

static float length(test_random *random, hard_numbers numbers, int size)
{
    return fabsf(number(random, numbers, 1, size));
}

void hard_body_triangle(test_random *random, hard_numbers numbers, hard_body *out)
{
    numbers_into(random, numbers, 4, 9, &out->triangle.v[0][0]);
}

void hard_aabb(test_random *random, hard_numbers numbers, hard_body *out)
{
    float a[3], b[3];
    numbers_into(random, numbers, 3, 3, a);
    for (int axis = 0; axis < 3; axis++) {
        b[axis] = number(random, numbers, a[axis], 3);
    }
    out->aabb = sl_aabb_from_corners(a, b);
}

void hard_infinite_aabb(test_random *random, hard_numbers numbers, hard_body *out)
{
    hard_aabb(random, numbers, out);
    for (int i = 0; i < 6; i++) {
        if (test_random_below(random, 4) == 0) {
            out->number[i] = i < 3 ? -INFINITY : INFINITY;
        }
    }
}

/* Rows at right angles and of length 1, 3 and 5; turned about, mirrored or not. */
static void whole_axes(test_random *random, float axis[3][3])
{
    static const float bases[3][3][3] = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                                          { { 1, 2, 2 }, { 2, 1, -2 }, { 2, -2, 1 } },
                                          { { 3, 4, 0 }, { -4, 3, 0 }, { 0, 0, 5 } } };
    const int base = (int)test_random_below(random, 3), turn = (int)test_random_below(random, 3);
    for (int i = 0; i < 3; i++) {
        const float sign = test_random_below(random, 2) != 0 ? 1.0f : -1.0f;
        for (int j = 0; j < 3; j++) {
            axis[i][j] = sign * bases[base][i][(j + turn) % 3];
        }
    }
}

void hard_obb(test_random *random, hard_numbers numbers, hard_body *out)
{
    sl_obb *box = &out->obb;
    numbers_into(random, numbers, 4, 3, box->centre);
    if (numbers == HARD_LATTICE && test_random_below(random, 2) != 0) {
        whole_axes(random, box->axis);
    } else {
        numbers_into(random, numbers, 2, 9, box->axis[0]);
    }
    for (int i = 0; i < 3; i++) {
        box->half[i] = length(random, numbers, 4);
        box->half[i] /= numbers == HARD_LATTICE ? 2 : 1;
    }
}

void hard_sphere(test_random *random, hard_numbers numbers, hard_body *out)
{
    numbers_into(random, numbers, 5, 3, out->sphere.centre);
    out->sphere.radius = length(random, numbers, 4);
}

void hard_capsule(test_random *random, hard_numbers numbers, hard_body *out)
{
    numbers_into(random, numbers, 5, 3, out->capsule.p);
    for (int axis = 0; axis < 3; axis++) {
        out->capsule.q[axis] = number(random, numbers, out->capsule.p[axis], 5);
    }
    out->capsule.radius = length(random, numbers, 3);
}

void hard_plane(test_random *random, hard_numbers numbers, hard_body *out)
{
    out->plane.offset = number(random, numbers, 1, 5);
    do {
        numbers_into(random, numbers, 2, 3, out->plane.normal);
    } while (!sli_plane_is_valid(&out->plane));
}

void hard_frustum(test_random *random, hard_numbers numbers, hard_body *out)
{
    const uint32_t count = test_random_below(random, SL_FRUSTUM_PLANES_MAX + 1);
    const bool holds_middle = test_random_below(random, 2) != 0;
    sl_frustum frustum = { .count = count };
    for (uint32_t i = 0; i < count; i++) {
        hard_body plane = { .plane = { { 0 }, 0 } };
        hard_plane(random, numbers, &plane);
        frustum.plane[i] = plane.plane;
        if (holds_middle) {
            frustum.plane[i].offset = fabsf(frustum.plane[i].offset);
        }
    }
    out->frustum = frustum;
}

/* The last coordinate comes near or far, the first makes up for that, and the second for what the
 * rounding of the first has left; summed up in this order the large parts cancel last. */
void hard_point_by_plane(test_random *random, sl_plane *plane, float point[3])
{
    float *n = plane->normal;
    const double offset = (double)plane->offset;
    const int size = (int)test_random_below(random, 40) - 20;
    const double gap = (double)ldexpf(test_random_in(random, -1, 1), size);
    n[0] = test_random_in(random, 1, 2) * 0x1p-20f;
    n[1] = test_random_in(random, 1, 2) * 0x1p-40f;
    point[2] = (float)((offset - gap) / (double)n[2]);
    const double first = offset - (double)n[2] * (double)point[2];
    point[0] = (float)(first / (double)n[0]);
    const double second = first - (double)n[0] * (double)point[0];
    point[1] = (float)(second / (double)n[1]);
}

/* ---- Kinds of bodies ---- */

typedef struct shape {
    hard_maker *make;
    const char *name;
    sl_volume_kind kind; /* a plane is none */
    int count;           /* how many numbers it is */
} shape;

static const shape *shape_of(hard_maker *make)
{
    static const shape shapes[] = {
        { hard_body_triangle, "triangle", SL_VOLUME_TRIANGLE, 9 },
        { hard_aabb, "box", SL_VOLUME_AABB, 6 },
        { hard_infinite_aabb, "infinite box", SL_VOLUME_AABB, 6 },
        { hard_obb, "obb", SL_VOLUME_OBB, 15 },
        { hard_sphere, "sphere", SL_VOLUME_SPHERE, 4 },
        { hard_capsule, "capsule", SL_VOLUME_CAPSULE, 7 },
        { hard_frustum, "frustum", SL_VOLUME_FRUSTUM, 32 },
        { hard_plane, "plane", SL_VOLUME_FRUSTUM, 4 },
    };
    const shape *found = shapes;
    while (found->make != make) {
        found++;
    }
    return found;
}

static void print_body(const char *name, hard_maker *make, const hard_body *body)
{
    print_message("%s =", name);
    for (int i = 0; i < shape_of(make)->count; i++) {
        print_message(" %a", (double)body->number[i]);
    }
    print_message("\n");
}

static sl_volume volume_of(hard_maker *make, const hard_body *body)
{
    sl_volume volume = { .kind = shape_of(make)->kind };
    memcpy(&volume.shape, body, sizeof volume.shape);
    return volume;
}

/* -1: there is no such call. */
static int overlap(const sl_volume *volume, sl_volume_kind kind, const hard_body *body)
{
    switch (kind) {
    case SL_VOLUME_AABB:
        return sl_volume_overlaps_aabb(volume, &body->aabb);
    case SL_VOLUME_SPHERE:
        return sl_volume_overlaps_sphere(volume, &body->sphere);
    case SL_VOLUME_OBB:
        return sl_volume_overlaps_obb(volume, &body->obb);
    case SL_VOLUME_TRIANGLE:
        return sl_volume_overlaps_triangle(volume, &body->triangle);
    default:
        return -1;
    }
}

static int ask(const hard_query *q, const hard_body *a, const hard_body *b)
{
    const sl_volume volume_a = volume_of(q->make_a, a), volume_b = volume_of(q->make_b, b);
    if (q->make_a == hard_plane) {
        return sl_plane_side_of(&a->plane, &volume_b);
    }
    const int one = overlap(&volume_b, volume_a.kind, a),
              other = overlap(&volume_a, volume_b.kind, b);
    assert_true(one == other || one < 0 || other < 0);
    return one < 0 ? other : one;
}

/* ---- What is right ---- */

/* A body is all within the radius, which is returned, of the hull of the points. */
static float hull_of(hard_maker *make, const hard_body *body, oracle_point_set *points)
{
    if (make == hard_aabb) {
        oracle_point_set_aabb(points, &body->aabb);
    } else if (make == hard_obb) {
        oracle_point_set_obb(points, &body->obb);
    } else {
        const int count = make == hard_body_triangle ? 3 : make == hard_capsule ? 2 : 1;
        oracle_point_set_points(points, count, body->number);
    }
    return make == hard_sphere    ? body->sphere.radius
           : make == hard_capsule ? body->capsule.radius
                                  : 0;
}

static int right_of_frustum(const sl_frustum *frustum, sl_volume_kind kind, const hard_body *body)
{
    switch (kind) {
    case SL_VOLUME_AABB:
        return oracle_frustum_aabb(frustum, &body->aabb);
    case SL_VOLUME_SPHERE:
        return oracle_frustum_sphere(frustum, &body->sphere) <= 0;
    case SL_VOLUME_OBB:
        return oracle_frustum_obb(frustum, &body->obb);
    default:
        return oracle_frustum_triangle(frustum, &body->triangle);
    }
}

static int right_answer(const hard_query *q, const hard_body *a, const hard_body *b)
{
    static oracle_point_set first, second;
    if (q->right != NULL) {
        return q->right(a, b);
    }
    if (q->make_b == hard_frustum) {
        return right_of_frustum(&b->frustum, shape_of(q->make_a)->kind, a);
    }
    const float r1 = hull_of(q->make_a, a, &first), r2 = hull_of(q->make_b, b, &second);
    return oracle_compare_distance(&first, &second, r1, r2) <= 0;
}

int hard_run_one(const hard_query *q, const hard_body *a, const hard_body *b)
{
    const int got = ask(q, a, b), right = right_answer(q, a, b);
    if (got != right) {
        print_body("a", q->make_a, a);
        print_body("b", q->make_b, b);
        print_message("%s and %s: got %d, right is %d\n", shape_of(q->make_a)->name,
                      shape_of(q->make_b)->name, got, right);
    }
    assert_int_equal(got, right);
    return right;
}

/* ---- Many pairs ---- */

typedef struct tally {
    size_t cases, apart;
} tally;

static void add(tally *t, int answer)
{
    t->cases++;
    t->apart += answer == 0;
}

static void assert_mixed(const hard_query *q, const char *what, const tally *t)
{
    print_message("%s and %s, %s: %zu cases, %zu apart\n", shape_of(q->make_a)->name,
                  shape_of(q->make_b)->name, what, t->cases, t->apart);
    assert_true(t->apart >= t->cases / 100);
    assert_true(t->apart <= t->cases - t->cases / 100);
}

static void query_kind(const hard_query *query, hard_numbers numbers, const char *what,
                       uint64_t seed, size_t rounds)
{
    test_random random = { seed };
    tally t = { 0, 0 };
    for (size_t i = 0; i < rounds; i++) {
        hard_body a, b;
        query->make_a(&random, numbers, &a);
        query->make_b(&random, numbers, &b);
        add(&t, hard_run_one(query, &a, &b));
    }
    assert_mixed(query, what, &t);
}

void hard_run(const hard_query *query, uint64_t seed, size_t rounds)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    query_kind(query, HARD_LATTICE, "lattice", seed, 2 * rounds);
    query_kind(query, HARD_WILD, "wild", seed + 1, rounds);
    query_kind(query, HARD_EXTREME, "extreme", seed + 2, rounds);
    nudged = true;
    query_kind(query, HARD_LATTICE, "nudged", seed + 3, 2 * rounds);
    nudged = false;
}

/* Maps floats to integers in the same order; and back. */
static int32_t rank_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT32_MIN - bits;
}

static float of_rank(int32_t rank)
{
    const int32_t bits = rank >= 0 ? rank : INT32_MIN - rank;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* False if the answers at *low and *high are the same; otherwise these become neighbours. */
static bool narrow(const hard_query *q, const hard_body *a, hard_body *b, int number, float *low,
                   float *high)
{
    int32_t from = rank_of(*low), to = rank_of(*high);
    b->number[number] = *high;
    const int last = ask(q, a, b);
    b->number[number] = *low;
    const int first = ask(q, a, b);
    if (first == last) {
        return false;
    }
    while ((int64_t)to - from > 1) {
        const int32_t middle = (int32_t)(((int64_t)from + to) / 2);
        b->number[number] = of_rank(middle);
        *(ask(q, a, b) == first ? &from : &to) = middle;
    }
    *low = of_rank(from);
    *high = of_rank(to);
    return true;
}

void hard_run_where_it_changes(const hard_query *query, int number, float low, float high,
                               uint64_t seed, size_t rounds)
{
    test_random random = { seed };
    tally t = { 0, 0 };
    for (size_t i = 0; i < rounds; i++) {
        hard_body a, b;
        float from = low, to = high;
        query->make_a(&random, i % 2 == 0 ? HARD_LATTICE : HARD_WILD, &a);
        query->make_b(&random, i % 2 == 0 ? HARD_LATTICE : HARD_WILD, &b);
        if (!narrow(query, &a, &b, number, &from, &to)) {
            continue;
        }
        b.number[number] = from;
        add(&t, hard_run_one(query, &a, &b));
        b.number[number] = to;
        add(&t, hard_run_one(query, &a, &b));
    }
    assert_mixed(query, "where it changes", &t);
    assert_true(t.cases > rounds / 20);
}

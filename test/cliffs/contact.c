#include "test/cliffs/contact.h"

#include "test/cliffs/draw.h"
#include "test/cliffs/plain.h"
#include "test/cliffs/questions.h"
#include "test/cliffs/world_places.h"

#include <sightline/clash.h>
#include <sightline/sweep.h>

#include <stdlib.h>
#include <string.h>

enum { HULL_POINTS = 16 };

struct cliff_contact {
    cliff_case made;
    bool is_there;
    cliff_shape *shape[2];
    cliff_scene scene[2]; /* the first also meets sweeps */
    cliff_scene object;   /* of the other mesh, where that is an instance */
    sl_bvh *instance;
    plain_tree *plain[2][PLAIN_SPLITS];
    plain_found found[PLAIN_SPLITS];
    size_t count; /* sweeps */
    sl_sweep_d *sweeps;
    double *points; /* of hulls */
    double *t;      /* that plain walks find, of each split */
    sl_contact *contacts;
    sl_distance distance;
    size_t total;
    uint8_t any;
};

cliff_contact *contact_open(void)
{
    return calloc(1, sizeof(cliff_contact));
}

static void drop(cliff_contact *k)
{
    for (int side = 0; side < 2; side++) {
        for (int split = 0; split < PLAIN_SPLITS; split++) {
            plain_free(k->plain[side][split]);
        }
        shape_free(k->shape[side]);
        scene_free(&k->scene[side]);
    }
    sl_bvh_destroy(k->instance);
    scene_free(&k->object);
    free(k->sweeps);
    free(k->points);
    free(k->t);
    free(k->contacts);
    *k = (cliff_contact){ .is_there = false };
}

void contact_close(cliff_contact *k)
{
    if (k != NULL) {
        drop(k);
    }
    free(k);
}

static contact_kind kind_of(const cliff_case *c)
{
    return (contact_kind)case_int(c, CASE_CONTACT);
}

static bool is_sweep(const cliff_case *c)
{
    return kind_of(c) >= CONTACT_SPHERE;
}

/* ---- Making ---- */

/* The place of the other mesh, whose middle is that of its shape times its size. */
static sl_transform place_of_other(const cliff_case *c, const cliff_contact *k)
{
    test_random random = { (uint64_t)c->field[CASE_RAY_SEED] };
    const double size = c->field[CASE_SIZE] * c->field[CASE_OTHER_SIZE];
    const double reach = k->scene[0].unit + k->shape[1]->unit * size;
    double linear[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, along[3];
    sl_transform place = sl_transform_identity();
    draw_direction(&random, along);
    if (test_random_below(&random, 2) != 0) {
        const uint32_t which = test_random_below(&random, 3);
        for (uint32_t axis = 0; axis < 3; axis++) {
            along[axis] = axis == which;
        }
    }
    if (case_int(c, CASE_TURNED) == TURN_ANY) {
        draw_rotation(&random, linear);
    }
    for (int axis = 0; axis < 3; axis++) {
        place.m[axis][3] = k->scene[0].centre[axis] + c->field[CASE_APART] * reach * along[axis];
        for (int i = 0; i < 3; i++) {
            place.m[axis][i] = linear[axis][i];
            place.m[axis][3] -= linear[axis][i] * size * k->shape[1]->centre[i];
        }
    }
    return place;
}

/* Corners of the other mesh as floats, in its own space or in its place. */
static bool make_other(const cliff_case *c, const cliff_contact *k, const sl_transform *place,
                       cliff_scene *out)
{
    const cliff_shape *shape = k->shape[1];
    const double size = c->field[CASE_SIZE] * c->field[CASE_OTHER_SIZE];
    float *xyz = malloc(9 * shape->count * sizeof *xyz);
    for (size_t i = 0; i < 3 * shape->count && xyz != NULL; i++) {
        const double *from = shape->corner + 3 * i;
        for (size_t axis = 0; axis < 3; axis++) {
            const double *m = place->m[axis];
            xyz[3 * i + axis] =
                (float)(size * (m[0] * from[0] + m[1] * from[1] + m[2] * from[2]) + m[3]);
        }
    }
    return scene_of_corners(c, xyz, shape->count, out);
}

static bool make_pair(const cliff_case *c, cliff_contact *k)
{
    cliff_case other = *c;
    other.field[CASE_MESH] = c->field[CASE_OTHER];
    k->shape[1] = shape_make(&other);
    if (k->shape[1] == NULL) {
        return false;
    }
    const sl_transform place = place_of_other(c, k), here = sl_transform_identity();
    if (!make_other(c, k, &place, &k->scene[1])) {
        return false;
    }
    if (case_int(c, CASE_OTHER_AS) == OTHER_TREE) {
        return true;
    }
    if (!make_other(c, k, &here, &k->object)) {
        return false;
    }
    sl_instance one = sl_instance_of(k->object.bvh);
    one.transform = place;
    return sl_bvh_build_instances(&one, 1, NULL, &k->instance, NULL) == SL_OK;
}

static sl_volume_d moving_volume(const cliff_case *c, const double p[3], double radius,
                                 double points[3 * HULL_POINTS], test_random *random)
{
    static const sl_volume_kind kinds[CONTACT_KINDS] = { [CONTACT_SPHERE] = SL_VOLUME_SPHERE,
                                                         [CONTACT_CAPSULE] = SL_VOLUME_CAPSULE,
                                                         [CONTACT_BOX] = SL_VOLUME_OBB };
    sl_volume_d v = { .kind = SL_VOLUME_HULL };
    if (kind_of(c) != CONTACT_HULL) {
        return volume_at(kinds[kind_of(c)], p, radius);
    }
    for (int i = 0; i < HULL_POINTS; i++) {
        double along[3];
        draw_direction(random, along);
        for (int axis = 0; axis < 3; axis++) {
            points[3 * i + axis] = p[axis] + radius * along[axis];
        }
    }
    v.shape.hull = (sl_hull_d){ points, HULL_POINTS };
    return v;
}

static bool make_sweeps(const cliff_case *c, cliff_contact *k)
{
    bench_rays rays;
    test_random random = { (uint64_t)c->field[CASE_RAY_SEED] };
    if (!rays_make(c, &k->scene[0], &rays)) {
        return false;
    }
    k->count = rays.count;
    k->sweeps = calloc(k->count, sizeof *k->sweeps);
    k->points = calloc(k->count, 3 * HULL_POINTS * sizeof *k->points);
    k->t = calloc(k->count, PLAIN_SPLITS * sizeof *k->t);
    k->contacts = calloc(k->count, sizeof *k->contacts);
    const bool done = k->sweeps != NULL && k->points != NULL && k->t != NULL && k->contacts != NULL;
    for (size_t i = 0; i < k->count && done; i++) {
        const sl_segment *s = &rays.segments[i];
        double p[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = (double)s->p[axis];
            k->sweeps[i].dir[axis] = (double)s->q[axis] - p[axis];
        }
        k->sweeps[i].volume = moving_volume(c, p, c->field[CASE_RADIUS] * k->scene[0].unit,
                                            k->points + 3 * HULL_POINTS * i, &random);
    }
    bench_rays_free(&rays);
    return done;
}

static bool make_plain(cliff_contact *k, int sides)
{
    bool done = true;
    for (int side = 0; side < sides; side++) {
        for (int split = 0; split < PLAIN_SPLITS && done; split++) {
            k->plain[side][split] = plain_build(k->scene[side].mesh, (plain_split)split);
            done = k->plain[side][split] != NULL;
        }
    }
    return done;
}

static double margin_of(const cliff_case *c, const cliff_contact *k)
{
    return (double)(float)(c->field[CASE_MARGIN] * k->scene[0].unit);
}

static void walk_plainly(const cliff_case *c, cliff_contact *k)
{
    for (int split = 0; split < PLAIN_SPLITS; split++) {
        const plain_wanted wanted = kind_of(c) == CONTACT_ANY   ? PLAIN_ANY
                                    : kind_of(c) == CONTACT_ALL ? PLAIN_ALL
                                                                : PLAIN_DISTANCE;
        k->found[split] = is_sweep(c) ? plain_sweep(k->plain[0][split], k->sweeps, k->count,
                                                    k->t + (size_t)split * k->count)
                                      : plain_meet(k->plain[0][split], k->plain[1][split], wanted,
                                                   margin_of(c, k));
    }
}

/* False also where plain walks give up. */
static bool want_made(cliff_contact *k, const cliff_case *c)
{
    if (memcmp(&k->made, c, sizeof *c) != 0) {
        drop(k);
        k->made = *c;
        k->shape[0] = shape_make(c);
        k->is_there = k->shape[0] != NULL && scene_make(c, k->shape[0], &k->scene[0]) &&
                      (is_sweep(c) ? make_sweeps(c, k) : make_pair(c, k)) &&
                      make_plain(k, is_sweep(c) ? 1 : 2);
        if (k->is_there) {
            walk_plainly(c, k);
        }
        for (int split = 0; split < PLAIN_SPLITS; split++) {
            k->is_there = k->is_there && !k->found[split].given_up;
        }
    }
    return k->is_there;
}

/* ---- Asking ---- */

static sl_stats ask(const cliff_case *c, cliff_contact *k)
{
    const sl_transform here = sl_transform_identity();
    const sl_clash clash = { .margin = (float)margin_of(c, k) };
    const sl_bvh *a = k->scene[0].bvh, *b = k->instance != NULL ? k->instance : k->scene[1].bvh;
    sl_stats stats = { 0 };
    switch (kind_of(c)) {
    case CONTACT_ANY:
        sl_bvh_clash_any_many(a, b, &here, 1, &clash, &k->any, NULL, &stats);
        break;
    case CONTACT_ALL:
        k->total = sl_bvh_clash_all(a, b, &clash, NULL, 0, NULL, &stats);
        break;
    case CONTACT_DISTANCE:
        sl_bvh_distance_many(a, b, &here, 1, INFINITY, NULL, &k->distance, NULL, &stats);
        break;
    default:
        sl_bvh_sweep_many(a, sl_sweeps_of(k->sweeps, k->count, SL_DOUBLE), NULL, k->contacts, NULL,
                          &stats);
        break;
    }
    return stats;
}

/* The better of the plain trees; for any pair, where it is luck which is met first, the worse. */
static const plain_found *better_of(const cliff_case *c, const cliff_contact *k)
{
    const plain_found *sah = &k->found[PLAIN_SAH], *median = &k->found[PLAIN_MEDIAN];
    return (sah->work < median->work) != (kind_of(c) == CONTACT_ANY) ? sah : median;
}

/* Nanoseconds that a call may take: for itself or each sweep, for each thing that a plain walk
 * looks at, and for each pair that it finds. */
static double allowed(const cliff_case *c, const plain_found *found, size_t count)
{
    static const struct {
        double call, work, pair;
    } price[CONTACT_KINDS] = {
        [CONTACT_ANY] = { 2000, 20, 200 },      [CONTACT_ALL] = { 2000, 20, 200 },
        [CONTACT_DISTANCE] = { 20000, 50, 0 },  [CONTACT_SPHERE] = { 2000, 50, 200 },
        [CONTACT_CAPSULE] = { 4000, 100, 400 }, [CONTACT_BOX] = { 4000, 200, 1000 },
        [CONTACT_HULL] = { 20000, 500, 5000 },
    };
    const contact_kind kind = kind_of(c);
    return price[kind].call * (double)count + price[kind].work * (double)found->work +
           price[kind].pair * (double)found->pairs;
}

/* The least of three calls, or the median. */
static double seconds_of(const cliff_case *c, cliff_contact *k, int pairs)
{
    double spent[BENCH_ROUNDS_MAX], least = INFINITY;
    const size_t rounds = pairs == 0 ? 3 : 9;
    for (size_t i = 0; i < rounds; i++) {
        const double start = bench_cpu_seconds();
        (void)ask(c, k);
        spent[i] = bench_cpu_seconds() - start;
        least = fmin(least, spent[i]);
    }
    return pairs == 0 ? least : bench_median(spent, rounds);
}

bench_measured contact_measure(cliff_contact *k, cliff_measure measure, const cliff_case *c,
                               int pairs)
{
    if (!want_made(k, c)) {
        return (bench_measured){ .applies = false };
    }
    const plain_found *plain = better_of(c, k);
    const size_t count = is_sweep(c) ? k->count : 1;
    const double each = 1 / (double)count;
    if (measure == MEASURE_COST) {
        const double ours = seconds_of(c, k, pairs), theirs = 1e-9 * allowed(c, plain, count);
        return (bench_measured){ ours / theirs, ours * each, theirs * each, true };
    }
    const sl_stats stats = ask(c, k);
    const double ours = (double)stats.nodes + (double)stats.triangles;
    const double theirs = (double)plain->work;
    const double unpaid = measure_rows[measure].free[KIND_CONTACT] * (double)count;
    return (bench_measured){ ours / (theirs + unpaid), ours * each, theirs * each, true };
}

bool contact_is_resolved(cliff_contact *k, const cliff_case *c)
{
    return want_made(k, c) && scene_is_resolved(c, k->shape[0], &k->scene[0]);
}

static bool sweeps_agree(const cliff_contact *k)
{
    bool agree = true;
    for (size_t i = 0; i < PLAIN_SPLITS * k->count; i++) {
        agree = agree && k->contacts[i % k->count].t == k->t[i];
    }
    return agree;
}

bool contact_agrees(cliff_contact *k, const cliff_case *c)
{
    if (!want_made(k, c) || k->instance != NULL) {
        return true; /* corners of an instance are not rounded to floats */
    }
    (void)ask(c, k);
    bool agree = !is_sweep(c) || sweeps_agree(k);
    for (int split = 0; split < PLAIN_SPLITS; split++) {
        const plain_found *f = &k->found[split];
        agree = agree && (kind_of(c) != CONTACT_ANY || (k->any != 0) == (f->pairs > 0)) &&
                (kind_of(c) != CONTACT_ALL || c->field[CASE_MARGIN] != 0 || k->total == f->pairs) &&
                (kind_of(c) != CONTACT_DISTANCE || (double)k->distance.distance == f->distance);
    }
    return agree;
}

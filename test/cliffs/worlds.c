#include "test/cliffs/worlds.h"
#include "bvh/tree/tree.h"

#include "test/cliffs/draw.h"
#include "test/cliffs/world_places.h"

#include <stdlib.h>
#include <string.h>

double world_at(const cliff_case *c, size_t axis)
{
    static const double share[3] = { 1, 0.25, -1.5 };
    return share[axis] * c->field[CASE_WORLD_AT];
}

static bool is_outermost(const world_parts *parts, size_t level)
{
    return level + 1 == parts->levels;
}

/* A power of two that is CASE_GRID times as long as a triangle of the instance, about, and no more
 * than a place allows. */
static double grid_of(const cliff_case *c, const cliff_scene *object, const sl_transform *place)
{
    const double count = (double)sl_mesh_soup(object->mesh).triangle_count;
    const double longest = 2 * object->unit * place_scale(place);
    const double wanted = c->field[CASE_GRID] * longest / sqrt(count);
    return wanted > 0 ? exp2(floor(log2(fmin(wanted, longest / 64)))) : 0;
}

/* The instances of a level, from what it places. */
static bool make_level(const cliff_case *c, cliff_world *w, size_t level, placed_thing *thing,
                       test_random *random)
{
    world_parts *parts = &w->parts;
    const size_t count = parts->count[level];
    sl_transform *places = calloc(count, sizeof *places);
    parts->instances[level] = calloc(count, sizeof *parts->instances[level]);
    const bool done = places != NULL && parts->instances[level] != NULL;
    placed_thing group = { .size = 0 };
    if (done) {
        places_make(c, level == 0, thing, count, random, places, &group);
    }
    for (size_t i = 0; i < count && done; i++) {
        sl_instance *one = &parts->instances[level][i];
        *one = sl_instance_of(level == 0 ? w->object.bvh : NULL);
        one->transform = places[i];
        if (level == 0) {
            one->grid = grid_of(c, &w->object, &places[i]);
            one->mask = 1u << (i % 8);
            one->bvh = draw_in(random, 0, 1) < c->field[CASE_HOLES] && i > 0 ? NULL : one->bvh;
        }
    }
    *thing = group;
    free(places);
    return done;
}

/* How many stand on each level: together some CASE_INSTANCES. */
static void count_levels(const cliff_case *c, world_parts *parts)
{
    const double wanted = c->field[CASE_INSTANCES];
    parts->levels = 1 + (size_t)fmin(c->field[CASE_NESTED], WORLD_LEVELS - 1);
    double left = wanted;
    for (size_t level = 0; level < parts->levels; level++) {
        const double share =
            is_outermost(parts, level) ? left : pow(wanted, 1 / (double)parts->levels);
        parts->count[level] = (size_t)fmax(floor(share + 0.5), 1);
        left /= (double)parts->count[level];
    }
}

static bool make_parts(const cliff_case *c, cliff_world *w)
{
    test_random random = { (uint64_t)c->field[CASE_WORLD_SEED] };
    placed_thing thing = { .size = 2 * w->object.unit };
    bool done = true;
    memcpy(thing.middle, w->object.centre, sizeof thing.middle);
    count_levels(c, &w->parts);
    w->count = 1;
    for (size_t level = 0; level < w->parts.levels && done; level++) {
        done = make_level(c, w, level, &thing, &random);
        w->count *= w->parts.count[level];
    }
    return done;
}

static sl_instances_def scene_def(const cliff_case *c)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    def.quality = case_int(c, CASE_QUALITY) == QUALITY_FAST ? SL_BVH_QUALITY_FAST : def.quality;
    def.stride = sizeof(sl_instance);
    return def;
}

static sl_bvh *build(const cliff_case *c, const sl_instance *instances, size_t count,
                     const sl_bvh *previous)
{
    sl_instances_def def = scene_def(c);
    sl_bvh *scene = NULL;
    sl_error error = { .message = "" };
    def.previous = previous;
    if (sl_bvh_build_instances(instances, count, &def, &scene, &error) != SL_OK) {
        fprintf(stderr, "cliffs: %s\n", error.message);
    }
    return scene;
}

/* Copies instances, moved away from the origin, and builds their scene. */
static sl_bvh *build_at(const cliff_case *c, const sl_instance *instances, size_t count)
{
    sl_instance *copy = calloc(count, sizeof *copy);
    sl_bvh *scene = NULL;
    if (copy != NULL) {
        memcpy(copy, instances, count * sizeof *copy);
        for (size_t i = 0; i < 3 * count; i++) {
            copy[i / 3].transform.m[i % 3][3] += world_at(c, i % 3);
        }
        scene = build(c, copy, count, NULL);
    }
    free(copy);
    return scene;
}

/* The scenes within, from the innermost. */
static bool build_inner(const cliff_case *c, world_parts *parts)
{
    bool done = true;
    for (size_t level = 0; !is_outermost(parts, level) && done; level++) {
        parts->inner[level] = build(c, parts->instances[level], parts->count[level], NULL);
        done = parts->inner[level] != NULL;
        for (size_t i = 0; i < parts->count[level + 1]; i++) {
            parts->instances[level + 1][i].bvh = parts->inner[level];
        }
    }
    return done;
}

/* The products of all places, from the outermost inwards, in the order of numbers. */
static bool make_list(const cliff_case *c, cliff_world *w)
{
    const world_parts *parts = &w->parts;
    bool done = true;
    w->list = calloc(w->count, sizeof *w->list);
    w->moved = calloc(w->count, sizeof *w->moved);
    for (size_t i = 0; i < w->count && w->list != NULL && done; i++) {
        size_t rest = i, below = w->count;
        sl_transform place = sl_transform_identity();
        for (size_t level = parts->levels; level-- > 0;) {
            below /= parts->count[level];
            const sl_instance *one = &parts->instances[level][rest / below];
            sl_transform product = one->transform;
            for (size_t axis = 0; axis < 3 && is_outermost(parts, level); axis++) {
                product.m[axis][3] += world_at(c, axis);
            }
            done = done && (is_outermost(parts, level) ||
                            sl_transform_product(&place, &one->transform, &product));
            place = product;
            rest %= below;
            w->list[i] = *one;
        }
        w->list[i].transform = place;
    }
    return done && w->list != NULL && w->moved != NULL;
}

/* All triangles of WORLD_BACK, with corners in floats. */
static bool make_flat(const cliff_case *c, cliff_world *w)
{
    const uint32_t prims = (uint32_t)sl_mesh_soup(w->object.mesh).triangle_count;
    float *xyz = calloc(w->count * prims, 9 * sizeof *xyz);
    size_t count = 0;
    for (uint32_t i = 0; i < w->count && xyz != NULL; i++) {
        for (uint32_t prim = 0; prim < prims; prim++) {
            double corners[3][3];
            const sl_triangle_ref triangle = { .instance = i, .prim = prim };
            if (!sl_bvh_triangle(w->scene[WORLD_BACK], triangle, corners)) {
                break;
            }
            for (size_t k = 0; k < 9; k++) {
                xyz[9 * count + k] = (float)corners[k / 3][k % 3];
            }
            count++;
        }
    }
    if (count == 0) {
        free(xyz);
        return false;
    }
    return scene_of_corners(c, xyz, count, &w->flat);
}

bool world_make(const cliff_case *c, cliff_world *w)
{
    *w = (cliff_world){ .shape = shape_make(c) };
    if (w->shape == NULL || !scene_make(c, w->shape, &w->object) || !make_parts(c, w) ||
        !build_inner(c, &w->parts) || !make_list(c, w)) {
        return false;
    }
    const size_t last = w->parts.levels - 1;
    w->scene[WORLD_BACK] = build(c, w->parts.instances[last], w->parts.count[last], NULL);
    return w->scene[WORLD_BACK] != NULL && make_flat(c, w);
}

void world_free(cliff_world *w)
{
    for (world_way way = 0; way < WORLD_WAYS; way++) {
        sl_bvh_destroy(w->scene[way]);
    }
    for (size_t level = WORLD_LEVELS; level-- > 0;) {
        sl_bvh_destroy(w->parts.inner[level]);
        free(w->parts.instances[level]);
    }
    free(w->list);
    free(w->moved);
    shape_free(w->shape);
    scene_free(&w->object);
    scene_free(&w->flat);
    *w = (cliff_world){ 0 };
}

bool world_selects(const cliff_case *c, const cliff_world *w, size_t instance)
{
    switch ((select_kind)case_int(c, CASE_SELECT)) {
    case SELECT_FEW:
        return (w->list[instance].mask & 1) != 0;
    case SELECT_MOST:
        return (w->list[instance].mask & 1) == 0;
    case SELECT_IGNORE:
        return instance < (w->count + 1) / 2;
    default:
        return true;
    }
}

static sl_bvh *build_chosen(const cliff_case *c, cliff_world *w)
{
    memcpy(w->moved, w->list, w->count * sizeof *w->moved);
    for (size_t i = 0; i < w->count; i++) {
        w->moved[i].bvh = world_selects(c, w, i) ? w->list[i].bvh : NULL;
    }
    return build(c, w->moved, w->count, NULL);
}

void world_rebuild(const cliff_case *c, const cliff_world *w, const sl_bvh *previous)
{
    sl_bvh_destroy(build(c, w->list, w->count, previous));
}

/* Instances go straight on from frame to frame, each its own way, and arrive at their places. */
sl_bvh *world_before(const cliff_case *c, cliff_world *w)
{
    const double step = c->field[CASE_DRIFT] * 2 * w->flat.unit;
    sl_bvh *before = NULL;
    for (double frame = c->field[CASE_FRAMES]; frame > 0; frame--) {
        test_random random = { (uint64_t)c->field[CASE_WORLD_SEED] };
        memcpy(w->moved, w->list, w->count * sizeof *w->moved);
        for (size_t i = 0; i < w->count; i++) {
            double along[3];
            draw_direction(&random, along);
            for (size_t axis = 0; axis < 3; axis++) {
                w->moved[i].transform.m[axis][3] += frame * step * along[axis];
            }
        }
        sl_bvh *next = build(c, w->moved, w->count, before);
        sl_bvh_destroy(before);
        before = next;
    }
    return before;
}

const sl_bvh *world_scene(const cliff_case *c, cliff_world *w, world_way way)
{
    const size_t last = w->parts.levels - 1;
    if (w->scene[way] != NULL) {
        return w->scene[way];
    }
    if (way == WORLD_HERE) {
        w->scene[way] = build_at(c, w->parts.instances[last], w->parts.count[last]);
    } else if (way == WORLD_LIST) {
        w->scene[way] = build(c, w->list, w->count, NULL);
    } else if (way == WORLD_CHOSEN) {
        w->scene[way] = build_chosen(c, w);
    } else if (way == WORLD_NEXT) {
        sl_bvh *before = world_before(c, w);
        w->scene[way] = build(c, w->list, w->count, before);
        sl_bvh_destroy(before);
    }
    return w->scene[way];
}

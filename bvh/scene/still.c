/* One tree over the instances of an array that stand still, as far as the caller's memory goes
 * (bvh/tree/still.h), and where such trees stand for instances in a world, for build_top.c.
 *
 * Those go in that gain most for their triangles: rays enter them most, which the surfaces of their
 * boxes tell.  Left out are compact trees, whose triangles take longer to find than they save, and
 * instances too fine for the floats about the world's middle: their boxes would be mostly rounding.
 *
 * Nothing goes in where instances share few trees and stand apart: these trees stay in caches,
 * where one tree over all instances does not, and a ray that enters few of them gains nothing that
 * makes up for it (docs/notes/performance.md).
 *
 * No answer depends on any of this. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/scene/build.h"
#include "bvh/scene/scene.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

#include <math.h>

/* Bytes of a triangle, by which instances are chosen.  Where the tree takes more nevertheless, a
 * quarter of the triangles is given up. */
enum { STILL_BYTES = 96, STILL_SAMPLES = 64 };
/* Triangles are to be this many times as high as the steps of floats at the world's sides. */
#define STILL_STEPS 16

/* Instances keep their trees where one over all would be larger than caches, has this many times
 * the triangles of the trees that it stands for, and a line meets fewer boxes than this. */
#define STILL_CACHED_BYTES ((uint64_t)16 << 20)
enum { STILL_SHARED = 8, STILL_BOXES_MET = 24 };

/* The instances to choose from, then the chosen ones; most: how many triangles they may have. */
typedef struct choice {
    const sli_world_build *build;
    sli_table table; /* what they gain, so that the most comes first; and numbers */
    uint64_t most, triangles;
    sli_table trees; /* those of the chosen ones: the two words of an address */
    bool keeps;      /* the chosen ones keep their trees */
} choice;

/* The height of a triangle over its longest side. */
static double height_of(double v[3][3])
{
    double longest = 0, area = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double minor =
            (v[1][j] - v[0][j]) * (v[2][k] - v[0][k]) - (v[1][k] - v[0][k]) * (v[2][j] - v[0][j]);
        area += minor * minor;
    }
    for (int i = 0; i < 3; i++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double way = v[(i + 1) % 3][axis] - v[i][axis];
            square += way * way;
        }
        longest = fmax(longest, square);
    }
    return longest > 0 ? sqrt(area / longest) : 0;
}

/* Whether a sixteenth of an instance's triangles, by samples, are too small or too slender for the
 * floats of the world: their boxes are as thick as a step there, and many would lie in one another.
 */
static bool is_too_fine(const sli_world *world, const sli_transformed *transformed)
{
    const sl_bvh *tree = transformed->tree;
    const double least = world->half * (STILL_STEPS * 0x1p-24);
    uint32_t fine = 0;
    for (uint64_t k = 0; k < STILL_SAMPLES; k++) {
        sl_triangle triangle;
        double corners[3][3];
        if (sli_tree_triangle(tree, (uint32_t)(k * tree->prim_count / STILL_SAMPLES), &triangle)) {
            sli_world_corners(transformed, triangle.v, corners);
            fine += !(height_of(corners) > least);
        }
    }
    return fine > STILL_SAMPLES / 16;
}

static void rank_instances(void *context)
{
    choice *c = context;
    const sli_world *world = &c->build->scene->handle.world;
    for (uint32_t i = 0; i < world->count; i++) {
        const sli_ref *box = &c->build->transforms.boxes[i];
        const sl_bvh *tree = world->transformed[i].tree;
        if (box->prim == SL_NONE || tree->vertices != NULL) {
            continue;
        }
        double side[3];
        for (int axis = 0; axis < 3; axis++) {
            side[axis] = (double)box->max[axis] - (double)box->min[axis];
        }
        if (!is_too_fine(world, &world->transformed[i])) {
            const double area = side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
            const float gain = (float)fmin(area / tree->triangle_count, FLT_MAX);
            uint32_t *item = c->table.items + 2 * c->table.count;
            memcpy(item, &gain, sizeof gain);
            item[0] = ~item[0];
            item[1] = i;
            c->table.order[c->table.count] = (uint32_t)c->table.count;
            c->table.count++;
        }
    }
}

/* Leaves in the table those that fit, one after the other, by their numbers. */
static void choose(choice *c)
{
    uint32_t *items = c->table.items, *order = c->table.order, *chosen = c->table.scratch;
    size_t count = 0;
    sli_table_sort(&c->table, NULL);
    for (size_t k = 0; k < c->table.count; k++) {
        const uint32_t number = items[2 * order[k] + 1];
        const uint32_t more =
            c->build->scene->handle.world.transformed[number].tree->triangle_count;
        if (more <= c->most - c->triangles) {
            c->triangles += more;
            chosen[count++] = number;
        }
    }
    for (size_t k = 0; k < count; k++) {
        items[2 * k] = chosen[k];
        items[2 * k + 1] = 0;
        order[k] = (uint32_t)k;
    }
    c->table.count = count;
    sli_table_sort(&c->table, NULL);
}

/* The triangles of the chosen ones' trees, each counted once. */
static uint64_t count_in_trees(choice *c)
{
    uint64_t triangles = 0;
    c->trees.count = c->table.count;
    for (size_t k = 0; k < c->table.count; k++) {
        const uint32_t number = c->table.items[2 * c->table.order[k]];
        const sl_bvh *tree = c->build->scene->handle.world.transformed[number].tree;
        const uint64_t address = (uintptr_t)tree;
        c->trees.items[2 * k] = (uint32_t)(address >> 32);
        c->trees.items[2 * k + 1] = (uint32_t)address;
        c->trees.order[k] = (uint32_t)k;
    }
    sli_table_sort(&c->trees, NULL);
    for (size_t rank = 0; rank < c->trees.count; rank++) {
        const uint32_t number = c->table.items[2 * c->table.order[c->trees.order[rank]]];
        if (rank == 0 || !sli_table_repeats(&c->trees, rank)) {
            triangles += c->build->scene->handle.world.transformed[number].tree->triangle_count;
        }
    }
    return triangles;
}

/* How many boxes of the chosen ones a line through the box of all meets on average: by their
 * surfaces (Cauchy).  NaN where that box has none. */
static double boxes_met(const choice *c)
{
    float min[3] = { FLT_MAX, FLT_MAX, FLT_MAX }, max[3] = { -FLT_MAX, -FLT_MAX, -FLT_MAX };
    double areas = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        const uint32_t number = c->table.items[2 * c->table.order[k]];
        const sli_ref *box = &c->build->transforms.boxes[number];
        areas += sli_half_area(box->min, box->max);
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = fminf(min[axis], box->min[axis]);
            max[axis] = fmaxf(max[axis], box->max[axis]);
        }
    }
    return areas / sli_half_area(min, max);
}

static void weigh_caches(void *context)
{
    choice *c = context;
    c->keeps = c->triangles * STILL_BYTES > STILL_CACHED_BYTES &&
               count_in_trees(c) * STILL_SHARED <= c->triangles &&
               boxes_met(c) < (double)STILL_BOXES_MET;
}

/* The triangles of the chosen instances. */
typedef struct soup {
    const sli_world *world;
    sli_still *still;
    uint32_t *begin; /* of each of the instances, its first triangle */
    float *xyz;      /* nine for each triangle */
} soup;

static void gather_instance(void *context, size_t k)
{
    const soup *s = context;
    const uint32_t number = s->still->numbers[k];
    const sli_transformed *transformed = &s->world->transformed[number];
    uint32_t at = s->begin[k];
    for (uint32_t prim = 0; prim < transformed->tree->prim_count; prim++) {
        const uint32_t slot = transformed->tree->slots[prim];
        sl_triangle triangle;
        double corners[3][3];
        if (!sli_tree_triangle(transformed->tree, prim, &triangle)) {
            continue;
        }
        sli_world_corners(transformed, triangle.v, corners);
        float *to = s->xyz + 9 * (size_t)at;
        for (int i = 0; i < 9; i++) {
            to[i] = (float)(corners[i / 3][i % 3] - s->world->middle[i % 3]);
        }
        s->still->sources[at++] = (sli_entry_source){ .instance = number, .slot = slot };
    }
}

/* The tree as an instance: moved by the middle, and rounded as still.h has it. */
static void make_transformed(void *context)
{
    const soup *s = context;
    sli_still *still = s->still;
    sl_transform moved = sl_transform_identity();
    sli_world_box box;
    for (int axis = 0; axis < 3; axis++) {
        moved.m[axis][3] = s->world->middle[axis];
    }
    sli_transformed out = { .mask = 0 };
    if (sli_transformed_make(still->tree, &moved, 0, UINT32_MAX, &out, &box) != SLI_TRANSFORM_OK) {
        sl_bvh_destroy(still->tree);
        still->tree = NULL;
        return;
    }
    const double rho = 0x1.00001p-24 * (double)still->tree->reach + 0x1p-148;
    out.fixed = (out.fixed + rho) * (1 + 0x1p-40);
    out.half = (out.half + rho) * (1 + 0x1p-40);
    out.span = (out.span + rho) * (1 + 0x1p-40);
    out.ball = (out.ball + 2 * rho) * (1 + 0x1p-40);
    out.sources = still->sources;
    memcpy(still->transformed, &out, sizeof out);
}

/* Builds the tree.  SL_TOO_LARGE: it takes more than its memory, and nothing is said; where it
 * cannot be for other reasons there is none. */
static sl_result build_tree(const sli_world_build *build, soup *s)
{
    const sl_instances_def *given = &build->def;
    const size_t count = s->still->source_count;
    const sl_mesh_def mesh_def = { .hooks.allocator = given->hooks.allocator };
    const sl_build_def def = { .hooks = given->hooks,
                               .max_tree_size =
                                   given->static_memory - count * sizeof *s->still->sources };
    sl_mesh *mesh = NULL;
    sl_error error;
    sl_result result =
        sl_mesh_from_arrays(s->xyz, 3 * count, NULL, count, &mesh_def, &mesh, &error);
    sli_free_array(&build->memory, s->xyz, count, 9 * sizeof *s->xyz); /* the mesh has a copy */
    s->xyz = NULL;
    result = SLI_THEN(result, sl_bvh_build(mesh, &def, &s->still->tree, &error));
    sl_mesh_destroy(mesh);
    if (result == SL_OUT_OF_MEMORY || result == SL_CANCELLED) {
        return sli_fail_result(build->error, result);
    }
    return result == SL_TOO_LARGE ? result : SL_OK;
}

/* What is made stays in scene->still, whatever the result. */
static sl_result gather(sli_world_build *build, const choice *chosen)
{
    sli_instances *scene = build->scene;
    sli_still *still = &scene->still;
    const sl_allocator *memory = &build->memory;
    const size_t count = chosen->table.count, triangles = (size_t)chosen->triangles;
    still->numbers = sli_alloc_array(memory, count, sizeof *still->numbers);
    still->number_count = count;
    still->sources = sli_alloc_large(memory, triangles, sizeof *still->sources);
    still->source_count = triangles;
    soup s = { .world = &scene->handle.world,
               .still = still,
               .begin = sli_alloc_array(memory, count, sizeof *s.begin),
               .xyz = sli_alloc_large(memory, triangles, 9 * sizeof *s.xyz) };
    sl_result result = sli_fail_memory(build->error);
    if (still->numbers != NULL && still->sources != NULL && s.begin != NULL && s.xyz != NULL) {
        uint32_t begin = 0;
        for (size_t k = 0; k < count; k++) {
            const uint32_t number = chosen->table.items[2 * chosen->table.order[k]];
            still->numbers[k] = number;
            s.begin[k] = begin;
            begin += s.world->transformed[number].tree->triangle_count;
        }
        result =
            sli_phase_run_each(&build->phase, "static triangles", count, 1, gather_instance, &s);
        result = SLI_THEN(result, build_tree(build, &s));
    }
    if (result == SL_OK && still->tree != NULL) {
        sli_phase_once(&build->phase, make_transformed, &s);
    }
    sli_free_array(memory, s.xyz, triangles, 9 * sizeof *s.xyz);
    sli_free_array(memory, s.begin, count, sizeof *s.begin);
    return result;
}

/* With no more than c->most triangles. */
static sl_result build_within(sli_world_build *build, choice *c)
{
    c->triangles = c->table.count = 0;
    sli_phase_once(&build->phase, rank_instances, c);
    choose(c);
    sli_phase_once(&build->phase, weigh_caches, c);
    return c->table.count > 0 && !c->keeps ? gather(build, c) : SL_OK;
}

sl_result sli_build_still(sli_world_build *build)
{
    sli_instances *scene = build->scene;
    const uint64_t most = build->def.static_memory / STILL_BYTES;
    choice c = { .build = build, .most = most < 0x0FFFFFFF ? most : 0x0FFFFFFF };
    const size_t count = scene->handle.world.count;
    if (!sli_table_alloc(&build->memory, count, 2, &c.table)) {
        return sli_fail_memory(build->error);
    }
    if (!sli_table_alloc(&build->memory, count, 2, &c.trees)) {
        sli_table_free(&build->memory, &c.table);
        return sli_fail_memory(build->error);
    }
    sl_result result = build_within(build, &c);
    while (result == SL_TOO_LARGE) {
        sli_still_empty(&scene->still, &build->memory);
        c.most = c.triangles - (c.triangles + 3) / 4;
        result = build_within(build, &c);
    }
    sli_table_free(&build->memory, &c.trees);
    sli_table_free(&build->memory, &c.table);
    return result;
}

/* ---- Such trees in a world ---- */

/* Puts a tree at the next place behind the numbers, in place of the boxes of its instances, whose
 * numbers count from first. */
static void put_tree(sli_world_build *build, const sli_still *still, uint32_t first, uint32_t at,
                     sli_ref *boxes)
{
    sli_transformed *out = &build->scene->transformed[at];
    sli_ref box = { .min = { FLT_MAX, FLT_MAX, FLT_MAX },
                    .prim = at,
                    .max = { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
    for (size_t k = 0; k < still->number_count; k++) {
        sli_ref *one = &boxes[first + still->numbers[k]];
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = fminf(box.min[axis], one->min[axis]);
            box.max[axis] = fmaxf(box.max[axis], one->max[axis]);
        }
        one->prim = SL_NONE;
    }
    boxes[at] = box;
    memcpy(out, still->transformed, sizeof *out);
    out->first = first;
    build->still_instances += still->number_count;
    build->still_triangles += still->source_count;
}

typedef struct placing {
    sli_world_build *build;
    sli_ref *boxes;
} placing;

static void put_trees(void *context)
{
    const placing *job = context;
    sli_world_build *build = job->build;
    sli_instances *scene = build->scene;
    uint32_t at = scene->handle.world.count;
    memcpy(job->boxes, build->transforms.boxes, at * sizeof *job->boxes);
    if (build->def.static_memory != 0) {
        put_tree(build, &scene->still, 0, at, job->boxes);
        return;
    }
    for (size_t i = 0; i < scene->count; i++) {
        if (sli_instance_is_still(&scene->given[i])) {
            put_tree(build, &scene->given[i].bvh->instances->still, scene->first[i], at++,
                     job->boxes);
        }
    }
}

void sli_place_still(sli_world_build *build, sli_ref *boxes)
{
    placing job = { build, boxes };
    sli_phase_once(&build->phase, put_trees, &job);
}

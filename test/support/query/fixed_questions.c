#include <sightline/camera.h>
#include <sightline/points.h>

#include "test/support/query/fixed_questions.h"

#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"
#include "test/support/query/answers_hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESHES = 3,
    SIDE = 24,            /* of the picture that a camera takes */
    RAYS = 5000,          /* more than go into one block, so that workers share them */
    FEW_RAYS = 300,       /* for all meshes but the last */
    HARD = 90,            /* rays and segments of the hard kinds */
    POINTS = 60,          /* for nearest and inside */
    VOLUMES = 6,          /* of each kind */
    CAP = 4,              /* answers of each list that are kept */
    TEXT_MAX = 64 * 1024, /* bytes of the mesh that is read */
    SEED = 20261123
};

typedef struct queries {
    int ray_count;
    sl_ray camera[SIDE * SIDE], rays[RAYS], hard[HARD];
    sl_segment segments[HARD];
    float points[3 * POINTS];
    sl_volume volumes[HARD_VOLUME_KINDS * VOLUMES];
} queries;

/* What is written where nothing is found is 0 before. */
typedef struct answers {
    sl_hit camera[SIDE * SIDE], rays[RAYS], hard[HARD], next[HARD], list[HARD * CAP],
        occluders[HARD];
    uint64_t totals[HARD], crossings[HARD], found[POINTS], within_totals[POINTS];
    uint8_t any[RAYS], occluded[HARD], fan[POINTS], touches[HARD_VOLUME_KINDS * VOLUMES];
    test_surface surface[HARD];
    sl_nearest nearest[POINTS], near_list[POINTS * CAP], within[POINTS * CAP];
    sl_inside inside[POINTS];
    sl_triangle_ref touched[HARD_VOLUME_KINDS * VOLUMES * CAP];
    uint32_t prims[HARD_VOLUME_KINDS * VOLUMES * CAP]; /* of touched */
    uint64_t prim_totals[HARD_VOLUME_KINDS * VOLUMES];
} answers;

struct fixed_queries {
    char text[TEXT_MAX]; /* OBJ; the mesh that it is comes first */
    sl_mesh *mesh[MESHES];
    queries of[MESHES];
};

/* Decimals that are no floats. */
static void write_text(char *text)
{
    size_t used = 0;
    test_random random = { SEED };
    for (int i = 0; i < 300; i++) {
        used += (size_t)snprintf(text + used, TEXT_MAX - used, "v");
        for (int axis = 0; axis < 3; axis++) {
            const unsigned digits = test_random_below(&random, 1000000000);
            used += (size_t)snprintf(text + used, TEXT_MAX - used, " %s%u.%09ue-1",
                                     digits % 2 ? "-" : "", digits % 10, digits);
        }
        used += (size_t)snprintf(text + used, TEXT_MAX - used, "\n");
    }
    for (int i = 0; i < 400; i++) {
        const unsigned a = 1 + test_random_below(&random, 300), b = a % 300 + 1;
        used += (size_t)snprintf(text + used, TEXT_MAX - used, "f %u %u %u\n", a, b,
                                 (b + test_random_below(&random, 298)) % 300 + 1);
    }
}

static sl_mesh *load(const fixed_queries *all)
{
    sl_mesh *mesh = NULL;
    (void)sl_mesh_load_memory(all->text, strlen(all->text), "obj", NULL, &mesh, NULL);
    return mesh;
}

static bool make_camera_rays(const sl_mesh *mesh, sl_ray *rays)
{
    const sl_aabb bounds = sl_mesh_get_info(mesh).bounds;
    const float towards[3] = { 1, 2, 3 };
    sl_camera_def def = { 0 };
    sl_camera camera;
    def.width = def.height = SIDE;
    def.fov_y_rad = 0.8f;
    if (sl_camera_fit(&bounds, NULL, towards, &def, NULL) != SL_OK ||
        sl_camera_make(&def, &camera, NULL) != SL_OK) {
        return false;
    }
    for (uint32_t y = 0; y < SIDE; y++) {
        if (!sl_camera_row(&camera, 0, y, SIDE, rays + y * SIDE)) {
            return false;
        }
    }
    return true;
}

static bool make_queries(const sl_mesh *mesh, test_random *random, queries *q)
{
    const hard_kind of_rays[3] = { HARD_BEYOND, HARD_AXIS, HARD_BOX };
    const hard_kind of_segments[4] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE, HARD_INPLANE };
    for (int i = 0; i < q->ray_count; i++) {
        q->rays[i] = hard_ray_make(mesh, HARD_BOX, random).ray;
    }
    for (int i = 0; i < HARD; i++) {
        q->hard[i] = hard_ray_make(mesh, of_rays[i % 3], random).ray;
        q->segments[i] = hard_ray_make(mesh, of_segments[i % 4], random).segment;
    }
    q->hard[HARD / 2].dir[1] = NAN; /* an invalid one does not change its neighbours */
    for (int i = 0; i < POINTS; i++) {
        hard_point(mesh, random, q->points + 3 * i);
        if (i % 2) {
            memcpy(q->points + 3 * i, q->segments[i].q, 12);
        }
    }
    for (int i = 0; i < HARD_VOLUME_KINDS * VOLUMES; i++) {
        q->volumes[i] = hard_volume_make(mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), random);
    }
    return make_camera_rays(mesh, q->camera);
}

fixed_queries *fixed_queries_make(void)
{
    test_random random = { SEED };
    fixed_queries *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    write_text(all->text);
    all->mesh[0] = load(all);
    bool made = all->mesh[0] != NULL &&
                sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 9 } } }, NULL,
                                 &all->mesh[1], NULL) == SL_OK &&
                sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 40, 40, 2, 5 } } },
                                 NULL, &all->mesh[2], NULL) == SL_OK;
    for (int m = 0; m < MESHES && made; m++) {
        all->of[m].ray_count = m + 1 < MESHES ? FEW_RAYS : RAYS;
        made = make_queries(all->mesh[m], &random, &all->of[m]);
    }
    if (!made) {
        fixed_queries_free(all);
        return NULL;
    }
    return all;
}

void fixed_queries_free(fixed_queries *all)
{
    for (int m = 0; all != NULL && m < MESHES; m++) {
        sl_mesh_destroy(all->mesh[m]);
    }
    free(all);
}

/* ---- Asking: integers and calls only, since the floating-point environment is the caller's ----
 */

static void query_rays(const sl_bvh *bvh, const queries *q, const sl_tasks *tasks, answers *a)
{
    const sl_options crossings = { .flags = SL_CROSSINGS };
    sl_bvh_closest_many(bvh, sl_rays_of(q->camera, SIDE * SIDE), NULL, sl_hits_of(a->camera), tasks,
                        NULL);
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, (size_t)q->ray_count), NULL, sl_hits_of(a->rays),
                        tasks, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, (size_t)q->ray_count), NULL, a->any, NULL, tasks,
                    NULL);
    sl_bvh_closest_many(bvh, sl_rays_of(q->hard, HARD), NULL, sl_hits_of(a->hard), tasks, NULL);
    memcpy(a->next, a->hard, (HARD) * sizeof *(a->next));
    sl_bvh_next_many(bvh, sl_rays_of(q->hard, HARD), NULL, sl_hits_of(a->next), tasks, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->hard, HARD), NULL, sl_hits_of(a->list), CAP, a->totals,
                    tasks, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->hard, HARD), &crossings, sl_hits_of(NULL), 0, a->crossings,
                    tasks, NULL);
    sl_bvh_closest_many(bvh, sl_segments_of(q->segments, HARD), NULL, sl_hits_of(a->occluders),
                        tasks, NULL);
    sl_bvh_any_many(bvh, sl_segments_of(q->segments, HARD), NULL, a->occluded, NULL, tasks, NULL);
    sl_bvh_any_many(bvh, sl_segments_from(q->points, q->points, POINTS, SL_FLOAT), NULL, a->fan,
                    NULL, tasks, NULL);
    for (int i = 0; i < HARD; i++) {
        test_surface_of(bvh, &a->hard[i], &a->surface[i]);
    }
}

static void query_shapes(const sl_bvh *bvh, const queries *q, const sl_tasks *tasks, answers *a)
{
    const size_t volumes = HARD_VOLUME_KINDS * VOLUMES;
    sl_bvh_nearest_many(bvh, sl_points_of(q->points, POINTS, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(a->nearest, SL_FLOAT), tasks, NULL);
    sl_bvh_nearest_k_many(bvh, sl_points_of(q->points, POINTS, SL_FLOAT), INFINITY, NULL,
                          sl_nearests_of(a->near_list, SL_FLOAT), CAP, a->found, tasks, NULL);
    sl_bvh_within_many(bvh, sl_points_of(q->points, POINTS, SL_FLOAT), 0.1f, NULL,
                       sl_nearests_of(a->within, SL_FLOAT), CAP, a->within_totals, tasks, NULL);
    sl_bvh_winding(bvh, NULL, q->points, POINTS, NULL, a->inside, tasks, NULL);
    sl_bvh_overlap_any_many(bvh, sl_volumes_of(q->volumes, volumes, SL_FLOAT), NULL, a->touches,
                            tasks, NULL);
    sl_bvh_overlap_all_many(bvh, sl_volumes_of(q->volumes, volumes, SL_FLOAT), NULL, a->touched,
                            CAP, a->prim_totals, tasks, NULL);
    for (size_t i = 0; i < volumes * CAP; i++) {
        a->prims[i] = a->touched[i].prim;
    }
}

#define WIDTH(field, width) { offsetof(answers, field), sizeof((answers *)0)->field, width }

static uint64_t hash_answers(uint64_t h, const answers *a)
{
    static const struct {
        size_t offset, size, width;
    } fields[] = {
        WIDTH(camera, 4),    WIDTH(rays, 4),          WIDTH(hard, 4),    WIDTH(next, 4),
        WIDTH(list, 4),      WIDTH(occluders, 4),     WIDTH(totals, 8),  WIDTH(crossings, 8),
        WIDTH(found, 8),     WIDTH(within_totals, 8), WIDTH(any, 1),     WIDTH(occluded, 1),
        WIDTH(fan, 1),       WIDTH(touches, 1),       WIDTH(surface, 4), WIDTH(nearest, 4),
        WIDTH(near_list, 4), WIDTH(within, 4),        WIDTH(prims, 4),   WIDTH(prim_totals, 8),
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        h = test_hash(h, (const char *)a + fields[i].offset, fields[i].size, fields[i].width);
    }
    for (int i = 0; i < POINTS; i++) {
        const size_t numbers = offsetof(sl_inside, inside);
        h = test_hash(h, &a->inside[i], numbers, 8);
        h = test_hash(h, (const char *)&a->inside[i] + numbers, sizeof a->inside[i] - numbers, 1);
    }
    return h;
}

/* The first mesh is read anew. */
static sl_bvh *build(const fixed_queries *all, int m, const sl_build_def *def)
{
    sl_bvh *bvh = NULL;
    sl_mesh *mesh = m == 0 ? load(all) : NULL;
    const sl_mesh *from = m == 0 ? mesh : all->mesh[m];
    if (from != NULL) {
        (void)sl_bvh_build(from, def, &bvh, NULL);
    }
    sl_mesh_destroy(mesh);
    return bvh;
}

uint64_t fixed_queries_hash(const fixed_queries *all, sl_bvh_quality quality, sl_bvh_layout layout,
                            const sl_tasks *tasks)
{
    sl_build_def def = { .quality = quality, .layout = layout, .hooks.tasks = tasks };
    uint64_t h = TEST_HASH_NOTHING;
    answers *a = malloc(sizeof *a);
    for (int m = 0; m < MESHES && h != 0; m++) {
        sl_bvh *bvh = a != NULL ? build(all, m, &def) : NULL;
        if (bvh == NULL) {
            h = 0;
            break;
        }
        memset(a, 0, sizeof *a);
        query_rays(bvh, &all->of[m], tasks, a);
        query_shapes(bvh, &all->of[m], tasks, a);
        h = hash_answers(h, a);
        sl_bvh_destroy(bvh);
    }
    free(a);
    return h;
}

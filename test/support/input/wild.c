#include "test/support/input/wild.h"
#include "bvh/query/volume/doubles.h"
#include "test/support/test.h"

static const float wild_floats[WILD_KINDS] = { 0x1p-147f, NAN, INFINITY, FLT_MAX, -FLT_MAX, 0 };
static const double wild_doubles[WILD_KINDS] = { 0x1p-1070, NAN,     -INFINITY,
                                                 1e308,     FLT_MAX, 0x1.8p-149 };

/* Where numbers come from: the wild one at each place-th of eight, others in [-2, 2). */
typedef struct source {
    int kind, place;
    uint32_t taken;
} source;

static bool is_wild(const source *from)
{
    return from->place == WILD_PLACES - 1 || from->taken % WILD_PLACES == (uint32_t)from->place;
}

static double ordinary(uint32_t number)
{
    return (double)((number * 2654435761u) >> 16) * 0x1p-14 - 2;
}

static float next(source *from)
{
    const float to = is_wild(from) ? wild_floats[from->kind] : (float)ordinary(from->taken);
    from->taken++;
    return to;
}

static double next_d(source *from)
{
    const double to = is_wild(from) ? wild_doubles[from->kind] : ordinary(from->taken);
    from->taken++;
    return to;
}

static void fill(source *from, float *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = next(from);
    }
}

static void fill_d(source *from, double *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = next_d(from);
    }
}

static void fill_rays(wild *to, source *from)
{
    for (uint32_t i = 0; i < WILD_COUNT; i++) {
        sl_ray *ray = &to->rays[i];
        sl_ray_d *ray_d = &to->rays_d[i];
        fill(from, ray->origin, 3);
        fill(from, ray->dir, 3);
        ray->tmin = next(from);
        ray->tmax = next(from);
        fill_d(from, ray_d->origin, 3);
        fill_d(from, ray_d->dir, 3);
        ray_d->tmin = next_d(from);
        ray_d->tmax = next_d(from);
        fill(from, to->segments[i].p, 3);
        fill(from, to->segments[i].q, 3);
        fill_d(from, to->segments_d[i].p, 3);
        fill_d(from, to->segments_d[i].q, 3);
        to->hits[i] = (sl_hit){ .t = next(from), .prim = i % 9, .instance = i % 11 };
        to->hits_d[i] = (sl_hit_d){ .t = next_d(from), .prim = i % 9, .instance = i % 11 };
        to->hits[i].u = to->hits_d[i].u = next(from);
        to->hits[i].v = to->hits_d[i].v = next(from);
        to->hint[i] = (sl_triangle_ref){ .instance = i % 11, .prim = i % 9 };
    }
    to->ray = to->rays[0];
    to->ray_d = to->rays_d[0];
    to->segment = to->segments[0];
    to->segment_d = to->segments_d[0];
    to->hit = to->hits[5];
    to->hit_d = to->hits_d[5];
    to->ref = to->hint[3];
}

/* All numbers of a shape that is nothing but floats. */
#define FILL(from, shape) fill(from, (float *)(void *)&(shape), sizeof(shape) / sizeof(float))

static void fill_volumes(wild *to, source *from)
{
    for (int i = 0; i < WILD_VOLUMES; i++) {
        sl_volume *volume = &to->volumes[i];
        *volume = (sl_volume){ .kind = (sl_volume_kind)i };
        if (volume->kind == SL_VOLUME_FRUSTUM) {
            volume->shape.frustum.count = 4;
            for (int plane = 0; plane < 4; plane++) {
                FILL(from, volume->shape.frustum.plane[plane]);
            }
        } else if (volume->kind == SL_VOLUME_HULL) {
            to->volumes_d[i] = (sl_volume_d){ .kind = SL_VOLUME_HULL };
            to->volumes_d[i].shape.hull = (sl_hull_d){ to->points_d, 8 };
            volume->shape.hull = (sl_hull){ to->points, 8 };
            continue;
        } else {
            FILL(from, volume->shape.obb);
        }
        to->volumes_d[i] = sli_volume_d_of(volume);
        if (volume->kind != SL_VOLUME_FRUSTUM) {
            double *numbers = (double *)(void *)&to->volumes_d[i].shape;
            fill_d(from, numbers, sizeof(sl_obb_d) / sizeof(double));
        }
    }
    to->volume = to->volumes[from->taken % WILD_VOLUMES];
    to->volume_d = to->volumes_d[from->taken % WILD_VOLUMES];
}

static void fill_sweeps(wild *to, source *from)
{
    for (int i = 0; i < WILD_VOLUMES; i++) {
        const sl_start_contact how = (sl_start_contact)(i % 3);
        to->sweeps[i] =
            (sl_sweep){ .volume = to->volumes[i], .touching = how, .ignore_grazing = i % 2 == 1 };
        to->sweeps_d[i] = (sl_sweep_d){ .volume = to->volumes_d[i], .overlapping = how };
        fill(from, to->sweeps[i].dir, 3);
        fill_d(from, to->sweeps_d[i].dir, 3);
    }
}

static void fill_clash(wild *to, source *from)
{
    to->clash.margin = next(from);
    to->clashes_def.solids = from->kind == 0; /* which takes long */
    for (int i = 0; i < WILD_INSTANCES; i++) {
        fill_d(from, to->transforms[i].m[0], 12);
    }
}

static void fill_sights(wild *to, source *from)
{
    for (uint32_t i = 0; i < WILD_COUNT; i++) {
        to->ends[i] = (sl_sight_end){ .own = { i % 5, i % 2 }, .id = i };
        fill_d(from, to->ends[i].at, 3);
        fill_d(from, to->cones[i].dir, 3);
        to->cones[i].cos_angle = next_d(from);
        to->cones[i].range = next_d(from);
        to->pairs[i] = (sl_sight_pair){ i, i * 7 % WILD_COUNT };
        to->samples[i] = (sl_sight_samples){ .points = to->points_d,
                                             .seed = i,
                                             .count = 5,
                                             .need = i % 6,
                                             .shape = (sl_sight_shape)(i % 3) };
        fill_d(from, to->samples[i].axes[0], 9);
    }
    to->end = to->ends[0];
    to->cone = to->cones[0];
    fill_d(from, to->grid.origin, 3);
    fill_d(from, to->grid.step_x, 3);
    fill_d(from, to->grid.step_y, 3);
    fill_d(from, to->grid.down, 3);
    fill_d(from, to->grid.rise, 3);
}

/* The last ones of the list of instances; the first ones are good. */
static void fill_instances(wild *to, source *from)
{
    for (int i = WILD_INSTANCES - 4; i < WILD_INSTANCES; i++) {
        fill_d(from, to->instances[i].transform.m[0], 12);
        to->instances[i].grid = i % 2 == 0 ? next_d(from) : 0;
    }
}

void wild_fill(wild *to, int kind, int place)
{
    source from = { .kind = kind, .place = place };
    fill(&from, to->points, (size_t)3 * WILD_COUNT);
    fill_d(&from, to->points_d, (size_t)3 * WILD_COUNT);
    to->distance = place % 2 == 0 ? wild_floats[kind] : INFINITY;
    to->distance_d = place % 2 == 0 ? wild_doubles[kind] : INFINITY;
    to->seams.tolerance = place % 2 == 0 ? wild_doubles[kind] : 0;
    fill_rays(to, &from);
    fill_volumes(to, &from);
    fill_sweeps(to, &from);
    fill_clash(to, &from);
    fill_sights(to, &from);
    fill_instances(to, &from);
}

/* Places that are as small, as large and as far as they may be, and a nested scene. */
static void make_scenes(wild *to, const sl_bvh *bvh)
{
    static const double scales[3] = { 1, 0x1p-140, 0x1p120 };
    to->leave_out = (sl_instances_def){ 0 };
    to->leave_out.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    for (int i = 0; i < WILD_INSTANCES; i++) {
        to->instances[i] = sl_instance_of(bvh);
        to->instances[i].transform.m[1][3] = i;
        for (int axis = 0; axis < 3; axis++) {
            to->instances[i].transform.m[axis][axis] = scales[i % 3];
        }
    }
    to->instances[3].grid = 0x1p-8;
    to->instances[3].transform.m[0][3] = 1e30;
    assert_int_equal(
        sl_bvh_build_instances(to->instances, WILD_INSTANCES - 4, &to->leave_out, &to->inner, NULL),
        SL_OK);
    to->instances[3] = (sl_instance){ .bvh = to->inner, .mask = UINT32_MAX };
    to->instances[3].transform = sl_transform_identity();
    to->instances[3].transform.m[2][3] = 0x1p-1070;
    to->scene = made_scene(to->instances, WILD_INSTANCES, &to->leave_out);
    to->follows = to->leave_out;
    to->follows.previous = to->scene;
}

/* A drag on the surface, of a point in the middle of the picture. */
static void make_drag(wild *to)
{
    sl_camera camera = made_camera(NULL);
    to->view = (sl_view){ .camera = camera };
    to->drag = (sl_drag){ 0 };
    to->drag.kind = SL_DRAG_SURFACE;
    to->drag_move = (sl_drag_move){ .factor = 1 };
    to->mouse[0] = to->mouse[1] = 300;
    assert_int_equal(sl_drag_begin(&to->drag, &to->view, to->mouse), SL_DRAG_MOVED);
    to->mouse[0] = 0x1p-1070;
}

/* Marks, and everything to snap to, near the mouse. */
static void make_snaps(wild *to)
{
    for (uint32_t i = 0; i < 4; i++) {
        const double p[3] = { 0x1p-1070, 0.1 * i, 0 }, q[3] = { 0, 0x1p-1070, i };
        to->mark[i] = i < 2 ? sl_mark_point(p, 0x1p-140f, i) : sl_mark_wire(p, q, 0x1p-140f, i);
    }
    assert_int_equal(sl_marks_build(to->mark, 4, NULL, &to->marks, NULL), SL_OK);
    to->pick = (sl_pick_def){ 0 };
    to->pick.radius = 1e4f;
    to->snap = (sl_snap_def){ 0 };
    to->snap.kinds = (1u << SL_SNAP_KINDS) - 1;
    to->snap.radius = 1e4f;
    to->snap.margin = 0x1p-140f;
    to->snap.has_from = true;
    to->snap.from[1] = 0x1p-1070;
    to->snap.lock = SL_SNAP_PLANE;
    to->snap.lock_dir[1] = 0x1p-1070;
    to->snap_grid = (sl_snap_grid){ .x = { 1, 0x1p-1070, 0 }, .y = { 0, 1, 0x1p-1070 } };
    to->snap.grid = &to->snap_grid;
    to->snap.marks = to->marks;
}

void wild_make(wild *to, const sl_bvh *bvh)
{
    make_scenes(to, bvh);
    make_drag(to);
    make_snaps(to);
    assert_int_equal(sl_sight_memory_create(WILD_COUNT, NULL, &to->memory, NULL), SL_OK);
    to->seams = (sl_seams_def){ 0 };
    to->clash = (sl_clash){ .a = NULL };
    to->clashes_def = (sl_clashes_def){ .clash = &to->clash };
    assert_int_equal(sl_clashes_find(to->scene, NULL, &to->clashes, NULL), SL_OK);
    to->all = (sl_sight_ends){ .eyes = to->ends, .eye_count = WILD_COUNT };
    to->sight = (sl_sight){ .memory = to->memory };
    to->sight_d = (sl_sight){ .memory = to->memory, .flags = SL_SIGHT_DOUBLES };
    to->grid.width = to->grid.height = WILD_SIDE;
    wild_fill(to, 0, 0);
}

void wild_free(wild *to)
{
    sl_marks_destroy(to->marks);
    sl_sight_memory_destroy(to->memory);
    sl_clashes_destroy(to->clashes);
    sl_bvh_destroy(to->scene);
    sl_bvh_destroy(to->inner);
}

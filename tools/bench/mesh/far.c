/* bench/mesh/far.c: the rows of bench far from the origin of the world: a rate there over the rate
 * at the origin, for the same vertices and rays.
 *
 * What is moved there is rounded to the floats of that place; what is moved back from there is an
 * exact difference.  Both meshes and both sets are thus the same to the last bit, but for where
 * they lie, and so are their answers but for rounding. */
#include "tools/bench/job/comparison.h"
#include "tools/bench/mesh/rows.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

/* A power of two, in sizes of the mesh: floats there resolve an 8192nd of it, or a 16384th. */
static const double distance_far = 512;

typedef struct places {
    double centre[3]; /* of the mesh as it is */
    double there[3];  /* where it goes: whole multiples of a power of two */
    sl_bvh *far, *back;
} places;

static void choose_place(const bench_source *source, places *p)
{
    static const double direction[3] = { 1, 0, -1.5 };
    int exponent;
    frexp((double)source->diagonal, &exponent);
    for (int axis = 0; axis < 3; axis++) {
        p->centre[axis] =
            0.5 * ((double)source->bounds.min[axis] + (double)source->bounds.max[axis]);
        p->there[axis] = ldexp(distance_far * direction[axis], exponent);
    }
}

/* Points to the place, and back to the origin: out may be points.  Sterbenz's theorem makes the way
 * back exact, since what is there lies within twice of where it is. */
static void move_there(const places *p, const float *points, size_t count, float *out)
{
    for (size_t i = 0; i < 3 * count; i++) {
        out[i] = (float)((double)points[i] - p->centre[i % 3] + p->there[i % 3]);
    }
}

static void move_back(const places *p, const float *points, size_t count, float *out)
{
    for (size_t i = 0; i < 3 * count; i++) {
        out[i] = (float)((double)points[i] - p->there[i % 3]);
    }
}

static int build_at(const bench_scene *s, const float *xyz, sl_bvh **out)
{
    sl_mesh_def mesh_def = { .bad = SL_BAD_LEAVE_OUT };
    sl_build_def def = bench_build_def(s);
    def.hooks.tasks = s->in.tasks;
    sl_mesh *mesh = NULL;
    sl_error error;
    sl_result result = sl_mesh_from_arrays(
        xyz, sl_mesh_soup(s->in.mesh).vertex_count, sl_mesh_soup(s->in.mesh).indices,
        sl_mesh_soup(s->in.mesh).triangle_count, &mesh_def, &mesh, &error);
    if (result == SL_OK) {
        result = sl_bvh_build(mesh, &def, out, &error);
    }
    sl_mesh_destroy(mesh);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static int build_both(const bench_scene *s, places *p)
{
    const size_t count = sl_mesh_soup(s->in.mesh).vertex_count;
    float *xyz = malloc(count * 3 * sizeof *xyz);
    if (xyz == NULL) {
        return report_memory();
    }
    move_there(p, sl_mesh_soup(s->in.mesh).xyz, count, xyz);
    int status = build_at(s, xyz, &p->far);
    if (status == EXIT_DONE) {
        move_back(p, xyz, count, xyz);
        status = build_at(s, xyz, &p->back);
    }
    free(xyz);
    return status;
}

typedef void move(const places *p, const float *points, size_t count, float *out);

static void move_rays(const places *p, move *to, bench_rays *rays)
{
    for (size_t i = 0; i < rays->count; i++) {
        if (rays->rays != NULL) {
            to(p, rays->rays[i].origin, 1, rays->rays[i].origin);
        } else if (rays->segments != NULL) {
            to(p, rays->segments[i].p, 1, rays->segments[i].p);
            to(p, rays->segments[i].q, 1, rays->segments[i].q);
        } else {
            to(p, rays->points + 3 * i, 1, rays->points + 3 * i);
        }
    }
}

/* batch: as bench_asking has it. */
static int add_set(bench_job *job, bench_scene *s, const places *p, const char *name, bench_set set,
                   size_t batch)
{
    bench_rays rays[2] = { { 0 } }; /* there, and moved back from there */
    const size_t count = (size_t)job->options->rays;
    int status = bench_rays_make(&s->source, set, count, &rays[0]) &&
                         bench_rays_make(&s->source, set, count, &rays[1])
                     ? EXIT_DONE
                     : report_memory();
    if (status == EXIT_DONE && rays[0].count > 0) {
        move_rays(p, move_there, &rays[0]);
        move_rays(p, move_there, &rays[1]);
        move_rays(p, move_back, &rays[1]);
        bench_asking ways[2] = { { { .bvh = p->far }, &rays[0], batch, NULL },
                                 { { .bvh = p->back }, &rays[1], batch, NULL } };
        status = bench_relative_add(job, s, name, ways, true, NULL);
    }
    bench_rays_free(&rays[0]);
    bench_rays_free(&rays[1]);
    return status;
}

int bench_far_rows(bench_job *job, bench_scene *s)
{
    static const struct {
        const char *name;
        bench_set set;
        size_t batch;
    } rows[] = {
        { "far.primary", SET_PRIMARY, 0 },        { "far.diffshuf", SET_DIFFSHUF, 0 },
        { "far.diffany", SET_DIFFANY, 0 },        { "far.losbox", SET_LOSBOX, 0 },
        { "far.ptnear", SET_PTNEAR, 0 },          { "far.closest1", SET_DIFFSHUF, BENCH_SINGLY },
        { "far.any1", SET_DIFFANY, BENCH_SINGLY }
    };
    places p = { 0 };
    choose_place(&s->source, &p);
    int status = build_both(s, &p);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == EXIT_DONE; i++) {
        status = add_set(job, s, &p, rows[i].name, rows[i].set, rows[i].batch);
    }
    sl_bvh_destroy(p.far);
    sl_bvh_destroy(p.back);
    return status;
}

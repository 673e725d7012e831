/* bake/bake.c: ambient occlusion and thickness of single points, and vertex normals, for bake. */
#include "tools/bake/bake.h"

#include "tools/bake/hemisphere.h"

#include <math.h>
#include <stdlib.h>

bool bake_scratch_make(bake_scratch *scratch, const bake_job *job)
{
    *scratch = (bake_scratch){ 0 };
    if (job->kind == BAKE_AO) {
        scratch->targets = malloc(3 * (size_t)job->rays * sizeof *scratch->targets);
        scratch->occluded = malloc((size_t)job->rays * sizeof *scratch->occluded);
        return scratch->targets != NULL && scratch->occluded != NULL;
    }
    scratch->rays = malloc((size_t)job->rays * sizeof *scratch->rays);
    scratch->hits = malloc((size_t)job->rays * sizeof *scratch->hits);
    return scratch->rays != NULL && scratch->hits != NULL;
}

void bake_scratch_free(bake_scratch *scratch)
{
    free(scratch->targets);
    free(scratch->occluded);
    free(scratch->rays);
    free(scratch->hits);
    *scratch = (bake_scratch){ 0 };
}

static void bake_move(const float from[3], const float dir[3], float length, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = from[axis] + length * dir[axis];
    }
}

/* Segments that are open where they start, so that even without a lift a point is not blocked by
 * the triangles that it is on. */
static float open_share(const bake_job *job, size_t point, const float normal[3],
                        const bake_scratch *scratch)
{
    sl_options options = job->query != NULL ? *job->query : (sl_options){ .flags = 0 };
    float eye[3];
    options.flags |= SL_OPEN_START;
    bake_move(job->points + 3 * point, normal, job->lift, eye);
    for (uint32_t i = 0; i < job->rays; i++) {
        uint32_t sample[2];
        float dir[3];
        bake_hemisphere_sample(i, job->rays, job->first + point, sample);
        bake_hemisphere_direction(sample, normal, job->spread, dir);
        bake_move(eye, dir, job->distance, scratch->targets + 3 * (size_t)i);
    }
    sl_bvh_any_many(job->bvh, sl_segments_from(eye, scratch->targets, job->rays, SL_FLOAT),
                    &options, scratch->occluded, NULL, NULL, NULL);
    uint32_t open = 0;
    for (uint32_t i = 0; i < job->rays; i++) {
        open += scratch->occluded[i] == 0;
    }
    return (float)open / (float)job->rays;
}

static float bake_thickness(const bake_job *job, size_t point, const float normal[3],
                            const bake_scratch *scratch)
{
    float inward[3], from[3];
    for (int axis = 0; axis < 3; axis++) {
        inward[axis] = -normal[axis];
    }
    bake_move(job->points + 3 * point, inward, job->lift, from);
    for (uint32_t i = 0; i < job->rays; i++) {
        uint32_t sample[2];
        float dir[3];
        bake_hemisphere_sample(i, job->rays, job->first + point, sample);
        bake_hemisphere_direction(sample, inward, job->spread, dir);
        scratch->rays[i] = sl_ray_make(from, dir);
        scratch->rays[i].tmax = job->distance;
    }
    sl_bvh_closest_many(job->bvh, sl_rays_of(scratch->rays, job->rays), job->query,
                        sl_hits_of(scratch->hits), NULL, NULL);
    double sum = 0, least = INFINITY;
    uint32_t met = 0;
    for (uint32_t i = 0; i < job->rays; i++) {
        if (scratch->hits[i].prim != SL_NONE) {
            const double length = (double)scratch->hits[i].t + (double)job->lift;
            sum += length;
            least = length < least ? length : least;
            met++;
        }
    }
    return (float)(job->least || met == 0 ? least : sum / met);
}

float bake_point(const bake_job *job, size_t point, const bake_scratch *scratch)
{
    double square = 0;
    float normal[3];
    for (size_t axis = 0; axis < 3; axis++) {
        const double x = (double)job->normals[3 * point + axis];
        square += x * x;
    }
    if (!(square > 0 && isfinite(square))) {
        return NAN;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        normal[axis] = (float)((double)job->normals[3 * point + axis] / sqrt(square));
    }
    return job->kind == BAKE_AO ? open_share(job, point, normal, scratch)
                                : bake_thickness(job, point, normal, scratch);
}

/* Adds a triangle's normal, twice its area long, to its corners. */
static void add_normal(double *sums, const uint32_t index[3], const sl_triangle *triangle)
{
    double e[2][3];
    for (int side = 0; side < 2; side++) {
        for (int axis = 0; axis < 3; axis++) {
            e[side][axis] = (double)triangle->v[side + 1][axis] - (double)triangle->v[0][axis];
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        const size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double n = e[0][j] * e[1][k] - e[0][k] * e[1][j];
        for (int corner = 0; corner < 3; corner++) {
            sums[3 * (size_t)index[corner] + axis] += n;
        }
    }
}

float *bake_normals(const sl_mesh *mesh)
{
    const size_t count = sl_mesh_soup(mesh).vertex_count;
    double *sums = calloc(3 * count + 1, sizeof *sums);
    float *normals = calloc(3 * count + 1, sizeof *normals);
    if (sums == NULL || normals == NULL) {
        free(sums);
        free(normals);
        return NULL;
    }
    for (size_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle triangle;
        if (sl_mesh_triangle(mesh, (uint32_t)prim, &triangle)) {
            add_normal(sums, sl_mesh_soup(mesh).indices + 3 * prim, &triangle);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const double *n = sums + 3 * i;
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (size_t axis = 0; axis < 3 && length > 0 && isfinite(length); axis++) {
            normals[3 * i + axis] = (float)(n[axis] / length);
        }
    }
    free(sums);
    return normals;
}

/* render/shade.c: the colour of a pixel from its hits, for render and check --picture.
 *
 * Colours are mixed as linear light and become bytes by a square root, which is close to the sRGB
 * curve and has the same bits on every machine; for the same reason sqrtf is the only function of
 * libm here. */
#include "tools/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float shade_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* False, and a left as it is, for what has no direction. */
static bool shade_normalize(float a[3])
{
    const float length = sqrtf(shade_dot(a, a));
    if (!(length > 0) || !(length <= 3e38f)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] /= length;
    }
    return true;
}

/* Twice the area, along the normal; in double, where no float overflows. */
static void area_vector(const float *xyz, const uint32_t *corner, double out[3])
{
    double e[2][3];
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            e[i][axis] = (double)xyz[3 * (size_t)corner[i + 1] + (size_t)axis] -
                         xyz[3 * (size_t)corner[0] + (size_t)axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        out[axis] = e[0][b] * e[1][c] - e[0][c] * e[1][b];
    }
}

float (*render_vertex_normals(const sl_mesh *mesh))[3]
{
    const size_t vertex_count = sl_mesh_soup(mesh).vertex_count;
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const uint32_t *indices = sl_mesh_soup(mesh).indices;
    double(*sums)[3] = calloc(vertex_count + 1, sizeof *sums);
    float(*normals)[3] = calloc(vertex_count + 1, sizeof *normals);
    if (sums == NULL || normals == NULL) {
        free(sums);
        free(normals);
        return NULL;
    }
    for (size_t i = 0; i < sl_mesh_soup(mesh).triangle_count; i++) {
        const uint32_t *corner = indices + 3 * i;
        double area[3];
        if (corner[0] == SL_NONE) {
            continue;
        }
        area_vector(xyz, corner, area);
        for (int c = 0; c < 3; c++) {
            for (int axis = 0; axis < 3; axis++) {
                sums[corner[c]][axis] += area[axis];
            }
        }
    }
    for (size_t i = 0; i < vertex_count; i++) {
        const double *s = sums[i];
        const double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        for (int axis = 0; axis < 3; axis++) {
            normals[i][axis] = length > 0 ? (float)(s[axis] / length) : 0;
        }
    }
    free(sums);
    return normals;
}

/* The normal between the corners' own; a corner whose normal is far from the facet's lies on a
 * crease, and there the facet's counts. */
void render_smooth_normal(const sl_mesh *mesh, const float (*normals)[3], const sl_hit *hit,
                          const float facet[3], float out[3])
{
    const float crease = 0.7f; /* cosine: about 45 degrees */
    const uint32_t *corner = sl_mesh_soup(mesh).indices + 3 * (size_t)hit->prim;
    const float weights[3] = { 1 - hit->u - hit->v, hit->u, hit->v };
    float sum[3] = { 0, 0, 0 };
    for (int c = 0; c < 3; c++) {
        const float *own = normals[corner[c]];
        const float *normal = shade_dot(own, facet) > crease ? own : facet;
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += weights[c] * normal[axis];
        }
    }
    memcpy(out, shade_normalize(sum) ? sum : facet, sizeof sum);
}

static uint32_t shade_mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

/* A point of the unit square to one of the unit disc, areas kept.  Shirley and Chiu, A Low
 * Distortion Map Between Disk and Square (1997); sine and cosine of -pi/4 .. pi/4 by their series.
 */
static void square_to_disc(float a, float b, float out[2])
{
    const bool wide = fabsf(a) > fabsf(b);
    const float radius = wide ? a : b;
    const float angle = radius != 0 ? 0.785398163f * (wide ? b / a : a / b) : 0;
    const float s = angle * angle;
    const float sine = angle * (1 - s / 6 * (1 - s / 20 * (1 - s / 42)));
    const float cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56)));
    out[0] = radius * (wide ? cosine : sine);
    out[1] = radius * (wide ? sine : cosine);
}

/* Two axes across a unit normal.  Duff et al., Building an Orthonormal Basis, Revisited (2017). */
static void shade_basis(const float n[3], float b1[3], float b2[3])
{
    const float sign = n[2] < 0 ? -1.0f : 1.0f;
    const float a = -1 / (sign + n[2]);
    const float b = n[0] * n[1] * a;
    const float first[3] = { 1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0] };
    const float second[3] = { b, sign + n[1] * n[1] * a, -n[1] };
    memcpy(b1, first, sizeof first);
    memcpy(b2, second, sizeof second);
}

/* Ray k of a hemisphere, denser towards the normal, kept off the facet's far side. */
static void occlusion_dir(const float normal[3], const float facet[3], uint32_t k, uint32_t seed,
                          float dir[3])
{
    /* The R2 sequence (Roberts, 2018), shifted by a random amount for each seed. */
    const uint32_t x = shade_mix(seed) + k * 3242174889u;
    const uint32_t y = shade_mix(seed ^ 0x9E3779B9u) + k * 2447445414u;
    const float unit = 1.0f / 8388608; /* of 24 bits, -1 .. 1 */
    float disc[2], b1[3], b2[3];
    square_to_disc((float)(x >> 8) * unit - 1, (float)(y >> 8) * unit - 1, disc);
    const float square = 1 - disc[0] * disc[0] - disc[1] * disc[1];
    const float height = sqrtf(square > 0 ? square : 0);
    shade_basis(normal, b1, b2);
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = disc[0] * b1[axis] + disc[1] * b2[axis] + height * normal[axis];
    }
    const float below = shade_dot(dir, facet);
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] -= below < 0 ? 2 * below * facet[axis] : 0;
    }
}

/* Which of the rays of a pixel: they are spread as one sequence over all of its samples. */
typedef struct sample_id {
    uint32_t pixel, sample;
} sample_id;

/* The share of the sky that is open above a point, 0 .. 1. */
static float shade_openness(const picture *p, const float origin[3], const float normal[3],
                            const float facet[3], sample_id id)
{
    enum { BLOCK = 64 };
    sl_ray rays[BLOCK];
    uint8_t occluded[BLOCK];
    int open = 0;
    for (int first = 0; first < p->ao; first += BLOCK) {
        const int count = p->ao - first < BLOCK ? p->ao - first : BLOCK;
        for (int i = 0; i < count; i++) {
            float dir[3];
            const uint32_t k = id.sample * (uint32_t)p->ao + (uint32_t)(first + i);
            occlusion_dir(normal, facet, k, id.pixel, dir);
            rays[i] = sl_ray_make(origin, dir);
            rays[i].tmax = p->ao_distance;
        }
        sl_bvh_any_many(p->in->bvh, sl_rays_of(rays, (size_t)count), NULL, occluded, NULL, NULL,
                        NULL);
        for (int i = 0; i < count; i++) {
            open += occluded[i] == 0;
        }
    }
    return p->ao > 0 ? (float)open / (float)p->ao : 1;
}

/* False where facets are shown as they are. */
static bool smooth_normal(const picture *p, const sl_hit *hit, const hit_surface *surface,
                          float out[3])
{
    if (p->scene_normals != NULL) {
        return render_placed_normal(p, hit, out) && shade_normalize(out);
    }
    if (p->normals != NULL) {
        render_smooth_normal(p->in->mesh, (const float(*)[3])p->normals, hit, surface->normal, out);
    }
    return p->normals != NULL;
}

/* A key light from beside the camera, and ambient light, more from the sky than from the ground. */
static void shade_shade(const picture *p, const sl_ray *ray, const sl_hit *hit, sample_id id,
                        float out[3])
{
    static const float clay[3] = { 0.78f, 0.66f, 0.55f };
    static const float sky[3] = { 0.34f, 0.41f, 0.52f }, ground[3] = { 0.13f, 0.10f, 0.08f };
    static const float key_color[3] = { 1.05f, 0.99f, 0.90f };
    hit_surface surface;
    if (!mesh_in_surface(p->in, hit, &surface)) {
        return;
    }
    const bool back = shade_dot(surface.normal, ray->dir) > 0;
    float facet[3], normal[3], key[3];
    for (int axis = 0; axis < 3; axis++) {
        facet[axis] = back ? -surface.normal[axis] : surface.normal[axis];
        key[axis] = (float)(-p->camera->axes[CAMERA_FORWARD][axis] +
                            0.9 * p->camera->axes[CAMERA_UP][axis] -
                            0.8 * p->camera->axes[CAMERA_RIGHT][axis]);
    }
    if (smooth_normal(p, hit, &surface, normal)) {
        for (int axis = 0; axis < 3; axis++) {
            normal[axis] = back ? -normal[axis] : normal[axis];
        }
    } else {
        memcpy(normal, facet, sizeof normal);
    }
    shade_normalize(key);
    const float *origin = back ? surface.back_origin : surface.front_origin;
    const float open = shade_openness(p, origin, normal, facet, id);
    const float lambert = shade_dot(normal, key) > 0 ? shade_dot(normal, key) : 0;
    float up = 0;
    for (int axis = 0; axis < 3; axis++) {
        up += normal[axis] * (float)p->camera->axes[CAMERA_UP][axis];
    }
    for (int c = 0; c < 3; c++) {
        const float ambient = ground[c] + (sky[c] - ground[c]) * (0.5f + 0.5f * up);
        const float direct = key_color[c] * lambert * (0.5f + 0.5f * open);
        out[c] = clay[c] * (ambient * open + direct);
    }
}

/* Bytes of a colour map to light. */
static void from_bytes(const uint8_t rgb[3], float out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = (float)(rgb[c] * rgb[c]) / (255.0f * 255.0f);
    }
}

double render_depth(const camera_in *camera, const sl_ray *ray, const sl_hit *hit)
{
    double point[3];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = ray->origin[axis] + (double)hit->t * ray->dir[axis];
    }
    return camera_in_distance(camera, point);
}

static void map_value(const picture *p, double x, bool near_is_light, float out[3])
{
    uint8_t rgb[3];
    const double part = p->high > p->low ? (x - p->low) / (p->high - p->low) : 0;
    sl_colour_map((float)(near_is_light ? 1 - part : part), rgb);
    from_bytes(rgb, out);
}

/* The colour of the number of the triangle or the instance, shaded a little so that shapes can be
 * seen. */
static void show_number(const picture *p, const sl_ray *ray, const sl_hit *hit, float out[3])
{
    uint8_t rgb[3];
    float dir[3];
    hit_surface surface;
    float light = 1;
    memcpy(dir, ray->dir, sizeof dir);
    if (mesh_in_surface(p->in, hit, &surface) && shade_normalize(dir)) {
        light = 0.45f + 0.55f * fabsf(shade_dot(surface.normal, dir));
    }
    sl_colour_id(p->show == SHOW_INSTANCE ? hit->instance : hit->prim, rgb);
    from_bytes(rgb, out);
    for (int c = 0; c < 3; c++) {
        out[c] *= light;
    }
}

static void show_normal(const picture *p, const sl_hit *hit, float out[3])
{
    hit_surface surface;
    if (mesh_in_surface(p->in, hit, &surface)) {
        for (int c = 0; c < 3; c++) {
            const float x = 0.5f + 0.5f * surface.normal[c];
            out[c] = x * x; /* so that the byte says 127.5 + 127.5 n */
        }
    }
}

/* Between the values of the corners, by the weights of the hit; a corner without any weight may
 * have a value that is not finite. */
static float value_at(const picture *p, const sl_hit *hit, size_t count, size_t which)
{
    const uint32_t *v = sl_mesh_soup(p->in->mesh).indices + 3 * (size_t)hit->prim;
    const float weights[3] = { 1 - hit->u - hit->v, hit->u, hit->v };
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += weights[i] != 0 ? weights[i] * p->values[count * v[i] + which] : 0;
    }
    return sum;
}

/* Without light, so that a colour can be read off; grey where there is no number. */
static void show_quality(const picture *p, const sl_hit *hit, float out[3])
{
    const float value = value_at(p, hit, 1, 0);
    if (isnan(value)) {
        out[0] = out[1] = out[2] = 0.1f;
    } else {
        map_value(p, fmin(fmax((double)value, p->low), p->high), false, out);
    }
}

static void show_colour(const picture *p, const sl_hit *hit, float out[3])
{
    for (size_t c = 0; c < 3; c++) {
        const float x = value_at(p, hit, 3, c) / 255;
        out[c] = x > 0 ? x * x : 0;
    }
}

/* Behind everything: a sky for the shaded picture, plain slate for the others. */
static void shade_background(const picture *p, uint32_t y, float out[3])
{
    static const float top[3] = { 0.13f, 0.22f, 0.36f }, bottom[3] = { 0.72f, 0.76f, 0.78f };
    static const float slate[3] = { 0.011f, 0.012f, 0.016f };
    const float part = ((float)y + 0.5f) / (float)p->height;
    for (int c = 0; c < 3; c++) {
        out[c] = p->show == SHOW_SHADE ? top[c] + (bottom[c] - top[c]) * part : slate[c];
    }
}

static void show_sample(const picture *p, const tiles_pixel *pixel, size_t i, float out[3])
{
    const sl_ray *ray = &pixel->rays[i];
    const sl_hit *hit = &pixel->hits[i];
    shade_background(p, pixel->y, out);
    if (p->show == SHOW_COST) {
        map_value(p, pixel->costs[i], false, out);
    } else if (hit->prim == SL_NONE) {
        return;
    } else if (p->show == SHOW_SHADE) {
        const sample_id id = { .pixel = pixel->y * p->width + pixel->x, .sample = (uint32_t)i };
        shade_shade(p, ray, hit, id, out);
    } else if (p->show == SHOW_DEPTH) {
        map_value(p, render_depth(p->camera, ray, hit), true, out);
    } else if (p->show == SHOW_NORMAL) {
        show_normal(p, hit, out);
    } else if (p->show == SHOW_QUALITY) {
        show_quality(p, hit, out);
    } else if (p->show == SHOW_COLOUR) {
        show_colour(p, hit, out);
    } else {
        show_number(p, ray, hit, out);
    }
}

void render_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    (void)worker;
    const picture *p = context;
    float sum[3] = { 0, 0, 0 };
    for (size_t i = 0; i < pixel->count; i++) {
        float light[3];
        show_sample(p, pixel, i, light);
        for (int c = 0; c < 3; c++) {
            sum[c] += light[c];
        }
    }
    uint8_t *rgb = p->rgb + 3 * ((size_t)pixel->y * p->width + pixel->x);
    for (int c = 0; c < 3; c++) {
        const float light = sum[c] / (float)pixel->count;
        rgb[c] = (uint8_t)(255 * sqrtf(light < 1 ? light : 1) + 0.5f);
    }
}

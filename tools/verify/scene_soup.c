/* verify/scene_soup.c: every triangle of a scene against a ray or a segment, for ask/calls.c. */
#include "tools/verify/scene_soup.h"

#include "tools/cli/report.h"

#include <stdlib.h>
#include <string.h>

static int make(scene_soup *soup, size_t instances, uint64_t triangles)
{
    *soup = (scene_soup){ .instances = instances };
    soup->triangles = malloc((size_t)(triangles + 1) * sizeof *soup->triangles);
    soup->mirrored = calloc(instances + 1, sizeof *soup->mirrored);
    soup->masks = malloc((instances + 1) * sizeof *soup->masks);
    return soup->triangles != NULL && soup->mirrored != NULL && soup->masks != NULL
               ? EXIT_DONE
               : report_memory();
}

static void add_instance(scene_soup *soup, const sl_bvh *bvh, uint32_t instance, size_t prims,
                         uint64_t most)
{
    for (size_t prim = 0; prim < prims && soup->count < most; prim++) {
        scene_triangle *to = &soup->triangles[soup->count];
        to->is = (sl_triangle_ref){ .prim = (uint32_t)prim, .instance = instance };
        soup->count += sl_bvh_triangle(bvh, to->is, to->corners.v);
    }
}

int scene_soup_make(scene_soup *soup, const scene_in *in)
{
    const int status = make(soup, in->info.instance_count, in->info.triangle_count);
    for (uint32_t i = 0; status == EXIT_DONE && i < in->info.instance_count; i++) {
        sl_transform place;
        soup->masks[i] = scene_in_mask(in, i);
        soup->mirrored[i] = scene_in_place(in, i, &place) && scene_in_mirrors(&place);
        add_instance(soup, in->scene, i, scene_in_prims(in, i), in->info.triangle_count);
    }
    return status;
}

int scene_soup_make_of_tree(scene_soup *soup, const sl_bvh *bvh)
{
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    const int status = make(soup, 1, info.triangle_count);
    if (status == EXIT_DONE) {
        soup->masks[0] = UINT32_MAX;
        add_instance(soup, bvh, 0, info.prim_count, info.triangle_count);
    }
    return status;
}

void scene_soup_free(scene_soup *soup)
{
    free(soup->triangles);
    free(soup->mirrored);
    free(soup->masks);
    *soup = (scene_soup){ .count = 0 };
}

/* Whether the options of a query leave a triangle in; culling is for the test of it. */
static bool is_in(const scene_soup *soup, const sl_options *options, sl_triangle_ref is)
{
    if (options->mask != 0 && (soup->masks[is.instance] & options->mask) == 0) {
        return false;
    }
    for (size_t i = 0; i < options->skip_count; i++) {
        if (options->skip[i].prim == is.prim && options->skip[i].instance == is.instance) {
            return false;
        }
    }
    return true;
}

/* Whether a hit comes before number `at` of those that are kept. */
static bool is_before(const sl_hit_d *hit, const void *rows, bool floats, size_t at)
{
    const sl_hit *single = floats ? (const sl_hit *)rows + at : NULL;
    const sl_hit_d *other = floats ? NULL : (const sl_hit_d *)rows + at;
    const double t = floats ? (double)single->t : other->t;
    const uint32_t instance = floats ? single->instance : other->instance;
    const uint32_t prim = floats ? single->prim : other->prim;
    return hit->t != t                 ? hit->t < t
           : hit->instance != instance ? hit->instance < instance
                                       : hit->prim < prim;
}

/* Puts a hit where it belongs among the first capacity. */
static void scene_soup_put(void *rows, bool floats, size_t kept, size_t capacity,
                           const sl_hit_d *hit)
{
    const size_t size = floats ? sizeof(sl_hit) : sizeof *hit;
    char *to = rows;
    size_t at = kept;
    while (at > 0 && is_before(hit, rows, floats, at - 1)) {
        at--;
    }
    if (at >= capacity) {
        return;
    }
    const size_t moved = (kept < capacity ? kept : capacity - 1) - at;
    memmove(to + (at + 1) * size, to + at * size, moved * size);
    const sl_hit single = { (float)hit->t, hit->u, hit->v, hit->prim, hit->instance, hit->flags };
    memcpy(to + at * size, floats ? (const void *)&single : (const void *)hit, size);
}

size_t scene_soup_all(const scene_soup *soup, const sl_ray_d *ray, const sl_segment_d *segment,
                      const sl_options *options, bool floats, void *rows, size_t capacity)
{
    static const sl_cull other[] = { [SL_CULL_NONE] = SL_CULL_NONE,
                                     [SL_CULL_BACK] = SL_CULL_FRONT,
                                     [SL_CULL_FRONT] = SL_CULL_BACK };
    sl_options plain = { .flags = options->flags & (SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS) };
    size_t total = 0;
    for (size_t i = 0; i < soup->count; i++) {
        const scene_triangle *triangle = &soup->triangles[i];
        const bool mirrored = soup->mirrored[triangle->is.instance] != 0;
        sl_hit_d hit;
        plain.cull = mirrored ? other[options->cull] : options->cull;
        if (!is_in(soup, options, triangle->is) ||
            !(ray != NULL ? sl_ray_d_triangle(ray, &triangle->corners, &plain, &hit)
                          : sl_segment_d_triangle(segment, &triangle->corners, &plain, &hit))) {
            continue;
        }
        hit.t = floats ? (double)(float)hit.t : hit.t;
        hit.prim = triangle->is.prim;
        hit.instance = triangle->is.instance;
        hit.flags ^= mirrored ? SL_HIT_BACK : 0;
        scene_soup_put(rows, floats, total < capacity ? total : capacity, capacity, &hit);
        total++;
    }
    return total;
}

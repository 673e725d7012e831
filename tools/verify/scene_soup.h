/* verify/scene_soup.h: all triangles of a scene in turn, without its trees: what --verify and
 * --brute hold a scene against.
 *
 * Corners are the scene's own; each is tested in doubles, and exactly (sl_ray_d_triangle). */
#pragma once

#include "tools/input/scene.h"

typedef struct scene_triangle {
    sl_triangle_d corners;
    sl_triangle_ref is;
} scene_triangle;

typedef struct scene_soup {
    scene_triangle *triangles;
    size_t count;
    uint8_t *mirrored; /* one for each instance */
    uint32_t *masks;
    size_t instances;
} scene_soup;

/* EXIT_DONE, or the status of a reported error; free it either way, and a zeroed one as you like.
 * Masks of the triangles of tree files are not known. */
int scene_soup_make(scene_soup *soup, const scene_in *in);
int scene_soup_make_of_tree(scene_soup *soup, const sl_bvh *bvh);
void scene_soup_free(scene_soup *soup);

/* All hits of the ray, or of the segment where ray is NULL.  floats: rows are sl_hit instead of
 * sl_hit_d, and t is rounded to a float before hits are put in order.  (From the exact t it is
 * rounded twice, which differs only where the double is exactly between two floats.) */
size_t scene_soup_all(const scene_soup *soup, const sl_ray_d *ray, const sl_segment_d *segment,
                      const sl_options *options, bool floats, void *rows, size_t capacity);

/* generate.h: what generators of meshes share. */
#pragma once

#include "lib/mesh/mesh.h"

/* Allocates a generated mesh, its counts checked; the rest of a generator fills it in. */
sl_result sli_generate_begin(uint64_t vertex_count, uint64_t triangle_count, const sl_hooks *hooks,
                             sl_mesh_def *def, sli_mesh_parts *parts, sl_error *error);

/* Adds a table of a kind to it; on failure everything is freed. */
sl_result sli_generate_table(sli_mesh_parts *parts, const sl_mesh_def *def, uint32_t kind,
                             size_t rows, bool by_corner, sl_error *error);

sl_result sli_generate_sphere(uint32_t n, const sl_hooks *hooks, sl_mesh **out, sl_error *error);

static inline const sli_attribute *sli_generated(const sli_mesh_parts *parts, uint32_t kind)
{
    return &parts->kept.of[sli_slot(kind)];
}

static inline float *sli_put_point(float *to, double x, double y, double z)
{
    to[0] = (float)x;
    to[1] = (float)y;
    to[2] = (float)z;
    return to + 3;
}

static inline float *sli_put_uv(float *to, double u, double v)
{
    to[0] = (float)u;
    to[1] = (float)v;
    return to + 2;
}

static inline uint32_t *sli_put_triangle(uint32_t *to, uint32_t a, uint32_t b, uint32_t c)
{
    to[0] = a;
    to[1] = b;
    to[2] = c;
    return to + 3;
}

/* generate.c: tori, grids and soups, the same bits on every machine.
 *
 * Everything is computed in doubles with + - * / and sqrt only, which IEEE 754 rounds alike
 * everywhere, in the order that is written here, and rounded to float once at the end. */
#include "lib/mesh/generate.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hash.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"

#include <math.h>
#include <stdio.h>

enum { GRID_SIDE_MAX = 16777216 }; /* every integer up to here is a float */

sl_result sli_generate_begin(uint64_t vertex_count, uint64_t triangle_count, const sl_hooks *hooks,
                             sl_mesh_def *def, sli_mesh_parts *parts, sl_error *error)
{
    if (vertex_count > SIZE_MAX || triangle_count > SIZE_MAX) {
        return sli_fail_memory(error);
    }
    SLI_TRY(sli_mesh_check_counts((size_t)vertex_count, (size_t)triangle_count, NULL, error));
    SLI_TRY(sli_check_allocator(hooks != NULL ? &hooks->allocator : NULL, error));
    *def = (sl_mesh_def){ .hooks = sli_hooks(hooks) };
    return sli_mesh_parts_alloc(parts, (size_t)vertex_count, (size_t)triangle_count, "generated",
                                def, error);
}

sl_result sli_generate_table(sli_mesh_parts *parts, const sl_mesh_def *def, uint32_t kind,
                             size_t rows, bool by_corner, sl_error *error)
{
    if (sli_attribute_alloc(&parts->kept, sli_slot(kind), rows,
                            by_corner ? parts->triangle_count : 0, &def->hooks.allocator)) {
        parts->attributes |= kind;
        return SL_OK;
    }
    sli_mesh_parts_free(parts, &def->hooks.allocator);
    return sli_fail_memory(error);
}

SLI_NOINLINE static bool compare(float least, float size, float limit)
{
    return least <= size && size < limit;
}

/* least <= size < limit.  Compared in our environment: in the caller's a denormal may be zero, and
 * a NaN a trap. */
static bool is_size(float least, float size, float limit)
{
    return SLI_IN_FPENV(compare(least, size, limit));
}

static SLI_NOINLINE sl_result generate_fail(sl_error *error, const char *format, float a, float b)
{
    char words[sizeof error->message];
    snprintf(words, sizeof words, format, (double)a, (double)b);
    return sli_refuse(error, "%s", words);
}

/* A message with one number or two, written in our environment for the same reason. */
static sl_result fail_size(sl_error *error, const char *format, float a, float b)
{
    return SLI_IN_FPENV(generate_fail(error, format, a, b));
}

/* SplitMix64's finaliser: neighbouring numbers give unrelated ones. */
static uint64_t generate_hash(uint64_t x)
{
    return sli_mix(x + 0x9E3779B97F4A7C15u);
}

/* ---- Torus ---- */

/* Cosine and sine of index / count turns.  The eighth of the circle is found in integers, so that
 * mirrored points are mirrored in their bits; within it the Taylor series up to the 16th power is
 * good to 1e-16. */
static void generate_turn(uint32_t index, uint32_t count, double *cosine, double *sine)
{
    const uint64_t eighths = 8 * (uint64_t)index;
    const uint64_t octant = eighths / count;
    const uint64_t rest = octant % 2 == 0 ? eighths % count : count - eighths % count;
    const double quarter_pi = 0.78539816339744830962;
    const double x = (double)rest / (double)count * quarter_pi;
    double c = 1, s = 1;
    for (int power = 16; power > 0; power -= 2) {
        c = 1 - c * x * x / (power * (power - 1));
        s = 1 - s * x * x / (power * (power + 1));
    }
    s *= x;
    const bool steep = octant % 4 == 1 || octant % 4 == 2; /* nearer to the y axis */
    *cosine = steep ? s : c;
    *sine = steep ? c : s;
    if (octant >= 2 && octant < 6) {
        *cosine = 0 - *cosine;
    }
    if (octant >= 4) {
        *sine = 0 - *sine;
    }
}

SLI_NOINLINE static void fill_torus_points(float *to, float *normals, uint32_t rings,
                                           uint32_t sides, float major, float minor)
{
    for (uint32_t ring = 0; ring < rings; ring++) {
        double ring_cos, ring_sin;
        generate_turn(ring, rings, &ring_cos, &ring_sin);
        for (uint32_t side = 0; side < sides; side++) {
            double side_cos, side_sin;
            generate_turn(side, sides, &side_cos, &side_sin);
            const double radius = (double)major + (double)minor * side_cos;
            to = sli_put_point(to, radius * ring_cos, radius * ring_sin, (double)minor * side_sin);
            normals = sli_put_point(normals, side_cos * ring_cos, side_cos * ring_sin, side_sin);
        }
    }
}

/* Two triangles for each quad of a grid whose points follow one another in rows of width: quad
 * (i, k) begins at point i * outer_step + k * inner_step. */
static void fill_quads(uint32_t *to, uint32_t outer, uint32_t outer_step, uint32_t inner,
                       uint32_t inner_step, uint32_t width)
{
    for (uint32_t i = 0; i < outer; i++) {
        for (uint32_t k = 0; k < inner; k++) {
            const uint32_t here = i * outer_step + k * inner_step, above = here + width;
            to = sli_put_triangle(to, here, here + 1, above + 1);
            to = sli_put_triangle(to, here, above + 1, above);
        }
    }
}

/* Going around the axis, then up the outside: counter-clockwise from outside. */
static void fill_torus_triangles(uint32_t *to, uint32_t rings, uint32_t sides)
{
    for (uint32_t ring = 0; ring < rings; ring++) {
        const uint32_t here = ring * sides, next = (ring + 1) % rings * sides;
        for (uint32_t side = 0; side < sides; side++) {
            const uint32_t up = (side + 1) % sides;
            to = sli_put_triangle(to, here + side, next + side, next + up);
            to = sli_put_triangle(to, here + side, next + up, here + up);
        }
    }
}

/* A row for each point of a grid that goes once around each way, both ends included. */
SLI_NOINLINE static void fill_grid_uvs(float *to, uint32_t nx, uint32_t ny)
{
    for (uint32_t y = 0; y <= ny; y++) {
        for (uint32_t x = 0; x <= nx; x++) {
            to = sli_put_uv(to, (double)x / nx, (double)y / ny);
        }
    }
}

static sl_result generate_torus(uint32_t rings, uint32_t sides, float major, float minor,
                                const sl_hooks *hooks, sl_mesh **out, sl_error *error)
{
    if (rings < 3 || sides < 3) {
        return sli_refuse(error, "%lu rings and %lu sides; at least 3 of each are needed",
                          (unsigned long)rings, (unsigned long)sides);
    }
    if (!is_size(0x1p-149f, minor, major) || !is_size(0, major, INFINITY)) {
        return fail_size(error, "major is %g, minor %g; 0 < minor < major is needed", major, minor);
    }
    sl_mesh_def def;
    sli_mesh_parts parts;
    const uint64_t quads = (uint64_t)rings * sides;
    const uint64_t triangles = quads <= UINT64_MAX / 2 ? 2 * quads : quads;
    SLI_TRY(sli_generate_begin(quads, triangles, hooks, &def, &parts, error));
    SLI_TRY(sli_generate_table(&parts, &def, SL_MESH_NORMALS, parts.vertex_count, false, error));
    const size_t rows = ((size_t)rings + 1) * ((size_t)sides + 1);
    SLI_TRY(sli_generate_table(&parts, &def, SL_MESH_UVS, rows, true, error));
    const sli_attribute *normals = sli_generated(&parts, SL_MESH_NORMALS);
    const sli_attribute *uvs = sli_generated(&parts, SL_MESH_UVS);
    const sli_fpenv env = sli_fpenv_enter();
    fill_torus_points(parts.xyz, normals->values, rings, sides, major, minor);
    fill_grid_uvs(uvs->values, rings, sides);
    sli_fpenv_leave(env);
    fill_torus_triangles(parts.indices, rings, sides);
    fill_quads(uvs->indices, rings, 1, sides, rings + 1, rings + 1);
    return sli_mesh_finish(&parts, &def, NULL, NULL, NULL, out, error);
}

/* ---- Grid ---- */

SLI_NOINLINE static void fill_grid_points(float *to, uint32_t nx, uint32_t ny, float height,
                                          uint32_t seed)
{
    for (uint32_t y = 0; y <= ny; y++) {
        const uint64_t row = generate_hash((uint64_t)seed << 32 | y);
        for (uint32_t x = 0; x <= nx; x++) {
            const double noise = (double)(generate_hash(row + x) >> 40) / 0xFFFFFF;
            to = sli_put_point(to, x, y, noise * (double)height);
        }
    }
}

static sl_result generate_grid(uint32_t nx, uint32_t ny, float height, uint32_t seed,
                               const sl_hooks *hooks, sl_mesh **out, sl_error *error)
{
    if (nx < 1 || ny < 1) {
        return sli_refuse(error, "%lu x %lu quads; at least one each way is needed",
                          (unsigned long)nx, (unsigned long)ny);
    }
    if (nx > GRID_SIDE_MAX || ny > GRID_SIDE_MAX) {
        return sli_fail_plain(error, SL_TOO_LARGE,
                              "%lu x %lu quads; at most %d each way are possible",
                              (unsigned long)nx, (unsigned long)ny, (int)GRID_SIDE_MAX);
    }
    if (!is_size(0, height, INFINITY)) {
        return fail_size(error, "height is %g; it must be finite and not negative", height, 0);
    }
    sl_mesh_def def;
    sli_mesh_parts parts;
    SLI_TRY(sli_generate_begin(((uint64_t)nx + 1) * ((uint64_t)ny + 1), 2 * (uint64_t)nx * ny,
                               hooks, &def, &parts, error));
    SLI_TRY(sli_generate_table(&parts, &def, SL_MESH_UVS, parts.vertex_count, false, error));
    const sli_fpenv env = sli_fpenv_enter();
    fill_grid_points(parts.xyz, nx, ny, height, seed);
    fill_grid_uvs(sli_generated(&parts, SL_MESH_UVS)->values, nx, ny);
    sli_fpenv_leave(env);
    fill_quads(parts.indices, ny, nx + 1, nx, 1, nx + 1);
    return sli_mesh_finish(&parts, &def, NULL, NULL, NULL, out, error);
}

/* ---- Soup ---- */

/* A number in [0, 1), the next of a stream. */
static double next_random(uint64_t *stream)
{
    *stream += 1;
    return (double)(generate_hash(*stream) >> 11) / 9007199254740992.0;
}

SLI_NOINLINE static void fill_soup_points(float *to, size_t count, float size, uint64_t seed)
{
    /* A cube of this half width lies within the ball. */
    const double reach = (double)size / sqrt(3.0);
    for (size_t prim = 0; prim < count; prim++) {
        uint64_t stream = generate_hash(generate_hash(seed) + prim);
        double center[3];
        for (int axis = 0; axis < 3; axis++) {
            center[axis] = next_random(&stream);
        }
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                *to++ = (float)(center[axis] + (next_random(&stream) * 2 - 1) * reach);
            }
        }
    }
}

static sl_result generate_soup(size_t count, float size, uint64_t seed, const sl_hooks *hooks,
                               sl_mesh **out, sl_error *error)
{
    if (!is_size(0, size, INFINITY)) {
        return fail_size(error, "size is %g; it must be finite and not negative", size, 0);
    }
    sl_mesh_def def;
    sli_mesh_parts parts;
    const uint64_t triangles = count;
    const uint64_t vertices = triangles <= UINT64_MAX / 3 ? 3 * triangles : UINT64_MAX;
    SLI_TRY(sli_generate_begin(vertices, triangles, hooks, &def, &parts, error));
    SLI_DO_IN_FPENV(fill_soup_points(parts.xyz, count, size, seed));
    for (size_t i = 0; i < parts.indices_capacity; i++) {
        parts.indices[i] = (uint32_t)i;
    }
    return sli_mesh_finish(&parts, &def, NULL, NULL, NULL, out, error);
}

/* ---- Any ---- */

sl_result sl_mesh_generate(const sl_mesh_shape *shape, const sl_hooks *hooks, sl_mesh **out,
                           sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    switch (shape->kind) {
    case SL_MESH_SPHERE:
        return sli_generate_sphere(shape->of.sphere.n, hooks, out, error);
    case SL_MESH_TORUS:
        return generate_torus(shape->of.torus.rings, shape->of.torus.sides, shape->of.torus.major,
                              shape->of.torus.minor, hooks, out, error);
    case SL_MESH_GRID:
        return generate_grid(shape->of.grid.nx, shape->of.grid.ny, shape->of.grid.height,
                             shape->of.grid.seed, hooks, out, error);
    case SL_MESH_SOUP:
        return generate_soup(shape->of.soup.count, shape->of.soup.size, shape->of.soup.seed, hooks,
                             out, error);
    }
    return sli_refuse(error, "a shape of kind %d", (int)shape->kind);
}

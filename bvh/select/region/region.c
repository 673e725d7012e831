/* Regions: those of callers checked and made ready, and each query handed to its kind. */
#include "bvh/select/region/region.h"

#include "bvh/select/region/planar.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"

#include <math.h>
#include <string.h>

enum { CORNERS_MAX = 1 << 24 };

sl_region sl_region_rectangle(const double p[2], const double q[2])
{
    sl_region region = { .kind = SL_REGION_RECTANGLE };
    memcpy(region.p, p, sizeof region.p);
    memcpy(region.q, q, sizeof region.q);
    return region;
}

sl_region sl_region_brush(const double p[2], const double q[2], double radius)
{
    sl_region region = sl_region_rectangle(p, q);
    region.kind = SL_REGION_BRUSH;
    region.radius = radius;
    return region;
}

static sl_result check_lasso(const sl_region *region, sl_error *error)
{
    if (region->corner_count > CORNERS_MAX) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu corners; a lasso has at most %d",
                              region->corner_count, CORNERS_MAX);
    }
    if (region->corner_count > 0 && region->corners == NULL) {
        return sli_refuse(error, "corners is NULL");
    }
    for (size_t i = 0; i < 2 * region->corner_count; i++) {
        if (!isfinite(region->corners[i])) {
            return sli_fail_plain(error, SL_NOT_FINITE, "%s of corner %zu of the lasso",
                                  i % 2 == 0 ? "x" : "y", i / 2);
        }
    }
    return SL_OK;
}

static SLI_NOINLINE sl_result region_check(const sl_region *region, sl_error *error)
{
    if (region->kind == SL_REGION_LASSO) {
        return check_lasso(region, error);
    }
    if (region->kind != SL_REGION_RECTANGLE && region->kind != SL_REGION_BRUSH) {
        return sli_refuse(error, "%d is no kind of a region", (int)region->kind);
    }
    for (int axis = 0; axis < 2; axis++) {
        if (!isfinite(region->p[axis]) || !isfinite(region->q[axis])) {
            return sli_fail_plain(error, SL_NOT_FINITE, "%s of %s of the region",
                                  axis == 0 ? "x" : "y", isfinite(region->p[axis]) ? "q" : "p");
        }
    }
    if (region->kind == SL_REGION_BRUSH && !isfinite(region->radius)) {
        return sli_fail_plain(error, SL_NOT_FINITE, "radius of the brush");
    }
    if (region->kind == SL_REGION_BRUSH && !(region->radius >= 0)) {
        return sli_refuse(error, "radius of the brush: negative");
    }
    return SL_OK;
}

sl_result sli_region_check(const sl_region *region, sl_error *error)
{
    return SLI_IN_FPENV(region_check(region, error));
}

static void add_to_bounds(double bounds[4], double x, double y)
{
    bounds[0] = x < bounds[0] ? x : bounds[0];
    bounds[1] = y < bounds[1] ? y : bounds[1];
    bounds[2] = x > bounds[2] ? x : bounds[2];
    bounds[3] = y > bounds[3] ? y : bounds[3];
}

static void region_take_numbers(const sl_region *region, sli_region *out)
{
    const double empty[4] = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    memcpy(out->bounds, empty, sizeof empty);
    for (int axis = 0; axis < 2; axis++) {
        out->p[axis] = sli_planar_number(region->p[axis]);
        out->q[axis] = sli_planar_number(region->q[axis]);
    }
    out->radius = sli_planar_number(region->radius);
    if (region->kind != SL_REGION_LASSO) {
        add_to_bounds(out->bounds, out->p[0], out->p[1]);
        add_to_bounds(out->bounds, out->q[0], out->q[1]);
    }
    for (int i = 0; i < 4 && region->kind == SL_REGION_BRUSH; i++) {
        const double at = out->bounds[i], by = i < 2 ? -out->radius : out->radius;
        out->bounds[i] = (at + by) + (i < 2 ? -1 : 1) * (fabs(at) + fabs(by)) * 0x1p-50;
    }
    for (size_t i = 0; i < region->corner_count && region->kind == SL_REGION_LASSO; i++) {
        add_to_bounds(out->bounds, sli_planar_number(region->corners[2 * i]),
                      sli_planar_number(region->corners[2 * i + 1]));
    }
}

bool sli_region_prepare(const sl_allocator *allocator, const sl_region *region, double width,
                        double height, sli_region *out)
{
    out->none = region == NULL || (region->kind == SL_REGION_LASSO && region->corner_count == 0);
    if (out->none) {
        return true;
    }
    out->kind = region->kind;
    region_take_numbers(region, out);
    if (region->kind != SL_REGION_LASSO) {
        return true;
    }
    /* Cells are for what is on the picture or near it. */
    const double grid[4] = {
        fmax(out->bounds[0], -width),
        fmax(out->bounds[1], -height),
        fmin(out->bounds[2], 2 * width),
        fmin(out->bounds[3], 2 * height),
    };
    const bool done =
        sli_lasso_prepare(allocator, region->corners, region->corner_count, grid, &out->lasso);
    out->none = !done;
    return done;
}

void sli_region_free(const sl_allocator *allocator, sli_region *region)
{
    sli_lasso_free(allocator, &region->lasso);
}

/* ---- Rectangles ---- */

static bool rectangle_holds(const double bounds[4], const double (*outline)[2], int count)
{
    for (int i = 0; i < count; i++) {
        if (outline[i][0] < bounds[0] || outline[i][1] < bounds[1] || outline[i][0] > bounds[2] ||
            outline[i][1] > bounds[3]) {
            return false;
        }
    }
    return true;
}

static void rectangle_corners(const double r[4], double out[4][2])
{
    for (int i = 0; i < 4; i++) {
        out[i][0] = r[i == 1 || i == 2 ? 2 : 0];
        out[i][1] = r[i < 2 ? 1 : 3];
    }
}

static bool rectangle_touches(const double bounds[4], const double (*outline)[2], int count)
{
    for (int i = 0; i < count; i++) {
        if (rectangle_holds(bounds, outline + i, 1)) {
            return true;
        }
    }
    double corners[4][2];
    rectangle_corners(bounds, corners);
    return count > 1 && sli_planar_intersect(outline, count, (const double(*)[2])corners, 4);
}

/* ---- Brushes ---- */

static bool brush_holds(const sli_region *region, const double (*outline)[2], int count)
{
    for (int i = 0; i < count; i++) {
        if (!sli_planar_is_near(outline[i], region->p, region->q, region->radius)) {
            return false;
        }
    }
    return true;
}

static bool brush_touches(const sli_region *region, const double (*outline)[2], int count)
{
    for (int i = 0; i < count; i++) {
        const double *a = outline[i], *b = outline[(i + 1) % count];
        if (sli_planar_is_near(a, region->p, region->q, region->radius) ||
            sli_planar_is_near(region->p, a, b, region->radius) ||
            sli_planar_is_near(region->q, a, b, region->radius)) {
            return true;
        }
    }
    const double along[2][2] = { { region->p[0], region->p[1] }, { region->q[0], region->q[1] } };
    return sli_planar_intersect(outline, count, along, 2);
}

/* ---- Any ---- */

bool sli_region_touches(const sli_region *region, const double (*outline)[2], int count)
{
    if (region->none) {
        return false;
    }
    for (int axis = 0; axis < 2; axis++) {
        bool below = true, above = true;
        for (int i = 0; i < count; i++) {
            below = below && outline[i][axis] < region->bounds[axis];
            above = above && outline[i][axis] > region->bounds[2 + axis];
        }
        if (below || above) {
            return false;
        }
    }
    return region->kind == SL_REGION_RECTANGLE ? rectangle_touches(region->bounds, outline, count)
           : region->kind == SL_REGION_BRUSH   ? brush_touches(region, outline, count)
                                               : sli_lasso_touches(&region->lasso, outline, count);
}

bool sli_region_holds(const sli_region *region, const double (*outline)[2], int count)
{
    if (region->none || !rectangle_holds(region->bounds, outline, count)) {
        return false;
    }
    return region->kind == SL_REGION_RECTANGLE ||
           (region->kind == SL_REGION_BRUSH ? brush_holds(region, outline, count)
                                            : sli_lasso_holds(&region->lasso, outline, count));
}

sli_class sli_brush_class(const sli_region *brush, const double rectangle[4])
{
    const double *b = brush->bounds;
    double corners[4][2], r[4];
    for (int i = 0; i < 4; i++) {
        r[i] = sli_planar_number(rectangle[i]);
    }
    if (r[0] > b[2] || r[1] > b[3] || r[2] < b[0] || r[3] < b[1]) {
        return SLI_CLASS_OUT;
    }
    if (!(r[0] <= r[2] && r[1] <= r[3])) {
        return SLI_CLASS_MIXED;
    }
    rectangle_corners(r, corners);
    if (sli_region_holds(brush, (const double(*)[2])corners, 4)) {
        return SLI_CLASS_IN;
    }
    return sli_region_touches(brush, (const double(*)[2])corners, 4) ? SLI_CLASS_MIXED
                                                                     : SLI_CLASS_OUT;
}

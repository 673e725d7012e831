/* Gathers the corners of a world.  A hash grid as Teschner and others have, Optimized Spatial
 * Hashing for Collision Detection of Deformable Objects (2003). */
#include "bvh/scene/corners.h"
#include "bvh/kernel/instance/intersect.h"
#include "bvh/scene/flat_walk.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/memory.h"

/* Numbers without a fraction, or far too large for one: a double tells all of them apart. */
double sli_corners_cell(const sli_corners *corners, double x)
{
    return floor(x / corners->cell);
}

/* Numbers of cells may differ in a few of their highest bits alone. */
static size_t hash_of(const sli_corners *corners, const double cell[3])
{
    uint64_t hash = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double number = cell[axis] + 0.0; /* one zero for both */
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        hash = sli_mix((hash + 0x9E3779B97F4A7C15u) ^ bits);
    }
    return (size_t)hash & (corners->head_count - 1);
}

uint32_t sli_corners_chain(const sli_corners *corners, const double cell[3])
{
    return corners->heads[hash_of(corners, cell)];
}

static size_t chain_of(const sli_corners *corners, const double x[3])
{
    double cell[3];
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = sli_corners_cell(corners, x[axis]);
    }
    return hash_of(corners, cell);
}

static void corners_hang(sli_corners *corners, uint32_t location)
{
    const size_t chain = chain_of(corners, corners->locations[location].x);
    corners->locations[location].next = corners->heads[chain];
    corners->heads[chain] = location;
}

/* At least as many chains as there will be locations. */
static bool grow_chains(sli_corners *corners)
{
    if (corners->location_count < corners->head_count) {
        return true;
    }
    const size_t count = corners->head_count > 0 ? 2 * corners->head_count : 1024;
    uint32_t *heads = sli_alloc_large(&corners->allocator, count, sizeof *heads);
    if (heads == NULL) {
        return false;
    }
    sli_free_array(&corners->allocator, corners->heads, corners->head_count, sizeof *heads);
    memset(heads, 0xFF, count * sizeof *heads);
    corners->heads = heads;
    corners->head_count = count;
    for (size_t i = 0; i < corners->location_count; i++) {
        corners_hang(corners, (uint32_t)i);
    }
    return true;
}

/* The location at x, a new one if need be; SLI_NO_CORNER: out of memory. */
static uint32_t location_at(sli_corners *corners, const double x[3])
{
    if (!grow_chains(corners)) {
        return SLI_NO_CORNER;
    }
    for (uint32_t i = corners->heads[chain_of(corners, x)]; i != SLI_NO_CORNER;
         i = corners->locations[i].next) {
        const double *there = corners->locations[i].x;
        if (there[0] == x[0] && there[1] == x[1] && there[2] == x[2]) {
            return i;
        }
    }
    if (!sli_grow_array(&corners->allocator, (void **)&corners->locations,
                        &corners->location_capacity, corners->location_count + 1,
                        sizeof *corners->locations)) {
        return SLI_NO_CORNER;
    }
    const uint32_t at = (uint32_t)corners->location_count++;
    sli_corner_location *location = &corners->locations[at];
    *location = (sli_corner_location){ .first = SLI_NO_CORNER, .last = SLI_NO_CORNER };
    memcpy(location->x, x, sizeof location->x);
    corners_hang(corners, at);
    return at;
}

/* Corners come by instance, triangle and vertex, so the last member is of this instance if any
 * is, and the first one of an instance stays. */
static bool add_corner(sli_corners *corners, const double x[3], sl_seam_corner corner)
{
    const uint32_t at = location_at(corners, x);
    if (at == SLI_NO_CORNER) {
        return false;
    }
    const uint32_t last = corners->locations[at].last;
    if (last != SLI_NO_CORNER &&
        corners->members[last].corner.triangle.instance == corner.triangle.instance) {
        return true;
    }
    if (!sli_grow_array(&corners->allocator, (void **)&corners->members, &corners->member_capacity,
                        corners->member_count + 1, sizeof *corners->members)) {
        return false;
    }
    const uint32_t member = (uint32_t)corners->member_count++;
    corners->members[member] = (sli_corner_member){ .corner = corner, .next = SLI_NO_CORNER };
    corners->locations[at].last = member;
    if (last == SLI_NO_CORNER) {
        corners->locations[at].first = member;
    } else {
        corners->members[last].next = member;
    }
    return true;
}

static sl_result add_triangle(sli_corners *corners, const sli_transformed *transformed,
                              sl_triangle_ref ref, sl_triangle *triangle, sl_error *error)
{
    double x[3][3];
    sli_world_corners(transformed, triangle->v, x);
    if (corners->member_count >= SLI_NO_CORNER - 3) {
        return sli_fail_plain(error, SL_TOO_LARGE,
                              "instance %u is the first beyond %u different corners", ref.instance,
                              SLI_NO_CORNER - 3);
    }
    for (uint32_t vertex = 0; vertex < 3; vertex++) {
        if (!add_corner(corners, x[vertex], (sl_seam_corner){ ref, vertex })) {
            return sli_fail_memory(error);
        }
    }
    return SL_OK;
}

sl_result sli_corners_make(const sl_bvh *bvh, const sl_allocator *allocator, double cell,
                           sli_corners *out, sl_error *error)
{
    *out = (sli_corners){ .allocator = *allocator, .cell = cell };
    sl_result result = grow_chains(out) ? SL_OK : sli_fail_memory(error);
    sli_flat_walk walk = { .bvh = bvh };
    sl_triangle triangle;
    sl_triangle_ref ref;
    while (result == SL_OK && sli_flat_next(&walk, &triangle, &ref)) {
        result = add_triangle(out, &bvh->world.transformed[ref.instance], ref, &triangle, error);
    }
    return result;
}

void sli_corners_free(sli_corners *corners)
{
    const sl_allocator *allocator = &corners->allocator;
    sli_free_array(allocator, corners->heads, corners->head_count, sizeof *corners->heads);
    sli_free_array(allocator, corners->locations, corners->location_capacity,
                   sizeof *corners->locations);
    sli_free_array(allocator, corners->members, corners->member_capacity, sizeof *corners->members);
}

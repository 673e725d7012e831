#include "bvh/builder/split/range.h"

/* What of a range's room is the left half's. */
static size_t left_room(const sli_range *range, const size_t counts[2])
{
    const uint64_t spare = range->room - counts[0] - counts[1];
    return counts[0] + (size_t)(spare * counts[0] / (counts[0] + counts[1]));
}

/* The surface of what two boxes have in common. */
static double overlap_area(const sli_box bounds[2])
{
    const sli_box common = { sli_lanes_max(bounds[0].min, bounds[1].min),
                             sli_lanes_min(bounds[0].max, bounds[1].max) };
    for (int axis = 0; axis < 3; axis++) {
        if (!(common.min[axis] <= common.max[axis])) {
            return 0;
        }
    }
    return sli_box_area(&common);
}

void sli_way_begin(const sli_range *range, sli_way *way)
{
    way->planes = sli_planes_place(&range->whole);
}

void sli_chunk_fill_bins(const sli_halver *halver, const sli_range *range, const sli_way *way,
                         sli_chunk *chunk)
{
    const sli_ref *refs = halver->side[range->side] + chunk->begin;
    sli_bins_fill(&chunk->bins, &way->planes, refs, chunk->count);
}

/* Few references are sorted at once; the others where no plane tells them apart. */
static void sort_by_hand(const sli_halver *halver, const sli_range *range, sli_way *way)
{
    const sli_ref *from = halver->side[range->side] + range->begin;
    sli_ref *to = halver->side[1 - range->side] + range->begin;
    way->how = SLI_BY_HAND;
    if (range->whole.count <= SLI_FEW_MOST) {
        sli_split_few(from, to, &range->whole, &way->moved);
    } else if (range->whole.count <= SLI_SWEEP_MOST) {
        sli_split_sweep(from, to, &range->whole, &way->moved);
    } else {
        sli_split_median(from, to, &range->whole, &way->moved);
    }
}

static double cost_of(const sli_box bounds[2], size_t left, size_t count)
{
    const double area[2] = { sli_box_area(&bounds[0]), sli_box_area(&bounds[1]) };
    return sli_space_cost(area, (const size_t[2]){ left, count - left });
}

/* Leaves the axes along which the best plane would be worth it, could it be cut at.  That is most
 * often one, and filling slabs is what costs most of all here. */
static void choose_axes(const sli_range *range, const sli_bins *bins, sli_way *way)
{
    sli_cut parted[3];
    sli_bins_part(bins, &way->planes, &range->whole, parted);
    way->tries_space = false;
    for (int axis = 0; axis < 3; axis++) {
        way->space.usable[axis] =
            way->space.usable[axis] && parted[axis].axis >= 0 &&
            cost_of(parted[axis].bounds, parted[axis].left_count, range->whole.count) < way->cost;
        way->tries_space = way->tries_space || way->space.usable[axis];
    }
}

void sli_way_choose(const sli_halver *halver, const sli_range *range, const sli_bins *bins,
                    sli_way *way)
{
    way->how = SLI_BY_CENTRE;
    if (bins == NULL || !sli_bins_choose(bins, &way->planes, &range->whole, &way->cut)) {
        sort_by_hand(halver, range, way);
    }
    const bool by_hand = way->how == SLI_BY_HAND;
    const size_t left = by_hand ? way->moved.left_count : way->cut.left_count;
    const sli_box *bounds = by_hand ? way->moved.bounds : way->cut.bounds;
    way->cost = cost_of(bounds, left, range->whole.count);
    way->tries_space = range->whole.count > SLI_PACK && range->room > range->whole.count &&
                       overlap_area(bounds) > halver->overlap_least;
    if (way->tries_space) {
        way->space = sli_space_place(&range->whole.bounds);
        if (!by_hand) {
            choose_axes(range, bins, way);
        }
    }
}

void sli_chunk_fill_slabs(const sli_halver *halver, const sli_range *range, const sli_way *way,
                          sli_chunk *chunk)
{
    if (way->tries_space) {
        const sli_ref *refs = halver->side[range->side] + chunk->begin;
        sli_slabs_fill(&chunk->slabs, &way->space, halver->mesh, refs, chunk->count);
    }
}

void sli_way_choose_space(const sli_range *range, const sli_slabs *slabs, sli_way *way)
{
    way->tries_space =
        sli_slabs_choose(slabs, &way->space, &range->whole, range->room, &way->space_cut) &&
        way->space_cut.cost < way->cost;
}

void sli_chunk_count(const sli_halver *halver, const sli_range *range, const sli_way *way,
                     sli_chunk *chunk)
{
    const sli_ref *refs = halver->side[range->side] + chunk->begin;
    if (way->tries_space) {
        sli_space_count(&way->space_cut, &way->space, halver->mesh, refs, chunk->count,
                        chunk->counts);
    } else if (way->how == SLI_BY_CENTRE) {
        chunk->counts[0] = sli_bins_left_count(&chunk->bins, &way->cut);
        chunk->counts[1] = chunk->count - chunk->counts[0];
    }
}

/* Unsplitting may have taken all from a side: then space is not cut after all. */
static bool settle_space(sli_way *way, const sli_chunk *chunks, size_t chunk_count)
{
    size_t *counts = way->sides.count;
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < chunk_count; i++) {
        counts[0] += chunks[i].counts[0];
        counts[1] += chunks[i].counts[1];
    }
    return counts[0] > 0 && counts[1] > 0;
}

static void settle_by_centre(const sli_halver *halver, const sli_range *range, sli_way *way,
                             sli_chunk *chunks, size_t chunk_count)
{
    const bool recount = way->tries_space;
    way->tries_space = false;
    for (size_t i = 0; recount && i < chunk_count; i++) {
        sli_chunk_count(halver, range, way, &chunks[i]);
    }
    way->sides.count[0] = way->how == SLI_BY_HAND ? way->moved.left_count : way->cut.left_count;
    way->sides.count[1] = range->whole.count - way->sides.count[0];
}

/* The references of each chunk go behind those of the chunks before it. */
void sli_way_place(const sli_halver *halver, const sli_range *range, sli_way *way,
                   sli_chunk *chunks, size_t chunk_count)
{
    if (way->tries_space && settle_space(way, chunks, chunk_count)) {
        way->how = SLI_BY_SPACE;
    } else {
        settle_by_centre(halver, range, way, chunks, chunk_count);
    }
    way->left_room = left_room(range, way->sides.count);
    size_t to[2] = { range->begin, range->begin + way->left_room };
    for (size_t i = 0; i < chunk_count && way->how != SLI_BY_HAND; i++) {
        for (int k = 0; k < 2; k++) {
            chunks[i].to[k] = to[k];
            to[k] += chunks[i].counts[k];
        }
    }
}

void sli_chunk_move(const sli_halver *halver, const sli_range *range, const sli_way *way,
                    sli_chunk *chunk)
{
    const sli_ref *refs = halver->side[range->side] + chunk->begin;
    sli_ref *to = halver->side[1 - range->side];
    if (way->how == SLI_BY_SPACE) {
        sli_space_move(&way->space_cut, &way->space, halver->mesh, refs, chunk->count,
                       to + chunk->to[0], to + chunk->to[1], &chunk->sides);
    } else if (way->how == SLI_BY_CENTRE) {
        sli_cut_move(&way->cut, &way->planes, refs, chunk->count, to + chunk->to[0],
                     to + chunk->to[1], chunk->sides.centres);
        chunk->sides.bounds[0] = way->cut.bounds[0];
        chunk->sides.bounds[1] = way->cut.bounds[1];
    }
}

/* Of few references nobody bounds the centres, nor asks for them. */
static void finish_by_hand(const sli_halver *halver, const sli_range *range, sli_way *way)
{
    sli_ref *to = halver->side[1 - range->side] + range->begin;
    memmove(to + way->left_room, to + way->moved.left_count, way->sides.count[1] * sizeof *to);
    for (int k = 0; k < 2; k++) {
        way->sides.bounds[k] = way->moved.bounds[k];
        way->sides.centres[k] = way->moved.centres[k];
    }
}

void sli_way_join(const sli_halver *halver, const sli_range *range, sli_way *way,
                  const sli_chunk *chunks, size_t chunk_count)
{
    if (way->how == SLI_BY_HAND) {
        finish_by_hand(halver, range, way);
        return;
    }
    for (int k = 0; k < 2; k++) {
        way->sides.bounds[k] = way->sides.centres[k] = sli_box_empty();
        for (size_t i = 0; i < chunk_count; i++) {
            sli_box_join(&way->sides.bounds[k], &chunks[i].sides.bounds[k]);
            sli_box_join(&way->sides.centres[k], &chunks[i].sides.centres[k]);
        }
    }
}

/* Puts each part where it may have to go at worst; false where unsplitting takes all from a
 * side. */
static bool halve_space(const sli_halver *halver, const sli_range *range, sli_way *way)
{
    const sli_ref *refs = halver->side[range->side] + range->begin;
    sli_ref *to = halver->side[1 - range->side] + range->begin;
    way->left_room = left_room(range, way->space_cut.count);
    sli_space_move(&way->space_cut, &way->space, halver->mesh, refs, range->whole.count, to,
                   to + way->left_room, &way->sides);
    return way->sides.count[0] > 0 && way->sides.count[1] > 0;
}

void sli_halve(const sli_halver *halver, const sli_range *range, sli_way *way)
{
    sli_chunk chunk;
    chunk.begin = range->begin;
    chunk.count = range->whole.count;
    const bool few = range->whole.count <= SLI_SWEEP_MOST;
    if (!few) {
        sli_way_begin(range, way);
        sli_chunk_fill_bins(halver, range, way, &chunk);
    }
    sli_way_choose(halver, range, few ? NULL : &chunk.bins, way);
    if (way->tries_space) {
        sli_chunk_fill_slabs(halver, range, way, &chunk);
        sli_way_choose_space(range, &chunk.slabs, way);
        if (way->tries_space && halve_space(halver, range, way)) {
            return;
        }
        way->tries_space = false;
    }
    sli_chunk_count(halver, range, way, &chunk);
    sli_way_place(halver, range, way, &chunk, 1);
    sli_chunk_move(halver, range, way, &chunk);
    sli_way_join(halver, range, way, &chunk, 1);
}

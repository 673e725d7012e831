/* One range split in two, for topdown.c: which of the splits of this folder is taken, and where the
 * references of each chunk go.  Stich et al. (2009) for the test of overlap before a spatial
 * split. */
#include "bvh/builder/split/range.h"

#include "lib/base/assert.h"

/* References between two checkpoints of a build in slices; of a spatial split, which takes some
 * 200 ns for each. */
enum { PIECE = 4096, SPATIAL_PIECE = 256 };

static size_t piece_of(size_t count)
{
    return count < SPATIAL_PIECE ? count : SPATIAL_PIECE;
}

/* Places of the range for the left side: its references, and its share of the spare places. */
static size_t left_capacity(const sli_range *range, const size_t count[2])
{
    const uint64_t spare = range->capacity - count[0] - count[1];
    return spare == 0 ? count[0] : count[0] + (size_t)(spare * count[0] / (count[0] + count[1]));
}

/* Half the surface of what two boxes have in common. */
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

void sli_range_begin(const sli_range_splitter *splitter, const sli_range *range,
                     sli_range_plan *plan, sli_chunk *chunks)
{
    (void)splitter, (void)chunks;
    plan->planes = sli_planes_make(&range->set);
}

void sli_chunk_fill_bins(const sli_range_splitter *splitter, const sli_range *range,
                         const sli_range_plan *plan, sli_chunk *chunk)
{
    const sli_ref *refs = splitter->side[range->side] + chunk->begin;
    sli_bins_fill(&chunk->bins, &plan->planes, refs, chunk->count);
}

/* Small sets are split at once; larger ones only where no plane separates them. */
static void split_without_bins(const sli_range_splitter *splitter, const sli_range *range,
                               sli_range_plan *plan)
{
    const sli_ref *from = splitter->side[range->side] + range->begin;
    sli_ref *to = splitter->side[1 - range->side] + range->begin;
    plan->kind = SLI_SPLIT_DONE;
    if (range->set.count <= SLI_FEW_MAX) {
        sli_split_few(from, to, &range->set, &plan->split);
    } else if (range->set.count <= SLI_SWEEP_MAX) {
        sli_split_sweep(from, to, &range->set, &plan->split);
    } else {
        sli_split_median(from, to, &range->set, splitter->slices, &plan->split);
    }
}

static double cost_of(const sli_box bounds[2], size_t left, size_t count)
{
    const double area[2] = { sli_box_area(&bounds[0]), sli_box_area(&bounds[1]) };
    return sli_split_cost(area, (const size_t[2]){ left, count - left });
}

/* The share of the cost that a spatial split has to promise.  Scans promise less nearly everywhere,
 * and take twice as long where they are tried in vain.  At 0.99 SAH costs are 0.1 % higher at most,
 * at 0.98 2 % where most triangles are of one size. */
static const double promise_max = 0.99;

/* Keeps the axes along which the best plane would be cheap enough if every reference could be cut
 * there: most often one.  Filling spatial bins is the dearest step of all. */
static void choose_axes(const sli_range *range, const sli_bins *bins, sli_range_plan *plan)
{
    sli_cut disjoint[3];
    sli_bins_choose_disjoint(bins, &plan->planes, &range->set, disjoint);
    plan->tries_spatial = false;
    for (int axis = 0; axis < 3; axis++) {
        const sli_cut *cut = &disjoint[axis];
        bool *usable = &plan->spatial_planes.usable[axis];
        *usable =
            *usable && cut->axis >= 0 &&
            cost_of(cut->bounds, cut->left_count, range->set.count) < promise_max * plan->cost;
        plan->tries_spatial = plan->tries_spatial || *usable;
    }
}

/* Leaves out the axes along which more references reach from end to end than may be cut: any plane
 * would cut all of these.  So many copies of a triangle are not chopped into bins in vain, on every
 * level anew. */
static void leave_out_spanned_axes(const sli_range_splitter *splitter, const sli_range *range,
                                   sli_range_plan *plan)
{
    const sli_ref *refs = splitter->side[range->side] + range->begin;
    const sli_lanes low = range->set.bounds.min, high = range->set.bounds.max;
    sli_lanes_i32 spanning = sli_lanes_all_i32(0);
    for (size_t i = 0; i < range->set.count; i++) {
        sli_slices_pause_at(splitter->slices, i, PIECE);
        const sli_box box = sli_ref_box(&refs[i]);
        spanning -= (box.min <= low) & (box.max >= high); /* -1 where both hold */
    }
    plan->tries_spatial = false;
    for (int axis = 0; axis < 3; axis++) {
        bool *usable = &plan->spatial_planes.usable[axis];
        *usable = *usable && (size_t)spanning[axis] <= range->capacity - range->set.count;
        plan->tries_spatial = plan->tries_spatial || *usable;
    }
}

static void prepare_spatial(const sli_range_splitter *splitter, const sli_range *range,
                            const sli_bins *bins, sli_range_plan *plan)
{
    const bool done = plan->kind == SLI_SPLIT_DONE;
    const size_t left = done ? plan->split.count[0] : plan->cut.left_count;
    const sli_box *bounds = done ? plan->split.bounds : plan->cut.bounds;
    plan->tries_spatial = overlap_area(bounds) > splitter->overlap_min;
    if (plan->tries_spatial) {
        plan->cost = cost_of(bounds, left, range->set.count);
        plan->spatial_planes = sli_spatial_planes_make(&range->set.bounds, range->set.count);
        if (!done) {
            choose_axes(range, bins, plan);
        } else {
            leave_out_spanned_axes(splitter, range, plan);
        }
    }
}

/* bins: NULL for at most SLI_SWEEP_MAX references. */
static void range_choose(const sli_range_splitter *splitter, const sli_range *range,
                         const sli_bins *bins, sli_range_plan *plan)
{
    plan->kind = SLI_SPLIT_AT_PLANE;
    plan->tries_spatial = false;
    if (bins == NULL || !sli_bins_choose(bins, &plan->planes, &range->set, &plan->cut)) {
        split_without_bins(splitter, range, plan);
    }
    if (splitter->mesh != NULL && range->set.count > SLI_PACK &&
        range->capacity > range->set.count) {
        prepare_spatial(splitter, range, bins, plan);
    }
}

void sli_range_choose(const sli_range_splitter *splitter, const sli_range *range,
                      sli_range_plan *plan, sli_chunk *chunks)
{
    sli_bins bins = chunks[0].bins;
    for (size_t i = 1; i < plan->chunk_count; i++) {
        sli_bins_join(&bins, &chunks[i].bins, &plan->planes);
    }
    range_choose(splitter, range, &bins, plan);
}

/* In pieces, with a checkpoint between them. */
static void fill_spatial_bins(const sli_range_splitter *splitter, const sli_range_plan *plan,
                              const sli_ref *refs, size_t count, sli_spatial_bins *bins)
{
    const sli_spatial_planes *planes = &plan->spatial_planes;
    sli_spatial_bins_fill(bins, planes, splitter->mesh, refs, piece_of(count));
    for (size_t done = SPATIAL_PIECE; done < count; done += SPATIAL_PIECE) {
        sli_spatial_bins more;
        sli_slices_pause(splitter->slices);
        sli_spatial_bins_fill(&more, planes, splitter->mesh, refs + done, piece_of(count - done));
        sli_spatial_bins_join(bins, &more, planes);
    }
}

void sli_chunk_fill_spatial_bins(const sli_range_splitter *splitter, const sli_range *range,
                                 const sli_range_plan *plan, sli_chunk *chunk)
{
    if (plan->tries_spatial) {
        fill_spatial_bins(splitter, plan, splitter->side[range->side] + chunk->begin, chunk->count,
                          &chunk->spatial_bins);
    }
}

static void choose_spatial(const sli_range *range, const sli_spatial_bins *bins,
                           sli_range_plan *plan)
{
    if (sli_spatial_bins_choose(bins, &plan->spatial_planes, &range->set, range->capacity,
                                &plan->spatial_cut) &&
        plan->spatial_cut.cost < plan->cost) {
        plan->kind = SLI_SPLIT_SPATIAL;
    }
}

void sli_range_choose_spatial(const sli_range_splitter *splitter, const sli_range *range,
                              sli_range_plan *plan, sli_chunk *chunks)
{
    (void)splitter;
    if (plan->tries_spatial) {
        sli_spatial_bins bins = chunks[0].spatial_bins;
        for (size_t i = 1; i < plan->chunk_count; i++) {
            sli_spatial_bins_join(&bins, &chunks[i].spatial_bins, &plan->spatial_planes);
        }
        choose_spatial(range, &bins, plan);
    }
}

static void count_spatially(const sli_range_splitter *splitter, const sli_range_plan *plan,
                            const sli_ref *refs, size_t count, size_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t done = 0; done < count; done += SPATIAL_PIECE) {
        size_t more[2];
        sli_spatial_cut_count(&plan->spatial_cut, &plan->spatial_planes, splitter->mesh,
                              refs + done, piece_of(count - done), more);
        counts[0] += more[0];
        counts[1] += more[1];
        sli_slices_pause(splitter->slices);
    }
}

void sli_chunk_count(const sli_range_splitter *splitter, const sli_range *range,
                     const sli_range_plan *plan, sli_chunk *chunk)
{
    const sli_ref *refs = splitter->side[range->side] + chunk->begin;
    size_t *count = chunk->split.count;
    if (plan->kind == SLI_SPLIT_SPATIAL) {
        count_spatially(splitter, plan, refs, chunk->count, count);
    } else if (plan->kind == SLI_SPLIT_AT_PLANE) {
        count[0] = sli_bins_left_count(&chunk->bins, &plan->cut);
        count[1] = chunk->count - count[0];
    }
}

/* The references of each chunk go behind those of the chunks before it. */
static void assign_chunks(const sli_range *range, sli_range_plan *plan, sli_chunk *chunks)
{
    size_t *count = plan->split.count;
    count[0] = count[1] = 0;
    for (size_t i = 0; i < plan->chunk_count; i++) {
        count[0] += chunks[i].split.count[0];
        count[1] += chunks[i].split.count[1];
    }
    SL_ASSERT(count[0] > 0 && count[1] > 0);
    plan->left_capacity = left_capacity(range, count);
    size_t to[2] = { range->begin, range->begin + plan->left_capacity };
    for (size_t i = 0; i < plan->chunk_count; i++) {
        for (int k = 0; k < 2; k++) {
            chunks[i].to[k] = to[k];
            to[k] += chunks[i].split.count[k];
        }
    }
}

/* Of a split that is done: moves the right side behind the left side's spare places. */
static void spread_sides(const sli_range_splitter *splitter, const sli_range *range,
                         sli_range_plan *plan)
{
    const size_t *count = plan->split.count;
    sli_ref *to = splitter->side[1 - range->side] + range->begin;
    plan->left_capacity = left_capacity(range, count);
    if (plan->left_capacity != count[0]) {
        for (size_t left = count[1]; left > 0;) { /* from the end, as the places overlap */
            const size_t piece = left < PIECE ? left : PIECE;
            left -= piece;
            memmove(to + plan->left_capacity + left, to + count[0] + left, piece * sizeof *to);
            sli_slices_pause(splitter->slices);
        }
    }
}

void sli_range_assign(const sli_range_splitter *splitter, const sli_range *range,
                      sli_range_plan *plan, sli_chunk *chunks)
{
    if (plan->kind == SLI_SPLIT_DONE) {
        spread_sides(splitter, range, plan);
    } else {
        assign_chunks(range, plan, chunks);
    }
}

/* In pieces, each of which says how many references went to each side. */
static void move_spatially(const sli_range_splitter *splitter, const sli_range_plan *plan,
                           const sli_ref *refs, size_t count, sli_ref *left, sli_ref *right,
                           sli_split *out)
{
    const sli_spatial_planes *planes = &plan->spatial_planes;
    sli_spatial_cut_move(&plan->spatial_cut, planes, splitter->mesh, refs, piece_of(count), left,
                         right, out);
    for (size_t done = SPATIAL_PIECE; done < count; done += SPATIAL_PIECE) {
        sli_split more;
        sli_slices_pause(splitter->slices);
        sli_spatial_cut_move(&plan->spatial_cut, planes, splitter->mesh, refs + done,
                             piece_of(count - done), left + out->count[0], right + out->count[1],
                             &more);
        for (int k = 0; k < 2; k++) {
            out->count[k] += more.count[k];
            sli_box_join(&out->bounds[k], &more.bounds[k]);
            sli_box_join(&out->centres[k], &more.centres[k]);
        }
    }
}

/* Bounds what comes to each side; the counts of a split at a plane are known. */
static void move_refs(const sli_range_splitter *splitter, const sli_range_plan *plan,
                      const sli_ref *refs, size_t count, sli_ref *left, sli_ref *right,
                      sli_split *out)
{
    if (plan->kind == SLI_SPLIT_SPATIAL) {
        move_spatially(splitter, plan, refs, count, left, right, out);
    } else {
        sli_cut_move(&plan->cut, &plan->planes, refs, count, left, right, out->centres);
        out->bounds[0] = plan->cut.bounds[0];
        out->bounds[1] = plan->cut.bounds[1];
    }
}

void sli_chunk_move(const sli_range_splitter *splitter, const sli_range *range,
                    const sli_range_plan *plan, sli_chunk *chunk)
{
    const sli_ref *refs = splitter->side[range->side] + chunk->begin;
    sli_ref *to = splitter->side[1 - range->side];
    if (plan->kind != SLI_SPLIT_DONE) {
        move_refs(splitter, plan, refs, chunk->count, to + chunk->to[0], to + chunk->to[1],
                  &chunk->split);
    }
}

void sli_range_join(const sli_range_splitter *splitter, const sli_range *range,
                    sli_range_plan *plan, sli_chunk *chunks)
{
    (void)splitter, (void)range;
    for (int k = 0; k < 2 && plan->kind != SLI_SPLIT_DONE; k++) {
        sli_box bounds = sli_box_empty(), centres = bounds;
        for (size_t i = 0; i < plan->chunk_count; i++) {
            sli_box_join(&bounds, &chunks[i].split.bounds[k]);
            sli_box_join(&centres, &chunks[i].split.centres[k]);
        }
        plan->split.bounds[k] = bounds;
        plan->split.centres[k] = centres;
    }
}

void sli_range_split(const sli_range_splitter *splitter, const sli_range *range,
                     sli_range_plan *plan)
{
    const sli_ref *refs = splitter->side[range->side] + range->begin;
    sli_ref *to = splitter->side[1 - range->side] + range->begin;
    const size_t count = range->set.count;
    if (count <= SLI_SWEEP_MAX) {
        range_choose(splitter, range, NULL, plan);
    } else {
        sli_bins bins;
        plan->planes = sli_planes_make(&range->set);
        sli_bins_fill(&bins, &plan->planes, refs, count);
        range_choose(splitter, range, &bins, plan);
    }
    if (plan->tries_spatial) {
        sli_spatial_bins bins;
        fill_spatial_bins(splitter, plan, refs, count, &bins);
        choose_spatial(range, &bins, plan);
    }
    if (plan->kind == SLI_SPLIT_DONE) {
        spread_sides(splitter, range, plan);
        return;
    }
    plan->split.count[0] = plan->cut.left_count;
    plan->split.count[1] = count - plan->cut.left_count;
    plan->left_capacity = left_capacity(
        range, plan->kind == SLI_SPLIT_SPATIAL ? plan->spatial_cut.count : plan->split.count);
    move_refs(splitter, plan, refs, count, to, to + plan->left_capacity, &plan->split);
    SL_ASSERT(plan->split.count[0] > 0 && plan->split.count[1] > 0);
}

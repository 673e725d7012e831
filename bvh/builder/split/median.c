/* The split that always exists, for range.c: for references that no plane separates, and for where
 * the levels that are left would not suffice for a less even one.  The middle is found digit by
 * digit, as a radix sort would. */
#include "bvh/builder/split/split.h"

enum { CHECKED = 4096 }; /* references between two checkpoints of a build in slices */

/* The axis along which the centres lie farthest apart; the first of equal ones. */
static int median_widest(const sli_box *centres)
{
    int axis = 0;
    for (int a = 1; a < 3; a++) {
        if (centres->max[a] - centres->min[a] > centres->max[axis] - centres->min[axis]) {
            axis = a;
        }
    }
    return axis;
}

/* The key at position rank in sorted order, found 8 bits at a time from the top; *equal_left is
 * how many of the keys equal to it come before that position. */
static uint32_t select_key(const sli_ref *refs, size_t count, int axis, size_t rank,
                           sli_slices *slices, size_t *equal_left)
{
    uint32_t known = 0, mask = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        size_t histogram[256] = { 0 };
        for (size_t i = 0; i < count; i++) {
            sli_slices_pause_at(slices, i, CHECKED);
            const uint32_t key = sli_ref_key(&refs[i], axis);
            histogram[key >> shift & 0xFF] += (key & mask) == known;
        }
        uint32_t digit = 0;
        for (; rank >= histogram[digit]; digit++) {
            rank -= histogram[digit];
        }
        known |= digit << shift;
        mask |= 0xFFu << shift;
    }
    *equal_left = rank;
    return known;
}

void sli_split_median(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_slices *slices,
                      sli_split *out)
{
    const size_t count = set->count;
    const int axis = median_widest(&set->centres);
    size_t equal_left;
    const uint32_t pivot = select_key(from, count, axis, count / 2, slices, &equal_left);
    sli_ref *next[2] = { to, to + count / 2 };
    out->count[0] = count / 2;
    out->count[1] = count - count / 2;
    for (int side = 0; side < 2; side++) {
        out->bounds[side] = out->centres[side] = sli_box_empty();
    }
    for (size_t i = 0; i < count; i++) {
        sli_slices_pause_at(slices, i, CHECKED);
        const uint32_t key = sli_ref_key(&from[i], axis);
        const bool stays = key < pivot || (key == pivot && equal_left > 0);
        equal_left -= key == pivot && stays;
        const sli_box box = sli_ref_box(&from[i]);
        sli_box_join(&out->bounds[!stays], &box);
        sli_box_add(&out->centres[!stays], sli_ref_centre(&from[i]));
        *next[!stays]++ = from[i];
    }
}

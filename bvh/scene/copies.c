/* Finds instances that are copies of others, for build_top.c.
 *
 * They are looked for when the top tree is built, and in every sixteenth version that follows: a
 * table finds instances with the same box, which are compared.  The versions between compare only
 * what are copies in the one before, which may have moved apart.  Then the tree without copies does
 * not fit any more: it is built anew at once where it is a small one, and else there is none until
 * copies are looked for again. */
#include "bvh/scene/build.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/memory.h"

#include <string.h>

/* Bounds the search: an instance that meets sixteen others at its slots of the table, and is a copy
 * of none of these, counts as no copy. */
enum { PROBES_MAX = 16, EVERY = 16 };

typedef struct copies {
    const sli_transformed *transformed;
    sli_ref *boxes;
    uint32_t *table, *originals;
    uint32_t count, slots; /* of instances; of the table, a power of two */
    uint32_t copy_count;
    bool any, apart; /* some are copies; some that were are none any more */
} copies;

static bool is_copy(const copies *c, uint32_t i, uint32_t of)
{
    const sli_transformed *a = &c->transformed[i], *b = &c->transformed[of];
    return a->tree == b->tree && a->mask == b->mask &&
           memcmp(&a->grid, &b->grid, sizeof a->grid) == 0 &&
           memcmp(&a->transform, &b->transform, sizeof a->transform) == 0;
}

/* The lowest number that i is a copy of; or SL_NONE, and then i is in the table, unless all of its
 * probes are taken. */
static uint32_t copies_look_up(const copies *c, uint32_t i)
{
    const sli_ref *box = &c->boxes[i];
    const uint64_t hash = sli_hash(box->min, sizeof box->min) ^ sli_hash(box->max, sizeof box->max);
    for (uint32_t probe = 0; probe < PROBES_MAX; probe++) {
        uint32_t *at = &c->table[((uint32_t)hash + probe) & (c->slots - 1)];
        if (*at == SL_NONE) {
            *at = i;
            return SL_NONE;
        }
        if (is_copy(c, i, *at)) {
            return *at;
        }
    }
    return SL_NONE;
}

static void find_anew(void *context)
{
    copies *c = context;
    memset(c->table, 0xFF, c->slots * sizeof *c->table);
    for (uint32_t i = 0; i < c->count; i++) {
        c->originals[i] = c->boxes[i].prim != SL_NONE ? copies_look_up(c, i) : SL_NONE;
        c->any = c->any || c->originals[i] != SL_NONE;
    }
}

static void find_apart(void *context)
{
    copies *c = context;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t of = c->originals[i];
        c->copy_count += of != SL_NONE;
        c->apart = c->apart || (of != SL_NONE && !is_copy(c, i, of));
    }
}

/* Fills in c->originals, one number for each instance, by a new table. */
static sl_result copies_search(sli_world_build *build, copies *c)
{
    for (c->slots = 16; c->slots < 2 * c->count; c->slots *= 2) {
    }
    c->table = sli_alloc_large(&build->memory, c->slots, sizeof *c->table);
    SLI_TRY(sli_had_memory(build->error, c->table != NULL));
    sli_phase_once(&build->phase, find_anew, c);
    sli_free_array(&build->memory, c->table, c->slots, sizeof *c->table);
    return SL_OK;
}

/* Leaves copies out of the boxes. */
static void drop_boxes(void *context)
{
    copies *c = context;
    for (uint32_t i = 0; i < c->count; i++) {
        c->boxes[i].prim = c->originals[i] != SL_NONE ? SL_NONE : c->boxes[i].prim;
    }
}

sl_result sli_find_copies(sli_world_build *build, const sli_instances *followed)
{
    sli_instances *scene = build->scene;
    copies c = { .transformed = scene->transformed,
                 .boxes = build->transforms.boxes,
                 .count = scene->handle.world.count };
    scene->age = followed != NULL ? followed->age + 1 : 0;
    const bool anew = scene->age % EVERY == 0;
    if (!anew && followed->originals == NULL) {
        return SL_OK;
    }
    c.originals = sli_alloc_large(&build->memory, c.count, sizeof *c.originals);
    SLI_TRY(sli_had_memory(build->error, c.originals != NULL));
    scene->originals = c.originals;
    c.any = !anew;
    if (!anew) {
        memcpy(c.originals, followed->originals, c.count * sizeof *c.originals);
        sli_phase_once(&build->phase, find_apart, &c);
    }
    if (anew || c.apart) {
        c.any = false;
        if (anew || c.copy_count > c.count / 2) {
            SLI_TRY(copies_search(build, &c));
        }
    }
    if (c.any) {
        sli_phase_once(&build->phase, drop_boxes, &c);
    } else {
        sli_free_array(&build->memory, c.originals, c.count, sizeof *c.originals);
        scene->originals = NULL;
    }
    return SL_OK;
}

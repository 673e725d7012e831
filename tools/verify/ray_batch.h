/* verify/ray_batch.h: one question put to a block of rays or segments, to the tree or to every triangle. */
#ifndef TOOLS_ASKS_H
#define TOOLS_ASKS_H

#include <sightline/ray_query.h>

typedef enum ask_mode { ASK_CLOSEST, ASK_ANY, ASK_ALL, ASK_COUNT } ask_mode;

extern const char *const ask_mode_words[]; /* in the order of ask_mode; ends with NULL */

/* Who is asked, and with which options. */
typedef struct ask_target {
    const sl_bvh *bvh;
    sl_soup soup; /* the same triangles, for brute force */
    sl_query query;
    const sl_tasks *tasks;
} ask_target;

/* Rays or segments, and room for the answers: hits has capacity places for each of them (one for
 * ASK_CLOSEST), yes and totals one. */
typedef struct ask_block {
    bool are_segments;
    size_t count, room;
    size_t capacity;
    sl_ray *rays;
    sl_segment *segments;
    sl_hit *hits;
    uint64_t *totals;
    uint8_t *yes;
} ask_block;

/* From malloc; false when there is no more. */
bool ask_block_make(ask_block *block, bool are_segments, size_t room, size_t capacity);
void ask_block_free(ask_block *block); /* a zeroed one is fine */

/* Answers the whole block, in parallel: hits (a miss has prim SL_NONE and t +inf), totals or yes.
 * brute: without the tree. */
void asks_put(const ask_target *target, ask_mode mode, bool brute, ask_block *block);

/* One of a block, with options of one's own. */
size_t ask_brute(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
                 sl_hit *hits, size_t capacity);
bool ask_closest(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
                 sl_hit *hit);
bool ask_any(const ask_target *target, const ask_block *block, size_t i, const sl_query *query);
size_t ask_all(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
               sl_hit *hits, size_t capacity);
bool ask_next(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
              const sl_hit *previous, sl_hit *hit);
size_t ask_count(const ask_target *target, const ask_block *block, size_t i, const sl_query *query);

#endif

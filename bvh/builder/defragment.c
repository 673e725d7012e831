/* Closes the gaps that topdown.c leaves between subtrees, in parallel over clusters. */
#include "bvh/builder/defragment.h"

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/search.h"
#include "lib/base/sort.h"

typedef struct defragmenter {
    const sli_cluster *clusters;
    uint32_t *order;         /* of clusters, by their first pairs */
    uint32_t *firsts, *gaps; /* in that order: first pair, and pairs not in use before it */
    size_t cluster_count;
    const sli_node2 *from;
    sli_node2 *to;
} defragmenter;

static void move_node(const defragmenter *job, uint32_t node, uint32_t gap, uint32_t child_gap)
{
    sli_node2 moved = job->from[node];
    moved.first -= moved.count == 0 ? 2 * child_gap : 0;
    job->to[node - 2 * gap] = moved;
}

/* Pairs not in use before a pair that is outside of clusters, or the first of one. */
static uint32_t gap_before(const defragmenter *job, uint32_t pair)
{
    const size_t next = SLI_FIRST(i, 0, job->cluster_count, job->firsts[i] >= pair);
    return next < job->cluster_count ? job->gaps[next] : 0;
}

static void move_top_node(const defragmenter *job, uint32_t node, uint32_t gap)
{
    move_node(job, node, gap, gap_before(job, (job->from[node].first - 1) / 2));
}

static const sli_cluster *defragment_nth(const defragmenter *job, size_t n)
{
    return &job->clusters[job->order[n]];
}

/* The pairs between a cluster and the one before it, and those of the cluster. */
static void move_clusters(void *context, size_t i)
{
    const defragmenter *job = context;
    const uint32_t top =
        i > 0 ? defragment_nth(job, i - 1)->first + defragment_nth(job, i - 1)->owned : 0;
    const uint32_t first = defragment_nth(job, i)->first, used = defragment_nth(job, i)->used;
    for (uint32_t node = 1 + 2 * top; node < 1 + 2 * first; node++) {
        move_top_node(job, node, job->gaps[i]);
    }
    for (uint32_t node = 1 + 2 * first; node < 1 + 2 * (first + used); node++) {
        move_node(job, node, job->gaps[i], job->gaps[i]);
    }
}

static bool defragment_allocate(defragmenter *job, sli_arena *arena)
{
    job->order = sli_arena_array(arena, job->cluster_count, sizeof *job->order);
    job->firsts = sli_arena_array(arena, job->cluster_count, sizeof *job->firsts);
    job->gaps = sli_arena_array(arena, job->cluster_count, sizeof *job->gaps);
    return job->order != NULL && job->firsts != NULL && job->gaps != NULL;
}

/* Returns the gaps of all clusters together. */
static uint32_t put_in_order(defragmenter *job)
{
    for (uint32_t i = 0; i < job->cluster_count; i++) {
        job->order[i] = i;
        job->firsts[i] = job->clusters[i].first;
    }
    sli_sort_words(job->firsts, 1, job->order, job->gaps, job->cluster_count, NULL);
    uint32_t sum = 0;
    for (size_t i = 0; i < job->cluster_count; i++) {
        job->firsts[i] = defragment_nth(job, i)->first;
        job->gaps[i] = sum;
        sum += defragment_nth(job, i)->owned - defragment_nth(job, i)->used;
    }
    return sum;
}

sl_result sli_defragment(const sli_cluster *clusters, size_t cluster_count,
                         const sl_allocator *allocator, const sli_phase *phase, sli_node2 **nodes,
                         size_t *node_count)
{
    sli_arena arena = sli_arena_make(allocator);
    defragmenter job = { .clusters = clusters, .cluster_count = cluster_count, .from = *nodes };
    sl_result result = SL_OK;
    if (!defragment_allocate(&job, &arena)) {
        result = sli_fail_memory(phase->error);
        goto done;
    }
    const uint32_t unused = put_in_order(&job);
    if (unused == 0) {
        goto done;
    }
    const size_t count = *node_count - 2 * (size_t)unused;
    job.to = sli_alloc_large(allocator, count, sizeof *job.to);
    if (job.to == NULL) {
        result = sli_fail_memory(phase->error);
        goto done;
    }
    move_top_node(&job, 0, 0);
    sli_phase_each(phase, cluster_count, 1, move_clusters, &job);
    sli_free_array(allocator, *nodes, *node_count, sizeof **nodes);
    *nodes = job.to;
    *node_count = count;
done:
    sli_arena_free(&arena);
    return result;
}

/* proxy.h: what meets the proxy of an object.
 * Callers  hold the floating-point environment, and have turned away what is not valid. */
#pragma once

#include "bvh/query/query.h"

#include <sightline/volumes.h>

/* False, and the last argument left alone, where the proxy is not met; else it is what the proxy
 * answers where it stands for the tree. */
bool sli_proxy_ray(const sl_proxy *proxy, const sl_ray *ray, sl_hit *hit);
bool sli_proxy_segment(const sl_proxy *proxy, const sl_segment *segment, sl_hit *hit);
bool sli_proxy_volume(const sl_proxy *proxy, const sl_volume *volume);
bool sli_proxy_point(const sl_proxy *proxy, const float point[3], float limit, sl_nearest *nearest);

/* What a proxy answers in the place of the tree: prim is SL_NONE where it is not met. */
typedef union sli_proxy_answer {
    sl_hit hit;
    sl_nearest nearest;
} sli_proxy_answer;

typedef enum sli_intersection {
    SLI_NOT_VALID, /* the item is invalid: neither proxy nor tree is queried */
    SLI_MISSES_PROXY,
    SLI_MEETS_PROXY
} sli_intersection;

/* A query of any kind, about an array of items, with a proxy before the tree or instead of it. */
typedef struct sli_proxied {
    const void *job;
    const sl_proxy *proxy; /* NULL: none, and the tree is queried about all items at once */
    sli_block_fn *tree;    /* queries the tree */
    /* Whether item i meets the proxy, and what the proxy answers. */
    sli_intersection (*meet)(const void *job, size_t i, sli_proxy_answer *answer);
    /* Writes that down as the answer to item i. */
    void (*answer)(const void *job, size_t i, const sli_proxy_answer *answer);
} sli_proxied;

/* Items begin .. end - 1: each goes to the proxy, and then to the tree where the proxy's mode says
 * so. */
void sli_query_behind_proxy(const sli_proxied *proxied, size_t begin, size_t end, sl_stats *stats);

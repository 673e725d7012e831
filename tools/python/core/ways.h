/* ways.h: which function of the library answers: one name for six of them. */
#ifndef TOOLS_PYTHON_WAYS_H
#define TOOLS_PYTHON_WAYS_H

#include "tools/python/core/job.h"

/* Calls sl_bvh_NAME_many(tree, items, count, query, ..., NULL) or that of scenes, of segments and
 * of doubles, for the items and the target of job. */
#define CORE_ASK_PATHS(name, ...)                                                                  \
    switch (job->target) {                                                                         \
    case CORE_TREE:                                                                                \
        if (job->items.kind == CORE_RAYS) {                                                        \
            sl_bvh_##name##_many(job->bvh, items, count, query, __VA_ARGS__, NULL);                \
        } else {                                                                                   \
            sl_bvh_##name##_segment_many(job->bvh, items, count, query, __VA_ARGS__, NULL);        \
        }                                                                                          \
        break;                                                                                     \
    case CORE_SCENE:                                                                               \
        if (job->items.kind == CORE_RAYS) {                                                        \
            sl_scene_##name##_many(job->scene, items, count, query, __VA_ARGS__, NULL);            \
        } else {                                                                                   \
            sl_scene_##name##_segment_many(job->scene, items, count, query, __VA_ARGS__, NULL);    \
        }                                                                                          \
        break;                                                                                     \
    case CORE_SCENE_D:                                                                             \
        if (job->items.kind == CORE_RAYS) {                                                        \
            sl_scene_##name##_d_many(job->scene, items, count, query, __VA_ARGS__, NULL);          \
        } else {                                                                                   \
            sl_scene_##name##_segment_d_many(job->scene, items, count, query, __VA_ARGS__, NULL);  \
        }                                                                                          \
        break;                                                                                     \
    }

#endif

/* base.h: results, errors, and what a caller lends to the library: memory, progress, threads.
 *
 * Functions whose input may be bad (files, arrays, options) return an sl_result and fill in an
 * sl_error; queries on a built tree cannot fail.  The library never prints, exits or aborts.
 * Threads  everything here but a pool is a value or a pure function. */
#ifndef SIGHTLINE_BASE_H
#define SIGHTLINE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On Windows SL_STATIC is defined for a static library and its callers (by the CMake package and by
 * pkg-config), and SL_EXPORTS only while a DLL is built. */
#if defined(_WIN32) && defined(SL_STATIC)
#define SL_EXPORT
#elif defined(_WIN32) && defined(SL_EXPORTS)
#define SL_EXPORT __declspec(dllexport)
#elif defined(_WIN32)
#define SL_EXPORT __declspec(dllimport)
#elif defined(__GNUC__)
#define SL_EXPORT __attribute__((visibility("default")))
#else
#define SL_EXPORT
#endif

#ifdef __cplusplus
#define SL_API extern "C" SL_EXPORT
#else
#define SL_API extern SL_EXPORT
#endif

#define SL_VERSION_MAJOR 0
#define SL_VERSION_MINOR 2
#define SL_VERSION_PATCH 0

/* The version of the library that is running, as "1.2.3"; the numbers above are those of the header
 * that the caller was compiled with (docs/abi.md). */
SL_API const char *sl_version(void);

/* The index that stands for no triangle, no instance, no vertex, no node. */
#define SL_NONE 0xFFFFFFFFu

/* All results: code, number, and what it means in one line.  Codes keep their numbers. */
#define SL_RESULT_LIST(X)                                                                          \
    X(SL_OK, 0, "done")                                                                            \
    X(SL_INVALID_ARGUMENT, 1, "an argument or option is not usable")                               \
    X(SL_OUT_OF_MEMORY, 2, "out of memory")                                                        \
    X(SL_NOT_FOUND, 3, "no such file")                                                             \
    X(SL_IO, 4, "reading or writing failed")                                                       \
    X(SL_BAD_DATA, 5, "the data does not follow its format")                                       \
    X(SL_BAD_INDEX, 6, "an index points outside of what it indexes")                               \
    X(SL_NOT_FINITE, 7, "a coordinate is NaN, infinite or beyond the range of a float")            \
    X(SL_UNSUPPORTED, 8, "the format, or a feature of it, is not supported")                       \
    X(SL_TOO_LARGE, 9, "more than the documented limits allow")                                    \
    X(SL_CANCELLED, 10, "the progress hook asked to stop")                                         \
    X(SL_NO_THREADS_LEFT, 11, "a thread could not be created")

typedef enum sl_result {
#define SL_RESULT_ENUM(code, number, words) code = number,
    SL_RESULT_LIST(SL_RESULT_ENUM)
#undef SL_RESULT_ENUM
} sl_result;

/* The name of a result ("SL_OK"), and what it means; "SL_UNKNOWN" and "unknown result" for a number
 * that is no result. */
SL_API const char *sl_result_name(sl_result result);
SL_API const char *sl_result_message(sl_result result);

/* What went wrong and where.  Filled in on failure only; every text ends in '\0' and is cut to
 * fit. */
typedef struct sl_error {
    sl_result code;
    int64_t line;      /* 1 is the first line of the file; 0: not known or not text */
    int64_t byte;      /* offset from the start of the file; -1: not known */
    char file[256];    /* as the caller named it; "" for memory */
    char message[256]; /* what was found and what was expected, without file and line */
} sl_error;

/* Where memory comes from.  Zeroed means malloc and free; one of the two without the other is
 * SL_INVALID_ARGUMENT.  alloc returns NULL if it has no memory
 * left; align is a power of two; free gets the size that alloc was called with, and never NULL.
 * Where the caller gives sl_tasks, calls come from several threads at once. */
typedef struct sl_allocator {
    void *(*alloc)(void *user, size_t size, size_t align);
    void (*free)(void *user, void *memory, size_t size);
    void *user;
} sl_allocator;

/* Called from time to time during long work, always from the thread that called the library, with
 * the name of the phase and the fraction done, in [0, 1], which never falls within a phase.  If it
 * returns false the work stops, frees what it has made and returns SL_CANCELLED. */
typedef struct sl_progress {
    bool (*report)(void *user, const char *phase, float fraction);
    void *user;
} sl_progress;

/* What a function that builds or loads something borrows from its caller.  Zeroed is the default:
 * malloc, no reports, the calling thread alone.  Functions without a def take a pointer, and NULL
 * is the same as zeroed. */
typedef struct sl_hooks {
    sl_allocator allocator;       /* zeroed: malloc; what is made keeps it until it is destroyed */
    sl_progress progress;         /* zeroed: no reports */
    const struct sl_tasks *tasks; /* below; NULL: the calling thread alone.  Read by builds of
                                   * either kind, refits and sl_clashes_find only: the rest works on
                                   * the calling thread */
} sl_hooks;

/* ---- How the library borrows threads: by one hook, parallel_for.  An engine with a job system
 * fills in an sl_tasks itself; any other program makes a pool.  Where sl_tasks are NULL, the
 * calling thread works alone.  The library starts no thread of its own accord (but one that sleeps
 * between steps for a build in slices, bvh.h), and no result depends on the number of workers.
 * Tasks without a function, or with a worker_count below 1, are SL_INVALID_ARGUMENT to sl_bvh_build
 * and refits; queries, which cannot fail, treat them as NULL ---- */

/* Works on items begin .. end - 1.  worker is in [0, worker_count), and no two calls with the same
 * worker run at the same time. */
typedef void sl_range_fn(void *context, size_t begin, size_t end, int worker);

typedef struct sl_tasks {
    /* Calls fn for disjoint ranges that cover [0, count), each of 1 to grain items (grain 0 counts
     * as 1), in any order and on any threads; returns when all are done.  The library never nests
     * one call inside another. */
    void (*parallel_for)(void *user, size_t count, size_t grain, sl_range_fn *fn, void *context);
    void *user;
    int worker_count; /* >= 1, the caller included */
} sl_tasks;

/* A pool of worker_count - 1 threads; the thread that calls parallel_for is the last worker.
 * worker_count 0: one worker for each processor that is online.  1: no thread at all.  allocator
 * may be NULL: malloc.
 * Fails    SL_INVALID_ARGUMENT for a worker_count below 0 or above 1024, SL_OUT_OF_MEMORY,
 *          SL_NO_THREADS_LEFT.
 * Threads  a pool runs one parallel_for at a time; a second caller waits for its turn.  fn must not
 *          use the pool that runs it: it would wait for itself.  In a library built without threads
 *          (SL_NO_THREADS) every pool has one worker, the caller, and there is no waiting: two
 *          threads of the program must not use one pool at the same time. */
typedef struct sl_pool sl_pool;
SL_API sl_result sl_pool_create(int worker_count, const sl_allocator *allocator, sl_pool **out,
                                sl_error *error);
SL_API void sl_pool_destroy(sl_pool *pool); /* NULL is fine; no parallel_for may be running */

/* The pool as a hook; valid while the pool lives. */
SL_API const sl_tasks *sl_pool_tasks(const sl_pool *pool);

#endif

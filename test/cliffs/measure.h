/* measure.h: how bad a case is, by one of several measures; more is worse. */
#ifndef TEST_CLIFFS_MEASURE_H
#define TEST_CLIFFS_MEASURE_H

#include "test/cliffs/case.h"

typedef enum cliff_measure {
    MEASURE_PLAIN,  /* triangles looked at, over those of a plain walk; the worse of batches and
                     * single calls */
    MEASURE_SHARED, /* triangles that batches look at, over those of single calls */
    MEASURE_MOVED,  /* triangles looked at, over those after moving mesh and rays to the origin */
    MEASURE_SINGLE, /* time of batches over that of single calls */
    MEASURE_FAR,    /* time, over that after moving mesh and rays to the origin */
    MEASURE_PEER,   /* time of batches over that of the peer's single calls on its better tree */
    MEASURES
} cliff_measure;

typedef struct measure_row {
    const char *name;
    bool timed;            /* otherwise it counts, and gives the same on every machine of a kind */
    double limit;          /* a cliff is beyond; 0: the worst is only shown */
    double free_triangles; /* of a ray: they are added to what ours are compared with */
} measure_row;
extern const measure_row measure_rows[MEASURES];

typedef struct cliff_bench cliff_bench; /* keeps what the last cases used */

cliff_bench *bench_open(void);
void bench_close(cliff_bench *bench);

/* Of one ray: triangles, or seconds. */
typedef struct measured {
    double ratio, ours, theirs;
    bool applies; /* otherwise all are 0 */
} measured;

/* pairs: the ratio of times is the median of so many, taken in turn; 0: a quick look. */
measured bench_measure(cliff_bench *bench, cliff_measure measure, const cliff_case *c, int pairs);

/* The same for the case that is the median of five whose seeds follow one another.  Which of many
 * hits is met first is luck, and a search that tries hundreds of seeds finds the worst of it; what
 * is slow by itself is slow with other seeds, too. */
measured bench_measure_seeds(cliff_bench *bench, cliff_measure measure, const cliff_case *c,
                             int pairs);

/* Whether a mesh at its place is still the mesh that was made (scene_is_resolved). */
bool bench_is_resolved(cliff_bench *bench, const cliff_case *c);

/* Takes rays away from a case that would look at too many triangles for a search. */
void bench_trim(cliff_bench *bench, cliff_case *c);

/* Whether answers of batches, single calls and the moved scene agree, as they must. */
bool bench_agree(cliff_bench *bench, const cliff_case *c);

#endif

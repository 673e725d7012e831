/* measure.h: how bad a case is, by one of several measures; more is worse. */
#pragma once

#include "test/cliffs/case.h"
#include "tools/bench/harness/rounds.h"

typedef enum cliff_measure {
    MEASURE_PLAIN,  /* triangles looked at, over those of a plain walk; the worse of batches and
                     * single calls */
    MEASURE_SHARED, /* triangles that batches look at, over those of single calls */
    MEASURE_MOVED,  /* triangles looked at, over those after moving everything to the origin */
    MEASURE_SINGLE, /* time of batches over that of single calls */
    MEASURE_FAR,    /* time, over that after moving everything to the origin */
    MEASURE_PEER,   /* time of batches over that of the peer's single calls on its better tree */
    MEASURE_EXACT,  /* decisions that doubles leave to more digits, of a question */
    MEASURE_AIMED,  /* time of questions with an aim, over that of those beside (CASE_BESIDE) */

    /* Of worlds: work and time of batches over that of ... */
    MEASURE_LEVELS,  /* work: one tree over the same triangles, by instances entered */
    MEASURE_FLAT,    /* time: the same */
    MEASURE_NESTED,  /* time: the list of the products of nested places */
    MEASURE_DOUBLES, /* time of questions in doubles: those in floats */
    MEASURE_FLOATS,  /* and the other way round */
    MEASURE_VERSION, /* work: a scene that was built anew */
    MEASURE_REBUILD, /* time that the next version takes to build: without the one before */
    MEASURE_HINTS,   /* time: without hints */
    MEASURE_ORDER,   /* time: the same questions shuffled */
    MEASURE_SELECT,  /* time: a world without the instances that are left out */

    /* Of mesh against mesh, and of sweeps: time over what the plain walk's count and answers may
     * take. */
    MEASURE_COST,
    MEASURES
} cliff_measure;

typedef struct measure_row {
    const char *name;
    bool timed;               /* otherwise it counts, and gives the same on every machine of a
                                   * kind */
    bool applies[CASE_KINDS]; /* to meshes, to worlds, to contact */
    double limit[CASE_KINDS]; /* a cliff is beyond; 0: the worst is only shown */
    double free[CASE_KINDS];  /* of a ray: triangles, or work, or nanoseconds, that are added to
                                   * what ours are compared with */
} measure_row;
extern const measure_row measure_rows[MEASURES];

/* Whether a measure is about a case of this kind, and its limit (0: none). */
bool measure_fits(cliff_measure measure, const cliff_case *c);
double measure_limit(cliff_measure measure, const cliff_case *c);

typedef struct cliff_bench cliff_bench; /* keeps what the last cases used */

cliff_bench *cliff_open(void); /* NULL: out of memory */
void cliff_close(cliff_bench *bench);

/* pairs: the ratio of times is the median of so many, taken in turn; 0: a quick look. */
bench_measured cliff_measure_case(cliff_bench *bench, cliff_measure measure, const cliff_case *c,
                                  int pairs);

/* The same for the case that is the median of five whose seeds follow one another.  Which of many
 * hits is met first is luck, and a search that tries hundreds of seeds finds the worst of it; what
 * is slow by itself is slow with other seeds, too. */
bench_measured cliff_measure_seeds(cliff_bench *bench, cliff_measure measure, const cliff_case *c,
                                   int pairs);

/* Whether a mesh at its place is still the mesh that was made (scene_is_resolved). */
bool cliff_is_resolved(cliff_bench *bench, const cliff_case *c);

/* Takes rays away from a case that would look at too many triangles for a search. */
void cliff_trim(cliff_bench *bench, cliff_case *c);

/* Whether answers of batches, single calls and the moved scene, or of other ways to build a world,
 * agree bit for bit; of nearest points to meshes, which move with them, distance and triangle. */
bool cliff_agree(cliff_bench *bench, const cliff_case *c);

/* ask/verify.h: every query about elements is put to the tree in every way there is, and its
 * answers are held against every triangle in turn, bit for bit. */
#pragma once

#include "tools/ask/ask.h"
#include "tools/verify/box_filter.h"
#include "tools/verify/differences.h"
#include "tools/verify/time_by_size.h"

/* What elements of a kind came to. */
typedef struct verify_sums {
    uint64_t elements, pairs, rows, differences;
    uint64_t found[PART_SUMS]; /* as the query tallies */
    sl_stats stats;            /* of the query for arrays that counts */
    time_by_size times;
} verify_sums;

typedef enum verify_cell {
    VERIFY_KIND,
    VERIFY_ELEMENTS,
    VERIFY_PAIRS,
    VERIFY_FOUND,
    VERIFY_SHARE, /* of those that found something */
    VERIFY_ROWS,
    VERIFY_DIFFER, /* of points inside */
    VERIFY_ON_SURFACE,
    VERIFY_FLOAT,
    VERIFY_DOUBLE,
    VERIFY_EXACT,
    VERIFY_DIFFERENCES
} verify_cell;

typedef struct verify_column {
    out_column is; /* the name NULL ends a table */
    verify_cell cell;
} verify_column;

/* How many rows an answer may keep. */
typedef enum verify_keep { VERIFY_KEEP_ALL, VERIFY_KEEP_TWO, VERIFY_KEEP_HALF } verify_keep;

typedef struct verify_query {
    const char *words;
    ask_mode mode;
    verify_keep keep;
    bool is_array; /* one call for a block of elements */
    bool within;   /* not asked of the nearest, which may be all of the mesh */
    bool counts;   /* its work is reported */
} verify_query;

/* Whatever is asked, an answer is how many rows there are, and the first of them. */
typedef struct verify_answer {
    uint64_t total;
    size_t kept;
    const void *rows;
} verify_answer;

typedef struct verify_family {
    const verify_query *queries; /* words NULL ends them; those for arrays come last */
    const verify_column *columns;
    size_t keep;        /* rows that are compared; 0: those of --keep */
    size_t least, most; /* elements of a block */
    bool keeps_all;     /* single queries keep as many rows as there are triangles */
    bool times;         /* --stats reports them */
} verify_family;

extern const verify_family verify_rays, verify_near, verify_inside, verify_volumes;

typedef struct verifier {
    const ask_world *world;
    const verify_family *family;
    bool within;       /* see verify_query */
    size_t rows;       /* of an answer, at most */
    box_filter filter; /* zeroed: none */
    differences found;
    ask_block block;      /* the elements; the answers are those of brute force */
    ask_block batch;      /* answers of the queries for arrays */
    char *scratch;        /* two answers for each worker */
    uint32_t *wrong;      /* bits: queries that were answered wrongly, for each element */
    double (*seconds)[2]; /* of the tree and of brute force, for each element */
} verifier;

/* For blocks like def, whose keep counts for families that have none.  filtered: brute force only
 * where bounds meet.  False when out of memory; free it either way. */
bool verifier_make(verifier *v, const ask_world *world, const verify_family *family,
                   const ask_block *def, bool has_limits, bool filtered);
void verifier_free(verifier *v); /* a zeroed one is fine; what was found stays */

/* The elements that are in v->block. */
void verifier_check(verifier *v, const ask_query *query, const char *kind, uint64_t first_index,
                    verify_sums *sums);

/* The first row in which two answers differ; how many the shorter one has where there is none. */
size_t verify_first_difference(const verifier *v, const verify_answer *a, const verify_answer *b);

/* What an answer says beside another one; truth: it is that of brute force. */
void verify_describe(const verifier *v, const verify_query *query, const verify_answer *answer,
                     const verify_answer *other, bool truth, char *to, size_t size);

/* The numbers of an element, to be pasted into a file. */
void verify_describe_element(const verifier *v, size_t i, char *to, size_t size);

/* --verify: a row for each kind of element, and what differs. */
int ask_verify(ask_run *run);

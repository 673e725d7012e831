/* differences.h: where the tree and every triangle in turn do not agree: counted, and the first of
 * them kept in words. */
#pragma once

#include "tools/output/output.h"

enum { DIFFERENCES_SHOWN = 20 };

typedef struct difference {
    const char *kind;     /* of what was asked */
    uint64_t index;       /* which of them */
    const char *question; /* the function that was asked */
    char tree[128], brute[128];
    char asked[640]; /* the numbers, to be pasted into a file */
} difference;

typedef struct differences {
    difference shown[DIFFERENCES_SHOWN];
    size_t shown_count;
    uint64_t count;
} differences;

/* Counts one more; the place to put its words, or NULL where there are enough. */
difference *differences_add(differences *d, const char *kind, uint64_t index, const char *question);

/* In words for people (on stderr beside CSV), as a table and a count in JSON. */
void differences_put(output *out, const differences *d);

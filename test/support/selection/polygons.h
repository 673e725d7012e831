/* polygons.h: lassos of any number of corners that are hard for selections: each is made in the
 * square from 0 to 1, and then stretched and moved. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum polygon_kind {
    POLYGON_STAR,    /* as if the border of a circle went in and out */
    POLYGON_COMB,    /* teeth that go all the way up and down */
    POLYGON_ZIGZAG,  /* a flat band of short sides */
    POLYGON_NEEDLES, /* a rectangle with needles without width: there and back */
    POLYGON_TANGLE,  /* any corners */
    POLYGON_TURNS,   /* the same few corners, again and again */
    POLYGON_WALK,    /* short steps at random */
    POLYGON_SPIRAL,  /* outwards and back */
    POLYGON_FAN,     /* every other corner is the same one */
    POLYGON_KINDS
} polygon_kind;

extern const char *const polygon_names[POLYGON_KINDS];

typedef struct polygon_def {
    polygon_kind kind;
    size_t count;
    double param; /* of the kind: 0 to 1 */
    uint64_t seed;
    double at[2], size[2];
} polygon_def;

/* out: x and y of count corners. */
void polygon_make(const polygon_def *def, double *out);

/* shapes.h: the triangles of a case, in doubles, before they are placed in the world. */
#pragma once

#include "test/cliffs/case.h"

#include <stddef.h>

typedef struct cliff_shape {
    size_t count, room; /* triangles */
    double *corner;     /* nine numbers for each */
    double centre[3];   /* of its box */
    double unit;        /* half the longest side of its box */
} cliff_shape;

/* NULL on failure, which is reported on stderr. */
cliff_shape *shape_make(const cliff_case *c);
void shape_free(cliff_shape *shape); /* NULL is fine */

/* case.h: one case of the cliff finder: a mesh, rays and a call, as a row of numbers that can be
 * drawn at random, changed a little, printed as text and read back.
 *
 * Numbers have as many digits as their text, so that a text gives the case again, bit for bit. */
#ifndef TEST_CLIFFS_CASE_H
#define TEST_CLIFFS_CASE_H

#include "test/support/input/random.h"

#include <stdbool.h>
#include <stdio.h>

/* Lengths are in units of the mesh: the longest side of its box is 2 before CASE_SIZE scales it. */
typedef enum case_field {
    CASE_MESH,      /* mesh_kind, or MESH_KINDS and up: a file */
    CASE_TRIANGLES, /* wanted; generated meshes have about as many */
    CASE_THIN,      /* how slender, how small or how close together: see meshes.c */
    CASE_MESH_SEED,
    CASE_SIZE,    /* the mesh is that many times as large */
    CASE_AT,      /* centre of the mesh: this times (1, 0, -1.5), not scaled by CASE_SIZE */
    CASE_QUALITY, /* quality_kind */
    CASE_RAYS,    /* ray_kind */
    CASE_COUNT,   /* rays in all */
    CASE_WIDTH,   /* cameras: pixels along a side of the picture */
    CASE_TILE,    /* cameras: pixels along a side of a tile; 1: rows */
    CASE_AWAY,    /* where rays start: this far from the centre, or from where they aim */
    CASE_SPREAD,  /* cameras: tangent of half the angle; others: how far rays are from parallel */
    CASE_LENGTH,  /* where rays end, in units of the way to where they aim; 0: nowhere */
    CASE_START,   /* tmin, in the same units */
    CASE_SPEED,   /* length of directions */
    CASE_ORDER,   /* order_kind */
    CASE_RAY_SEED,
    CASE_CALL,  /* call_kind */
    CASE_BATCH, /* rays in one call */
    CASE_FIELDS
} case_field;

typedef enum mesh_kind {
    MESH_SPHERE,
    MESH_TORUS,
    MESH_TERRAIN,
    MESH_SOUP,
    MESH_FAN,
    MESH_CONES,
    MESH_SLIVERS,
    MESH_SHELLS,
    MESH_FLAT,
    MESH_CARDS,
    MESH_CITY,
    MESH_STADIUM,
    MESH_SCALES,
    MESH_PILE,
    MESH_COMB,
    MESH_KINDS
} mesh_kind;

typedef enum quality_kind {
    QUALITY_DEFAULT,
    QUALITY_FAST,
    QUALITY_HIGH,
    QUALITY_COMPACT,
    QUALITY_KINDS
} quality_kind;

typedef enum ray_kind {
    RAYS_CAMERA,
    RAYS_ORTHOGRAPHIC,
    RAYS_FROM_POINT,
    RAYS_AROUND,
    RAYS_INSIDE,
    RAYS_SURFACE,
    RAYS_PARALLEL,
    RAYS_AXIS,
    RAYS_GRAZING,
    RAYS_ALONG_EDGES,
    RAYS_BOUNCE,
    RAY_KINDS
} ray_kind;

typedef enum order_kind { ORDER_MADE, ORDER_SHUFFLED, ORDER_KINDS } order_kind;

typedef enum call_kind {
    CALL_CLOSEST,
    CALL_ANY,
    CALL_BLOCKED,
    CALL_CLOSEST_SEGMENT,
    CALL_ANY_FROM,
    CALL_BLOCKED_FROM,
    CALL_NEAREST,
    CALL_CLOSEST_COLUMNS,
    CALL_ANY_COLUMNS,
    CALL_KINDS
} call_kind;

typedef struct cliff_case {
    double field[CASE_FIELDS];
} cliff_case;

/* A field that counts or chooses. */
static inline int case_int(const cliff_case *c, case_field field)
{
    return (int)c->field[field];
}

/* Meshes from files, besides those that are generated: CASE_MESH is MESH_KINDS + index. */
enum { CASE_FILES_MAX = 64 };
extern const char *case_files[CASE_FILES_MAX];
extern int case_file_count;

cliff_case case_random(test_random *random);
/* Another case that differs in one field, two or three. */
cliff_case case_change(const cliff_case *c, test_random *random);

/* "mesh=fan triangles=3000 ..."; fields at their usual value are left out. */
enum { CASE_TEXT_MAX = 1024 };
void case_print(const cliff_case *c, char text[CASE_TEXT_MAX]);
/* Fields that the text leaves out get their usual value.  A mesh that is no kind is the path of a
 * file.  False, and says so on stderr, where a word is not understood. */
bool case_read(const char *text, cliff_case *out);
/* The same, but fields that the text leaves out stay. */
bool case_overlay(const char *text, cliff_case *c);

#endif

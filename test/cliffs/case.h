/* case.h: one case of the cliff finder: a mesh, or a world of its instances, rays and a call, or
 * two meshes, or a mesh and shapes that move, as a row of numbers that can be drawn at random,
 * changed a little, printed as text and read back.
 *
 * Numbers have as many digits as their text, so that a text gives the case again, bit for bit. */
#pragma once

#include "test/support/input/random.h"
#include "tools/bench/harness/ask.h"

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
    CASE_AIM,    /* aim_kind */
    CASE_OPEN,   /* open_kind */
    CASE_BESIDE, /* 1 moves all numbers of questions by a ten-thousandth; it is never drawn */
    CASE_CALL,   /* bench_query */
    CASE_BATCH,  /* rays in one call */

    /* Worlds of instances of the mesh; unused where CASE_WORLD is WORLD_NONE.  Rays are those of
     * all its triangles in one mesh. */
    CASE_WORLD, /* world_kind */
    CASE_INSTANCES,
    CASE_GAP,       /* between neighbours, in units of what is placed */
    CASE_SCALES,    /* the largest instance is that many times as large as the smallest */
    CASE_LARGE,     /* share of the large ones, the others being small; 0: of all sizes */
    CASE_PLACES,    /* place_kind */
    CASE_CONDITION, /* of places that shear, stretch or flatten */
    CASE_GRID,      /* in units of a triangle, about; 0: none */
    CASE_HOLES,     /* share of the instances that are not there */
    CASE_NESTED,    /* scenes within scenes */
    CASE_WORLD_AT,  /* the world is that far from its origin */
    CASE_WORLD_SEED,
    CASE_FRAMES, /* versions before this one */
    CASE_DRIFT,  /* how far instances go from one version to the next, in sizes of the world */
    CASE_FORM,   /* form_kind */
    CASE_HINTS,  /* hint_kind; of BENCH_BLOCKED */
    CASE_SELECT, /* select_kind */
    CASE_RADIUS, /* of points and volumes, in units of the world */
    CASE_K,      /* answers that have room */

    /* Mesh against mesh, and shapes of CASE_RADIUS that move along the segments; unused where
     * CASE_CONTACT is CONTACT_NONE. */
    CASE_CONTACT,    /* contact_kind */
    CASE_OTHER,      /* mesh_kind of the other mesh, of as many triangles */
    CASE_OTHER_SIZE, /* it is that many times as large as the first */
    CASE_APART,      /* their centres, in units of both */
    CASE_TURNED,     /* turn_kind */
    CASE_OTHER_AS,   /* other_kind */
    CASE_MARGIN,     /* in units of the first */
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

/* Where on the surface questions begin, aim and end. */
typedef enum aim_kind {
    AIM_ANYWHERE,
    AIM_VERTICES,
    AIM_MIDPOINTS,
    AIM_CENTROIDS,
    AIM_KINDS
} aim_kind;

/* Ends that segments are without. */
typedef enum open_kind { OPEN_NONE, OPEN_START, OPEN_END, OPEN_BOTH, OPEN_KINDS } open_kind;

typedef enum order_kind { ORDER_MADE, ORDER_SHUFFLED, ORDER_KINDS } order_kind;

/* What is asked is a bench_query; those from here on are asked of worlds only. */
enum { CALL_MESH_KINDS = BENCH_NEAREST_K };

/* Where instances stand, before CASE_NESTED places groups of them in the same way. */
typedef enum world_kind {
    WORLD_NONE,  /* one mesh, no scene */
    WORLD_TILED, /* a lattice: piled where CASE_GAP is small */
    WORLD_FLOOR, /* a lattice in a plane */
    WORLD_ROW,
    WORLD_SCATTERED, /* in as large a cube as the lattice has */
    WORLD_SAME,      /* all at the same place */
    WORLD_KINDS
} world_kind;

typedef enum place_kind {
    PLACE_MOVED, /* and scaled */
    PLACE_TURNED,
    PLACE_QUARTERS, /* turned by quarters, so that axes stay axes */
    PLACE_MIRRORED,
    PLACE_SHEARED,
    PLACE_STRETCHED, /* along any axis */
    PLACE_FLATTENED, /* along an axis of the mesh */
    PLACE_KINDS
} place_kind;

typedef enum form_kind { FORM_FLOATS, FORM_DOUBLES, FORM_KINDS } form_kind;

typedef enum hint_kind { HINT_NONE, HINT_RIGHT, HINT_WRONG, HINT_HALF, HINT_KINDS } hint_kind;

/* Instances that a query leaves in. */
typedef enum select_kind {
    SELECT_ALL,
    SELECT_FEW,    /* an eighth, by masks */
    SELECT_MOST,   /* seven eighths, by masks */
    SELECT_IGNORE, /* the second half, by numbers */
    SELECT_KINDS
} select_kind;

/* What is asked: pairs of two meshes, or first contacts. */
typedef enum contact_kind {
    CONTACT_NONE,
    CONTACT_ANY,
    CONTACT_ALL,
    CONTACT_DISTANCE,
    CONTACT_SPHERE, /* this and the following: sweeps */
    CONTACT_CAPSULE,
    CONTACT_BOX,
    CONTACT_HULL,
    CONTACT_KINDS
} contact_kind;

typedef enum turn_kind { TURN_NONE, TURN_ANY, TURN_KINDS } turn_kind;

/* The other mesh is a tree in its place, or stands there as an instance. */
typedef enum other_kind { OTHER_TREE, OTHER_INSTANCE, OTHER_KINDS } other_kind;

/* The kinds of cases that a search is about. */
typedef enum case_kind { KIND_MESH, KIND_WORLD, KIND_CONTACT, CASE_KINDS } case_kind;

typedef struct cliff_case {
    double field[CASE_FIELDS];
} cliff_case;

/* A field that counts or chooses. */
static inline int case_int(const cliff_case *c, case_field field)
{
    return (int)c->field[field];
}

static inline bench_query case_query(const cliff_case *c)
{
    return (bench_query)case_int(c, CASE_CALL);
}

/* Rays or segments, not points or volumes. */
static inline bool case_asks_rays(const cliff_case *c)
{
    const bench_query query = case_query(c);
    return query != BENCH_NEAREST && query < BENCH_NEAREST_K;
}

/* The same but for how it is called: closest, any, blocked, closest-segment or nearest; others stay
 * what they are. */
static inline bench_query query_plain(bench_query query)
{
    switch (query) {
    case BENCH_ANY_FROM:
    case BENCH_ANY_COLUMNS:
        return BENCH_ANY;
    case BENCH_BLOCKED_FROM:
        return BENCH_BLOCKED;
    case BENCH_CLOSEST_COLUMNS:
        return BENCH_CLOSEST;
    default:
        return query;
    }
}

/* Meshes from files, besides those that are generated: CASE_MESH is MESH_KINDS + index. */
enum { CASE_FILES_MAX = 64 };
extern const char *case_files[CASE_FILES_MAX];
extern int case_file_count;

static inline bool case_is_world(const cliff_case *c)
{
    return case_int(c, CASE_WORLD) != WORLD_NONE;
}

static inline case_kind case_kind_of(const cliff_case *c)
{
    return case_int(c, CASE_CONTACT) != CONTACT_NONE ? KIND_CONTACT
           : case_is_world(c)                        ? KIND_WORLD
                                                     : KIND_MESH;
}

cliff_case case_random(case_kind kind, test_random *random);
/* Another case of the same kind that differs in one field, two or three. */
cliff_case case_change(const cliff_case *c, test_random *random);

/* "mesh=fan triangles=3000 ..."; fields at their usual value are left out. */
enum { CASE_TEXT_MAX = 1024 };
void case_print(const cliff_case *c, char text[CASE_TEXT_MAX]);
/* Fields that the text leaves out get their usual value.  A mesh that is no kind is the path of a
 * file.  False, and says so on stderr, where a word is not understood. */
bool case_read(const char *text, cliff_case *out);
/* The same, but fields that the text leaves out stay. */
bool case_overlay(const char *text, cliff_case *c);

/* open_mesh.h: a mesh with its tree and its boundary, for tests of winding numbers. */
#pragma once

#include "test/support/input/made.h"
#include "test/support/test.h"

#include <sightline/points.h>

typedef struct open_mesh {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_boundary *boundary;
} open_mesh;

static inline open_mesh open_of(sl_mesh *mesh)
{
    open_mesh o = { .mesh = mesh };
    const sl_soup soup = sl_mesh_soup(mesh);
    o.bvh = made_bvh(mesh, NULL);
    assert_int_equal(sl_boundary_create(&soup, NULL, NULL, &o.boundary, NULL), SL_OK);
    return o;
}

static inline void open_close(open_mesh *o)
{
    sl_boundary_destroy(o->boundary);
    unmake_bvh(o->bvh, o->mesh);
}

/* mesh_attributes.h: what a mesh keeps besides positions: texture coordinates, normals and colours;
 * and what they are at a hit.
 *
 * Kept      all that the file gives, but for what sl_mesh_def.drop says.  Each
 *           is a table of rows of floats (sl_mesh_attribute), and three indices a triangle into it,
 *           or none where its rows are those of the vertices.  Positions stay shared as the file
 *           shares them.  What no triangle refers to may be missing.
 * Bad rows  neither whether a file is a mesh nor which triangles it has depends on what is kept.  A
 *           corner that names a row that the file has not is one without.  Where a number of a row
 *           is missing or none, it is NaN, in OBJ and OFF with those behind it.  A glTF attribute
 *           that does not fit its positions, or cannot be read, is left out of its primitive.  Only
 *           memory may end where less is kept it would not (SL_TOO_LARGE).  In the caller's arrays
 *           such an index is SL_BAD_INDEX; with SL_BAD_LEAVE_OUT the corner is one without.
 * Not kept  a second set of texture coordinates or colours, tangents, weights: sl_mesh_attributes
 *           says what the file has, sl_mesh_get_attribute what is kept.
 * Values    as in the file; integers that stand for fractions are divided (a colour of 255 is 1,
 *           in PLY also one of 32 bits).
 *           Colours are not converted from one colour space to another; without alpha, it is 1.
 *           Texture coordinates run as the file's: v upwards in OBJ, PLY, downwards in glTF.
 *           Values that are not finite are kept as they are.
 * Fails     where a comment says so, by returning false, with outputs left alone.
 * Threads   a mesh never changes; any number of threads may read it. */
#ifndef SIGHTLINE_MESH_ATTRIBUTES_H
#define SIGHTLINE_MESH_ATTRIBUTES_H

#include <sightline/mesh.h>
#include <sightline/place.h>

/* kind: one of SL_MESH_UVS, _NORMALS, _COLOURS.  The arrays live as long as the mesh.  False where
 * the mesh keeps none. */
SL_API bool sl_mesh_get_attribute(const sl_mesh *mesh, uint32_t kind, sl_mesh_attribute *out);

/* What there is at a point of a triangle. */
typedef struct sl_mesh_point {
    uint32_t kept; /* bits SL_MESH_...: which of the fields below are filled in: those that are kept
                    * and that all three corners have.  The others are 0 */
    uint32_t face; /* sl_mesh_face */
    uint32_t part; /* sl_mesh_part_of; SL_NONE where there is none */
    float uv[2], colour[4]; /* each the exact value of (1 - u - v) a + u b + v c, rounded once to
                             * the nearest float, ties to even, a zero as +0.  Of values that are
                             * not finite: NaN where one is NaN, where an infinite one weighs 0 or
                             * infinities of both signs meet; else the infinity */
    float normal[3];        /* that sum in doubles, of unit length to 2^-23, each component within
                             * 2^-23; zero where the sum is exactly zero, NaN where a corner's is
                             * not finite.  Not the geometric one (sl_bvh_surface) */
    const char *material;   /* of the part; "" where there is none.  Lives as long as the mesh */
} sl_mesh_point;

/* At the weights u, v of vertices 1 and 2 of triangle prim, as a hit has them.  place: where the
 * instance stands, for the normal (by the transpose of its inverse, mirrored places keeping the
 * object's front; zero where the place has no inverse, while those that scenes accept are within
 * the bound above, whatever their scale); NULL: where the mesh does.  False where there is no such
 * triangle, or it was left out; and for weights that are not finite. */
SL_API bool sl_mesh_at(const sl_mesh *mesh, uint32_t prim, float u, float v, const sl_place *place,
                       sl_mesh_point *out);

/* The same for count hits, for bakers and lists: hits[i] is on meshes[hits[i].instance], which
 * stands at places[hits[i].instance].  places may be NULL: where the meshes do; so may a mesh:
 * nothing is known of it.  Hits on a tree have instance 0.  Writes count points to out, and returns
 * how many are filled in; the others, of misses and wherever sl_mesh_at would return false, are
 * zero, with a face and a part of SL_NONE and a material of "". */
SL_API size_t sl_mesh_at_hits(const sl_mesh *const *meshes, const sl_place *places,
                              size_t instance_count, const sl_hit *hits, size_t count,
                              sl_mesh_point *out);

#endif

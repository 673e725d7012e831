/* input/query.h: which triangles queries consider: the options that they share. */
#pragma once

#include "tools/input/mesh.h"

#include <sightline/rays.h>

typedef struct query_options {
    int cull; /* an sl_cull */
    const char *skip, *masks;
    uint64_t mask;
} query_options;

extern const option_row query_rows[];

/* struct x { ...; query_options query; ... } and QUERY_GROUP(struct x). */
#define QUERY_GROUP(type) { .title = "Filter", .rows = query_rows, .offset = offsetof(type, query) }

/* The same without --cull, for queries without a direction. */
#define FILTER_GROUP(type)                                                                         \
    { .title = "Filter", .rows = query_rows + 1, .offset = offsetof(type, query) }

/* What the options say; needs no mesh, so that wrong ones are told of before one is loaded.
 * skip: where the triangles are kept that it skips.  EXIT_DONE, or the status of a reported
 * error. */
int query_in_make(const invocation *call, const query_options *options, sl_triangle_ref skip[2],
                  sl_options *query);

/* "TRIANGLE", or in a scene "INSTANCE:TRIANGLE", and where it ends; false for anything else. */
bool query_in_triangle(const char *text, sl_triangle_ref *to, char **end);

/* Reads --masks, for the builder.  EXIT_DONE, or the status of a reported error. */
int query_in_masks(const query_options *options, mesh_in *in);

/* Builds the tree, and refuses triangles to skip that it does not have. */
int query_in_build(const invocation *call, const sl_options *query, mesh_in *in);

/* Both, around loading MESH and building its tree with the masks.  Close *in either way. */
int query_in_open(const invocation *call, const query_options *options, const mesh_options *mesh,
                  const common_options *common, mesh_in *in, sl_triangle_ref skip[2],
                  sl_options *query);

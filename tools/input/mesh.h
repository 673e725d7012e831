/* input/mesh.h: the mesh arguments that every subcommand shares, and the tree over the mesh. */
#pragma once

#include "tools/cli/common.h"
#include "tools/cli/progress.h"
#include "tools/output/value.h"

#include <sightline/instances.h>

/* All attributes that a mesh can keep. */
enum { MESH_IN_KEEP_ALL = SL_MESH_UVS | SL_MESH_NORMALS | SL_MESH_COLOURS };

typedef struct mesh_options {
    const char *vertices, *faces; /* .npy files instead of MESH */
    int bad;                      /* an sl_bad_triangles */
    int quality;                  /* an sl_bvh_quality */
    int layout;                   /* an sl_bvh_layout */
    uint64_t max_build_memory;    /* bytes; 0: none */
    bool recentre, trusted;
    bool nodes; /* of a glTF file, as a scene */
    bool hidden_nodes;
    uint64_t max_memory; /* 0: the default of the library */
    uint32_t keep;  /* no option: what a subcommand needs of attributes, bits SL_MESH_...; set it
                    * before mesh_in_load */
    bool has_notes; /* no option: the report has the notes of a mesh, so that stderr needs not */
} mesh_options;

extern const option_row mesh_rows[];
extern const char *const quality_words[]; /* as --quality has them; index: an sl_bvh_quality */
extern const char *const layout_words[];  /* as --layout has them; index: an sl_bvh_layout */

/* struct x { ...; mesh_options mesh; common_options common; } and MESH_GROUP(struct x). */
#define MESH_GROUP(type) { .title = "Mesh", .rows = mesh_rows, .offset = offsetof(type, mesh) }

/* The same for subcommands that take scenes; stands before MESH_GROUP. */
extern const option_row scene_rows[];
#define SCENE_GROUP(type) { .title = "Scene", .rows = scene_rows, .offset = offsetof(type, mesh) }

/* A mesh, its tree and the threads to query it with; or a scene. */
typedef struct mesh_in {
    char *name;             /* as typed */
    struct scene_in *scene; /* input/scene.h; NULL: a mesh.  Of a scene there is no mesh */
    sl_mesh *mesh;
    sl_bvh *bvh;     /* over the mesh, or over the instances of the scene, whose it is */
    bool is_tree;    /* MESH is a tree file */
    uint32_t *masks; /* of --masks, one for each triangle; set between load and build, or NULL */
    sl_pool *pool;
    const sl_tasks *tasks;
    sl_bvh_quality quality;
    sl_bvh_layout layout;
    size_t max_build_memory;
    bool quiet;
    double load_seconds, build_seconds;
    progress bar;
} mesh_in;

/* Loads the mesh that argument `index` names (or --vertices, --faces), applies --isa, makes the
 * pool.  A tree file stands for its mesh, whose tree is then there already. EXIT_DONE, or the
 * status of a reported error; close *in either way. */
int mesh_in_load(mesh_in *in, const invocation *call, size_t index, const mesh_options *mesh,
                 const common_options *common);

/* Refuses an option whose file is stdin where MESH is stdin, too.  EXIT_DONE or EXIT_USAGE. */
int mesh_in_check_stdin(const invocation *call, const char *option, const char *file);

/* Refuses an option that needs a mesh where there is a scene.  EXIT_DONE or EXIT_USAGE. */
int mesh_in_refuse(const mesh_in *in, const invocation *call, const char *option);

/* The number of the face that a triangle came from, or its own where there is no mesh (NULL), as of
 * a tree file in a scene; nothing for a proxy. */
out_value mesh_in_face(const sl_mesh *mesh, uint32_t prim);

/* The name of the part that a triangle belongs to: of its group or mesh, else of its object or
 * node, else of its material; nothing for a proxy. */
out_value mesh_in_part(const sl_mesh *mesh, uint32_t prim);

/* How many of count columns a table has whose last one is the part: all of them where the mesh has
 * parts. */
size_t mesh_in_columns(const sl_mesh *mesh, size_t count);

/* Builds the tree over in->mesh, unless it came with it. */
int mesh_in_build(mesh_in *in);

/* Of the tree, or of all instances of the scene, once they are built. */
uint64_t mesh_in_triangles(const mesh_in *in);

/* Both. */
int mesh_in_open(mesh_in *in, const invocation *call, size_t index, const mesh_options *mesh,
                 const common_options *common);

void mesh_in_close(mesh_in *in); /* a zeroed one is fine */

/* ---- input/mesh_or_scene.c: what a mesh, which is instance 0, and a scene have in common ---- */

/* Of a tree of either kind, outwards to floats; empty where there is nothing. */
sl_aabb mesh_in_bounds(const sl_bvh *bvh);

/* 0 of an empty box. */
double mesh_in_diagonal(const sl_aabb *box);

size_t mesh_in_instances(const mesh_in *in);

/* Of an instance: how many numbers its triangles have; and its mesh, which is NULL for a tree file
 * in a scene, a hole and an instance that there is not. */
size_t mesh_in_prims(const mesh_in *in, uint32_t instance);
const sl_mesh *mesh_in_mesh(const mesh_in *in, uint32_t instance);

/* What rows say of a triangle of two meshes, a (of 0) or b: its instance, number and face, its name
 * where those of the scene have any, and its part where there are any.  Names of the columns and
 * how many they are; and the values, nothing where there is no triangle (SL_NONE), which hold until
 * the next call about this scene. */
enum { MESH_IN_TOLD = 5 };
size_t mesh_in_told(const mesh_in *in, bool of_b, const char *names[MESH_IN_TOLD]);
void mesh_in_tell(const mesh_in *in, sl_triangle_ref triangle, out_value values[MESH_IN_TOLD]);

/* Where a hit lies, in floats, as sl_surface says it; false where there is no such triangle. */
typedef struct hit_surface {
    float point[3], normal[3], front_origin[3], back_origin[3];
} hit_surface;
bool mesh_in_surface(const mesh_in *in, const sl_hit *hit, hit_surface *out);

/* input/scene.h: a scene in place of a mesh: a scene file (docs/scene-file.md), or the nodes of a
 * glTF file.
 *
 * Each mesh file is loaded, and its tree built, once, however often and by whatever names scene
 * files refer to it.  Scenes within scenes are scenes of the library. */
#pragma once

#include "tools/cli/progress.h"

#include <sightline/instances.h>
#include <sightline/io.h>
#include <sightline/rays.h>

#include <stdio.h>

enum { SCENE_DEPTH_MAX = 16 }; /* as in scene.h of the library */

typedef struct scene_in_options {
    sl_mesh_def mesh;   /* for loading meshes; hooks are not used */
    sl_build_def build; /* for their trees; its tasks are used for everything */
    bool trusted;       /* tree files */
    bool leave_out;     /* instances that cannot be used */
    size_t max_memory;  /* of nested instances; 0: 64 MiB and 40 times the size of the files */
    progress *bar;
} scene_in_options;

/* A file with one mesh, or a mesh of a glTF file. */
typedef struct scene_mesh {
    char *path;                    /* as reports name it */
    uint64_t device, number, size; /* of the file */
    bool is_tree;
    sl_mesh *own;        /* NULL for a tree file and for a mesh of a glTF */
    const sl_mesh *mesh; /* NULL for a tree file */
    sl_bvh *bvh;
    size_t uses; /* by instances of scene files; nested ones count once for each inner scene */
    sl_error error;
} scene_mesh;

/* An instance as the file says it: of a mesh, of a scene, or a hole. */
typedef struct scene_instance {
    uint32_t mesh, scene; /* SL_NONE, or places in the lists below */
    sl_instance is;       /* its trees and scenes are set when they are built */
    const char *name;     /* NULL: none */
} scene_instance;

/* A file, a scene that is written out within one, or the nodes of a glTF. */
typedef struct scene_list {
    char *path; /* "town.json", 'town.json: scenes["house"]' */
    uint64_t device, number;
    bool is_file, open; /* open: being read, so that a reference to it is a loop */
    uint32_t named_by;  /* the scene that it was first met in; SL_NONE: none */
    scene_instance *instances;
    size_t count, capacity;
    uint64_t expanded; /* instances, nested ones in place of scenes */
    sl_bvh *scene;
} scene_list;

/* "This entry of that file says that the mesh has this hash." */
typedef struct scene_hash {
    uint32_t mesh;
    uint64_t hash;
    char *where;
} scene_hash;

typedef struct scene_in {
    scene_in_options options;
    scene_mesh *meshes;
    size_t mesh_count, mesh_capacity;
    scene_list *lists;
    size_t list_count, list_capacity;
    scene_hash *hashes;
    size_t hash_count, hash_capacity;
    sl_gltf **gltfs;
    size_t gltf_count, gltf_capacity;
    char **texts; /* names */
    size_t text_count, text_capacity;
    uint32_t root; /* of the lists */
    uint64_t read; /* bytes of all files */
    bool has_names, has_parts;
    sl_bvh *scene; /* of the root, once it is built */
    sl_bvh_info info;
    char *name;       /* see scene_in_name */
    size_t name_size; /* of the longest in the files, with a '/' */
} scene_in;

/* Whether a file, or bytes, are a scene file: an object whose first member is "sightline"; or, of a
 * file that is named .json, any member. */
bool scene_in_is_file(const char *path);
bool scene_in_is_bytes(const void *bytes, size_t size);

/* Reads the scene file and all that it refers to, and loads the meshes.  EXIT_DONE, or the status
 * of a reported error; close it either way. */
int scene_in_load(scene_in *in, const char *path, const scene_in_options *options);
int scene_in_load_bytes(scene_in *in, const void *bytes, size_t size,
                        const scene_in_options *options); /* from stdin */
int scene_in_load_nodes(scene_in *in, const char *path,
                        const scene_in_options *options); /* a glTF */

/* Builds the trees and the scenes, and checks the hashes. */
int scene_in_build(scene_in *in);

void scene_in_close(scene_in *in); /* a zeroed one is fine */

/* What instance number i of the scene is; NULL for a hole and for none. */
const scene_mesh *scene_in_mesh(const scene_in *in, uint32_t instance);

/* How many numbers its triangles have; 0 for a hole and for none. */
size_t scene_in_prims(const scene_in *in, uint32_t instance);

/* The bits that all on the way to it have. */
uint32_t scene_in_mask(const scene_in *in, uint32_t instance);

/* Its names, from the outermost inwards, with '/' between; NULL where none has any.  Valid until
 * the next call. */
const char *scene_in_name(scene_in *in, uint32_t instance);

/* Where it stands: the product of the transforms on the way.  Whether it exists. */
bool scene_in_place(const scene_in *in, uint32_t instance, sl_transform *place);
bool scene_in_mirrors(const sl_transform *place);

/* The point of a hit, and the unit normal of its triangle's front; false where there is none.  in:
 * the files that the tree came from, or NULL where nothing is mirrored. */
bool scene_in_surface(const sl_bvh *bvh, const scene_in *in, sl_triangle_ref triangle, double u,
                      double v, double point[3], double normal[3]);

/* ---- for the room scene, which reads scene files into a scene_in ---- */

/* More of a list; NULL after a report. */
void *scene_in_grow(void *items, size_t count, size_t *capacity, size_t size);
const char *scene_in_text(scene_in *in, const char *text); /* a copy; NULL after a report */

/* Makes a list and reads the file into it, or finds it where it has been read. */
int scene_file_read(scene_in *in, const char *path, uint32_t named_by, int depth, uint32_t *list);
int scene_file_read_bytes(scene_in *in, const void *bytes, size_t size);
int scene_in_read_nodes(scene_in *in, const char *path, uint32_t list);
int scene_in_add_list(scene_in *in, const char *path, uint32_t named_by, uint32_t *list);
int scene_in_add_instance(scene_in *in, uint32_t list, const scene_instance *instance);
int scene_in_find_mesh(scene_in *in, const char *path, uint32_t *mesh);
int scene_in_add_hash(scene_in *in, uint32_t mesh, uint64_t hash, const char *where);

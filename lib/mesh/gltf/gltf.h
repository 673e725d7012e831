/* gltf.h: what the files of the glTF reader share.
 *
 *     gltf.c            the outline: container, JSON, version, extensions, then the parts below
 *     gltf/cost.c       how much memory JSON will take, before it is parsed
 *     gltf/parse.c      JSON, right even where memory runs out
 *     gltf/json.c       members of JSON objects, of the right type or an error that names them
 *     gltf/location.c   the line or byte where an element of a top-level array stands
 *     gltf/buffer.c     bytes of buffers: the GLB's, data URIs, files; and of buffer views
 *     gltf/uri.c        URIs: which may be followed
 *     gltf/meshopt.c    buffer views compressed with EXT_meshopt_compression
 *     gltf/accessor.c   numbers out of buffer views, one element after the other
 *     gltf/mesh.c       meshes: their primitives, proven, and how many triangles they make
 *     gltf/attribute.c  normals, texture coordinates and colours of primitives
 *     gltf/node.c       the forest of nodes: proven to be one; their transforms; which are hidden
 *     gltf/deform.c     morph targets and skins: what moves the vertices of a mesh
 *     gltf/instance.c   EXT_mesh_gpu_instancing
 *     gltf/flatten.c    the scene: its nodes in order, and how much comes of them
 *     gltf/list.c       instead: each mesh once, and the list of where nodes place it
 *     gltf/nodes.c      the public face of that list (sightline/io.h)
 *     gltf/slice.c      each mesh of that list as one of its own
 *     gltf/emit.c       primitives to vertices and triangles
 *
 * Everything is proven before it is used: an accessor once, with all bytes it reaches; a mesh once;
 * the forest once; and the sizes of the flattened scene before anything of it is made.  Nothing
 * recurses (jansson does while parsing: 2048 levels at most).  All memory is one arena's, and
 * counted (sl_mesh_sink_spend). Source: Khronos, glTF 2.0 Specification, 2.0.1 (2021). */
#pragma once

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/geom/transform/transform.h"

#include <sightline/io.h>
#include <sightline/mesh_format.h>

#include <jansson.h>

/* The top-level arrays that matter. */
typedef enum sli_gltf_kind {
    SLI_GLTF_BUFFERS,
    SLI_GLTF_VIEWS,
    SLI_GLTF_ACCESSORS,
    SLI_GLTF_MESHES,
    SLI_GLTF_NODES,
    SLI_GLTF_SKINS,
    SLI_GLTF_SCENES,
    SLI_GLTF_MATERIALS,
    SLI_GLTF_KINDS
} sli_gltf_kind;

/* An object of the JSON, and what to call it in errors: "meshes[2]" or "meshes[2].primitives[0]".
 */
typedef struct sli_gltf_item {
    const json_t *object;
    sli_gltf_kind kind; /* SLI_GLTF_KINDS: none */
    uint32_t index;
    char name[64];
} sli_gltf_item;

typedef struct sli_gltf_bytes {
    const uint8_t *at;
    size_t size;
    bool there;
    sl_result failed; /* why it is not, where only attributes were looked for */
} sli_gltf_bytes;

/* Elements of an accessor that replace others. */
typedef struct sli_gltf_sparse {
    size_t count;
    const uint8_t *indices, *values;
    int index_size;
} sli_gltf_sparse;

typedef struct sli_gltf_accessor {
    bool proven;
    bool normalized;
    sl_result failed; /* as of sli_gltf_bytes */
    int type;         /* of components: 5120 ... 5126 */
    int components;   /* of an element: 1 to 4, or 16; 0: of a type that is not read */
    size_t count;
    const uint8_t *at; /* NULL: all zeros */
    size_t stride;
    bool without_view;
    sli_gltf_sparse sparse;
} sli_gltf_accessor;

/* Kinds of what is read besides positions: normals, texture coordinates, colours.  The bit of
 * kind i is 1 << i (SL_MESH_...). */
enum { SLI_GLTF_ROWS = 3 };

/* One that makes triangles. */
typedef struct sli_gltf_primitive {
    const json_t *object;
    uint32_t positions, indices;  /* accessors; indices may be SL_NONE */
    uint32_t rows[SLI_GLTF_ROWS]; /* accessors, SL_NONE for those that are not there or not kept */
    uint32_t number;              /* in its mesh */
    int mode;                     /* 4 triangles, 5 strip, 6 fan */
    size_t triangles;
    bool shared;       /* an earlier one of the mesh has the same positions, moved alike */
    uint32_t material; /* or SL_NONE */
    uint32_t sets;     /* of joints and weights; 0: not proven yet */
    uint32_t joint_end, joint_at; /* above all joints that have a weight; the vertex of the last */
} sli_gltf_primitive;

typedef struct sli_gltf_mesh {
    bool proven;
    sli_gltf_primitive *primitives;
    size_t count;
    size_t vertices, triangles; /* of all of them; shared positions once */
    bool weighed;
    const json_t *weights; /* of morph targets; NULL: none is other than 0 */
    size_t weight_count;   /* of those that are not 0 */
} sli_gltf_mesh;

typedef struct sli_gltf_skin {
    bool proven;
    bool mirrors;         /* most of its joints do */
    size_t count;         /* of joints */
    sl_transform *joints; /* where each takes the mesh: to the world */
} sli_gltf_skin;

typedef struct sli_gltf_node {
    uint32_t parent, first_child, next_sibling; /* or SL_NONE */
    uint32_t mesh, skin;                        /* or SL_NONE */
    const json_t *weights; /* of morph targets: its own, or else of its mesh once that is proven */
    uint32_t listed;       /* gltf/list.c: the place of its mesh in the list; else SL_NONE */
    bool rooted;           /* following parents ends */
    bool in_scene;         /* as a root */
    bool hidden;           /* it, or a node above; false where those are wanted, too */
    sl_transform world;    /* its own until nodes are proven */
} sli_gltf_node;

typedef struct sli_gltf {
    const sl_mesh_input *input;
    sl_mesh_sink *sink;
    sl_error *error;
    sli_arena arena;
    struct sli_gltf_listing *list; /* where nodes are listed (gltf/list.c); NULL: flattened */
    struct sli_gltf_file *files;   /* those read: see gltf/buffer.c */
    size_t file_count;
    const char *json; /* within the input */
    size_t json_size, json_at;
    sli_gltf_bytes chunk; /* BIN of a GLB */
    bool is_glb;
    json_t *root;
    const json_t *arrays[SLI_GLTF_KINDS]; /* NULL where there is none */
    size_t counts[SLI_GLTF_KINDS];
    sli_gltf_bytes *buffers, *views;
    sli_gltf_accessor *accessors;
    sli_gltf_mesh *meshes;
    sli_gltf_node *nodes;
    sli_gltf_skin *skins;
    struct sli_gltf_mover *movers; /* most_movers, for gltf/deform.c */
    size_t most_movers;
    double moves;                 /* counted by gltf/deform.c */
    uint32_t *base_of, *stamp_of; /* per accessor: gltf/mesh.c, gltf/emit.c */
    uint32_t rows_found;          /* kinds that a primitive that was proven has */
    bool optional;                /* what is being proven may be left out: an attribute */
} sli_gltf;

/* ---- gltf/json.c and gltf/location.c */

extern const char *const sli_gltf_kind_names[SLI_GLTF_KINDS];

/* An error about item: its place, then "<name>: <words>". */
sl_result sli_gltf_fail(const sli_gltf *gltf, sl_result code, const sli_gltf_item *item,
                        const char *format, ...) SLI_PRINTF(4, 5);

/* The same of broken data. */
#define sli_gltf_bad(gltf, item, ...) sli_gltf_fail((gltf), SL_BAD_DATA, (item), __VA_ARGS__)

/* The message may quote the file: whatever is not plain ASCII becomes '?'.  NULL is fine. */
void sli_gltf_make_printable(sl_error *error);

/* count * size bytes, zeroed, that live until the end.  array: the address of the pointer to them;
 * it is NULL where they are refused, which may be the sink's error, too. */
sl_result sli_gltf_array(sli_gltf *gltf, void *array, size_t count, size_t size);

/* The top-level arrays. */
sl_result sli_gltf_find_arrays(sli_gltf *gltf);

/* Element index (< counts[kind]) of a top-level array; it has to be an object. */
sl_result sli_gltf_element(const sli_gltf *gltf, sli_gltf_kind kind, uint32_t index,
                           sli_gltf_item *out);

/* Member key of item, an object or array; NULL in *out where it is absent. */
sl_result sli_gltf_object(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                          sli_gltf_item *out);
sl_result sli_gltf_list(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                        const json_t **out);
/* An extension of item; out->object is NULL where it has none of that name. */
sl_result sli_gltf_extension(const sli_gltf *gltf, const sli_gltf_item *item, const char *name,
                             sli_gltf_item *out);

/* A whole number from least to most; absent: otherwise, or an error where that is SLI_GLTF_NEEDED.
 */
#define SLI_GLTF_NEEDED UINT64_MAX
sl_result sli_gltf_whole(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                         uint64_t otherwise, uint64_t most, uint64_t *out);
/* The same for the number of an element of a top-level array; absent: SL_NONE. */
sl_result sli_gltf_reference(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                             bool needed, sli_gltf_kind kind, uint32_t *out);
/* A JSON value that is such a number. */
sl_result sli_gltf_as_reference(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                                const json_t *value, sli_gltf_kind kind, uint32_t *out);
sl_result sli_gltf_bool(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                        bool *out);
/* A text; *out is NULL where it is absent. */
sl_result sli_gltf_text(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                        const char **out, size_t *length);
/* count numbers; *there is false where they are absent. */
sl_result sli_gltf_numbers(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                           int count, double *out, bool *there);

/* Where elements of a top-level array stand, from first on; those that are not found: the beginning
 * of the JSON. */
typedef struct sli_gltf_location {
    int64_t line, byte;
} sli_gltf_location;
void sli_gltf_locate(const sli_gltf *gltf, sli_gltf_kind kind, uint32_t first, size_t count,
                     sli_gltf_location *out);

/* ---- gltf/cost.c and gltf/parse.c */

/* Bytes that jansson will take at most, about. */
size_t sli_gltf_cost(const char *json, size_t size);
/* Where a text that begins at `at` ends: at its second quote, or at size. */
size_t sli_gltf_skip_text(const char *json, size_t size, size_t at);

/* The document, which is an object, to gltf->root. */
sl_result sli_gltf_parse(sli_gltf *gltf);

/* ---- gltf/uri.c: what a buffer's URI is. */
typedef enum sli_gltf_uri { SLI_GLTF_DATA, SLI_GLTF_FILE, SLI_GLTF_REFUSED } sli_gltf_uri;

/* SLI_GLTF_DATA: *out is the base64 text.  SLI_GLTF_FILE: *out is a path, '/' between names,
 * written to text (of length + 1 bytes).  SLI_GLTF_REFUSED: *out says why. */
sli_gltf_uri sli_gltf_read_uri(const char *uri, size_t length, char *text, const char **out);

/* ---- gltf/buffer.c */
sl_result sli_gltf_buffer(sli_gltf *gltf, uint32_t index, sli_gltf_bytes *out);
void sli_gltf_close_files(sli_gltf *gltf);
/* The bytes of a buffer that an element names. */
sl_result sli_gltf_range(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_bytes *out);
/* The bytes of a buffer view, decompressed; *stride 0 where it has none. */
sl_result sli_gltf_view(sli_gltf *gltf, uint32_t index, sli_gltf_bytes *out, size_t *stride);

/* ---- gltf/meshopt.c */
bool sli_gltf_has_meshopt(void);
sl_result sli_gltf_meshopt_view(sli_gltf *gltf, const sli_gltf_item *view,
                                const sli_gltf_item *extension, sli_gltf_bytes *out,
                                size_t *stride);

/* ---- gltf/accessor.c */
sl_result sli_gltf_prove_accessor(sli_gltf *gltf, uint32_t index, const sli_gltf_accessor **out);

/* The elements of an accessor in order. */
typedef struct sli_gltf_reader {
    const sli_gltf_accessor *accessor;
    size_t next, sparse_next;
} sli_gltf_reader;
void sli_gltf_read_numbers(sli_gltf_reader *reader, double *out);
uint32_t sli_gltf_read_index(sli_gltf_reader *reader);

/* ---- gltf/mesh.c */
sl_result sli_gltf_prove_mesh(sli_gltf *gltf, uint32_t index, sli_gltf_mesh **out);
/* Primitive `number` of a mesh, for errors. */
sl_result sli_gltf_primitive_item(const sli_gltf *gltf, uint32_t mesh, size_t number,
                                  const json_t *object, sli_gltf_item *out);
/* Whether an accessor is what 'POSITION' may name. */
bool sli_gltf_is_position(const sli_gltf_accessor *accessor);

/* ---- gltf/deform.c: proving that a node's mesh, which is proven, can be moved as the node says,
 * as often as `times` says. */
sl_result sli_gltf_prove_deform(sli_gltf *gltf, uint32_t node, sli_gltf_mesh *mesh, size_t times);
sl_result sli_gltf_prepare_deform(sli_gltf *gltf);

/* An accessor whose elements are added, or that says how much joints count. */
typedef struct sli_gltf_mover {
    sli_gltf_reader reader;
    double weight; /* of a morph target */
} sli_gltf_mover;
/* The elements of one of a primitive's accessors, read one after the other. */
typedef struct sli_gltf_deform {
    sli_gltf_reader elements;
    sli_gltf_mover *targets, *sets; /* two movers for each set: joints, weights */
    size_t target_count, set_count;
    const sl_transform *joints; /* NULL: there is no skin */
    sl_transform matrix;        /* where the skin takes the element that was read last */
} sli_gltf_deform;
/* key: what morph targets call it.  Until the next one begins, movers are its own. */
void sli_gltf_begin_deform(const sli_gltf *gltf, uint32_t node, const sli_gltf_primitive *primitive,
                           const char *key, uint32_t accessor, sli_gltf_deform *out);
/* Zeros where the element has fewer than four numbers; morph targets are added. */
void sli_gltf_read_deformed(sli_gltf_deform *deform, double out[4]);

/* ---- gltf/attribute.c: proving, for gltf/mesh.c.  positions NULL: there are none */
sl_result sli_gltf_read_rows(sli_gltf *gltf, const sli_gltf_item *attributes,
                             const sli_gltf_accessor *positions, sli_gltf_primitive *out);
/* The accessor of one kind, of a primitive's attributes or a morph target; what does not fit is
 * left out: SL_NONE. */
sl_result sli_gltf_read_row(sli_gltf *gltf, const sli_gltf_item *attributes, int kind,
                            const sli_gltf_accessor *positions, uint32_t *out);
extern const char *const sli_gltf_row_keys[SLI_GLTF_ROWS];

/* ---- gltf/node.c */
sl_result sli_gltf_prove_nodes(sli_gltf *gltf);
/* The one after node, of the tree that it is in: depth first, SL_NONE at the end. */
uint32_t sli_gltf_next_node(const sli_gltf *gltf, uint32_t node);
/* What the copies of a node's mesh are in: the node, or the world where it has a skin. */
sl_transform sli_gltf_node_transform(const sli_gltf *gltf, uint32_t node);
/* From a matrix column by column, whose last row counts as 0, 0, 0, 1. */
sl_transform sli_gltf_from_columns(const double m[16]);
sl_transform sli_gltf_from_trs(const double t[3], const double r[4], const double s[3]);
/* a * b: b is applied first. */
sl_transform sli_gltf_multiply(const sl_transform *a, const sl_transform *b);
bool sli_gltf_mirrors(const sl_transform *m);

/* ---- gltf/instance.c: how often a node's mesh is there (EXT_mesh_gpu_instancing). */
typedef struct sli_gltf_instances {
    size_t count;
    bool plain;                                   /* once, as the node says */
    sli_gltf_reader translation, rotation, scale; /* accessor NULL: none */
} sli_gltf_instances;
sl_result sli_gltf_find_instances(sli_gltf *gltf, uint32_t node, sli_gltf_instances *out);
/* The transform to the world of the next one; node: that of its node. */
sl_transform sli_gltf_next_instance(sli_gltf_instances *instances, const sl_transform *node);

/* ---- gltf/flatten.c and gltf/emit.c */
typedef struct sli_gltf_scene {
    uint32_t *roots;
    size_t root_count;
    size_t vertices, triangles; /* in all */
    size_t vertices_done, triangles_done;
    uint32_t *mesh_names, *material_names; /* numbers of the sink; SL_NONE: not yet given to it */
    uint32_t named_node, node_name;        /* the node given a name last, + 1; its name */
    sli_gltf_location *locations;          /* of meshes, while locating; else NULL */
    bool without_nodes;                    /* parts name no nodes: gltf/list.c */
    uint32_t stamp; /* of what is emitted: rows with this one are there, and are shared */
    struct {
        uint32_t *base, *stamp; /* per accessor: the number of its first row, and the stamp that
                                 * they have; NULL: no primitive has such rows */
        size_t done;
    } rows[SLI_GLTF_ROWS];
} sli_gltf_scene;
sl_result sli_gltf_flatten(sli_gltf *gltf);
/* The steps of flattening that gltf/list.c takes, too. */
sl_result sli_gltf_find_roots(sli_gltf *gltf, sli_gltf_scene *out);
/* Visits the nodes of a scene that are not hidden, each tree depth first; what fails ends it. */
typedef sl_result sli_gltf_visit_fn(sli_gltf *gltf, uint32_t node, void *context);
sl_result sli_gltf_walk(sli_gltf *gltf, const sli_gltf_scene *scene, sli_gltf_visit_fn *visit,
                        void *context);
sl_result sli_gltf_prepare(sli_gltf *gltf, sli_gltf_scene *scene);
/* Gives one instance of a node's mesh to the sink.  False: the sink said stop. */
bool sli_gltf_emit(sli_gltf *gltf, sli_gltf_scene *scene, uint32_t node, const sl_transform *world);

/* ---- gltf/attribute.c: emitting.  turn: what a node's transform does to normals. */
sl_result sli_gltf_prepare_rows(sli_gltf *gltf, sli_gltf_scene *scene);
/* Gives the rows of a primitive to the sink, unless those there have the scene's stamp; base: the
 * numbers of the first of each kind, or SL_NONE.  False: the sink said stop. */
bool sli_gltf_emit_rows(sli_gltf *gltf, sli_gltf_scene *scene, uint32_t node,
                        const sli_gltf_primitive *primitive, const sli_upright *turn,
                        uint32_t base[SLI_GLTF_ROWS]);

/* ---- gltf/list.c: each mesh once, as it stands in the file, and where nodes place it; one that a
 * node moves by a skin or weights of its own is there for that node alone. */
typedef struct sli_gltf_listed {
    uint32_t mesh, node;                 /* in the file; the first node that has it */
    size_t first_vertex, first_triangle; /* of what is emitted */
    size_t first_row[SLI_GLTF_ROWS];
} sli_gltf_listed;
typedef struct sli_gltf_listing {
    sli_arena arena;         /* of all below */
    bool filled;             /* by a file that is glTF */
    sli_gltf_listed *meshes; /* mesh_count, in the order of their first use, and an end */
    size_t mesh_count;
    sl_gltf_instance *instances;
    size_t instance_count;
} sli_gltf_listing;
sl_result sli_gltf_list_nodes(sli_gltf *gltf);
sl_result sli_gltf_load(const sl_mesh_input *input, sl_mesh_sink *sink, sli_gltf_listing *list,
                        sl_error *error);
/* ---- gltf/slice.c: mesh index of the list, taken out of the mesh that has all of them. */
sl_result sli_gltf_slice(const sl_mesh *whole, const sli_gltf_listing *list, size_t index,
                         const sl_allocator *allocator, sl_mesh **out, sl_error *error);

bool sli_gltf_recognise_text(const sl_mesh_input *input);
bool sli_gltf_recognise_glb(const sl_mesh_input *input);

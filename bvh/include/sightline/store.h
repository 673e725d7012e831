/* store.h: trees in files, so that a mesh is read and built once.
 *
 * A tree from a file answers as the one that was saved, bit for bit, and needs no mesh.  The same
 * tree always gives the same bytes, whatever the number of threads and the instruction set.  A
 * compact tree (SL_BVH_LAYOUT_COMPACT) gives a compact file.  docs/file-format.md describes the
 * bytes.
 * Trust    a file is proven before it is used, in one pass: its checksum, every reference, box,
 *          index and order.  A forged file is refused or, at worst, answers wrongly; no query on it
 *          reads outside of it or loops.  SL_LOAD_TRUSTED leaves the pass out, for files from a
 *          source that you trust.
 * Fails    SL_NOT_FOUND, SL_IO, SL_OUT_OF_MEMORY; SL_BAD_DATA for a file that is no tree file, or
 *          is truncated, changed or forged; SL_UNSUPPORTED for a newer version, or the byte order
 *          of another machine.  *out is NULL then, and no partial file is left.
 * Threads  as for builds; open trees may share a file.
 * Cost     of loading: the pass, a tenth or less of the time that building takes; with
 *          SL_LOAD_TRUSTED reading the file, or nearly nothing where it is mapped. */
#ifndef SIGHTLINE_STORE_H
#define SIGHTLINE_STORE_H

#include <sightline/bvh.h>

/* Writes to a temporary name first: afterwards path is the whole tree, or what it was before. */
SL_API sl_result sl_bvh_save(const sl_bvh *bvh, const char *path, sl_error *error);

/* Writes the same bytes to memory, and returns how many there are; bytes NULL: nothing is written.
 * A tree over instances has none: 0. */
SL_API size_t sl_bvh_save_memory(const sl_bvh *bvh, void *bytes);

enum {
    SL_LOAD_TRUSTED = 1u,  /* do not prove the file, nor read it for its masks: queries with a mask
                            * then leave out triangles, and no subtrees, until masks are set */
    SL_LOAD_IN_PLACE = 2u, /* sl_bvh_load_memory only: use the caller's bytes, aligned to 64, which
                            * must not change until the tree is destroyed */
};

typedef struct sl_bvh_load_def {
    sl_hooks hooks; /* zeroed (default): malloc; nothing is reported */
    uint32_t flags; /* 0 means that the file is proved and copied */
} sl_bvh_load_def;

/* Copies the file or the bytes into memory of the tree's own.  def may be NULL: defaults. */
SL_API sl_result sl_bvh_load(const char *path, const sl_bvh_load_def *def, sl_bvh **out,
                             sl_error *error);
SL_API sl_result sl_bvh_load_memory(const void *bytes, size_t size, const sl_bvh_load_def *def,
                                    sl_bvh **out, sl_error *error);

/* Maps the file: pages are read when a query first touches them and shared between processes.
 * While the tree is open the file must not be written to or truncated: that would undo the proof,
 * and a file that became shorter ends the process with SIGBUS.  (Replacing it, as sl_bvh_save does,
 * is fine.)  Where a file cannot be mapped it is read. */
SL_API sl_result sl_bvh_map(const char *path, const sl_bvh_load_def *def, sl_bvh **out,
                            sl_error *error);

/* Whether bytes begin as those of a tree file do; of more than 8 the rest is ignored. */
SL_API bool sl_bvh_is_file(const void *bytes, size_t size);

/* Identifies a mesh: a hash of the corners of its triangles, in their order, and of which are left
 * out; equal for a tree and the mesh that it was built over.  Files keep that of their tree. */
SL_API uint64_t sl_mesh_hash(const sl_mesh *mesh);
SL_API uint64_t sl_bvh_mesh_hash(const sl_bvh *bvh);

#endif

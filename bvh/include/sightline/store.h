/* store.h: trees in files, so that a mesh is read and built once.
 *
 * A tree from a file answers as the one that was saved, bit for bit, and needs no mesh.  The same
 * tree always gives the same bytes: whatever built it, from any number of threads, on any
 * instruction set.  A compact tree (SL_BVH_LAYOUT_COMPACT) gives a compact file.  docs/file-format.md
 * says what they mean.
 * Trust    a file is proven before it is believed, in one pass: its checksum, every reference, box,
 *          index and order.  A forged one is refused or, at worst, answers wrongly; no query on it
 *          reads outside of it or runs in circles.  SL_LOAD_TRUSTED leaves all that out, for files that
 *          only you can have written.
 * Fails    SL_NOT_FOUND, SL_IO, SL_OUT_OF_MEMORY; SL_BAD_DATA for what is no tree file, is cut,
 *          changed or forged; SL_UNSUPPORTED for one of a newer version, or of a machine with the
 *          other byte order.  *out is NULL then, and no file is left in part.
 * Threads  as for any function that makes a thing; trees that are open may share a file.
 * Cost     of opening: the pass, a tenth or less of the time that building takes; with SL_LOAD_TRUSTED next to nothing. */
#ifndef SIGHTLINE_STORE_H
#define SIGHTLINE_STORE_H

#include <sightline/bvh.h>

/* Writes to a temporary name first: path is the whole tree, or what it was before. */
SL_API sl_result sl_bvh_save(const sl_bvh *bvh, const char *path, sl_error *error);

/* The same bytes in memory: how many, and to a block of that size. */
SL_API size_t sl_bvh_save_size(const sl_bvh *bvh);
SL_API void sl_bvh_save_memory(const sl_bvh *bvh, void *bytes);

enum {
    SL_LOAD_TRUSTED = 1u, /* believe the file */
    SL_LOAD_IN_PLACE =
        2u, /* of sl_bvh_load_memory: use the caller's bytes, aligned to 64, which must
                       * stay as they are until the tree is destroyed */
};

typedef struct sl_bvh_load_def {
    size_t size;    /* set by sl_default_bvh_load_def */
    sl_hooks hooks; /* zeroed (default): malloc; nothing is reported */
    uint32_t flags; /* 0: prove, and copy */
} sl_bvh_load_def;

SL_API sl_bvh_load_def sl_default_bvh_load_def(void);

/* Into memory of the tree's own.  def may be NULL: defaults. */
SL_API sl_result sl_bvh_load(const char *path, const sl_bvh_load_def *def, sl_bvh **out,
                             sl_error *error);
SL_API sl_result sl_bvh_load_memory(const void *bytes, size_t size, const sl_bvh_load_def *def,
                                    sl_bvh **out, sl_error *error);

/* The file itself as memory, read when it is touched and shared between programs.  While the tree is
 * open nobody may write to the file or cut it: that would undo the proof, and a file that became
 * shorter stops the program.  (Replacing it, as sl_bvh_save does, is fine.)  Where a file cannot be
 * mapped it is read. */
SL_API sl_result sl_bvh_map(const char *path, const sl_bvh_load_def *def, sl_bvh **out,
                            sl_error *error);

/* Whether bytes begin as those of a tree file do; a few are enough. */
SL_API bool sl_bvh_is_file(const void *bytes, size_t size);

/* Which mesh it is: a number from the corners of its triangles, in their order, and from which are
 * left out; equal for a tree and the mesh it was built over.  Files keep that of their tree. */
SL_API uint64_t sl_mesh_hash(const sl_mesh *mesh);
SL_API uint64_t sl_bvh_mesh_hash(const sl_bvh *bvh);

#endif

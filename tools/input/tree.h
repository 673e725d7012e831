/* input/tree.h: a tree file in place of a mesh. */
#pragma once

#include "tools/input/mesh.h"

/* The first bytes of a regular file, size at most; how many there are.  0 for what cannot be
 * read. */
size_t tree_in_begin(const char *path, void *to, size_t size);

/* Whether path names a tree file; nothing is read of what is no regular file. */
bool tree_in_is(const char *path);

/* Opens it: in->bvh is the tree, in->mesh its triangles, three vertices for each.  trusted: without
 * proof.  EXIT_DONE, or the status of a reported error. */
int tree_in_open(mesh_in *in, const char *path, bool trusted);

/* The same with the bytes of one that came from stdin. */
int tree_in_open_stdin(mesh_in *in, const void *bytes, size_t size, bool trusted);

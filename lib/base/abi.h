/* abi.h: structs that grow from version to version, between a caller compiled against one header
 * and a library compiled against another (docs/abi.md). */
#ifndef SLI_BASE_ABI_H
#define SLI_BASE_ABI_H

#include <sightline/base.h>

/* Bytes of a struct up to the end of a field: what it had when that field was its last one. */
#define SLI_END_OF(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Takes a def from a caller.  *out holds the defaults and is size bytes long; those bytes that the
 * caller's header knew replace them.  Only def->size is read of a def that is shorter than least
 * (the first released version) or longer than size (a newer header than this library):
 * SL_INVALID_ARGUMENT.  A def of NULL is the defaults.  type is its name, as "sl_mesh_def". */
sl_result sli_def_read(const char *type, const void *def, size_t least, size_t size, void *out,
                       sl_error *error);

/* Gives a struct of size bytes to a caller, whose header knows out_size bytes of it; what this
 * library does not know is zeroed. */
void sli_struct_write(void *out, size_t out_size, const void *from, size_t size);

#endif

/* file/none.c: file.h without files: every call is refused with a message. */
#include "lib/base/error.h"
#include "lib/base/file/file.h"

#if defined(SL_NO_FILES)

static sl_result no_files(const char *path, sl_error *error)
{
    return sli_fail_file(error, SL_UNSUPPORTED, path, "this build has no files; use memory");
}

sl_result sli_file_read(const char *path, size_t max_bytes, const sl_allocator *allocator,
                        sli_file *out, sl_error *error)
{
    (void)max_bytes, (void)allocator;
    *out = (sli_file){ 0 };
    return no_files(path, error);
}

sl_result sli_file_map(const char *path, const sl_allocator *allocator, sli_file *out,
                       sl_error *error)
{
    return sli_file_read(path, 0, allocator, out, error);
}

sl_result sli_file_read_below(const char *beside, const char *name, size_t max_bytes,
                              sli_file_allow_fn *allow, void *context,
                              const sl_allocator *allocator, sli_file *out, sl_error *error)
{
    (void)max_bytes, (void)allow, (void)context, (void)allocator;
    *out = (sli_file){ 0 };
    return sli_fail_file(error, SL_UNSUPPORTED, beside,
                         "this build has no files, so that '%.100s' cannot be read", name);
}

void sli_file_close(sli_file *file)
{
    *file = (sli_file){ 0 };
}

void sli_file_put(sli_file_out *out, const void *bytes, size_t size)
{
    (void)out, (void)bytes, (void)size;
}

sl_result sli_file_write_by(const char *path, sli_file_fill_fn *fill, const void *context,
                            sl_error *error)
{
    (void)fill, (void)context;
    return no_files(path, error);
}

#endif

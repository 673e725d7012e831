/* file/below.c: reading a file that a hostile one names, in its own folder or below and nowhere
 * else. Each folder is opened within the one before, and no name may be a symbolic link, so that
 * there is nothing to outwit by renaming meanwhile.  Opening does not wait: a pipe without a writer
 * is found to be none of ours at once. */
#include "lib/base/error.h"
#include "lib/base/file/read.h"
#include "lib/base/memory.h"

#if !defined(SL_NO_FILES) && !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { NAME_ROOM = 256 };

/* Where to look, and the words for what is found there. */
typedef struct search {
    const char *beside, *name;
    sl_error *error;
} search;

static sl_result below_refuse(const search *what, const char *words)
{
    return sli_fail_file(what->error, SL_UNSUPPORTED, what->beside,
                         "the file '%.100s' that it names %s", what->name, words);
}

static sl_result fail_open(const search *what, int number)
{
    if (number == ELOOP) {
        return below_refuse(what, "is, or lies behind, a symbolic link; put the file itself there");
    }
    if (number == ENOENT || number == ENOTDIR) {
        return sli_fail_file(what->error, SL_NOT_FOUND, what->beside,
                             "the file '%.100s' that it names is not there", what->name);
    }
    return sli_file_fail(what->error, what->beside, "open a file that it names", number);
}

static int open_at(int folder, const char *name, int flags)
{
    int descriptor, tries = 0;
    do {
        descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
    } while (descriptor < 0 && errno == EINTR && ++tries < SLI_INTERRUPTIONS_MAX);
    return descriptor;
}

/* The folder that a file stands in. */
static int open_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    const size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return open_at(AT_FDCWD, length == 0 ? "." : folder, O_DIRECTORY);
}

/* One of the names between slashes, the first one of *rest; NULL where it may not be followed. */
static const char *next_name(const char **rest, char name[NAME_ROOM])
{
    const char *slash = strchr(*rest, '/');
    const size_t length = slash != NULL ? (size_t)(slash - *rest) : strlen(*rest);
    if (length == 0 || length >= NAME_ROOM) {
        return NULL;
    }
    memcpy(name, *rest, length);
    name[length] = '\0';
    *rest = slash != NULL ? slash + 1 : NULL;
    return strcmp(name, "..") != 0 ? name : NULL;
}

static sl_result open_below(const search *what, int *descriptor)
{
    const char *rest = what->name;
    *descriptor = open_folder_of(what->beside);
    if (*descriptor < 0) {
        return fail_open(what, errno);
    }
    while (rest != NULL) {
        char name[NAME_ROOM];
        const int folder = *descriptor;
        if (next_name(&rest, name) == NULL) {
            close(folder);
            return below_refuse(what, "is not in its folder or below; put it there");
        }
        *descriptor = open_at(folder, name, O_NOFOLLOW | (rest != NULL ? O_DIRECTORY : O_NONBLOCK));
        int number = errno;
        struct stat about;
        /* With O_DIRECTORY a link is told to be no folder. */
        if (*descriptor < 0 && number == ENOTDIR &&
            fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode)) {
            number = ELOOP;
        }
        close(folder);
        if (*descriptor < 0) {
            return fail_open(what, number);
        }
    }
    return SL_OK;
}

sl_result sli_file_read_below(const char *beside, const char *name, size_t max_bytes,
                              sli_file_allow_fn *allow, void *context,
                              const sl_allocator *allocator, sli_file *out, sl_error *error)
{
    const search what = { .beside = beside, .name = name, .error = error };
    struct stat about;
    int descriptor;
    *out = (sli_file){ .allocator = sli_allocator(allocator) };
    SLI_TRY(open_below(&what, &descriptor));
    sl_result result;
    if (fstat(descriptor, &about) != 0) {
        result = sli_file_fail(error, beside, "read a file that it names", errno);
    } else if (!S_ISREG(about.st_mode)) {
        result = below_refuse(&what, "is no regular file");
    } else if (about.st_size < 0 || (uint64_t)about.st_size > max_bytes) {
        result =
            sli_fail_file(error, SL_TOO_LARGE, beside,
                          "the file '%.100s' that it names is larger than the limit of %zu bytes",
                          name, max_bytes);
    } else if (!allow(context, (size_t)about.st_size)) {
        result = SL_TOO_LARGE;
    } else {
        result = sli_file_read_open(descriptor, &about, beside, max_bytes, out, error);
    }
    close(descriptor);
    return result;
}

#endif

/* file/posix.c: file.h on POSIX systems: reads, maps, and writes to a temporary name that replaces
 * the file once it is complete; for mesh files, tree files and pictures. */

#include "lib/base/error.h"
#include "lib/base/file/read.h"
#include "lib/base/memory.h"

#if !defined(SL_NO_FILES) && !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_READ = 64 * 1024,    /* space to begin with where the size is not known */
    TRANSFER_MAX = 1 << 30,    /* some systems refuse to move more than 2 GiB in one call */
    PATH_CAPACITY = 4096,      /* PATH_MAX of Linux, which not every system defines */
    LINKS_MAX = 40,            /* as the kernel does, then ELOOP */
    TEMPORARY_NAMES_MAX = 1000 /* left by others, or used by other threads right now */
};

/* The descriptor that a path like "/dev/stdin" or "/dev/fd/3" stands for, else -1.  Opening the
 * name again would start at the file's beginning, and is refused for sockets. */
static int descriptor_in_name(const char *path)
{
    static const char *const standard[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
    for (int i = 0; i < 3; i++) {
        if (strcmp(path, standard[i]) == 0) {
            return i;
        }
    }
    static const char folder[] = "/dev/fd/";
    if (strncmp(path, folder, sizeof folder - 1) != 0) {
        return -1;
    }
    int number = 0;
    const char *digit = path + sizeof folder - 1;
    for (; *digit >= '0' && *digit <= '9' && number < INT_MAX / 10 - 1; digit++) {
        number = number * 10 + (*digit - '0');
    }
    return *digit == '\0' && digit[-1] != '/' ? number : -1;
}

static int open_retrying(const char *path, int flags, mode_t mode)
{
    const int named = descriptor_in_name(path);
    if (named >= 0) {
        return fcntl(named, F_DUPFD_CLOEXEC, 0);
    }
    int descriptor, tries = 0;
    do {
        descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    } while (descriptor < 0 && errno == EINTR && ++tries < SLI_INTERRUPTIONS_MAX);
    return descriptor;
}

/* After a call that moved nothing: true if it is worth another try.  *tries counts interruptions
 * since something was moved. */
static bool may_try_again(int descriptor, short event, int *tries)
{
    if (errno == EINTR) {
        return ++*tries < SLI_INTERRUPTIONS_MAX;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
        return false;
    }
    struct pollfd wait = { .fd = descriptor, .events = event };
    return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

/* Reads once; 0 at the end of the file, -1 with errno on failure. */
static ssize_t read_some(int descriptor, uint8_t *to, size_t space)
{
    ssize_t got;
    int tries = 0;
    do {
        got = read(descriptor, to, space < TRANSFER_MAX ? space : TRANSFER_MAX);
    } while (got < 0 && may_try_again(descriptor, POLLIN, &tries));
    return got;
}

static sl_result open_for_reading(const char *path, int *descriptor, struct stat *about,
                                  sl_error *error)
{
    *descriptor = open_retrying(path, O_RDONLY, 0);
    if (*descriptor < 0) {
        return sli_file_fail(error, path, "open the file", errno);
    }
    if (fstat(*descriptor, about) == 0) {
        if (!S_ISDIR(about->st_mode)) {
            return SL_OK;
        }
        errno = EISDIR;
    }
    const sl_result result = sli_file_fail(error, path, "read the file", errno);
    close(*descriptor);
    return result;
}

/* Reads to the end, whatever the size is said to be: it may grow, and /proc says 0. */
static sl_result read_all(int descriptor, const char *path, size_t expected, size_t max_bytes,
                          sli_file *file, sl_error *error)
{
    size_t size = 0;
    /* One byte more than expected, so that the end is seen without growing. */
    SLI_TRY(sli_had_memory(
        error, sli_grow_array(&file->allocator, &file->bytes, &file->capacity, expected + 1, 1)));
    for (;;) {
        SLI_TRY(sli_had_memory(
            error, sli_grow_array(&file->allocator, &file->bytes, &file->capacity, size + 1, 1)));
        const ssize_t got =
            read_some(descriptor, (uint8_t *)(uintptr_t)file->bytes + size, file->capacity - size);
        if (got < 0) {
            return sli_file_fail(error, path, "read the file", errno);
        }
        if (got == 0) {
            file->size = size;
            return SL_OK;
        }
        size += (size_t)got;
        if (max_bytes > 0 && size > max_bytes) {
            return sli_file_too_large(error, path, max_bytes);
        }
    }
}

sl_result sli_file_read_open(int descriptor, const struct stat *about, const char *path,
                             size_t max_bytes, sli_file *file, sl_error *error)
{
    uint64_t expected = FIRST_READ;
    if (S_ISREG(about->st_mode) && about->st_size > 0) {
        expected = (uint64_t)about->st_size;
        if (max_bytes > 0 && expected > max_bytes) {
            return sli_file_too_large(error, path, max_bytes);
        }
        if (expected >= SIZE_MAX) {
            return sli_fail_memory(error);
        }
    }
    const sl_result result = read_all(descriptor, path, (size_t)expected, max_bytes, file, error);
    if (result != SL_OK) {
        sli_file_close(file);
    }
    return result;
}

sl_result sli_file_read(const char *path, size_t max_bytes, const sl_allocator *allocator,
                        sli_file *out, sl_error *error)
{
    int descriptor;
    struct stat about;
    *out = (sli_file){ .allocator = sli_allocator(allocator) };
    sl_result result = open_for_reading(path, &descriptor, &about, error);
    if (result == SL_OK) {
        result = sli_file_read_open(descriptor, &about, path, max_bytes, out, error);
        close(descriptor);
    }
    return result;
}

sl_result sli_file_map(const char *path, const sl_allocator *allocator, sli_file *out,
                       sl_error *error)
{
    int descriptor;
    struct stat about;
    *out = (sli_file){ .allocator = sli_allocator(allocator) };
    SLI_TRY(open_for_reading(path, &descriptor, &about, error));
    sl_result result = SL_OK;
    void *bytes = MAP_FAILED;
    if (S_ISREG(about.st_mode) && about.st_size > 0 && (uint64_t)about.st_size <= SIZE_MAX &&
        descriptor_in_name(path) < 0) {
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    if (bytes != MAP_FAILED) {
        out->bytes = bytes;
        out->size = (size_t)about.st_size;
        out->mapped = true;
    } else {
        result = sli_file_read_open(descriptor, &about, path, 0, out, error);
    }
    close(descriptor);
    return result;
}

void sli_file_close(sli_file *file)
{
    if (file->mapped) {
        munmap((void *)(uintptr_t)file->bytes, file->size);
    } else {
        sli_free_array(&file->allocator, (void *)(uintptr_t)file->bytes, file->capacity, 1);
    }
    *file = (sli_file){ 0 };
}

/* ---- writing ----------------------------------------------------------------------------------
 */

typedef struct content {
    sli_file_fill_fn *fill;
    const void *context;
} content;

/* 0, or the system's error number. */
static int write_piece(int descriptor, const uint8_t *bytes, size_t size)
{
    int tries = 0;
    while (size > 0) {
        const ssize_t done = write(descriptor, bytes, size < TRANSFER_MAX ? size : TRANSFER_MAX);
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
            tries = 0;
        } else if (done == 0) {
            return ENOSPC;
        } else if (!may_try_again(descriptor, POLLOUT, &tries)) {
            return errno;
        }
    }
    return 0;
}

void sli_file_put(sli_file_out *out, const void *bytes, size_t size)
{
    if (out->failure == 0) {
        out->failure = write_piece(out->descriptor, bytes, size);
    }
}

/* Writes everything and closes the descriptor in any case; 0, or the system's error number. */
static int write_and_close(int descriptor, const content *all)
{
    sli_file_out out = { descriptor, 0 };
    all->fill(all->context, &out);
    /* Some file systems tell only now.  After EINTR the descriptor is gone, and all was written. */
    if (close(descriptor) != 0 && errno != EINTR && out.failure == 0) {
        out.failure = errno;
    }
    return out.failure;
}

static sl_result write_directly(const char *path, const content *all, sl_error *error)
{
    const int descriptor = open_retrying(path, O_WRONLY, 0);
    const int failure = descriptor < 0 ? errno : write_and_close(descriptor, all);
    return failure == 0 ? SL_OK : sli_file_fail(error, path, "write the file", failure);
}

/* The length of the folder in front of the last name, its '/' included. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Replaces path by what it links to, for as long as it is a symbolic link, even one to nowhere. */
static int follow_links(char path[PATH_CAPACITY])
{
    for (int hop = 0; hop < LINKS_MAX; hop++) {
        char target[PATH_CAPACITY];
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) {
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        }
        target[length] = '\0';
        const size_t folder = target[0] == '/' ? 0 : folder_length(path);
        if (folder + (size_t)length >= PATH_CAPACITY) {
            return ENAMETOOLONG;
        }
        memcpy(path + folder, target, (size_t)length + 1);
    }
    return ELOOP;
}

/* Creates a file beside path under a name that is not in use, and writes that name to temporary. */
static int create_temporary(const char *path, char temporary[PATH_CAPACITY])
{
    const int folder = (int)folder_length(path);
    for (int i = 0; i < TEMPORARY_NAMES_MAX; i++) {
        const int length = snprintf(temporary, PATH_CAPACITY, "%.*s.sightline-%ld-%d.tmp", folder,
                                    path, (long)getpid(), i);
        if (length >= PATH_CAPACITY) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int descriptor = open_retrying(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

/* Only root may keep another owner, but a member of the group may keep the group; failing that, the
 * group's rights must not go to another group. */
static void keep_owner_and_mode(int descriptor, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    if (fchown(descriptor, old->st_uid, old->st_gid) != 0 &&
        fchown(descriptor, (uid_t)-1, old->st_gid) != 0) {
        mode &= ~(mode_t)S_IRWXG;
    }
    fchmod(descriptor, mode);
}

/* Writes a file that is regular, or is not there yet.  old: what is there, or NULL. */
static sl_result write_by_renaming(const char *path, const struct stat *old, const content *all,
                                   sl_error *error)
{
    char target[PATH_CAPACITY], temporary[PATH_CAPACITY];
    if (snprintf(target, sizeof target, "%s", path) >= PATH_CAPACITY) {
        return sli_file_fail(error, path, "write the file", ENAMETOOLONG);
    }
    const int unfollowed = follow_links(target);
    if (unfollowed != 0) {
        return sli_file_fail(error, path, "write the file", unfollowed);
    }
    /* Renaming asks only the folder; a file that is write-protected should stay so. */
    if (old != NULL && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) {
        return sli_file_fail(error, path, "write the file", errno);
    }
    const int descriptor = create_temporary(target, temporary);
    if (descriptor < 0) {
        return sli_file_fail(error, path, "create a temporary file in its folder", errno);
    }
    if (old != NULL) {
        keep_owner_and_mode(descriptor, old);
    }
    int failure = write_and_close(descriptor, all);
    if (failure == 0 && rename(temporary, target) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        unlink(temporary);
        return sli_file_fail(error, path, "write the file", failure);
    }
    return SL_OK;
}

sl_result sli_file_write_by(const char *path, sli_file_fill_fn *fill, const void *context,
                            sl_error *error)
{
    const content all = { fill, context };
    struct stat old;
    if (descriptor_in_name(path) >= 0) {
        return write_directly(path, &all, error);
    }
    if (stat(path, &old) != 0) {
        if (errno != ENOENT || path[0] == '\0') {
            return sli_file_fail(error, path, "write the file", errno);
        }
        return write_by_renaming(path, NULL, &all, error);
    }
    if (S_ISDIR(old.st_mode)) {
        return sli_file_fail(error, path, "write the file", EISDIR);
    }
    return S_ISREG(old.st_mode) ? write_by_renaming(path, &old, &all, error)
                                : write_directly(path, &all, error);
}

#endif

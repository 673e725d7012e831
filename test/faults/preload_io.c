/* preload_io.c: calls of the system that fail, for a program that is started with this
 * (LD_PRELOAD): SIGHTLINE_IO_FAULT="17" makes call 17 fail, counted from 0 over the calls below,
 * with EIO.  A byte goes to descriptor 9 in the end where one did.  (Writes fail by limits on the
 * size of files, which the C library sees as well: cli/disk_full.sh.) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* The program is to find these. */
#pragma GCC visibility push(default)

static long fails_at = -1, calls;
static int failed;

static void __attribute__((constructor)) begin(void)
{
    const char *fault = getenv("SIGHTLINE_IO_FAULT");
    fails_at = fault != NULL ? strtol(fault, NULL, 10) : -1;
}

static void __attribute__((destructor)) end(void)
{
    if (failed && write(9, "", 1) < 0) {
        _exit(99);
    }
}

static int fails(void)
{
    if (calls++ != fails_at) {
        return 0;
    }
    failed = 1;
    errno = EIO;
    return 1;
}

/* The function of this name behind ours; POSIX says that such a pointer can be converted. */
#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    if (next == NULL) {                                                                            \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                 \
    }

FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen)
    return fails() ? NULL : next(path, mode);
}

FILE *fdopen(int descriptor, const char *mode)
{
    NEXT(fdopen)
    return fails() ? NULL : next(descriptor, mode);
}

FILE *open_memstream(char **bytes, size_t *size)
{
    NEXT(open_memstream)
    return fails() ? NULL : next(bytes, size);
}

int open(const char *path, int flags, ...)
{
    NEXT(open)
    va_list rest;
    va_start(rest, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
    va_end(rest);
    return fails() ? -1 : next(path, flags, mode);
}

int fsync(int descriptor)
{
    NEXT(fsync)
    return fails() ? -1 : next(descriptor);
}

int ftruncate(int descriptor, off_t size)
{
    NEXT(ftruncate)
    return fails() ? -1 : next(descriptor, size);
}

int fseeko(FILE *stream, off_t at, int whence)
{
    NEXT(fseeko)
    return fails() ? -1 : next(stream, at, whence);
}

int rename(const char *from, const char *to)
{
    NEXT(rename)
    return fails() ? -1 : next(from, to);
}

int mkstemp(char *name)
{
    NEXT(mkstemp)
    return fails() ? -1 : next(name);
}

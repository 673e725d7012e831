#include "test/support/environment/failing_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;        /* of the system, since the count was reset */
static int fail_call;    /* the number of the call that fails, from 1; 0: none */
static int fail_with;    /* the error number it fails with */
static bool fail_on;     /* and so do all that follow */
static size_t bytes_max; /* bytes that one read or write moves; 0: any number */
static bool interrupt;   /* every second call that may be interrupted is */
static bool interrupt_always;

void system_fails(int call, int number)
{
    calls = 0;
    fail_call = call;
    fail_with = number;
    fail_on = false;
}

void system_fails_from(int call, int number)
{
    system_fails(call, number);
    fail_on = true;
}

int system_calls(void)
{
    return calls;
}

void system_moves_at_most(size_t size)
{
    bytes_max = size;
}

void system_interrupts(bool yes)
{
    interrupt = yes;
}

void system_interrupts_always(bool yes)
{
    interrupt_always = yes;
}

static bool fails(void)
{
    calls++;
    if (calls == fail_call || (fail_on && fail_call > 0 && calls > fail_call)) {
        errno = fail_with;
        return true;
    }
    return false;
}

static bool interrupted(void)
{
    static bool now;
    now = !now;
    if (interrupt_always || (interrupt && now)) {
        errno = EINTR;
        return true;
    }
    return false;
}

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode)
{
    return interrupted() || fails() ? -1 : __real_open(path, flags, mode);
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...)
{
    return interrupted() || fails() ? -1 : __real_openat(folder, path, flags);
}

/* Of its commands those without an argument, or with a number. */
int __real_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    const int argument = va_arg(arguments, int);
    va_end(arguments);
    return fails() ? -1 : __real_fcntl(descriptor, command, argument);
}

ssize_t __real_read(int descriptor, void *to, size_t size);
ssize_t __wrap_read(int descriptor, void *to, size_t size);
ssize_t __wrap_read(int descriptor, void *to, size_t size)
{
    const size_t room = bytes_max > 0 && size > bytes_max ? bytes_max : size;
    return interrupted() || fails() ? -1 : __real_read(descriptor, to, room);
}

ssize_t __real_write(int descriptor, const void *from, size_t size);
ssize_t __wrap_write(int descriptor, const void *from, size_t size);
ssize_t __wrap_write(int descriptor, const void *from, size_t size)
{
    const size_t part = bytes_max > 0 && size > bytes_max ? bytes_max : size;
    return interrupted() || fails() ? -1 : __real_write(descriptor, from, part);
}

/* Closes in any case, as Linux does. */
int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __wrap_close(int descriptor)
{
    const int result = __real_close(descriptor);
    return interrupted() || fails() ? -1 : result;
}

#define WRAP(name, parameters, arguments)                                                          \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        return fails() ? -1 : __real_##name arguments;                                             \
    }
WRAP(stat, (const char *path, struct stat *about), (path, about))
WRAP(fstat, (int descriptor, struct stat *about), (descriptor, about))
WRAP(fstatat, (int folder, const char *path, struct stat *about, int flags),
     (folder, path, about, flags))
WRAP(fchown, (int descriptor, uid_t owner, gid_t group), (descriptor, owner, group))
WRAP(fchmod, (int descriptor, mode_t mode), (descriptor, mode))
WRAP(faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags))
WRAP(rename, (const char *from, const char *to), (from, to))

ssize_t __real_readlink(const char *path, char *to, size_t room);
ssize_t __wrap_readlink(const char *path, char *to, size_t room);
ssize_t __wrap_readlink(const char *path, char *to, size_t room)
{
    return fails() ? -1 : __real_readlink(path, to, room);
}

void *__real_mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t from);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t from);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t from)
{
    return fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, descriptor, from);
}

int system_leave(void **state)
{
    system_fails(0, 0);
    bytes_max = 0;
    interrupt = false;
    return folder_leave(state);
}

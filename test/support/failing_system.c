#include "test/support/failing_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;      /* of the system, since the count was reset */
static int fail_call;  /* which of them fails, from 1; 0: none */
static int fail_with;  /* the error number it fails with */
static size_t most;    /* bytes that one read or write moves; 0: any number */
static bool interrupt; /* every other call that may be interrupted is */

void system_fails(int call, int number)
{
    calls = 0;
    fail_call = call;
    fail_with = number;
}

int system_calls(void)
{
    return calls;
}

void system_moves_at_most(size_t size)
{
    most = size;
}

void system_interrupts(bool yes)
{
    interrupt = yes;
}

static bool fails(void)
{
    if (++calls == fail_call) {
        errno = fail_with;
        return true;
    }
    return false;
}

static bool interrupted(void)
{
    static bool now;
    now = !now;
    if (interrupt && now) {
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

ssize_t __real_read(int descriptor, void *to, size_t size);
ssize_t __wrap_read(int descriptor, void *to, size_t size);
ssize_t __wrap_read(int descriptor, void *to, size_t size)
{
    const size_t room = most > 0 && size > most ? most : size;
    return interrupted() || fails() ? -1 : __real_read(descriptor, to, room);
}

ssize_t __real_write(int descriptor, const void *from, size_t size);
ssize_t __wrap_write(int descriptor, const void *from, size_t size);
ssize_t __wrap_write(int descriptor, const void *from, size_t size)
{
    const size_t part = most > 0 && size > most ? most : size;
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

static char folder[] = "/tmp/sightline-test-XXXXXX";

const char *in_folder(const char *name)
{
    static char paths[4][300];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

int folder_enter(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

int files_in_folder(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    struct dirent *entry;
    while ((entry = readdir(all)) != NULL) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(all);
    return count;
}

int folder_leave(void **state)
{
    (void)state;
    system_fails(0, 0);
    most = 0;
    interrupt = false;
    char command[300];
    snprintf(command, sizeof command, "chmod -R u+w '%s' && rm -rf '%s'", folder, folder);
    return system(command) == 0 ? 0 : -1;
}

void put(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

bool holds(const char *path, const void *bytes, size_t size)
{
    static char found[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const size_t got = fread(found, 1, sizeof found, file);
    fclose(file);
    return got == size && memcmp(found, bytes, size) == 0;
}

int open_descriptors(void)
{
    int count = 0;
    for (int i = 0; i < 256; i++) {
        count += fcntl(i, F_GETFD) != -1;
    }
    return count;
}

const uint8_t *long_text(size_t *size)
{
    static uint8_t text[100000];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (uint8_t)(i * i >> 7);
    }
    *size = sizeof text;
    return text;
}

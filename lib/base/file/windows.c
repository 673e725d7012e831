/* file/windows.c: file.h on Windows.  Names are those that the C library's own fopen takes: bytes
 * in the code page of the process.  A file is mapped by CreateFileMapping and replaced by
 * MoveFileEx, which leaves the old one or the new one, whatever happens. */
#include "lib/base/error.h"
#include "lib/base/file/read.h"
#include "lib/base/memory.h"

#if defined(_WIN32) && !defined(SL_NO_FILES)

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

enum {
    FIRST_READ = 64 * 1024,     /* space to begin with where the size is not known */
    TRANSFER_MAX = 1 << 30,     /* _read and _write take an unsigned, and return an int */
    PATH_CAPACITY = 4096,       /* more than the system takes without a prefix */
    TEMPORARY_NAMES_MAX = 1000, /* left by others, or used by other threads right now */
    NEW_FILE = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT
};

static bool is_folder(const char *path)
{
    const DWORD kind = GetFileAttributesA(path);
    return kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/* The size of a regular file, FIRST_READ for what has none. */
static uint64_t expected_size(int descriptor)
{
    LARGE_INTEGER size;
    const HANDLE handle = (HANDLE)_get_osfhandle(descriptor);
    const bool known = GetFileType(handle) == FILE_TYPE_DISK && GetFileSizeEx(handle, &size);
    return known && size.QuadPart > 0 ? (uint64_t)size.QuadPart : FIRST_READ;
}

/* Reads to the end, whatever the size is said to be. */
static sl_result read_all(int descriptor, const char *path, size_t max_bytes, sli_file *file,
                          sl_error *error)
{
    size_t size = 0;
    uint64_t space = expected_size(descriptor);
    if (max_bytes > 0 && space > max_bytes && space != FIRST_READ) {
        return sli_file_too_large(error, path, max_bytes);
    }
    for (;;) {
        const size_t needed = size < space ? (size_t)space + 1 : size + 1;
        SLI_TRY(sli_had_memory(
            error, sli_grow_array(&file->allocator, &file->bytes, &file->capacity, needed, 1)));
        const size_t left = file->capacity - size;
        const int got = _read(descriptor, (uint8_t *)(uintptr_t)file->bytes + size,
                              (unsigned)(left < TRANSFER_MAX ? left : TRANSFER_MAX));
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

static sl_result open_for_reading(const char *path, int *descriptor, sl_error *error)
{
    *descriptor = _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    if (*descriptor < 0) {
        const bool folder = errno == EACCES && is_folder(path);
        return folder ? sli_file_fail(error, path, "read the file", EISDIR)
                      : sli_file_fail(error, path, "open the file", errno);
    }
    return SL_OK;
}

sl_result sli_file_read(const char *path, size_t max_bytes, const sl_allocator *allocator,
                        sli_file *out, sl_error *error)
{
    int descriptor;
    *out = (sli_file){ .allocator = sli_allocator(allocator) };
    sl_result result = open_for_reading(path, &descriptor, error);
    if (result == SL_OK) {
        result = read_all(descriptor, path, max_bytes, out, error);
        _close(descriptor);
    }
    if (result != SL_OK) {
        sli_file_close(out);
    }
    return result;
}

/* NULL where it cannot be mapped. */
static void *map_open(int descriptor, size_t *size)
{
    LARGE_INTEGER length;
    const HANDLE handle = (HANDLE)_get_osfhandle(descriptor);
    if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileSizeEx(handle, &length) ||
        length.QuadPart <= 0 || (uint64_t)length.QuadPart > SIZE_MAX) {
        return NULL;
    }
    const HANDLE mapping = CreateFileMappingA(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    if (mapping == NULL) {
        return NULL;
    }
    *size = (size_t)length.QuadPart;
    void *bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    CloseHandle(mapping); /* the view keeps it */
    return bytes;
}

sl_result sli_file_map(const char *path, const sl_allocator *allocator, sli_file *out,
                       sl_error *error)
{
    int descriptor;
    *out = (sli_file){ .allocator = sli_allocator(allocator) };
    sl_result result = open_for_reading(path, &descriptor, error);
    if (result != SL_OK) {
        return result;
    }
    out->bytes = map_open(descriptor, &out->size);
    out->mapped = out->bytes != NULL;
    if (!out->mapped) {
        result = read_all(descriptor, path, 0, out, error);
    }
    _close(descriptor);
    if (result != SL_OK) {
        sli_file_close(out);
    }
    return result;
}

void sli_file_close(sli_file *file)
{
    if (file->mapped) {
        UnmapViewOfFile(file->bytes);
    } else {
        sli_free_array(&file->allocator, (void *)(uintptr_t)file->bytes, file->capacity, 1);
    }
    *file = (sli_file){ 0 };
}

/* 0, or the number of an error. */
static int write_piece(int descriptor, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const int done =
            _write(descriptor, bytes, (unsigned)(size < TRANSFER_MAX ? size : TRANSFER_MAX));
        if (done <= 0) {
            return done == 0 ? ENOSPC : errno;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return 0;
}

void sli_file_put(sli_file_out *out, const void *bytes, size_t size)
{
    if (out->failure == 0) {
        out->failure = write_piece(out->descriptor, bytes, size);
    }
}

/* Writes everything and closes the descriptor in any case; 0, or the number of an error. */
static int write_and_close(int descriptor, sli_file_fill_fn *fill, const void *context)
{
    sli_file_out out = { descriptor, 0 };
    fill(context, &out);
    if (_close(descriptor) != 0 && out.failure == 0) {
        out.failure = errno;
    }
    return out.failure;
}

/* The length of the folder in front of the last name, its separator included. */
static size_t folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && strchr("/\\:", path[length - 1]) == NULL) {
        length--;
    }
    return length;
}

/* Creates a file beside path under a name that is not in use, and writes that name to temporary. */
static int create_temporary(const char *path, char temporary[PATH_CAPACITY])
{
    const int folder = (int)folder_length(path);
    for (int i = 0; i < TEMPORARY_NAMES_MAX; i++) {
        const int length = snprintf(temporary, PATH_CAPACITY, "%.*s.sightline-%lu-%d.tmp", folder,
                                    path, GetCurrentProcessId(), i);
        if (length >= PATH_CAPACITY) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int descriptor = _open(temporary, NEW_FILE, _S_IREAD | _S_IWRITE);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

static bool windows_replace(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}

/* A device, such as NUL, is written directly. */
static bool is_device(const char *path)
{
    const HANDLE handle = CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                      OPEN_EXISTING, 0, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        return false;
    }
    const bool device = GetFileType(handle) != FILE_TYPE_DISK;
    CloseHandle(handle);
    return device;
}

sl_result sli_file_write_by(const char *path, sli_file_fill_fn *fill, const void *context,
                            sl_error *error)
{
    char temporary[PATH_CAPACITY];
    const bool direct = is_device(path);
    const DWORD old = GetFileAttributesA(path);
    const bool protected = old != INVALID_FILE_ATTRIBUTES && (old & FILE_ATTRIBUTE_READONLY) != 0;
    if (path[0] == '\0' || protected || is_folder(path)) {
        return sli_file_fail(error, path, "write the file",
                             protected ? EACCES
                             : path[0] ? EISDIR
                                       : ENOENT);
    }
    const int descriptor = direct ? _open(path, _O_WRONLY | _O_BINARY | _O_NOINHERIT)
                                  : create_temporary(path, temporary);
    if (descriptor < 0) {
        return sli_file_fail(
            error, path, direct ? "open the file" : "create a temporary file in its folder", errno);
    }
    int failure = write_and_close(descriptor, fill, context);
    if (failure == 0 && !direct && !windows_replace(temporary, path)) {
        failure = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
    }
    if (failure == 0) {
        return SL_OK;
    }
    if (!direct) {
        DeleteFileA(temporary);
    }
    return sli_file_fail(error, path, "write the file", failure);
}

/* ---- files that a hostile one names -------------------------------------------------------------
 */

static sl_result windows_refuse(const char *beside, const char *name, const char *words,
                                sl_error *error)
{
    return sli_fail_file(error, SL_UNSUPPORTED, beside, "the file '%.100s' that it names %s", name,
                         words);
}

/* No drive, stream or backslash, no empty part, no part of dots and spaces only, which Windows
 * takes for others. */
static bool is_below(const char *name)
{
    if (strpbrk(name, "\\:*?\"<>|") != NULL) {
        return false;
    }
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += part != name; /* the slash */
        const size_t length = strcspn(part, "/");
        if (length == 0 || strchr(". ", part[length - 1]) != NULL) {
            return false;
        }
    }
    return true;
}

/* Whether any part of the path behind the first kept characters is a link or a mount point. */
static bool goes_through_link(char *path, size_t kept)
{
    bool link = false;
    for (size_t end = kept; !link && path[end] != '\0';) {
        end += strcspn(path + end, "/");
        const char was = path[end];
        path[end] = '\0';
        const DWORD kind = GetFileAttributesA(path);
        path[end] = was;
        link = kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
        end += was != '\0';
    }
    return link;
}

sl_result sli_file_read_below(const char *beside, const char *name, size_t max_bytes,
                              sli_file_allow_fn *allow, void *context,
                              const sl_allocator *allocator, sli_file *out, sl_error *error)
{
    char path[PATH_CAPACITY];
    int descriptor;
    *out = (sli_file){ .allocator = sli_allocator(allocator) };
    const size_t folder = folder_length(beside);
    if (!is_below(name)) {
        return windows_refuse(beside, name, "is not in its folder or below; put it there", error);
    }
    if (snprintf(path, sizeof path, "%.*s%s", (int)folder, beside, name) >= PATH_CAPACITY) {
        return sli_file_fail(error, beside, "open a file that it names", ENAMETOOLONG);
    }
    if (goes_through_link(path, folder)) {
        return windows_refuse(
            beside, name, "is, or lies behind, a symbolic link; put the file itself there", error);
    }
    descriptor = _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0) {
        return errno == ENOENT ? sli_fail_file(error, SL_NOT_FOUND, beside,
                                               "the file '%.100s' that it names is not there", name)
                               : sli_file_fail(error, beside, "open a file that it names", errno);
    }
    const uint64_t size = expected_size(descriptor);
    sl_result result = SL_OK;
    if (GetFileType((HANDLE)_get_osfhandle(descriptor)) != FILE_TYPE_DISK) {
        result = windows_refuse(beside, name, "is no regular file", error);
    } else if (size > max_bytes && size != FIRST_READ) {
        result =
            sli_fail_file(error, SL_TOO_LARGE, beside,
                          "the file '%.100s' that it names is larger than the limit of %zu bytes",
                          name, max_bytes);
    } else if (!allow(context, (size_t)size)) {
        result = SL_TOO_LARGE;
    } else {
        result = read_all(descriptor, beside, max_bytes, out, error);
    }
    _close(descriptor);
    if (result != SL_OK) {
        sli_file_close(out);
    }
    return result;
}

#endif

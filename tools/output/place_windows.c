/* output/place_windows.c: files, pipes and console events of Windows, for output/file.c. */
#include "tools/output/place.h"

#if defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

enum { TEMPORARIES_MAX = 100 /* names tried; those of our own number that others have left */ };

/* The temporary files of this process, for the console's handler; NULL: free. */
static const char *volatile unfinished[OUT_FILES_MAX];
static volatile int unfinished_descriptors[OUT_FILES_MAX];

/* Runs in a thread of its own, then the process ends; what is open cannot be removed. */
static BOOL WINAPI remove_unfinished(DWORD event)
{
    (void)event;
    for (int i = 0; i < OUT_FILES_MAX; i++) {
        const char *path = unfinished[i];
        if (path != NULL) {
            _close(unfinished_descriptors[i]);
            DeleteFileA(path);
        }
    }
    return FALSE;
}

void out_file_guard(void)
{
    /* Rows and pictures are the same bytes as elsewhere: no line ends of Windows' own. */
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        _setmode(descriptor, _O_BINARY);
    }
    SetConsoleCtrlHandler(remove_unfinished, TRUE);
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

/* A descriptor of a new file beside file->path, under a short name that is not in use; -1 with
 * errno on failure. */
static int open_temporary(out_file *file)
{
    const int folder = (int)folder_length(file->path);
    const size_t size = (size_t)folder + 64;
    char *name = malloc(size);
    int descriptor = -1;
    errno = name == NULL ? ENOMEM : EEXIST;
    for (int i = 0; i < TEMPORARIES_MAX && descriptor < 0 && errno == EEXIST; i++) {
        snprintf(name, size, "%.*s.sightline-%lu-%d.tmp", folder, file->path, GetCurrentProcessId(),
                 i);
        descriptor = _open(name, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                           _S_IREAD | _S_IWRITE);
    }
    if (descriptor < 0) {
        free(name);
        return -1;
    }
    file->temporary = name;
    int slot = 0;
    while (slot + 1 < OUT_FILES_MAX && unfinished[slot] != NULL) {
        slot++;
    }
    unfinished_descriptors[slot] = descriptor;
    unfinished[slot] = name;
    return descriptor;
}

/* A device, such as NUL, is written directly. */
int out_place_open(out_file *file, const char *path)
{
    struct stat status;
    file->path = strdup(path);
    if (file->path == NULL) {
        return -1;
    }
    if (stat(path, &status) != 0) {
        return errno == ENOENT ? open_temporary(file) : -1;
    }
    if (S_ISREG(status.st_mode)) {
        return access(path, W_OK) == 0 ? open_temporary(file) : -1;
    }
    return _open(path, _O_WRONLY | _O_BINARY | _O_NOINHERIT);
}

int out_place_replace(const out_file *file)
{
    const DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExA(file->temporary, file->path, how)) {
        return 0;
    }
    return GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
}

char *out_place_name(const char *path)
{
    return _fullpath(NULL, path, 0);
}

/* Here an interrupt runs beside the rest, and cannot wait for it. */
void out_place_hold(void)
{
}

void out_place_release(void)
{
}

void out_place_forget(const out_file *file)
{
    for (int i = 0; i < OUT_FILES_MAX; i++) {
        if (unfinished[i] == file->temporary) {
            unfinished[i] = NULL;
        }
    }
}

/* Who opens it second is refused by the way it is shared. */
FILE *out_place_keep(const char *path)
{
    const HANDLE handle = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL,
                                      OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = GetLastError() == ERROR_SHARING_VIOLATION ? EBUSY : EACCES;
        return NULL;
    }
    const int descriptor = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    return descriptor >= 0 ? _fdopen(descriptor, "r+b") : NULL;
}

int out_place_settle(FILE *stream)
{
    return fflush(stream) == 0 && _commit(_fileno(stream)) == 0 ? 0 : errno;
}

int out_place_cut(FILE *stream, uint64_t size)
{
    return _chsize_s(_fileno(stream), (__int64)size);
}

FILE *out_place_scratch(void)
{
    return tmpfile();
}

bool out_place_can_seek(FILE *stream)
{
    struct stat status;
    return fstat(_fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
}

/* Windows says EPIPE or, of a pipe that is closing, EINVAL. */
bool out_place_lost_reader(FILE *stream, int error)
{
    return (error == EPIPE || error == EINVAL) &&
           GetFileType((HANDLE)_get_osfhandle(_fileno(stream))) == FILE_TYPE_PIPE;
}

#endif

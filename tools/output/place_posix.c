/* output/place_posix.c: files, links, pipes and signals of POSIX, for output/file.c. */
#include "tools/output/place.h"

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LINKS_MAX = 40,       /* as the kernel does, then ELOOP */
    NAME_SIZE = 4096,     /* PATH_MAX of Linux */
    TEMPORARIES_MAX = 100 /* names tried; those of our own number that others have left */
};

/* The signals that end the command in an orderly way. */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
enum { ENDS = sizeof ends / sizeof ends[0] };

/* The temporary files of this process, for the signal handler; NULL: free. */
static const char *volatile unfinished[OUT_FILES_MAX];

/* Whether an interrupt waits, and the one that does; 0: none. */
static volatile sig_atomic_t held, waiting;

static void remove_unfinished(int number)
{
    if (held) {
        waiting = number;
        return;
    }
    for (int i = 0; i < OUT_FILES_MAX; i++) {
        const char *path = unfinished[i];
        if (path != NULL) {
            unlink(path);
        }
    }
    signal(number, SIG_DFL);
    raise(number);
}

void out_file_guard(void)
{
    /* A closed descriptor would be taken by the next file that is opened.  Opened the wrong way
     * round, so that reading from stdin or writing to stdout still fails. */
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            const int placed = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
            (void)placed;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    /* A signal that the caller has set to be ignored, as nohup does, stays ignored. */
    for (int i = 0; i < ENDS; i++) {
        struct sigaction old;
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            signal(ends[i], remove_unfinished);
        }
    }
}

/* The length of the folder in front of the last name, its '/' included. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* The name that a link leads to, even one to nowhere, so that the link stays one; NULL with errno
 * where there is none. */
static char *final_name(const char *path)
{
    char name[NAME_SIZE];
    char target[NAME_SIZE];
    size_t size = strlen(path);
    if (size >= sizeof name) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    memcpy(name, path, size + 1);
    for (int hop = 0; hop < LINKS_MAX; hop++) {
        const ssize_t length = readlink(name, target, sizeof target - 1);
        if (length < 0) {
            return strdup(name);
        }
        target[length] = '\0';
        const size_t folder = target[0] == '/' ? 0 : folder_length(name);
        size = (size_t)length;
        if (folder + size >= sizeof name) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        memcpy(name + folder, target, size + 1);
    }
    errno = ELOOP;
    return NULL;
}

/* Owner and permissions of the old file, as far as the system lets us set them; where the group
 * cannot be set, its permissions are dropped. */
static void keep_owner_and_mode(int descriptor, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    if (fchown(descriptor, old->st_uid, old->st_gid) != 0 &&
        fchown(descriptor, (uid_t)-1, old->st_gid) != 0) {
        mode &= ~(mode_t)S_IRWXG;
    }
    (void)fchmod(descriptor, mode);
}

static void place_posix_remember(const char *name)
{
    int i = 0;
    while (i + 1 < OUT_FILES_MAX && unfinished[i] != NULL) {
        i++;
    }
    unfinished[i] = name;
}

/* Creates the file and remembers its name, with no signal in between that would leave it there. */
static int create_remembered(const char *name)
{
    sigset_t set, before;
    sigemptyset(&set);
    for (int i = 0; i < ENDS; i++) {
        sigaddset(&set, ends[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &before);
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = errno;
    if (descriptor >= 0) {
        place_posix_remember(name);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

/* A descriptor of a new file beside file->path, under a short name that is not in use; -1 with
 * errno on failure.  old is what it will replace, or NULL. */
static int open_temporary(out_file *file, const struct stat *old)
{
    const int folder = (int)folder_length(file->path);
    const size_t size = (size_t)folder + 64;
    /* Renaming needs permission for the folder only; a write-protected file should stay. */
    if (old != NULL && faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) != 0) {
        return -1;
    }
    char *name = malloc(size);
    int descriptor = -1;
    errno = name == NULL ? ENOMEM : EEXIST;
    for (int i = 0; i < TEMPORARIES_MAX && descriptor < 0 && errno == EEXIST; i++) {
        snprintf(name, size, "%.*s.sightline-%ld-%d.tmp", folder, file->path, (long)getpid(), i);
        descriptor = create_remembered(name);
    }
    if (descriptor < 0) {
        free(name);
        return -1;
    }
    file->temporary = name;
    if (old != NULL) {
        keep_owner_and_mode(descriptor, old);
    }
    return descriptor;
}

int out_place_open(out_file *file, const char *path)
{
    struct stat status;
    file->path = final_name(path);
    if (file->path == NULL) {
        return -1;
    }
    if (stat(file->path, &status) != 0) {
        return errno == ENOENT ? open_temporary(file, NULL) : -1;
    }
    return S_ISREG(status.st_mode) ? open_temporary(file, &status)
                                   : open(file->path, O_WRONLY | O_CLOEXEC);
}

int out_place_replace(const out_file *file)
{
    return rename(file->temporary, file->path) == 0 ? 0 : errno;
}

char *out_place_name(const char *path)
{
    return strdup(path);
}

void out_place_hold(void)
{
    held = 1;
}

void out_place_release(void)
{
    held = 0;
    if (waiting != 0) {
        raise((int)waiting);
    }
}

void out_place_forget(const out_file *file)
{
    for (int i = 0; i < OUT_FILES_MAX; i++) {
        if (unfinished[i] == file->temporary) {
            unfinished[i] = NULL;
        }
    }
}

FILE *out_place_keep(const char *path)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return NULL;
    }
    /* Where the file system has no locks, two runs at a time are the user's to avoid. */
    if (fcntl(descriptor, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        close(descriptor);
        errno = EBUSY;
        return NULL;
    }
    FILE *stream = fdopen(descriptor, "r+b");
    if (stream == NULL) {
        const int error = errno;
        close(descriptor);
        errno = error;
    }
    return stream;
}

int out_place_settle(FILE *stream)
{
    if (fflush(stream) != 0) {
        return errno;
    }
    /* EINVAL: a file system that has nothing to settle. */
    return fsync(fileno(stream)) == 0 || errno == EINVAL ? 0 : errno;
}

int out_place_cut(FILE *stream, uint64_t size)
{
    return ftruncate(fileno(stream), (off_t)size) == 0 ? 0 : errno;
}

FILE *out_place_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    char name[NAME_SIZE];
    folder = folder != NULL && folder[0] != '\0' ? folder : "/tmp";
    if ((size_t)snprintf(name, sizeof name, "%s/sightline-XXXXXX", folder) >= sizeof name) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int descriptor = mkstemp(name);
    if (descriptor < 0) {
        return NULL;
    }
    unlink(name);
    FILE *stream = fdopen(descriptor, "w+b");
    if (stream == NULL) {
        const int error = errno;
        close(descriptor);
        errno = error;
    }
    return stream;
}

bool out_place_can_seek(FILE *stream)
{
    struct stat status;
    return fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
}

/* The stream may have failed long ago, so that the pipe is asked, too. */
bool out_place_lost_reader(FILE *stream, int error)
{
    struct pollfd pipe = { .fd = fileno(stream) };
    struct stat status;
    return error == EPIPE || (fstat(pipe.fd, &status) == 0 && S_ISFIFO(status.st_mode) &&
                              poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0);
}

#endif

/* input/ready.c: whether reading would wait, on POSIX and on Windows, for lines.c. */
#include "tools/input/lines.h"

#if defined(_WIN32)

#include <io.h>
#include <windows.h>

/* Files are ready; of pipes as much as is there; a console hands over one line at a time. */
bool input_ready(FILE *stream)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(stream));
    const DWORD type = GetFileType(handle);
    DWORD bytes = 0;
    if (type == FILE_TYPE_PIPE) {
        return !PeekNamedPipe(handle, NULL, 0, NULL, &bytes, NULL) || bytes > 0;
    }
    return type == FILE_TYPE_DISK;
}

#else

#include <poll.h>

bool input_ready(FILE *stream)
{
    struct pollfd input = { .fd = fileno(stream), .events = POLLIN };
    return poll(&input, 1, 0) != 0;
}

#endif

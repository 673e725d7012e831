/* output/terminal.c: terminal.h on POSIX and Windows, for output.c. */
#include "tools/output/terminal.h"

#include <limits.h>
#include <stdlib.h>

#if defined(_WIN32)

#include <io.h>
#include <windows.h>

static int ask_terminal(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(stream));
    return GetConsoleScreenBufferInfo(handle, &info) ? info.srWindow.Right - info.srWindow.Left + 1
                                                     : 0;
}

#else

#include <sys/ioctl.h>
#include <unistd.h>

static int ask_terminal(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

#endif

int terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    const int set = columns != NULL ? atoi(columns) : 0;
    const int width = set > 0 ? set : ask_terminal(stream);
    return width > 0 ? width : INT_MAX;
}

#include "tools/cli/lines.h"

#include "tools/cli/file_conflicts.h"
#include "tools/cli/report.h"
#include "tools/command.h"

#include <errno.h>
#include <string.h>

int lines_open(lines_in *in, const char *path, const char *what)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    *in = (lines_in){ .name = is_stdin ? "stdin" : path, .what = what };
    const int status = file_conflicts_read(path);
    if (status != EXIT_DONE) {
        return status;
    }
    in->stream = is_stdin ? stdin : fopen(path, "rb");
    if (in->stream != NULL) {
        return EXIT_DONE;
    }
    if (errno == ENOENT) {
        return report_input(path, 0, "no such file; check the name");
    }
    return report_failure(path, "cannot be read: %s; check the name and the permissions",
                          strerror(errno));
}

/* The mark of UTF-8 that some editors put in front of a file's first line. */
static void cut_mark(char *line)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t size = sizeof mark - 1;
    if (strncmp(line, mark, size) == 0) {
        memmove(line, line + size, strlen(line + size) + 1);
    }
}

int lines_next(lines_in *in, char to[LINE_MAX_SIZE], bool *end)
{
    size_t size = 0;
    bool comment = false;
    int c = getc(in->stream);
    *end = c == EOF;
    in->line += !*end;
    for (; c != EOF && c != '\n'; c = getc(in->stream)) {
        comment = comment || c == '#';
        if (comment) {
            continue;
        }
        if (size + 1 == LINE_MAX_SIZE) {
            return report_input(in->name, in->line,
                                "the line is longer than %d characters; write one %s on a line",
                                LINE_MAX_SIZE - 1, in->what);
        }
        to[size++] = c == '\0' ? '?' : (char)c;
    }
    to[size] = '\0';
    if (in->line == 1) {
        cut_mark(to);
    }
    if (ferror(in->stream)) {
        return report_failure(in->name, "reading failed: %s; check the file", strerror(errno));
    }
    return EXIT_DONE;
}

void lines_close(lines_in *in)
{
    if (in->stream != NULL && in->stream != stdin) {
        fclose(in->stream);
    }
    in->stream = NULL;
}

/* numbers.c: the numbers of an option such as --eye, or behind the word of a volume. */
#include "tools/cli/numbers.h"

#include <stdlib.h>
#include <string.h>

int numbers_parse(const char *text, float *out, int capacity)
{
    const char *const between = ", \t\r\n";
    const char *from = text + strspn(text, between);
    int count = 0;
    while (*from != '\0') {
        char *end;
        const float number = strtof(from, &end);
        const size_t blank = strspn(end, between);
        if (end == from || count == capacity || (blank == 0 && *end != '\0')) {
            return NUMBERS_BAD;
        }
        out[count++] = number;
        from = end + blank;
    }
    return count;
}

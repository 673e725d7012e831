/* numbers.c: the numbers of an option such as --eye, or behind the word of a volume. */
#include "tools/cli/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Into floats or doubles, whichever is not NULL: each is the number nearest to what is written. */
static int parse(const char *text, float *floats, double *doubles, int capacity)
{
    const char *const between = ", \t\r\n";
    const char *from = text + strspn(text, between);
    int count = 0;
    while (*from != '\0') {
        char *end;
        const double number = floats != NULL ? (double)strtof(from, &end) : strtod(from, &end);
        const size_t blank = strspn(end, between);
        if (end == from || (blank == 0 && *end != '\0')) {
            return NUMBERS_BAD;
        }
        if (count < capacity && floats != NULL) {
            floats[count] = (float)number;
        } else if (count < capacity) {
            doubles[count] = number;
        }
        count++;
        from = end + blank;
    }
    return count;
}

int numbers_parse(const char *text, float *out, int capacity)
{
    return parse(text, out, NULL, capacity);
}

int numbers_parse_d(const char *text, double *out, int capacity)
{
    return parse(text, NULL, out, capacity);
}

bool numbers_are_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

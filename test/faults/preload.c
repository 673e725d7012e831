/* preload.c: the malloc of failing_malloc.c for a program that is started with it (LD_PRELOAD):
 * SIGHTLINE_FAULT="17 once" or "17 on" refuses allocation 17, counted from 0, or that and all after
 * it. A byte goes to descriptor 9 in the end where one was refused. */
#include "test/faults/failing_malloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((constructor)) begin(void)
{
    char *rest = NULL;
    const char *fault = getenv("SIGHTLINE_FAULT");
    if (fault != NULL) {
        const unsigned long nth = strtoul(fault, &rest, 10);
        malloc_fails(nth, strcmp(rest, " once") == 0);
    }
}

static void __attribute__((destructor)) end(void)
{
    if (malloc_recovers() && write(9, "", 1) < 0) {
        _exit(99);
    }
}

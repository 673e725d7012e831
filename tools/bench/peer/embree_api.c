/* bench/peer/embree_api.c: opens Embree's library by its soname and looks its functions up. */
#include "tools/bench/peer/embree_api.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__APPLE__)
static const char library_name[] = "libembree3.3.dylib";
#else
static const char library_name[] = "libembree3.so.3";
#endif

/* dlsym returns a pointer to data, which ISO C cannot cast to a pointer to a function. */
static bool look_up(void *library, const char *name, void *function, size_t size)
{
    void *const address = dlsym(library, name);
    memcpy(function, &address, size);
    return address != NULL;
}

static bool look_up_all(void *library, bench_embree_api *api)
{
    bool found = true;
#define LOOK_UP(name) found = found && look_up(library, #name, &api->name, sizeof api->name);
    BENCH_EMBREE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return found;
}

/* Called from the main thread only. */
const bench_embree_api *bench_embree_get(void)
{
    static bench_embree_api api;
    static bool asked, found;
    if (!asked) {
        asked = true;
        void *const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
        found = library != NULL && look_up_all(library, &api);
    }
    return found ? &api : NULL;
}

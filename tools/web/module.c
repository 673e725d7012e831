/* module.c: what a module has beside the library: where C finds the two functions of JavaScript
 * that it calls (src/callbacks.js).  They are imports, so nothing is compiled when the engine has
 * started, which some hosts do not allow. */
#include <sightline/options.h>

#define JAVASCRIPT(name) __attribute__((import_module("sightline"), import_name(name)))

typedef bool filter_fn(void *user, size_t index, const sl_hit *hit);
typedef bool progress_fn(void *user, const char *phase, float fraction);

JAVASCRIPT("filter") filter_fn on_hit;
JAVASCRIPT("progress") progress_fn on_progress;

filter_fn *sl_js_filter(void);
progress_fn *sl_js_progress(void);

filter_fn *sl_js_filter(void)
{
    return on_hit;
}

progress_fn *sl_js_progress(void)
{
    return on_progress;
}

/* input/proxy.h: --proxy: a simple shape around the mesh that is asked before it, or instead of
 * it. */
#pragma once

#include "tools/input/mesh.h"

typedef struct proxy_options {
    const char *proxy; /* NULL: none */
} proxy_options;

extern const option_row proxy_rows[];

/* struct x { ...; proxy_options proxy; ... } and PROXY_GROUP(struct x). */
#define PROXY_GROUP(type) { .title = "Proxy", .rows = proxy_rows, .offset = offsetof(type, proxy) }

/* Needs no mesh, so that wrong words are reported before one is loaded.  brute, verify: every
 * triangle in turn is asked, which knows no proxies.  EXIT_DONE or EXIT_USAGE. */
int proxy_in_check(const invocation *call, const proxy_options *options, bool brute, bool verify);

/* Makes it around the mesh, whose tree is built, and sets query->proxy to it; nothing without
 * --proxy. */
void proxy_in_make(const proxy_options *options, const mesh_in *in, sl_proxy *proxy,
                   sl_options *query);

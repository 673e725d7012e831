/* input/proxy.c: the option --proxy, a shape that is asked before or instead of the mesh. */
#include "tools/input/proxy.h"

#include "tools/cli/report.h"

#include <sightline/closest.h>

#include <string.h>

const option_row proxy_rows[] = {
    OPTION_ROW(
        TEXT, "proxy", proxy_options, proxy, "SHAPE[:WHEN]",
        "ask a shape around MESH: sphere, aabb or obb; WHEN first (the default), and MESH only "
        "where the shape is met; or instead of MESH: prim is 4294967294 then, and there is no "
        "face"),
    { .name = NULL },
};

static const char *const shapes[] = {
    [SL_PROXY_SPHERE] = "sphere", [SL_PROXY_AABB] = "aabb", [SL_PROXY_OBB] = "obb"
};
static const char *const modes[] = { [SL_PROXY_FIRST] = "first", [SL_PROXY_INSTEAD] = "instead" };

/* Which of the words the text is, up to its end or a colon; count where it is none. */
static int find_word(const char *text, size_t length, const char *const *words, int count)
{
    int i = 0;
    while (i < count && (strlen(words[i]) != length || strncmp(words[i], text, length) != 0)) {
        i++;
    }
    return i;
}

static bool proxy_parse(const char *text, sl_proxy *out)
{
    enum { SHAPES = sizeof shapes / sizeof shapes[0], MODES = sizeof modes / sizeof modes[0] };
    const size_t length = strcspn(text, ":");
    const int shape = find_word(text, length, shapes, SHAPES);
    int mode = SL_PROXY_FIRST;
    if (text[length] == ':') {
        const char *when = text + length + 1;
        mode = find_word(when, strlen(when), modes, MODES);
    }
    *out = (sl_proxy){ .kind = (sl_proxy_kind)shape, .mode = (sl_proxy_mode)mode };
    return shape < SHAPES && mode < MODES;
}

int proxy_in_check(const invocation *call, const proxy_options *o, bool brute, bool verify)
{
    sl_proxy proxy;
    if (o->proxy == NULL) {
        return EXIT_DONE;
    }
    if (!proxy_parse(o->proxy, &proxy)) {
        return report_usage(call->command,
                            "--proxy is '%s'; it must be sphere, aabb or obb, with :first or "
                            ":instead behind it or nothing",
                            o->proxy);
    }
    if (brute) {
        return report_usage(call->command, "--brute asks every triangle and no proxy; leave one of "
                                           "them out");
    }
    if (verify && proxy.mode == SL_PROXY_INSTEAD) {
        return report_usage(call->command, "--verify asks every triangle, which a proxy instead of "
                                           "them does not; use :first");
    }
    return EXIT_DONE;
}

void proxy_in_make(const proxy_options *o, const mesh_in *in, sl_proxy *proxy, sl_options *options)
{
    if (o->proxy == NULL || !proxy_parse(o->proxy, proxy)) {
        return;
    }
    const sl_soup soup = sl_mesh_soup(in->mesh);
    options->proxy = proxy;
    /* Around nothing there is a shape that is not valid, which nothing meets. */
    switch (proxy->kind) {
    case SL_PROXY_SPHERE:
        if (!sl_sphere_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count,
                                 &proxy->shape.sphere)) {
            proxy->shape.sphere.radius = -1;
        }
        break;
    case SL_PROXY_AABB:
        proxy->shape.aabb = mesh_in_bounds(in->bvh);
        break;
    case SL_PROXY_OBB:
        if (!sl_obb_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count, &proxy->shape.obb)) {
            proxy->shape.obb.half[0] = -1;
        }
        break;
    }
}

/* contact.c: mesh against mesh: pairs, distances, curves, solids, and instances that clash. */
#include "tools/python/core/core.h"

#include "tools/python/core/job.h"

#include <stdlib.h>

/* Two trees, and what counts of them. */
typedef struct contact {
    const sl_bvh *a, *b;
    sl_options options[2];
    sl_triangle_ref skip[2][2];
    sl_clash clash;
} contact;

static bool read_side(core_call *call, PyObject *given, contact *c, int side)
{
    sl_options *options = &c->options[side];
    const void *ranges;
    size_t size;
    if (!core_query_read(given, options, c->skip[side])) {
        return false;
    }
    PyObject *ignore = given != Py_None ? PyTuple_GetItem(given, 5) : Py_None;
    if (ignore != Py_None) {
        if (!core_borrow_all(call, ignore, &ranges, &size)) {
            return false;
        }
        options->ignore = ranges;
        options->ignore_count = size / sizeof(sl_instance_range);
    }
    return true;
}

/* Of the arguments (options of a, options of b, relations, margin). */
static bool read_clash(core_call *call, PyObject *const *args, contact *c)
{
    long long relations;
    double margin;
    if (!read_side(call, args[0], c, 0) || !read_side(call, args[1], c, 1) ||
        !core_long(args[2], &relations) || !core_double(args[3], &margin)) {
        return false;
    }
    c->clash = (sl_clash){ .a = &c->options[0],
                           .b = &c->options[1],
                           .relations = (uint32_t)relations,
                           .margin = (float)margin };
    return true;
}

/* (a, b, and what read_clash takes). */
static bool read_contact(core_call *call, PyObject *const *args, contact *c)
{
    *c = (contact){ .a = call->is };
    c->b = core_held(call, args[1], CORE_BVH);
    return c->b != NULL && read_clash(call, args + 2, c);
}

/* All pairs there are, or capacity of them.  False: no memory. */
static bool find_pairs(const contact *c, size_t capacity, const sl_tasks *tasks,
                       sl_clash_pair **pairs, size_t *total)
{
    size_t room = capacity < 65536 ? capacity : 65536;
    for (*pairs = NULL;;) {
        sl_clash_pair *more = realloc(*pairs, (room + 1) * sizeof *more);
        if (more == NULL) {
            return false;
        }
        *pairs = more;
        *total = sl_bvh_clash_all(c->a, c->b, &c->clash, more, room, tasks, NULL);
        if (*total <= room || room == capacity) {
            return true;
        }
        room = *total < capacity ? *total : capacity;
    }
}

/* clash(a, b, options of a, options of b, relations, margin, capacity, threads): (how many there
 * are, memory of PAIR) */
PyObject *core_clash(core_call *call, PyObject *const *args)
{
    contact c;
    size_t capacity, total = 0;
    const sl_tasks *tasks;
    if (!read_contact(call, args, &c) || !core_size(args[6], &capacity) ||
        !core_tasks(call, args[7], &tasks)) {
        return NULL;
    }
    sl_clash_pair *pairs;
    core_begin(call, Py_None);
    const bool found = find_pairs(&c, capacity, tasks, &pairs, &total);
    if (!core_end(call, SL_OK) || !found) {
        free(pairs);
        return found ? NULL : PyErr_NoMemory();
    }
    const size_t kept = total < capacity ? total : capacity;
    return Py_BuildValue("nN", (Py_ssize_t)total,
                         core_memory_take(call, pairs, kept * sizeof *pairs));
}

/* A question about b under each of count transforms, or where it is: transforms is NULL. */
typedef struct contact_many {
    contact of;
    size_t count;
    void *transforms, *out; /* an answer for each */
    const sl_tasks *tasks;
} contact_many;

/* (What read_contact takes, transforms (N, 3, 4) f8 or None, N, out (N,), threads), answers having
 * `size` bytes. */
static bool read_many(core_call *call, PyObject *const *args, size_t size, contact_many *m)
{
    return read_contact(call, args, &m->of) && core_size(args[7], &m->count) &&
           core_borrow_bytes(call, args[6], m->count * sizeof(sl_transform), false, "transforms",
                             &m->transforms) &&
           core_borrow_bytes(call, args[8], m->count * size, true, "out", &m->out) &&
           core_tasks(call, args[9], &m->tasks);
}

/* clash_any(a, b, options of a, options of b, relations, margin, transforms or None, N, out bool,
 * threads) */
PyObject *core_clash_any(core_call *call, PyObject *const *args)
{
    contact_many m;
    if (!read_many(call, args, sizeof(uint8_t), &m)) {
        return NULL;
    }
    const contact *c = &m.of;
    core_begin(call, Py_None);
    if (m.transforms != NULL) {
        sl_bvh_clash_any_many(c->a, c->b, m.transforms, m.count, &c->clash, m.out, m.tasks, NULL);
    } else if (m.count > 0) {
        *(uint8_t *)m.out = sl_bvh_clash_any(c->a, c->b, &c->clash);
    }
    return core_none(core_end(call, SL_OK));
}

/* distance(a, b, options of a, options of b, relations, limit, transforms or None, N, out DISTANCE,
 * threads) */
PyObject *core_distance(core_call *call, PyObject *const *args)
{
    contact_many m;
    if (!read_many(call, args, sizeof(sl_distance), &m)) {
        return NULL;
    }
    const contact *c = &m.of;
    const float limit = c->clash.margin; /* a distance reads neither that nor relations */
    core_begin(call, Py_None);
    if (m.transforms != NULL) {
        sl_bvh_distance_many(c->a, c->b, m.transforms, m.count, limit, &c->clash, m.out, m.tasks,
                             NULL);
    } else if (m.count > 0) {
        (void)sl_bvh_distance(c->a, c->b, limit, &c->clash, m.out);
    }
    return core_none(core_end(call, SL_OK));
}

static PyObject *copy_of(core_call *call, const void *from, size_t size)
{
    void *bytes = malloc(size + 1);
    if (bytes == NULL) {
        return PyErr_NoMemory();
    }
    memcpy(bytes, from, size);
    return core_memory_take(call, bytes, size);
}

/* clash_curves(a, b, options of a, options of b, relations, margin, progress): memory of points
 * (P, 3) f8, of starts (C + 1,) u8, of PAIR (P,) */
PyObject *core_clash_curves(core_call *call, PyObject *const *args)
{
    contact c;
    if (!read_contact(call, args, &c)) {
        return NULL;
    }
    const sl_hooks hooks = { .progress = core_progress(call) };
    sl_curves *curves = NULL;
    core_begin(call, args[6]);
    const sl_result result = sl_bvh_clash_curves(c.a, c.b, &c.clash, &hooks, &curves, &call->error);
    PyObject *made = NULL;
    if (core_end(call, result)) {
        const size_t points = curves->point_count;
        made = Py_BuildValue(
            "NNN", copy_of(call, curves->points, points * sizeof *curves->points),
            copy_of(call, curves->starts, (curves->curve_count + 1) * sizeof *curves->starts),
            copy_of(call, curves->pairs, points * sizeof *curves->pairs));
    }
    sl_curves_destroy(curves);
    return made;
}

/* solids(a, b, options of a, options of b, by_parity, progress): (relation, boundaries_meet,
 * open_a, open_b, surfaces) */
PyObject *core_solids(core_call *call, PyObject *const *args)
{
    contact c = { .a = call->is };
    long long by_parity;
    c.b = core_held(call, args[1], CORE_BVH);
    if (c.b == NULL || !read_side(call, args[2], &c, 0) || !read_side(call, args[3], &c, 1) ||
        !core_long(args[4], &by_parity)) {
        return NULL;
    }
    const sl_solids_def def = { .hooks = { .progress = core_progress(call) },
                                .a = &c.options[0],
                                .b = &c.options[1],
                                .by_parity = by_parity != 0 };
    sl_solids solids;
    core_begin(call, args[5]);
    const sl_result result = sl_bvh_solids(c.a, c.b, &def, &solids, &call->error);
    return core_end(call, result)
               ? Py_BuildValue("iiiii", (int)solids.relation, (int)solids.boundaries_meet,
                               (int)solids.open[0], (int)solids.open[1], (int)solids.surfaces)
               : NULL;
}

/* clashes_find(scene, options, relations, margin, limit, solids, groups, against, bodies (N,) u4 or
 * None, previous or None, threads, progress) */
PyObject *core_clashes_find(core_call *call, PyObject *const *args)
{
    contact c = { .a = call->is };
    PyObject *const clash[4] = { args[1], Py_None, args[2], args[3] };
    sl_clashes_def def = { .hooks = { .progress = core_progress(call) } };
    const size_t bytes = sl_bvh_get_info(call->is).instance_count * sizeof(uint32_t);
    long long solids;
    void *numbers[3];
    if (!read_clash(call, clash, &c) || !core_size(args[4], &def.pair_limit) ||
        !core_long(args[5], &solids) ||
        !core_borrow_bytes(call, args[6], bytes, false, "groups", &numbers[0]) ||
        !core_borrow_bytes(call, args[7], bytes, false, "against", &numbers[1]) ||
        !core_borrow_bytes(call, args[8], bytes, false, "bodies", &numbers[2]) ||
        !core_tasks(call, args[10], &def.hooks.tasks)) {
        return NULL;
    }
    if (args[9] != Py_None) {
        def.previous = core_held(call, args[9], CORE_CLASHES);
        if (def.previous == NULL) {
            return NULL;
        }
    }
    def.clash = &c.clash;
    def.solids = solids != 0;
    def.groups = numbers[0];
    def.against = numbers[1];
    def.bodies = numbers[2];
    sl_clashes *clashes = NULL;
    core_begin(call, args[11]);
    const sl_result result = sl_clashes_find(call->is, &def, &clashes, &call->error);
    return core_made(call, result, CORE_CLASHES, clashes, args[0]);
}

/* clashes_list(report): memory of CLASH */
PyObject *core_clashes_list(core_call *call, PyObject *const *args)
{
    (void)args;
    size_t count;
    const sl_instance_clash *list = sl_clashes_list(call->is, &count);
    return core_memory_of(call, list, count * sizeof *list);
}

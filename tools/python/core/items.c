/* items.c: rays, segments, points and volumes, read from arrays of any strides. */
#include "tools/python/core/job.h"

/* Numbers of a volume, in the order in which arrays have them, which is that of the structs. */
static int volume_numbers(int kind, Py_ssize_t columns)
{
    switch (kind) {
    case SL_VOLUME_AABB:
        return 6;
    case SL_VOLUME_SPHERE:
        return 4;
    case SL_VOLUME_OBB:
        return 15;
    case SL_VOLUME_CAPSULE:
        return 7;
    case SL_VOLUME_TRIANGLE:
        return 9;
    default:
        return columns % 4 == 0 && columns <= 4 * SL_FRUSTUM_PLANES_MAX ? (int)columns : 0;
    }
}

static bool read_limit(core_state *state, core_job *job, PyObject *given, core_column *column,
                       double *number)
{
    if (PyFloat_Check(given)) {
        return core_double(given, number);
    }
    return core_borrow(state, &job->loans, given, job->count, 1, job->items.doubles ? 8 : 4,
                       column);
}

/* Whether items of `size` bytes lie one behind the other from here, as the library reads them. */
static bool lies_well(const core_column *a, size_t size, size_t number)
{
    return (uintptr_t)a->data % number == 0 && a->stride == (Py_ssize_t)size &&
           (a->step == (Py_ssize_t)number || a->step == 0);
}

static bool read_rays(core_state *state, core_job *job, PyObject *const *arrays, size_t number)
{
    core_items *it = &job->items;
    it->size = 8 * number;
    if (arrays[1] == Py_None) { /* origin, tmin, direction, tmax of each */
        if (!core_borrow(state, &job->loans, arrays[0], job->count, 8, number, &it->a)) {
            return false;
        }
        if (lies_well(&it->a, it->size, number)) {
            it->direct = it->a.data;
        }
        it->low = it->b = it->high = it->a;
        it->low.data += 3 * it->a.step;
        it->b.data += 4 * it->a.step;
        it->high.data += 7 * it->a.step;
        return true;
    }
    return core_borrow(state, &job->loans, arrays[0], job->count, 3, number, &it->a) &&
           core_borrow(state, &job->loans, arrays[1], job->count, 3, number, &it->b) &&
           read_limit(state, job, arrays[2], &it->low, &it->tmin) &&
           read_limit(state, job, arrays[3], &it->high, &it->tmax);
}

static bool read_segments(core_state *state, core_job *job, PyObject *const *arrays, size_t number)
{
    core_items *it = &job->items;
    it->size = 6 * number;
    if (!core_borrow(state, &job->loans, arrays[0], job->count, 3, number, &it->a) ||
        !core_borrow(state, &job->loans, arrays[1], job->count, 3, number, &it->b)) {
        return false;
    }
    if (lies_well(&it->a, it->size, number) && it->b.data == it->a.data + 3 * number &&
        it->b.stride == it->a.stride && it->b.step == it->a.step) {
        it->direct = it->a.data;
    }
    return true;
}

static bool read_volumes(core_state *state, core_job *job, PyObject *const *arrays, size_t number)
{
    core_items *it = &job->items;
    long long kind, columns;
    if (!core_long(arrays[2], &kind) || !core_long(arrays[3], &columns)) {
        return false;
    }
    it->numbers = volume_numbers((int)kind, (Py_ssize_t)columns);
    it->volume = (sl_volume_kind)kind;
    it->size = it->doubles ? sizeof(sl_volume_d) : sizeof(sl_volume);
    if (kind < 0 || kind > SL_VOLUME_TRIANGLE || it->numbers != columns) {
        core_refuse(state, "a volume of kind %lld does not have %lld numbers", kind, columns);
        return false;
    }
    return core_borrow(state, &job->loans, arrays[0], job->count, it->numbers, number, &it->a);
}

bool core_items_read(core_state *state, core_job *job, PyObject *kind, PyObject *const *arrays)
{
    core_items *it = &job->items;
    const size_t number = it->doubles ? sizeof(double) : sizeof(float);
    long long which;
    if (!core_long(kind, &which)) {
        return false;
    }
    it->kind = (core_kind)which;
    switch (it->kind) {
    case CORE_RAYS:
        return read_rays(state, job, arrays, number);
    case CORE_SEGMENTS:
        return read_segments(state, job, arrays, number);
    case CORE_VOLUMES:
        return read_volumes(state, job, arrays, number);
    case CORE_NUMBERS:
        return true;
    case CORE_POINTS:
        break;
    }
    it->size = 3 * number;
    if (!core_borrow(state, &job->loans, arrays[0], job->count, 3, number, &it->a)) {
        return false;
    }
    if (lies_well(&it->a, it->size, number)) {
        it->direct = it->a.data;
    }
    return true;
}

/* ---- Gathering ---- */

/* Copies `width` numbers of each item to where they are in the structs, size bytes apart. */
static void gather(const core_column *from, size_t first, size_t count, int width, size_t number,
                   size_t size, char *to)
{
    const char *row = from->data + (Py_ssize_t)first * from->stride;
    if (from->step == (Py_ssize_t)number && width == 3 && number == 4) {
        for (size_t i = 0; i < count; i++, row += from->stride, to += size) {
            memcpy(to, row, 12);
        }
        return;
    }
    if (from->step == (Py_ssize_t)number && width == 3) {
        for (size_t i = 0; i < count; i++, row += from->stride, to += size) {
            memcpy(to, row, 24);
        }
        return;
    }
    for (size_t i = 0; i < count; i++, row += from->stride, to += size) {
        for (int k = 0; k < width; k++) {
            memcpy(to + (size_t)k * number, row + k * from->step, number);
        }
    }
}

static void gather_limits(const core_items *it, size_t first, size_t count, char *items)
{
    const size_t number = it->doubles ? sizeof(double) : sizeof(float);
    const core_column *columns[2] = { &it->low, &it->high };
    const double numbers[2] = { it->tmin, it->tmax };
    for (int which = 0; which < 2; which++) {
        char *to = items + (which == 0 ? 3 : 7) * number;
        if (columns[which]->data != NULL) {
            gather(columns[which], first, count, 1, number, it->size, to);
            continue;
        }
        const float narrow = (float)numbers[which];
        for (size_t i = 0; i < count; i++, to += it->size) {
            memcpy(to, it->doubles ? (const void *)&numbers[which] : &narrow, number);
        }
    }
}

/* A register of four: a ray is written in two stores instead of eight, and not through memory in
 * pieces, for which a copy would wait. */
typedef float four_floats __attribute__((vector_size(16)));

_Static_assert(sizeof(sl_ray) == 2 * sizeof(four_floats) &&
                   offsetof(sl_ray, dir) == sizeof(four_floats),
               "origin, tmin; dir, tmax");

/* Rays in floats whose numbers lie side by side, with limits that all share: what most callers
 * have, in one pass. */
static bool gather_simple_rays(const core_items *it, size_t first, size_t count, void *items)
{
    if (it->doubles || it->a.step != 4 || it->b.step != 4 || it->low.data != NULL ||
        it->high.data != NULL) {
        return false;
    }
    const char *origin = it->a.data + (Py_ssize_t)first * it->a.stride;
    const char *dir = it->b.data + (Py_ssize_t)first * it->b.stride;
    const Py_ssize_t origin_stride = it->a.stride, dir_stride = it->b.stride;
    const float tmin = (float)it->tmin, tmax = (float)it->tmax;
    sl_ray *to = items;
    for (size_t i = 0; i < count; i++) {
        float from[6];
        memcpy(from, origin, 3 * sizeof *from);
        memcpy(from + 3, dir, 3 * sizeof *from);
        const four_floats start = { from[0], from[1], from[2], tmin };
        const four_floats way = { from[3], from[4], from[5], tmax };
        memcpy(&to[i], &start, sizeof start);
        memcpy((char *)&to[i] + sizeof start, &way, sizeof way);
        origin += origin_stride;
        dir += dir_stride;
    }
    return true;
}

/* Planes are normal, offset; their number is a field behind all that there may be. */
static void gather_volumes(const core_items *it, size_t first, size_t count, char *items)
{
    const uint32_t planes = (uint32_t)it->numbers / 4;
    if (it->doubles) {
        sl_volume_d *to = (sl_volume_d *)(void *)items;
        for (size_t i = 0; i < count; i++) {
            to[i].kind = it->volume;
            to[i].shape.frustum.count = planes;
        }
        gather(&it->a, first, count, it->numbers, sizeof(double), sizeof *to, (char *)&to->shape);
    } else {
        sl_volume *to = (sl_volume *)(void *)items;
        for (size_t i = 0; i < count; i++) {
            to[i].kind = it->volume;
            to[i].shape.frustum.count = planes;
        }
        gather(&it->a, first, count, it->numbers, sizeof(float), sizeof *to, (char *)&to->shape);
    }
}

const void *core_items_of(const core_job *job, size_t first, size_t count, core_scratch *scratch)
{
    const core_items *it = &job->items;
    if (it->direct != NULL) {
        return it->direct + first * it->size;
    }
    const size_t number = it->doubles ? sizeof(double) : sizeof(float);
    char *items = scratch->items;
    switch (it->kind) {
    case CORE_RAYS:
        if (gather_simple_rays(it, first, count, items)) {
            break;
        }
        gather(&it->a, first, count, 3, number, it->size, items);
        gather(&it->b, first, count, 3, number, it->size, items + 4 * number);
        gather_limits(it, first, count, items);
        break;
    case CORE_SEGMENTS:
        gather(&it->a, first, count, 3, number, it->size, items);
        gather(&it->b, first, count, 3, number, it->size, items + 3 * number);
        break;
    case CORE_POINTS:
        gather(&it->a, first, count, 3, number, it->size, items);
        break;
    case CORE_VOLUMES:
        gather_volumes(it, first, count, items);
        break;
    case CORE_NUMBERS:
        break;
    }
    return items;
}

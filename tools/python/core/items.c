/* items.c: rays, segments, points and volumes, read from arrays of any strides.
 *
 * The library takes arrays of any positive strides, too, but through small blocks on the stack,
 * which costs a ray in floats a fifth of its time and one in doubles half of it; so what does not
 * lie as it should is gathered here, a thousand items at a time. */
#include "tools/python/core/job.h"

/* Numbers of a volume, in the order in which arrays have them, which is that of the structs. */
static int volume_numbers(int kind, Py_ssize_t columns)
{
    static const int numbers[] = { [SL_VOLUME_AABB] = 6,
                                   [SL_VOLUME_SPHERE] = 4,
                                   [SL_VOLUME_OBB] = 15,
                                   [SL_VOLUME_CAPSULE] = 7,
                                   [SL_VOLUME_TRIANGLE] = 9 };
    const bool planes = columns % 4 == 0 && columns <= 4 * SL_FRUSTUM_PLANES_MAX;
    return kind != SL_VOLUME_FRUSTUM ? numbers[kind] : planes ? (int)columns : 0;
}

static bool read_field(core_job *job, PyObject *array, int width, size_t offset)
{
    core_items *it = &job->items;
    core_field *field = &it->fields[it->field_count++];
    const size_t number = it->doubles ? sizeof(double) : sizeof(float);
    *field = (core_field){ .width = width, .number = number, .offset = offset };
    if (array == Py_None) {
        return core_refuse(job->call, "an array of items is missing");
    }
    return core_borrow(job->call, array, job->count, width, number, &field->from);
}

/* A number that all items share: same[which]. */
static void add_same(core_items *it, int which, size_t number, size_t offset)
{
    it->fields[it->field_count++] = (core_field){
        .from = { .data = (char *)&it->same[which] }, .width = 1, .number = number, .offset = offset
    };
}

/* tmin is limit 0, tmax limit 1. */
static bool read_limit(core_job *job, PyObject *given, int which, size_t offset)
{
    core_items *it = &job->items;
    double limit;
    if (!PyFloat_Check(given)) {
        return read_field(job, given, 1, offset);
    }
    if (!core_double(given, &limit)) {
        return false;
    }
    if (it->doubles) {
        it->same[which].in_doubles = limit;
    } else {
        it->same[which].in_floats = (float)limit;
    }
    add_same(it, which, it->doubles ? sizeof(double) : sizeof(float), offset);
    return true;
}

/* Origins, directions, tmin and tmax; or origin, tmin, direction and tmax of each. */
static bool read_rays(core_job *job, PyObject *const *arrays, size_t number)
{
    job->items.size = 8 * number;
    if (arrays[1] == Py_None) {
        return read_field(job, arrays[0], 8, 0);
    }
    return read_field(job, arrays[0], 3, 0) && read_field(job, arrays[1], 3, 4 * number) &&
           read_limit(job, arrays[2], 0, 3 * number) && read_limit(job, arrays[3], 1, 7 * number);
}

static bool read_segments(core_job *job, PyObject *const *arrays, size_t number)
{
    job->items.size = 6 * number;
    return read_field(job, arrays[0], 3, 0) && read_field(job, arrays[1], 3, 3 * number);
}

/* The points of hulls stay where they are: the array has an address of each, as columns do. */
static bool read_hulls(core_job *job, PyObject *addresses, size_t points)
{
    core_items *it = &job->items;
    const bool doubles = it->doubles;
    core_field *field = &it->fields[it->field_count++];
    *field = (core_field){ .width = 1,
                           .number = sizeof(void *),
                           .offset = doubles ? offsetof(sl_volume_d, shape.hull.xyz)
                                             : offsetof(sl_volume, shape.hull.xyz) };
    it->same[1].word = (uint32_t)points;
    add_same(it, 1, sizeof(uint32_t),
             doubles ? offsetof(sl_volume_d, shape.hull.count)
                     : offsetof(sl_volume, shape.hull.count));
    return core_borrow(job->call, addresses, job->count, 1, sizeof(void *), &field->from);
}

/* Planes are normal, offset; their number is a field behind all that there may be. */
static bool read_volumes(core_job *job, PyObject *array, PyObject *kind_of, PyObject *columns_of)
{
    core_items *it = &job->items;
    const bool doubles = it->doubles;
    long long kind, columns;
    if (!core_long(kind_of, &kind) || !core_long(columns_of, &columns)) {
        return false;
    }
    it->same[0].word = (uint32_t)kind;
    add_same(it, 0, sizeof(uint32_t), 0);
    it->size = doubles ? sizeof(sl_volume_d) : sizeof(sl_volume);
    if (kind == SL_VOLUME_HULL && columns >= 0 && columns <= SL_HULL_POINTS_MAX) {
        return read_hulls(job, array, (size_t)columns);
    }
    const bool known = kind >= 0 && kind <= SL_VOLUME_TRIANGLE;
    const int numbers = known ? volume_numbers((int)kind, (Py_ssize_t)columns) : 0;
    if (!known || numbers != columns) {
        return core_refuse(job->call, "a volume of kind %lld does not have %lld numbers", kind,
                           columns);
    }
    it->same[1].word = (uint32_t)numbers / 4;
    add_same(it, 1, sizeof(uint32_t),
             doubles ? offsetof(sl_volume_d, shape.frustum.count)
                     : offsetof(sl_volume, shape.frustum.count));
    return read_field(job, array, numbers,
                      doubles ? offsetof(sl_volume_d, shape) : offsetof(sl_volume, shape));
}

/* Volumes, directions, (kind, touching, overlapping, ignore_grazing), columns of a volume. */
static bool read_sweeps(core_job *job, PyObject *const *arrays)
{
    core_items *it = &job->items;
    const bool doubles = it->doubles;
    unsigned touching, overlapping;
    int ignore_grazing;
    PyObject *kind;
    if (!PyArg_ParseTuple(arrays[2], "OIIp", &kind, &touching, &overlapping, &ignore_grazing) ||
        !read_volumes(job, arrays[0], kind, arrays[3])) {
        return false;
    }
    it->size = doubles ? sizeof(sl_sweep_d) : sizeof(sl_sweep);
    it->same[2].word = touching;
    it->same[3].word = overlapping;
    it->same[4].flag = ignore_grazing != 0;
    add_same(it, 2, sizeof(uint32_t),
             doubles ? offsetof(sl_sweep_d, touching) : offsetof(sl_sweep, touching));
    add_same(it, 3, sizeof(uint32_t),
             doubles ? offsetof(sl_sweep_d, overlapping) : offsetof(sl_sweep, overlapping));
    add_same(it, 4, sizeof(bool),
             doubles ? offsetof(sl_sweep_d, ignore_grazing) : offsetof(sl_sweep, ignore_grazing));
    return read_field(job, arrays[1], 3,
                      doubles ? offsetof(sl_sweep_d, dir) : offsetof(sl_sweep, dir));
}

/* Whether the items lie one behind the other, as the library reads them. */
static bool lie_well(const core_items *it)
{
    const core_field *first = it->fields;
    for (const core_field *f = first; f < first + it->field_count; f++) {
        if (f->from.data != first->from.data + f->offset ||
            f->from.stride != (Py_ssize_t)it->size ||
            (f->width > 1 && f->from.step != (Py_ssize_t)f->number)) {
            return false;
        }
    }
    return it->field_count > 0 && (uintptr_t)first->from.data % first->number == 0;
}

/* Whether floats lie three and three, `stride` bytes apart. */
static bool are_vectors(const core_column *from, Py_ssize_t stride)
{
    return from->stride == stride && from->step == (Py_ssize_t)sizeof(float) &&
           (uintptr_t)from->data % sizeof(float) == 0;
}

/* Rays from 0 to a limit that all share, or segments, from one point to ends that are packed. */
static bool are_fan(const core_items *it)
{
    const core_field *f = it->fields;
    const bool rays = it->kind == CORE_RAYS && it->field_count == 4 &&
                      f[2].from.data == (const char *)&it->same[0] && it->same[0].in_floats == 0 &&
                      f[3].from.data == (const char *)&it->same[1];
    return !it->doubles && (rays || it->kind == CORE_SEGMENTS) && are_vectors(&f[0].from, 0) &&
           are_vectors(&f[1].from, 3 * sizeof(float));
}

bool core_items_read(core_job *job, PyObject *kind, PyObject *const *arrays)
{
    core_items *it = &job->items;
    const size_t number = it->doubles ? sizeof(double) : sizeof(float);
    long long which;
    if (!core_long(kind, &which)) {
        return false;
    }
    it->kind = (core_kind)which;
    bool read = true;
    switch (it->kind) {
    case CORE_RAYS:
        read = read_rays(job, arrays, number);
        break;
    case CORE_SEGMENTS:
        read = read_segments(job, arrays, number);
        break;
    case CORE_POINTS:
        it->size = 3 * number;
        read = read_field(job, arrays[0], 3, 0);
        break;
    case CORE_VOLUMES:
        read = read_volumes(job, arrays[0], arrays[2], arrays[3]);
        break;
    case CORE_SWEEPS:
        read = read_sweeps(job, arrays);
        break;
    case CORE_NUMBERS:
        break;
    }
    it->direct = read && lie_well(it) ? it->fields[0].from.data : NULL;
    it->fan = read && are_fan(it);
    return read;
}

/* ---- Gathering ---- */

/* Copies `size` bytes of each item, which is a constant wherever this is called but once. */
static inline void copy_each(const char *from, Py_ssize_t from_stride, char *to, size_t to_stride,
                             size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++, from += from_stride, to += to_stride) {
        memcpy(to, from, size);
    }
}

/* Copies a field of each item to where it is in the structs: at once where its numbers lie side by
 * side, else number after number. */
static void gather_field(const core_field *f, size_t first, size_t count, size_t size, char *to)
{
    const bool together = f->from.step == (Py_ssize_t)f->number;
    const size_t run = together ? (size_t)f->width * f->number : f->number;
    const Py_ssize_t stride = f->from.stride;
    const char *from = f->from.data + (Py_ssize_t)first * stride;
    to += f->offset;
    for (int k = 0; k < (together ? 1 : f->width); k++, from += f->from.step, to += run) {
        switch (run) {
        case 4:
            copy_each(from, stride, to, size, count, 4);
            break;
        case 8:
            copy_each(from, stride, to, size, count, 8);
            break;
        case 12:
            copy_each(from, stride, to, size, count, 12);
            break;
        case 24:
            copy_each(from, stride, to, size, count, 24);
            break;
        default:
            copy_each(from, stride, to, size, count, run);
            break;
        }
    }
}

void core_part_open(core_job *job, size_t first, size_t count, int worker, core_part *part)
{
    const core_items *it = &job->items;
    *part = (core_part){ .first = first, .count = count };
    part->query = core_query_of(job, first, &part->own);
    if (it->direct != NULL) {
        part->items = it->direct + first * it->size;
    } else if (!it->fan) {
        char *to = job->scratch + (size_t)worker * job->scratch_size;
        for (int i = 0; i < it->field_count; i++) {
            gather_field(&it->fields[i], first, count, it->size, to);
        }
        part->items = to;
    }
}

/* ---- As calls take them ---- */

sl_rays core_rays_of(const core_job *job, const core_part *part)
{
    const core_items *it = &job->items;
    const bool segments = it->kind == CORE_SEGMENTS;
    const void *items = part->items;
    if (it->fan) {
        const void *origin = it->fields[0].from.data;
        const void *ends = it->fields[1].from.data + part->first * 3 * sizeof(float);
        sl_rays rays = segments ? sl_segments_from(origin, ends, part->count, SL_FLOAT)
                                : sl_rays_from(origin, ends, part->count, SL_FLOAT);
        rays.tmax = segments ? NULL : &it->same[1];
        rays.tmax_stride = SL_SAME;
        return rays;
    }
    if (segments) {
        return it->doubles ? sl_segments_of_d(items, part->count)
                           : sl_segments_of(items, part->count);
    }
    return it->doubles ? sl_rays_of_d(items, part->count) : sl_rays_of(items, part->count);
}

sl_points core_points_of(const core_job *job, const core_part *part)
{
    return job->items.doubles ? sl_points_of(part->items, part->count, SL_DOUBLE)
                              : sl_points_of(part->items, part->count, SL_FLOAT);
}

sl_volumes core_volumes_of(const core_job *job, const core_part *part)
{
    return job->items.doubles ? sl_volumes_of(part->items, part->count, SL_DOUBLE)
                              : sl_volumes_of(part->items, part->count, SL_FLOAT);
}

sl_sweeps core_sweeps_of(const core_job *job, const core_part *part)
{
    return job->items.doubles ? sl_sweeps_of(part->items, part->count, SL_DOUBLE)
                              : sl_sweeps_of(part->items, part->count, SL_FLOAT);
}

/* builder_memory.c: how much memory loading may take, and the reports on its way. */
#include "lib/base/memory.h"
#include "lib/mesh/builder.h"

static const size_t default_memory = (size_t)64 << 20, memory_per_byte = 40;
static const size_t report_every = 1 << 20;

size_t sli_builder_max_memory(const sl_mesh_def *def, size_t size)
{
    return def->max_memory > 0 ? def->max_memory
                               : sli_add_product(default_memory, size, memory_per_byte);
}

bool sli_builder_report(sli_builder *builder)
{
    builder->next_report = builder->byte + report_every;
    if (builder->progress.report == NULL || builder->locate != NULL) {
        return true;
    }
    const float fraction = (float)((double)builder->byte / (double)builder->size);
    sli_fpenv_leave(builder->caller);
    const bool go_on = builder->progress.report(builder->progress.user, "load", fraction);
    builder->caller = sli_fpenv_enter();
    return go_on || sli_builder_stop(builder, SL_CANCELLED);
}

bool sli_builder_spend(sli_builder *builder, size_t bytes)
{
    if (bytes > builder->max_memory || builder->memory > builder->max_memory - bytes) {
        builder->out_of_bounds = true;
        return sli_builder_stop(builder, SL_TOO_LARGE);
    }
    builder->memory += bytes;
    return true;
}

bool sli_builder_input(sli_builder *builder, size_t bytes)
{
    if (!builder->fixed_memory) {
        builder->max_memory = sli_add_product(builder->max_memory, bytes, memory_per_byte);
    }
    return sli_builder_spend(builder, bytes);
}

/* Old and new array live side by side for a while. */
bool sli_builder_grow(sli_builder *builder, void *items, size_t *capacity, size_t needed,
                      size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    const size_t before = *capacity;
    const size_t likely = before + before / 2 > needed ? before + before / 2 : needed;
    if (!sli_builder_spend(builder, sli_add_product(0, likely, size))) {
        return false;
    }
    if (!sli_grow_array(&builder->allocator, items, capacity, needed, size)) {
        return sli_builder_stop(builder, SL_OUT_OF_MEMORY);
    }
    builder->memory -= before * size;
    return true;
}

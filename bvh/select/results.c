/* What is selected: bits, lists, counts. */
#include "bvh/select/state.h"

void sl_selection_get_info(const sl_selection *selection, sl_selection_info *out)
{
    sl_selection_info info = selection->info;
    info.bytes = sizeof *selection + selection->block_size;
    for (int i = 0; i < 2; i++) {
        info.bytes += sli_lasso_bytes(&selection->regions[i].lasso);
    }
    *out = info;
}

const uint64_t *sl_selection_words(const sl_selection *selection, uint32_t instance)
{
    return sl_selection_bit_count(selection, instance) > 0
               ? selection->words + selection->offset[instance]
               : NULL;
}

uint64_t sl_selection_bit_count(const sl_selection *selection, uint32_t instance)
{
    return instance < selection->instance_count ? selection->bit_count[instance] : 0;
}

const uint64_t *sl_selection_all_words(const sl_selection *selection)
{
    return selection->words;
}

uint64_t sl_selection_offset(const sl_selection *selection, uint32_t instance)
{
    const uint32_t count = selection->instance_count;
    return selection->offset[instance < count ? instance : count];
}

uint64_t sl_selection_count(const sl_selection *selection, uint32_t instance)
{
    return instance < selection->instance_count ? selection->selected[instance] : 0;
}

bool sl_selection_has(const sl_selection *selection, uint32_t instance, uint32_t element)
{
    return element < sl_selection_bit_count(selection, instance) &&
           sli_bit(selection->words + selection->offset[instance], element);
}

uint64_t sl_selection_list(const sl_selection *selection, uint64_t first, sl_selected *out,
                           size_t capacity)
{
    uint64_t before = 0;
    size_t written = 0;
    for (uint32_t i = 0; i < selection->instance_count && written < capacity; i++) {
        const uint64_t here = selection->selected[i];
        if (before + here <= first) {
            before += here;
            continue;
        }
        const uint64_t *words = selection->words + selection->offset[i];
        for (uint64_t w = 0; w < (selection->bit_count[i] + 63) / 64; w++) {
            for (uint64_t bits = words[w]; bits != 0 && written < capacity; bits &= bits - 1) {
                const uint32_t bit = (uint32_t)__builtin_ctzll(bits);
                if (before++ >= first) {
                    out[written++] = (sl_selected){ i, (uint32_t)(w * 64) + bit };
                }
            }
        }
    }
    return selection->info.selected;
}

/* What is selected: bits, lists, counts. */
#include "bvh/select/state.h"

sl_selection_info sl_selection_get_info(const sl_selection *selection)
{
    sl_selection_info info = selection->info;
    info.bytes = sizeof *selection + selection->block_size;
    for (int i = 0; i < 2; i++) {
        info.bytes += sli_lasso_bytes(&selection->regions[i].lasso);
    }
    return info;
}

sl_selected_bits sl_selection_of(const sl_selection *selection, uint32_t instance)
{
    if (instance >= selection->instance_count) {
        return (sl_selected_bits){ .words = instance == SL_NONE ? selection->words : NULL,
                                   .offset = selection->offset[selection->instance_count] };
    }
    const uint64_t bits = selection->bit_count[instance], at = selection->offset[instance];
    return (sl_selected_bits){ .words = bits > 0 ? selection->words + at : NULL,
                               .bit_count = bits,
                               .selected = selection->selected[instance],
                               .offset = at };
}

bool sl_selection_has(const sl_selection *selection, uint32_t instance, uint32_t element)
{
    const sl_selected_bits of = sl_selection_of(selection, instance);
    return element < of.bit_count && sli_bit(of.words, element);
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

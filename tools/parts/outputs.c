/* parts/outputs.c: opens outputs that write to a part, for every subcommand that has --part. */
#include "tools/parts/part.h"

int output_open_part(output *out, part_out *part, output_format format, const char *command)
{
    static const char *const words[] = {
        [OUTPUT_TEXT] = "text", [OUTPUT_CSV] = "csv", [OUTPUT_JSON] = "json"
    };
    *out = (output){ .format = format };
    part->format = words[format];
    const int status = part_out_file(part, &out->file);
    if (status == EXIT_DONE) {
        output_begin(out, command);
    }
    return status;
}

int npy_out_open_part(npy_out *out, part_out *part, npy_out_type type, uint64_t columns)
{
    *out = (npy_out){ .type = type, .columns = columns };
    if (part->format == NULL) { /* of lists the first array counts */
        part->format = "array";
        part->descr = npy_out_descr(type);
        part->columns = columns;
    }
    return part_out_file(part, &out->file);
}

int npy_list_open_part(npy_list *list, part_out *part, npy_out_type type)
{
    *list = (npy_list){ .rows = { .rows = 0 } };
    int status = npy_out_open_part(&list->rows, part, type, 0);
    status = status == EXIT_DONE ? npy_out_open_part(&list->offsets, part, NPY_OUT_U8, 0) : status;
    part->format = "lists";
    return status;
}

void npy_list_go_on(npy_list *list, const part_out *part)
{
    list->rows.rows = part->sizes[0] / npy_out_row_size(&list->rows);
}

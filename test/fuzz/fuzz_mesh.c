/* fuzz_mesh.c: any bytes as a mesh file of the format FUZZ_FORMAT, which is their name's ending. */
#include "test/fuzz/fuzz.h"
#include "test/fuzz/try_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_mesh(data, size, "input." FUZZ_FORMAT, NULL, 0);
    return 0;
}

/* module.c: what a module needs beside the library (CMakeLists.txt), which is its version alone. */
#include <sightline/base.h>

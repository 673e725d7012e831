# i686.cmake: see emulated.cmake.  A 64-bit kernel runs these programs as they are; only the loader is where Debian's
# cross compiler has it.
set(machine i686)
set(multiarch i386-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/emulated.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR env)
set(loader /usr/i686-linux-gnu/lib)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--dynamic-linker=${loader}/ld-linux.so.2,-rpath=${loader}")

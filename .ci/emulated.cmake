# emulated.cmake: builds for another Linux machine with Debian's cross compiler, or with the clang that
# CMAKE_C_COMPILER names, and runs what it built under qemu; aarch64.cmake sets machine.
# SIGHTLINE_MACHINE_ROOT in the environment: where the libraries for it are.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${machine})
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER ${machine}-linux-gnu-gcc)
endif()
set(CMAKE_C_COMPILER_TARGET ${machine}-linux-gnu)
set(CMAKE_C_LIBRARY_ARCHITECTURE ${machine}-linux-gnu)
find_program(SIGHTLINE_QEMU NAMES qemu-${machine} qemu-${machine}-static)
set(CMAKE_CROSSCOMPILING_EMULATOR ${SIGHTLINE_QEMU} -L /usr/${machine}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/${machine}-linux-gnu $ENV{SIGHTLINE_MACHINE_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# aarch64.cmake: see emulated.cmake.
set(machine aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/emulated.cmake)

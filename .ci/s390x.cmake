# s390x.cmake: see emulated.cmake.
set(machine s390x)
include(${CMAKE_CURRENT_LIST_DIR}/emulated.cmake)

# Allocations, calls of the system and threads that fail, over everything that the library makes.
# Programs of cases that need sightline::io; and of threads, which do not.

# What fails here are the calls of POSIX.
if(portable_only)
  return()
endif()

# A malloc of our own for the whole program needs a C library that allows it, and no sanitizer.
include(CheckCSourceCompiles)
check_c_source_compiles("
  #include <stdlib.h>
  #if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  #error wrap
  #endif
  #ifdef __has_feature
  #if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
  #error wrap
  #endif
  #endif
  int main(void) { return 0; }" faults_own_malloc)

function(fault_test short) # SOURCE...
  if(faults/test_${short} IN_LIST left_out)
    return()
  endif()
  add_executable(faults_test_${short} ${CMAKE_CURRENT_SOURCE_DIR}/faults/test_${short}.c ${ARGN})
  sightline_compile(faults_test_${short})
  target_link_libraries(faults_test_${short} PRIVATE sightline_inside test_main)
  target_compile_definitions(faults_test_${short} PRIVATE SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  foreach(call IN LISTS wrapped)
    target_link_options(faults_test_${short} PRIVATE LINKER:--wrap=${call})
  endforeach()
  add_test(NAME faults/${short} COMMAND faults_test_${short})
endfunction()

set(wrapped pthread_create pthread_mutex_init pthread_cond_init)
fault_test(threads)
if(SIGHTLINE_IO)
  set(cases faults/fault_case.c faults/fault_contacts.c faults/fault_files.c faults/fault_scenes.c faults/fault_selections.c)
  set(wrapped ${wrapped_lib_test_file})
  fault_test(system ${cases})
  set(wrapped)
  if(NOT faults_own_malloc)
    set(wrapped malloc calloc realloc free aligned_alloc posix_memalign)
  endif()
  fault_test(allocations ${cases} faults/failing_malloc.c)
  if(NOT faults_own_malloc)
    target_compile_definitions(faults_test_allocations PRIVATE FAULTS_WRAP)
  endif()
endif()

# The command as it is, with that malloc in front of it; every third allocation behind the fortieth.
if(faults_own_malloc AND TARGET sightline_command AND NOT CMAKE_CROSSCOMPILING)
  add_library(faults_preload MODULE faults/preload.c faults/failing_malloc.c)
  sightline_compile(faults_preload)
  set(wrapped)
  fault_test(command)
  add_dependencies(faults_test_command faults_preload sightline_command)
  target_compile_definitions(faults_test_command PRIVATE
    FAULTS_PRELOAD="$<TARGET_FILE:faults_preload>"
    SIGHTLINE_COMMAND="$<TARGET_FILE:sightline_command>")
endif()

# Parts of runs, with that malloc and with calls of the system that fail.
if(TARGET faults_preload)
  add_library(faults_preload_io MODULE faults/preload_io.c)
  sightline_compile(faults_preload_io)
  target_link_libraries(faults_preload_io PRIVATE ${CMAKE_DL_LIBS})
  fault_test(parts)
  add_dependencies(faults_test_parts faults_preload faults_preload_io sightline_command)
  target_compile_definitions(faults_test_parts PRIVATE
    FAULTS_PRELOAD="$<TARGET_FILE:faults_preload>"
    FAULTS_PRELOAD_IO="$<TARGET_FILE:faults_preload_io>"
    COMMAND_FOLDER="$<TARGET_FILE_DIR:sightline_command>"
    SIGHTLINE_COMMAND="$<TARGET_FILE:sightline_command>")
endif()

# Every .inl of the kernels compiles as the only include of a file.
#
#   cmake -D ROOT=<source folder> -D CC=<compiler> -P stands_alone.cmake      fails, naming each that does not
#   cmake -D ROOT=<empty folder> -D CC=<compiler> -D PLANT=ON -P ...          plants one that does not
cmake_minimum_required(VERSION 3.22)

# Sets found to the files that do not compile alone, and count to how many there are.
function(check_alone root found count)
  file(GLOB_RECURSE files RELATIVE ${root} ${root}/bvh/*.inl)
  set(bad)
  foreach(file IN LISTS files)
    execute_process(
      COMMAND ${CC} -std=gnu17 -fsyntax-only -Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror
              -Wno-unused-function -Wno-unused-const-variable -I${root} -I${root}/lib/include
              -I${root}/bvh/include -x c -include ${root}/${file} -
      INPUT_FILE /dev/null RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
      list(APPEND bad ${file})
      if(NOT PLANT)
        message(STATUS "${errors}")
      endif()
    endif()
  endforeach()
  list(LENGTH files files)
  set(${count} ${files} PARENT_SCOPE)
  set(${found} "${bad}" PARENT_SCOPE)
endfunction()

if(PLANT)
  file(REMOVE_RECURSE ${ROOT})
  file(WRITE ${ROOT}/bvh/kernel/base.inl "static inline int one(void)\n{\n    return 1;\n}\n")
  file(WRITE ${ROOT}/bvh/kernel/leaning.inl "static inline int two(void)\n{\n    return one() + 1;\n}\n")
  file(WRITE ${ROOT}/bvh/kernel/fine.inl
       "#include \"bvh/kernel/base.inl\"\nstatic inline int two(void)\n{\n    return one() + 1;\n}\n")
  check_alone(${ROOT} found count)
  if(NOT found STREQUAL "bvh/kernel/leaning.inl")
    message(FATAL_ERROR "planted bvh/kernel/leaning.inl, found: ${found}")
  endif()
  message(STATUS "found the planted file, and no other")
else()
  check_alone(${ROOT} found count)
  if(count LESS 20)
    message(FATAL_ERROR "only ${count} files: is ${ROOT} the source folder?")
  endif()
  if(found)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "do not compile alone:\n  ${found}")
  endif()
  message(STATUS "each of ${count} files compiles alone")
endif()

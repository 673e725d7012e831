# Every file of ours is compiled without contraction, last on the command line; and without
# optimisations that change what arithmetic means.
#
#   cmake -D COMMANDS=<compile_commands.json> -D ROOT=<source folder> -P flags.cmake
#   cmake -D PLANT=<folder> -P flags.cmake        plants bad command lines, and wants each found
cmake_minimum_required(VERSION 3.22)

function(check_flags text root faults count)
  string(JSON length LENGTH "${text}")
  math(EXPR last "${length} - 1")
  set(wrong)
  set(checked 0)
  foreach(i RANGE ${last})
    string(JSON file GET "${text}" ${i} file)
    if(file MATCHES "^${root}/(lib|bvh|tools|test)/")
      math(EXPR checked "${checked} + 1")
      string(JSON command GET "${text}" ${i} command)
      string(REGEX MATCHALL " -ffp-contract=[a-z]+" contracts "${command}")
      list(POP_BACK contracts last_contract)
      if(NOT last_contract STREQUAL " -ffp-contract=off")
        list(APPEND wrong "${file}: no -ffp-contract=off")
      endif()
      string(REGEX MATCHALL " -(f|fno-)fast-math| -Ofast" fast "${command}")
      list(POP_BACK fast last_fast)
      if(last_fast AND NOT last_fast STREQUAL " -fno-fast-math")
        list(APPEND wrong "${file}:${last_fast}")
      endif()
    endif()
  endforeach()
  set(${faults} "${wrong}" PARENT_SCOPE)
  set(${count} ${checked} PARENT_SCOPE)
endfunction()

if(PLANT)
  set(text [=[[
    {"file": "/s/lib/base/a.c", "command": "cc -O2 -fno-fast-math -ffp-contract=off -c a.c"},
    {"file": "/s/lib/base/b.c", "command": "cc -O2 -c b.c"},
    {"file": "/s/bvh/kernel/c.c", "command": "cc -ffp-contract=off -mfma -ffp-contract=fast -c c.c"},
    {"file": "/s/tools/d.c", "command": "cc -ffp-contract=off -ffast-math -c d.c"},
    {"file": "/elsewhere/e.c", "command": "cc -c e.c"}
  ]]=])
  check_flags("${text}" /s faults count)
  set(expected "/s/lib/base/b.c: no -ffp-contract=off" "/s/bvh/kernel/c.c: no -ffp-contract=off"
      "/s/tools/d.c: -ffast-math")
  if(NOT faults STREQUAL expected OR NOT count EQUAL 4)
    message(FATAL_ERROR "expected: ${expected}\nfound:    ${faults}")
  endif()
  message(STATUS "found every planted command line, and no other")
else()
  file(READ ${COMMANDS} text)
  check_flags("${text}" ${ROOT} faults count)
  if(count LESS 20)
    message(FATAL_ERROR "only ${count} files of ${ROOT} in ${COMMANDS}")
  endif()
  if(faults)
    list(JOIN faults "\n  " faults)
    message(FATAL_ERROR "compiled with flags that change answers:\n  ${faults}")
  endif()
  message(STATUS "${count} files are compiled without contraction")
endif()

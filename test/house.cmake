# Tests of the house itself: includes, flags, symbols, packages.
add_test(NAME house/includes
         COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR}
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/includes.cmake)
add_test(NAME house/includes_are_caught
         COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_BINARY_DIR}/planted_includes -D PLANT=ON
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/includes.cmake)
add_test(NAME house/simd_table
         COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR}
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/simd_table.cmake)
add_test(NAME house/simd_table_is_caught
         COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_BINARY_DIR}/planted_operations -D PLANT=ON
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/simd_table.cmake)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_HOST_WIN32)
  add_test(NAME house/stands_alone
           COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D CC=${CMAKE_C_COMPILER}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/stands_alone.cmake)
  add_test(NAME house/stands_alone_is_caught
           COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_BINARY_DIR}/planted_leaning -D PLANT=ON
                   -D CC=${CMAKE_C_COMPILER} -P ${CMAKE_CURRENT_SOURCE_DIR}/stands_alone.cmake)
  find_program(CLANG NAMES clang-19 clang)
  set(headers ${CMAKE_COMMAND} -D CC=${CMAKE_C_COMPILER} "-DCXX=${CMAKE_CXX_COMPILER}" "-DCLANG=${CLANG}"
              -D TO=${CMAKE_CURRENT_BINARY_DIR})
  add_test(NAME house/headers
           COMMAND ${headers} -D ROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/headers.cmake)
  add_test(NAME house/headers_are_caught
           COMMAND ${headers} -D ROOT=${CMAKE_CURRENT_BINARY_DIR}/planted_headers -D PLANT=ON
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/headers.cmake)
endif()
add_test(NAME house/flags
         COMMAND ${CMAKE_COMMAND} -D COMMANDS=${PROJECT_BINARY_DIR}/compile_commands.json
                 -D ROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/flags.cmake)
add_test(NAME house/flags_are_caught
         COMMAND ${CMAKE_COMMAND} -D PLANT=ON -P ${CMAKE_CURRENT_SOURCE_DIR}/flags.cmake)

# A function with a parameter of which nothing is known stops the build, by name (support/query/calls.awk).
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/planted_calls.md "| `void sl_planted(int unknown)` | does nothing |\n")
add_test(NAME house/calls_are_known
         COMMAND ${AWK} -f ${CMAKE_CURRENT_SOURCE_DIR}/support/query/calls.awk
                 ${CMAKE_CURRENT_SOURCE_DIR}/support/query/arguments.txt ${CMAKE_CURRENT_BINARY_DIR}/planted_calls.md)
set_tests_properties(house/calls_are_known PROPERTIES PASS_REGULAR_EXPRESSION "nothing for int unknown of sl_planted")

# The command starts without Embree, whose library it opens only to compare with it.
if(TARGET sightline_command AND CMAKE_READELF AND NOT APPLE)
  add_test(NAME house/needed
           COMMAND ${CMAKE_COMMAND} -D READELF=${CMAKE_READELF} "-DREFUSED=embree|tbb"
                   -D PROGRAM=$<TARGET_FILE:sightline_command> -P ${CMAKE_CURRENT_SOURCE_DIR}/needed.cmake)
endif()

# Recipes of package managers are the project's own.
find_program(PYTHON3 python3)
find_program(RUBY ruby)
add_test(NAME house/packages
         COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D TO=${CMAKE_CURRENT_BINARY_DIR}/packages
                 -D VERSION=${PROJECT_VERSION} "-DDESCRIPTION=${PROJECT_DESCRIPTION}" "-DPYTHON=${PYTHON3}"
                 "-DRUBY=${RUBY}" -P ${CMAKE_CURRENT_SOURCE_DIR}/packages.cmake)

# The scripts say how far a build is.
add_test(NAME house/steps
         COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/steps.sh ${CMAKE_CURRENT_BINARY_DIR}/steps)

# Every classical case has a test; test/cases.sh BUILD runs them.
add_test(NAME house/cases COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cases.sh)

# The library as users get it: this build, and one of the other kind beside it, unoptimised, since what matters here is
# that it links.  A project that fetches the sources (package/fetched) makes that one, so that it is compiled once.
get_target_property(type sightline TYPE)
set(here static)
set(there shared)
if(type STREQUAL "SHARED_LIBRARY")
  set(here shared)
  set(there static)
endif()
set(there_dir ${CMAKE_CURRENT_BINARY_DIR}/consumer_fetched/cmake/_deps/sightline-build)

set(${here}_build ${PROJECT_BINARY_DIR})
set(${there}_build ${there_dir})
set(suffix_static .a)
set(suffix_shared .so)
foreach(kind IN ITEMS static shared)
  set(${kind}_libraries ${${kind}_build}/lib/libsightline${suffix_${kind}})
  if(SIGHTLINE_IO OR kind STREQUAL there)
    list(APPEND ${kind}_libraries ${${kind}_build}/lib/libsightline_io${suffix_${kind}})
  endif()
endforeach()
add_test(NAME house/exports
         COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D CC=${CMAKE_C_COMPILER} -D VERSION=${PROJECT_VERSION}
                 "-DSHARED=${shared_libraries}"
                 "-DSTATIC=${static_libraries}"
                 "-DHEADERS=${PROJECT_SOURCE_DIR}/lib/include;${PROJECT_SOURCE_DIR}/bvh/include"
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/exports.cmake)
set_tests_properties(house/exports PROPERTIES FIXTURES_REQUIRED other_kind)
add_test(NAME house/exports_are_caught
         COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D CC=${CMAKE_C_COMPILER} -D AR=${CMAKE_AR}
                 -D PLANT=${CMAKE_CURRENT_BINARY_DIR}/planted_symbols
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/exports.cmake)

include(CheckLanguage)
check_language(CXX)
function(consumer_test name how kind build)
  add_test(NAME package/${name}
           COMMAND ${CMAKE_COMMAND} -D HOW=${how} -D KIND=${kind} -D BUILD=${build}
                   -D FOLDER=${CMAKE_CURRENT_BINARY_DIR}/consumer_${name}
                   -D ROOT=${PROJECT_SOURCE_DIR} -D CC=${CMAKE_C_COMPILER}
                   "-DCXX=${CMAKE_CXX_COMPILER}" "-DC_FLAGS=${CMAKE_C_FLAGS}"
                   "-DGENERATOR=${CMAKE_GENERATOR}" -D VERSION=${PROJECT_VERSION} -D SCDOC=${SCDOC}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)
endfunction()
if(SIGHTLINE_IO AND SIGHTLINE_INSTALL)
  consumer_test(${here} installed ${here} ${PROJECT_BINARY_DIR})
endif()
consumer_test(${there} installed ${there} ${there_dir})
set_tests_properties(package/${there} PROPERTIES FIXTURES_REQUIRED other_kind)
consumer_test(fetched fetched ${there} -)
set_tests_properties(package/fetched PROPERTIES FIXTURES_SETUP other_kind)

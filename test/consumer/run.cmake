# Builds and runs the consumers against sightline as users get it.
#   HOW     installed: BUILD is installed to a prefix of its own; used through the CMake package, and
#           through pkg-config
#           fetched: ROOT is a part of the consumer's project, which builds the library as KIND, and what would
#           be installed of it; of the other kind, and without, it is only configured
#   FOLDER  to work in      ROOT, BUILD  of sightline      CC, CXX (may be empty), C_FLAGS, GENERATOR
#   KIND    static or shared; VERSION
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(failed)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${failed}:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(run_consumers folder)
  foreach(program IN ITEMS consumer_c consumer_cxx)
    if(EXISTS ${folder}/${program})
      run(${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${libdir}" ${folder}/${program})
      message(STATUS "${KIND}, ${HOW}: ${output}")
    elseif(program STREQUAL "consumer_c" OR with_cxx)
      message(FATAL_ERROR "${folder}/${program} was not built")
    endif()
  endforeach()
endfunction()

set(with_cxx ON)
if(NOT CXX)
  set(with_cxx OFF)
  message(STATUS "no C++ compiler: C++ is skipped")
endif()
file(REMOVE_RECURSE ${FOLDER})
set(prefix "${FOLDER}/a prefix") # with a blank, as users have them
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -S ${ROOT}/test/consumer -B ${FOLDER}/cmake
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=${CC} -DCMAKE_C_FLAGS=${C_FLAGS}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${C_FLAGS} -DWITH_CXX=${with_cxx})

if(HOW STREQUAL "fetched")
  set(shared OFF)
  if(KIND STREQUAL "shared")
    set(shared ON)
  endif()
  run(${configure} -B ${FOLDER}/as_it_is -DFETCH=${ROOT})
  # Debuggers are not asked to this.
  run(${configure} -DFETCH=${ROOT} -DBUILD_SHARED_LIBS=${shared} -DSIGHTLINE_INSTALL=ON -DCMAKE_C_FLAGS_DEBUG=-g0)
  run(${CMAKE_COMMAND} --build ${FOLDER}/cmake -j 2)
  run_consumers(${FOLDER}/cmake)
  return()
endif()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${configure} -DCMAKE_PREFIX_PATH=${prefix} -DEXPECTED_VERSION=${VERSION}
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
file(STRINGS ${FOLDER}/cmake/CMakeCache.txt found REGEX "^sightline_DIR:")
if(NOT found MATCHES "a prefix")
  message(FATAL_ERROR "another sightline was found: ${found}")
endif()
run(${CMAKE_COMMAND} --build ${FOLDER}/cmake)
run_consumers(${FOLDER}/cmake)

# pkg-config: what a user types, word for word.
file(GLOB_RECURSE pc "${prefix}/*/sightline-io.pc")
get_filename_component(pc_folder "${pc}" DIRECTORY)
get_filename_component(libdir "${pc_folder}/.." ABSOLUTE)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
run(sh -c "pkg-config --modversion sightline-io")
if(NOT output MATCHES "^${VERSION}\n")
  message(FATAL_ERROR "pkg-config says version ${output}")
endif()
run(sh -c "eval ${CC} ${C_FLAGS} -o '${FOLDER}/consumer_c' '${ROOT}/test/consumer/consumer.c' \
           $(pkg-config --cflags --libs sightline-io)")
if(with_cxx)
  run(sh -c "eval ${CXX} ${C_FLAGS} -o '${FOLDER}/consumer_cxx' \
             '${ROOT}/test/consumer/consumer.cpp' $(pkg-config --cflags --libs sightline-io)")
endif()
run_consumers(${FOLDER})

# The command, where it was built, runs from there too.
if(EXISTS "${prefix}/bin/sightline")
  run("${prefix}/bin/sightline" --version)
  if(NOT output MATCHES "${VERSION}")
    message(FATAL_ERROR "the installed command says ${output}")
  endif()
  set(beside "share/bash-completion/completions/sightline" "share/zsh/site-functions/_sightline"
             "share/fish/vendor_completions.d/sightline.fish")
  if(SCDOC)
    foreach(page IN ITEMS sightline sightline-bake sightline-bench sightline-check)
      list(APPEND beside "share/man/man1/${page}.1")
    endforeach()
  else()
    message(STATUS "there is no scdoc: man pages are skipped")
  endif()
  foreach(file IN LISTS beside)
    file(SIZE "${prefix}/${file}" size) # fails where there is none
    if(size LESS 1000)
      message(FATAL_ERROR "${file} is installed with ${size} bytes")
    endif()
  endforeach()
endif()

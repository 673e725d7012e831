# The cliff finder (.ci/cliffs.sh), linked with the library as a user's program is, since it measures time.
file(GLOB cliff_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cliffs/*.c)
# Embree is reached as bench reaches it.
if(SIGHTLINE_EMBREE AND EMBREE_INCLUDE_DIR)
  file(GLOB peer CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/bench/peer/embree*.c)
else()
  set(peer ${PROJECT_SOURCE_DIR}/tools/bench/peer/no_embree.c)
endif()
add_executable(cliffs ${cliff_sources} ${peer})
sightline_compile(cliffs)
target_include_directories(cliffs PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(cliffs PRIVATE bench_harness sightline ${CMAKE_DL_LIBS} m)
if(SIGHTLINE_EMBREE AND EMBREE_INCLUDE_DIR)
  target_include_directories(cliffs SYSTEM PRIVATE ${EMBREE_INCLUDE_DIR})
endif()
if(SIGHTLINE_IO)
  target_compile_definitions(cliffs PRIVATE CLIFFS_IO)
  target_link_libraries(cliffs PRIVATE sightline_io)
endif()

# Cases that were cliffs once; and the same with limits that they break.
add_test(NAME bvh/cliffs COMMAND cliffs --known ${CMAKE_CURRENT_SOURCE_DIR}/cliffs/known.txt)
add_test(NAME bvh/cliffs_are_caught
         COMMAND cliffs --scale 0.1 --known ${CMAKE_CURRENT_SOURCE_DIR}/cliffs/known.txt)
# Worlds of instances: cases are what their texts say, and answers agree, however they are asked.
add_test(NAME bvh/cliffs_of_worlds COMMAND cliffs --check 120)
set_tests_properties(bvh/cliffs_are_caught PROPERTIES PASS_REGULAR_EXPRESSION "CLIFF plain.*CLIFF moved.*CLIFF shared")

# Each test/cli/x.sh is a case of the command; run.sh compares with x.out and x.err, and rewrites
# them on request.
if(TARGET sightline_command)
  file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.sh)
  list(REMOVE_ITEM cases ${CMAKE_CURRENT_LIST_DIR}/run.sh)
  foreach(case ${cases})
    get_filename_component(name ${case} NAME_WE)
    add_test(NAME cli/${name} COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/run.sh
                                      $<TARGET_FILE:sightline_command> ${case})
    set_tests_properties(cli/${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()

  # The comparison itself, which no case can make fail.
  add_executable(tools_test_verify tools/test_verify.c
    ${PROJECT_SOURCE_DIR}/tools/verify.c ${PROJECT_SOURCE_DIR}/tools/asks.c)
  sightline_compile(tools_test_verify)
  target_include_directories(tools_test_verify SYSTEM PRIVATE ${CMOCKA_INCLUDE_DIR})
  target_link_libraries(tools_test_verify PRIVATE sightline_inside ${CMOCKA_LIBRARY})
  add_test(NAME tools/verify COMMAND tools_test_verify)
endif()

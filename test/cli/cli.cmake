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
  foreach(shell IN ITEMS bash zsh fish)
    add_test(NAME cli/completion_${shell}
             COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/completion.sh $<TARGET_FILE:sightline_command>
                     ${shell} ${CMAKE_CURRENT_BINARY_DIR}/completion_${shell})
    set_tests_properties(cli/completion_${shell} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()

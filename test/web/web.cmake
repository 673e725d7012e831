# The JavaScript package, by the module of this build (.ci/web.sh packs it first, and installs what these import).
if(NOT TARGET sightline_wasm)
  message(STATUS "Without tests of the JavaScript package (SIGHTLINE_WEB is off)")
  return()
endif()

# Each x.test.mjs is web/x.  What a test lacks, it says.
file(GLOB web_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/web/*.test.mjs)
foreach(file IN LISTS web_tests)
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME web/${name} COMMAND ${SIGHTLINE_NODE} --test --test-reporter=tap ${file})
  set_tests_properties(web/${name} PROPERTIES TIMEOUT 1800 ENVIRONMENT
    "SIGHTLINE_WASM=$<TARGET_FILE:sightline_wasm>;SIGHTLINE_WASM_CORE=$<TARGET_FILE:sightline_wasm_core>")
endforeach()

# A locale in which numbers are written with a comma, made in the build folder where the system has
# what that takes (Debian: locales), for the tests that hold against it.
find_program(SIGHTLINE_LOCALEDEF localedef)
set(locales ${CMAKE_CURRENT_BINARY_DIR}/locales)
if(SIGHTLINE_LOCALEDEF AND NOT CMAKE_CROSSCOMPILING AND NOT EXISTS ${locales}/de_DE.UTF-8)
  file(MAKE_DIRECTORY ${locales})
  execute_process(COMMAND ${SIGHTLINE_LOCALEDEF} -c -i de_DE -f UTF-8 ${locales}/de_DE.UTF-8
                  OUTPUT_QUIET ERROR_QUIET)
endif()
if(EXISTS ${locales}/de_DE.UTF-8)
  set_tests_properties(lib/load bvh/matrix PROPERTIES ENVIRONMENT LOCPATH=${locales})
endif()

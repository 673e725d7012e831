# The documents: examples are compiled as a user would and print what they should, and what README.md
# and docs show is tried.
set(arguments_pick_under_mouse 420 280)
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/examples/*.c)

# What opens a window is built where GLFW is found, and run where there is a screen that is none.
list(FILTER examples EXCLUDE REGEX "/editor_window\\.c$")
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(GLFW QUIET IMPORTED_TARGET glfw3 gl)
endif()
if(GLFW_FOUND)
  add_executable(example_editor_window ${PROJECT_SOURCE_DIR}/docs/examples/editor_window.c)
  sightline_compile(example_editor_window)
  set_target_properties(example_editor_window PROPERTIES INCLUDE_DIRECTORIES "")
  target_link_libraries(example_editor_window PRIVATE sightline PkgConfig::GLFW m)
  find_program(XVFB_RUN xvfb-run)
  if(XVFB_RUN)
    add_test(NAME docs/editor_window
             COMMAND ${CMAKE_COMMAND} -D PROGRAM=${XVFB_RUN}
                     "-DARGUMENTS=-a;-s;-screen 0 1024x768x24;$<TARGET_FILE:example_editor_window>;${PROJECT_SOURCE_DIR}/test/data/spot.obj;--script;${CMAKE_CURRENT_BINARY_DIR}/editor_window.ppm"
                     -D EXPECTED=${CMAKE_CURRENT_SOURCE_DIR}/examples/editor_window.out
                     -P ${CMAKE_CURRENT_SOURCE_DIR}/examples/compare.cmake)
    # What drivers of the screen keep until the end is not ours to find.
    set_tests_properties(docs/editor_window PROPERTIES
                         ENVIRONMENT "LIBGL_ALWAYS_SOFTWARE=1;ASAN_OPTIONS=detect_leaks=0")
  endif()
endif()

foreach(source IN LISTS examples)
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  sightline_compile(example_${name})
  set_target_properties(example_${name} PROPERTIES INCLUDE_DIRECTORIES "")
  target_link_libraries(example_${name} PRIVATE sightline)
  add_test(NAME docs/${name}
           COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:example_${name}>
                   "-DARGUMENTS=${PROJECT_SOURCE_DIR}/test/data/spot.obj;${arguments_${name}}"
                   -D EXPECTED=${CMAKE_CURRENT_SOURCE_DIR}/examples/${name}.out
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/examples/compare.cmake)
endforeach()

set(command)
if(TARGET sightline_command)
  set(command $<TARGET_FILE:sightline_command>)
endif()
set(rpath)
if(BUILD_SHARED_LIBS)
  set(rpath " -Wl,-rpath,$<TARGET_FILE_DIR:sightline>")
endif()
add_test(NAME docs/shown
         COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/examples/docs.sh ${PROJECT_SOURCE_DIR}
                 ${CMAKE_CURRENT_BINARY_DIR}/shown ${CMAKE_C_COMPILER} "${CMAKE_C_FLAGS}"
                 "$<TARGET_FILE:sightline>${rpath}" ${command})
# The pictures of shapes, as a user of the public headers makes them (but for the axes of sat.c), and the
# test of what is on them.
file(GLOB drawing CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/pictures/draw/*.c)
add_executable(draw_shapes ${drawing})
sightline_compile(draw_shapes)
target_link_libraries(draw_shapes PRIVATE sightline sightline_inside m)
list(FILTER drawing EXCLUDE REGEX "/main\\.c$")
add_executable(docs_test_shape_pictures docs/test_shape_pictures.c ${drawing})
sightline_compile(docs_test_shape_pictures)
target_include_directories(docs_test_shape_pictures SYSTEM PRIVATE ${CMOCKA_INCLUDE_DIR})
target_link_libraries(docs_test_shape_pictures PRIVATE sightline test_main m)
add_test(NAME docs/shape_pictures COMMAND docs_test_shape_pictures)

if(TARGET sightline_command)
  add_test(NAME docs/pictures
           COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/examples/pictures.sh ${PROJECT_SOURCE_DIR}
                   ${CMAKE_CURRENT_BINARY_DIR}/pictures ${command} $<TARGET_FILE:draw_shapes>)
endif()

# The page of the whole face is what the headers make; what the site is built with, which .ci/site.sh builds.
find_program(PYTHON3 python3)
if(PYTHON3)
  add_test(NAME docs/api COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/docs/api.py --check)
  add_test(NAME docs/site COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/docs/test_site.py)
endif()

# The library in one file, for those who vendor.  Compilers that are told to do more than to compile do it elsewhere.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND CMAKE_C_FLAGS STREQUAL "" AND CMAKE_EXPORT_COMPILE_COMMANDS AND NOT SIGHTLINE_SMALL)
  set(portable_support ${support})
  list(FILTER portable_support INCLUDE REGEX "/(callers_env|answers_hash|hard/rays|made)\\.c$")
  add_test(NAME docs/one_file
           COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/examples/one_file.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
                   ${CMAKE_CURRENT_BINARY_DIR}/one_file ${CMAKE_C_COMPILER} ${Python3_EXECUTABLE}
                   ${CMAKE_CURRENT_SOURCE_DIR}/support/test.c ${portable_support})
endif()

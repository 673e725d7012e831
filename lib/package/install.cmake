# What goes where: libraries, headers, the CMake package, pkg-config files and the command.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sightline)
get_target_property(library_type sightline TYPE)
set(SIGHTLINE_STATIC OFF)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(SIGHTLINE_STATIC ON)
endif()

install(DIRECTORY lib/include/ bvh/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "io.h" EXCLUDE)
install(TARGETS sightline EXPORT sightline)
install(EXPORT sightline NAMESPACE sightline:: DESTINATION ${package_dir}
        FILE sightline-core.cmake)

# From the folder of the libraries or the command to that of the libraries, wherever both are moved.
file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
if(SIGHTLINE_IO)
  install(FILES lib/include/sightline/io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sightline)
  install(TARGETS sightline_io EXPORT sightline-io)
  install(EXPORT sightline-io NAMESPACE sightline:: DESTINATION ${package_dir})
  install(FILES lib/package/sightline-io-needs.cmake DESTINATION ${package_dir})
  set_target_properties(sightline_io PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
if(SIGHTLINE_TOOLS)
  install(TARGETS sightline_command)
  set_target_properties(sightline_command PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
endif()

# Man pages, where there is scdoc to make them.
find_program(SCDOC scdoc)
if(SIGHTLINE_TOOLS AND SCDOC)
  file(GLOB pages CONFIGURE_DEPENDS docs/man/*.scd)
  set(made_pages)
  foreach(page IN LISTS pages)
    get_filename_component(name ${page} NAME_WLE)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${name}
      COMMAND sh -c "'${SCDOC}' < '${page}' > '${PROJECT_BINARY_DIR}/${name}'" VERBATIM
      DEPENDS ${page})
    list(APPEND made_pages ${PROJECT_BINARY_DIR}/${name})
  endforeach()
  add_custom_target(sightline_man ALL DEPENDS ${made_pages})
  install(FILES ${made_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

configure_package_config_file(lib/package/sightline-config.cmake.in
  ${PROJECT_BINARY_DIR}/sightline-config.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sightline-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sightline-config.cmake
              ${PROJECT_BINARY_DIR}/sightline-config-version.cmake
        DESTINATION ${package_dir})

# pkg-config: a static library cannot say what it needs, so its file does.
set(core_needs "-lm")
if(SIGHTLINE_THREADS)
  string(APPEND core_needs " -pthread")
endif()
set(io_needs "libpng zlib jansson")
set(io_libs "")
if(SIGHTLINE_STATIC AND sightline_with_meshoptimizer)
  set(io_libs " -lmeshoptimizer")
endif()
foreach(what IN ITEMS core io)
  if(SIGHTLINE_STATIC)
    set(${what}_public " ${${what}_needs}")
    set(${what}_private "")
  else()
    set(${what}_public "")
    set(${what}_private " ${${what}_needs}")
  endif()
endforeach()
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig/ /.)
set(pc_prefix "\${pcfiledir}/${to_prefix}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
endif()
foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
    set(pc_${folder} "${CMAKE_INSTALL_${folder}}")
  else()
    set(pc_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
  endif()
endforeach()
set(pc_static "")
if(SIGHTLINE_STATIC)
  set(pc_static " -DSL_STATIC") # base.h
endif()
set(packages sightline)
if(SIGHTLINE_IO)
  list(APPEND packages sightline-io)
endif()
foreach(package IN LISTS packages)
  configure_file(lib/package/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# What sightline::io links, as targets, in sightline_io_needs: PNG::PNG, ZLIB::ZLIB, sightline::jansson
# and, where sightline_with_meshoptimizer says so, sightline::meshoptimizer.  sightline_io_missing lists
# those of them that are not there.
find_package(PNG QUIET)
find_package(ZLIB QUIET)

macro(sightline_find name header)
  find_path(sightline_${name}_INCLUDE_DIR ${header})
  find_library(sightline_${name}_LIBRARY ${name})
  mark_as_advanced(sightline_${name}_INCLUDE_DIR sightline_${name}_LIBRARY)
  if(sightline_${name}_INCLUDE_DIR AND sightline_${name}_LIBRARY AND NOT TARGET sightline::${name})
    add_library(sightline::${name} UNKNOWN IMPORTED)
    set_target_properties(sightline::${name} PROPERTIES
      IMPORTED_LOCATION "${sightline_${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${sightline_${name}_INCLUDE_DIR}")
  endif()
endmacro()
set(sightline_io_needs PNG::PNG ZLIB::ZLIB sightline::jansson)
sightline_find(jansson jansson.h)
if(sightline_with_meshoptimizer)
  list(APPEND sightline_io_needs sightline::meshoptimizer)
  sightline_find(meshoptimizer meshoptimizer.h)
endif()

set(sightline_io_missing)
foreach(need IN LISTS sightline_io_needs)
  if(NOT TARGET ${need})
    list(APPEND sightline_io_missing ${need})
  endif()
endforeach()

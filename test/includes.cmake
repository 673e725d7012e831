# Who may include whom: down only.  The table is the one in docs/tour.md.
#
#   cmake -D ROOT=<source folder> -P includes.cmake        fails, naming every include that points up
#   cmake -D ROOT=<empty folder> -D PLANT=ON -P ...        plants bad includes there and wants each found
cmake_minimum_required(VERSION 3.22)

# Folder, and what files of it may include of ours, as regular expressions; public headers of lib
# may be included everywhere.
set(public_lib "<sightline/(base|task|shapes|proxy|intersect|overlap|closest|camera|mesh|mesh_format|boundary|image|io)\\.h>")
set(public "<sightline/[a-z_]+\\.h>")
set(rules
  "lib/include/.*        : ${public_lib}"
  "bvh/include/.*        : ${public}"
  "lib/base/.*           : ${public_lib} \"lib/base/[^\"]*\""
  # The rooms of lib/geom use exact and nothing of one another, but for overlap, which measures distances.
  "lib/geom/exact/.*     : ${public_lib} \"lib/(base|geom/exact)/[^\"]*\""
  "lib/geom/(intersect|closest|bounds|camera)/.* : ${public_lib} \"lib/(base|geom/(exact|@SAME@))/[^\"]*\""
  "lib/geom/overlap/.*   : ${public_lib} \"lib/(base|geom/(exact|overlap|closest))/[^\"]*\""
  "lib/image/.*          : ${public_lib} \"lib/(base|image)/[^\"]*\""
  "lib/mesh/.*           : ${public_lib} \"lib/(base|geom|mesh)/[^\"]*\""
  "bvh/tree/(node_.*|node2|tri_pack)\\.h : -"
  "bvh/tree/.*           : ${public} \"(bvh/tree|lib/base)/[^\"]*\""
  "bvh/kernel/dispatch\\.c : ${public} \"bvh/(tree|kernel)/[^\"]*\" \"lib/base/cpu\\.h\""
  # hit_heap.h and point_triangle.h, like exact/predicates.h, only declare: their code is compiled for the baseline.
  "bvh/kernel/.*         : ${public} \"bvh/(tree|kernel)/[^\"]*\" \"lib/geom/(exact/predicates|intersect/hit_heap|closest/point_triangle)\\.h\" \"lib/base/inline\\.h\""
  "bvh/(builder|store)/.*  : ${public} \"(bvh/tree|lib/base|lib/geom)/[^\"]*\" \"bvh/@SAME@/[^\"]*\""
  "bvh/query/.*          : ${public} \"(bvh/tree|bvh/kernel|bvh/query|lib/base|lib/geom)/[^\"]*\""
  "bvh/scene/.*          : ${public} \"(bvh/(tree|query|builder|scene)|lib/base|lib/geom)/[^\"]*\""
  "tools/.*              : ${public} \"tools/[^\"]*\""
  "docs/examples/.*      : ${public}"
  "test/consumer/.*      : ${public}"
  "test/.*               : ${public} \"(lib|bvh|tools|test)/[^\"]*\"")

# System headers of others stay where they belong; public headers want nothing but the C standard's.
set(foreign
  "cglm/.*      : lib/geom/.*|test/.*"
  "png\\.h      : lib/image/.*|test/.*"
  "jansson\\.h  : lib/mesh/gltf/gltf\\.h|tools/.*|test/.*"
  "zlib\\.h     : lib/mesh/format/gzip\\.c|test/.*"
  "meshoptimizer\\.h : lib/mesh/gltf/meshopt\\.c|test/.*"
  "xxhash\\.h   : lib/base/hash\\.c"
  "gmp\\.h      : test/.*"
  "cmocka\\.h   : test/.*"
  "embree.*     : tools/bench/embree[a-z_]*\\.[ch]"
  "dlfcn\\.h    : tools/bench/embree_api\\.c"
  "pthread\\.h  : lib/base/thread/thread\\.h|test/.*")
set(standard "<std(bool|def|int)\\.h>")

# Sets allowed to whether rules let file include what.
function(ask file what allowed)
  set(${allowed} FALSE PARENT_SCOPE)
  if(what MATCHES "^\"" OR what MATCHES "^<sightline/")
    foreach(rule IN LISTS rules)
      string(REGEX MATCH "^(.*[^ ]) *: (.*)$" _ "${rule}")
      set(who "${CMAKE_MATCH_1}")
      set(whom "${CMAKE_MATCH_2}")
      if(file MATCHES "^${who}$")
        string(REGEX REPLACE "^(bvh|lib/geom)/([a-z]+)/.*" "\\2" same "${file}")
        string(REPLACE "@SAME@" "${same}" whom "${whom}")
        string(REPLACE " " "|" whom "${whom}")
        if(what MATCHES "^(${whom})$")
          set(${allowed} TRUE PARENT_SCOPE)
        endif()
        return()
      endif()
    endforeach()
    return() # a folder without a rule may include nothing of ours
  endif()
  if(file MATCHES "^(lib|bvh)/include/|^bvh/tree/(node.*|tri_pack)\\.h$")
    if(what MATCHES "^${standard}$")
      set(${allowed} TRUE PARENT_SCOPE)
    endif()
    return()
  endif()
  foreach(rule IN LISTS foreign)
    string(REGEX MATCH "^(.*[^ ]) *: (.*)$" _ "${rule}")
    if(what MATCHES "^<${CMAKE_MATCH_1}>$" AND NOT file MATCHES "^(${CMAKE_MATCH_2})$")
      return()
    endif()
  endforeach()
  set(${allowed} TRUE PARENT_SCOPE)
endfunction()

# Sets found to "file: include" for each one that is not allowed, and files to how many were read.
function(check_includes root found files)
  file(GLOB_RECURSE all RELATIVE ${root}
       ${root}/lib/*.[ch] ${root}/bvh/*.[ch] ${root}/bvh/*.inl ${root}/tools/*.[ch]
       ${root}/test/*.[ch] ${root}/test/*.cpp ${root}/docs/examples/*.[ch])
  set(bad)
  foreach(file IN LISTS all)
    file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"]*[>\"]).*" "\\1" what "${line}")
      ask("${file}" "${what}" allowed)
      if(NOT allowed)
        list(APPEND bad "${file}: ${what}")
      endif()
    endforeach()
  endforeach()
  list(LENGTH all count)
  set(${found} "${bad}" PARENT_SCOPE)
  set(${files} ${count} PARENT_SCOPE)
endfunction()

if(PLANT)
  set(plants
    "lib/base/a.c: \"lib/geom/b.h\""
    "lib/base/a.h: <sightline/bvh.h>"
    "lib/geom/a.c: \"lib/base/memory.h\""
    "lib/geom/camera/a.c: \"bvh/tree/tree.h\""
    "lib/geom/camera/b.c: \"c.h\""
    "lib/geom/closest/a.c: \"lib/geom/overlap/overlap.h\""
    "lib/geom/exact/a.c: \"lib/geom/overlap/overlap.h\""
    "lib/geom/intersect/a.c: \"lib/geom/closest/projection.h\""
    "lib/geom/overlap/a.c: <png.h>"
    "lib/mesh/a.c: \"lib/image/b.h\""
    "lib/include/sightline/a.h: <stdio.h>"
    "lib/include/sightline/shapes.h: <sightline/bvh.h>"
    "bvh/tree/a.c: \"lib/geom/exact/predicates.h\""
    "bvh/tree/node_x.h: <math.h>"
    "bvh/kernel/kernel_x.c: \"lib/base/cpu.h\""
    "bvh/kernel/x.inl: \"lib/geom/exact/expansion.h\""
    "bvh/builder/a.c: \"bvh/query/query.h\""
    "bvh/builder/b.c: \"bvh/store/format.h\""
    "bvh/query/a.c: \"bvh/builder/split/split.h\""
    "bvh/query/b.c: <cglm/cglm.h>"
    "bvh/elsewhere/a.c: \"lib/base/memory.h\""
    "tools/x/command.c: \"lib/base/memory.h\""
    "docs/examples/a.c: \"tools/cli/options.h\"")
  set(fine
    "lib/base/fine.c: \"lib/base/memory.h\""
    "lib/geom/closest/fine.c: \"lib/geom/closest/projection.h\""
    "lib/geom/intersect/fine.c: <math.h>"
    "lib/geom/overlap/fine.c: \"lib/geom/closest/point_triangle.h\""
    "bvh/builder/fine.c: \"bvh/builder/split/split.h\""
    "bvh/query/fine.c: <sightline/ray_query.h>"
    "bvh/kernel/fine.c: \"lib/geom/exact/predicates.h\""
    "test/lib/fine.c: \"bvh/tree/tree.h\"")
  file(REMOVE_RECURSE ${ROOT})
  foreach(plant IN LISTS plants fine)
    string(REGEX MATCH "^([^:]*): (.*)$" _ "${plant}")
    file(WRITE ${ROOT}/${CMAKE_MATCH_1} "/* planted */\n#  include ${CMAKE_MATCH_2} /* here */\n")
  endforeach()
  check_includes(${ROOT} found files)
  list(SORT plants)
  list(SORT found)
  if(NOT found STREQUAL plants)
    list(JOIN plants "\n  " plants)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "planted:\n  ${plants}\nfound:\n  ${found}")
  endif()
  message(STATUS "found every planted include, and no other")
else()
  check_includes(${ROOT} found files)
  if(files LESS 50)
    message(FATAL_ERROR "only ${files} files under ${ROOT}: is that the source folder?")
  endif()
  if(found)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "includes that may not be (docs/tour.md has the table):\n  ${found}")
  endif()
  message(STATUS "${files} files include nothing that they may not")
endif()

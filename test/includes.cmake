# Which folder may include which: down only.  The table is the one in docs/tour.md.  And what makes the files
# of kernels (.inl) stand alone: #pragma once, no include in a circle, no function that is
# declared before it is defined; and no rooms of the kernel that include one another.
#
#   cmake -D ROOT=<source folder> -P includes.cmake        fails, naming every include that points up
#   cmake -D ROOT=<empty folder> -D PLANT=ON -P ...        plants violations there and wants each found
cmake_minimum_required(VERSION 3.22)

# Folder, and what files of it may include of ours, as regular expressions; public headers of lib
# may be included everywhere.
set(public_lib "<sightline/(base|shapes|transform|options|intersect|overlap|closest|contact|camera|gizmo|mesh|mesh_repair|mesh_format|topology|io)\\.h>")
set(public "<sightline/[a-z_]+\\.h>")
set(rules
  "lib/include/.*        : ${public_lib}"
  "bvh/include/.*        : ${public}"
  "lib/base/.*           : ${public_lib} \"lib/base/[^\"]*\""
  # The rooms of lib/geom use exact and nothing of one another, but for convex, which overlap and sweep use, and for
  # overlap, which measures distances.
  "lib/geom/exact/arithmetic/.* : ${public_lib} \"lib/(base|geom/exact/arithmetic)/[^\"]*\""
  "lib/geom/exact/.*     : ${public_lib} \"lib/(base|geom/exact)/[^\"]*\""
  "lib/geom/(intersect|closest|bounds|camera|transform|convex)/.* : ${public_lib} \"lib/(base|geom/(exact|@SAME@))/[^\"]*\""
  # Whether two triangles overlap is one decision, that of contact, which relation.h gives overlap.
  "lib/geom/overlap/.*   : ${public_lib} \"lib/(base|geom/(exact|convex|overlap|closest))/[^\"]*\" \"lib/geom/contact/relation\\.h\""
  "lib/geom/contact/.*   : ${public_lib} \"lib/(base|geom/(exact|closest|contact))/[^\"]*\""
  "lib/geom/sweep/.*     : ${public_lib} \"lib/(base|geom/(exact|convex|closest|sweep))/[^\"]*\""
  "lib/geom/gizmo/.*     : ${public_lib} \"lib/(base|geom/(exact|gizmo|camera))/[^\"]*\""
  "lib/image/.*          : ${public_lib} \"lib/(base|image)/[^\"]*\""
  "lib/mesh/.*           : ${public_lib} \"lib/(base|geom|mesh)/[^\"]*\""
  "bvh/tree/node2\\.h : \"bvh/tree/node_wide\\.h\""
  "bvh/tree/(node_.*|tri_pack)\\.h : -"
  "bvh/tree/.*           : ${public} \"((bvh/tree|lib/base|lib/geom/transform)/|lib/geom/overlap/triangle_aabb)[^\"]*\""
  "bvh/kernel/dispatch\\.c : ${public} \"bvh/(tree|kernel)/[^\"]*\" \"lib/base/cpu\\.h\""
  # hit_heap.h and point_triangle.h, like exact/predicates.h, only declare: their code is compiled for the baseline.
  # Of transform.h, what they use is static.
  "bvh/kernel/.*         : ${public} \"bvh/(tree|kernel)/[^\"]*\" \"lib/geom/(exact/(predicates|arithmetic/arctangent)|intersect/(hit_heap|selection)|closest/(boundary_winding|point_triangle)|sweep/sweep|transform/transform)\\.h\" \"lib/base/inline\\.h\""
  "bvh/(builder|store)/.*  : ${public} \"(bvh/tree|lib/base|lib/geom)/[^\"]*\" \"bvh/@SAME@/[^\"]*\""
  "bvh/scene/.*          : ${public} \"(bvh/(tree|kernel|query|scene)|lib/base|lib/geom)/[^\"]*\" \"bvh/builder/over_boxes\\.h\""
  "bvh/contact/.*        : ${public} \"(bvh/(tree|kernel|query|contact)|lib/base|lib/geom)/[^\"]*\""
  "bvh/sight/.*          : ${public} \"(bvh/(tree|kernel|query|scene|sight)|lib/base|lib/geom)/[^\"]*\""
  "bvh/pick/.*           : ${public} \"(bvh/(tree|kernel|query|scene|pick)|lib/base|lib/geom)/[^\"]*\" \"bvh/builder/over_boxes\\.h\" \"lib/mesh/topology\\.h\""
  "bvh/select/.*         : ${public} \"(bvh/(tree|kernel|query|scene|pick|select)|lib/base|lib/geom)/[^\"]*\" \"bvh/builder/over_boxes\\.h\" \"lib/mesh/topology\\.h\""
  "bvh/sweep/.*          : ${public} \"(bvh/(tree|kernel|query|sweep)|lib/base|lib/geom)/[^\"]*\""
  "bvh/query/.*          : ${public} \"(bvh/tree|bvh/kernel|bvh/query|lib/base|lib/geom)/[^\"]*\""
  "tools/cli/.*          : ${public} \"tools/(command\\.h|cli/[^\"]*)\""
  "tools/output/.*       : ${public} \"tools/(command\\.h|(cli|output)/[^\"]*)\""
  "tools/input/.*        : ${public} \"tools/(command\\.h|(cli|output|input)/[^\"]*)\""
  "tools/generate/.*     : ${public} \"tools/(command\\.h|(cli|output|input|generate)/[^\"]*)\""
  "tools/verify/.*       : ${public} \"tools/(command\\.h|(cli|output|input|verify)/[^\"]*)\""
  "tools/parts/.*        : ${public} \"tools/(command\\.h|(cli|output|input|parts)/[^\"]*)\""
  "tools/ask/.*          : ${public} \"tools/(command\\.h|(cli|output|input|generate|verify|parts|ask)/[^\"]*)\""
  "tools/bench/harness/.* : ${public} \"tools/bench/harness/[^\"]*\""
  "tools/.*              : ${public} \"tools/[^\"]*\""
  "docs/examples/.*      : ${public}"
  "docs/pictures/.*      : ${public} \"(docs/pictures/|lib/geom/overlap/triangle_aabb)[^\"]*\""
  "test/consumer/.*      : ${public}"
  "test/docs/.*          : ${public} \"(docs/pictures|test/support)/[^\"]*\""
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
  "embree.*     : tools/bench/peer/embree[a-z_]*\\.[ch]"
  "dlfcn\\.h    : tools/bench/peer/embree_api\\.c|test/(faults/preload_io|godot/host)\\.c"
  "pthread\\.h  : lib/base/thread/thread\\.h|test/.*")
set(standard "<std(bool|def|int)\\.h>")

# Sets allowed to whether rules let file include what.
function(ask file what allowed)
  set(${allowed} FALSE PARENT_SCOPE)
  if(what MATCHES "^\"" OR what MATCHES "^<sightline/")
    foreach(rule IN LISTS rules)
      string(REGEX MATCH "^(.*[^ ]) *: (.*)$" _ "${rule}")
      set(including "${CMAKE_MATCH_1}")
      set(includes "${CMAKE_MATCH_2}")
      if(file MATCHES "^${including}$")
        string(REGEX REPLACE "^(bvh|lib/geom)/([a-z]+)/.*" "\\2" same "${file}")
        string(REPLACE "@SAME@" "${same}" includes "${includes}")
        string(REPLACE " " "|" includes "${includes}")
        if(what MATCHES "^(${includes})$")
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

# Sets found to those of nodes that lead into a circle, where includes_<node> are what each includes:
# nodes that include none of those left are taken away, until all that are left do.
function(find_circles nodes found)
  set(left "${nodes}")
  set(again TRUE)
  while(again)
    set(again FALSE)
    set(next)
    foreach(node IN LISTS left)
      set(waits FALSE)
      foreach(include IN LISTS "includes_${node}")
        if(NOT include STREQUAL node AND include IN_LIST left)
          set(waits TRUE)
          break()
        endif()
      endforeach()
      if(waits)
        list(APPEND next ${node})
      else()
        set(again TRUE)
      endif()
    endforeach()
    set(left "${next}")
  endwhile()
  set(${found} "${left}" PARENT_SCOPE)
endfunction()

# Sets found to "name: includes in a circle" for each room of lib and bvh, and for each file, a header
# and the .c of its name being one, whose includes lead back to it.  What lies in bvh/kernel itself
# joins its rooms, and is none; single .inl have a check of their own; files of bvh/pick are not
# asked yet.
function(check_circles root found)
  file(GLOB_RECURSE all RELATIVE ${root} ${root}/lib/*.[ch] ${root}/bvh/*.[ch] ${root}/bvh/*.inl)
  list(FILTER all EXCLUDE REGEX "^(lib|bvh)/include/")
  set(files)
  set(rooms)
  foreach(file IN LISTS all)
    string(REGEX REPLACE "\\.[a-z]+$" "" name "${file}")
    string(REGEX REPLACE "/[^/]*$" "" room "${file}")
    if(NOT file MATCHES "\\.inl$")
      list(APPEND files ${name})
    endif()
    list(APPEND rooms ${room})
    file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*\".*/.*\\.(h|inl)\"")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\\.[a-z]+\".*" "\\1" what "${line}")
      if(NOT "${file}${line}" MATCHES "\\.inl")
        list(APPEND "includes_${name}" ${what})
      endif()
      string(REGEX REPLACE "/[^/]*$" "" what "${what}")
      list(APPEND "includes_${room}" ${what})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES files)
  list(REMOVE_DUPLICATES rooms)
  list(REMOVE_ITEM rooms "bvh/kernel")
  set(bad)
  foreach(nodes files rooms)
    find_circles("${${nodes}}" left)
    list(FILTER left EXCLUDE REGEX "^bvh/(pick|query)/")
    foreach(node IN LISTS left)
      list(APPEND bad "${node}: includes in a circle")
    endforeach()
  endforeach()
  set(${found} "${bad}" PARENT_SCOPE)
endfunction()

# Sets found to "file: include" for each one that is not allowed, and files to how many were read.
function(check_includes root found files)
  file(GLOB_RECURSE all RELATIVE ${root}
       ${root}/lib/*.[ch] ${root}/bvh/*.[ch] ${root}/bvh/*.inl ${root}/tools/*.[ch]
       ${root}/test/*.[ch] ${root}/test/*.cpp ${root}/docs/*.[ch])
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

# Sets without_guard and declares to whether a file lacks #pragma once, and declares a static
# function that is defined elsewhere.
function(look_at_inl file without_guard declares)
  file(STRINGS ${file} lines REGEX "^#")
  list(POP_FRONT lines first)
  set(${without_guard} TRUE PARENT_SCOPE)
  if(first STREQUAL "#pragma once")
    set(${without_guard} FALSE PARENT_SCOPE)
  endif()
  file(READ ${file} text)
  string(REPLACE ";" "%" text "\n${text}")
  set(${declares} FALSE PARENT_SCOPE)
  if(text MATCHES "\nstatic [^%{}=]*\\)[ \n]*%")
    set(${declares} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Sets found to "file: what" for each .inl of the kernels that does not stand alone.
function(check_inl root found)
  file(GLOB_RECURSE left RELATIVE ${root} ${root}/bvh/kernel/*.inl)
  set(bad)
  foreach(file IN LISTS left)
    look_at_inl(${root}/${file} without_guard declares)
    if(without_guard)
      list(APPEND bad "${file}: no #pragma once")
    endif()
    if(declares)
      list(APPEND bad "${file}: a function declared early")
    endif()
    file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include.*\\.inl\"")
    string(REGEX REPLACE "[^;\"]*\"([^\"]*)\"[^;\"]*" "\\1" "includes_${file}" "${lines}")
  endforeach()
  find_circles("${left}" left)
  foreach(file IN LISTS left)
    list(APPEND bad "${file}: includes in a circle")
  endforeach()
  set(${found} "${bad}" PARENT_SCOPE)
endfunction()

# Writes a kernel file that stands alone, but for its guard and text.
function(plant_inl root name guard text)
  set(once "#pragma once\n")
  if(NOT guard)
    set(once "")
  endif()
  file(WRITE ${root}/bvh/kernel/${name}.inl "/* planted */\n${once}\n${text}
static int ${name}(int x)\n{\n    return f(x)@\n}\n")
  file(READ ${root}/bvh/kernel/${name}.inl all)
  string(REPLACE "@" ";" all "${all}")
  file(WRITE ${root}/bvh/kernel/${name}.inl "${all}")
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
    "lib/geom/contact/a.c: \"lib/geom/overlap/overlap_d.h\""
    "lib/geom/convex/a.c: \"lib/geom/overlap/overlap.h\""
    "lib/geom/sweep/a.c: \"lib/geom/overlap/overlap.h\""
    "lib/geom/overlap/a.c: <png.h>"
    "lib/mesh/a.c: \"lib/image/b.h\""
    "lib/include/sightline/a.h: <stdio.h>"
    "lib/include/sightline/shapes.h: <sightline/bvh.h>"
    "bvh/tree/a.c: \"lib/geom/exact/predicates.h\""
    "bvh/tree/node_x.h: <math.h>"
    "bvh/kernel/kernel_x.c: \"lib/base/cpu.h\""
    "bvh/kernel/x.inl: \"lib/geom/exact/arithmetic/expansion.h\""
    "bvh/contact/a.c: \"bvh/scene/scene.h\""
    "bvh/builder/a.c: \"bvh/query/query.h\""
    "bvh/builder/b.c: \"bvh/store/format.h\""
    "bvh/query/a.c: \"bvh/builder/split/split.h\""
    "bvh/query/b.c: <cglm/cglm.h>"
    "bvh/elsewhere/a.c: \"lib/base/memory.h\""
    "tools/x/command.c: \"lib/base/memory.h\""
    "tools/output/a.c: \"tools/parts/part.h\""
    "docs/examples/a.c: \"tools/cli/options.h\""
    "docs/pictures/draw/a.c: \"tools/output/canvas.h\"")
  set(fine
    "lib/base/fine.c: \"lib/base/memory.h\""
    "lib/geom/closest/fine.c: \"lib/geom/closest/projection.h\""
    "lib/geom/intersect/fine.c: <math.h>"
    "lib/geom/overlap/fine.c: \"lib/geom/closest/point_triangle.h\""
    "bvh/builder/fine.c: \"bvh/builder/split/split.h\""
    "bvh/query/fine.c: <sightline/rays.h>"
    "bvh/kernel/fine.c: \"lib/geom/exact/predicates.h\""
    "test/lib/fine.c: \"bvh/tree/tree.h\"")
  file(REMOVE_RECURSE ${ROOT})
  foreach(plant IN LISTS plants fine)
    string(REGEX MATCH "^([^:]*): (.*)$" _ "${plant}")
    file(WRITE ${ROOT}/${CMAKE_MATCH_1} "/* planted */\n#  include ${CMAKE_MATCH_2} /* here */\n")
  endforeach()
  check_includes(${ROOT} found files)
  file(REMOVE ${ROOT}/bvh/kernel/x.inl)
  plant_inl(${ROOT} fine TRUE "#include \"bvh/kernel/ring_c.inl\"\nenum { A = 1 }@\nstatic const int b = (1)@\n")
  plant_inl(${ROOT} bare FALSE "")
  plant_inl(${ROOT} early TRUE "static int\nlater(int x,\n  int y)@\n")
  plant_inl(${ROOT} ring_a TRUE "#include \"bvh/kernel/ring_b.inl\"\n")
  plant_inl(${ROOT} ring_b TRUE "#include \"bvh/kernel/ring_c.inl\"\n#include \"bvh/kernel/ring_a.inl\"\n")
  plant_inl(${ROOT} ring_c TRUE "#include \"bvh/kernel/leaf.inl\"\n")
  plant_inl(${ROOT} leaf TRUE "")
  check_inl(${ROOT} alone)
  file(REMOVE_RECURSE ${ROOT})
  file(WRITE ${ROOT}/lib/base/ring.h "#include \"lib/base/thread/ring.h\"\n")
  file(WRITE ${ROOT}/lib/base/thread/ring.c "#include \"lib/base/ring.h\"\n")
  file(WRITE ${ROOT}/lib/base/thread/apart.c "#include \"lib/base/memory.h\"\n")
  file(WRITE ${ROOT}/lib/mesh/to.c "#include \"lib/mesh/fro.h\"\n")
  file(WRITE ${ROOT}/lib/mesh/fro.c "#include \"lib/mesh/to.h\"\n")
  file(WRITE ${ROOT}/lib/mesh/fine.c "#include \"lib/mesh/fine.h\"\n#include \"lib/mesh/fro.h\"\n")
  file(WRITE ${ROOT}/bvh/kernel/one/a.inl "#include \"bvh/kernel/two/a.h\"\n#include \"bvh/kernel/kernel.h\"\n")
  file(WRITE ${ROOT}/bvh/kernel/two/b.inl "#include \"bvh/kernel/one/b.inl\"\n")
  file(WRITE ${ROOT}/bvh/kernel/kernel.h "#include \"bvh/kernel/three/a.h\"\n")
  file(WRITE ${ROOT}/bvh/kernel/three/b.inl "#include \"bvh/kernel/kernel.h\"\n")
  check_circles(${ROOT} circles)
  list(APPEND found ${alone} ${circles})
  list(APPEND plants
    "bvh/kernel/bare.inl: no #pragma once"
    "bvh/kernel/early.inl: a function declared early"
    "lib/base: includes in a circle"
    "lib/base/thread: includes in a circle"
    "lib/base/ring: includes in a circle"
    "lib/base/thread/ring: includes in a circle"
    "lib/mesh/to: includes in a circle"
    "lib/mesh/fro: includes in a circle"
    "lib/mesh/fine: includes in a circle"
    "bvh/kernel/ring_a.inl: includes in a circle"
    "bvh/kernel/ring_b.inl: includes in a circle"
    "bvh/kernel/one: includes in a circle"
    "bvh/kernel/two: includes in a circle")
  list(SORT plants)
  list(SORT found)
  if(NOT found STREQUAL plants)
    list(JOIN plants "\n  " plants)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "planted:\n  ${plants}\nfound:\n  ${found}")
  endif()
  message(STATUS "found everything planted, and nothing else")
else()
  check_includes(${ROOT} found files)
  if(files LESS 50)
    message(FATAL_ERROR "only ${files} files under ${ROOT}: is that the source folder?")
  endif()
  if(found)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "includes that may not be (docs/tour.md has the table):\n  ${found}")
  endif()
  check_circles(${ROOT} found)
  if(found)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "rooms and files that include each other, or lead there:\n  ${found}")
  endif()
  check_inl(${ROOT} found)
  if(found)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "kernel files that do not stand alone:\n  ${found}")
  endif()
  message(STATUS "${files} files include nothing that they may not")
endif()

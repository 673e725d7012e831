# wheels.cmake: CMake's toolchain file of wheels.sh, which puts into the environment where the compiler of a
# platform is, for which system and machine it compiles, and where the libraries for it are.
set(CMAKE_SYSTEM_NAME $ENV{WHEELS_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR $ENV{WHEELS_MACHINE})
foreach(tool AR RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} $ENV{WHEELS_TOOLS}/${name})
endforeach()
set(CMAKE_C_COMPILER $ENV{WHEELS_TOOLS}/cc)
set(CMAKE_RC_COMPILER $ENV{WHEELS_TOOLS}/rc)
# This compiler keeps frame pointers unless it is told not to.
set(CMAKE_C_FLAGS_INIT "-fomit-frame-pointer -fvisibility=hidden")
set(CMAKE_MODULE_LINKER_FLAGS_INIT -s)
if("$ENV{WHEELS_PLATFORM}" MATCHES musllinux)
  # The compiler calls musl libc.so; distributions, and so auditwheel, call it by its machine, and musl takes both names
  # for itself.
  set(CMAKE_C_CREATE_SHARED_MODULE
    "<CMAKE_C_COMPILER> <CMAKE_SHARED_LIBRARY_C_FLAGS> <LINK_FLAGS> -shared -o <TARGET> <OBJECTS> <LINK_LIBRARIES>"
    "patchelf --replace-needed libc.so libc.musl-$ENV{WHEELS_MACHINE}.so.1 <TARGET>")
elseif(CMAKE_SYSTEM_NAME STREQUAL Darwin)
  # This compiler knows no -bundle, which CMake asks for, and would make a program.  A library serves as a module, and
  # nothing of it is looked up by a path.
  string(APPEND CMAKE_MODULE_LINKER_FLAGS_INIT " -shared")
  set(CMAKE_OSX_SYSROOT "")
  set(CMAKE_SKIP_RPATH ON)
endif()
set(CMAKE_FIND_ROOT_PATH $ENV{WHEELS_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# clang-cl.cmake: compiles for 64-bit Windows as clang-cl does there, which takes cl's options and makes what cl links.
# SIGHTLINE_WINDOWS_SDK in the environment: folders of headers, with semicolons between them; without, those of Debian's
# mingw-w64, which ask for a compiler that calls itself gcc.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER clang-cl-19)
set(CMAKE_C_COMPILER_TARGET x86_64-pc-windows-msvc)
set(CMAKE_LINKER lld-link-19)
set(CMAKE_AR llvm-lib-19)
set(CMAKE_RC_COMPILER llvm-rc-19)
set(CMAKE_MT llvm-mt-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_HAVE_LIBC_PTHREAD ON) # no library is asked for: nothing is linked to find out
set(folders "$ENV{SIGHTLINE_WINDOWS_SDK}")
if(NOT folders)
  set(folders /usr/share/mingw-w64/include)
  string(APPEND CMAKE_C_FLAGS_INIT " /clang:-nostdlibinc /clang:-fgnuc-version=4.2.1")
endif()
foreach(folder IN LISTS folders)
  string(APPEND CMAKE_C_FLAGS_INIT " -imsvc ${folder}")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)

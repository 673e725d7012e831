# fill.cmake: writes the recipes of package managers, with the project's version and description in them.
#
#   cmake -D TO=<folder> -P tools/packages/fill.cmake
#         -D URL=… -D SHA256=… -D SHA512=…   of the source archive, for the recipes that download it
#         -D HOMEPAGE=…  -D MAINTAINER="name <address>"  -D DATE=…   as the changelog of a Debian package has it
#
# Both come from the project's own CMakeLists.txt and the header that it reads.  Names of files may have @VERSION@, too.
cmake_minimum_required(VERSION 3.22)
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

file(STRINGS ${root}/lib/include/sightline/base.h lines REGEX "^#define SL_VERSION_M?[AIP]")
string(REGEX REPLACE "[^;]* ([0-9]+)" "\\1" VERSION "${lines}")
list(JOIN VERSION "." VERSION)
file(READ ${root}/CMakeLists.txt text)
if(NOT text MATCHES "DESCRIPTION \"([^\"]+)\"")
  message(FATAL_ERROR "CMakeLists.txt gives no description")
endif()
set(DESCRIPTION "${CMAKE_MATCH_1}")

# What only a release has.
string(REPEAT 0 64 none)
set(default_URL "https://sightline.example/sightline-${VERSION}.tar.gz")
set(default_HOMEPAGE "https://sightline.example")
set(default_SHA256 ${none})
set(default_SHA512 ${none}${none})
set(default_MAINTAINER "the sightline authors <sightline@sightline.example>")
set(default_DATE "Thu, 01 Jan 1970 00:00:00 +0000")
foreach(name IN ITEMS URL HOMEPAGE SHA256 SHA512 MAINTAINER DATE)
  if(NOT ${name})
    set(${name} "${default_${name}}")
  endif()
endforeach()

foreach(folder IN ITEMS debian conan vcpkg conda homebrew)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/${folder}/*)
  foreach(file IN LISTS files)
    string(CONFIGURE "${file}" name @ONLY)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${file} ${TO}/${name} @ONLY)
  endforeach()
endforeach()
file(GLOB consumer ${root}/test/consumer/consumer.* ${root}/test/consumer/CMakeLists.txt)
file(COPY ${consumer} DESTINATION ${TO}/conan/test_package)
message(STATUS "recipes of sightline ${VERSION} are in ${TO}")

# What a program needs to start: no library that only a comparison wants.
#
#   cmake -D READELF=readelf -D PROGRAM=<file> -D REFUSED=<regex> -P needed.cmake
cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${READELF} -d ${PROGRAM} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*\\[[^]]*\\]" lines "${text}")
set(needed)
foreach(line IN LISTS lines)
  string(REGEX REPLACE ".*\\[(.*)\\]" "\\1" name "${line}")
  list(APPEND needed ${name})
endforeach()
if(NOT needed MATCHES "libc\\.")
  message(FATAL_ERROR "${PROGRAM} does not even need libc: ${needed}")
endif()
set(refused ${needed})
list(FILTER refused INCLUDE REGEX "${REFUSED}")
if(refused)
  message(FATAL_ERROR "${PROGRAM} needs ${refused}")
endif()
message(STATUS "${PROGRAM} needs ${needed}")

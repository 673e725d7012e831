# Runs PROGRAM ARGUMENTS and compares what it prints with the file EXPECTED.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE printed
                ERROR_VARIABLE words)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "status ${status}\n${words}\nexpected:\n${expected}\nprinted:\n${printed}")
endif()

# The Python package, as it is imported from the build.  SIGHTLINE_PYTHON_TESTS is an interpreter that has numpy,
# pytest and hypothesis; the one that CMake finds by default.
if(NOT TARGET sightline_python)
  message(STATUS "Without tests of the Python package (SIGHTLINE_PYTHON is off)")
  return()
endif()
find_package(Python 3.11 COMPONENTS Interpreter REQUIRED)
set(SIGHTLINE_PYTHON_TESTS ${Python_EXECUTABLE} CACHE FILEPATH "An interpreter with numpy, pytest and hypothesis")
execute_process(COMMAND ${SIGHTLINE_PYTHON_TESTS} -c "import numpy, pytest, hypothesis"
                RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
if(missing)
  message(STATUS "Without tests of the Python package: ${SIGHTLINE_PYTHON_TESTS} lacks numpy, pytest or hypothesis")
  return()
endif()

# Each test_x.py is python/x, so that they run side by side; status 5 is that a file has nothing to test here, such as
# that of Dask where there is no Dask.
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/test_*.py)
foreach(file IN LISTS python_tests)
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^test_" "" short ${name})
  add_test(NAME python/${short} COMMAND ${SIGHTLINE_PYTHON_TESTS} -m pytest -q -p no:cacheprovider ${file})
  set_tests_properties(python/${short} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 5 ENVIRONMENT
    "PYTHONPATH=${PROJECT_BINARY_DIR}/tools/python;PYTHONDONTWRITEBYTECODE=1")
endforeach()

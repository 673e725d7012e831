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

# Each test_x.py is python/x, so that they run side by side; status 5 is that a file has nothing to test here.
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/test_*.py)
list(FILTER python_tests EXCLUDE REGEX "/test_dask\\.py$")
foreach(file IN LISTS python_tests)
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^test_" "" short ${name})
  add_test(NAME python/${short} COMMAND ${SIGHTLINE_PYTHON_TESTS} -m pytest -q -rs -p no:cacheprovider ${file})
  set_tests_properties(python/${short} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 5 ENVIRONMENT
    "PYTHONPATH=${PROJECT_BINARY_DIR}/tools/python;PYTHONDONTWRITEBYTECODE=1")
endforeach()

# What needs Dask: sightline_bvh.dask, and a cluster that loses a worker, with a few rays.
set(SIGHTLINE_PYTHON_DASK ${SIGHTLINE_PYTHON_TESTS} CACHE FILEPATH "An interpreter with pytest, hypothesis and Dask Distributed")
execute_process(COMMAND ${SIGHTLINE_PYTHON_DASK} -c "import numpy, pytest, hypothesis, dask.array, distributed"
                RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
if(missing)
  message(STATUS "Without python/dask and python/cluster: ${SIGHTLINE_PYTHON_DASK} lacks pytest, hypothesis, dask or distributed")
  return()
endif()
add_test(NAME python/dask
         COMMAND ${SIGHTLINE_PYTHON_DASK} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/python/test_dask.py)
add_test(NAME python/cluster
         COMMAND ${SIGHTLINE_PYTHON_DASK} ${CMAKE_CURRENT_SOURCE_DIR}/python/cluster.py --rays 400000 --scaling 100000
                 --chunk 10000 --houses 500)
set_tests_properties(python/dask python/cluster PROPERTIES TIMEOUT 600 ENVIRONMENT
  "PYTHONPATH=${PROJECT_BINARY_DIR}/tools/python;PYTHONDONTWRITEBYTECODE=1")

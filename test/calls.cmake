# What the libraries call of the system: threads only where they have threads, files only where they
# have files.  Held both ways, so that a name misspelt here is seen in a build that has both.
#
#   cmake -D LIBRARIES=<a.a;b.a> -D NM=nm -D THREADS=ON|OFF -D FILES=ON|OFF -P calls.cmake
cmake_minimum_required(VERSION 3.22)

set(THREADS_names "(pthread|thrd|mtx|cnd|sem)_[a-z_]+")
set(FILES_names "f?(open|read|write|close|seek)[a-z]*|p(read|write)v?|openat|creat|dup[23]?|fcntl|mmap|munmap|rename(at2?)?|unlink(at)?|readlink(at)?|f?(l|x)?stat(at)?|fchmod|fchown|faccessat|access|mkstemp|tmpfile|poll")

set(called)
foreach(library IN LISTS LIBRARIES)
  execute_process(COMMAND ${NM} -u --format=posix ${library}
                  OUTPUT_VARIABLE text RESULT_VARIABLE failed ERROR_VARIABLE words)
  if(failed)
    message(FATAL_ERROR "${NM} ${library}: ${words}")
  endif()
  string(REGEX MATCHALL "(^|\n)[^ \n]+ U" lines "${text}")
  list(APPEND called ${lines})
endforeach()
list(TRANSFORM called REPLACE "^\n?([^ @]+).*" "\\1")
list(TRANSFORM called REPLACE "^__(.*)_chk$" "\\1") # as they are called where sources are fortified
list(TRANSFORM called REPLACE "^__(open(at)?(64)?)_2$" "\\1")
list(TRANSFORM called REPLACE "64(_time64)?$" "")
list(REMOVE_DUPLICATES called)
if(NOT "memcpy" IN_LIST called)
  message(FATAL_ERROR "${LIBRARIES} call no memcpy: are those all?")
endif()

foreach(what IN ITEMS THREADS FILES)
  set(found ${called})
  list(FILTER found INCLUDE REGEX "^(${${what}_names})$")
  if(found AND NOT ${what})
    message(FATAL_ERROR "${what} are off, and yet the libraries call ${found}")
  elseif(${what} AND NOT found)
    message(FATAL_ERROR "${what} are on, and yet the libraries call nothing that is known as theirs")
  endif()
  message(STATUS "${what} ${${what}}: ${found}")
endforeach()

# unfork for CTest: find_package(unfork REQUIRED), or include() this file; then
#
#   add_unfork_test(TARGET [NAME name] [FUNCTIONS f g ...] [SOURCES more.c ...] [OPTIONS --sym-stdin 4 ...] [ARGS a b ...])
#
# explores the C and C++ sources of TARGET, with its include directories and definitions, as the test NAME (TARGET.unfork), or
# each function as a test NAME.FUNCTION. A test passes if the verdict is safe or bounded. SOURCES are further files to link: those of
# libraries, say. Its run directory is unfork/NAME in the build directory; unfork show explains it.

if(CMAKE_VERSION VERSION_LESS 3.17)
  message(FATAL_ERROR "unfork.cmake needs CMake 3.17 or later")
endif()
cmake_policy(PUSH)
cmake_policy(VERSION 3.17)

find_program(UNFORK_EXECUTABLE unfork DOC "The program unfork")

function(add_unfork_test target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "NAME" "FUNCTIONS;SOURCES;OPTIONS;ARGS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_unfork_test(${target}): what is ${given_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "add_unfork_test(${target}): there is no such target")
  endif()
  if(NOT UNFORK_EXECUTABLE)
    message(FATAL_ERROR "add_unfork_test(${target}): unfork is not found; pip install unfork, or set UNFORK_EXECUTABLE")
  endif()
  if(NOT given_NAME)
    set(given_NAME ${target}.unfork)
  endif()

  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(files)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.(c|i|cpp|cc|cxx|C|c\\+\\+|ii|bc|ll)$" AND NOT source MATCHES "^\\$<")
      get_filename_component(file "${source}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND files "${file}")
    endif()
  endforeach()
  foreach(source IN LISTS given_SOURCES)
    get_filename_component(file "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND files "${file}")
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "add_unfork_test(${target}): the target has no sources in C or C++")
  endif()

  set(arguments)
  if(given_ARGS)
    set(arguments -- ${given_ARGS})
  endif()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(functions ${given_FUNCTIONS})
  if(NOT functions)
    set(functions "main")
  endif()
  foreach(function IN LISTS functions)
    set(name ${given_NAME})
    if(given_FUNCTIONS)
      set(name ${given_NAME}.${function})
    endif()
    # A run directory must be new: the test NAME.clean removes what an earlier run has left.
    set(run "${CMAKE_CURRENT_BINARY_DIR}/unfork/${name}")
    add_test(NAME ${name}.clean COMMAND "${CMAKE_COMMAND}" -E rm -rf "${run}")
    add_test(
      NAME ${name}
      COMMAND "${UNFORK_EXECUTABLE}" run ${files}
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        ${given_OPTIONS} --function ${function} --no-progress --out "${run}" ${arguments}
      COMMAND_EXPAND_LISTS)
    set_tests_properties(${name}.clean PROPERTIES FIXTURES_SETUP ${name})
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${name})
  endforeach()
endfunction()

cmake_policy(POP)

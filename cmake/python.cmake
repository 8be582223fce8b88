# SPDX-License-Identifier: MIT
# The Python package, where its interpreter has cffi; else it is left out.
set(PC_PYTHON /usr/bin/python3 CACHE FILEPATH "the Python that the package is for; it needs cffi and numpy")
set(PC_PYTHON_DIR lib/python3/dist-packages CACHE PATH "where the Python package is installed")
execute_process(COMMAND ${PC_PYTHON} -c "import cffi" RESULT_VARIABLE without OUTPUT_QUIET ERROR_QUIET)
if(without OR PC_SANITIZED)
    message(STATUS "the Python package is left out: ${PC_PYTHON} has no cffi, or this build has sanitizers")
    return()
endif()
set(PC_PYTHON_BUILD ${PROJECT_BINARY_DIR}/python)
set(package ${PC_PYTHON_BUILD}/pcounter)
file(MAKE_DIRECTORY ${package})

file(GLOB headers CONFIGURE_DEPENDS include/pcounter/*.h include/pcounter/unstable/*.h)
add_custom_command(OUTPUT ${package}/_interface.py
    COMMAND ${PC_PYTHON} ${PROJECT_SOURCE_DIR}/python/interface.py ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR}/include
            ${package}/_interface.py
    DEPENDS python/interface.py ${headers}
    VERBATIM)
set(package_files ${package}/_interface.py)
file(GLOB sources CONFIGURE_DEPENDS python/pcounter/*.py python/pcounter/py.typed)
foreach(source ${sources})
    get_filename_component(name ${source} NAME)
    add_custom_command(OUTPUT ${package}/${name}
        COMMAND ${CMAKE_COMMAND} -E copy ${source} ${package}/${name} DEPENDS ${source} VERBATIM)
    list(APPEND package_files ${package}/${name})
endforeach()
add_custom_target(pcounter_python ALL DEPENDS ${package_files})

# It loads the shared library; where none is built, one of the same objects lies in the package.
if(NOT BUILD_SHARED_LIBS)
    file(WRITE ${PROJECT_BINARY_DIR}/empty.c "typedef int pc_nothing_here;\n")
    add_library(pcounter_for_python SHARED ${PROJECT_BINARY_DIR}/empty.c)
    target_link_libraries(pcounter_for_python PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,pcounter>)
    set_target_properties(pcounter_for_python PROPERTIES PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY ${package}
        OUTPUT_NAME libpcounter.so.${PROJECT_VERSION_MAJOR}
        BUILD_RPATH "$ORIGIN") # in a wheel those that it needs lie beside it
    pc_harden(pcounter_for_python)
    add_dependencies(pcounter_python pcounter_for_python)
endif()
install(DIRECTORY ${package} DESTINATION ${PC_PYTHON_DIR} COMPONENT python EXCLUDE_FROM_ALL
        PATTERN __pycache__ EXCLUDE)

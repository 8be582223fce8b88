# SPDX-License-Identifier: MIT
# The models as one file and its header, for those who would rather compile them along: amalgamation/pcounter-model.c
# and .h. Without the loops for one kind of CPU, which are compiled with flags of their own.
include(GNUInstallDirs)
set(PC_AMALGAMATION ${PROJECT_BINARY_DIR}/amalgamation)
file(MAKE_DIRECTORY ${PC_AMALGAMATION})
set(headers)
foreach(part base chips registers unit run live gpu idle hpm)
    list(APPEND headers ${PROJECT_SOURCE_DIR}/include/pcounter/${part}.h)
endforeach()
get_target_property(sources pc_model SOURCES)
list(FILTER sources EXCLUDE REGEX "/avx2[.]c$|_v3[.]c$")
file(GLOB_RECURSE included CONFIGURE_DEPENDS src/base/*.h src/kernel/*.h src/model/*.h src/base/*.def src/model/*.def)
add_custom_command(OUTPUT ${PC_AMALGAMATION}/pcounter-model.h
    COMMAND ${PC_AWK} -v "title=pcounter ${PC_VERSION}, the models" -v path=${PROJECT_SOURCE_DIR}/include
            -f ${PROJECT_SOURCE_DIR}/tools/amalgamate.awk ${headers} > ${PC_AMALGAMATION}/pcounter-model.h.tmp
    COMMAND ${CMAKE_COMMAND} -E rename ${PC_AMALGAMATION}/pcounter-model.h.tmp ${PC_AMALGAMATION}/pcounter-model.h
    DEPENDS ${headers} tools/amalgamate.awk
    VERBATIM)
add_custom_command(OUTPUT ${PC_AMALGAMATION}/pcounter-model.c
    COMMAND ${PC_AWK} -v "title=pcounter ${PC_VERSION}, the models"
            -v path=${PROJECT_SOURCE_DIR}/src:${PC_TABLES_DIR}:${PROJECT_SOURCE_DIR}/include
            -v known=${PROJECT_SOURCE_DIR}/include/pcounter -v header=${PC_AMALGAMATION}/pcounter-model.h
            -f ${PROJECT_SOURCE_DIR}/tools/amalgamate.awk ${sources} > ${PC_AMALGAMATION}/pcounter-model.c.tmp
    COMMAND ${CMAKE_COMMAND} -E rename ${PC_AMALGAMATION}/pcounter-model.c.tmp ${PC_AMALGAMATION}/pcounter-model.c
    DEPENDS ${PC_AMALGAMATION}/pcounter-model.h ${sources} ${included} ${headers} ${pc_table_outputs} data/chips.csv tools/amalgamate.awk pc_chip_order
    VERBATIM)
add_custom_target(pc_amalgamation ALL
    DEPENDS ${PC_AMALGAMATION}/pcounter-model.h ${PC_AMALGAMATION}/pcounter-model.c)
install(FILES ${PC_AMALGAMATION}/pcounter-model.h ${PC_AMALGAMATION}/pcounter-model.c
        DESTINATION ${CMAKE_INSTALL_DATADIR}/pcounter)

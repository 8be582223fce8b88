# SPDX-License-Identifier: MIT
# Man pages of the library: libpcounter(3) from pcounter.h, and one of each header that it includes.
set(PC_MAN3 ${PROJECT_BINARY_DIR}/man3)
file(MAKE_DIRECTORY ${PC_MAN3})
string(TIMESTAMP date "%B %d, %Y" UTC) # SOURCE_DATE_EPOCH, if it is set
string(REGEX REPLACE " 0" " " date "${date}")
file(STRINGS include/pcounter/pcounter.h lines REGEX "^#include \"pcounter/")
string(REGEX REPLACE "#include \"pcounter/([a-z]+)[.]h\"" "\\1" parts "${lines}")
list(SORT parts)
list(JOIN parts " " others)
set(pages)
foreach(part pcounter pcounter_dpi ${parts})
    string(REPLACE _ - page pcounter-${part})
    string(REGEX REPLACE "^pcounter-pcounter" "pcounter" page ${page})
    if(part STREQUAL pcounter)
        set(page libpcounter)
    endif()
    add_custom_command(OUTPUT ${PC_MAN3}/${page}.3
        COMMAND ${PC_AWK} -v name=${page} -v "date=${date}" -v path=pcounter/${part}.h -v "others=${others}"
                -f ${PROJECT_SOURCE_DIR}/tools/gen_man3.awk ${PROJECT_SOURCE_DIR}/include/pcounter/${part}.h
                > ${PC_MAN3}/${page}.3.tmp
        COMMAND ${CMAKE_COMMAND} -E rename ${PC_MAN3}/${page}.3.tmp ${PC_MAN3}/${page}.3
        DEPENDS include/pcounter/${part}.h tools/gen_man3.awk
        VERBATIM)
    list(APPEND pages ${PC_MAN3}/${page}.3)
endforeach()
add_custom_target(man3_pages ALL DEPENDS ${pages})

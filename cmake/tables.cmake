# SPDX-License-Identifier: MIT
# data/*.csv become const tables at build time, by awk (every Debian has one).
find_program(PC_AWK NAMES awk mawk gawk REQUIRED)
set(PC_TABLES_DIR ${PROJECT_BINARY_DIR}/tables)
file(MAKE_DIRECTORY ${PC_TABLES_DIR})
set(pc_table_outputs)
# pc_table(NAME [LIBRARY]): data/NAME.csv through tools/gen_NAME.awk to NAME.inc, with the
# functions of tools/LIBRARY.awk
function(pc_table name)
    set(out ${PC_TABLES_DIR}/${name}.inc)
    set(scripts)
    foreach(script ${ARGN} gen_${name})
        list(APPEND scripts ${PROJECT_SOURCE_DIR}/tools/${script}.awk)
    endforeach()
    list(TRANSFORM scripts PREPEND "-f;" OUTPUT_VARIABLE arguments)
    add_custom_command(OUTPUT ${out}
        COMMAND ${PC_AWK} ${arguments} ${PROJECT_SOURCE_DIR}/data/${name}.csv > ${out}.tmp
        COMMAND ${CMAKE_COMMAND} -E rename ${out}.tmp ${out}
        DEPENDS ${scripts} ${PROJECT_SOURCE_DIR}/data/${name}.csv
        VERBATIM)
    set(pc_table_outputs ${pc_table_outputs} ${out} PARENT_SCOPE)
endfunction()
pc_table(chips)
pc_table(formulas)
pc_table(trailers)
pc_table(gf100_sets)
pc_table(host_bus)
pc_table(platform)
pc_table(pci)
pc_table(idle_signals)
pc_table(cva6_configs)
pc_table(cva6_events)
pc_table(signals pool)
pc_table(metric_formulas)
pc_table(sources pool)
pc_table(filter_sources pool)
pc_table(metrics pool)
pc_table(cupti_metrics pool)
# What others call the events of CVA6, for the program
set(out ${PC_TABLES_DIR}/cva6_names.inc)
set(script ${PROJECT_SOURCE_DIR}/tools/gen_cva6_names.awk)
add_custom_command(OUTPUT ${out}
    COMMAND ${PC_AWK} -f ${script} ${PROJECT_SOURCE_DIR}/data/cva6_events.csv > ${out}.tmp
    COMMAND ${CMAKE_COMMAND} -E rename ${out}.tmp ${out}
    DEPENDS ${script} ${PROJECT_SOURCE_DIR}/data/cva6_events.csv
    VERBATIM)
list(APPEND pc_table_outputs ${out})
# Rows of one signal, for the model
set(out ${PC_TABLES_DIR}/ptimer_signal.inc)
set(script ${PROJECT_SOURCE_DIR}/tools/gen_ptimer_signal.awk)
add_custom_command(OUTPUT ${out}
    COMMAND ${PC_AWK} -f ${script} ${PROJECT_SOURCE_DIR}/data/signals.csv > ${out}.tmp
    COMMAND ${CMAKE_COMMAND} -E rename ${out}.tmp ${out}
    DEPENDS ${script} ${PROJECT_SOURCE_DIR}/data/signals.csv
    VERBATIM)
list(APPEND pc_table_outputs ${out})
# Places of registers, word by word
foreach(name map_nv10 map_nv40 map_gf100_dom map_gf100_dset map_gf100_main)
    set(out ${PC_TABLES_DIR}/${name}.inc)
    set(rows ${PROJECT_SOURCE_DIR}/src/model/regs/${name}.def)
    add_custom_command(OUTPUT ${out}
        COMMAND ${PC_AWK} -f ${PROJECT_SOURCE_DIR}/tools/gen_places.awk ${rows} > ${out}.tmp
        COMMAND ${CMAKE_COMMAND} -E rename ${out}.tmp ${out}
        DEPENDS ${PROJECT_SOURCE_DIR}/tools/gen_places.awk ${rows}
        VERBATIM)
    list(APPEND pc_table_outputs ${out})
endforeach()
add_custom_target(pc_tables DEPENDS ${pc_table_outputs})

# SPDX-License-Identifier: MIT
# Three libraries, and `pcounter`, which is all of them and the scripts:
#   pcounter-model   needs libc alone
#   pcounter-lang    on pcounter-model
#   pcounter-wave    on pcounter-model, with what cmake/waves.cmake finds
# The three are static. Each is made of objects (pc_model, pc_lang, pc_wave), which `pcounter` is made of, too.
set(PC_COMPONENTS)
set(PC_NEEDS)
add_library(pcounter)
function(pc_library_flags target)
    target_include_directories(${target}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
        PRIVATE ${PROJECT_SOURCE_DIR}/src ${PC_TABLES_DIR})
    target_compile_definitions(${target} PRIVATE PC_BUILDING=1)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:pc_warnings>)
    add_dependencies(${target} pc_tables)
    pc_harden(${target})
endfunction()
# pc_component(NAME LIBRARY...): what it is linked with, beside its own objects
function(pc_component name)
    add_library(pc_${name} OBJECT)
    pc_library_flags(pc_${name})
    add_library(pcounter_${name} STATIC $<TARGET_OBJECTS:pc_${name}>)
    target_include_directories(pcounter_${name}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    target_link_libraries(pcounter_${name} PUBLIC ${ARGN})
    set_target_properties(pcounter_${name} PROPERTIES OUTPUT_NAME pcounter-${name} EXPORT_NAME ${name}
                          LINKER_LANGUAGE C)
    add_library(pcounter::${name} ALIAS pcounter_${name})
    target_sources(pcounter PRIVATE $<TARGET_OBJECTS:pc_${name}>)
    set(PC_COMPONENTS ${PC_COMPONENTS} pcounter_${name} PARENT_SCOPE)
endfunction()
pc_component(model)
pc_component(lang pcounter_model)
if(PC_WAVES)
    set(PC_WAVE_LIBRARIES ZLIB::ZLIB PkgConfig::LZ4 PkgConfig::ZSTD PkgConfig::DEFLATE Threads::Threads
        ${CMAKE_DL_LIBS})
    set(PC_NEEDS "-lz -ldeflate -llz4 -lzstd -ldl")
    pc_component(wave pcounter_model ${PC_WAVE_LIBRARIES})
    target_link_libraries(pc_wave PRIVATE ${PC_WAVE_LIBRARIES})
endif()

pc_library_flags(pcounter)
target_link_libraries(pcounter PRIVATE ${PC_WAVE_LIBRARIES})
set_target_properties(pcounter PROPERTIES LINKER_LANGUAGE C)
add_library(pcounter::pcounter ALIAS pcounter) # as installed, for add_subdirectory()

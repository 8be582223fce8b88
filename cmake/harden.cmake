# SPDX-License-Identifier: MIT
# pc_harden(TARGET...): what compiler and linker can do against errors of ours (docs/adr/034).  PRIVATE: those who
# link the library get none of it.
option(PC_HARDEN "compile and link with protection against errors in memory" ON)
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)

if(CMAKE_C_FLAGS MATCHES "-fsanitize" OR PC_FUZZ)
    set(PC_SANITIZED ON)
endif()

set(pc_harden_compile)
set(pc_harden_link)
set(pc_harden_program)
# pc_harden_try(LIST KIND FLAG): the flag goes into the list if this compiler, or linker, knows it
macro(pc_harden_try list kind flag)
    string(MAKE_C_IDENTIFIER "PC_KNOWS_${flag}" known)
    if(${kind} STREQUAL compile)
        check_c_compiler_flag(${flag} ${known})
    else()
        check_linker_flag(C ${flag} ${known})
    endif()
    if(${known})
        list(APPEND ${list} ${flag})
    endif()
endmacro()

if(PC_HARDEN)
    pc_harden_try(pc_harden_compile compile -fstack-protector-strong)
    pc_harden_try(pc_harden_compile compile -fstack-clash-protection)
    pc_harden_try(pc_harden_link link -Wl,-z,relro)
    pc_harden_try(pc_harden_link link -Wl,-z,now)
    pc_harden_try(pc_harden_program link -pie)

    # libc's checked functions need optimisation, and sanitizers have their own; 3 is 2 where libc or compiler
    # is older (features.h would warn).
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    foreach(level 2 3)
        set(CMAKE_REQUIRED_FLAGS "${CMAKE_C_FLAGS_${type}} -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level}")
        check_c_source_compiles("
            #include <features.h>
            #if !defined __OPTIMIZE__ || !defined __USE_FORTIFY_LEVEL || __USE_FORTIFY_LEVEL < ${level}
            #error
            #endif
            int main(void) { return 0; }" PC_FORTIFY_${level}_${type})
    endforeach()
    unset(CMAKE_REQUIRED_FLAGS)
    if(PC_SANITIZED)
        # none
    elseif(PC_FORTIFY_3_${type})
        list(APPEND pc_harden_compile -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
    elseif(PC_FORTIFY_2_${type})
        list(APPEND pc_harden_compile -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
    message(STATUS "hardening: ${pc_harden_compile} ${pc_harden_link} ${pc_harden_program}")
endif()

function(pc_harden)
    foreach(target ${ARGN})
        get_target_property(type ${target} TYPE)
        target_compile_options(${target} PRIVATE ${pc_harden_compile})
        if(NOT type STREQUAL STATIC_LIBRARY) # an archive is not linked
            target_link_options(${target} PRIVATE ${pc_harden_link})
        endif()
        if(type STREQUAL EXECUTABLE)
            target_link_options(${target} PRIVATE ${pc_harden_program})
        endif()
    endforeach()
endfunction()

# pc_harden_not(TARGET PATTERN...): files of its shortest loops, where it costs more than a hundredth (docs/adr/034)
function(pc_harden_not target)
    file(GLOB files CONFIGURE_DEPENDS ${ARGN})
    foreach(flag -fstack-protector-strong -fstack-clash-protection)
        if(flag IN_LIST pc_harden_compile)
            string(REGEX REPLACE "^-f|-strong$" "" name ${flag})
            set_property(SOURCE ${files} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS -fno-${name})
        endif()
    endforeach()
    # Of sizes that are known at run time only, 3 makes a call of each copy of a few bytes.
    if("-D_FORTIFY_SOURCE=3" IN_LIST pc_harden_compile)
        set_property(SOURCE ${files} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS
                     -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
endfunction()

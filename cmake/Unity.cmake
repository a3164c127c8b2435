# Unity builds: files of neighbouring folders are compiled together, so that headers are read and templates instantiated once
# for all of them. This halves the build's processor time. SHRIMP_UNITY=OFF compiles files one by one: use it while you work
# on single files.

option(SHRIMP_UNITY "Compile files of neighbouring folders together" ON)

# Compiles the files of a target in the groups that `shrimp_unity_group_FOLDER` names; every other folder is a separate group.
# Files listed after the target are compiled one by one.
function(shrimp_unity target)
  if(NOT SHRIMP_UNITY)
    return()
  endif()
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "\\.cpp$")
  foreach(file IN LISTS files)
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    set(group "${folder}")
    if(DEFINED shrimp_unity_group_${folder})
      set(group ${shrimp_unity_group_${folder}})
    endif()
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP "group_${group}")
  endforeach()
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

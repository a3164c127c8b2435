# What the build needs and the Debian package that has it. All that is missing is told at once, by that name.
#
#   shrimp_needs(WORDS PACKAGE NAME …)   looks for find_package(NAME …)
#   shrimp_end_if_needs_are_missing()

# A macro: what find_package sets is for the caller.
macro(shrimp_needs words package)
  find_package(${ARGN} QUIET)
  if(NOT ${ARGV2}_FOUND)
    list(APPEND shrimp_missing_things "${words}")
    list(APPEND shrimp_missing_packages ${package})
  endif()
endmacro()

function(shrimp_end_if_needs_are_missing)
  if(NOT shrimp_missing_packages)
    return()
  endif()
  list(JOIN shrimp_missing_things ", " things)
  list(REMOVE_DUPLICATES shrimp_missing_packages)
  list(JOIN shrimp_missing_packages " " packages)
  # Lines that start with a space are not broken: the command can be copied as it stands.
  message(FATAL_ERROR "shrimp needs ${things}: not found on this machine. On Debian or Ubuntu:\n"
    "    sudo apt install ${packages}\n")
endfunction()

# C++, or a need like the others. Without a compiler CMake does not know where Debian keeps libraries: what follows is told
# as missing, too, which apt knows better.
macro(shrimp_needs_cxx)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
  else()
    list(APPEND shrimp_missing_things "a C++ compiler")
    list(APPEND shrimp_missing_packages g++)
  endif()
endmacro()

# CUDA with cuBLAS and cuSOLVER. Code is made for the cards that compute fast in double precision (Ampere, Hopper);
# later ones compile it once more when they first meet it.
macro(shrimp_needs_cuda)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90")
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
  endif()
  shrimp_needs("the CUDA toolkit (nvcc, cuBLAS, cuSOLVER)" nvidia-cuda-toolkit CUDAToolkit)
endmacro()

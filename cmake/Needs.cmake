# Dependencies of the build and the Debian packages that provide them. One message lists all missing packages.
#
#   shrimp_needs(WORDS PACKAGE NAME …)   calls find_package(NAME …)
#   shrimp_end_if_needs_are_missing()

# A macro, because the caller needs the variables that find_package sets.
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

# Enables C++, or lists the compiler as missing. Without a compiler, CMake does not search Debian's library folders. The
# message then also names libraries that are installed, which apt skips.
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

# CUDA with cuBLAS and cuSOLVER. Code is compiled for GPUs that are fast in double precision (Ampere, Hopper). On later
# GPUs the driver compiles it at the first use.
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

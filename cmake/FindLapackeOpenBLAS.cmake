# OpenBLAS with its CBLAS header, and LAPACKE, as the target LapackeOpenBLAS::LapackeOpenBLAS. Each library is
# a component; both are searched by default.
# The OpenMP build of OpenBLAS (Debian: libopenblas-openmp-dev) shares its threads with ours.
include(FindPackageHandleStandardArgs)
find_library(LapackeOpenBLAS_OPENBLAS openblas PATH_SUFFIXES openblas-openmp openblas-pthread)
find_library(LapackeOpenBLAS_LAPACKE lapacke)
find_path(LapackeOpenBLAS_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-openmp openblas-pthread openblas)
find_path(LapackeOpenBLAS_LAPACKE_INCLUDE lapacke.h PATH_SUFFIXES lapacke)
if(LapackeOpenBLAS_OPENBLAS AND LapackeOpenBLAS_CBLAS_INCLUDE)
  set(LapackeOpenBLAS_OpenBLAS_FOUND TRUE)
endif()
if(LapackeOpenBLAS_LAPACKE AND LapackeOpenBLAS_LAPACKE_INCLUDE)
  set(LapackeOpenBLAS_LAPACKE_FOUND TRUE)
endif()
if(NOT LapackeOpenBLAS_FIND_COMPONENTS)
  set(LapackeOpenBLAS_FIND_COMPONENTS OpenBLAS LAPACKE)
  set(LapackeOpenBLAS_FIND_REQUIRED_OpenBLAS TRUE)
  set(LapackeOpenBLAS_FIND_REQUIRED_LAPACKE TRUE)
endif()
find_package_handle_standard_args(LapackeOpenBLAS HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE "Debian: libopenblas-openmp-dev, liblapacke-dev")
if(LapackeOpenBLAS_OpenBLAS_FOUND AND LapackeOpenBLAS_LAPACKE_FOUND AND NOT TARGET LapackeOpenBLAS::LapackeOpenBLAS)
  add_library(LapackeOpenBLAS::LapackeOpenBLAS INTERFACE IMPORTED)
  target_include_directories(LapackeOpenBLAS::LapackeOpenBLAS SYSTEM
    INTERFACE ${LapackeOpenBLAS_CBLAS_INCLUDE} ${LapackeOpenBLAS_LAPACKE_INCLUDE})
  target_link_libraries(LapackeOpenBLAS::LapackeOpenBLAS INTERFACE ${LapackeOpenBLAS_LAPACKE} ${LapackeOpenBLAS_OPENBLAS})
endif()
mark_as_advanced(LapackeOpenBLAS_OPENBLAS LapackeOpenBLAS_LAPACKE LapackeOpenBLAS_CBLAS_INCLUDE LapackeOpenBLAS_LAPACKE_INCLUDE)

// The kernels of OpenBLAS that fit the processor.
//
// An OpenBLAS that is older than the processor does not know it, and takes kernels for any processor at all
// ("Prescott"), which are several times slower: 0.3.21 does so on Intel's Xeons since 2023.
#pragma once

#include <string>

namespace shrimp {

/// Where OpenBLAS did not know the processor, has it take the kernels of an older one with the same instructions. Not
/// where OPENBLAS_CORETYPE says what to take. For before anyone calls BLAS; later calls do nothing.
void choose_blas_kernels();

/// The name of the kernels in use; empty where BLAS does not tell.
std::string blas_kernels();

}  // namespace shrimp

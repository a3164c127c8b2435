// How much memory there is, and refusing what will not fit.
#pragma once

#include <string>

namespace shrimp {

/// Bytes this process may still take: the limit asked for in GiB less those already `held` under it, or, where that is
/// 0, what the machine and its control groups leave, which know what is held. Never more than the address space left.
double available_memory(double limit_gib, double held = 0.0);

/// What the program takes before it has any data: its code, libraries, and buffers of BLAS.
inline constexpr double memory_of_the_program = 18e6;

/// "1.5 GiB", "20.0 KiB"
std::string format_bytes(double bytes);

}  // namespace shrimp

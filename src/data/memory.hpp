// How much memory there is, and refusing what will not fit.
#pragma once

#include <string>

namespace shrimp {

/// Bytes this process may still take: the limit asked for in GiB, or, where that is 0, what the
/// machine (or its control group) has free.
double available_memory(double limit_gib);

/// "1.5 GiB", "20.0 KiB"
std::string format_bytes(double bytes);

}  // namespace shrimp

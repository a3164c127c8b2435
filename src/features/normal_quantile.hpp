// Φ⁻¹, the quantile of the standard normal law: M. J. Wichura, Algorithm AS 241 (PPND16), Applied
// Statistics 37 (1988), relative accuracy about 1e-16.
//
// Libraries have this function, but through their own logarithms, which differ in the last bit from one
// to the next. Weights must be the same everywhere, so the logarithm here is a series of IEEE-exact
// operations (this needs -ffp-contract=off).
#pragma once

namespace shrimp {

/// For 0 < p < 1.
double normal_quantile(double p);

}  // namespace shrimp

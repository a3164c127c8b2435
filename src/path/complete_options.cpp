// What each method takes for the options that were left to it.
#include <fmt/format.h>

#include <algorithm>

#include "features/bases.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/fit.hpp"

namespace shrimp {
namespace {

constexpr int highest_automatic_order = 3;

Basis own_basis(Method method) {
  switch (method) {
    case Method::lasso:
    case Method::imp_linear:
      return Basis::linear;
    case Method::harfe:
      return Basis::sine;
    default:
      return Basis::fourier;
  }
}

std::vector<std::vector<int>> own_orders(const FitOptions& options, int d) {
  if (about(*options.basis).draws == Draws::nothing) return {{1}};
  if (options.method == Method::salsa) {
    std::vector<std::vector<int>> upward;
    for (int q = 1; q <= d; ++q) upward.push_back({q});
    return upward;
  }
  if (options.method == Method::ssam && d > 1) return {{1, 2}};
  return {{std::min(2, d)}};
}

// Steps of ssam are cheap and many; those of harfe are a least-squares problem each.
std::size_t own_iterations(Method method) {
  if (method == Method::harfe) return 200;
  return method == Method::ssam ? 200000 : 20000;
}

// An order asked for is the highest that terms may have.
void complete_automatic(FitOptions& options, int d) {
  if (options.basis.value_or(Basis::fourier) != Basis::fourier) {
    throw OptionError("method auto draws Fourier features.\nUse method shrimp for another basis.");
  }
  if (options.law != Law::normal && options.law != Law::student_t) {
    throw OptionError("method auto draws weights from normal and student-t.\nUse method shrimp for another law.");
  }
  if (options.ridge_by_gcv) {
    throw OptionError("method auto chooses its ridge by leave-one-out.\nLeave ridge out, or give a number.");
  }
  for (const std::vector<int>& orders : options.orders) {
    for (const int q : orders) {
      if (q <= std::min(d, highest_automatic_order)) continue;
      throw OptionError(
          fmt::format("order {} is above {}, the highest of method auto here.\nGive a lower order, or "
                      "method shrimp.",
                      q, std::min(d, highest_automatic_order)));
    }
  }
  if (!options.orders.empty()) {
    options.max_order = 1;
    for (const std::vector<int>& orders : options.orders)
      options.max_order = std::max(options.max_order, orders.back());
  }
  options.max_order = std::min(options.max_order, d);
}

}  // namespace

FitOptions complete_options(FitOptions options, std::size_t d) {
  if (options.method == Method::automatic) complete_automatic(options, static_cast<int>(d));
  if (options.method == Method::imp_linear && options.basis.value_or(Basis::linear) != Basis::linear) {
    throw OptionError("imp-linear works on the inputs themselves.\nUse method shrimp for another basis.");
  }
  if (!options.basis) options.basis = own_basis(options.method);
  if (options.orders.empty() && options.method != Method::automatic)
    options.orders = own_orders(options, static_cast<int>(d));
  if (options.method == Method::krr) options.orders = {{static_cast<int>(d)}};
  if (options.prune_rates.empty()) options.prune_rates = {options.method == Method::imp_linear ? 0.0 : 0.2};
  if (!options.ridge && options.method != Method::automatic)
    options.ridge = options.method == Method::harfe ? 1e-4 : 0.0;
  if (!options.gamma && options.method != Method::salsa) options.gamma_by_order = true;
  if (options.max_iterations == 0) options.max_iterations = own_iterations(options.method);
  return options;
}

}  // namespace shrimp

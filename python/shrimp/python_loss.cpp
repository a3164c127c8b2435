#include "python_loss.hpp"

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"

namespace nb = nanobind;

namespace shrimp::python {
namespace {

constexpr std::array<const char*, 3> results = {"loss", "gradient", "curvature"};

void copy_result(const nb::handle& returned, const char* name, std::span<double> values) {
  Numbers numbers;
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(returned, "float64");
  if (!nb::try_cast(array, numbers) || numbers.shape(0) != values.size()) {
    throw std::invalid_argument(fmt::format(
        "the loss function returned a {} that is not one number per row, here {}.\nReturn loss, gradient and "
        "curvature as arrays of the length of y.",
        name, values.size()));
  }
  std::copy_n(numbers.data(), values.size(), values.begin());
  const bool is_finite = std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  if (!is_finite) {
    throw std::invalid_argument(fmt::format(
        "the loss function returned a {} that is not finite.\nBound its result for large predictions.", name));
  }
}

}  // namespace

void PythonLoss::evaluate(std::span<const double> y, std::span<const double> f, std::span<double> loss,
                          std::span<double> gradient, std::span<double> curvature) const {
  const std::lock_guard lock(one_at_a_time_);
  on_caller_([&] {
    const nb::object returned = function_(to_array({y.begin(), y.end()}), to_array({f.begin(), f.end()}));
    nb::tuple parts;
    if (!nb::try_cast(nb::object(returned), parts) || parts.size() != results.size()) {
      throw std::invalid_argument(
          "the loss function did not return three arrays.\nReturn a tuple of loss, gradient and curvature.");
    }
    const std::array<std::span<double>, 3> spans = {loss, gradient, curvature};
    for (std::size_t k = 0; k < spans.size(); ++k) copy_result(parts[k], results[k], spans[k]);
  });
}

}  // namespace shrimp::python

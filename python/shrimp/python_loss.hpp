// A loss function written in Python.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>

#include "shrimp/loss.hpp"
#include "watched_fit.hpp"

namespace shrimp::python {

/// Calls `function(y, f)` for arrays of targets and predictions. It returns the loss, its gradient and its curvature in
/// f as arrays of the same length. The function and `on_caller` must outlive the fit's caller.
class PythonLoss : public CustomLoss {
 public:
  PythonLoss(nanobind::handle function, const OnCaller& on_caller) : function_(function), on_caller_(on_caller) {}

  void evaluate(std::span<const double> y, std::span<const double> f, std::span<double> loss,
                std::span<double> gradient, std::span<double> curvature) const override;

 private:
  nanobind::handle function_;
  OnCaller on_caller_;
  mutable std::mutex one_at_a_time_;  // The caller's thread does one errand at a time.
};

}  // namespace shrimp::python

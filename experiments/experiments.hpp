// The experiments, one file per table or group of figures.
#pragma once

#include "experiments/experiment.hpp"

namespace shrimp::experiments {

extern const Experiment table2;
extern const Experiment table3;
extern const Experiment table4;
extern const Experiment table5;
extern const Experiment fig_time;
extern const Experiment fig_robust;
extern const Experiment fig_support;
extern const Experiment fig_role;
extern const Experiment fig_naive;
extern const Experiment fig_high_order;
extern const Experiment fig_spectrum;
extern const Experiment fig_variance;
extern const Experiment fig_kernel;

}  // namespace shrimp::experiments

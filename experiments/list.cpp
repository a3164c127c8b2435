#include "experiments/experiments.hpp"

namespace shrimp::experiments {

std::span<const Experiment> all_experiments() {
  static const Experiment list[] = {table2,       table3,       table4,    table5,    fig_time,
                                    fig_robust,   fig_support,  fig_role,  fig_naive, fig_high_order,
                                    fig_spectrum, fig_variance, fig_kernel};
  return list;
}

}  // namespace shrimp::experiments

// Uphill by the signs of the slopes alone (Rprop: Riedmiller and Braun 1993; without going back, Igel and Hüsken 2003).
//
// Each coordinate has a step of its own, which grows while its slope keeps its sign and halves when that turns. Slopes
// of very different sizes do no harm, and no line is searched: for hyperparameters of Gaussian processes it does as
// well as methods of second order (Blum and Riedmiller 2013).
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace shrimp {

struct Height {
  double value = 0.0;         ///< −∞ or none where there is no ground.
  std::vector<double> slope;  ///< There, of any length.
};

struct ClimbOptions {
  double first_step = 0.2;
  double longest_step = 1.0;
  double shortest_step = 0.02;  ///< It ends where no coordinate moves by more.
  int most_steps = 20;
  double least_gain = 0.0;  ///< It ends where `patience` steps gained less.
  int patience = 3;
  std::function<bool()> is_over;  ///< Whether to end where it is.
};

/// The highest point met from `start`, each coordinate between its `lowest` and `highest`.
std::vector<double> climb(std::vector<double> start, std::span<const double> lowest, std::span<const double> highest,
                          const std::function<Height(std::span<const double>)>& height, const ClimbOptions& options);

}  // namespace shrimp

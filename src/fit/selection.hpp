// Choosing among dictionaries, pruning rates and steps by validation error, and refitting the choice.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "fit/baselines.hpp"
#include "fit/left_out_rows.hpp"
#include "grow/long_rows.hpp"
#include "linalg/device.hpp"
#include "path/equations.hpp"
#include "shrimp/fit.hpp"

namespace shrimp {

/// What a model needs besides its columns; shared with observers that may outlive a step.
struct ModelFrame {
  /// What a budget of seconds counts from.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  std::vector<std::string> inputs;
  std::vector<InputColumn> columns;  ///< One per input; empty: all are numbers.
  std::string target;
  Scaling scaling;
  /// Targets of the rows are in units of it: the scale of the target, or its mean under a log link.
  double target_unit = 1.0;
  FitOptions options;                        ///< Completed.
  std::map<std::string, std::string> given;  ///< Those that were asked for.
  bool orders_upward = false;                ///< Stop trying orders when three in a row did not help.
  bool validated_by_file = false;
  bool stores_A = true;
  std::shared_ptr<Device> device;  ///< Null: the processor.
  Rows rows;                       ///< All training rows, or of a long table those that are searched.
  /// What there is of a long table besides; none elsewhere.
  std::optional<LongRows> more;
  double lowest_target = 0.0;  ///< Of all rows.
  double highest_target = 0.0;
  std::vector<std::string> classes;  ///< Names of the two that a target of 0 and 1 stands for; may be empty.
  std::string exposure;              ///< The column that counts were counted over; "" for none.
  double exposure_of_weight = 0.0;   ///< If weights are relative exposures: the exposure of a row of weight 1.
};

struct Choice {
  bool found = false;
  double error = 0.0;                    ///< Validation error in scaled units.
  std::optional<double> standard_error;  ///< Of the error, where its rows took no part in any choice.
  std::size_t columns = 0;
  std::vector<int> orders;
  double rate = 0.0;
  std::size_t step = 0;
  std::vector<std::size_t> kept;  ///< The chosen columns of the dictionary that was drawn.
  Dictionary dictionary;          ///< Of the chosen columns.
  std::vector<double> coefficients;
  std::optional<double> train_mse;  ///< Of all rows, in scaled units, where it was had for little.
  double constant = 0.0;            ///< Added to the columns' sum, in scaled units.
  double target_correction = 0.0;   ///< Where the target has a form (shrimp/scaling.hpp).
  bool limits_target = false;       ///< Whether predictions stay within the range of the training rows' target.
  double ridge = 0.0;
  std::vector<double> scales;  ///< Of the columns where the ridge counts; none: 1.
  double penalty = 0.0;
  bool converged = true;
  double duality_gap = 0.0;
  std::size_t rank = 0;
  std::vector<PathRecord> records;  ///< Of the chosen dictionary and rate, errors in scaled units.
  std::size_t features_drawn = 0;
  std::size_t basis_functions_drawn = 0;
  LeftOutRows left_out;                   ///< None: no row was.
  HeldOutParts held_out;                  ///< Rows of the frame on which the error was estimated; empty: other rows.
  std::optional<double> fitted_weight;    ///< Of the rows that the coefficients were fitted to, where these are more.
  std::map<std::string, double> results;  ///< More to tell beside the squared errors.
  std::vector<std::string> warnings;
  /// The model of low order that a kernel term replaced, with its error on the same rows; none: unknown.
  std::shared_ptr<Choice> low_order = {};
};

/// Throws Interrupted where the observer asks for it.
Choice select(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
              const FitObserver& observer);

/// `constant` is added to the columns' sum, in scaled units, those of the training error, too, which is computed where
/// it is not given; the validation error is in the target's. The correction is that of a target's form.
Model build_model(const ModelFrame& frame, Dictionary dictionary, std::vector<double> coefficients, double constant,
                  double validation_mse, std::optional<double> train_mse = {},
                  std::optional<double> target_correction = {});

}  // namespace shrimp

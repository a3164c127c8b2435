// What a model's error is on rows that took no part in finding its terms, shapes, ridge or columns.
//
// Where rows are plenty, some are set aside from the start. Where they are not, the whole search is made again without
// one part of the rows after the other. Those searches have fewer rows, and their models are a little worse; how much,
// is told by the errors that the searches themselves believe in. With E the error of the search on all rows, by folds
// of its pruning, E_k that of the search without part k, and H the mean square error on the parts left out, the error
// is
//   E · H / mean(E_k),
// H freed from what the missing rows cost, or E freed from what the search took from its own rows.
#pragma once

#include <functional>
#include <optional>

#include "data/rows.hpp"
#include "fit/left_out_rows.hpp"
#include "grow/finish.hpp"
#include "ridge/row_errors.hpp"

namespace shrimp {

struct HonestError {
  double mean = 0.0;            ///< In the units of y².
  double standard_error = 0.0;  ///< Of the mean.
};

/// The model's errors on rows that it has not seen, if it holds inputs (and its predictions, too, where asked to)
/// within the range of the rows that it was fitted to, widened by the share `clip` on either side; none: it does not.
struct Clipping {
  std::optional<double> clip;
  bool target = false;
  /// Where it gives the target a form, errors are in the target's own units (fit/own_units.hpp).
  Scaling scaling = {};
};
/// Inputs as such a model takes them.
Matrix clipped_inputs(const Rows& fitted, const Rows& judged, const Clipping& clipping);
std::vector<double> predict_new_rows(const Finished& model, const Rows& fitted, const Rows& judged,
                                     const Clipping& clipping);
RowErrors errors_on_new_rows(const Finished& model, const Rows& fitted, const Rows& judged, const Clipping& clipping);

inline constexpr std::size_t most_parts_of_nested_error = 5;

/// What came of a search without a part of the rows.
struct PartErrors {
  RowErrors errors;                    ///< Of the rows left out.
  double believed = 0.0;               ///< The error that the search itself tells.
  double weight = 0.0;                 ///< Of the rows left out.
  std::vector<std::size_t> rows = {};  ///< Those left out, …
  std::vector<double> gaps = {};       ///< … and by how much their targets are above the prediction, in scaled units.
  RowErrors to_choose_by = {};         ///< Errors that models are compared by, where they are others.
};

/// What a model that was fitted to some rows is off by on others.
using Judge = std::function<PartErrors(const Finished& model, const Rows& fitted, const Rows& left_out)>;

/// Leaves out part after part, until a thousand rows were or all. `search` finds models of some rows, of so many kinds;
/// it and `judge`, which need not name the rows left out, are called from several threads. The errors of each kind;
/// none where there are too few rows to do without a part.
std::vector<std::vector<PartErrors>> judge_parts(const Rows& rows, std::size_t kinds,
                                                 const std::function<std::vector<Finished>(const Rows&)>& search,
                                                 const Judge& judge, std::uint64_t seed);

/// Finds and judges models in one step, for models of other types. `evaluate` returns the errors of each kind.
std::vector<std::vector<PartErrors>> judge_parts(
    const Rows& rows, std::size_t kinds,
    const std::function<std::vector<PartErrors>(const Rows& train, const Rows& held_out)>& evaluate,
    std::uint64_t seed);

/// By squared errors.
std::vector<std::vector<PartErrors>> errors_of_parts(const Rows& rows, std::size_t kinds,
                                                     const std::function<std::vector<Finished>(const Rows&)>& search,
                                                     const Clipping& clipping, std::uint64_t seed);

/// The rows left out by each part.
std::vector<std::vector<std::size_t>> rows_of(const std::vector<PartErrors>& parts);

/// Those of all parts, one after the other.
RowErrors errors_of_all(const std::vector<PartErrors>& parts, RowErrors PartErrors::*which = &PartErrors::errors);

/// What the parts tell of a model of all rows, whose error is `error`: freed from what the missing rows cost.
LeftOutRows left_out_rows(const std::vector<PartErrors>& parts, const Rows& rows, double error);

/// `error` is that of the search on all rows.
HonestError honest_error(const std::vector<PartErrors>& parts, double error);

}  // namespace shrimp

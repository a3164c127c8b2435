// From a term of all inputs to a model: sections of its kernel at some of the rows, beside the columns of the terms.
//
// Where the rows are few, every row is a centre and the coefficients follow from K⁻¹y. Else some rows z_1 … z_n are
// centres: with L Lᵀ = k(z, z), the columns k(x, z) L⁻ᵀ have the prior variance 1 that ridge regression takes them to
// have, and their normal equations are sums over blocks of rows (Williams and Seeger 2001). Centres double in number
// while held-out rows gain by it.
#pragma once

#include <functional>
#include <memory>

#include "grow/all_inputs.hpp"
#include "grow/finish.hpp"

namespace shrimp {

/// Every row of `rows`, those that the term was found on, is a centre.
Finished finish_on_all_rows(const Rows& rows, const AllInputs& found, const Finished& terms);

struct SectionOptions {
  std::size_t fewest_centres = 500;
  std::size_t most_centres = 4000;
  double most_work = 2e12;  ///< Operations of one number of centres.
  std::uint64_t seed = 0;
  std::shared_ptr<Device> device = {};  ///< For the sums over rows and their solutions; null: the processor.
};

/// Centres are chosen out of `rows`, the numbers of centres and λ by a part of these that is held out, and the
/// coefficients fit `rows` and then `more` of them (null: none): a model for both, the first one's in `judged`.
struct SectionModels {
  Finished judged;
  Finished all;
};
SectionModels finish_with_sections(const Rows& rows, const Rows* more, const AllInputs& found, const Finished& terms,
                                   const SectionOptions& options, const std::function<bool()>& is_over);

}  // namespace shrimp

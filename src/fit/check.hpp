// Bad input is refused before work starts.
#pragma once

#include <string>
#include <vector>

#include "shrimp/options.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// Throws DataError or OptionError that says what is wrong, where, and how to mend it.
/// An option that the method does nothing with is refused.
void check_fit(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test);

/// Throws OptionError where the data have an exposure and the loss takes none.
void check_takes_exposure(const FitOptions& options);

/// Throws where there are too few groups to fit some and to choose by others. The rows are those that are fitted: some
/// may be gone from what was given.
void check_groups(const Dataset& rows, const FitOptions& options);

/// How large a dictionary is asked for may be the same for all methods that are tried: where one draws none, that is
/// worth a word only.
std::vector<std::string> ignored_option_warnings(const FitOptions& options);

}  // namespace shrimp

// The classes of a target: their names, and their numbers 0, 1, ….
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shrimp/table.hpp"

namespace shrimp {

/// Makes a target of two different values one of 0 and 1 and names the classes, in ascending order. `levels` are what
/// the values 0, 1, … stand for; none: the values are numbers. Throws DataError where there are not two.
void name_classes(Dataset& data, std::span<const std::string> levels = {});

/// The same for two classes or more, numbered 0, 1, ….
void name_all_classes(Dataset& data, std::span<const std::string> levels = {});

/// The numbers of these values among `classes`, which name_classes gave. `first_row` is that of the first value, for
/// the message. Throws DataError at a value that is none of them.
std::vector<double> class_numbers(std::span<const double> values, std::span<const std::string> levels,
                                  const std::vector<std::string>& classes, const std::string& place,
                                  std::size_t first_row = 0);

}  // namespace shrimp

// Model files of one linear predictor or of several classes.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "command_line.hpp"
#include "shrimp/classes.hpp"
#include "shrimp/model.hpp"

namespace shrimp::cli {

using AnyModel = std::variant<Model, ClassModel>;

void save_model(const AnyModel& model, const std::string& path);

/// Inputs, options and results of either.
[[nodiscard]] const Model& shared_part(const AnyModel& model);
[[nodiscard]] Model& shared_part(AnyModel& model);

/// Adds --class, which names the class to describe.
void add_class_option(const Command& command, std::string& class_name);

/// The model of a file. For a file of several classes, that of the class `class_name`. Throws OptionError that lists
/// the classes if the name is missing or unknown, or if the file has no classes to choose from.
[[nodiscard]] Model load_one_model(const std::string& path, const std::string& class_name);

/// The model of a file, for verbs that need sufficient statistics. Throws DataError if it cannot be refitted from them.
[[nodiscard]] Model load_model_to_refit(const std::string& path);

}  // namespace shrimp::cli

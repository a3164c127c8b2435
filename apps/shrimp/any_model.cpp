#include "any_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/names.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/update.hpp"

namespace shrimp::cli {

void save_model(const AnyModel& model, const std::string& path) {
  std::visit([&](const auto& own) { shrimp::save_model(own, path); }, model);
}

const Model& shared_part(const AnyModel& model) {
  const ClassModel* const classes = std::get_if<ClassModel>(&model);
  return classes != nullptr ? classes->shared : std::get<Model>(model);
}

Model& shared_part(AnyModel& model) {
  ClassModel* const classes = std::get_if<ClassModel>(&model);
  return classes != nullptr ? classes->shared : std::get<Model>(model);
}

void add_class_option(const Command& command, std::string& class_name) {
  command
      .option("--class", class_name,
              "Class to describe, for models of loss multinomial: the logarithm of its probability over the geometric "
              "mean of all classes")
      .value("NAME");
}

Model load_one_model(const std::string& path, const std::string& class_name) {
  const AnyModel model = load_any_model(path);
  if (const Model* const own = std::get_if<Model>(&model)) {
    if (class_name.empty()) return *own;
    throw OptionError(
        fmt::format("--class applies to models of loss multinomial, but {} has one linear predictor.\nRemove --class.",
                    path));
  }
  const ClassModel& classes = std::get<ClassModel>(model);
  const auto found = std::ranges::find(classes.classes, class_name);
  if (found != classes.classes.end()) return classes.model_of(static_cast<std::size_t>(found - classes.classes.begin()));
  const std::string problem = class_name.empty() ? fmt::format("{} has a linear predictor for each class", path)
                                                 : fmt::format("{} has no class \"{}\"", path, class_name);
  throw OptionError(fmt::format("{}.\nGive --class with one of {}.", problem, list_names(classes.classes)));
}

Model load_model_to_refit(const std::string& path) {
  AnyModel model = load_any_model(path);
  require_refit(shared_part(model), path);
  return std::get<Model>(std::move(model));
}

}  // namespace shrimp::cli

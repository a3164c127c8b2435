#include "update/refit_rule.hpp"

#include <fmt/format.h>

#include <charconv>

#include "methods/method.hpp"
#include "model/column_prior.hpp"
#include "model/model_loss.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/update.hpp"

namespace shrimp {
namespace {

double number_of_option(const Model& model, const char* name) {
  double value = 0.0;
  const auto found = model.options.find(name);
  if (found != model.options.end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  }
  return value;
}

RefitRule::Constant constant_of(const Model& model, bool grows) {
  if (grows) return RefitRule::Constant::fitted;
  const auto as_they_are = model.options.find("no-standardize");
  const bool scaled = as_they_are == model.options.end() || as_they_are->second != "true";
  return scaled ? RefitRule::Constant::mean : RefitRule::Constant::kept;
}

// The centres of kernel columns must meet the same kernel, or it has no matrix.
void require_one_kernel(const Model& model, const std::string& source) {
  if (has_one_kernel(model.dictionary)) return;
  throw DataError(
      fmt::format("{} has kernel functions on different inputs, which sufficient statistics cannot refit.\nFit the "
                  "model again to all rows.",
                  source));
}

}  // namespace

RefitRule refit_rule(const Model& model, const std::string& source) {
  const Method& method = method_named(model.method);
  if (!method.refits_by_sums) {
    throw DataError(fmt::format(
        "{} was fitted by method {}, whose coefficients are not a least-squares fit and do not follow from sufficient "
        "statistics.\nFit the model again to all rows, or use another method, such as auto or shrimp.",
        source, model.method));
  }
  const Loss loss = loss_of(model);
  if (!objective_of(loss).updates_by_steps) {
    throw DataError(
        fmt::format("{} was fitted with loss {}, whose fit does not follow from sufficient statistics.\nFit the model "
                    "again to all rows.",
                    source, name_of(loss)));
  }
  if (!exposure_of(model).empty()) {
    throw DataError(fmt::format(
        "{} was fitted with exposures, which sufficient statistics do not take.\nFit the model again to all "
        "rows.",
        source));
  }
  const bool grows = method.candidates == nullptr;
  RefitRule rule;
  rule.constant = constant_of(model, grows);
  rule.rank_tolerance = number_of_option(model, "rcond");
  const auto told = model.results.find("ridge");
  if (model.penalty) {
    require_one_kernel(model, source);
    rule.ridge = model.penalty->ridge;
    rule.scales = scales_of_columns(model.dictionary, model.penalty->scales);
  } else if (told != model.results.end() && told->second > 0.0) {
    // Before penalties were written, those of all but the default method were on the columns as they are.
    if (grows) {
      throw ModelFileError(
          fmt::format("{} has a ridge penalty but no scales of its basis functions: an earlier version of the program "
                      "wrote it.\nFit the model again.",
                      source));
    }
    rule.ridge = told->second;
    rule.scales.assign(model.coefficients.size(), 1.0);
  }
  return rule;
}

void require_refit(const Model& model, const std::string& source) { (void)refit_rule(model, source); }

}  // namespace shrimp

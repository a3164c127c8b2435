#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "data/target_form.hpp"

namespace shrimp::report {

std::string with_minus_sign(std::string text) {
  for (std::size_t k = text.find('-'); k != std::string::npos; k = text.find('-', k)) text.replace(k, 1, "−");
  return text;
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "unknown";
  return with_minus_sign(fmt::format("{:.4g}", value + 0.0));  // Turns −0 into 0.
}

std::string percent_text(double share) {
  constexpr double least = 0.001;
  if (std::abs(share) < least) return share == 0.0 ? "0 %" : "< 0.1 %";
  return fmt::format("{}{:.1f} %", share < 0.0 ? "−" : "", 100.0 * std::abs(share));
}

std::string count_text(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::vector<std::string> plain_numbers(std::span<const double> values) {
  std::vector<std::string> texts;
  if (values.empty()) return texts;
  const auto [low, high] = std::ranges::minmax(values);
  const double size = std::max(std::abs(low), std::abs(high));
  const double range = high > low ? high - low : size;
  const int decimals = range > 0.0 ? 2 - static_cast<int>(std::floor(std::log10(range))) : 0;
  const bool by_decades = low > 0.0 && high > 1000.0 * low;
  const bool plain = size < 1e7 && decimals <= 7 && !by_decades;
  for (const double value : values) {
    std::string text = plain ? fmt::format("{:.{}f}", value, std::max(decimals, 0)) : fmt::format("{:.5g}", value);
    if (plain && decimals > 0) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    texts.push_back(text == "-0" ? "0" : text);
  }
  return texts;
}

std::vector<std::string> with_minus_signs(std::vector<std::string> numbers) {
  std::ranges::transform(numbers, numbers.begin(), with_minus_sign);
  return numbers;
}

std::string fitted_target(const Model& model) {
  const TargetForm form = model.scaling.target_form;
  if (model.classes.size() == 2) return "log odds of " + class_text(model);
  return form == TargetForm::identity ? model.target : fmt::format("{}({})", name_of(form), model.target);
}

double result_of(const Model& model, const std::string& name) {
  const auto found = model.results.find(name);
  return found == model.results.end() ? std::nan("") : found->second;
}

std::string class_text(const Model& model, std::size_t which) {
  const std::string& name = model.classes.at(which);
  const bool is_word = std::ranges::any_of(name, [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
  const bool is_plain = is_word && name != "true" && name != "false" && name != "True" && name != "False";
  return is_plain ? name : fmt::format("{}={}", model.target, name);
}

double fitted_rows(const Model& model) {
  const double given = result_of(model, "rows_given");
  return std::isnan(given) ? result_of(model, "rows") : given;
}

double notable_covariance(const Model& model) {
  constexpr double much = 0.05;
  constexpr double level = 0.01;
  const double share = result_of(model, "covariance_fraction");
  const bool may_be_the_sample = result_of(model, "independence_p_value") > level;  // Older models do not tell.
  return std::abs(share) > much && !may_be_the_sample ? share : 0.0;
}

}  // namespace shrimp::report

#include "report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/words.hpp"

namespace shrimp::report {
namespace {

// Differences and paddings of what lies within are finite.
constexpr double largest_value = 1e300;
constexpr double padding = 0.05;
// Ticks that rounding puts just outside the axis are on it.
constexpr double slack = 1e-9;

std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[static_cast<std::size_t>(digit - '0')];
  return text;
}

// mantissa · 10^exponent with mantissa 1, 2 or 5.
struct Step {
  int mantissa = 1;
  int exponent = 0;

  [[nodiscard]] double value() const { return mantissa * std::pow(10.0, exponent); }
  [[nodiscard]] Step next() const {
    if (mantissa == 5) return {1, exponent + 1};
    return {mantissa == 1 ? 2 : 5, exponent};
  }
};

double first_multiple(double low, double step) { return std::ceil(low / step - slack); }
double last_multiple(double high, double step) { return std::floor(high / step + slack); }

Step step_for(double low, double high, double most) {
  Step step{1, static_cast<int>(std::floor(std::log10((high - low) / most)))};
  while (last_multiple(high, step.value()) - first_multiple(low, step.value()) + 1.0 > most) step = step.next();
  return step;
}

// Labels of one axis have the same form, so that they can be compared: plain, or all with the same power of ten.
std::string label_of_multiple(double multiple, Step step, double largest) {
  const double digits = multiple * step.mantissa + 0.0;  // Turns −0 into 0.
  const bool plain = largest >= 1e-3 && largest < 1e6;
  const int power = plain ? 0 : static_cast<int>(std::floor(std::log10(largest) + slack));
  const int decimals = std::max(0, power - step.exponent);
  const double shown =
      decimals > 0 ? digits / std::pow(10.0, decimals) : digits * std::pow(10.0, step.exponent - power);
  const std::string number = with_minus_sign(fmt::format("{:.{}f}", shown, decimals));
  return plain ? number : digits == 0.0 ? "0" : number + "×" + power_of_ten(power);
}

}  // namespace

bool has_place(const Axis& axis, double value) {
  if (!std::isfinite(value) || std::abs(value) > largest_value) return false;
  return !axis.logarithmic || !axis.categories.empty() || value > 0.0;
}

Scale::Scale(const Axis& axis, std::span<const double> values, bool from_zero)
    : logarithmic_(axis.logarithmic && axis.categories.empty()),
      reversed_(axis.reversed),
      categories_(axis.categories) {
  if (!categories_.empty()) {
    low_ = -0.5;
    high_ = static_cast<double>(categories_.size()) - 0.5;
    for (const double value : values) low_ = std::min(low_, value - 0.5), high_ = std::max(high_, value + 0.5);
    return;
  }
  if (values.empty()) return;
  const auto [smallest, largest] = std::ranges::minmax(values);
  low_ = logarithmic_ ? std::log10(smallest) : from_zero ? std::min(smallest, 0.0) : smallest;
  high_ = logarithmic_ ? std::log10(largest) : from_zero ? std::max(largest, 0.0) : largest;
  // Values that are equal but for rounding stand in the middle.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= 1e-9 * size || high_ - low_ < 1e-290) {
    const double room = logarithmic_ ? 0.5 : size > 1e-280 ? 0.1 * size : 1.0;
    low_ -= room;
    high_ += room;
    return;
  }
  const double room = padding * (high_ - low_);
  const bool zero_below = from_zero && !logarithmic_ && low_ == 0.0;
  const bool zero_above = from_zero && !logarithmic_ && high_ == 0.0;
  if (!zero_below) low_ -= room;
  if (!zero_above) high_ += room;
}

double Scale::place(double value) const { return place_of_coordinate(logarithmic_ ? std::log10(value) : value); }

double Scale::base() const { return logarithmic_ ? place_of_coordinate(low_) : std::clamp(place(0.0), 0.0, 1.0); }

double Scale::place_of_coordinate(double coordinate) const {
  const double place = (coordinate - low_) / (high_ - low_);
  return reversed_ ? 1.0 - place : place;
}

std::vector<Tick> Scale::ticks(std::size_t most) const {
  most = std::max<std::size_t>(most, 2);
  if (!categories_.empty()) return category_ticks(most);
  if (!logarithmic_) return linear_ticks(low_, high_, static_cast<double>(most));
  const double powers = last_multiple(high_, 1.0) - first_multiple(low_, 1.0) + 1.0;
  return powers >= 2.0 ? decade_ticks(most) : ticks_within_a_decade(most);
}

std::vector<Tick> Scale::category_ticks(std::size_t most) const {
  const std::size_t every = (categories_.size() + most - 1) / most;
  std::vector<Tick> ticks;
  for (std::size_t k = 0; k < categories_.size(); k += every) {
    ticks.push_back({place(static_cast<double>(k)), categories_[k]});
  }
  return ticks;
}

std::vector<Tick> Scale::linear_ticks(double low, double high, double most) const {
  const Step step = step_for(low, high, most);
  const double first = first_multiple(low, step.value());
  const double last = last_multiple(high, step.value());
  const double largest = std::max(std::abs(first), std::abs(last)) * step.value();
  std::vector<Tick> ticks;
  for (int k = 0; k <= static_cast<int>(last - first); ++k) {
    const double multiple = first + k;
    ticks.push_back({place(multiple * step.value()), label_of_multiple(multiple, step, largest)});
  }
  return ticks;
}

std::vector<Tick> Scale::decade_ticks(std::size_t most) const {
  constexpr std::array<int, 9> steps = {1, 2, 3, 5, 10, 20, 50, 100, 200};
  constexpr int few_decades = 6;
  constexpr int many_decades = 60;
  const int first = static_cast<int>(first_multiple(low_, 1.0));
  const int last = static_cast<int>(last_multiple(high_, 1.0));
  const auto labels = [&](int step) { return last_multiple(last, step) - first_multiple(first, step) + 1.0; };
  const auto* step = std::ranges::find_if(steps, [&](int s) { return labels(s) <= static_cast<double>(most); });
  const int every = step == steps.end() ? steps.back() : *step;
  std::vector<Tick> ticks;
  for (int exponent = first - 1; exponent <= last; ++exponent) {
    const bool labelled = exponent % every == 0;
    if (exponent >= first && (labelled || last - first < many_decades)) {
      ticks.push_back({place_of_coordinate(exponent), labelled ? power_of_ten(exponent) : ""});
    }
    if (every > 1 || last - first >= few_decades) continue;
    for (int digit = 2; digit <= 9; ++digit) {
      const double coordinate = exponent + std::log10(digit);
      if (coordinate >= low_ && coordinate <= high_) ticks.push_back({place_of_coordinate(coordinate), ""});
    }
  }
  return ticks;
}

// Where the axis does not hold two powers of ten: 1, 2 and 5 times them, or even steps where that is too coarse.
std::vector<Tick> Scale::ticks_within_a_decade(std::size_t most) const {
  std::vector<Tick> ticks;
  std::size_t labels = 0;
  for (int exponent = static_cast<int>(std::floor(low_)); exponent <= static_cast<int>(std::floor(high_)); ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double coordinate = exponent + std::log10(digit);
      if (coordinate < low_ - slack || coordinate > high_ + slack) continue;
      const bool labelled = digit == 1 || digit == 2 || digit == 5;
      const bool plain = exponent >= -3 && exponent <= 4;
      const std::string number = plain
                                     ? fmt::format("{:.{}f}", digit * std::pow(10.0, exponent), std::max(0, -exponent))
                                     : fmt::format("{}×{}", digit, power_of_ten(exponent));
      ticks.push_back({place_of_coordinate(coordinate), labelled ? number : ""});
      labels += labelled ? 1 : 0;
    }
  }
  if (labels >= 2) return ticks;
  return linear_ticks(std::pow(10.0, low_), std::pow(10.0, high_), static_cast<double>(most));
}

}  // namespace shrimp::report

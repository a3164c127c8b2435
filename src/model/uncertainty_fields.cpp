#include "model/uncertainty_fields.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace shrimp {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Base64 (RFC 4648) of the numbers' bits, the lowest byte first: a third of what they would take as text.
std::string to_base64(const std::vector<float>& values) {
  std::string text;
  text.reserve(values.size() * 16 / 3 + 4);
  std::uint32_t bits = 0;
  int count = 0;
  const auto flush = [&](int kept) {
    for (int k = 0; k < 4; ++k) text += k < kept ? digits[bits >> (18 - 6 * k) & 63U] : '=';
    bits = 0;
    count = 0;
  };
  for (const float value : values) {
    for (int byte = 0; byte < 4; ++byte) {
      bits |= (std::bit_cast<std::uint32_t>(value) >> 8 * byte & 255U) << (16 - 8 * count);
      if (++count == 3) flush(4);
    }
  }
  if (count > 0) flush(count + 1);
  return text;
}

// Empty where the text is none of whole numbers.
std::vector<std::uint8_t> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int known = 0;
  for (const char letter : text) {
    const std::size_t digit = digits.find(letter);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    known += 6;
    if (known < 8) continue;
    known -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> known & 255U));
  }
  return bytes;
}

std::vector<float> read_factor(const Reader& reader, std::size_t columns) {
  if (!reader.has("factor")) return {};
  const std::vector<std::uint8_t> bytes = bytes_of_base64(reader.text("factor"));
  const std::size_t row_bytes = 4 * (1 + columns);
  if (bytes.empty() || bytes.size() % row_bytes != 0) {
    reader.fail(fmt::format("has a \"factor\" whose size does not match {} basis functions", columns));
  }
  std::vector<float> values;
  values.reserve(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 4; ++byte) bits |= std::uint32_t{bytes[i + byte]} << 8 * byte;
    values.push_back(std::bit_cast<float>(bits));
    if (!std::isfinite(values.back())) reader.fail("has a \"factor\" that is not finite");
  }
  return values;
}

void check_quantiles(const Reader& reader, const Uncertainty& uncertainty) {
  const std::vector<double>& levels = uncertainty.levels;
  const std::vector<double>& quantiles = uncertainty.quantiles;
  if (levels.empty()) reader.fail("has no \"levels\"");
  if (levels.size() != quantiles.size()) reader.fail("has different numbers of \"quantiles\" and \"levels\"");
  const bool ascend = std::ranges::adjacent_find(levels, std::greater_equal()) == levels.end();
  if (!ascend || !(levels.front() > 0.0) || !(levels.back() < 1.0)) {
    reader.fail("has \"levels\" that are not in ascending order between 0 and 1");
  }
  if (!std::ranges::is_sorted(quantiles) || quantiles.front() < 0.0) {
    reader.fail("has \"quantiles\" that are not in ascending order from 0");
  }
}

}  // namespace

Json uncertainty_to_json(const Uncertainty& uncertainty) {
  Json json = {{"noise", uncertainty.noise},
               {"prediction_standard_deviation", uncertainty.spread},
               {"levels", uncertainty.levels},
               {"quantiles", uncertainty.quantiles}};
  if (uncertainty.dispersion != 1.0) json["dispersion"] = uncertainty.dispersion;
  if (!uncertainty.factor.empty()) json["factor"] = to_base64(uncertainty.factor);
  return json;
}

Uncertainty read_uncertainty(const Reader& reader, std::size_t columns) {
  Uncertainty uncertainty;
  uncertainty.noise = reader.number("noise");
  if (!(uncertainty.noise > 0.0)) reader.fail("has a \"noise\" that is not positive");
  uncertainty.spread = reader.number("prediction_standard_deviation");
  if (uncertainty.spread < 0.0) reader.fail("has a \"prediction_standard_deviation\" below 0");
  if (reader.has("dispersion")) {
    uncertainty.dispersion = reader.number("dispersion");
    if (!(uncertainty.dispersion > 0.0)) reader.fail("has a \"dispersion\" that is not positive");
  }
  uncertainty.levels = reader.numbers("levels");
  uncertainty.quantiles = reader.numbers("quantiles");
  check_quantiles(reader, uncertainty);
  uncertainty.factor = read_factor(reader, columns);
  return uncertainty;
}

}  // namespace shrimp

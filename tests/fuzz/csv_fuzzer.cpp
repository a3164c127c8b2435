// Any text is either a table of finite numbers or a DataError.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shrimp/shrimp.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void use(shrimp::Table table) {
  require(!table.names.empty() && table.values.rows() > 0 && table.values.cols() == table.names.size());
  for (std::size_t j = 0; j < table.values.cols(); ++j) {
    for (const double value : table.values.col(j)) require(std::isfinite(value));
  }
  if (table.names.size() < 2) return;
  const std::string target = table.names.back();
  const std::size_t rows = table.values.rows();
  const shrimp::Dataset data = shrimp::split_target(std::move(table), target, "fuzz");
  require(data.y.size() == rows && data.X.cols() == data.inputs.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  shrimp::CsvOptions options;
  options.threads = 1;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    options.labels = "x1";
    use(shrimp::parse_csv(text, "fuzz", options));
    options.labels.clear();
    use(shrimp::parse_csv(text, "fuzz", options));
  } catch (const shrimp::DataError&) {
    return 0;
  }
  return 0;
}

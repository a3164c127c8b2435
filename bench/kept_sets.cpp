// kept_sets A.bin y.bin groups.bin RATE STEPS: the columns that the prune path keeps after each of its first steps, as
// a JSON list of lists.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

#include "binary_matrix.hpp"
#include "shrimp/path.hpp"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const shrimp::Matrix A = read_binary_matrix(argv[1]);
  const shrimp::Matrix y = read_binary_matrix(argv[2]);
  const shrimp::Matrix group_numbers = read_binary_matrix(argv[3]);
  std::vector<std::uint32_t> groups;
  for (const double number : group_numbers.col(0)) groups.push_back(static_cast<std::uint32_t>(number));
  shrimp::PathOptions options;
  options.prune_rate = std::stod(argv[4]);
  options.groups = groups;
  const std::size_t steps = std::stoul(argv[5]);

  std::vector<std::string> sets;
  bool first = true;  // The first solve has every column: nothing was chosen yet.
  shrimp::visit_prune_path(A, y.col(0), options, [&](const shrimp::PathStep& step) {
    if (!first) sets.push_back(fmt::format("[{}]", fmt::join(step.columns, ",")));
    first = false;
    return sets.size() < steps;
  });
  fmt::print("[{}]\n", fmt::join(sets, ",\n"));
}

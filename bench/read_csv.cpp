// read_csv FILE: the seconds that the library needs to read a table, as JSON.
#include <fmt/format.h>

#include "median_seconds.hpp"
#include "shrimp/table.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  shrimp::Table table;
  const double seconds = median_seconds(3, [&] { table = shrimp::read_csv(argv[1]); });
  double sum = 0.0;
  for (std::size_t j = 0; j < table.values.cols(); ++j) {
    for (const double value : table.values.col(j)) sum += value;
  }
  fmt::print("{{\"rows\": {}, \"columns\": {}, \"sum\": {}, \"seconds\": {}}}\n", table.values.rows(),
             table.values.cols(), sum, seconds);
}

// predict_throughput MODEL.json X.bin: the seconds of Model::predict, and of the model's cosines and sines alone, as
// JSON.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "binary_matrix.hpp"
#include "features/cos_sin.hpp"
#include "median_seconds.hpp"
#include "shrimp/model.hpp"
#include "threads/threads.hpp"

namespace {

// What no prediction can go below: as many cosines and sines, on numbers that never leave the nearest cache. Their
// images lie in [-1, 1], so that applying them over and over needs no fresh arguments.
void evaluate_cos_sin_alone(const shrimp::Dictionary& dictionary, std::size_t rows) {
  constexpr std::size_t block_rows = 512;
  const shrimp::ThreadScope scope(0);
  shrimp::parallel_for((rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    std::vector<double> values(std::min(block_rows, rows - block * block_rows));
    std::iota(values.begin(), values.end(), 0.0);
    for (const shrimp::Function function : dictionary.functions) {
      function == shrimp::Function::cos ? shrimp::cos_in_place(values) : shrimp::sin_in_place(values);
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  constexpr int runs = 5;
  const shrimp::Model model = shrimp::load_model(argv[1]);
  const shrimp::Matrix X = read_binary_matrix(argv[2]);
  std::vector<double> prediction;
  const double predict = median_seconds(runs, [&] { prediction = model.predict(X); });
  const double bound = median_seconds(runs, [&] { evaluate_cos_sin_alone(model.dictionary, X.rows()); });
  const double mean = std::accumulate(prediction.begin(), prediction.end(), 0.0) / static_cast<double>(X.rows());
  fmt::print("{{\"rows\": {}, \"columns\": {}, \"mean\": {}, \"seconds\": {}, \"cos_sin_seconds\": {}}}\n", X.rows(),
             model.dictionary.columns(), mean, predict, bound);
}

// Complex paths and models for a comparison with NumPy; matrices as in bench/binary_matrix.hpp.
//   complex_fit path REAL.bin IMAGINARY.bin Y.bin RATE           the steps of the path, as JSON
//   complex_fit model X.bin Y.bin SEED MODEL.json OUT.bin        fits, saves, loads, predicts X
// Y.bin and OUT.bin have two columns: real and imaginary parts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "binary_matrix.hpp"
#include "shrimp/shrimp.hpp"

namespace {

std::vector<shrimp::Complex> read_complex(const std::string& path) {
  const shrimp::Matrix parts = read_binary_matrix(path);
  std::vector<shrimp::Complex> values;
  for (std::size_t i = 0; i < parts.rows(); ++i) values.emplace_back(parts(i, 0), parts(i, 1));
  return values;
}

std::string list(const std::vector<shrimp::Complex>& values) {
  std::vector<std::string> pairs;
  for (const shrimp::Complex& value : values) pairs.push_back(fmt::format("[{},{}]", value.real(), value.imag()));
  return fmt::format("[{}]", fmt::join(pairs, ","));
}

void print_path(char** argv) {
  shrimp::PathOptions options;
  options.prune_rate = std::stod(argv[5]);
  std::vector<std::string> steps;
  shrimp::visit_complex_prune_path(
      read_binary_matrix(argv[2]), read_binary_matrix(argv[3]), read_complex(argv[4]), options,
      [&](const shrimp::ComplexPathStep& step) {
        steps.push_back(fmt::format(R"({{"columns":[{}],"coefficients":{},"rank":{},"train_mse":{}}})",
                                    fmt::join(step.columns, ","), list(step.coefficients), step.rank, step.train_mse));
        return true;
      });
  fmt::print("[{}]\n", fmt::join(steps, ",\n"));
}

void fit_model(char** argv) {
  shrimp::ComplexDataset data;
  data.X = read_binary_matrix(argv[2]);
  for (std::size_t j = 0; j < data.X.cols(); ++j) data.inputs.push_back(fmt::format("x{}", j + 1));
  data.target = "y";
  data.y = read_complex(argv[3]);
  shrimp::FitOptions options;
  options.draw.features = 200;
  options.seed = std::stoull(argv[4]);
  shrimp::save_model(shrimp::fit_complex(data, options).model, argv[5]);
  const std::vector<shrimp::Complex> predicted = shrimp::load_complex_model(argv[5]).predict(data.X);
  shrimp::Matrix parts(predicted.size(), 2);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    parts(i, 0) = predicted[i].real();
    parts(i, 1) = predicted[i].imag();
  }
  write_binary_matrix(argv[6], parts);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "path" && argc == 6) {
    print_path(argv);
  } else if (mode == "model" && argc == 7) {
    fit_model(argv);
  } else {
    return 2;
  }
}

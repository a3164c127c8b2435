#include "experiments/real_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "data/file.hpp"
#include "data/json.hpp"
#include "random/philox.hpp"
#include "shrimp/errors.hpp"

namespace shrimp::experiments {
namespace {

Json read_manifest(const std::string& folder, const std::string& name) {
  constexpr double most = 1024.0 * 1024.0;
  const std::string path = folder + "/manifest.json";
  const Json manifest = parse_json_or_discard(read_file(path, most).text());
  if (!manifest.is_object() || !manifest.contains(name)) {
    throw DataError(
        fmt::format("{} does not describe \"{}\".\nGive the folder of the data sets with --data.", path, name));
  }
  return manifest[name];
}

// Unlike std::shuffle and std::normal_distribution, these give equal values with every standard library.
std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  return order;
}

double standard_normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2.0 * std::log(open_unit(random())));
  return radius * std::cos(2.0 * std::numbers::pi * open_unit(random()));
}

Dataset gather(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset part;
  part.inputs = data.inputs;
  part.target = data.target;
  part.X = Matrix(rows.size(), data.X.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < data.X.cols(); ++j) part.X(i, j) = data.X(rows[i], j);
    part.y.push_back(data.y[rows[i]]);
  }
  return part;
}

// Scales both parts by the mean and standard deviation of the training values.
void standardize(std::span<double> train, std::span<double> test) {
  const auto m = static_cast<double>(train.size());
  const double mean = std::accumulate(train.begin(), train.end(), 0.0) / m;
  double variance = 0.0;
  for (const double value : train) variance += (value - mean) * (value - mean) / m;
  const double deviation = variance > 0.0 ? std::sqrt(variance) : 1.0;
  for (double& value : train) value = (value - mean) / deviation;
  for (double& value : test) value = (value - mean) / deviation;
}

void append_noise(Dataset& data, std::size_t columns, std::mt19937_64& random) {
  Matrix wider(data.X.rows(), data.X.cols() + columns);
  for (std::size_t j = 0; j < wider.cols(); ++j) {
    for (std::size_t i = 0; i < wider.rows(); ++i) {
      wider(i, j) = j < data.X.cols() ? data.X(i, j) : standard_normal(random);
    }
  }
  for (std::size_t k = 0; k < columns; ++k) data.inputs.push_back(fmt::format("noise{}", k + 1));
  data.X = std::move(wider);
}

}  // namespace

TrainAndTest load_split(const std::string& folder, const std::string& name, std::uint64_t seed) {
  const Json manifest = read_manifest(folder, name);
  const std::string path = folder + "/" + manifest.at("file").get<std::string>();
  const Dataset all = split_target(read_csv(path), "y", path);
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(all.y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (manifest.at("shuffle")) order = shuffled(all.y.size(), random);
  const auto m = manifest.at("train").get<std::size_t>();
  const auto tested = manifest.at("test").get<std::size_t>();
  if (m + tested > order.size()) throw DataError(fmt::format("{} has fewer rows than its manifest says.", path));
  TrainAndTest data{gather(all, std::span(order).first(m)), gather(all, std::span(order).subspan(m, tested))};
  if (manifest.at("standardize")) {
    for (std::size_t j = 0; j < all.X.cols(); ++j) standardize(data.train.X.col(j), data.test.X.col(j));
    standardize(data.train.y, data.test.y);
  }
  const auto noise = manifest.at("extra_noise_columns").get<std::size_t>();
  append_noise(data.train, noise, random);
  append_noise(data.test, noise, random);
  return data;
}

}  // namespace shrimp::experiments

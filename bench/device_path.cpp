// Fits on the processor and on the card, and the pieces that a fit on the card is made of. One JSON object a run.
//
//   device_path fit DEVICE METHOD FUNCTION M D N Q RUNS   seconds of every run, the first with the card's start
//   device_path path DEVICE FUNCTION M D N Q RUNS         seconds of features, whole path and held-out errors alone
//   device_path kept FUNCTION M D N Q STEPS               after how many steps both keep the same columns
//   device_path pieces M D N Q                            seconds and rates of features, Gram matrix and factors
//   device_path kernel M D                                seconds of a kernel's evidence and of what it is made of
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/functions.hpp"
#include "features/device_features.hpp"
#include "grow/device_kernel.hpp"
#include "grow/kernel_tuning.hpp"
#include "linalg/device.hpp"
#include "median_seconds.hpp"
#include "path/device_rows.hpp"
#include "path/equations.hpp"
#include "path/prune_paths.hpp"
#include "path/refit.hpp"
#include "shrimp/shrimp.hpp"
#include "threads/threads.hpp"

namespace {

using namespace shrimp;

struct Case {
  std::string function;
  std::size_t m;
  std::size_t d;
  std::size_t features;
  int order;
};

Case read_case(char** words) {
  return {words[0], std::stoul(words[1]), std::stoul(words[2]), std::stoul(words[3]), std::stoi(words[4])};
}

DeviceChoice device_named(const std::string& name) { return name == "cuda" ? DeviceChoice::cuda : DeviceChoice::cpu; }

std::shared_ptr<Device> open(const std::string& name) {
  if (name != "cuda") return nullptr;
  DeviceSearch search = find_device();
  if (search.device == nullptr) throw std::runtime_error(search.why_not);
  return search.device;
}

template <typename Body>
double seconds_of(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::shared_ptr<const Dictionary> draw(const Case& of) {
  FeatureOptions options;
  options.orders = {of.order};
  options.features = of.features;
  return std::make_shared<Dictionary>(make_dictionary(draw_weights(of.d, options), Basis::fourier));
}

struct Rows2 {
  Rows train;
  Rows held;
};

// A tenth of the rows is held out, as a fit does.
Rows2 rows_of(const Case& of) {
  const Dataset data = experiments::sample(experiments::function_named(of.function), of.m, of.d, 0);
  const std::size_t fitted = of.m - of.m / 10;
  Dataset train = experiments::rows_of(data, 0, fitted);
  Dataset held = experiments::rows_of(data, fitted, of.m - fitted);
  Rows2 rows;
  rows.train.X = std::move(train.X);
  rows.train.y = std::move(train.y);
  rows.held.X = std::move(held.X);
  rows.held.y = std::move(held.y);
  return rows;
}

void run_fit(char** words) {
  const std::string device = words[0];
  const Case of = read_case(words + 2);
  const int runs = std::stoi(words[7]);
  const Dataset all = experiments::sample(experiments::function_named(of.function), of.m, of.d, 0);
  const Dataset test = experiments::sample(experiments::function_named(of.function), 1000, of.d, 1);
  FitOptions options;
  options.method = words[1];
  options.orders = {{of.order}};
  options.draw.features = of.features;
  options.standardize = options.method == "auto";
  if (options.method == "auto") options.orders.clear(), options.draw.features = FitOptions().draw.features;
  options.machine.device = device_named(device);
  std::vector<double> seconds;
  std::vector<double> whole;
  FitResult result;
  for (int run = 0; run < runs; ++run) {
    whole.push_back(seconds_of([&] { result = fit(all, options); }));
    seconds.push_back(result.seconds);
  }
  const std::vector<double> predictions = result.model.predict(test.X);
  double error = 0.0;
  for (std::size_t i = 0; i < test.y.size(); ++i) error += std::pow(predictions[i] - test.y[i], 2);
  fmt::print(
      R"({{"what":"fit","device":"{}","method":"{}","function":"{}","m":{},"d":{},"N":{},"q":{},"seconds":[{:.4g}],)"
      R"("columns":{},"steps":{},"validation_mse":{:.4g},"test_mse":{:.4g}}})"
      "\n",
      result.device, options.method, of.function, of.m, of.d, of.features, of.order, fmt::join(seconds, ","),
      result.model.coefficients.size(), result.path.size(), result.validation_mse,
      error / static_cast<double>(test.y.size()));
}

struct Walk {
  double seconds = 0.0;
  std::vector<double> at_step;
  std::vector<std::vector<std::size_t>> kept;
  std::vector<double> errors;
};

Walk walk(const std::shared_ptr<Device>& device, const std::shared_ptr<const Dictionary>& dictionary, const Rows2& rows,
          std::size_t most_steps) {
  Walk result;
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const std::vector<std::uint32_t> groups = support_numbers(*dictionary);
  const Equations train = EquationMaker(dictionary, rows.train, true, device).all();
  const Equations held = EquationMaker(dictionary, rows.held, true, device).all();
  PathOptions options;
  options.groups = groups;
  PrunePaths(train.A, train.y, options).visit(drop_smallest(0.2), [&](const PathStep& step) {
    result.errors.push_back(held.mean_squared_error(step));
    result.at_step.push_back(passed());
    result.kept.push_back(step.columns);
    return result.kept.size() < most_steps;
  });
  result.seconds = passed();
  return result;
}

void run_path(char** words) {
  const Case of = read_case(words + 1);
  const auto dictionary = draw(of);
  const Rows2 rows = rows_of(of);
  const std::shared_ptr<Device> device = open(words[0]);
  std::vector<double> seconds;
  Walk last;
  for (int run = 0; run < std::stoi(words[6]); ++run) {
    last = walk(device, dictionary, rows, 1000);
    seconds.push_back(last.seconds);
  }
  fmt::print(
      R"({{"what":"path","device":"{}","function":"{}","m":{},"d":{},"N":{},"q":{},"columns":{},"seconds":[{:.4g}],)"
      R"("at_step":[{:.4f}],"least_error":{:.4g}}})"
      "\n",
      device != nullptr ? device->name() : "cpu", of.function, of.m, of.d, of.features, of.order, dictionary->columns(),
      fmt::join(seconds, ","), fmt::join(last.at_step, ","), std::ranges::min(last.errors));
}

void run_kept(char** words) {
  const Case of = read_case(words);
  const std::size_t steps = std::stoul(words[5]);
  const auto dictionary = draw(of);
  const Rows2 rows = rows_of(of);
  const Walk ours = walk(open("cuda"), dictionary, rows, steps + 1);
  const Walk expected = walk(nullptr, dictionary, rows, steps + 1);
  std::size_t equal = 0;
  while (equal + 1 < ours.kept.size() && ours.kept[equal + 1] == expected.kept[equal + 1]) ++equal;
  std::vector<double> shares;  // Of columns that both keep.
  for (std::size_t t = 0; t < ours.kept.size(); ++t) {
    std::vector<std::size_t> both;
    std::ranges::set_intersection(ours.kept[t], expected.kept[t], std::back_inserter(both));
    shares.push_back(static_cast<double>(both.size()) / static_cast<double>(ours.kept[t].size()));
  }
  fmt::print(R"({{"what":"kept","function":"{}","m":{},"d":{},"N":{},"q":{},"equal_steps":{},"shared":[{:.4f}]}})"
             "\n",
             of.function, of.m, of.d, of.features, of.order, equal, fmt::join(shares, ","));
}

void run_pieces(char** words) {
  const Case of = {"f7", std::stoul(words[0]), std::stoul(words[1]), std::stoul(words[2]), std::stoi(words[3])};
  const auto dictionary = draw(of);
  const Rows2 rows = rows_of(of);
  const std::shared_ptr<Device> device = open("cuda");
  const std::size_t m = rows.train.y.size();
  const std::size_t n = dictionary->columns();
  const DeviceMatrix X = device->upload(rows.train.X);
  const DeviceFeatures features = device_features(*dictionary);
  DeviceMatrix A = device->make(m, n);
  DeviceMatrix G = device->make(m, m);
  DeviceMatrix L = device->make(m, m);
  DeviceMatrix z = device->make(m, 1);
  DeviceMatrix c = device->make(n, 1);
  const DeviceIndices all = device->upload(std::span<const std::size_t>(all_columns(n)));
  const auto wait = [&] { (void)device->norm(z); };
  const auto timed = [&](const auto& body) {
    body();
    return median_seconds(5, [&] {
      body();
      wait();
    });
  };
  device->fill(z, 1.0);
  const double evaluate = timed([&] { device->evaluate(features, X, 0, {}, A); });
  const double gram = timed([&] {
    device->fill(G, 0.0);
    device->add_gram(G, 1.0, A);
  });
  const double factor = timed([&] {
    device->copy(G, L);
    (void)device->factor(L, 1.0);
  });
  const double solve = timed([&] {
    device->fill(z, 1.0);
    device->solve(L, z);
  });
  const double project = timed([&] { device->project(A, all, z, c); });
  const double combine = timed([&] { device->combine(A, all, c, z); });
  const double upload = timed([&] { (void)device->upload(rows.train.X); });
  const auto M = static_cast<double>(m);
  const auto N = static_cast<double>(n);
  fmt::print(R"({{"what":"pieces","rows":{},"columns":{},"evaluate":{:.4g},"entries_per_second":{:.4g},"gram":{:.4g},)"
             R"("gram_flops":{:.4g},"factor":{:.4g},"solve":{:.4g},"project":{:.4g},"project_bytes":{:.4g},)"
             R"("combine":{:.4g},"combine_bytes":{:.4g},"upload_X":{:.4g}}})"
             "\n",
             m, n, evaluate, M * N / evaluate, gram, M * M * N / gram, factor, solve, project, 8 * M * N / project,
             combine, 8 * M * N / combine, upload);
}

void run_kernel(char** words) {
  const std::size_t m = std::stoul(words[0]);
  const std::size_t d = std::stoul(words[1]);
  Dataset data = experiments::sample(experiments::function_named("f7"), m, d, 0);
  KernelRows rows{std::move(data.X), data.y, {}};
  const KernelShape shape = usual_shape(d, Law::student_t);
  const auto evidence = [&] { (void)kernel_evidence(rows, shape); };
  const auto timed = [](const auto& body) {
    body();
    return median_seconds(5, body);
  };
  const double processor = timed(evidence);
  const std::shared_ptr<Device> device = open("cuda");
  put_on(device, rows);
  const double card = timed(evidence);
  const DeviceMatrix U = device->upload(rows.U);
  DeviceMatrix K = device->make(m, m);
  DeviceMatrix L = device->make(m, m);
  DeviceMatrix M = device->make(m, m);
  DeviceMatrix alpha = device->make(m, 1);
  device->fill(alpha, 1.0);
  const auto waited = [&](const auto& body) {
    return timed([&] {
      body();
      (void)device->norm(alpha);
    });
  };
  const double matrix = waited([&] { device->evaluate(device_kernel(shape), U, U, K); });
  const double factor = waited([&] {
    device->copy(K, L);
    (void)device->factor(L, 0.1);
  });
  const double solve = waited([&] { device->solve(L, alpha); });
  const double right = waited([&] {
    device->copy(K, M);
    device->solve_right(L, M);
  });
  const double invert = waited([&] {
    device->copy(L, M);
    device->invert(M);
  });
  const double slopes = waited([&] { (void)device->kernel_slopes(device_kernel(shape), U, K, M, alpha); });
  fmt::print(R"({{"what":"kernel","rows":{},"inputs":{},"processor":{:.4g},"card":{:.4g},"matrix":{:.4g},)"
             R"("factor":{:.4g},"solve":{:.4g},"triangle":{:.4g},"invert":{:.4g},"slopes":{:.4g}}})"
             "\n",
             m, d, processor, card, matrix, factor, solve, right, invert, slopes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const ThreadScope scope(0);
  if (what == "fit" && argc == 10) {
    run_fit(argv + 2);
  } else if (what == "path" && argc == 9) {
    run_path(argv + 2);
  } else if (what == "kept" && argc == 8) {
    run_kept(argv + 2);
  } else if (what == "pieces" && argc == 6) {
    run_pieces(argv + 2);
  } else if (what == "kernel" && argc == 4) {
    run_kernel(argv + 2);
  } else {
    return 2;
  }
  return 0;
}

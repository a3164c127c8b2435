#include "shrimp/complex.hpp"

#include "support.hpp"

namespace shrimp {
namespace complex_test {

using namespace test;

// y = exp(i 2 x1) + (1 − 2i) exp(−i x2)
ComplexDataset make_complex(std::size_t rows, std::size_t inputs, std::uint64_t seed) {
  ComplexDataset data;
  for (std::size_t j = 0; j < inputs; ++j) data.inputs.push_back("x" + std::to_string(j + 1));
  data.target = "y";
  data.X = random_matrix(rows, inputs, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    data.y.push_back(std::polar(1.0, 2.0 * data.X(i, 0)) + Complex(1.0, -2.0) * std::polar(1.0, -data.X(i, 1)));
  }
  return data;
}

FitOptions complex_options() {
  FitOptions options;
  options.orders = {{1}};
  options.draw.features = 300;
  return options;
}

double error(const ComplexModel& model, const ComplexDataset& data) {
  const std::vector<Complex> predicted = model.predict(data.X);
  double sum = 0.0;
  for (std::size_t i = 0; i < predicted.size(); ++i) sum += std::norm(predicted[i] - data.y[i]);
  return sum / static_cast<double>(predicted.size());
}

TEST(Complex, FitsComplexTargetsAndFindsTheirInputs) {
  const ComplexFitResult result = fit_complex(make_complex(150, 4, 1), complex_options());
  EXPECT_LT(error(result.model, make_complex(200, 4, 2)), 1e-15);
  EXPECT_LT(result.model.coefficients.size(), 300U);
  EXPECT_EQ(result.path[result.chosen].basis_functions, result.model.coefficients.size());
}

TEST(Complex, MinimumNormKeepsAllColumns) {
  FitOptions options = complex_options();
  options.method = "min-l2";
  EXPECT_EQ(fit_complex(make_complex(50, 4, 1), options).model.coefficients.size(), 300U);
}

TEST(Complex, PathDropsTheSmallestMagnitudes) {
  const Matrix real = random_matrix(10, 30, 3);
  const Matrix imaginary = random_matrix(10, 30, 4);
  std::vector<Complex> y;
  for (const double value : random_vector(10, 5)) y.emplace_back(value, 1.0 - value);
  std::vector<ComplexPathStep> path;
  visit_complex_prune_path(real, imaginary, y, {}, [&](const ComplexPathStep& step) {
    path.push_back(step);
    return true;
  });
  std::vector<std::size_t> sizes;
  for (const ComplexPathStep& step : path) sizes.push_back(step.columns.size());
  EXPECT_EQ(sizes, path_sizes(30, 0.2));
  EXPECT_EQ(path.front().rank, 10U);
  for (std::size_t t = 1; t < path.size(); ++t) {
    double least_kept = std::numeric_limits<double>::infinity();
    double most_dropped = 0.0;
    for (std::size_t k = 0; k < path[t - 1].columns.size(); ++k) {
      const bool kept = std::ranges::binary_search(path[t].columns, path[t - 1].columns[k]);
      const double size = std::abs(path[t - 1].coefficients[k]);
      (kept ? least_kept : most_dropped) = kept ? std::min(least_kept, size) : std::max(most_dropped, size);
    }
    EXPECT_LE(most_dropped, least_kept);
  }
}

TEST(Complex, ModelFileRoundTripsToTheBit) {
  const ComplexDataset data = make_complex(60, 3, 6);
  const ComplexModel model = fit_complex(data, complex_options()).model;
  const std::string text = to_json(model);
  const ComplexModel again = complex_model_from_json(text, "test");
  EXPECT_EQ(to_json(again), text);
  EXPECT_EQ(again.predict(data.X), model.predict(data.X));
  TemporaryFolder folder;
  save_model(model, folder.file("model.json"));
  EXPECT_EQ(to_json(load_complex_model(folder.file("model.json"))), text);
}

TEST(Complex, ModelFileIsNoRealModelAndSaysSo) {
  const std::string text = to_json(fit_complex(make_complex(20, 2, 7), complex_options()).model);
  expect_parts(message_of<ModelFileError>([&] { (void)model_from_json(text, "m.json"); }), {"m.json", "complex"});
  for (const char* other : {"", "{}", "x,y\n1,2\n"}) {
    EXPECT_EQ(message_of<ModelFileError>([&] { (void)complex_model_from_json(other, "m.json"); }),
              "m.json is not a model file.\nGive a file that save_model of the C++ library wrote.");
  }
  const auto read_half = [&] { (void)complex_model_from_json(text.substr(0, text.size() / 2), "m.json"); };
  expect_parts(message_of<ModelFileError>(read_half), {"m.json is damaged: it is cut short in line"});
}

TEST(Complex, DamagedFilesAreRefused) {
  const std::string text = to_json(fit_complex(make_complex(20, 2, 7), complex_options()).model);
  for (std::size_t length = 0; length + 3 < text.size(); length += 97) {
    EXPECT_THROW((void)complex_model_from_json(text.substr(0, length), "cut"), ModelFileError);
  }
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos);
    return changed.replace(at, from.size(), to);
  };
  EXPECT_THROW((void)complex_model_from_json(with("\"format_version\": 1", "\"format_version\": 9"), "new"),
               ModelFileError);
  EXPECT_THROW((void)complex_model_from_json(with("\"variables\":[", "\"variables\":[7,"), "index"), ModelFileError);
  EXPECT_THROW((void)complex_model_from_json(with("\"exp\":[", "\"exp\":[1,"), "triple"), ModelFileError);
}

TEST(Complex, BadInputIsRefused) {
  ComplexDataset data = make_complex(20, 2, 8);
  FitOptions options = complex_options();
  options.method = "lasso";
  EXPECT_THROW((void)fit_complex(data, options), OptionError);
  options = complex_options();
  options.choice.folds = 5;
  EXPECT_THROW((void)fit_complex(data, options), OptionError);
  options = complex_options();
  options.orders = {{3}};
  EXPECT_THROW((void)fit_complex(data, options), OptionError);
  data.y[3] = {0.0, std::nan("")};
  expect_parts(message_of<DataError>([&] { (void)fit_complex(data, complex_options()); }), {"row 4"});
  data.y.resize(1);
  EXPECT_THROW((void)fit_complex(data, complex_options()), DataError);
  const Matrix A = random_matrix(3, 4, 1);
  EXPECT_THROW(visit_complex_prune_path(A, random_matrix(3, 5, 1), std::vector<Complex>(3), {}, {}),
               std::invalid_argument);
}

}  // namespace complex_test
}  // namespace shrimp

#include <fmt/format.h>

#include <cmath>

#include "data/file.hpp"
#include "model/json_fields.hpp"
#include "model/model_text.hpp"
#include "shrimp/complex.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/version.hpp"
#include "threads/threads.hpp"

namespace shrimp {

std::vector<Complex> ComplexModel::predict(MatrixView X, int threads) const {
  if (X.cols != inputs.size()) {
    throw std::invalid_argument(fmt::format("X has {} columns where the model has {} inputs.", X.cols, inputs.size()));
  }
  std::vector<Complex> prediction(X.rows);
  const ThreadScope scope(threads);
  parallel_for(X.rows, [&](std::size_t i) {
    Complex sum = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      double t = 0.0;
      for (std::size_t l = 0; l < weights.support(k).size(); ++l) {
        const std::uint32_t j = weights.support(k)[l];
        t += weights.weights(k)[l] * (X(i, j) - input_mean[j]) / input_scale[j];
      }
      sum += coefficients[k] * std::polar(1.0, t);
    }
    prediction[i] = target_mean + target_scale * sum;
  });
  return prediction;
}

namespace {

constexpr int format_version = 2;

Json to_pair(const Complex& value) { return {value.real(), value.imag()}; }

Complex read_complex(const Reader& reader, const char* key) {
  const std::vector<double> parts = reader.numbers(key);
  if (parts.size() != 2) reader.fail(fmt::format("has a \"{}\" that is no pair of numbers", key));
  return {parts[0], parts[1]};
}

void read_inputs(const Reader& reader, ComplexModel& model) {
  model.inputs = reader.texts("inputs");
  model.input_mean = reader.numbers("input_mean");
  model.input_scale = reader.numbers("input_scale");
  if (model.input_mean.size() != model.inputs.size() || model.input_scale.size() != model.inputs.size()) {
    reader.fail("has another number of means or scales than of inputs");
  }
  for (const double scale : model.input_scale) {
    if (!(scale > 0.0)) reader.fail("has an input_scale that is not positive");
  }
  model.target_mean = read_complex(reader, "target_mean");
  model.target_scale = reader.number("target_scale");
  if (!(model.target_scale > 0.0)) reader.fail("has a target_scale that is not positive");
}

ComplexModel read_complex_model(const Json& json, const std::string& source) {
  const Reader reader(json, "", source);
  ComplexModel model;
  model.method = reader.text("method");
  model.target = reader.text("target");
  read_inputs(reader, model);
  model.options = read_options(reader);
  model.results = read_results(reader);
  const Json& features = reader.array("features");
  for (std::size_t j = 0; j < features.size(); ++j) {
    const Reader feature(features[j], fmt::format("feature {}", j), source);
    const std::vector<std::uint32_t> variables = feature.indices("variables", model.inputs.size());
    const std::vector<double> weights = feature.numbers("weights");
    if (weights.size() != variables.size()) feature.fail("has another number of weights than variables");
    model.weights.append(variables, weights);
    model.coefficients.push_back(read_complex(feature, "exp"));
  }
  return model;
}

}  // namespace

std::string to_json(const ComplexModel& model) {
  std::string text =
      fmt::format("{{\n \"format\": \"{}\",\n \"format_version\": {}", complex_model_format, format_version);
  const auto append = [&](const char* name, const Json& value) {
    text += fmt::format(",\n \"{}\": {}", name, value.dump());
  };
  append("shrimp_version", version);
  append("method", model.method);
  append("target", model.target);
  append("inputs", model.inputs);
  append("input_mean", model.input_mean);
  append("input_scale", model.input_scale);
  append("target_mean", to_pair(model.target_mean));
  append("target_scale", model.target_scale);
  append("options", model.options);
  append("results", model.results);
  std::vector<Json> features;
  for (std::size_t j = 0; j < model.weights.size(); ++j) {
    const auto support = model.weights.support(j);
    const auto weights = model.weights.weights(j);
    features.push_back({{"variables", std::vector<std::uint32_t>(support.begin(), support.end())},
                        {"weights", std::vector<double>(weights.begin(), weights.end())},
                        {"exp", to_pair(model.coefficients[j])}});
  }
  append_list(text, "features", features);
  return text + "\n}\n";
}

ComplexModel complex_model_from_json(std::string_view text, const std::string& source) {
  return read_complex_model(parse_model(text, complex_model_format, format_version, source), source);
}

void save_model(const ComplexModel& model, const std::string& path) { write_file(path, to_json(model)); }

ComplexModel load_complex_model(const std::string& path) {
  return complex_model_from_json(read_model_file(path, complex_model_format).text(), model_source(path));
}

}  // namespace shrimp

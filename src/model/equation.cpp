#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <span>

#include "features/bases.hpp"
#include "model/formula.hpp"
#include "shrimp/explain.hpp"

namespace shrimp {
namespace {

// Writes sums of products in the units of the inputs as they enter, their own or those of their forms.
class Writer {
 public:
  Writer(const Model& model, int digits) : model_(model), digits_(digits), linear_(model.inputs.size(), 0.0) {
    for (std::size_t j = 0; j < model.inputs.size(); ++j) names_.push_back(formula_input(model, j));
  }

  std::string write() {
    constant_ = model_.scaling.target_mean;
    std::string columns;
    for (std::size_t k = 0; k < model_.dictionary.columns(); ++k) add_column(k, columns);
    std::string text = number(constant_);
    for (std::size_t j = 0; j < linear_.size(); ++j) {
      if (linear_[j] != 0.0) text += factor(linear_[j]) + names_[j];
    }
    const FormulaFrame frame = formula_frame(model_.scaling, digits_);
    return formula_name(model_.target) + " = " + frame.before + text + columns + frame.after;
  }

 private:
  [[nodiscard]] std::string number(double value) const { return formula_number(value, digits_); }

  [[nodiscard]] std::string factor(double value) const { return signed_factor(value, number(std::abs(value))); }

  void add_column(std::size_t k, std::string& text) {
    const double c = model_.scaling.target_scale * model_.coefficients[k];
    const FunctionRow& phi = about(model_.dictionary.functions[k]);
    switch (phi.form) {
      case Form::line:
        return add_linear(k, c);
      case Form::kernel:
        text += factor(c) + kernel(k);
        return;
      case Form::wave:
      case Form::curve:
        if (const std::optional<std::string> own = level(k)) {
          text += factor(c) + *own;
          return;
        }
        text += factor(c) + fmt::format(fmt::runtime(phi.formula), argument(k));
        return;
    }
  }

  // [color = red] of a column that is 1 at one level of a category.
  [[nodiscard]] std::optional<std::string> level(std::size_t k) const {
    if (model_.dictionary.functions[k] != Function::level || model_.columns.empty()) return std::nullopt;
    const std::uint32_t j = model_.dictionary.support(k).front();
    const double code = -model_.dictionary.weights.phases[model_.dictionary.rows[k]];
    const std::vector<std::string>& levels = model_.columns[j].levels;
    if (!(code >= 0.0 && code < static_cast<double>(levels.size()))) return std::nullopt;
    return level_indicator(model_, j, static_cast<std::size_t>(code));
  }

  // ⟨z, w⟩ + phase in the inputs' own units: Σ a_l x_l + b.
  struct Affine {
    std::vector<double> slopes;
    double offset = 0.0;
  };

  [[nodiscard]] Affine affine(std::size_t k) const {
    const FeatureWeights& W = model_.dictionary.weights;
    const std::size_t row = model_.dictionary.rows[k];
    Affine form{{}, W.phases.empty() ? 0.0 : W.phases[row]};
    for (std::size_t l = 0; l < W.support(row).size(); ++l) {
      const std::uint32_t j = W.support(row)[l];
      form.slopes.push_back(W.weights(row)[l] / model_.scaling.input_scale[j]);
      form.offset -= form.slopes.back() * model_.scaling.input_mean[j];
    }
    return form;
  }

  [[nodiscard]] std::string argument(std::size_t k) const {
    const Affine form = affine(k);
    std::string text;
    for (std::size_t l = 0; l < form.slopes.size(); ++l) {
      const std::string& name = names_[model_.dictionary.support(k)[l]];
      text += l == 0 ? number(form.slopes[l]) + "*" + name : factor(form.slopes[l]) + name;
    }
    if (form.offset != 0.0) text += fmt::format(" {} {}", form.offset < 0.0 ? '-' : '+', number(std::abs(form.offset)));
    return text;
  }

  void add_linear(std::size_t k, double c) {
    const Affine form = affine(k);
    for (std::size_t l = 0; l < form.slopes.size(); ++l) linear_[model_.dictionary.support(k)[l]] += c * form.slopes[l];
    constant_ += c * form.offset;
  }

  // γ (x − z)² of one input, or γ|x − z| for other laws than the normal one.
  [[nodiscard]] std::string distance(std::size_t k, std::size_t l) const {
    const std::uint32_t j = model_.dictionary.support(k)[l];
    const double scale = model_.scaling.input_scale[j];
    const double gamma = model_.dictionary.gamma[j];
    const double centre =
        model_.scaling.input_mean[j] + scale * model_.dictionary.weights.weights(model_.dictionary.rows[k])[l];
    const std::string gap = fmt::format("({} {} {})", names_[j], centre < 0.0 ? '+' : '-', number(std::abs(centre)));
    if (model_.dictionary.kernel_law == Law::normal) return number(gamma / (scale * scale)) + "*" + gap + "^2";
    return number(gamma / scale) + "*abs" + gap;
  }

  // Π κ_j of some of a column's inputs: one exponential, and a factor 1 + r of each input for student_t.
  [[nodiscard]] std::string product(std::span<const std::string> distances) const {
    const std::string falling = fmt::format("exp(-{})", fmt::join(distances, " - "));
    if (model_.dictionary.kernel_law != Law::student_t) return falling;
    std::string leads;
    for (const std::string& r : distances) leads += fmt::format("(1 + {})*", r);
    return leads + falling;
  }

  [[nodiscard]] std::string kernel(std::size_t k) const {
    const std::size_t size = model_.dictionary.support(k).size();
    const auto degree = static_cast<std::size_t>(model_.dictionary.kernel_order);
    std::vector<std::string> distances;
    for (std::size_t l = 0; l < size; ++l) distances.push_back(distance(k, l));
    if (degree == 0 || degree == size) return product(distances);
    std::vector<std::string> factors;
    for (const std::string& own : distances) factors.push_back(product(std::span(&own, 1)));
    return fmt::format("e{}({})", degree, fmt::join(factors, ", "));
  }

  const Model& model_;
  int digits_;
  std::vector<std::string> names_;  // Of inputs as they enter.
  std::vector<double> linear_;      // The slope of each input in all identity columns.
  double constant_ = 0.0;
};

}  // namespace

std::string equation(const Model& model, int digits) {
  check_digits(digits);
  return Writer(model, digits).write();
}

}  // namespace shrimp

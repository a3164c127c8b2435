// The list of methods. A new one is a file with a row beside this one, and its name here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "features/bases.hpp"
#include "methods/method.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"

namespace shrimp {

extern const Method automatic_method, shrimp_method, min_l2_method, srfe_s_method, salsa_method, ssam_method,
    lasso_method, imp_linear_method, stlsq_method, naive_prune_method, random_prune_method, krr_method, harfe_method;

std::vector<const Method*> all_methods() {
  return {&automatic_method,    &shrimp_method, &min_l2_method,     &srfe_s_method, &salsa_method,
          &ssam_method,         &lasso_method,  &imp_linear_method, &stlsq_method,  &naive_prune_method,
          &random_prune_method, &krr_method,    &harfe_method};
}

std::span<const MethodInfo> fit_methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> made;
    for (const Method* method : all_methods()) made.push_back({method->name, method->help, method->takes});
    return made;
  }();
  return infos;
}

std::vector<std::string_view> methods_that_take(std::string_view parameter) {
  std::vector<std::string_view> names;
  for (const Method* method : all_methods()) {
    if (std::ranges::find(method->takes, parameter) != method->takes.end()) names.push_back(method->name);
  }
  return names;
}

bool method_takes(std::string_view method, std::string_view parameter) {
  const std::vector<std::string_view> takers = methods_that_take(parameter);
  return takers.empty() || std::ranges::find(takers, method) != takers.end();
}

const Method& method_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Method* method : all_methods()) {
    if (method->name == name) return *method;
    names.push_back(method->name);
  }
  throw OptionError(fmt::format("method \"{}\" is not allowed.\nGive one of {}.", name, fmt::join(names, ", ")));
}

std::vector<double> rates_of(const Method& method, const FitOptions& options) {
  if (!method.prunes_by_rate) return {options.prune.rates.front()};
  std::vector<double> ascending = options.prune.rates;
  std::ranges::sort(ascending);
  return ascending;
}

FitOptions complete_options(FitOptions options, std::size_t d) {
  method_named(options.method).complete(options, d);
  return options;
}

void complete_common(FitOptions& options, std::size_t d) {
  if (!options.draw.basis) options.draw.basis = Basis::fourier;
  if (options.orders.empty()) {
    const bool one = about(*options.draw.basis).draws == Draws::nothing || d < 2;
    options.orders = {{one ? 1 : 2}};
  }
  if (options.prune.rates.empty()) options.prune.rates = {0.2};
  if (!options.prune.ridge) options.prune.ridge = 0.0;
  if (!options.kernel.gamma) options.kernel.by_order = true;
  if (options.sparse.max_iterations == 0) options.sparse.max_iterations = 20000;
}

FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders) {
  const DrawOptions& draw = options.draw;
  return {orders,      draw.features,           draw.law,
          draw.sigma2, draw.degrees_of_freedom, draw.basis.value_or(Basis::fourier),
          options.seed};
}

std::size_t count_random_features(TableSize size, const std::vector<int>& orders, const FitOptions& options) {
  const FeatureOptions drawn = feature_options(options, orders);
  return about(drawn.basis).functions.size() * count_weights(size.d, drawn);
}

Dictionary draw_random_features(MatrixView X, const std::vector<int>& orders, const FitOptions& options) {
  return make_dictionary(draw_weights(X.cols, feature_options(options, orders)), *options.draw.basis);
}

std::vector<std::size_t> asked_sizes(const FitOptions& options, std::size_t columns) {
  std::vector<std::size_t> sizes;
  for (const std::size_t s : options.sparse.sparsities) sizes.push_back(s == 0 ? columns : s);
  return sizes;
}

Grid no_grid(const Problem& /*problem*/, const FitOptions& /*options*/) { return {}; }

}  // namespace shrimp

#include "shrimp/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "features/bases.hpp"
#include "fit/machine_parameters.hpp"
#include "fit/parameter_text.hpp"
#include "fit/term_names.hpp"
#include "methods/method.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"

namespace shrimp {
namespace {

constexpr std::pair<Law, std::string_view> laws[] = {{Law::normal, "normal"},
                                                     {Law::uniform, "uniform"},
                                                     {Law::cauchy, "cauchy"},
                                                     {Law::student_t, "student-t"},
                                                     {Law::sphere, "sphere"}};

constexpr std::string_view order_range = "orders from 1 to the number of inputs, as in 2, 1,2,3, 1-3 or 1+3";

// "2", "1-3", or several of them joined by +.
std::vector<int> parse_mix(const std::string& mix, const std::string& whole) {
  std::vector<int> orders;
  for (const std::string& part : split(mix, '+')) {
    const std::vector<std::string> ends = split(part, '-');
    int first = 0;
    int last = 0;
    const bool numbers = ends.size() <= 2 && parse(ends.front(), first) && parse(ends.back(), last);
    const bool ascends = first > (orders.empty() ? 0 : orders.back()) && last >= first;
    if (!numbers || !ascends || last - first > 1000) refuse("order", whole, order_range);
    for (int q = first; q <= last; ++q) orders.push_back(q);
  }
  return orders;
}

void set_order(FitOptions& options, const std::string& text) {
  std::vector<std::vector<int>> candidates;
  if (text == automatic) {
    options.orders.clear();
    return;
  }
  for (const std::string& part : split(text, ',')) candidates.push_back(parse_mix(part, text));
  options.orders = std::move(candidates);
}

std::string write_mix(const std::vector<int>& orders) {
  std::vector<std::string> runs;
  for (std::size_t k = 0; k < orders.size();) {
    std::size_t last = k;
    while (last + 1 < orders.size() && orders[last + 1] == orders[last] + 1) ++last;
    runs.push_back(last == k ? fmt::format("{}", orders[k]) : fmt::format("{}-{}", orders[k], orders[last]));
    k = last + 1;
  }
  return fmt::format("{}", fmt::join(runs, "+"));
}

std::string get_order(const FitOptions& options) {
  std::vector<std::string> mixes;
  for (const std::vector<int>& orders : options.orders) mixes.push_back(write_mix(orders));
  return mixes.empty() ? std::string(automatic) : fmt::format("{}", fmt::join(mixes, ","));
}

void set_features(FitOptions& options, const std::string& text) {
  std::size_t value = 0;
  constexpr std::size_t most = 1'000'000'000;
  if (!parse(text, value) || value < 1 || value > most) refuse("features", text, "a whole number of 1 or more");
  options.draw.features = value;
}

void set_prune(FitOptions& options, const std::string& text) {
  if (text == "one") {
    options.prune.rates = {0.0};
    return;
  }
  options.prune.rates =
      parse_candidates<double>("prune", text, "rates above 0 and below 1, as in .2 or .15,.25, or one, or auto",
                               [](double rate) { return rate > 0.0 && rate < 1.0; });
}

std::string get_prune(const FitOptions& options) {
  return options.prune.rates == std::vector{0.0} ? "one" : write_candidates(options.prune.rates);
}

void set_lambda(FitOptions& options, const std::string& text) {
  options.sparse.lambdas = parse_candidates<double>("lambda", text, "numbers of 0 or more, or auto", is_not_negative);
}

void set_threshold(FitOptions& options, const std::string& text) {
  options.prune.thresholds =
      parse_candidates<double>("threshold", text, "numbers of 0 or more, or auto", is_not_negative);
}

void set_sparsity(FitOptions& options, const std::string& text) {
  if (text == "all") {
    options.sparse.sparsities = {0};
    return;
  }
  options.sparse.sparsities = parse_candidates<std::size_t>(
      "sparsity", text, "whole numbers of 1 or more, or all, or auto", [](std::size_t s) { return s > 0; });
}

std::string get_sparsity(const FitOptions& options) {
  return options.sparse.sparsities == std::vector<std::size_t>{0} ? "all" : write_candidates(options.sparse.sparsities);
}

void set_eta(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !is_not_negative(value)) refuse("eta", text, "a number of 0 or more");
  options.sparse.eta = value;
}

void set_gamma(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (text == "1/2q" || text == automatic) {
    options.kernel.gamma.reset();
    options.kernel.by_order = text != automatic;
  } else if (parse(text, value) && value > 0.0 && std::isfinite(value)) {
    options.kernel.gamma = value;
    options.kernel.by_order = false;
  } else {
    refuse("gamma", text, "a number above 0, or 1/2q, or auto");
  }
}

std::string get_gamma(const FitOptions& options) {
  if (options.kernel.gamma) return fmt::format("{}", *options.kernel.gamma);
  return options.kernel.by_order ? "1/2q" : std::string(automatic);
}

void set_tolerance(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value > 0.0 && value < 1.0)) refuse("tolerance", text, "a number above 0 and below 1");
  options.sparse.tolerance = value;
}

void set_max_iterations(FitOptions& options, const std::string& text) {
  std::size_t value = 0;
  if (text != automatic && (!parse(text, value) || value < 1))
    refuse("max-iterations", text, "a whole number of 1 or more, or auto");
  options.sparse.max_iterations = value;
}

void set_sigma2(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (text == "1/q") {
    options.draw.sigma2.reset();
  } else if (parse(text, value) && value > 0.0 && std::isfinite(value)) {
    options.draw.sigma2 = value;
  } else {
    refuse("sigma2", text, "a number above 0, or 1/q");
  }
}

void set_dof(FitOptions& options, const std::string& text) {
  int value = 0;
  if (!parse(text, value) || value < 1 || value > 100) refuse("dof", text, "a whole number from 1 to 100");
  options.draw.degrees_of_freedom = value;
}

void set_validation(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value > 0.0 && value < 1.0))
    refuse("validation", text, "a fraction above 0 and below 1, or a file");
  options.choice.fraction = value;
}

void set_folds(FitOptions& options, const std::string& text) {
  std::size_t value = 0;
  if (!parse(text, value) || value == 1) refuse("folds", text, "a whole number of 2 or more, or 0 for none");
  options.choice.folds = value;
}

void set_rcond(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value >= 0.0 && value < 1.0)) refuse("rcond", text, "a number from 0 to below 1");
  options.prune.rank_tolerance = value;
}

void set_ridge(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (text == "gcv" || text == automatic) {
    options.prune.ridge.reset();
    options.prune.ridge_by_gcv = text != automatic;
  } else if (parse(text, value) && is_not_negative(value)) {
    options.prune.ridge = value;
    options.prune.ridge_by_gcv = false;
  } else {
    refuse("ridge", text, "a number of 0 or more, or gcv, or auto");
  }
}

std::string get_ridge(const FitOptions& options) {
  if (options.prune.ridge_by_gcv) return "gcv";
  return options.prune.ridge ? fmt::format("{}", *options.prune.ridge) : std::string(automatic);
}

void set_seed(FitOptions& options, const std::string& text) {
  std::uint64_t value = 0;
  if (!parse(text, value)) refuse("seed", text, "a whole number of 0 or more");
  options.seed = value;
}

std::string_view basis_names() {
  static const std::string names = [] {
    std::vector<std::string_view> all;
    for (const BasisRow& row : all_bases()) all.push_back(row.name);
    return fmt::format("{}", fmt::join(all, ", "));
  }();
  return names;
}

void set_basis(FitOptions& options, const std::string& text) {
  const auto row = std::ranges::find(all_bases(), text, &BasisRow::name);
  if (text == automatic) {
    options.draw.basis.reset();
  } else if (row != all_bases().end()) {
    options.draw.basis = row->basis;
  } else {
    refuse("basis", text, fmt::format("one of {}", basis_names()));
  }
}

std::string get_basis(const FitOptions& options) {
  return std::string(options.draw.basis ? about(*options.draw.basis).name : automatic);
}

void set_max_order(FitOptions& options, const std::string& text) {
  int value = 0;
  if (text != automatic && (!parse(text, value) || value < 1)) {
    refuse("max-order", text, "a whole number of 1 or more, or auto");
  }
  options.terms.max_order = value;
}

void set_max_terms(FitOptions& options, const std::string& text) {
  std::size_t value = 0;
  if (text != automatic && (!parse(text, value) || value < 1)) {
    refuse("max-terms", text, "a whole number of 1 or more, or auto");
  }
  options.terms.max_terms = value;
}

void set_clip(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (text == "none") {
    options.terms.clip.reset();
  } else if (parse(text, value) && is_not_negative(value)) {
    options.terms.clip = value;
  } else {
    refuse("clip", text, "a number of 0 or more, or none");
  }
}

constexpr std::pair<bool, std::string_view> form_choices[] = {{true, automatic}, {false, "none"}};

constexpr std::pair<std::optional<TargetForm>, std::string_view> target_form_choices[] = {
    {std::nullopt, automatic},
    {TargetForm::identity, "identity"},
    {TargetForm::log, "log"},
    {TargetForm::sqrt, "sqrt"},
};

std::string_view loss_names() {
  static const std::string names = [] {
    std::vector<std::string_view> all;
    for (const Objective* objective : all_objectives()) all.push_back(objective->name);
    return fmt::format("{} or {}", fmt::join(std::span(all).first(all.size() - 1), ", "), all.back());
  }();
  return names;
}

// "squared (numbers), logistic (two classes), …"
std::string losses_with_targets() {
  std::vector<std::string> all;
  for (const Objective* objective : all_objectives()) {
    all.push_back(fmt::format("{} ({})", objective->name, objective->help));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

void set_loss(FitOptions& options, const std::string& text) {
  if (text == name_of(Loss::custom)) {  // Only callers with a function have a use for it.
    options.loss = Loss::custom;
    return;
  }
  const auto found = std::ranges::find(all_objectives(), text, [](const Objective* row) { return row->name; });
  if (found == all_objectives().end()) refuse("loss", text, fmt::format("one of {}", losses_with_targets()));
  options.loss = (*found)->loss;
}

void set_tweedie_power(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value > 1.0 && value < 2.0)) {
    refuse("tweedie-power", text, "a number above 1 and below 2");
  }
  options.tweedie_power = value;
}

void set_quantile(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value > 0.0 && value < 1.0)) {
    refuse("quantile", text, "a number above 0 and below 1");
  }
  options.quantile = value;
}

constexpr std::string_view no_limit = "none";

// "30s" is seconds, "1e12" operations. So few operations that nothing could be found were meant as something else.
void set_budget(FitOptions& options, const std::string& text) {
  constexpr double fewest_operations = 1e6;
  double value = 0.0;
  const bool seconds = text.ends_with('s');
  if (text == no_limit) {
    value = std::numeric_limits<double>::infinity();
  } else if (text != automatic) {
    const bool number = parse(seconds ? text.substr(0, text.size() - 1) : text, value);
    if (!number || !(value > 0.0) || !std::isfinite(value)) {
      refuse("budget", text, "seconds, as in 30s, or operations, as in 1e12, or none, or auto");
    }
    if (!seconds && value < fewest_operations) {
      throw OptionError(
          fmt::format("budget \"{0}\" has no unit.\nGive seconds, as in {0}s, or operations, as in 1e12.", text));
    }
  }
  options.terms.budget_seconds = seconds ? value : 0.0;
  options.terms.budget_operations = seconds ? 0.0 : value;
}

std::string get_budget(const FitOptions& options) {
  if (options.terms.budget_seconds > 0.0) return fmt::format("{}s", options.terms.budget_seconds);
  if (std::isinf(options.terms.budget_operations)) return std::string(no_limit);
  return options.terms.budget_operations > 0.0 ? fmt::format("{}", options.terms.budget_operations)
                                               : std::string(automatic);
}

std::string_view method_names() {
  static const std::string names = [] {
    std::vector<std::string_view> all;
    for (const Method* method : all_methods()) all.push_back(method->name);
    return fmt::format("{}", fmt::join(all, ", "));
  }();
  return names;
}

// What most people need: the short help shows it.
Parameter everyday(Parameter parameter) {
  parameter.is_everyday = true;
  return parameter;
}

// Has former names, which are accepted with a warning.
Parameter renamed(Parameter parameter, std::vector<DeprecatedName> deprecated_names) {
  parameter.deprecated_names = std::move(deprecated_names);
  return parameter;
}

// Has a name of its own in Python; see Parameter::python_name for the reasons.
Parameter named_in_python(std::string_view python_name, Parameter parameter) {
  parameter.python_name = python_name;
  return parameter;
}

// Takes several values, separated by commas or by giving the flag again.
Parameter list(Parameter parameter) {
  parameter.is_list = true;
  return parameter;
}

std::vector<Parameter> data_parameters() {
  return {
      named_in_python(
          "standardize",
          {"no-standardize", "", "", "false",
           "Keep inputs and target in their units instead of standardising each to mean 0 and variance 1.",
           [](FitOptions& o, const std::string& text) { o.standardize = !parse_switch("no-standardize", text); },
           [](const FitOptions& o) { return std::string(o.standardize ? "false" : "true"); }}),
  };
}

std::vector<Parameter> method_parameters() {
  return {
      everyday({"method", "M", method_names(), "auto",
                "Fitting method. auto selects inputs and interactions by itself; the others, from the paper, are given "
                "an order. See docs/reference/methods.md.",
                [](FitOptions& o, const std::string& text) { o.method = method_named(text).name; },
                [](const FitOptions& o) { return o.method; }}),
      everyday({"loss", "L", loss_names(), "squared",
                "Loss function. See docs/how-to/classes-and-counts.md for the targets of each.", set_loss,
                [](const FitOptions& o) { return std::string(name_of(o.loss)); }}),
      {"tweedie-power", "P", "above 1, below 2", "1.5",
       "Power of the variance function for loss tweedie: the variance is proportional to mean^P.", set_tweedie_power,
       [](const FitOptions& o) { return fmt::format("{}", o.tweedie_power); }},
      {"quantile", "Q", "above 0, below 1", "0.5", "Level of the quantile for loss quantile; 0.5 is the median.",
       set_quantile, [](const FitOptions& o) { return fmt::format("{}", o.quantile); }},
      named_in_python("random_state",
                      everyday({"seed", "S", "0 or more", "0",
                                "Random seed. Fits with equal seeds, data and options give equal models.", set_seed,
                                [](const FitOptions& o) { return fmt::format("{}", o.seed); }})),
  };
}

std::vector<Parameter> term_parameters() {
  return {
      everyday({"max-order", "Q", "1 or more, or auto", "auto",
                "Maximum interaction order: 1 fits main effects, 2 adds pairs, 3 adds triples; more than 3 also allows "
                "one kernel term.",
                set_max_order,
                [](const FitOptions& o) {
                  return o.terms.max_order == 0 ? std::string(automatic) : fmt::format("{}", o.terms.max_order);
                }}),
      everyday({"max-terms", "K", "1 or more, or auto", "auto", "Maximum number of terms; auto sets no limit.",
                set_max_terms,
                [](const FitOptions& o) {
                  return o.terms.max_terms == 0 ? std::string(automatic) : fmt::format("{}", o.terms.max_terms);
                }}),
      everyday(list({"include", "TERMS", "names, as in x1*x3,x2", "none",
                     "Terms to include, separated by commas; a star joins inputs. Quote special names: \"a*b\"*c joins "
                     "a*b and c.",
                     [](FitOptions& o, const std::string& text) { o.terms.include = parse_terms("include", text); },
                     [](const FitOptions& o) { return write_terms(o.terms.include); }})),
      everyday(list({"exclude", "TERMS", "names, as in x7,x1*x2", "none",
                     "Terms to exclude, separated by commas, as for include. The name of an input excludes every term "
                     "that contains "
                     "the input.",
                     [](FitOptions& o, const std::string& text) { o.terms.exclude = parse_terms("exclude", text); },
                     [](const FitOptions& o) { return write_terms(o.terms.exclude); }})),
      {"one-se", "", "", "false", "Select the smallest model whose error is within one standard error of the best.",
       [](FitOptions& o, const std::string& text) { o.terms.one_standard_error = parse_switch("one-se", text); },
       [](const FitOptions& o) { return std::string(o.terms.one_standard_error ? "true" : "false"); }},
      {"quick-error", "", "", "false",
       "Report the model-selection error, which is slightly optimistic, instead of nested cross-validation. The model "
       "is the same; the fit takes a third of the time.",
       [](FitOptions& o, const std::string& text) { o.terms.quick_error = parse_switch("quick-error", text); },
       [](const FitOptions& o) { return std::string(o.terms.quick_error ? "true" : "false"); }},
      named_in_python(
          "input_transform",
          renamed(
              {"transform", "F", "auto or none", "auto",
               "Transforms of the inputs: auto uses ranks or logarithms where they reduce the error; none keeps inputs "
               "unchanged.",
               [](FitOptions& o, const std::string& text) {
                 o.terms.warps_inputs = choose("transform", text, form_choices);
               },
               [](const FitOptions& o) { return name_of(o.terms.warps_inputs, form_choices); }},
              {{"forms", "0.5"}})),
      renamed({"target-transform", "F", "auto, identity, log or sqrt", "auto",
               "Transform of the target before fitting; predictions are transformed back. auto selects one if it "
               "clearly reduces the error.",
               [](FitOptions& o, const std::string& text) {
                 o.terms.target_form = choose("target-transform", text, target_form_choices);
               },
               [](const FitOptions& o) { return name_of(o.terms.target_form, target_form_choices); }},
              {{"target-form", "0.5"}}),
      everyday({"clip", "F", "0 or more, or none", "0.05",
                "Margin beyond the training range before inputs are clipped, as a fraction of the range; none turns "
                "clipping off.",
                set_clip,
                [](const FitOptions& o) { return o.terms.clip ? fmt::format("{}", *o.terms.clip) : "none"; }}),
      everyday({"budget", "B", "as in 30s or 1e12, or none for no limit", "auto",
                "Limit of the search in operations, or in seconds (not reproducible); half is for error estimation. "
                "auto is 8e11 operations.",
                set_budget, get_budget}),
  };
}

std::vector<Parameter> feature_parameters() {
  return {
      everyday(list({"order", "Q", "1 to the number of inputs, as in 2, 1,2,3, 1-3 or 1+3", "auto",
                     "Number of inputs per random feature. Commas separate candidates; - and + mix orders. auto is 2; "
                     "1-2 for ssam; selected for salsa; max-order for method auto.",
                     set_order, get_order})),
      everyday({"features", "N", "1 or more", "10000",
                "Number of random features before pruning; fourier gives two basis functions each. For methods auto "
                "and ssam, an upper limit.",
                set_features, [](const FitOptions& o) { return fmt::format("{}", o.draw.features); }}),
      {"sigma2", "V", "above 0, or 1/q for one over the order", "1/q",
       "Variance of the random frequencies (squared scale for cauchy); larger values fit rougher functions.",
       set_sigma2,
       [](const FitOptions& o) { return o.draw.sigma2 ? fmt::format("{}", *o.draw.sigma2) : std::string("1/q"); }},
      {"basis", "B", basis_names(), "auto",
       "Function of a random projection <x,w>; fourier is its cosine and sine. auto is fourier; linear for lasso and "
       "imp-linear; sin for harfe.",
       set_basis, get_basis},
      renamed(
          {"frequency-distribution", "D", "normal, uniform, cauchy, student-t, sphere", "normal",
           "Distribution of the random frequencies. normal gives a Gaussian kernel, student-t a Matérn kernel, cauchy "
           "a Laplacian kernel.",
           [](FitOptions& o, const std::string& text) { o.draw.law = choose("frequency-distribution", text, laws); },
           [](const FitOptions& o) { return name_of(o.draw.law, laws); }},
          {{"law", "0.5"}}),
      {"dof", "K", "1 to 100", "3",
       "Degrees of freedom of the Student-t frequency distribution; fewer give heavier tails.", set_dof,
       [](const FitOptions& o) { return fmt::format("{}", o.draw.degrees_of_freedom); }},
  };
}

std::vector<Parameter> prune_parameters() {
  return {
      everyday(list({"prune", "P", "above 0 and below 1, or one", "auto",
                     "Fraction of basis functions that each step prunes; one prunes a single one. Commas separate "
                     "candidates. auto is 0.2; one for imp-linear.",
                     set_prune, get_prune})),
      list({"threshold", "C", "0 or more", "auto",
            "Threshold below which stlsq removes a coefficient, on standardised data. Commas separate candidates; auto "
            "is a grid.",
            set_threshold, [](const FitOptions& o) { return write_candidates(o.prune.thresholds); }}),
      {"ridge", "L", "0 or more, or gcv", "auto",
       "Ridge penalty L|c|^2 on standardised data; gcv selects it at every step by generalised cross-validation. auto "
       "is 0; 0.0001 for harfe; method auto selects it.",
       set_ridge, get_ridge},
      {"rcond", "R", "0 to below 1", "0",
       "Relative threshold below which singular values count as zero. 0 means machine precision times the larger "
       "matrix dimension.",
       set_rcond, [](const FitOptions& o) { return fmt::format("{}", o.prune.rank_tolerance); }},
  };
}

std::vector<Parameter> sparse_parameters() {
  return {
      named_in_python(
          "alpha",
          list({"lambda", "L", "0 or more", "auto",
                "Penalty on standardised data: L|c|_1 plus half the MSE (lasso, ssam) or L on the kernel's diagonal "
                "(salsa, krr). Commas separate candidates; auto is a grid.",
                set_lambda, [](const FitOptions& o) { return write_candidates(o.sparse.lambdas); }})),
      list({"sparsity", "S", "1 or more, or all", "auto",
            "Number of basis functions that srfe-s and harfe keep. Commas separate candidates. auto: validation for "
            "srfe-s, 15 % of the rows for harfe.",
            set_sparsity, get_sparsity}),
      {"eta", "E", "0 or more", "0",
       "Root mean squared training error that srfe-s allows, in units of the target. 0 interpolates every row.",
       set_eta, [](const FitOptions& o) { return fmt::format("{}", o.sparse.eta); }},
      {"first-order", "", "", "false",
       "Solve srfe-s by first-order steps only, as SPGL1 does, without the final exact path.",
       [](FitOptions& o, const std::string& text) { o.sparse.first_order = parse_switch("first-order", text); },
       [](const FitOptions& o) { return std::string(o.sparse.first_order ? "true" : "false"); }},
      {"refit", "", "", "false", "Refit the basis functions that srfe-s keeps by least squares.",
       [](FitOptions& o, const std::string& text) { o.sparse.refit = parse_switch("refit", text); },
       [](const FitOptions& o) { return std::string(o.sparse.refit ? "true" : "false"); }},
      {"tolerance", "T", "above 0, below 1", "1e-06", "Relative duality gap at which srfe-s, lasso and ssam stop.",
       set_tolerance, [](const FitOptions& o) { return fmt::format("{}", o.sparse.tolerance); }},
      {"max-iterations", "K", "1 or more, or auto", "auto",
       "Maximum number of iterations of srfe-s, lasso, ssam and harfe. auto is 20000; 200000 for ssam; 200 for harfe.",
       set_max_iterations,
       [](const FitOptions& o) {
         return o.sparse.max_iterations == 0 ? std::string(automatic) : fmt::format("{}", o.sparse.max_iterations);
       }},
  };
}

std::vector<Parameter> kernel_parameters() {
  return {
      {"gamma", "G", "above 0, or 1/2q", "auto",
       "Parameter of the kernels exp(-G(x-x')^2) of salsa, ssam and krr; 1/2q is the paper's. auto is 1/2q for ssam "
       "and krr; estimated for salsa.",
       set_gamma, get_gamma},
  };
}

std::vector<Parameter> choice_parameters() {
  return {
      everyday({"validation", "F", "a fraction above 0 and below 1, or a file", "0.1",
                "Validation rows for model selection: a random fraction of the table, or a CSV file with other rows.",
                set_validation, [](const FitOptions& o) { return fmt::format("{}", o.choice.fraction); }}),
      everyday({"folds", "K", "2 or more, or 0 for none", "0",
                "Number of folds of cross-validation for model selection, instead of validation rows.", set_folds,
                [](const FitOptions& o) { return fmt::format("{}", o.choice.folds); }}),
      everyday({"blocks", "", "", "false",
                "Hold out contiguous blocks of rows instead of random rows; for time series and other ordered tables.",
                [](FitOptions& o, const std::string& text) { o.choice.blocks = parse_switch("blocks", text); },
                [](const FitOptions& o) { return std::string(o.choice.blocks ? "true" : "false"); }}),
  };
}

struct Group {
  std::string_view name;
  std::vector<Parameter> parameters;
};

std::vector<Parameter> make_table() {
  const Group groups[] = {
      {"Method", method_parameters()},
      {"Data", data_parameters()},
      {"Term selection (method auto)", term_parameters()},
      {"Features", feature_parameters()},
      {"Pruning and least squares", prune_parameters()},
      {"Sparse methods", sparse_parameters()},
      {"Kernel methods", kernel_parameters()},
      {"Model selection", choice_parameters()},
      {"Machine", machine_parameters()},
  };
  std::vector<Parameter> table;
  for (const Group& group : groups) {
    for (Parameter parameter : group.parameters) {
      parameter.group = group.name;
      table.push_back(parameter);
    }
  }
  return table;
}

}  // namespace

std::span<const Parameter> fit_parameters() {
  static const std::vector<Parameter> table = make_table();
  return table;
}

const Parameter* find_parameter(std::string_view name) {
  for (const Parameter& parameter : fit_parameters()) {
    if (parameter.name == name) return &parameter;
    if (std::ranges::find(parameter.deprecated_names, name, &DeprecatedName::name) !=
        parameter.deprecated_names.end()) {
      return &parameter;
    }
  }
  return nullptr;
}

std::string deprecation_warning(std::string_view old_name, std::string_view removed_in, std::string_view new_name) {
  return fmt::format("{} is deprecated and will be removed in version {}; use {}.", old_name, removed_in, new_name);
}

NamedValues resolve_names(const std::map<std::string, std::string>& values) {
  NamedValues resolved;
  for (const auto& [name, value] : values) {
    const Parameter* const parameter = find_parameter(name);
    if (parameter == nullptr) throw OptionError(fmt::format("there is no parameter \"{}\".", name));
    if (!resolved.values.emplace(parameter->name, value).second) {
      throw OptionError(fmt::format("{0} is given by two names.\nGive {0} once, by that name.", parameter->name));
    }
    const auto old = std::ranges::find(parameter->deprecated_names, name, &DeprecatedName::name);
    if (old == parameter->deprecated_names.end()) continue;
    resolved.warnings.push_back(deprecation_warning(name, old->removed_in, parameter->name));
  }
  return resolved;
}

FitOptions options_for_method(FitOptions shared, const std::string& method) {
  shared.method = method_named(method).name;
  for (const Parameter& parameter : fit_parameters()) {
    if (!method_takes(method, parameter.name)) parameter.set(shared, parameter.get(FitOptions()));
  }
  return shared;
}

}  // namespace shrimp

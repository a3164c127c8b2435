#include "shrimp/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "features/bases.hpp"
#include "fit/parameter_text.hpp"
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

void set_threads(FitOptions& options, const std::string& text) {
  int value = 0;
  if (!parse(text, value) || value < 0 || value > 1024) refuse("threads", text, "a whole number from 0 to 1024");
  options.machine.threads = value;
}

void set_memory(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value >= 0.0) || !std::isfinite(value)) refuse("memory", text, "a number of GiB, or 0");
  options.machine.memory = value;
}

constexpr std::pair<Storage, std::string_view> storages[] = {
    {Storage::automatic, "auto"}, {Storage::keep, "keep"}, {Storage::recompute, "recompute"}};

std::string_view basis_names() {
  static const std::string names = [] {
    std::vector<std::string_view> all;
    for (const BasisRow& row : all_bases()) all.push_back(row.name);
    return fmt::format("{}", fmt::join(all, ", "));
  }();
  return names;
}

std::string_view basis_help() {
  static const std::string help = [] {
    std::vector<std::string> columns;
    for (const BasisRow& row : all_bases()) columns.push_back(fmt::format("{}: {}", row.name, row.help));
    return fmt::format("What is made of t = <x,w>. {}. auto: fourier; linear for lasso and imp-linear; sin for harfe.",
                       fmt::join(columns, "; "));
  }();
  return help;
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
  if (!parse(text, value) || value < 1 || value > 3) refuse("max-order", text, "1, 2 or 3");
  options.terms.max_order = value;
}

void set_max_terms(FitOptions& options, const std::string& text) {
  std::size_t value = 0;
  if (text != automatic && (!parse(text, value) || value < 1)) {
    refuse("max-terms", text, "a whole number of 1 or more, or auto");
  }
  options.terms.max_terms = value;
}

constexpr std::string_view no_terms = "none";
constexpr std::string_view term_range = "inputs or terms separated by commas, as in x1*x3,x2, or none";

std::vector<std::string> parse_terms(std::string_view name, const std::string& text) {
  if (text == no_terms || text.empty()) return {};
  std::vector<std::string> terms = split(text, ',');
  for (const std::string& term : terms) {
    for (const std::string& input : split(term, '*')) {
      if (input.empty()) refuse(name, text, term_range);
    }
  }
  return terms;
}

std::string write_terms(const std::vector<std::string>& terms) {
  return terms.empty() ? std::string(no_terms) : fmt::format("{}", fmt::join(terms, ","));
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

// "30s" is seconds, "1e12" operations.
void set_budget(FitOptions& options, const std::string& text) {
  if (text == "none") {
    options.terms.budget_seconds = 0.0;
    options.terms.budget_operations = std::numeric_limits<double>::infinity();
    return;
  }
  double value = 0.0;
  const bool seconds = text.ends_with('s');
  const bool legal =
      parse(seconds ? text.substr(0, text.size() - 1) : text, value) && value > 0.0 && std::isfinite(value);
  if (text != automatic && !legal)
    refuse("budget", text, "seconds, as in 30s, or operations, as in 1e12, or auto, or none");
  options.terms.budget_seconds = seconds ? value : 0.0;
  options.terms.budget_operations = seconds ? 0.0 : value;
}

std::string get_budget(const FitOptions& options) {
  if (options.terms.budget_seconds > 0.0) return fmt::format("{}s", options.terms.budget_seconds);
  if (std::isinf(options.terms.budget_operations)) return "none";
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

std::vector<Parameter> model_parameters() {
  return {
      {"method", "M", method_names(), "auto",
       "How the model is found; auto finds the terms itself, the others are told an order. See docs/methods.md.",
       [](FitOptions& o, const std::string& text) { o.method = method_named(text).name; },
       [](const FitOptions& o) { return o.method; }, true},
      {"order", "Q", order_range, "auto",
       "How many inputs a feature looks at. A comma separates candidates that the validation error chooses from; a "
       "dash "
       "or a plus mixes orders in one dictionary. auto: 2; 1-2 for ssam; salsa goes up from 1 while it helps; method "
       "auto takes it for max-order.",
       set_order, get_order, true},
      {"no-standardize", "", "", "false", "Use inputs and target as they are, not scaled to mean 0 and variance 1.",
       [](FitOptions& o, const std::string& text) { o.standardize = !parse_switch("no-standardize", text); },
       [](const FitOptions& o) { return std::string(o.standardize ? "false" : "true"); }, true},
      {"seed", "S", "0 or more", "0", "Seed of the weights and of the split into rows to fit and to choose by.",
       set_seed, [](const FitOptions& o) { return fmt::format("{}", o.seed); }, true},
  };
}

std::vector<Parameter> term_parameters() {
  return {
      {"max-order", "Q", "1 to 3", "3", "The most inputs that a term of method auto has.", set_max_order,
       [](const FitOptions& o) { return fmt::format("{}", o.terms.max_order); }, true},
      {"max-terms", "K", "1 or more", "auto", "The most terms that method auto finds. auto: as many as help.",
       set_max_terms,
       [](const FitOptions& o) {
         return o.terms.max_terms == 0 ? std::string(automatic) : fmt::format("{}", o.terms.max_terms);
       },
       true},
      {"include", "T", term_range, "none", "Terms that method auto has from the start and keeps.",
       [](FitOptions& o, const std::string& text) { o.terms.include = parse_terms("include", text); },
       [](const FitOptions& o) { return write_terms(o.terms.include); }, true},
      {"exclude", "T", term_range, "none",
       "Inputs that method auto leaves out of all terms, and terms that it leaves out.",
       [](FitOptions& o, const std::string& text) { o.terms.exclude = parse_terms("exclude", text); },
       [](const FitOptions& o) { return write_terms(o.terms.exclude); }, true},
      {"one-se", "", "", "false",
       "Method auto takes the smallest model whose error is within one standard error of the best.",
       [](FitOptions& o, const std::string& text) { o.terms.one_standard_error = parse_switch("one-se", text); },
       [](const FitOptions& o) { return std::string(o.terms.one_standard_error ? "true" : "false"); }, true},
      {"clip", "F", "0 or more, or none", "0.05",
       "A model of method auto takes inputs that lie outside their range in the training rows by more than this share "
       "of "
       "it as if they lay there.",
       set_clip,
       [](const FitOptions& o) { return o.terms.clip ? fmt::format("{}", *o.terms.clip) : std::string("none"); }, true},
      {"budget", "B", "seconds (30s) or operations (1e12), or none", "auto",
       "How long method auto looks for terms. Seconds give other models on faster machines; operations do not. auto: "
       "8e11 operations; none: no limit.",
       set_budget, get_budget, true},
  };
}

std::vector<Parameter> feature_parameters() {
  return {
      {"features", "N", "1 or more", "10000",
       "Weight vectors drawn; the Fourier basis makes 2N columns of them. The most kernel sections of ssam. Method "
       "auto "
       "draws what its terms need, at most N.",
       set_features, [](const FitOptions& o) { return fmt::format("{}", o.draw.features); }, true},
      {"sigma2", "V", "above 0, or 1/q", "1/q",
       "Variance of the weights (squared scale where the law has no variance).", set_sigma2,
       [](const FitOptions& o) { return o.draw.sigma2 ? fmt::format("{}", *o.draw.sigma2) : std::string("1/q"); },
       true},
      {"basis", "B", basis_names(), "auto", basis_help(), set_basis, get_basis, true},
      {"law", "L", "normal, uniform, cauchy, student-t, sphere", "normal", "Law that the weights are drawn from.",
       [](FitOptions& o, const std::string& text) { o.draw.law = choose("law", text, laws); },
       [](const FitOptions& o) { return name_of(o.draw.law, laws); }, true},
      {"dof", "K", "1 to 100", "3", "Degrees of freedom of the law student-t.", set_dof,
       [](const FitOptions& o) { return fmt::format("{}", o.draw.degrees_of_freedom); }, true},
  };
}

std::vector<Parameter> prune_parameters() {
  return {
      {"prune", "P", "above 0, below 1, or one", "auto",
       "Share of the columns dropped at each step, or one column. Several, separated by commas, are candidates. auto: "
       "0.2; one for imp-linear.",
       set_prune, get_prune, true},
      {"threshold", "C", "0 or more", "auto",
       "stlsq drops coefficients below it, on scaled data. Several, separated by commas, are candidates. auto: a grid.",
       set_threshold, [](const FitOptions& o) { return write_candidates(o.prune.thresholds); }, true},
      {"ridge", "L", "0 or more, or gcv", "auto",
       "Penalty L|c|^2 on the coefficients at every least-squares step, on scaled data; gcv chooses it anew at every "
       "step "
       "by generalised cross-validation. auto: 0; 0.0001 for harfe; method auto chooses it.",
       set_ridge, get_ridge, true},
      {"rcond", "R", "0 to below 1", "0",
       "Singular values below R times the largest count as zero; 0 means max(m,N) times the machine precision.",
       set_rcond, [](const FitOptions& o) { return fmt::format("{}", o.prune.rank_tolerance); }, true},
  };
}

std::vector<Parameter> sparse_parameters() {
  return {
      {"lambda", "L", "0 or more", "auto",
       "Penalty of lasso and ssam (L|c|_1 beside half the mean squared error) and of salsa and krr (L on the diagonal "
       "of "
       "the kernel matrix), on scaled data. Several, separated by commas, are candidates. auto: a grid.",
       set_lambda, [](const FitOptions& o) { return write_candidates(o.sparse.lambdas); }, true},
      {"sparsity", "S", "1 or more, or all", "auto",
       "Columns that srfe-s and harfe keep. Several, separated by commas, are candidates. auto: sizes chosen by "
       "validation "
       "for srfe-s; 15 % of the rows for harfe.",
       set_sparsity, get_sparsity, true},
      {"eta", "E", "0 or more", "0",
       "Root mean squared error that srfe-s allows on the rows it fits, in the target's units; 0 interpolates.",
       set_eta, [](const FitOptions& o) { return fmt::format("{}", o.sparse.eta); }, true},
      {"first-order", "", "", "false",
       "srfe-s takes first-order steps alone, as SPGL1 does, instead of ending along the exact path.",
       [](FitOptions& o, const std::string& text) { o.sparse.first_order = parse_switch("first-order", text); },
       [](const FitOptions& o) { return std::string(o.sparse.first_order ? "true" : "false"); }, true},
      {"refit", "", "", "false", "srfe-s fits the columns it keeps again by least squares.",
       [](FitOptions& o, const std::string& text) { o.sparse.refit = parse_switch("refit", text); },
       [](const FitOptions& o) { return std::string(o.sparse.refit ? "true" : "false"); }, true},
      {"gamma", "G", "above 0, or 1/2q", "auto",
       "Kernels of salsa, ssam and krr are made of exp(-G(x-x')^2) on scaled data. 1/2q: the fixed kernel of the "
       "paper. "
       "auto: by the spread and number of rows for salsa, 1/2q for ssam and krr.",
       set_gamma, get_gamma, true},
      {"tolerance", "T", "above 0, below 1", "1e-06", "Relative duality gap at which srfe-s, lasso and ssam end.",
       set_tolerance, [](const FitOptions& o) { return fmt::format("{}", o.sparse.tolerance); }, true},
      {"max-iterations", "K", "1 or more", "auto",
       "Iterations that srfe-s, lasso, ssam and harfe may take for one fit. auto: 20000; 200000 for ssam; 200 for "
       "harfe.",
       set_max_iterations,
       [](const FitOptions& o) {
         return o.sparse.max_iterations == 0 ? std::string(automatic) : fmt::format("{}", o.sparse.max_iterations);
       },
       true},
  };
}

std::vector<Parameter> choice_parameters() {
  return {
      {"validation", "F", "a fraction above 0 and below 1, or a file", "0.1",
       "Rows held out at random to choose the model by, or a CSV file of rows to choose by.", set_validation,
       [](const FitOptions& o) { return fmt::format("{}", o.choice.fraction); }, true},
      {"folds", "K", "0, or 2 or more", "0", "Choose by K-fold cross-validation instead of held-out rows.", set_folds,
       [](const FitOptions& o) { return fmt::format("{}", o.choice.folds); }, true},
  };
}

std::vector<Parameter> machine_parameters() {
  return {
      {"threads", "T", "0 to 1024", "0", "Threads to use; 0 means every core.", set_threads,
       [](const FitOptions& o) { return fmt::format("{}", o.machine.threads); }, false},
      {"storage", "S", "auto, keep, recompute", "auto",
       "Keep the matrix of features in memory, or compute its columns anew whenever they are needed; auto keeps it "
       "where "
       "it "
       "fits.",
       [](FitOptions& o, const std::string& text) { o.machine.storage = choose("storage", text, storages); },
       [](const FitOptions& o) { return name_of(o.machine.storage, storages); }, false},
      {"memory", "GIB", "0 or more", "0", "Memory that may be used, in GiB; 0 means what the machine has free.",
       set_memory, [](const FitOptions& o) { return fmt::format("{}", o.machine.memory); }, false},
  };
}

struct Group {
  std::string_view name;
  std::vector<Parameter> parameters;
};

std::vector<Parameter> make_table() {
  const Group groups[] = {
      {"The model", model_parameters()},
      {"The default method's search for terms", term_parameters()},
      {"Features", feature_parameters()},
      {"Pruning and least squares", prune_parameters()},
      {"Sparse methods and kernels", sparse_parameters()},
      {"Choosing", choice_parameters()},
      {"The machine", machine_parameters()},
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

FitOptions options_for_method(FitOptions shared, const std::string& method) {
  shared.method = method_named(method).name;
  for (const Parameter& parameter : fit_parameters()) {
    if (!method_takes(method, parameter.name)) parameter.set(shared, parameter.get(FitOptions()));
  }
  return shared;
}

}  // namespace shrimp

#include "theory_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "data/standardize.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/table.hpp"
#include "shrimp/theory.hpp"
#include "theory_report.hpp"

namespace shrimp::cli {
namespace {

// Rows and a dictionary of normal q-sparse weights.
struct DictionaryArguments {
  explicit DictionaryArguments(const Command& command) {
    command.option("TABLE.csv", table, "Rows to use; - is standard input. Without a table, random rows are drawn");
    command.option("--target", target, "Column to leave out").value("NAME");
    command.flag("--no-standardize", as_they_are, "Take the table's columns as they are");
    command.option("--m", m, "Random rows to draw").value("COUNT");
    command.option("--d", d, "Their inputs").value("COUNT");
    command.option("--gamma", gamma, "Their standard deviation; 1 if not given").value("NUMBER");
    command.option("--order,--q", q, "Order of the features").value("COUNT").shows_default();
    command.option("--features,--N", N, "Weight vectors").value("COUNT").shows_default();
    command.option("--sigma2", sigma2, "Variance of the weights; 1/q if not given").value("NUMBER");
    command.option("--seed", seed, "Of rows and weights").value("COUNT");
    command.threads(threads);
    command.flag("--json", json, "Print one JSON object");
  }

  [[nodiscard]] bool drawn() const { return table.empty(); }
  [[nodiscard]] double sigma() const { return std::sqrt(sigma2.value_or(1.0 / static_cast<double>(q))); }

  [[nodiscard]] FeatureOptions feature_options() const {
    FeatureOptions options;
    if (q > 10000) throw OptionError(fmt::format("order {} is above the number of inputs.\nGive a smaller one.", q));
    options.orders = {static_cast<int>(q)};
    options.features = N;
    options.sigma2 = sigma2;
    options.seed = seed;
    return options;
  }

  [[nodiscard]] Matrix rows() const {
    if (drawn()) return drawn_rows();
    if (m || d || gamma) {
      throw OptionError("m, d and gamma are for random rows, and there is a table.\nGive the one or the other.");
    }
    CsvOptions csv;
    csv.threads = threads;
    Dataset data;
    Table read = read_csv(table, csv);
    if (!target.empty()) {
      data = split_target(std::move(read), target, table);
    } else {
      data.inputs = read.names;
      data.X = std::move(read.values);
      data.y.assign(data.X.rows(), 0.0);
    }
    return as_they_are ? std::move(data.X) : scale_inputs(data.X, standardizing(data));
  }

  [[nodiscard]] Matrix drawn_rows() const {
    if (!target.empty()) throw OptionError("target names a column, and there is no table.\nGive the table's file.");
    if (!m || !d)
      throw OptionError("there is no table, and m or d is missing.\nGive a table, or m and d to draw rows.");
    if (*m < 1 || *d < 1) throw OptionError(fmt::format("m {} and d {} make no rows.\nGive 1 or more.", *m, *d));
    const double deviation = gamma.value_or(1.0);
    if (!(deviation > 0.0 && std::isfinite(deviation))) {
      throw OptionError(fmt::format("gamma {} is not a positive number.\nGive a number above 0.", deviation));
    }
    return normal_rows(*m, *d, deviation, seed);
  }

  std::string table;
  std::string target;
  bool as_they_are = false;
  std::optional<std::size_t> m;
  std::optional<std::size_t> d;
  std::optional<double> gamma;
  std::size_t q = 2;
  std::size_t N = 1000;
  std::optional<double> sigma2;
  std::uint64_t seed = 0;
  int threads = 0;
  bool json = false;
};

struct CoherenceCommand {
  explicit CoherenceCommand(const Command& command) : arguments(command) {
    command.option("--s", s, "Coefficients to recover: fails unless the coherence is proved to allow them")
        .value("COUNT");
  }

  DictionaryArguments arguments;
  std::optional<std::size_t> s;

  void run() const {
    if (s && *s < 1) throw OptionError("s 0 is less than 1.\nGive the number of coefficients to recover.");
    const FeatureOptions features = arguments.feature_options();
    const Matrix X = arguments.rows();
    const FeatureWeights W = draw_weights(X.cols(), features);
    const Coherence coherence = mutual_coherence(W, X, arguments.threads);
    TheoryReport report{"mutual coherence of exp(i⟨x,w⟩)", {}, {}, ""};
    report.headline = {{"coherence", coherence.value, "of the complex dictionary, one column for each weight vector"},
                       {"provable_sparsity", provable_sparsity(coherence.value),
                        "coefficients that basis pursuit is proved to find, (2s-1)·coherence < 4/√41"}};
    if (s) {
      report.details.conditions.push_back({"coherence", "coherence < 4/(√41(2s-1))", "<", allowed_coherence(*s),
                                           coherence.value, coherence.value < allowed_coherence(*s)});
    }
    report.details.constants = constants(W, X, coherence);
    show(report, arguments.json);
  }

  [[nodiscard]] std::vector<TheoryConstant> constants(const FeatureWeights& W, const Matrix& X,
                                                      const Coherence& coherence) const {
    const auto m = static_cast<double>(X.rows());
    const auto N = static_cast<double>(W.size());
    const Matrix A = evaluate(make_dictionary(W, Basis::fourier), X);
    std::vector<TheoryConstant> result = {
        {"rows", m, "samples"},
        {"inputs", static_cast<double>(X.cols()), "of each"},
        {"features", N, "weight vectors drawn"},
        {"first", static_cast<double>(coherence.first), "the pair that is most alike, counted from 0"},
        {"second", static_cast<double>(coherence.second), ""},
        {"coherence_real", mutual_coherence(A, arguments.threads).value, "of [cos, sin], two columns each"},
        {"welch", std::sqrt(std::max(0.0, (N - m) / (m * (N - 1.0)))), "no N directions in m dimensions have less"}};
    if (!arguments.drawn()) return result;
    const double gamma = arguments.gamma.value_or(1.0);
    const double spread = std::pow(gamma * arguments.sigma(), 2);
    result.push_back({"coherence_limit", limit_coherence(W, gamma, arguments.threads).value,
                      "max exp(-γ²‖w_j-w_k‖²/2): what more samples lead to"});
    result.push_back({"coherence_mean", std::pow(2.0 * spread + 1.0, -static_cast<double>(arguments.q) / 2.0),
                      "(2γ²σ²+1)^(-q/2): what the theorem's proof takes for it"});
    return result;
  }
};

struct KernelErrorCommand {
  explicit KernelErrorCommand(const Command& command) : arguments(command) {
    command.option("--diameter", diameter, "Of the inputs' set: only the bound is computed, nothing is drawn")
        .value("NUMBER");
    command.option("--delta", options.delta, "The bound holds with probability 1 - delta")
        .value("NUMBER")
        .shows_default();
    command.option("--epsilon", options.epsilon, "Error; without it, the least that N affords").value("NUMBER");
    command.option("--sigma-p", options.sigma_p, "Root mean square of a weight's norm; without it sigma sqrt(q)")
        .value("NUMBER");
    command.option("--leading-constant", options.leading_constant, "The bound's constant")
        .value("NUMBER")
        .shows_default();
  }

  DictionaryArguments arguments;
  KernelErrorOptions options;
  std::optional<double> diameter;

  void run() {
    options.q = arguments.q;
    const FeatureOptions features = arguments.feature_options();
    std::vector<TheoryConstant> measured;
    if (diameter) {
      if (!arguments.drawn() || !arguments.d) {
        throw OptionError("diameter is for the bound alone.\nGive d with it, and no table.");
      }
      options.d = *arguments.d;
      options.m = arguments.m;
      options.N = static_cast<double>(arguments.N);
      options.diameter = *diameter;
    } else {
      measured = measure(features);
    }
    options.sigma = arguments.sigma();
    const ErrorBound bound = kernel_error_bound(options);
    TheoryReport report{"random features against their kernel: largest error", {}, bound, ""};
    report.headline = {{"bound", bound.bound, "on the largest error over the whole set"},
                       {"probability", bound.probability, "at least"}};
    for (TheoryConstant& constant : measured) report.headline.push_back(std::move(constant));
    constexpr double largest_possible = 2.0;
    if (bound.bound >= largest_possible) report.note = "the bound is 2 or more, which no error exceeds.";
    show(report, arguments.json);
  }

  std::vector<TheoryConstant> measure(const FeatureOptions& features) {
    const Matrix X = arguments.rows();
    const FeatureWeights W = draw_weights(X.cols(), features);
    const KernelError error = kernel_error(W, X, arguments.q, arguments.sigma(), arguments.threads);
    if (!(error.diameter > 0.0)) throw DataError("all rows are the same.\nThe kernel is compared at different rows.");
    options.d = X.cols();
    options.m = X.rows();
    options.N = static_cast<double>(W.size());
    options.diameter = error.diameter;
    return {{"largest_measured", error.largest, "over all pairs of rows"},
            {"root_mean_square_measured", error.root_mean_square, "over all pairs of rows"},
            {"diameter", error.diameter, "the largest distance of two rows"}};
  }
};

}  // namespace

void add_coherence(const Command& app) {
  const Command command =
      app.add_command("coherence", "Mutual coherence of a drawn dictionary on a table or random rows");
  auto state = std::make_shared<CoherenceCommand>(command);
  command.on_run([state] { state->run(); });
}

void add_kernel_error(const Command& app) {
  const Command command =
      app.add_command("kernel-error", "How well random features approximate their kernel: bound and measured");
  auto state = std::make_shared<KernelErrorCommand>(command);
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli

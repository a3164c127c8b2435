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
    command.option("TABLE.csv", table, "Table with rows; - is standard input (default: random rows)");
    command.option("--target", target, "Column to ignore").value("NAME");
    command.flag("--no-standardize", as_they_are, "Do not standardise the columns of the table");
    command.option("--m", m, "Number of random rows").value("COUNT");
    command.option("--d", d, "Number of inputs of random rows").value("COUNT");
    command.option("--gamma", gamma, "Standard deviation of random rows (default 1)").value("NUMBER");
    command.option("--order,--q", q, "Order of the features").value("COUNT").shows_default();
    command.option("--features,--N", N, "Number of weight vectors").value("COUNT").shows_default();
    command.option("--sigma2", sigma2, "Variance of the weights (default 1/q)").value("NUMBER");
    command.option("--seed", seed, "Random seed of rows and weights").value("COUNT");
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
      throw OptionError(
          "m, d and gamma describe random rows, but a table is given.\nGive either the table or these options.");
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
    if (!target.empty())
      throw OptionError("target names a column, but no table is given.\nGive the file of the table.");
    if (!m || !d)
      throw OptionError("neither a table nor both of m and d are given.\nGive a table, or m and d for random rows.");
    if (*m < 1 || *d < 1)
      throw OptionError(fmt::format("m {} and d {} give an empty table.\nGive 1 or more for both.", *m, *d));
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
    command
        .option("--s", s,
                "Number of coefficients to recover; exits with status 1 if the coherence does not guarantee it")
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
    report.headline = {{"coherence", coherence.value, "of the complex dictionary, with one column per weight vector"},
                       {"provable_sparsity", provable_sparsity(coherence.value),
                        "largest s with guaranteed recovery by basis pursuit, (2s-1)·coherence < 4/√41"}};
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
        {"first", static_cast<double>(coherence.first), "the most coherent pair, counted from 0"},
        {"second", static_cast<double>(coherence.second), ""},
        {"coherence_real", mutual_coherence(A, arguments.threads).value,
         "of [cos, sin], with two columns per weight vector"},
        {"welch", std::sqrt(std::max(0.0, (N - m) / (m * (N - 1.0)))),
         "Welch bound: the smallest coherence of N directions in m dimensions"}};
    if (!arguments.drawn()) return result;
    const double gamma = arguments.gamma.value_or(1.0);
    const double spread = std::pow(gamma * arguments.sigma(), 2);
    result.push_back({"coherence_limit", limit_coherence(W, gamma, arguments.threads).value,
                      "max exp(-γ²‖w_j-w_k‖²/2), the limit for many samples"});
    result.push_back({"coherence_mean", std::pow(2.0 * spread + 1.0, -static_cast<double>(arguments.q) / 2.0),
                      "(2γ²σ²+1)^(-q/2), its value in the proof of the theorem"});
    return result;
  }
};

struct KernelErrorCommand {
  explicit KernelErrorCommand(const Command& command) : arguments(command) {
    command
        .option("--diameter", diameter, "Diameter of the input domain; computes the bound only, without random draws")
        .value("NUMBER");
    command.option("--delta", options.delta, "Failure probability: the bound holds with probability 1 - delta")
        .value("NUMBER")
        .shows_default();
    command.option("--epsilon", options.epsilon, "Error (default: the smallest that N permits)").value("NUMBER");
    command.option("--sigma-p", options.sigma_p, "Root mean square of the weights' norm (default: sigma sqrt(q))")
        .value("NUMBER");
    command.option("--leading-constant", options.leading_constant, "Leading constant of the bound")
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
        throw OptionError("diameter computes the bound only and needs d.\nGive d and no table.");
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
    TheoryReport report{"largest error of the random-feature approximation of a kernel", {}, bound, ""};
    report.headline = {{"bound", bound.bound, "on the largest error over the input domain"},
                       {"probability", bound.probability, "at least"}};
    for (TheoryConstant& constant : measured) report.headline.push_back(std::move(constant));
    constexpr double largest_possible = 2.0;
    if (bound.bound >= largest_possible) report.note = "the bound is vacuous: no error exceeds 2.";
    show(report, arguments.json);
  }

  std::vector<TheoryConstant> measure(const FeatureOptions& features) {
    const Matrix X = arguments.rows();
    const FeatureWeights W = draw_weights(X.cols(), features);
    const KernelError error = kernel_error(W, X, arguments.q, arguments.sigma(), arguments.threads);
    if (!(error.diameter > 0.0))
      throw DataError(
          "all rows are equal, but the kernel is compared at pairs of different rows.\nGive at least two different "
          "rows.");
    options.d = X.cols();
    options.m = X.rows();
    options.N = static_cast<double>(W.size());
    options.diameter = error.diameter;
    return {{"largest_measured", error.largest, "over all pairs of rows"},
            {"root_mean_square_measured", error.root_mean_square, "over all pairs of rows"},
            {"diameter", error.diameter, "largest distance between two rows"}};
  }
};

}  // namespace

void add_coherence(const Command& app) {
  const Command command =
      app.add_command("coherence", "Mutual coherence of a random dictionary on a table or on random rows");
  auto state = std::make_shared<CoherenceCommand>(command);
  command.on_run([state] { state->run(); });
}

void add_kernel_error(const Command& app) {
  const Command command =
      app.add_command("kernel-error", "Error of the random-feature approximation of a kernel: bound and measurement");
  auto state = std::make_shared<KernelErrorCommand>(command);
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli

// The statements that are numbers in and numbers out; theory_data.cpp has those that look at rows.
#include "shrimp/theory.hpp"

#include <memory>

#include "commands.hpp"
#include "theory_data.hpp"
#include "theory_report.hpp"

namespace shrimp::cli {
namespace {

void add_number(const Command& command, const std::string& flag, std::optional<double>& value,
                const std::string& help) {
  command.option(flag, value, help).value("NUMBER");
}

void add_number(const Command& command, const std::string& flag, double& value, const std::string& help) {
  command.option(flag, value, help).value("NUMBER").shows_default();
}

void add_json(const Command& command, bool& json) { command.flag("--json", json, "Print one JSON object"); }

// What the theorem and its corollary take alike.
template <typename Options>
void add_shared_numbers(const Command& command, Options& options) {
  command.option("--d", options.d, "Inputs").required().value("COUNT");
  add_number(command, "--gamma", options.gamma, "Standard deviation of the inputs");
  add_number(command, "--sigma", options.sigma, "Standard deviation of the weights");
  add_number(command, "--delta", options.delta, "Failure probability: the bound holds with probability 1 - 5 delta");
  add_number(command, "--nu", options.nu, "Noise level: errors within 2 nu, or normal with standard deviation nu");
  add_number(command, "--epsilon", options.epsilon, "Approximation error (default: the smallest that N permits)");
  command.option("--N", options.N, "Number of features (default: the fewest that epsilon permits)").value("COUNT");
  command.option("--m", options.m, "Number of samples (default: the fewest that the theorem permits)").value("COUNT");
  add_number(command, "--C", options.C, "Constant of basis pursuit (default: from the proof)");
  add_number(command, "--pruning-factor", options.pruning_factor, "Factor of C for keeping s coefficients");
}

std::string note_on(const ErrorBound& bound) {
  const double trivial = bound.value("trivial_bound");
  if (trivial == 0.0 || bound.bound < trivial) return "";
  return "the bound is not below trivial_bound, which holds without the theorem: it is vacuous for these sizes.";
}

TheoryReport report_of(const std::string& statement, const ErrorBound& bound) {
  return {statement,
          {{"bound", bound.bound, "on the root mean square of f♯ - f*"},
           {"probability", bound.probability, "at least, 1 - 5δ"}},
          bound,
          note_on(bound)};
}

void add_bound(const Command& app) {
  struct State {
    GeneralizationOptions options;
    bool json = false;
  };
  const Command command = app.add_command("bound", "Generalisation error of thresholded basis pursuit (theorem)");
  auto state = std::make_shared<State>();
  GeneralizationOptions& options = state->options;
  add_shared_numbers(command, options);
  command.option("--s", options.s, "Number of coefficients kept").required().value("COUNT");
  add_number(command, "--norm", options.norm, "rho-norm of the function");
  add_number(command, "--kappa-s1", options.kappa_s1, "l1 norm of the error of the best s-term approximation");
  add_number(command, "--kappa-s2", options.kappa_s2, "l2 norm of the error of the best s-term approximation");
  add_number(command, "--lambda-max", options.lambda_max, "Largest eigenvalue of A*A (default: mN)");
  add_json(command, state->json);
  command.on_run([state] {
    show(report_of("thresholded basis pursuit: generalisation error", generalization_bound(state->options)),
         state->json);
  });
}

void add_order_q(const Command& app) {
  struct State {
    OrderQOptions options;
    bool json = false;
  };
  const Command command = app.add_command("order-q", "Generalisation error for functions of order q (corollary)");
  auto state = std::make_shared<State>();
  OrderQOptions& options = state->options;
  add_shared_numbers(command, options);
  command.option("--q", options.q, "Order").required().value("COUNT");
  command.option("--K", options.K, "Number of terms of the function; s is K times the features per support")
      .value("COUNT")
      .shows_default();
  add_number(command, "--norm", options.norm, "Mean rho-norm of the terms");
  add_json(command, state->json);
  command.on_run([state] {
    show(report_of("order-q functions: generalisation error", order_q_bound(state->options)), state->json);
  });
}

struct EigenvalueCommand {
  EigenvalueOptions options;
  std::optional<std::size_t> d;
  std::size_t runs = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  bool json = false;

  void run() {
    options.d = d.value_or(options.q);
    const EigenvalueBounds bounds = eigenvalue_bounds(options);
    TheoryReport report{"eigenvalues of A A*/N", {}, bounds, ""};
    report.headline = {
        {"largest_at_least", bounds.largest_at_least, "lower bound of the mean of the largest eigenvalue"},
        {"smallest_at_most", bounds.smallest_at_most, "upper bound of the mean of the smallest eigenvalue"},
        {"remark_at_most", bounds.remark_at_most, "at N = m, upper bound of the smallest eigenvalue that holds with"},
        {"remark_probability", bounds.remark_probability, "this probability"}};
    if (runs > 0) append_draws(report);
    show(report, json);
  }

  void append_draws(TheoryReport& report) const {
    GramEigenvalues mean;
    for (std::size_t k = 0; k < runs; ++k) {
      const GramEigenvalues draw = draw_gram_eigenvalues(options, seed + k, threads);
      mean.largest += draw.largest / static_cast<double>(runs);
      mean.smallest += draw.smallest / static_cast<double>(runs);
    }
    report.headline.push_back({"largest_drawn", mean.largest, "mean over the random draws"});
    report.headline.push_back({"smallest_drawn", mean.smallest, "mean over the random draws"});
  }
};

void add_eigenvalues(const Command& app) {
  const Command command = app.add_command("eigenvalues", "Eigenvalues of the Gram matrix (proposition and remark)");
  auto state = std::make_shared<EigenvalueCommand>();
  EigenvalueOptions& options = state->options;
  command.option("--m", options.m, "Number of samples, at most N").required().value("COUNT");
  command.option("--N", options.N, "Features").required().value("COUNT");
  command.option("--q", options.q, "Order").required().value("COUNT");
  command.option("--d", state->d, "Number of inputs (default: q, so that all features depend on the same inputs)")
      .value("COUNT");
  add_number(command, "--gamma", options.gamma, "Standard deviation of the inputs");
  add_number(command, "--sigma", options.sigma, "Standard deviation of the weights");
  add_number(command, "--p", options.p, "Exponent in the remark, between 0 and 1");
  command.option("--runs", state->runs, "Number of random dictionaries to draw and measure")
      .between(0, 100000)
      .value("COUNT");
  command.option("--seed", state->seed, "Random seed of the first run; later runs use the following integers")
      .value("COUNT");
  command.threads(state->threads);
  add_json(command, state->json);
  command.on_run([state] { state->run(); });
}

}  // namespace

void add_theory(const Command& app) {
  const Command command = app.add_command("theory", "Evaluate the paper's bounds, with every constant and condition");
  command.needs_a_command();
  add_bound(command);
  add_order_q(command);
  add_eigenvalues(command);
  add_coherence(command);
  add_kernel_error(command);
}

}  // namespace shrimp::cli

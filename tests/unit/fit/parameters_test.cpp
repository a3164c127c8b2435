#include "shrimp/parameters.hpp"

#include <map>
#include <set>

#include "features/bases.hpp"
#include "model/renamed_keys.hpp"
#include "support.hpp"

namespace shrimp {
namespace parameters_test {

using Values = std::map<std::string, std::vector<std::string>>;

// Texts that must come back as they were given.
const Values legal = {
    {"method",
     {"auto", "shrimp", "min-l2", "srfe-s", "salsa", "ssam", "lasso", "imp-linear", "stlsq", "naive-prune",
      "random-prune", "krr", "harfe"}},
    {"max-order", {"auto", "1", "2", "3", "7"}},
    {"transform", {"auto", "none"}},
    {"target-transform", {"auto", "identity", "log", "sqrt"}},
    {"loss", {"squared", "logistic", "poisson", "huber", "gamma", "tweedie", "quantile", "multinomial"}},
    {"tweedie-power", {"1.1", "1.99"}},
    {"quantile", {"0.01", "0.9"}},
    {"max-terms", {"auto", "1", "25"}},
    {"include", {"none", "x1", "x1*x3", "x1*x3,x2", "x1*", "x**2", R"("a*b"*"c","d, e")", R"("say ""hi""")"}},
    {"exclude", {"none", "x7", "x7,x1*x2", R"("none")", R"(" x")", "größe"}},
    {"one-se", {"false", "true"}},
    {"quick-error", {"false", "true"}},
    {"clip", {"none", "0", "0.5"}},
    {"budget", {"auto", "none", "30s", "0.5s", "1000000", "1000000000000"}},
    {"order", {"auto", "1", "2", "1,2,3", "1-3", "1-5,7", "2-3,1", "1+3"}},
    {"features", {"1", "12345"}},
    {"prune", {"auto", "one", "0.2", "0.15,0.25", "0.999", "1e-05"}},
    {"sigma2", {"1/q", "0.5", "2", "1e-300"}},
    {"basis", {"auto", "fourier", "cos", "sin", "relu", "tanh", "identity", "linear"}},
    {"frequency-distribution", {"normal", "uniform", "cauchy", "student-t", "sphere"}},
    {"dof", {"1", "100"}},
    {"validation", {"0.1", "0.333"}},
    {"folds", {"0", "2", "10"}},
    {"blocks", {"false", "true"}},
    {"ridge", {"auto", "0", "0.001", "gcv"}},
    {"lambda", {"auto", "0", "0.1", "1,0.1,0.01"}},
    {"threshold", {"auto", "0", "0.1", "0.1,0.2"}},
    {"sparsity", {"auto", "all", "1", "10,20"}},
    {"eta", {"0", "0.5"}},
    {"first-order", {"true", "false"}},
    {"refit", {"true", "false"}},
    {"gamma", {"auto", "1/2q", "0.5"}},
    {"tolerance", {"1e-06", "0.1"}},
    {"max-iterations", {"auto", "1", "5000"}},
    {"rcond", {"0", "1e-10"}},
    {"no-standardize", {"true", "false"}},
    {"seed", {"0", "18446744073709551615"}},
    {"threads", {"0", "1", "1024"}},
    {"storage", {"auto", "keep", "recompute"}},
    {"memory", {"0", "1.5"}},
    {"device", {"cpu", "cuda", "auto"}},
    {"device-memory", {"0", "1.5"}}};

const Values illegal = {
    {"method", {"", "SHRIMP", "ridge"}},
    {"max-order", {"", "0", "-1", "1.5", "x"}},
    {"transform", {"", "rank", "0", "AUTO"}},
    {"target-transform", {"", "none", "exp", "0"}},
    {"loss", {"", "auto", "l2", "0", "Logistic"}},
    {"tweedie-power", {"", "1", "2", "nan", "x"}},
    {"quantile", {"", "0", "1", "nan", "x"}},
    {"max-terms", {"", "0", "-3", "2.5", "many"}},
    {"include", {",", "x1,", "x1,,x2", "\"x1", R"("x1"x2)", R"("")", R"("x1"*)", R"(*"x1")"}},
    {"exclude", {",", "x1,", "x1,,x2", "\"x1", R"("x1"x2)", R"("")", R"("x1"*)", R"(*"x1")"}},
    {"one-se", {"", "maybe", "2"}},
    {"quick-error", {"", "maybe", "2"}},
    {"clip", {"", "-0.1", "nan", "inf", "auto"}},
    {"budget", {"", "0", "-1", "s", "10m", "nan", "1e12s s", "0s", "30", "999999", "inf", "infs", "nones"}},
    {"order", {"", "0", "-1", "3-1", "1-", "-", "1,,2", "a", "1.5", "1-2-3", "99999999999", "2 "}},
    {"features", {"", "0", "-5", "1e3", "ten", "18446744073709551616", "2000000000000"}},
    {"prune", {"", "0", "1", "-0.2", "1.5", "nan", "inf", "0.2,", "0.2;0.3", "x"}},
    {"sigma2", {"", "0", "-1", "nan", "inf", "1/Q", "1e999"}},
    {"basis", {"", "wavelet", "cosine"}},
    {"frequency-distribution", {"", "student_t", "gauss"}},
    {"dof", {"", "0", "101", "2.5"}},
    {"validation", {"", "0", "1", "nan", "-0.1"}},
    {"folds", {"", "1", "-2", "2.5"}},
    {"blocks", {"", "maybe", "2"}},
    {"ridge", {"", "-1", "nan", "inf", "GCV"}},
    {"lambda", {"", "-1", "nan", "inf", "0.1,", "0.1,-1", "gcv"}},
    {"threshold", {"", "-1", "nan", "x"}},
    {"sparsity", {"", "0", "-1", "1.5", "10,0", "some"}},
    {"eta", {"", "-1", "nan", "inf"}},
    {"first-order", {"", "maybe"}},
    {"refit", {"", "maybe"}},
    {"gamma", {"", "0", "-1", "nan", "inf", "1/q"}},
    {"tolerance", {"", "0", "1", "-1", "nan"}},
    {"max-iterations", {"", "0", "-1", "1.5"}},
    {"rcond", {"", "-1", "1", "nan"}},
    {"no-standardize", {"", "maybe", "TRUE"}},
    {"seed", {"", "-1", "18446744073709551616", "1.5", "12abc"}},
    {"threads", {"", "-1", "1025", "two"}},
    {"storage", {"", "disk"}},
    {"memory", {"", "-1", "nan", "inf", "1GB"}},
    {"device", {"", "gpu", "CUDA", "0"}},
    {"device-memory", {"", "-1", "nan", "inf", "1GB"}}};

std::map<std::string, std::string> all_values(const FitOptions& options) {
  std::map<std::string, std::string> values;
  for (const Parameter& parameter : fit_parameters()) values[std::string(parameter.name)] = parameter.get(options);
  return values;
}

TEST(Parameters, HaveNamesOfTheirOwnAndHelp) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : fit_parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_FALSE(parameter.help.empty()) << parameter.name;
  }
}

TEST(Parameters, ComeBackAsTheyWereSet) {
  for (const Parameter& parameter : fit_parameters()) {
    SCOPED_TRACE(parameter.name);
    ASSERT_TRUE(legal.contains(std::string(parameter.name)));
    for (const std::string& text : legal.at(std::string(parameter.name))) {
      FitOptions options;
      parameter.set(options, text);
      EXPECT_EQ(parameter.get(options), text);
    }
  }
}

TEST(Parameters, SetNothingButThemselves) {
  for (const Parameter& parameter : fit_parameters()) {
    FitOptions options;
    parameter.set(options, legal.at(std::string(parameter.name)).back());
    auto expected = all_values(FitOptions{});
    expected[std::string(parameter.name)] = legal.at(std::string(parameter.name)).back();
    EXPECT_EQ(all_values(options), expected) << parameter.name;
  }
}

TEST(Parameters, NameTheDefaultThatTheOptionsHave) {
  for (const Parameter& parameter : fit_parameters()) {
    EXPECT_EQ(parameter.get(FitOptions{}), parameter.fallback) << parameter.name;
  }
}

TEST(Parameters, RefuseBadValuesByNameAndValue) {
  for (const Parameter& parameter : fit_parameters()) {
    SCOPED_TRACE(parameter.name);
    ASSERT_TRUE(illegal.contains(std::string(parameter.name)));
    for (const std::string& text : illegal.at(std::string(parameter.name))) {
      FitOptions options;
      const std::string message = test::message_of<OptionError>([&] { parameter.set(options, text); });
      const std::string start = std::string(parameter.name) + " \"" + text + "\"";
      EXPECT_TRUE(message.starts_with(start)) << "\"" << text << "\": " << message;
      EXPECT_TRUE(test::contains(message, "\n")) << "no way out in: " << message;
    }
  }
}

TEST(Parameters, StayAsTheyWereWhenAValueIsRefused) {
  for (const Parameter& parameter : fit_parameters()) {
    for (const std::string& text : illegal.at(std::string(parameter.name))) {
      FitOptions options;
      EXPECT_THROW(parameter.set(options, text), OptionError);
      EXPECT_EQ(all_values(options), all_values(FitOptions{})) << parameter.name << " \"" << text << "\"";
    }
  }
}

TEST(Parameters, AreFoundByTheirDeprecatedNames) {
  const std::map<std::string_view, std::string_view> expected = {
      {"forms", "transform"}, {"target-form", "target-transform"}, {"law", "frequency-distribution"}};
  std::map<std::string_view, std::string_view> found;
  for (const Parameter& parameter : fit_parameters()) {
    EXPECT_EQ(find_parameter(parameter.name), &parameter);
    for (const DeprecatedName& old : parameter.deprecated_names) {
      EXPECT_EQ(find_parameter(old.name), &parameter);
      found[old.name] = parameter.name;
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(find_parameter("colour"), nullptr);
}

// Model files of older versions hold options by the names that are deprecated now.
TEST(Parameters, HaveTheNamesThatOldModelFilesAreReadWith) {
  std::map<std::string_view, std::string_view> in_files;
  for (const RenamedKey& key : renamed_options()) in_files[key.before] = key.now;
  std::map<std::string_view, std::string_view> in_table;
  for (const Parameter& parameter : fit_parameters()) {
    for (const DeprecatedName& old : parameter.deprecated_names) in_table[old.name] = parameter.name;
  }
  EXPECT_EQ(in_files, in_table);
}

TEST(Parameters, AreSetByDeprecatedNamesWithAWarning) {
  const NamedValues resolved = resolve_names({{"law", "cauchy"}, {"transform", "none"}});
  const std::map<std::string, std::string> expected = {{"frequency-distribution", "cauchy"}, {"transform", "none"}};
  EXPECT_EQ(resolved.values, expected);
  const std::string warning = "law is deprecated and will be removed in version 0.5; use frequency-distribution.";
  EXPECT_EQ(resolved.warnings, std::vector<std::string>{warning});
}

TEST(Parameters, RefuseBothOfTheirNamesAtOnce) {
  const auto both = [] { (void)resolve_names({{"law", "cauchy"}, {"frequency-distribution", "normal"}}); };
  test::expect_parts(test::message_of<OptionError>(both), {"frequency-distribution", "two names", "\n"});
  EXPECT_THROW((void)resolve_names({{"colour", "red"}}), OptionError);
}

TEST(Parameters, ReadOrdersAsCandidatesAndMixes) {
  for (const Parameter& parameter : fit_parameters()) {
    if (parameter.name != "order") continue;
    FitOptions options;
    parameter.set(options, "1-3,5");
    EXPECT_EQ(options.orders, (std::vector<std::vector<int>>{{1, 2, 3}, {5}}));
  }
}

TEST(Parameters, NameEveryBasis) {
  const auto parameter = std::ranges::find(fit_parameters(), "basis", &Parameter::name);
  std::string names;
  for (const BasisRow& row : all_bases()) {
    FitOptions options;
    parameter->set(options, std::string(row.name));
    EXPECT_EQ(options.draw.basis, row.basis);
    EXPECT_EQ(parameter->get(options), row.name);
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  EXPECT_EQ(parameter->range, names);
}

// Mixes with gaps are legal in the library, and a model's provenance must not claim orders that it was not given.
TEST(Parameters, WriteMixesWithGapsSoThatTheyReadBackTheSame) {
  for (const Parameter& parameter : fit_parameters()) {
    if (parameter.name != "order") continue;
    FitOptions options;
    options.orders = {{1, 3}};
    FitOptions again;
    parameter.set(again, parameter.get(options));
    EXPECT_EQ(again.orders, options.orders);
  }
}

}  // namespace parameters_test
}  // namespace shrimp

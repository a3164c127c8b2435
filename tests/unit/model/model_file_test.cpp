#include <bit>

#include "features/bases.hpp"
#include "support.hpp"

namespace shrimp {
namespace model_file_test {

using test::message_of;
using test::read_text;
using test::write_text;

FitResult fit_small(Basis basis) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 60;
  options.draw.basis = basis;
  options.orders = {{1, 2}};
  return fit(test::make_dataset(80, 3, 1), options);
}

TEST(ModelFile, ComesBackByteForByteAndPredictsTheSame) {
  const Matrix X = test::random_matrix(50, 3, 2);
  for (const BasisRow& row : all_bases()) {
    const Model model = fit_small(row.basis).model;
    const std::string text = to_json(model);
    const Model loaded = model_from_json(text, "model");
    EXPECT_EQ(to_json(loaded), text);
    EXPECT_EQ(loaded.predict(X), model.predict(X));
    EXPECT_EQ(loaded.inputs, model.inputs);
    EXPECT_EQ(loaded.options, model.options);
    EXPECT_EQ(loaded.results, model.results);
    EXPECT_EQ(loaded.terms.size(), model.terms.size());
  }
}

TEST(ModelFile, KeepsEveryBitOfADouble) {
  Model model = fit_small(Basis::fourier).model;
  const double values[] = {0.1,  1.0 / 3.0,  5e-324, 1.7976931348623157e308, -0.0, 2.2250738585072014e-308,
                           1e22, 123456789.0};
  for (std::size_t k = 0; k < std::min(model.coefficients.size(), std::size(values)); ++k) {
    model.coefficients[k] = values[k];
  }
  const Model loaded = model_from_json(to_json(model), "model");
  for (std::size_t k = 0; k < model.coefficients.size(); ++k) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(loaded.coefficients[k]),
              std::bit_cast<std::uint64_t>(model.coefficients[k]));
  }
}

TEST(ModelFile, KeepsNamesOfAnyKind) {
  Model model = fit_small(Basis::fourier).model;
  model.inputs = {"Höhe (m)", "a \"quoted\", name", "tab\there\nline"};
  EXPECT_EQ(model_from_json(to_json(model), "model").inputs, model.inputs);
}

TEST(ModelFile, SaysWhatItIs) {
  const std::string text = to_json(fit_small(Basis::fourier).model);
  test::expect_parts(text, {"\"format\": \"shrimp-model\"", "\"format_version\": 6", "\"inputs\"", "\"scaling\""});
}

Model make_kernel_model() {
  Model model;
  model.inputs = {"a", "b", "c"};
  model.target = "y";
  model.method = "salsa";
  model.scaling = {{0.0, 1.0, -1.0}, {1.0, 2.0, 0.5}, 0.5, 3.0};
  model.dictionary = kernel_sections(test::random_matrix(20, 3, 3), {0.5, 1.0 / 3.0, 2.0}, 2);
  model.coefficients = test::random_vector(20, 4);
  return model;
}

TEST(ModelFile, WithKernelColumnsComesBackByteForByteAndPredictsTheSame) {
  const Matrix X = test::random_matrix(50, 3, 2);
  Model products = make_kernel_model();
  products.dictionary =
      kernel_sections_by_support(test::random_matrix(4, 3, 5), {0.5, 1.0, 2.0}, std::vector<int>{1, 2}, 24, 0);
  products.coefficients = test::random_vector(24, 6);
  for (const Model& model : {make_kernel_model(), products}) {
    const std::string text = to_json(model);
    const Model loaded = model_from_json(text, "model");
    EXPECT_EQ(to_json(loaded), text);
    EXPECT_EQ(loaded.predict(X), model.predict(X));
    EXPECT_EQ(loaded.dictionary.gamma, model.dictionary.gamma);
    EXPECT_EQ(loaded.dictionary.kernel_order, model.dictionary.kernel_order);
  }
}

TEST(ModelFile, HasGammaOnlyWithKernelFunctions) {
  test::expect_parts(to_json(make_kernel_model()), {"\"gamma\": [", "\"kernel_order\": 2"});
  const std::string other = to_json(fit_small(Basis::fourier).model);
  EXPECT_FALSE(test::contains(other, "\"gamma\": ["));
  EXPECT_FALSE(test::contains(other, "kernel_order"));
}

TEST(ModelFile, WithOtherKernelsAndSinusoidsComesBackAndPredictsTheSame) {
  const Matrix X = test::random_matrix(50, 3, 2);
  for (const Law law : {Law::student_t, Law::cauchy}) {
    Model model = make_kernel_model();
    FeatureOptions draw;
    draw.features = 6;
    model.dictionary = make_dictionary(draw_weights(3, draw), Basis::fourier);
    model.dictionary.append(kernel_sections_on(test::random_matrix(5, 3, 3), {0, 2}, {0.5, 1.0, 2.0}, law));
    model.coefficients = test::random_vector(model.dictionary.columns(), 4);
    const std::string text = to_json(model);
    test::expect_parts(text, {law == Law::cauchy ? "\"kernel\": \"laplacian\"" : "\"kernel\": \"matern-3/2\""});
    const Model loaded = model_from_json(text, "model");
    EXPECT_EQ(loaded.dictionary.kernel_law, law);
    EXPECT_EQ(to_json(loaded), text);
    test::expect_near(loaded.predict(X), model.predict(X), 1e-13);
  }
}

TEST(ModelFile, NamesTheKernelUnlessItIsGaussian) {
  EXPECT_FALSE(test::contains(to_json(make_kernel_model()), "\"kernel\": \""));
  Model waves = fit_small(Basis::fourier).model;
  waves.dictionary.kernel_law = Law::cauchy;
  EXPECT_FALSE(test::contains(to_json(waves), "\"kernel\": \""));
}

TEST(ModelFile, OfAConstantComesBackAndPredictsIt) {
  Model model = make_kernel_model();
  model.dictionary = {};
  model.coefficients.clear();
  const Model loaded = model_from_json(to_json(model), "model");
  EXPECT_EQ(to_json(loaded), to_json(model));
  EXPECT_EQ(loaded.dictionary.columns(), 0U);
  EXPECT_EQ(loaded.predict(test::random_matrix(3, 3, 1)), (std::vector<double>{0.5, 0.5, 0.5}));
}

// Small enough to be damaged piece by piece.
constexpr const char* intact = R"({
 "format": "shrimp-model", "format_version": 1, "shrimp_version": "0.1.0", "method": "shrimp", "target": "y",
 "inputs": ["a", "b"],
 "scaling": {"input_mean": [0.0, 1.0], "input_scale": [1.0, 2.0], "target_mean": 0.5, "target_scale": 3.0},
 "options": {"order": "2"}, "results": {"rows": 10.0},
 "terms": [{"variables": [0, 1], "columns": 2, "share": 1.0}],
 "features": [{"variables": [0, 1], "weights": [0.25, -0.75], "cos": 1.5, "sin": -2.5}]
})";

constexpr const char* intact_kernel = R"({
 "format": "shrimp-model", "format_version": 2, "shrimp_version": "0.1.0", "method": "salsa", "target": "y",
 "inputs": ["a", "b"],
 "scaling": {"input_mean": [0.0, 1.0], "input_scale": [1.0, 2.0], "target_mean": 0.5, "target_scale": 3.0},
 "options": {}, "results": {}, "gamma": [0.5, 2.0], "kernel_order": 1, "terms": [],
 "features": [{"variables": [0, 1], "weights": [0.25, -0.75], "kernel": 1.5}]
})";

std::string replaced(const std::string& from, const std::string& to, const char* original = intact) {
  std::string text = original;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  return message_of<ModelFileError>([&] { (void)model_from_json(text, "m.json"); });
}

TEST(ModelFile, WrittenByHandIsRead) {
  const Model model = model_from_json(intact, "m.json");
  EXPECT_EQ(model.dictionary.columns(), 2U);
  EXPECT_EQ(model.coefficients, (std::vector<double>{1.5, -2.5}));
}

TEST(ModelFile, CutShortAtAnyByteIsRefused) {
  const std::string text = to_json(fit_small(Basis::cosine).model);
  const std::size_t last = text.rfind('}');
  for (std::size_t size = 0; size <= last; ++size) {
    ASSERT_THROW((void)model_from_json(std::string_view(text).substr(0, size), "m.json"), ModelFileError) << size;
  }
}

TEST(ModelFile, OfANewerFormatIsRefusedByItsVersion) {
  test::expect_parts(refusal(replaced("\"format_version\": 1", "\"format_version\": 7")),
                     {"m.json", "version 7", "newer"});
}

TEST(ModelFile, OfSomethingElseIsNotTakenForAModel) {
  for (const char* text : {"{}", "[]", "null", "3", "\"shrimp-model\"", R"({"format": "other"})", R"({"format": 1})"}) {
    EXPECT_NE(refusal(text), "") << text;
  }
  test::expect_parts(refusal(replaced("shrimp-model", "other-model")),
                     {"m.json is not a model file.\nGive a file that"});
  EXPECT_NE(refusal("x,y\n1,2\n"), "");
}

TEST(ModelFile, LackingAnyPartIsRefusedByName) {
  for (const char* key :
       {"format_version", "method", "target", "inputs", "scaling", "options", "results", "terms", "features",
        "input_mean", "input_scale", "target_mean", "target_scale", "variables", "weights"}) {
    const std::string quoted = std::string("\"") + key + "\":";
    test::expect_parts(refusal(replaced(quoted, "\"renamed\":")), {"m.json", key});
  }
  for (const auto& [key, now] : {std::pair("columns", "basis_functions"), std::pair("share", "fraction")}) {
    const std::string quoted = std::string("\"") + key + "\":";
    test::expect_parts(refusal(replaced(quoted, "\"renamed\":")), {"m.json", now});
  }
}

TEST(ModelFile, WithAPartOfTheWrongTypeIsRefused) {
  const std::pair<const char*, const char*> damages[] = {
      {"\"format_version\": 1", "\"format_version\": \"1\""},
      {"\"format_version\": 1", "\"format_version\": -1"},
      {"\"format_version\": 1", "\"format_version\": 1.5"},
      {"\"format_version\": 1", "\"format_version\": 0"},
      {"\"method\": \"shrimp\"", "\"method\": null"},
      {"\"target\": \"y\"", "\"target\": 3"},
      {"[\"a\", \"b\"]", "\"ab\""},
      {"[\"a\", \"b\"]", "[\"a\", 2]"},
      {"{\"order\": \"2\"}", "[]"},
      {"{\"order\": \"2\"}", "{\"order\": 2}"},
      {"{\"rows\": 10.0}", "{\"rows\": \"10\"}"},
      {"[0.0, 1.0]", "{}"},
      {"[0.0, 1.0]", "[0.0, null]"},
      {"\"target_mean\": 0.5", "\"target_mean\": true"},
      {"\"columns\": 2", "\"columns\": 2.5"},
      {"\"columns\": 2", "\"columns\": -2"},
      {"\"share\": 1.0", "\"share\": \"all\""},
      {"[0.25, -0.75]", "[0.25, \"x\"]"},
      {"\"cos\": 1.5", "\"cos\": [1.5]"},
      {"[{\"variables\": [0, 1], \"columns\"", "[3, {\"variables\": [0, 1], \"columns\""},
      {"[{\"variables\": [0, 1], \"weights\"", "[[], {\"variables\": [0, 1], \"weights\""},
  };
  for (const auto& [from, to] : damages) EXPECT_TRUE(test::contains(refusal(replaced(from, to)), "m.json")) << to;
}

TEST(ModelFile, WithNumbersThatAreNotFiniteIsRefused) {
  for (const char* number : {"NaN", "nan", "Infinity", "-inf", "1e999", "-1e999", "null"}) {
    EXPECT_NE(refusal(replaced("0.25, -0.75", std::string(number) + ", -0.75")), "") << number;
    EXPECT_NE(refusal(replaced("\"cos\": 1.5", std::string("\"cos\": ") + number)), "") << number;
  }
}

TEST(ModelFile, WithPartsThatDoNotBelongTogetherIsRefused) {
  const std::pair<const char*, const char*> damages[] = {
      {"[0, 1], \"weights\"", "[0, 2], \"weights\""},  // An input that is not there.
      {"[0, 1], \"weights\"", "[0, -1], \"weights\""},
      {"[0, 1], \"weights\"", "[0, 18446744073709551616], \"weights\""},
      {"[0, 1], \"weights\"", "[0, 4294967296], \"weights\""},
      {"[0, 1], \"weights\"", "[0, 0], \"weights\""},  // Twice the same.
      {"[0, 1], \"weights\"", "[1, 0], \"weights\""},
      {"[0, 1], \"weights\"", "[], \"weights\""},
      {"[0, 1], \"columns\"", "[0, 2], \"columns\""},
      {"[0.25, -0.75]", "[0.25]"},  // Fewer weights than inputs.
      {"[0.25, -0.75]", "[0.25, -0.75, 1.0]"},
      {"\"input_mean\": [0.0, 1.0]", "\"input_mean\": [0.0]"},
      {"\"input_scale\": [1.0, 2.0]", "\"input_scale\": [1.0, 2.0, 3.0]"},
      {"\"input_scale\": [1.0, 2.0]", "\"input_scale\": [1.0, 0.0]"},  // Division by nothing.
      {"\"input_scale\": [1.0, 2.0]", "\"input_scale\": [1.0, -2.0]"},
      {"\"target_scale\": 3.0", "\"target_scale\": 0.0"},
      {", \"cos\": 1.5, \"sin\": -2.5", ""},  // No coefficient.
      {"-2.5}]", "-2.5}, {\"variables\": [0], \"weights\": [1.0], \"phase\": 0.5, \"cos\": 1.0}]"},
  };
  for (const auto& [from, to] : damages) EXPECT_TRUE(test::contains(refusal(replaced(from, to)), "m.json")) << to;
}

std::string with_marginals(const std::string& marginals) {
  return replaced("\"terms\":", "\"marginals\": " + marginals + ", \"terms\":");
}

TEST(ModelFile, KeepsMarginalsAndDoesWithoutThem) {
  EXPECT_TRUE(model_from_json(intact, "m.json").marginals.empty());
  const Model model =
      model_from_json(with_marginals(R"([{"values": [1.0, 2.0]}, {"values": [0.0], "masses": [1.0]}])"), "m.json");
  ASSERT_EQ(model.marginals.size(), 2U);
  EXPECT_EQ(model.marginals[0].masses, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(model.marginals[1].values, std::vector<double>{0.0});
}

TEST(ModelFile, WithDamagedMarginalsIsRefused) {
  for (const char* marginals :
       {R"([])", R"({})", R"([{"values": [1.0]}])", R"([{"values": [1.0]}, {}])",
        R"([{"values": [1.0]}, {"values": []}])", R"([{"values": [2.0, 1.0]}, {"values": [1.0]}])",
        R"([{"values": [1.0, null]}, {"values": [1.0]}])",
        R"([{"values": [1.0, 2.0], "masses": [1.0]}, {"values": [1.0]}])",
        R"([{"values": [1.0], "masses": [0.0]}, {"values": [1.0]}])"}) {
    EXPECT_TRUE(test::contains(refusal(with_marginals(marginals)), "m.json")) << marginals;
  }
}

TEST(ModelFile, WithKernelColumnsWrittenByHandPredictsItsFormula) {
  const Model model = model_from_json(intact_kernel, "m.json");
  const Matrix X = test::random_matrix(5, 2, 1);
  const std::vector<double> f = model.predict(X);
  for (std::size_t i = 0; i < 5; ++i) {
    const double first = std::exp(-0.5 * std::pow(X(i, 0) - 0.25, 2));
    const double second = std::exp(-2.0 * std::pow((X(i, 1) - 1.0) / 2.0 + 0.75, 2));
    EXPECT_NEAR(f[i], 0.5 + 3.0 * 1.5 * (first + second), 1e-14);
  }
}

TEST(ModelFile, WithADamagedKernelIsRefused) {
  const std::pair<const char*, const char*> damages[] = {
      {"\"gamma\"", "\"renamed\""},
      {"\"kernel_order\"", "\"renamed\""},
      {"[0.5, 2.0]", "[0.5]"},
      {"[0.5, 2.0]", "[0.5, 2.0, 1.0]"},
      {"[0.5, 2.0]", "[0.5, 0.0]"},
      {"[0.5, 2.0]", "[0.5, -2.0]"},
      {"[0.5, 2.0]", "[0.5, \"2\"]"},
      {"[0.5, 2.0]", "[0.5, 1e999]"},
      {"[0.5, 2.0]", "0.5"},
      {"\"kernel_order\": 1", "\"kernel_order\": 3"},
      {"\"kernel_order\": 1", "\"kernel_order\": 18446744073709551615"},
      {"\"kernel_order\": 1", "\"kernel_order\": -1"},
      {"\"kernel_order\": 1", "\"kernel_order\": 1.0"},
      {"\"kernel\": 1.5", "\"kernel\": \"1.5\""},
      {"\"kernel\": 1.5", "\"kernels\": 1.5"},
      {"\"format_version\": 2", "\"format_version\": 1"},
  };
  for (const auto& [from, to] : damages) {
    EXPECT_TRUE(test::contains(refusal(replaced(from, to, intact_kernel)), "m.json")) << to;
  }
  for (const char* order : {"0", "2"}) {
    EXPECT_NO_THROW((void)model_from_json(
        replaced("\"kernel_order\": 1", std::string("\"kernel_order\": ") + order, intact_kernel), "m.json"));
  }
}

TEST(ModelFile, WithADamagedLawOfKernelsIsRefused) {
  const auto with_law = [](const char* version, const char* law) {
    std::string text = replaced("\"format_version\": 2", std::string("\"format_version\": ") + version, intact_kernel);
    return replaced("\"kernel_order\": 1", std::string("\"kernel_order\": 1, \"kernel_law\": ") + law, text.c_str());
  };
  EXPECT_EQ(model_from_json(with_law("4", "\"cauchy\""), "m.json").dictionary.kernel_law, Law::cauchy);
  EXPECT_EQ(model_from_json(with_law("4", "\"student-t\""), "m.json").dictionary.kernel_law, Law::student_t);
  for (const char* law : {"\"normal\"", "\"laplacian\"", "\"matern-3/2\"", "\"uniform\"", "\"sphere\"", "\"Cauchy\"",
                          "\"\"", "1", "null", "[\"cauchy\"]"}) {
    test::expect_parts(refusal(with_law("4", law)), {"m.json", "\"kernel\""});
  }
  for (const char* version : {"2", "3"}) {
    test::expect_parts(refusal(with_law(version, "\"cauchy\"")), {"m.json", "kernel_law", "format_version"});
  }
}
constexpr const char* intact_forms = R"({
 "format": "shrimp-model", "format_version": 4, "shrimp_version": "0.1.0", "method": "auto", "target": "y",
 "inputs": ["a", "b", "c"],
 "scaling": {"input_mean": [0.5, 1.0, 0.0], "input_scale": [1.0, 2.0, 1.0], "target_mean": 0.5, "target_scale": 2.0,
  "input_lowest": [0.0, -9.0, -5.0], "input_highest": [4.0, -0.5, 5.0],
  "input_warps": [{"kind": "rank", "values": [1.0, 3.0], "ranks": [0.25, 0.75]}, {"kind": "log", "negative": true},
   {"kind": "none"}],
  "target_form": "log", "target_correction": 1.25},
 "options": {}, "results": {}, "terms": [],
 "features": [{"variables": [0, 1, 2], "weights": [0.25, -0.75, 0.5], "sin": 1.5}]
})";

TEST(ModelFile, WithFormsPredictsItsFormulaAndComesBack) {
  const Model model = model_from_json(intact_forms, "m.json");
  Matrix X(3, 3);
  const double rows[3][3] = {{2.0, -2.0, 0.5}, {9.0, 3.0, -0.5}, {1.5, -20.0, 0.0}};
  const double entering[3][3] = {{0.5, std::log(2.0), 0.5}, {0.75, std::log(0.5), -0.5}, {0.375, std::log(9.0), 0.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) X(i, j) = rows[i][j];
  }
  const std::vector<double> f = model.predict(X);
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = 0.25 * (entering[i][0] - 0.5) - 0.75 * (entering[i][1] - 1.0) / 2.0 + 0.5 * entering[i][2];
    EXPECT_NEAR(f[i], 1.25 * std::exp(0.5 + 2.0 * 1.5 * std::sin(t)), 1e-13);
  }
  const std::string text = to_json(model);
  test::expect_parts(text, {"\"format_version\": 6"});
  const Model again = model_from_json(text, "m.json");
  EXPECT_EQ(to_json(again), text);
  EXPECT_EQ(again.predict(X), f);
}

TEST(ModelFile, HasTransformsOnlyWhereThereAreSome) {
  Model model = model_from_json(intact_forms, "m.json");
  model.scaling.input_warps.clear();
  test::expect_parts(to_json(model), {"\"target_transform\":\"log\""});
  model.scaling.target_form = TargetForm::identity;
  const std::string text = to_json(model);
  for (const char* field : {"input_transforms", "target_transform", "target_correction"}) {
    EXPECT_FALSE(test::contains(text, field));
  }
}

TEST(ModelFile, WithDamagedFormsIsRefusedByWhatIsWrong) {
  struct Damage {
    const char* from;
    const char* to;
    const char* words;
  };
  const Damage damages[] = {
      {"\"format_version\": 4", "\"format_version\": 3", "transforms of inputs or of the target"},
      {", \"negative\": true},\n   {\"kind\": \"none\"}", "}", "number of transforms"},
      {"[{\"kind\": \"rank\"", "[3, {\"kind\": \"rank\"", "number of transforms"},
      {"{\"kind\": \"none\"}", "\"none\"", "transform 2 is not an object"},
      {"{\"kind\": \"none\"}", "{}", "transform 2 lacks \"type\""},
      {"{\"kind\": \"none\"}", "{\"kind\": \"exp\"}", "transform 2 has an unknown \"type\": exp"},
      {"\"values\": [1.0, 3.0]", "\"values\": [1.0]", "fewer than two"},
      {"\"values\": [1.0, 3.0]", "\"values\": [1.0, 2.0, 3.0]", "different numbers of ranks"},
      {"\"values\": [1.0, 3.0]", "\"values\": [3.0, 3.0]", "\"values\" that are not in ascending order"},
      {"\"values\": [1.0, 3.0]", "\"values\": [1.0, 1e999]", "too large"},
      {"[0.25, 0.75]}", "[0.75, 0.25]}", "\"ranks\" that are not in ascending order"},
      {"[0.25, 0.75]}", "[0.0, 0.75]}", "between 0 and 1"},
      {"[0.25, 0.75]}", "[0.25, 1.0]}", "between 0 and 1"},
      {", \"ranks\": [0.25, 0.75]", "", "transform 0 lacks \"ranks\""},
      {"\"negative\": true", "\"negative\": 1", "neither true nor false"},
      {"\"negative\": true", "\"negative\": false", "transform 1 is a logarithm, but the limits"},
      {"\"input_highest\": [4.0, -0.5", "\"input_highest\": [4.0, 0.0", "transform 1 is a logarithm, but the limits"},
      {"\"target_form\": \"log\"", "\"target_form\": \"cube\"", "unknown \"target_transform\": cube"},
      {"\"target_form\": \"log\"", "\"target_form\": 2", "\"target_transform\" that is not text"},
      {"\"target_correction\": 1.25", "\"target_correction\": 0.0", "not positive"},
      {"\"target_correction\": 1.25", "\"target_correction\": true", "not a number"},
      {", \"target_correction\": 1.25", "", "lacks \"target_correction\""},
  };
  for (const Damage& damage : damages) {
    test::expect_parts(refusal(replaced(damage.from, damage.to, intact_forms)), {"m.json", damage.words});
  }
  std::string root = replaced("\"target_form\": \"log\"", "\"target_form\": \"sqrt\"", intact_forms);
  EXPECT_NO_THROW((void)model_from_json(root, "m.json"));
  root = replaced("1.25}", "-0.5}", root.c_str());
  test::expect_parts(refusal(root), {"m.json", "target_correction below zero"});
}

// The same model with the names of version 5 and of version 6.
constexpr const char* version5 = R"({
 "format": "shrimp-model", "format_version": 5, "shrimp_version": "0.2.0", "method": "auto", "target": "y",
 "inputs": ["a", "b"], "columns": [{"kind": "category", "levels": ["u", "v"]}, {}],
 "scaling": {"input_mean": [0.0, 1.0], "input_scale": [1.0, 2.0], "target_mean": 0.5, "target_scale": 3.0,
  "input_warps": [{"kind": "none"}, {"kind": "rank", "values": [1.0, 3.0], "ranks": [0.25, 0.75]}],
  "target_form": "sqrt", "target_correction": 0.25},
 "options": {"forms": "auto", "law": "normal", "target-form": "sqrt"}, "given": {"target-form": "sqrt"},
 "results": {"columns_drawn": 9.0, "covariance_share": 0.1, "form_train_mse": 0.5, "share_above_three": 0.2},
 "gamma": [0.5, 2.0], "kernel_order": 0, "kernel_law": "cauchy",
 "uncertainty": {"noise": 0.5, "spread": 0.75, "levels": [0.5], "quantiles": [1.0]},
 "terms": [{"variables": [0], "columns": 1, "share": 0.75, "chance": 0.01}, {"variables": [1], "columns": 1, "share": 0.25}],
 "features": [{"variables": [0], "weights": [0.5], "cos": 1.5}, {"variables": [0, 1], "weights": [0.25, -0.75], "kernel": 1.5}]
})";

constexpr const char* version6 = R"({
 "format": "shrimp-model", "format_version": 6, "shrimp_version": "0.2.0", "method": "auto", "target": "y",
 "inputs": ["a", "b"], "columns": [{"type": "category", "levels": ["u", "v"]}, {}],
 "scaling": {"input_mean": [0.0, 1.0], "input_scale": [1.0, 2.0], "target_mean": 0.5, "target_scale": 3.0,
  "input_transforms": [{"type": "none"}, {"type": "rank", "values": [1.0, 3.0], "ranks": [0.25, 0.75]}],
  "target_transform": "sqrt", "target_correction": 0.25},
 "options": {"transform": "auto", "frequency-distribution": "normal", "target-transform": "sqrt"},
 "given": {"target-transform": "sqrt"},
 "results": {"basis_functions_drawn": 9.0, "covariance_fraction": 0.1, "transformed_train_mse": 0.5,
  "fraction_above_order_three": 0.2},
 "gamma": [0.5, 2.0], "kernel_order": 0, "kernel": "laplacian",
 "uncertainty": {"noise": 0.5, "prediction_standard_deviation": 0.75, "levels": [0.5], "quantiles": [1.0]},
 "terms": [{"variables": [0], "basis_functions": 1, "fraction": 0.75, "p_value": 0.01},
  {"variables": [1], "basis_functions": 1, "fraction": 0.25}],
 "features": [{"variables": [0], "weights": [0.5], "cos": 1.5}, {"variables": [0, 1], "weights": [0.25, -0.75], "kernel": 1.5}]
})";

TEST(ModelFile, OfVersionFiveIsReadWithItsNamesAndWrittenWithTheCurrentOnes) {
  const Model model = model_from_json(version5, "m.json");
  EXPECT_EQ(to_json(model), to_json(model_from_json(version6, "m.json")));
  EXPECT_EQ(model.terms[0].basis_functions, 1U);
  EXPECT_EQ(model.terms[0].fraction, 0.75);
  EXPECT_EQ(model.terms[0].p_value, 0.01);
  EXPECT_EQ(model.options.at("frequency-distribution"), "normal");
  EXPECT_EQ(model.given->at("target-transform"), "sqrt");
  EXPECT_EQ(model.results.at("fraction_above_order_three"), 0.2);
  EXPECT_EQ(model.uncertainty->spread, 0.75);
}

// A reader that overlooked a key under its other name would predict something else without a word.
TEST(ModelFile, WithAKeyOfAnotherVersionIsRefusedByBothNames) {
  const std::pair<const char*, const char*> names[] = {{"input_warps", "input_transforms"},
                                                       {"target_form", "target_transform"},
                                                       {"kernel_law", "kernel"},
                                                       {"chance", "p_value"},
                                                       {"share", "fraction"},
                                                       {"spread", "prediction_standard_deviation"},
                                                       {"forms", "transform"},
                                                       {"law", "frequency-distribution"},
                                                       {"columns_drawn", "basis_functions_drawn"}};
  const auto quoted = [](const char* name) { return std::string("\"") + name + "\":"; };
  for (const auto& [before, now] : names) {
    const std::string old_name = replaced(quoted(now), quoted(before), version6);
    test::expect_parts(refusal(old_name), {"m.json", before, now, "\"format_version\" of at least 6"});
    const std::string new_name = replaced(quoted(before), quoted(now), version5);
    test::expect_parts(refusal(new_name), {"m.json", before, now, "\"format_version\" below 6"});
  }
}

TEST(ModelFile, FollowedBySomethingElseIsRefused) { EXPECT_NE(refusal(std::string(intact) + "x"), ""); }

TEST(ModelFile, NestedWithoutEndIsRefused) {
  EXPECT_NE(refusal(std::string(200000, '[')), "");
  EXPECT_NE(refusal(replaced("\"0.1.0\"", std::string(100000, '[') + std::string(100000, ']') + "x")), "");
}

TEST(ModelFile, IsSavedAndLoaded) {
  const test::TemporaryFolder folder;
  const Model model = fit_small(Basis::fourier).model;
  save_model(model, folder.file("m.json"));
  EXPECT_EQ(read_text(folder.file("m.json")), to_json(model));
  EXPECT_EQ(to_json(load_model(folder.file("m.json"))), to_json(model));
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(ModelFile, StaysAsItWasWhenTheNewOneCannotBeWritten) {
  const test::TemporaryFolder folder;
  const Model model = fit_small(Basis::fourier).model;
  write_text(folder.file("m.json"), "old");
  {
    const test::FullDisk disk(500);
    EXPECT_THROW(save_model(model, folder.file("m.json")), FileError);
  }
  EXPECT_EQ(read_text(folder.file("m.json")), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(ModelFile, IsNotSavedWhereThereIsNoFolder) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("none/m.json");
  const auto save = [&] { save_model(fit_small(Basis::fourier).model, path); };
  test::expect_parts(message_of<FileError>(save), {path.c_str()});
}

TEST(ModelFile, ThatIsMissingIsNamed) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("missing.json");
  test::expect_parts(message_of<ModelFileError>([&] { (void)load_model(path); }), {path.c_str(), "No such file"});
}

}  // namespace model_file_test
}  // namespace shrimp

#include "shrimp/export.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "export/functions.hpp"
#include "export/onnx_graph.hpp"
#include "export/plan.hpp"
#include "features/bases.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace export_test {

// cos and sin of one vector on (a, b), a kernel section on (b, c), and a column of no inputs.
Model small_model() {
  Model model;
  model.inputs = {"a", "b", "c", "d"};
  model.target = "y";
  model.scaling = Scaling::none(4);
  model.dictionary.weights.append(std::vector<std::uint32_t>{0, 1}, std::vector{1.0, 2.0});
  model.dictionary.weights.append(std::vector<std::uint32_t>{1, 2}, std::vector{3.0, 4.0});
  model.dictionary.weights.append({}, {});
  model.dictionary.rows = {0, 0, 1, 2};
  model.dictionary.functions = {Function::cos, Function::sin, Function::kernel, Function::cos};
  model.dictionary.gamma = {1.0, 1.0, 1.0, 1.0};
  model.coefficients = {0.5, 0.25, 2.0, 7.0};
  return model;
}

TEST(Plan, GroupsColumnsOfOneShapeAndLeavesOutIdleInputs) {
  const Plan plan = make_plan(small_model());
  ASSERT_EQ(plan.inputs.size(), 3U);
  ASSERT_EQ(plan.groups.size(), 2U);
  EXPECT_EQ(plan.groups[0].functions, (std::vector{Function::cos, Function::sin}));
  EXPECT_EQ(plan.groups[0].coefficients, (std::vector<std::vector<double>>{{0.5}, {0.25}}));
  EXPECT_TRUE(plan.groups[1].is_kernel());
  EXPECT_EQ(plan.groups[1].inputs, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_DOUBLE_EQ(plan.constant, 7.0);  // cos 0
}

TEST(Plan, HalvesKnotsThatAreTooFarApart) {
  Model model = small_model();
  model.scaling.input_warps.resize(4);
  model.scaling.input_warps[0] = {Warp::Kind::rank, false, {-1.6e308, 1.6e308}, {0.25, 0.75}};
  const Plan plan = make_plan(model);
  EXPECT_EQ(plan.unwarped(), 2U);
  EXPECT_EQ(plan.inputs.back().index, 0U);
  EXPECT_EQ(plan.inputs.back().knot_unit, 0.5);
  EXPECT_EQ(plan.inputs.back().warp.values, (std::vector{-0.8e308, 0.8e308}));
}

TEST(Plan, MakesInputsOfTheColumnsOfATable) {
  Model model = small_model();
  model.columns.resize(4);
  model.columns[1] = {.part = InputColumn::Part::missing, .column = "a"};
  model.columns[2] = {.kind = ColumnKind::category, .levels = {"p", missing_level, pooled_level}, .pooled = {"r", "s"}};
  EXPECT_THROW((void)make_plan(model), OptionError);  // What stands for a missing input it does not know.
  model.dictionary.marginals = std::make_shared<const std::vector<Marginal>>(4, Marginal{{0.0}, {1.0}});
  const Plan plan = make_plan(model);
  EXPECT_TRUE(plan.takes_missing);
  ASSERT_EQ(plan.sources.size(), 3U);
  EXPECT_EQ(plan.sources[1].name, "c");
  EXPECT_EQ(plan.sources[1].codes.at("s"), 2U);
  EXPECT_EQ(plan.sources[1].missing_code, 1U);
  EXPECT_FALSE(plan.sources[2].used);
  EXPECT_EQ(plan.inputs[1].source, 0U);
}

// Against the definition: the mean over the values that a missing input may have.
TEST(Plan, HasTheMeansOfColumnsThatLackAnInput) {
  Model model = small_model();
  model.columns.resize(4);
  const Marginal marginal{{-1.0, 0.5, 2.0}, {0.2, 0.5, 0.3}};
  model.dictionary.marginals = std::make_shared<const std::vector<Marginal>>(4, marginal);
  const Plan plan = make_plan(model);
  const ColumnGroup& waves = plan.groups[0];
  double mean = 0.0;
  for (std::size_t v = 0; v < 3; ++v) mean += marginal.masses[v] * std::cos(0.3 + 2.0 * marginal.values[v]);
  EXPECT_NEAR(waves.shrinks[1] * std::cos(0.3 + waves.shifts[1]), mean, 1e-15);
  EXPECT_NEAR(plan.filled[1], 0.65, 1e-15);
}

TEST(FunctionInLanguages, IsThereForEveryFunctionButTheKernel) {
  for (const FunctionRow& phi : all_functions()) {
    if (phi.form == Form::kernel) {
      EXPECT_THROW((void)in_languages(phi.function), std::logic_error);
    } else {
      EXPECT_EQ(in_languages(phi.function).function, phi.function);
    }
  }
}

// Bytes of the examples in protobuf's description of its encoding.
TEST(ProtobufMessage, IsEncodedAsTheDescriptionSays) {
  EXPECT_EQ(ProtobufMessage().number(1, 150).bytes(), "\x08\x96\x01");
  EXPECT_EQ(ProtobufMessage().text(2, "testing").bytes(), "\x12\x07testing");
  EXPECT_EQ(ProtobufMessage().message(3, ProtobufMessage().number(1, 150)).bytes(), "\x1a\x03\x08\x96\x01");
}

TEST(ExportModel, IsTheSameEveryTimeInEveryFormat) {
  const Model model = small_model();
  for (const std::string& name : export_format_names()) {
    if (name == "latex") continue;  // It needs marginals.
    const std::string text = export_model(model, export_format(name));
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(export_model(model, export_format(name)), text);
  }
  EXPECT_THROW((void)export_model(model, ExportFormat::latex), std::invalid_argument);
  EXPECT_THROW((void)export_format("fortran"), OptionError);
}

}  // namespace export_test
}  // namespace shrimp

#include "export/onnx_graph.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>

#include "shrimp/version.hpp"

namespace shrimp {
namespace {

// Numbers of fields in onnx.proto.
namespace model_field {
constexpr int ir_version = 1, producer_name = 2, producer_version = 3, graph = 7, opset_import = 8, metadata = 14;
}
namespace graph_field {
constexpr int node = 1, name = 2, initializer = 5, input = 11, output = 12;
}
namespace node_field {
constexpr int input = 1, output = 2, op_type = 4, attribute = 5, domain = 7;
}
namespace attribute_field {
constexpr int name = 1, integer = 3, integers = 8, texts = 9, type = 20;
constexpr std::uint64_t integer_type = 2, integers_type = 7, texts_type = 8;
}  // namespace attribute_field
namespace tensor_field {
constexpr int dimension = 1, data_type = 2, name = 8, raw_data = 9;
}

constexpr std::uint64_t ir_version = 8;  // The one that came with opset 17 …
constexpr const char* learning_domain = "ai.onnx.ml";
constexpr std::uint64_t learning_opset = 3;  // … and with this one.

void append_word(std::string& bytes, std::uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
}

std::string bytes_of(std::span<const double> values) {
  std::string bytes;
  for (const double value : values) append_word(bytes, std::bit_cast<std::uint64_t>(value));
  return bytes;
}

// A tensor: the number of rows is open, that of columns, where it is given, is not.
ProtobufMessage value_info(const std::string& name, std::uint64_t type, std::optional<std::size_t> columns) {
  ProtobufMessage shape;
  shape.message(1, ProtobufMessage().text(2, "rows"));
  if (columns) shape.message(1, ProtobufMessage().number(1, *columns));
  const ProtobufMessage tensor = ProtobufMessage().number(1, type).message(2, shape);
  return ProtobufMessage().text(1, name).message(2, ProtobufMessage().message(1, tensor));
}

}  // namespace

void ProtobufMessage::append(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(0x80 | (value & 0x7F));
  bytes_ += static_cast<char>(value);
}

ProtobufMessage& ProtobufMessage::number(int field, std::uint64_t value) {
  append(static_cast<std::uint64_t>(field) << 3);
  append(value);
  return *this;
}

ProtobufMessage& ProtobufMessage::text(int field, std::string_view value) {
  append(static_cast<std::uint64_t>(field) << 3 | 2);
  append(value.size());
  bytes_ += value;
  return *this;
}

std::string OnnxGraph::next_name() { return fmt::format("v{}", named_++); }

std::string OnnxGraph::tensor(Type type, std::span<const std::int64_t> shape, const std::string& bytes) {
  const std::string name = next_name();
  ProtobufMessage tensor;
  for (const std::int64_t size : shape) tensor.number(tensor_field::dimension, static_cast<std::uint64_t>(size));
  tensor.number(tensor_field::data_type, static_cast<std::uint64_t>(type));
  tensor.text(tensor_field::name, name).text(tensor_field::raw_data, bytes);
  graph_.message(graph_field::initializer, tensor);
  return name;
}

std::string OnnxGraph::number(double value) {
  const auto [place, is_new] = numbers_.try_emplace(std::bit_cast<std::uint64_t>(value));
  if (is_new) place->second = tensor(Type::float64, {}, bytes_of(std::span(&value, 1)));
  return place->second;
}

std::string OnnxGraph::row(std::span<const double> values) {
  return tensor(Type::float64, std::array{static_cast<std::int64_t>(values.size())}, bytes_of(values));
}

std::string OnnxGraph::indices(std::span<const std::int64_t> values) {
  std::string bytes;
  for (const std::int64_t value : values) append_word(bytes, static_cast<std::uint64_t>(value));
  return tensor(Type::int64, std::array{static_cast<std::int64_t>(values.size())}, bytes);
}

std::string OnnxGraph::node(std::string_view operation, const std::vector<std::string>& inputs,
                            const Attributes& attributes) {
  const std::string name = next_name();
  ProtobufMessage node;
  for (const std::string& input : inputs) node.text(node_field::input, input);
  node.text(node_field::output, name).text(node_field::op_type, operation);
  for (const auto& [key, value] : attributes) {
    ProtobufMessage attribute;
    attribute.text(attribute_field::name, key).number(attribute_field::integer, static_cast<std::uint64_t>(value));
    attribute.number(attribute_field::type, attribute_field::integer_type);
    node.message(node_field::attribute, attribute);
  }
  graph_.message(graph_field::node, node);
  return name;
}

std::string OnnxGraph::codes(const std::string& texts, const std::map<std::string, std::int64_t>& codes) {
  has_codes_ = true;
  ProtobufMessage keys;
  ProtobufMessage values;
  keys.text(attribute_field::name, "keys_strings").number(attribute_field::type, attribute_field::texts_type);
  values.text(attribute_field::name, "values_int64s").number(attribute_field::type, attribute_field::integers_type);
  for (const auto& [text, code] : codes) {
    keys.text(attribute_field::texts, text);
    values.number(attribute_field::integers, static_cast<std::uint64_t>(code));
  }
  const std::string name = next_name();
  ProtobufMessage node;
  node.text(node_field::input, texts).text(node_field::output, name).text(node_field::op_type, "LabelEncoder");
  node.message(node_field::attribute, keys).message(node_field::attribute, values);
  graph_.message(graph_field::node, node.text(node_field::domain, learning_domain));
  return this->node("Cast", {name}, {{"to", float64_type}});
}

std::string OnnxGraph::file(const std::string& result, const Names& names) {
  constexpr auto doubles = static_cast<std::uint64_t>(Type::float64);
  ProtobufMessage rename;
  rename.text(node_field::input, result).text(node_field::output, names.output).text(node_field::op_type, "Identity");
  graph_.message(graph_field::node, rename).text(graph_field::name, "shrimp");
  for (const Input& input : names.inputs) {
    const auto type = static_cast<std::uint64_t>(input.is_text ? Type::text : Type::float64);
    graph_.message(graph_field::input, value_info(input.name, type, input.columns));
  }
  graph_.message(graph_field::output, value_info(names.output, doubles, std::nullopt));
  ProtobufMessage model;
  model.number(model_field::ir_version, ir_version).text(model_field::producer_name, "shrimp");
  model.text(model_field::producer_version, version).message(model_field::graph, graph_);
  model.message(model_field::opset_import, ProtobufMessage().text(1, "").number(2, opset));
  if (has_codes_) {
    const ProtobufMessage learning = ProtobufMessage().text(1, learning_domain).number(2, learning_opset);
    model.message(model_field::opset_import, learning);
  }
  for (const auto& [key, value] : names.notes) {
    model.message(model_field::metadata, ProtobufMessage().text(1, key).text(2, value));
  }
  return model.bytes();
}

}  // namespace shrimp

// An ONNX file, built node by node: the few messages of onnx.proto that a graph of doubles takes, in protobuf's wire
// format, which is numbers of 7 bits a byte and texts with their length before them. That is less than the hundred
// lines below; the library would be a compiler of messages and megabytes to link for every user.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shrimp {

/// A message of protobuf: fields by their number.
class ProtobufMessage {
 public:
  ProtobufMessage& number(int field, std::uint64_t value);
  ProtobufMessage& text(int field, std::string_view value);
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return text(field, value.bytes()); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void append(std::uint64_t value);
  std::string bytes_;
};

/// Values are known by their names. Each call adds to the graph and returns the name of what it made.
class OnnxGraph {
 public:
  static constexpr std::uint64_t opset = 17;
  static constexpr std::int64_t int64_type = 7;  ///< As attributes name them.
  static constexpr std::int64_t float64_type = 11;

  /// A constant; the same number is stored once.
  std::string number(double value);
  /// Constants.
  std::string row(std::span<const double> values);
  std::string indices(std::span<const std::int64_t> values);

  using Attributes = std::vector<std::pair<std::string, std::int64_t>>;
  /// Its operator has one output.
  std::string node(std::string_view operation, const std::vector<std::string>& inputs,
                   const Attributes& attributes = {});

  /// Of each text its code as a double; those that are not there are −1. The operator is one of ONNX's own for machine
  /// learning, which runtimes have as they have the others.
  std::string codes(const std::string& texts, const std::map<std::string, std::int64_t>& codes);

  /// A matrix of any number of rows.
  struct Input {
    std::string name;
    std::size_t columns;
    bool is_text = false;  ///< Else of doubles.
  };
  struct Names {
    std::vector<Input> inputs;
    std::string output;                        ///< A vector of doubles, which the last node made.
    std::map<std::string, std::string> notes;  ///< What else the file tells.
  };
  /// The file. `result` is renamed to the output.
  [[nodiscard]] std::string file(const std::string& result, const Names& names);

 private:
  enum class Type : std::uint64_t { int64 = int64_type, text = 8, float64 = float64_type };

  std::string tensor(Type type, std::span<const std::int64_t> shape, const std::string& bytes);
  std::string next_name();

  ProtobufMessage graph_;
  std::map<std::uint64_t, std::string> numbers_;  // By their bits: NaN is one, too.
  std::size_t named_ = 0;
  bool has_codes_ = false;
};

}  // namespace shrimp

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
  static constexpr std::int64_t int64_type = 7;  ///< As attributes name it.

  /// A constant; the same number is stored once.
  std::string number(double value);
  /// Constants.
  std::string row(std::span<const double> values);
  std::string indices(std::span<const std::int64_t> values);

  using Attributes = std::vector<std::pair<std::string, std::int64_t>>;
  /// Its operator has one output.
  std::string node(std::string_view operation, const std::vector<std::string>& inputs,
                   const Attributes& attributes = {});

  struct Names {
    std::string input;                         ///< A matrix of doubles, of any number of rows …
    std::size_t columns;                       ///< … and so many columns.
    std::string output;                        ///< A vector of doubles, which the last node made.
    std::map<std::string, std::string> notes;  ///< What else the file tells.
  };
  /// The file. `result` is renamed to the output.
  [[nodiscard]] std::string file(const std::string& result, const Names& names);

 private:
  enum class Type : std::uint64_t { int64 = int64_type, float64 = 11 };

  std::string tensor(Type type, std::span<const std::int64_t> shape, const std::string& bytes);
  std::string next_name();

  ProtobufMessage graph_;
  std::map<std::uint64_t, std::string> numbers_;  // By their bits: NaN is one, too.
  std::size_t named_ = 0;
};

}  // namespace shrimp

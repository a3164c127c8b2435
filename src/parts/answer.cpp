#include "parts/answer.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "data/block_views.hpp"
#include "grow/column_sums.hpp"
#include "parts/archive.hpp"
#include "parts/question.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/table_parts.hpp"

namespace shrimp {
namespace {

enum class AnswerKind : std::uint8_t { drawn = 1, sums = 2 };

Unpacker open(std::string_view bytes, AnswerKind wanted) {
  Unpacker unpacker(bytes);
  AnswerKind kind{};
  unpacker(kind);
  if (kind != wanted) throw DataError("the reply of a partition does not match the request.");
  return unpacker;
}

AnswerKind kind_of(std::string_view bytes) {
  Unpacker unpacker(bytes);
  AnswerKind kind{};
  unpacker(kind);
  return kind;
}

// A weight for each row only where there are weights, a unit only where there are groups.
std::vector<double> values_without_weights(const DrawnRows& drawn) {
  const std::size_t width = drawn.inputs() + 2;
  std::vector<double> values;
  values.reserve(drawn.drawn.size() * (width - 1));
  for (const DrawnRow& row : drawn.drawn) {
    const auto first = drawn.values.begin() + static_cast<std::ptrdiff_t>(row.at);
    values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(width - 1));
  }
  return values;
}

// The lower triangle, column by column.
std::vector<double> triangle(const NormalEquations& sums) {
  std::vector<double> entries;
  entries.reserve(sums.columns() * (sums.columns() + 1) / 2);
  for (std::size_t j = 0; j < sums.columns(); ++j) {
    const auto column = sums.G.col(j).subspan(j);
    entries.insert(entries.end(), column.begin(), column.end());
  }
  return entries;
}

template <typename Answer, typename Read>
std::string merge(std::span<const std::string_view> answers, const Read& read) {
  Answer all = read(answers.front());
  for (const std::string_view answer : answers.subspan(1)) all.merge(read(answer));
  return to_bytes(all);
}

}  // namespace

std::string to_bytes(const DrawnRows& drawn) {
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> units;
  std::vector<double> weights;
  const std::size_t place_of_weight = drawn.inputs() + 1;
  for (const DrawnRow& row : drawn.drawn) {
    numbers.push_back(row.number);
    rows.push_back(row.row);
    if (drawn.grouped) units.push_back(row.unit);
    if (drawn.weighted) weights.push_back(drawn.values[row.at + place_of_weight]);
  }
  Packer packer;
  packer(AnswerKind::drawn, drawn.rows, drawn.weight, drawn.weighted, drawn.grouped, drawn.lowest, drawn.highest,
         drawn.largest, numbers, rows, units, weights, values_without_weights(drawn));
  return packer.take();
}

DrawnRows drawn_from_bytes(std::string_view bytes) {
  Unpacker unpacker = open(bytes, AnswerKind::drawn);
  DrawnRows drawn(0);
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> units;
  std::vector<double> weights;
  std::vector<double> values;
  unpacker(drawn.rows, drawn.weight, drawn.weighted, drawn.grouped, drawn.lowest, drawn.highest, drawn.largest, numbers,
           rows, units, weights, values);
  const std::size_t count = numbers.size();
  const bool fits = !drawn.lowest.empty() && drawn.highest.size() == drawn.lowest.size() && rows.size() == count &&
                    units.size() == (drawn.grouped ? count : 0) && weights.size() == (drawn.weighted ? count : 0) &&
                    values.size() == count * drawn.lowest.size() && unpacker.is_at_end();
  if (!fits) throw DataError("the rows sampled from a partition are damaged.");
  const std::size_t width = drawn.lowest.size();
  for (std::size_t k = 0; k < count; ++k) {
    drawn.drawn.push_back({numbers[k], drawn.grouped ? units[k] : rows[k], rows[k], drawn.values.size()});
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(k * width);
    drawn.values.insert(drawn.values.end(), first, first + static_cast<std::ptrdiff_t>(width));
    drawn.values.push_back(drawn.weighted ? weights[k] : 1.0);
  }
  return drawn;
}

std::string to_bytes(const NormalEquations& sums) {
  Packer packer;
  packer(AnswerKind::sums, sums.rows, sums.weight, sums.target.products, sums.target.squares, triangle(sums));
  return packer.take();
}

NormalEquations sums_from_bytes(std::string_view bytes) {
  Unpacker unpacker = open(bytes, AnswerKind::sums);
  std::size_t rows = 0;
  double weight = 0.0;
  double squares = 0.0;
  std::vector<double> products;
  std::vector<double> entries;
  unpacker(rows, weight, products, squares, entries);
  const std::size_t columns = products.size();
  if (entries.size() != columns * (columns + 1) / 2 || !unpacker.is_at_end()) {
    throw DataError("the statistics of a partition are damaged.");
  }
  NormalEquations sums(columns);
  sums.rows = rows;
  sums.weight = weight;
  sums.target.products = std::move(products);
  sums.target.squares = squares;
  auto next = entries.begin();
  for (std::size_t j = 0; j < columns; ++j) {
    const auto column = sums.G.col(j).subspan(j);
    std::copy_n(next, column.size(), column.begin());
    next += static_cast<std::ptrdiff_t>(column.size());
  }
  return sums;
}

std::string answer_question(std::string_view question, RowBlocks& part, std::size_t first) {
  const Question asked = question_from_bytes(question);
  std::unique_ptr<EncodedBlocks> encoded;
  if (asked.plan) encoded = std::make_unique<EncodedBlocks>(part, *asked.plan);
  RowBlocks& blocks = encoded ? *encoded : part;
  if (asked.draw) return to_bytes(draw_rows(blocks, asked.draw->options, first, asked.draw->largest));
  if (!asked.sum) throw DataError("the request to a partition is empty.");
  const SumQuestion& sum = *asked.sum;
  const auto scaled = [&](const auto& body) { for_each_scaled(blocks, sum.scaling, sum.weight_unit, body); };
  return to_bytes(sum_columns({sum.dictionary, sum.scales}, scaled, {}));
}

std::string merge_answers(std::span<const std::string_view> answers) {
  if (answers.empty()) throw DataError("no replies of partitions were given to merge.");
  return kind_of(answers.front()) == AnswerKind::drawn ? merge<DrawnRows>(answers, drawn_from_bytes)
                                                       : merge<NormalEquations>(answers, sums_from_bytes);
}

}  // namespace shrimp

#include "fit/long_source.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "data/block_views.hpp"
#include "grow/column_sums.hpp"
#include "parts/answer.hpp"
#include "parts/question.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

class SourceInBlocks : public LongSource {
 public:
  explicit SourceInBlocks(RowBlocks& blocks) : blocks_(blocks) {}

  [[nodiscard]] const Dataset& heading() const override { return rows().heading(); }

  void encode(const InputPlan& plan) override { encoded_ = std::make_unique<EncodedBlocks>(blocks_, plan); }

  [[nodiscard]] LongTable sample(const LongTableOptions& options) override { return sample_table(rows(), options); }

  [[nodiscard]] NormalEquations sum_up(const RowUnits& units, const ScaledDictionary& columns,
                                       const SumOptions& options) override {
    const auto scaled = [&](const auto& body) { for_each_scaled(rows(), units.scaling, units.weight, body); };
    return sum_columns(columns, scaled, options);
  }

 private:
  [[nodiscard]] RowBlocks& rows() const { return encoded_ ? *encoded_ : blocks_; }

  RowBlocks& blocks_;
  std::unique_ptr<EncodedBlocks> encoded_;
};

class SourceInParts : public LongSource {
 public:
  explicit SourceInParts(TableParts& parts) : parts_(parts), heading_(parts.heading()) {}

  [[nodiscard]] const Dataset& heading() const override { return heading_; }

  void encode(const InputPlan& plan) override {
    plan_ = plan;
    heading_ = encoded_heading(parts_.heading(), plan);
  }

  // Every part sends rows up to a number that the table has enough of, most likely. Where groups are large, or weights
  // are 0, it may have too few: then up to a larger one.
  [[nodiscard]] LongTable sample(const LongTableOptions& options) override {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    Question question;
    question.plan = plan_;
    question.draw = DrawQuestion{options, number_above(options.most_drawn(), parts_.rows())};
    question.draw->options.check = {};
    for (;;) {
      if (options.check) options.check();
      std::uint64_t& largest = question.draw->largest;
      DrawnRows drawn = drawn_from_bytes(parts_.ask(to_bytes(question)));
      require_all(drawn.rows);
      if (drawn.drawn.size() > options.most_drawn() || largest == all) {
        return share_out(std::move(drawn), heading_, options);
      }
      largest = largest > all / 4 ? all : 4 * largest;
    }
  }

  [[nodiscard]] NormalEquations sum_up(const RowUnits& units, const ScaledDictionary& columns,
                                       const SumOptions& options) override {
    if (options.check) options.check();
    Question question;
    question.plan = plan_;
    question.sum = SumQuestion{units.scaling, units.weight, columns.dictionary, columns.scales};
    NormalEquations sums = sums_from_bytes(parts_.ask(to_bytes(question)));
    require_all(sums.rows);
    if (sums.columns() != 1 + columns.dictionary.columns())
      throw DataError("the partitions returned statistics of different basis functions.");
    return sums;
  }

 private:
  // A part that is made anew for every question has to be the same one.
  void require_all(std::size_t rows) const {
    if (rows == parts_.rows()) return;
    throw DataError(
        fmt::format("the partitions have {} rows in total, but had {} before.\nGive partitions that do not change "
                    "between passes, or persist them in memory.",
                    rows, parts_.rows()));
  }

  TableParts& parts_;
  Dataset heading_;
  std::optional<InputPlan> plan_;
};

}  // namespace

std::unique_ptr<LongSource> source_of(RowBlocks& blocks) { return std::make_unique<SourceInBlocks>(blocks); }

std::unique_ptr<LongSource> source_of(TableParts& parts) { return std::make_unique<SourceInParts>(parts); }

}  // namespace shrimp

#include "parts.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "arrays.hpp"
#include "fit/long_fit.hpp"
#include "given_options.hpp"
#include "kinds.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/parameters.hpp"
#include "shrimp/table_parts.hpp"
#include "threads/threads.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace shrimp::python {
namespace {

using Names = std::vector<std::string>;

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

Dataset heading_of(const Names& inputs, const std::string& target, const std::string& source, const Kinds& kinds) {
  Dataset heading;
  heading.source = source;
  heading.inputs = inputs;
  heading.target = target;
  heading.columns = columns_of_kinds(kinds);
  return heading;
}

// Questions go to Python on the thread that called, as its rows would come.
class AskedParts : public TableParts {
 public:
  AskedParts(Dataset heading, std::size_t rows, const nb::callable& ask, const OnCaller& on_caller)
      : heading_(std::move(heading)), rows_(rows), ask_(ask), on_caller_(on_caller) {}

  [[nodiscard]] const Dataset& heading() const override { return heading_; }
  [[nodiscard]] std::size_t rows() const override { return rows_; }

  [[nodiscard]] std::string ask(const std::string& question) override {
    std::string answer;
    on_caller_([&] { answer = view_of(nb::cast<nb::bytes>(ask_(to_bytes(question)))); });
    return answer;
  }

 private:
  Dataset heading_;
  std::size_t rows_;
  const nb::callable& ask_;
  const OnCaller& on_caller_;
};

FitResult fit_parts(const nb::callable& ask, std::size_t rows, const Names& inputs, const std::string& target,
                    const std::string& source, const Kinds& kinds, const Texts& options, const nb::object& report) {
  auto fit_asked = [heading = heading_of(inputs, target, source, kinds), rows, &ask](
                       const FitOptions& own, const FitObserver& observer, const OnCaller& on_caller) {
    AskedParts parts(heading, rows, ask, on_caller);
    return fit(parts, own, observer);
  };
  return fit_as_given(options, std::move(fit_asked), report);
}

// Rows of arrays, of which one block at a time is copied.
class ArrayBlocks : public RowBlocks {
 public:
  ArrayBlocks(Dataset heading, const Table2D& X, const Numbers& y, const std::optional<Numbers>& weights,
              const std::optional<GroupNumbers>& groups)
      : heading_(std::move(heading)), X_(X), y_(y), weights_(weights), groups_(groups) {}

  [[nodiscard]] const Dataset& heading() const override { return heading_; }

  void for_each(const std::function<void(const Dataset& block)>& body) override {
    const std::size_t rows = y_.shape(0);
    for (std::size_t first = 0; first < rows; first += rows_of_a_block) {
      const std::size_t count = std::min(rows_of_a_block, rows - first);
      Dataset block = heading_;
      block.X = copy_rows(X_, first, count);
      block.y = part_of(y_, first, count);
      if (weights_) block.weights = part_of(*weights_, first, count);
      if (groups_) block.groups.assign(groups_->data() + first, groups_->data() + first + count);
      body(block);
    }
  }

 private:
  static std::vector<double> part_of(const Numbers& all, std::size_t first, std::size_t count) {
    return {all.data() + first, all.data() + first + count};
  }

  Dataset heading_;
  const Table2D& X_;
  const Numbers& y_;
  const std::optional<Numbers>& weights_;
  const std::optional<GroupNumbers>& groups_;
};

nb::bytes answer_part(const nb::bytes& question, const Table2D& X, const Numbers& y,
                      const std::optional<Numbers>& weights, const std::optional<GroupNumbers>& groups,
                      const Names& inputs, const std::string& target, const std::string& source, const Kinds& kinds,
                      std::size_t first, int threads) {
  const bool fits = X.shape(0) == y.shape(0) && X.shape(1) == inputs.size() &&
                    (!weights || weights->shape(0) == y.shape(0)) && (!groups || groups->shape(0) == y.shape(0));
  if (!fits) throw std::invalid_argument("X, y, weights and groups of a part have different numbers of rows.");
  ArrayBlocks blocks(heading_of(inputs, target, source, kinds), X, y, weights, groups);
  std::string answer;
  {
    const Unlocked unlocked;
    const ThreadScope scope(threads);
    answer = answer_question(view_of(question), blocks, first);
  }
  return to_bytes(answer);
}

nb::bytes merge_parts(const std::vector<nb::bytes>& answers) {
  std::vector<std::string_view> views;
  for (const nb::bytes& answer : answers) views.push_back(view_of(answer));
  std::string merged;
  {
    const Unlocked unlocked;
    merged = merge_answers(views);
  }
  return to_bytes(merged);
}

FitOptions own_options(const Texts& texts) {
  const FitOptions given = to_options(texts);
  return options_for_method(given, given.method);
}

}  // namespace

void add_parts(nb::module_& module) {
  module.def("fit_parts", &fit_parts, "ask"_a, "rows"_a, "inputs"_a, "target"_a, "source"_a, "kinds"_a, "options"_a,
             "report"_a.none(), "Fits a table whose parts answer questions: ask(question) merges the answers of all.");
  module.def("answer_part", &answer_part, "question"_a, "X"_a, "y"_a, "weights"_a.none(), "groups"_a.none(), "inputs"_a,
             "target"_a, "source"_a, "kinds"_a, "first"_a, "threads"_a,
             "What a part of a table, from its row `first` on, answers to a question of fit_parts.");
  module.def("merge_answers", &merge_parts, "answers"_a, "Answers to the same question as one.");
  module.def(
      "is_long",
      [](std::size_t rows, std::size_t inputs, const Texts& texts) {
        return is_long(rows, inputs, own_options(texts));
      },
      "rows"_a, "inputs"_a, "options"_a, "Whether a fit looks at a table of so many rows in parts.");
  module.def(
      "fits_in_parts", [](const Texts& texts) { return fits_in_parts(own_options(texts)); }, "options"_a);
}

}  // namespace shrimp::python

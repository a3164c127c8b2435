#include "model/wide_components.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "features/kernel_section.hpp"
#include "model/background.hpp"
#include "model/kernel_factors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_inputs_in_pairs = 40;
constexpr std::size_t most_inputs_in_triples = 16;

using RowValues = std::array<double, TiledRows::size>;  // A number for each row of a block.

// How many inputs, the first ones, are in listed components of one, two and three.
std::array<std::size_t, 3> limits_of(std::size_t inputs) {
  return {inputs, std::min(inputs, most_inputs_in_pairs), std::min(inputs, most_inputs_in_triples)};
}

// Every listed component's inputs, in the order in which BlockSums meets them.
void list_components(std::span<const std::uint32_t> inputs, std::size_t first, Variables& current,
                     std::vector<Variables>& list) {
  for (std::size_t l = first; l < limits_of(inputs.size())[current.size()]; ++l) {
    current.push_back(inputs[l]);
    list.push_back(current);
    std::ranges::sort(list.back());
    if (current.size() < 3) list_components(inputs, l + 1, current, list);
    current.pop_back();
  }
}

// The sums over columns of everything that is asked for, on one block of rows.
class BlockSums {
 public:
  BlockSums(std::size_t inputs, std::size_t components)
      : limits_(limits_of(inputs)), centred_(inputs), after_(inputs + 1), components_(components) {}

  void add_columns(const KernelFactors& factors, std::span<const double> c, std::span<const std::size_t> columns,
                   const double* block) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t l = 0; l < centred_.size(); ++l) factors.centred(l, k, block, centred_[l].data());
      means_ = factors.means(k);
      add_totals(c[columns[k]]);
      add_components(c[columns[k]]);
    }
  }

  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] const RowValues& component(std::size_t u) const { return components_[u]; }
  [[nodiscard]] const RowValues& above_three() const { return above_three_; }

  /// All but the constant and the listed components.
  [[nodiscard]] RowValues rest() const {
    RowValues rest = whole_;
    for (double& value : rest) value -= constant_;
    for (const RowValues& component : components_) {
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= component[i];
    }
    return rest;
  }

 private:
  // E_0 … E_3 and the product itself, input by input.
  void add_totals(double c) {
    double none = c;
    RowValues one{};
    RowValues two{};
    RowValues three{};
    RowValues product;
    product.fill(c);
    for (std::size_t l = 0; l < centred_.size(); ++l) {
      const RowValues& factor = centred_[l];
      const double mean = means_[l];
      for (std::size_t i = 0; i < factor.size(); ++i) {
        three[i] = mean * three[i] + factor[i] * two[i];
        two[i] = mean * two[i] + factor[i] * one[i];
        one[i] = mean * one[i] + factor[i] * none;
        product[i] *= mean + factor[i];
      }
      none *= mean;
    }
    constant_ += none;
    for (std::size_t i = 0; i < product.size(); ++i) {
      whole_[i] += product[i];
      above_three_[i] += product[i] - three[i] - two[i] - one[i] - none;
    }
  }

  void add_components(double c) {
    after_.back() = 1.0;
    for (std::size_t l = means_.size(); l-- > 0;) after_[l] = means_[l] * after_[l + 1];
    RowValues product;
    product.fill(c);
    next_ = 0;
    visit(0, 0, product);
  }

  // Adds the components of u and one input more. u has `size` inputs, all before `first`, and the product is that of
  // the coefficient, the factors of u and the means of the others before `first`.
  void visit(std::size_t first, std::size_t size, const RowValues& product) {
    double skipped = 1.0;
    for (std::size_t l = first; l < limits_[size]; ++l) {
      const RowValues& factor = centred_[l];
      RowValues& sum = components_[next_++];
      if (size == 2) {
        const double weight = skipped * after_[l + 1];
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * (product[i] * factor[i]);
      } else {
        RowValues larger;
        for (std::size_t i = 0; i < sum.size(); ++i) {
          larger[i] = skipped * (product[i] * factor[i]);
          sum[i] += after_[l + 1] * larger[i];
        }
        visit(l + 1, size + 1, larger);
      }
      skipped *= means_[l];
    }
  }

  std::array<std::size_t, 3> limits_;
  std::vector<RowValues> centred_;  // κ − μ of one column, for each input.
  std::vector<double> after_;       // The product of the means from input l on.
  std::vector<RowValues> components_;
  std::span<const double> means_;
  std::size_t next_ = 0;
  double constant_ = 0.0;
  RowValues whole_{};
  RowValues above_three_{};
};

// f − E[f | all inputs but l] on the rows of a block, for every l: (κ_l − μ_l) times the other factors.
std::vector<RowValues> total_parts(const KernelFactors& factors, std::span<const double> c,
                                   std::span<const std::size_t> columns, const double* block) {
  std::vector<RowValues> parts(factors.inputs());
  std::vector<RowValues> centred(factors.inputs());
  std::vector<RowValues> after(factors.inputs() + 1);
  after.back().fill(1.0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto means = factors.means(k);
    for (std::size_t l = centred.size(); l-- > 0;) {
      factors.centred(l, k, block, centred[l].data());
      for (std::size_t i = 0; i < TiledRows::size; ++i) after[l][i] = after[l + 1][i] * (centred[l][i] + means[l]);
    }
    RowValues before;
    before.fill(c[columns[k]]);
    for (std::size_t l = 0; l < centred.size(); ++l) {
      for (std::size_t i = 0; i < TiledRows::size; ++i) {
        parts[l][i] += before[i] * centred[l][i] * after[l + 1][i];
        before[i] *= centred[l][i] + means[l];
      }
    }
  }
  return parts;
}

// The inputs of a support; where not all are in all listed components, those with the largest total effects first. They
// depend on the model alone, so that its terms are the same on any rows.
Variables in_order_of_effect(const Dictionary& dictionary, std::span<const double> c, const Variables& support,
                             std::span<const std::size_t> columns, const std::vector<Marginal>& marginals) {
  if (support.size() <= most_inputs_in_triples) return support;
  const KernelFactors factors(dictionary, support, columns, marginals);
  const TiledRows blocks(background_points(marginals));
  std::vector<std::vector<RowValues>> parts(blocks.count());
  parallel_for(blocks.count(), [&](std::size_t b) { parts[b] = total_parts(factors, c, columns, blocks.block(b)); });
  std::vector<double> effects(support.size(), 0.0);
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    for (std::size_t l = 0; l < support.size(); ++l) {
      for (std::size_t i = 0; i < blocks.rows(b); ++i) effects[l] += parts[b][l][i] * parts[b][l][i];
    }
  }
  std::vector<std::size_t> order(support.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t l) { return effects[l]; });
  Variables inputs;
  for (const std::size_t l : order) inputs.push_back(support[l]);
  return inputs;
}

double* values_of(Components& components, const Variables& variables, std::size_t rows) {
  auto& values = components[variables];
  values.resize(rows, 0.0);
  return values.data();
}

void add_group(const Dictionary& dictionary, std::span<const double> c, const Variables& support,
               std::span<const std::size_t> columns, const std::vector<Marginal>& marginals, const TiledRows& blocks,
               std::size_t rows, Components& components, Components& above_three) {
  const Variables inputs = in_order_of_effect(dictionary, c, support, columns, marginals);
  const KernelFactors factors(dictionary, inputs, columns, marginals);
  std::vector<Variables> list;
  Variables none;
  list_components(inputs, 0, none, list);
  std::vector<double*> listed;
  for (const Variables& variables : list) listed.push_back(values_of(components, variables, rows));
  double* constant = values_of(components, {}, rows);
  double* rest = values_of(components, support, rows);
  double* above = values_of(above_three, support, rows);
  // Every thread has rows of its own and takes all columns in their order.
  parallel_for(blocks.count(), [&](std::size_t b) {
    BlockSums sums(inputs.size(), list.size());
    sums.add_columns(factors, c, columns, blocks.block(b));
    const auto add = [&, first = b * TiledRows::size](const RowValues& values, double* to) {
      for (std::size_t i = 0; i < blocks.rows(b); ++i) to[first + i] += values[i];
    };
    for (std::size_t u = 0; u < list.size(); ++u) add(sums.component(u), listed[u]);
    add(sums.rest(), rest);
    add(sums.above_three(), above);
    RowValues same;
    same.fill(sums.constant());
    add(same, constant);
  });
}

}  // namespace

std::size_t wide_component_count(std::size_t inputs) {
  const auto [singles, pairs, triples] = limits_of(inputs);
  return singles + pairs * (pairs - 1) / 2 + triples * (triples - 1) * (triples - 2) / 6;
}

void add_wide_components(const Dictionary& dictionary, std::span<const double> c, const ColumnGroups& groups,
                         const std::vector<Marginal>& marginals, MatrixView X, Components& components,
                         Components& above_three) {
  if (groups.empty()) return;
  const TiledRows blocks(X);
  for (const auto& [support, columns] : groups) {
    add_group(dictionary, c, support, columns, marginals, blocks, X.rows, components, above_three);
  }
}

}  // namespace shrimp

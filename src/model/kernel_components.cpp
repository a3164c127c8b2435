#include "model/kernel_components.hpp"

#include <algorithm>

#include "features/kernel_section.hpp"
#include "features/supports.hpp"
#include "model/kernel_factors.hpp"
#include "model/wide_components.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_components = 6000;
constexpr std::size_t most_cost_of_a_row = 50'000'000;
constexpr std::size_t wide = TiledRows::size;
constexpr std::size_t narrow = 16;  // Rows at a time, where the sums of more would leave the cache.
constexpr std::size_t most_components_wide = 1000;

std::size_t degree_of(const Dictionary& dictionary, std::size_t inputs) {
  return dictionary.kernel_order == 0 ? inputs : static_cast<std::size_t>(dictionary.kernel_order);
}

// Σ_{1 ≤ l ≤ degree} C(inputs, l), or some number above most_components where it is larger.
std::size_t component_count(std::size_t inputs, std::size_t degree) {
  std::uint64_t count = 0;
  for (std::size_t l = 1; l <= degree && count <= most_components; ++l) {
    count += std::min<std::uint64_t>(binomial(inputs, l), most_components + 1);
  }
  return static_cast<std::size_t>(count);
}

// Every component's inputs, in the order in which Subsets meets them.
void list_subsets(std::span<const std::uint32_t> support, std::size_t degree, std::size_t first, Variables& current,
                  std::vector<Variables>& list) {
  for (std::size_t l = first; l < support.size(); ++l) {
    current.push_back(support[l]);
    list.push_back(current);
    if (current.size() < degree) list_subsets(support, degree, l + 1, current, list);
    current.pop_back();
  }
}

// Walks through the subsets u of a column's support, smaller ones first along every branch, and adds the column's
// component for each on `width` rows.
template <std::size_t width>
class Subsets {
 public:
  Subsets(std::size_t inputs, std::size_t degree, std::size_t components)
      : inputs_(inputs),
        degree_(degree),
        centred_(inputs * width),
        products_((degree + 1) * width),
        skipped_((degree + 1) * (degree + 1)),
        rest_((inputs + 1) * (degree + 1)),
        sums_(components * width) {}

  /// κ_j − μ_j of the next column, on the rows.
  double* centred(std::size_t l) { return &centred_[l * width]; }

  void add(double coefficient, std::span<const double> means) {
    // E_0, E_1, … of the means from input l on: what is left out after the last input of u.
    std::ranges::fill(rest_, 0.0);
    rest_[inputs_ * (degree_ + 1)] = 1.0;
    for (std::size_t l = inputs_; l-- > 0;) {
      double* here = &rest_[l * (degree_ + 1)];
      std::copy_n(here + degree_ + 1, degree_ + 1, here);
      add_input(here, means[l], degree_);
    }
    constant_ += coefficient * rest_[degree_];
    std::fill_n(products_.begin(), width, coefficient);
    std::fill_n(skipped_.begin(), degree_ + 1, 0.0);
    skipped_[0] = 1.0;
    means_ = means;
    next_sum_ = sums_.data();
    visit(0, 0);
  }

  /// What no input changes.
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] const double* sum(std::size_t component) const { return &sums_[component * width]; }

 private:
  // E_k ← E_k + mean·E_{k−1}, up to the given degree.
  static void add_input(double* E, double mean, std::size_t degree) {
    for (std::size_t k = degree; k > 0; --k) E[k] += mean * E[k - 1];
  }

  // u has `size` inputs, all before `first`.
  void visit(std::size_t first, std::size_t size) {
    const double* product = &products_[size * width];
    double* larger = &products_[(size + 1) * width];
    double* skipped = &skipped_[size * (degree_ + 1)];  // E_k of the means of the inputs before l that are not in u.
    const std::size_t missing = degree_ - size - 1;     // With input l in u.
    for (std::size_t l = first; l < inputs_; ++l) {
      const double* factor = centred(l);
      double* sum = next_sum_;
      next_sum_ += width;
      if (missing == 0) {
        for (std::size_t i = 0; i < width; ++i) sum[i] += product[i] * factor[i];
        continue;
      }
      const double* rest = &rest_[(l + 1) * (degree_ + 1)];
      double weight = 0.0;
      for (std::size_t k = 0; k <= missing; ++k) weight += skipped[k] * rest[missing - k];
      for (std::size_t i = 0; i < width; ++i) {
        larger[i] = product[i] * factor[i];
        sum[i] += weight * larger[i];
      }
      std::copy_n(skipped, degree_ + 1, skipped + degree_ + 1);
      visit(l + 1, size + 1);
      add_input(skipped, means_[l], missing);
    }
  }

  std::size_t inputs_;
  std::size_t degree_;
  std::vector<double> centred_;   // Input by row.
  std::vector<double> products_;  // The coefficient times the factors of u, for each size of u.
  std::vector<double> skipped_;   // For each size of u.
  std::vector<double> rest_;
  std::vector<double> sums_;  // Component by row.
  std::span<const double> means_;
  double* next_sum_ = nullptr;
  double constant_ = 0.0;
};

// All columns of one support, and where their components go.
struct KernelGroup {
  std::size_t degree = 0;
  std::span<const std::size_t> columns;
  KernelFactors factors;
  std::vector<double*> components;
};

class KernelDecomposition {
 public:
  KernelDecomposition(const Dictionary& dictionary, std::span<const double> c, const ColumnGroups& groups,
                      const std::vector<Marginal>& marginals, MatrixView X, Components& components)
      : c_(c), blocks_(X) {
    std::vector<double>& constant = components[{}];
    constant.resize(X.rows, 0.0);
    constant_ = constant.data();
    for (const auto& [support, columns] : groups) {
      KernelGroup& group = groups_.emplace_back(degree_of(dictionary, support.size()), columns,
                                                KernelFactors(dictionary, support, columns, marginals));
      std::vector<Variables> subsets;
      Variables none;
      list_subsets(support, group.degree, 0, none, subsets);
      for (const Variables& variables : subsets) {
        auto& values = components[variables];
        values.resize(X.rows, 0.0);
        group.components.push_back(values.data());
      }
      most_components_ = std::max(most_components_, subsets.size());
    }
  }

  void add() const { most_components_ <= most_components_wide ? add_rows<wide>() : add_rows<narrow>(); }

 private:
  // Every thread has rows of its own and takes all columns in their order.
  template <std::size_t width>
  void add_rows() const {
    constexpr std::size_t parts = TiledRows::size / width;
    parallel_for(blocks_.count() * parts, [&](std::size_t task) {
      const std::size_t first = task % parts * width;
      if (first >= blocks_.rows(task / parts)) return;
      for (const KernelGroup& group : groups_) add_group<width>(group, task / parts, first);
    });
  }

  template <std::size_t width>
  void add_group(const KernelGroup& group, std::size_t block, std::size_t first) const {
    Subsets<width> subsets(group.factors.inputs(), group.degree, group.components.size());
    double values[TiledRows::size];
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      for (std::size_t l = 0; l < group.factors.inputs(); ++l) {
        group.factors.centred(l, k, blocks_.block(block), values);
        std::copy_n(values + first, width, subsets.centred(l));
      }
      subsets.add(c_[group.columns[k]], group.factors.means(k));
    }
    const std::size_t count = std::min(width, blocks_.rows(block) - first);
    double* constant = constant_ + block * TiledRows::size + first;
    for (std::size_t i = 0; i < count; ++i) constant[i] += subsets.constant();
    for (std::size_t u = 0; u < group.components.size(); ++u) {
      double* component = group.components[u] + block * TiledRows::size + first;
      for (std::size_t i = 0; i < count; ++i) component[i] += subsets.sum(u)[i];
    }
  }

  std::span<const double> c_;
  TiledRows blocks_;
  double* constant_ = nullptr;
  std::vector<KernelGroup> groups_;
  std::size_t most_components_ = 0;
};

// What a row of a support's columns takes, in multiplications: a component one, and some for each group of rows; an
// exponential, which is taken twice, six.
std::size_t cost_of_a_row(std::size_t columns, std::size_t inputs, std::size_t degree, std::size_t components) {
  return columns * (components * (8 + degree) / 8 + 6 * inputs);
}

// The same of products on many inputs: the sums by order take eight for each input beside its exponential.
std::size_t cost_of_a_wide_row(std::size_t columns, std::size_t inputs) {
  return columns * (wide_component_count(inputs) + 14 * inputs);
}

}  // namespace

KernelGroups kernel_groups(const Dictionary& dictionary) {
  constexpr std::size_t most_inputs_of_all_components = 4;
  KernelGroups groups;
  for (auto& [support, columns] : columns_by_support(dictionary)) {
    std::erase_if(columns, [&](std::size_t k) { return dictionary.functions[k] != Function::kernel; });
    if (columns.empty()) continue;
    const std::size_t inputs = support.size();
    const std::size_t degree = degree_of(dictionary, inputs);
    const bool wide = degree == inputs && inputs > most_inputs_of_all_components;
    const std::size_t components = wide ? wide_component_count(inputs) : component_count(inputs, degree);
    const std::size_t cost =
        wide ? cost_of_a_wide_row(columns.size(), inputs) : cost_of_a_row(columns.size(), inputs, degree, components);
    if (components > most_components || groups.cost_of_a_row + cost > most_cost_of_a_row) continue;
    groups.cost_of_a_row += cost;
    (wide ? groups.wide : groups.all).emplace(support, std::move(columns));
  }
  return groups;
}

void add_kernel_components(const Dictionary& dictionary, std::span<const double> c, const ColumnGroups& groups,
                           const std::vector<Marginal>& marginals, MatrixView X, Components& components) {
  if (groups.empty()) return;
  KernelDecomposition(dictionary, c, groups, marginals, X, components).add();
}

}  // namespace shrimp

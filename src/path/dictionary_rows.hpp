// A of a dictionary: computed anew, a block at a time, whenever it is needed, or stored.
#pragma once

#include <memory>
#include <vector>

#include "path/row_space.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

class DictionaryRows : public RowSpace {
 public:
  /// Rows of X through the dictionary, row i multiplied by factors[i] (no factors: by 1).
  DictionaryRows(std::shared_ptr<const Dictionary> dictionary, Matrix X, std::vector<double> factors)
      : dictionary_(std::move(dictionary)), X_(std::move(X)), factors_(std::move(factors)) {}

  [[nodiscard]] std::size_t rows() const override { return X_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return dictionary_->columns(); }
  [[nodiscard]] std::vector<double> combine(const Columns& P, std::span<const double> c) const override;
  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override;
  void add_gram(Matrix& G, double alpha, const Columns& P) const override;
  [[nodiscard]] Matrix gather(const Columns& P) const override;
  [[nodiscard]] Reduction reduce(std::span<const double> y) const override;

 private:
  std::shared_ptr<const Dictionary> dictionary_;
  Matrix X_;
  std::vector<double> factors_;
};

/// Successive rows of a stored A, which knows what its columns are made of.
class StoredDictionaryRows : public DenseRows {
 public:
  /// X and factors are those of the rows from `first` on.
  StoredDictionaryRows(std::shared_ptr<const Matrix> A, std::size_t first, std::shared_ptr<const Dictionary> dictionary,
                       Matrix X, std::vector<double> factors)
      : DenseRows(std::move(A), first, X.rows()),
        dictionary_(std::move(dictionary)),
        X_(std::move(X)),
        factors_(std::move(factors)) {}

  [[nodiscard]] Reduction reduce(std::span<const double> y) const override;
  [[nodiscard]] Matrix columns_of(const Dictionary& other) const override;

 private:
  std::shared_ptr<const Dictionary> dictionary_;
  Matrix X_;
  std::vector<double> factors_;
};

}  // namespace shrimp

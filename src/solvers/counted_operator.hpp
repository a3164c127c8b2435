// An operator that counts what is asked of it, and refuses once the caller wants to stop.
#pragma once

#include <atomic>

#include "shrimp/errors.hpp"
#include "solvers/linear_operator.hpp"

namespace shrimp {

class CountedOperator : public LinearOperator {
 public:
  CountedOperator(const LinearOperator& A, const std::atomic<bool>* stop) : A_(A), stop_(stop) {}

  [[nodiscard]] std::size_t rows() const override { return A_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return A_.cols(); }
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override {
    check_stop();
    ++products_;
    return A_.multiply(x);
  }
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override {
    check_stop();
    ++products_;
    return A_.multiply_transposed(z);
  }
  [[nodiscard]] Matrix gather(std::span<const std::size_t> which) const override {
    check_stop();
    columns_ += which.size();
    return A_.gather(which);
  }

  /// Throws Interrupted.
  void check_stop() const {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw Interrupted();
  }

  [[nodiscard]] std::size_t products() const { return products_; }  ///< With A and with Aᵀ.
  [[nodiscard]] std::size_t columns_fetched() const { return columns_; }

 private:
  const LinearOperator& A_;
  const std::atomic<bool>* stop_;
  mutable std::size_t products_ = 0;
  mutable std::size_t columns_ = 0;
};

}  // namespace shrimp

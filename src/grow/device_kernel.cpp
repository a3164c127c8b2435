#include "grow/device_kernel.hpp"

#include <cmath>
#include <numeric>

#include "linalg/column_view.hpp"

namespace shrimp {
namespace {

double log_determinant(const std::vector<double>& diagonal_of_factor) {
  double sum = 0.0;
  for (const double value : diagonal_of_factor) sum += 2.0 * std::log(value);
  return sum;
}

}  // namespace

DeviceKernel device_kernel(const KernelShape& shape) {
  DeviceKernel kernel{DeviceLaw::normal, shape.scales, shape.amplitude * shape.amplitude};
  if (shape.law == Law::cauchy) kernel.law = DeviceLaw::cauchy;
  if (shape.law == Law::student_t) kernel.law = DeviceLaw::student_t;
  return kernel;
}

struct DeviceKernelRows::Factored {
  DeviceMatrix kernel;
  DeviceMatrix L;  // Of K.
  DeviceMatrix alpha;
  std::vector<double> noise;  // Of the rows.
};

DeviceKernelRows::DeviceKernelRows(std::shared_ptr<Device> device, const KernelRows& rows)
    : device_(std::move(device)),
      weights_(rows.weights),
      target_(rows.y),
      U_(device_->upload(rows.U)),
      y_(device_->upload(column_of(rows.y))),
      ones_(device_->make(rows.size(), 1)) {
  device_->fill(ones_, 1.0);
  if (!rows.base.empty()) base_ = device_->upload(rows.base);
}

DeviceMatrix DeviceKernelRows::copy_of(const DeviceMatrix& M) const {
  DeviceMatrix result = device_->make(M.rows, M.cols);
  device_->copy(M, result);
  return result;
}

std::optional<DeviceKernelRows::Factored> DeviceKernelRows::factor(const KernelShape& shape) const {
  Factored result;
  result.kernel = device_->make(size(), size());
  device_->evaluate(device_kernel(shape), U_, U_, result.kernel);
  result.L = copy_of(result.kernel);
  device_->add_gram(result.L, 1.0, ones_);
  if (!base_.empty()) device_->add_scaled(result.L, 1.0, base_);
  std::vector<double> diagonal;
  for (std::size_t i = 0; i < size(); ++i) {
    result.noise.push_back(weights_.empty() ? shape.noise : shape.noise / weights_[i]);
    diagonal.push_back(result.noise.back() + evidence_jitter * shape.amplitude * shape.amplitude);
  }
  device_->add_to_diagonal(result.L, device_->upload(column_of(diagonal)));
  if (!device_->factor(result.L, 0.0)) return std::nullopt;
  result.alpha = copy_of(y_);
  device_->solve(result.L, result.alpha);
  return result;
}

std::optional<KernelEvidence> DeviceKernelRows::evidence(const KernelShape& shape) const {
  std::optional<Factored> K = factor(shape);
  if (!K) return std::nullopt;
  const std::vector<double> diagonal = device_->diagonal(K->L);
  const std::vector<double> alpha = entries_of(K->alpha);
  KernelEvidence evidence;
  const double product = std::inner_product(target_.begin(), target_.end(), alpha.begin(), 0.0);
  evidence.value = -0.5 * product - 0.5 * log_determinant(diagonal);
  if (!std::isfinite(evidence.value)) return std::nullopt;
  device_->invert(K->L);
  evidence.slopes = device_->kernel_slopes(device_kernel(shape), U_, K->kernel, K->L, K->alpha);
  for (std::size_t l = 0; l + 1 < evidence.slopes.size(); ++l) evidence.slopes[l] *= 0.5;
  const std::vector<double> inverse = device_->diagonal(K->L);
  double by_noise = 0.0;
  for (std::size_t i = 0; i < size(); ++i) by_noise += (alpha[i] * alpha[i] - inverse[i]) * K->noise[i];
  evidence.slopes.push_back(by_noise);
  return evidence;
}

std::optional<KernelSolution> DeviceKernelRows::solve(const KernelShape& shape, const GroupStarts& starts) const {
  std::optional<Factored> K = factor(shape);
  if (!K) return std::nullopt;
  device_->invert(K->L);
  KernelSolution solution{entries_of(K->alpha), ResidualMaker(size(), 0.0, starts)};
  if (starts) {
    solution.inverse.add(device_->download(K->L));
  } else {
    solution.inverse.add_diagonal(device_->diagonal(K->L));
  }
  return solution;
}

std::vector<double> DeviceKernelRows::entries_of(const DeviceMatrix& x) const {
  const Matrix values = device_->download(x);
  return {values.data(), values.data() + values.rows()};
}

}  // namespace shrimp

#include "path/gram_shelf.hpp"

#include <algorithm>
#include <iterator>

#include "linalg/dense.hpp"

namespace shrimp {
namespace {

Columns difference(const Columns& a, const Columns& b) {
  Columns result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

}  // namespace

void GramShelf::put(const Columns& P, const Matrix& G) {
  const std::size_t bytes = G.rows() * G.cols() * sizeof(double);
  if (used_ + bytes > capacity_) return;
  used_ += bytes;
  entries_.push_back({P, copy_in_parallel(G)});
}

Matrix GramShelf::derive(const RowSpace& M, const Columns& P, const Columns& own_columns, Matrix own) const {
  const Entry* nearest = nullptr;
  std::size_t least = std::min(own_columns.size() - P.size(), P.size());
  for (const Entry& entry : entries_) {
    // No set of this size can be nearer.
    const std::size_t gap = entry.P.size() > P.size() ? entry.P.size() - P.size() : P.size() - entry.P.size();
    if (gap >= least) continue;
    const std::size_t distance =
        gap + 2 * difference(P.size() < entry.P.size() ? P : entry.P, P.size() < entry.P.size() ? entry.P : P).size();
    if (distance >= least) continue;
    least = distance;
    nearest = &entry;
  }
  if (nearest == nullptr) {
    M.downdate(own, P, difference(own_columns, P));
    return own;
  }
  Matrix G = copy_in_parallel(nearest->G);
  M.add_gram(G, -1.0, difference(nearest->P, P));
  M.add_gram(G, 1.0, difference(P, nearest->P));
  return G;
}

}  // namespace shrimp

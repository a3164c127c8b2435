// Supports: the sets of q inputs that features look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "shrimp/features.hpp"

namespace shrimp {

class PhiloxStream;

using Support = std::vector<std::uint32_t>;  // Ascending indices of inputs.

/// All C(d,q) supports in lexicographic order.
std::vector<Support> all_supports(std::size_t d, std::size_t q);

/// `count` distinct supports, uniformly among the C(d,q) ≥ count, in lexicographic order.
std::vector<Support> sample_supports(std::size_t d, std::size_t q, std::size_t count, std::uint64_t seed);

/// A uniform q-subset of {0, …, d − 1}.
Support sample_support(std::size_t d, std::size_t q, PhiloxStream& random);

/// The dictionary's columns by their support, each ascending.
std::map<Support, std::vector<std::size_t>> columns_by_support(const Dictionary& dictionary);

/// A 64-bit name of a support, the same in any dictionary.
std::uint64_t support_id(std::span<const std::uint32_t> support);

}  // namespace shrimp

// Where each of many names is: to look for each among all would take the square of their number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace shrimp {

class NameIndex {
 public:
  /// The names must outlive it. Of equal ones the first counts.
  explicit NameIndex(const std::vector<std::string>& names) {
    places_.reserve(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) places_.emplace(names[k], k);
  }

  [[nodiscard]] bool has(std::string_view name) const { return places_.contains(name); }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

}  // namespace shrimp

// An open file of the system, and what is said where it fails.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "shrimp/errors.hpp"

namespace shrimp {

class Descriptor {
 public:
  explicit Descriptor(int value, bool owned = true) : value_(value), owned_(owned) {}
  ~Descriptor() {
    if (owned_ && value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
  bool owned_;
};

/// `what` is "cannot read" or its like, `error` a value of errno.
[[noreturn]] inline void fail_at_file(const std::string& what, const std::string& name, int error) {
  throw FileError(fmt::format("{} {}: {}.", what, name, std::strerror(error)));
}

}  // namespace shrimp

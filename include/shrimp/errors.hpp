// What can go wrong, by whose hand. Messages say what and where in the first line and the way out
// in the next.
#pragma once

#include <stdexcept>
#include <string>

namespace shrimp {

/// A table or its numbers are bad.
struct DataError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// An option is out of its range, by itself or for these data.
struct OptionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A model file is unreadable, damaged or newer than this program.
struct ModelFileError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A file could not be read or written.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller asked to stop.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace shrimp

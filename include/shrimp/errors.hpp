// Exceptions of the library. The first line of a message states the problem and its location, the next line the fix.
#pragma once

#include <stdexcept>
#include <string>

namespace shrimp {

/// A table or its values are invalid.
struct DataError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// An option is out of range, by itself or for these data.
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

/// The caller requested the end of the computation.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace shrimp

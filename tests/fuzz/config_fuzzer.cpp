// Any text is either parameters, each with a value that can be set or is refused in words, or an OptionError.
#include <cstdint>
#include <string>

#include "config_file.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    shrimp::FitOptions options;
    for (const auto& [name, value] :
         shrimp::cli::parse_config({reinterpret_cast<const char*>(data), size}, "fuzz").values) {
      shrimp::find_parameter(name)->set(options, value);
    }
  } catch (const shrimp::OptionError&) {
    return 0;
  }
  return 0;
}

// Files that a command reads and writes: none of them is overwritten by mistake.
#pragma once

#include <string>
#include <vector>

namespace shrimp::cli {

struct ReadFile {
  std::string what;  ///< For messages, such as "the model".
  std::string path;  ///< "" where there is none, "-" for standard input.
};

struct WrittenFile {
  std::string flag;
  std::string path;  ///< "" where there is none, "-" for standard output.
};

/// Throws OptionError where an output is one of the inputs or another output, or where two inputs are standard input.
/// Files are compared by what they are: links, spellings, redirections and /dev/stdin make no difference. Standard
/// output must not be one of the inputs either. Call it before any work.
void require_separate(const std::vector<ReadFile>& inputs, const std::vector<WrittenFile>& outputs);

}  // namespace shrimp::cli

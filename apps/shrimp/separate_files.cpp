#include "separate_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "data/file.hpp"
#include "shrimp/errors.hpp"

namespace shrimp::cli {
namespace {

// A file that is there by itself; one that is not by its folder and name.
struct Identity {
  dev_t device;
  ino_t inode;
  std::string name;
  bool operator==(const Identity&) const = default;
};

// None where the path names nothing that could be read back: terminals, /dev/null and sockets take what is written.
std::optional<Identity> identity_of(const std::string& path, int standard) {
  struct stat status {};
  const bool is_standard = path == "-";
  if ((is_standard ? ::fstat(standard, &status) : ::stat(path.c_str(), &status)) == 0) {
    if (S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode)) return std::nullopt;
    return Identity{status.st_dev, status.st_ino, ""};
  }
  if (is_standard || path.empty()) return std::nullopt;
  const std::filesystem::path file = written_file(path);
  const std::filesystem::path folder = file.parent_path().empty() ? "." : file.parent_path();
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;  // Writing says what is wrong with it.
  return Identity{status.st_dev, status.st_ino, file.filename().string()};
}

void require_one_standard_input(const std::vector<ReadFile>& inputs) {
  const auto is_standard = [](const ReadFile& input) { return input.path == "-"; };
  const auto first = std::ranges::find_if(inputs, is_standard);
  if (first == inputs.end()) return;
  const auto second = std::find_if(first + 1, inputs.end(), is_standard);
  if (second == inputs.end()) return;
  throw OptionError(
      fmt::format("{} and {} cannot both be standard input.\nName a file for one of them.", first->what, second->what));
}

void require_no_input(const std::string& output, const Identity& own, const std::vector<ReadFile>& inputs,
                      const std::string& remedy) {
  for (const ReadFile& input : inputs) {
    if (identity_of(input.path, STDIN_FILENO) != own) continue;
    throw OptionError(fmt::format("{} would overwrite {}, which is {}.\n{}", output, input.what,
                                  input.path == "-" ? "standard input" : input.path, remedy));
  }
}

}  // namespace

void require_separate(const std::vector<ReadFile>& inputs, const std::vector<WrittenFile>& outputs) {
  require_one_standard_input(inputs);
  if (const auto own = identity_of("-", STDOUT_FILENO)) {
    require_no_input("standard output", *own, inputs, "Send standard output to another file.");
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto& [flag, path] = outputs[k];
    const std::optional<Identity> own = identity_of(path, STDOUT_FILENO);
    if (own)
      require_no_input(fmt::format("{} {}", flag, path), *own, inputs, fmt::format("Give {} another file.", flag));
    for (std::size_t other = 0; other < k; ++other) {
      const bool both_print = path == "-" && outputs[other].path == "-";
      if (!both_print && (!own || identity_of(outputs[other].path, STDOUT_FILENO) != own)) continue;
      throw OptionError(fmt::format("{} {} and {} {} are the same file.\nGive different files.", outputs[other].flag,
                                    outputs[other].path, flag, path));
    }
  }
}

}  // namespace shrimp::cli

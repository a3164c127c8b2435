#include "model/model_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/json_fields.hpp"
#include "model/renamed_keys.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

[[noreturn]] void refuse_other(const std::string& source, std::string_view format, const char* why = "") {
  throw ModelFileError(fmt::format(
      "{} is not a model file{}.\nGive a file that {} wrote.", source, why,
      format == complex_model_format ? "save_model of the C++ library" : "`shrimp fit --output` or Python's `save`"));
}

[[noreturn]] void refuse_format(std::string_view format, const std::string& source) {
  if (format == complex_model_format) {
    throw ModelFileError(
        fmt::format("{} holds a complex model.\nRead it with load_complex_model of the C++ library.", source));
  }
  if (format == class_model_format) {
    throw ModelFileError(
        fmt::format("{} holds a model of several classes.\nRead it with load_class_model of the C++ library, or with "
                    "Python's ShrimpClassifier.load.",
                    source));
  }
  throw ModelFileError(fmt::format("{} holds a model of real numbers.\nRead it with load_model.", source));
}

[[noreturn]] void refuse_damaged(const std::string& source, const std::string& what) {
  throw ModelFileError(fmt::format("{} is damaged: {}.\nFit the model again, or restore the file.", source, what));
}

// The format of a text that is no JSON but begins like that of a model; none elsewhere.
std::string_view remains_of_format(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '{') return {};
  for (const std::string_view format : {real_model_format, complex_model_format, class_model_format}) {
    if (text.find(fmt::format("\"{}\"", format)) != std::string_view::npos) return format;
  }
  return {};
}

// `byte` counts from 1 and is behind the end where the text ends too early.
std::string place_of_damage(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte - 1);
  const auto line = std::ranges::count(before, '\n') + 1;
  if (byte > text.size()) return fmt::format("it is truncated in line {}", line);
  const std::size_t start = before.find_last_of('\n') + 1;  // 0 where there is no line before.
  return fmt::format("line {} is not valid JSON at character {}", line, byte - start);
}

[[noreturn]] void refuse_text(std::string_view text, std::string_view format, const std::string& source,
                              const JsonError& error) {
  if (remains_of_format(text).empty()) refuse_other(source, format);
  refuse_damaged(source, error.byte() ? place_of_damage(text, *error.byte()) : error.what());
}

Json parse(std::string_view text, std::string_view format, const std::string& source) {
  try {
    return parse_json(text);
  } catch (const JsonError& error) {
    refuse_text(text, format, source, error);
  }
}

// More text follows: only what is wrong before the end of the beginning is refused.
void check_beginning(std::string_view beginning, std::string_view format, const std::string& source) {
  if (beginning.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse_other(source, format);
  try {
    static_cast<void>(parse_json(beginning));
  } catch (const JsonError& error) {
    if (!error.byte() || *error.byte() <= beginning.size()) refuse_text(beginning, format, source, error);
  }
}

}  // namespace

std::string model_source(const std::string& path) { return path == "-" ? "standard input" : path; }

FileContent read_model_file(const std::string& path, std::string_view format) {
  constexpr double most = 4.0 * 1024 * 1024 * 1024;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse_other(path, format, " but a folder");
  try {
    const auto check = [&](std::string_view beginning) { check_beginning(beginning, format, model_source(path)); };
    return read_file(path, most, check);
  } catch (const FileError& error) {
    throw ModelFileError(error.what());
  }
}

bool is_class_model(std::string_view text) {
  constexpr std::size_t beginning = 200;  // "format" is the first key.
  return text.substr(0, beginning).find(fmt::format("\"format\": \"{}\"", class_model_format)) !=
         std::string_view::npos;
}

Json parse_model(std::string_view text, std::string_view format, int newest_version, const std::string& source) {
  Json json = parse(text, format, source);
  const auto found = json.find("format");
  const bool is_known = found != json.end() &&
                        (*found == real_model_format || *found == complex_model_format || *found == class_model_format);
  if (!is_known) refuse_other(source, format);
  if (*found != format) refuse_format(found->get<std::string>(), source);
  const Reader reader(json, "", source);
  const std::uint64_t version = reader.count("format_version");
  if (version > static_cast<std::uint64_t>(newest_version)) {
    throw ModelFileError(fmt::format("{} has format version {}, but this program reads up to {}.\nUse a newer Shrimp.",
                                     source, version, newest_version));
  }
  if (version < 1) reader.fail("has a \"format_version\" below 1");
  if (format != class_model_format) rename_keys(json, format, version, source);  // No key was renamed yet.
  return json;
}

}  // namespace shrimp

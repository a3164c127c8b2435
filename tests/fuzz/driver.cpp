// Runs a fuzz target on the files of a folder and on mutations of them: the same ones every time.
//   fuzzer SEEDS RUNS
// An exception that leaves the target fails; the input that did it is named and printed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)), tokens_(interesting_tokens()) {
    if (seeds_.front().starts_with('{')) add_nests();
  }

  /// The mutation of this number: any of the seeds, changed one to four times.
  std::string make(std::uint64_t number) {
    random_.seed(number);
    std::string text = pick(seeds_);
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  static std::vector<std::string> interesting_tokens() {
    std::vector<std::string> tokens = {"1e999",
                                       "-1e999",
                                       "NaN",
                                       "nan",
                                       "inf",
                                       "-1",
                                       "0",
                                       "-0",
                                       "1.5",
                                       "4294967296",
                                       "18446744073709551616",
                                       "99999999999999999999999999",
                                       "5e-324",
                                       "null",
                                       "true",
                                       "{}",
                                       "[]",
                                       "\"\"",
                                       "\"",
                                       "\"\"\"",
                                       "'",
                                       ",",
                                       ";",
                                       "\t",
                                       " ",
                                       "\n",
                                       "\r\n",
                                       "\r",
                                       "\n\n\n",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       ":",
                                       "\\",
                                       "\\u0000",
                                       "\\ud800",
                                       "\xEF\xBB\xBF",
                                       "\xFF\xFE",
                                       "\xED\xA0\x80",
                                       "\xF6",
                                       "+",
                                       "-",
                                       ".",
                                       "e",
                                       "0x10",
                                       "1,5",
                                       "\"a\nb\"",
                                       "cos",
                                       "phase",
                                       "variables"};
    tokens.emplace_back(1, '\0');
    tokens.emplace_back(5000, '[');
    tokens.emplace_back(5000, '"');
    tokens.emplace_back(3000, ',');
    tokens.emplace_back(400, '9');
    return tokens;
  }

  // Of JSON. Well-formed, so that they reach what reads the values. To other readers they are a long word, which takes
  // long to read and shows nothing that 5000 brackets do not.
  void add_nests() {
    std::string nested;
    for (int k = 0; k < 2000; ++k) nested += "{\"a\":";
    tokens_.push_back(nested);
    tokens_.push_back(nested + "0" + std::string(2000, '}'));
    tokens_.push_back(std::string(100'000, '[') + std::string(100'000, ']'));
  }

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random_() % bound); }

  const std::string& pick(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

  // Begin and length of a piece of the text, mostly a short one.
  std::pair<std::size_t, std::size_t> piece(const std::string& text) {
    const std::size_t begin = below(text.size() + 1);
    return {begin, below(std::min<std::size_t>(text.size() - begin, below(8) == 0 ? text.size() : 24) + 1)};
  }

  void change(std::string& text) {
    const auto [begin, length] = piece(text);
    switch (below(8)) {
      case 0:
        text.resize(begin);
        break;
      case 1:
        if (begin < text.size()) text[begin] = static_cast<char>(text[begin] ^ (1 << below(8)));
        break;
      case 2:
        text.insert(begin, text.substr(begin, length));
        break;
      case 3:
        text.erase(begin, length);
        break;
      case 4:
        splice(text, begin);
        break;
      case 5:
        replace_number(text, begin);
        break;
      case 6:
        text.replace(begin, length, pick(tokens_));
        break;
      default:
        text.insert(begin, pick(tokens_));
    }
  }

  // The front of this text and the back of another.
  void splice(std::string& text, std::size_t begin) {
    const std::string& other = pick(seeds_);
    text = text.substr(0, begin) + other.substr(below(other.size() + 1));
  }

  // A token in the place of the next number, so that the text around stays well-formed.
  void replace_number(std::string& text, std::size_t begin) {
    const char* const digits = "0123456789.eE+-";
    const std::size_t first = text.find_first_of("0123456789", begin);
    if (first == std::string::npos) return;
    const std::size_t last = text.find_first_not_of(digits, first);
    text.replace(first, (last == std::string::npos ? text.size() : last) - first, pick(tokens_));
  }

  std::vector<std::string> seeds_;
  std::vector<std::string> tokens_;
  std::mt19937_64 random_;
};

std::vector<std::string> read_folder(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

bool survives(const std::string& text) {
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "an exception left the target: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "something that is no exception left the target\n");
  }
  std::fprintf(stderr, "%.*s\n", static_cast<int>(std::min<std::size_t>(text.size(), 4000)), text.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SEEDS RUNS\n", argv[0]);
    return 2;
  }
  std::vector<std::string> seeds = read_folder(argv[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "%s holds no seeds\n", argv[1]);
    return 2;
  }
  int failures = survives("") ? 0 : 1;
  for (const std::string& seed : seeds) failures += survives(seed) ? 0 : 1;
  Mutator mutator(std::move(seeds));
  const std::uint64_t runs = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t number = 0; number < runs && failures < 5; ++number) {
    if (survives(mutator.make(number))) continue;
    std::fprintf(stderr, "(mutation %llu)\n", static_cast<unsigned long long>(number));
    ++failures;
  }
  return failures == 0 ? 0 : 1;
}

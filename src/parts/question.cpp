#include "parts/question.hpp"

#include <fmt/format.h>

#include "parts/archive.hpp"
#include "parts/fields.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/version.hpp"

namespace shrimp {

template <typename Archive>
void fields(Archive& archive, Of<DrawQuestion> auto& draw) {
  archive(draw.options, draw.largest);
}

template <typename Archive>
void fields(Archive& archive, Of<SumQuestion> auto& sum) {
  archive(sum.scaling, sum.weight_unit, sum.dictionary, sum.scales);
}

std::string to_bytes(const Question& question) {
  Packer packer;
  packer(std::string(version), question.plan, question.draw, question.sum);
  return packer.take();
}

Question question_from_bytes(std::string_view bytes) {
  Unpacker unpacker(bytes);
  std::string asked_by;
  unpacker(asked_by);
  if (asked_by != version) {
    throw DataError(fmt::format(
        "the fit runs Shrimp {}, but a partition is read by Shrimp {}.\nInstall the same version on all machines.",
        asked_by, version));
  }
  Question question;
  unpacker(question.plan, question.draw, question.sum);
  if (!unpacker.is_at_end()) throw DataError("a request to a partition has data behind its end.");
  return question;
}

}  // namespace shrimp

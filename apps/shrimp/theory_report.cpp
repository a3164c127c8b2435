#include "theory_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "commands.hpp"
#include "data/file.hpp"
#include "summary.hpp"

namespace shrimp::cli {
namespace {

std::string constants_text(const std::vector<TheoryConstant>& constants) {
  std::size_t width = 0;
  for (const TheoryConstant& constant : constants) width = std::max(width, constant.name.size());
  std::string text;
  for (const auto& [name, value, meaning] : constants) {
    text += fmt::format("  {:<{}}  {:<12.6g}  {}\n", name, width, value, meaning);
  }
  return text;
}

std::string to_text(const TheoryReport& report) {
  std::string text = report.statement + "\n" + constants_text(report.headline);
  if (!report.note.empty()) text += fmt::format("\nnote: {}\n", report.note);
  if (!report.details.conditions.empty()) text += "\nconditions\n";
  for (const TheoryCondition& condition : report.details.conditions) {
    text +=
        fmt::format("  {}  {}: required {} {:.6g}, given {:.6g}\n         {}\n", condition.holds ? "holds" : "FAILS",
                    condition.name, condition.relation, condition.required, condition.given, condition.formula);
  }
  return text + "\nconstants\n" + constants_text(report.details.constants);
}

std::string to_json(const TheoryReport& report) {
  Json json = Json::object();
  json["schema_version"] = schema_version;
  json["statement"] = report.statement;
  json["holds"] = report.details.holds();
  for (const TheoryConstant& constant : report.headline) json[constant.name] = number_json(constant.value);
  if (!report.note.empty()) json["note"] = report.note;
  json["conditions"] = Json::array();
  for (const TheoryCondition& condition : report.details.conditions) {
    json["conditions"].push_back({{"name", condition.name},
                                  {"formula", condition.formula},
                                  {"relation", condition.relation},
                                  {"required", number_json(condition.required)},
                                  {"given", number_json(condition.given)},
                                  {"holds", condition.holds}});
  }
  json["constants"] = Json::object();
  for (const TheoryConstant& constant : report.details.constants) {
    json["constants"][constant.name] = number_json(constant.value);
  }
  return json.dump(1) + "\n";
}

}  // namespace

void show(const TheoryReport& report, bool json) {
  write_file("-", json ? to_json(report) : to_text(report));
  if (report.details.holds()) return;
  throw std::runtime_error("the statement does not apply, because a condition does not hold.\n" +
                           report.details.unmet());
}

}  // namespace shrimp::cli

#include "model/form_fields.hpp"

#include <algorithm>

#include "data/target_form.hpp"
#include "data/warp.hpp"

namespace shrimp {
namespace {

Json warp_to_json(const Warp& warp) {
  Json json = Json::object();
  json["type"] = name_of(warp.kind);
  if (warp.negative) json["negative"] = true;
  if (warp.kind == Warp::Kind::rank) {
    json["values"] = warp.values;
    json["ranks"] = warp.ranks;
  }
  return json;
}

template <class Kind>
Kind read_kind(const Reader& reader, const char* key, std::initializer_list<Kind> kinds) {
  const std::string name = reader.text(key);
  const auto found = std::ranges::find_if(kinds, [&](Kind kind) { return name_of(kind) == name; });
  if (found == kinds.end()) reader.fail(fmt::format("has a \"{}\" that this program does not know: {}", key, name));
  return *found;
}

bool ascends(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end();
}

void read_knots(const Reader& reader, Warp& warp) {
  warp.values = reader.numbers("values");
  warp.ranks = reader.numbers("ranks");
  if (warp.values.size() < 2) reader.fail("has fewer than two values");
  if (warp.ranks.size() != warp.values.size()) reader.fail("has another number of ranks than values");
  if (!ascends(warp.values)) reader.fail("has \"values\" that do not ascend");
  if (!ascends(warp.ranks)) reader.fail("has \"ranks\" that do not ascend");
  if (!(warp.ranks.front() > 0.0 && warp.ranks.back() < 1.0)) reader.fail("has \"ranks\" that are not between 0 and 1");
}

Warp read_warp(const Reader& reader) {
  Warp warp;
  warp.kind = read_kind(reader, "type", {Warp::Kind::none, Warp::Kind::log, Warp::Kind::rank});
  if (warp.kind == Warp::Kind::log) warp.negative = reader.flag("negative");
  if (warp.kind == Warp::Kind::rank) read_knots(reader, warp);
  return warp;
}

void check_limits(const Reader& reader, const Scaling& scaling, std::size_t j) {
  const Warp& warp = scaling.input_warps[j];
  if (warp.kind != Warp::Kind::log || scaling.input_lowest.empty()) return;
  const bool on_its_side = warp.negative ? scaling.input_highest[j] < 0.0 : scaling.input_lowest[j] > 0.0;
  if (!on_its_side) reader.fail("is a logarithm, but the limits of its input reach zero");
}

void read_warps(const Reader& reader, Scaling& scaling) {
  const Json& warps = reader.array("input_transforms");
  if (warps.size() != scaling.input_mean.size()) reader.fail("has another number of transforms than there are inputs");
  for (std::size_t j = 0; j < warps.size(); ++j) {
    const Reader own = reader.item(warps[j], fmt::format("transform {}", j));
    scaling.input_warps.push_back(read_warp(own));
    check_limits(own, scaling, j);
  }
}

void read_target_form(const Reader& reader, Scaling& scaling) {
  scaling.target_form = read_kind(reader, "target_transform",
                                  {TargetForm::identity, TargetForm::log, TargetForm::sqrt, TargetForm::logit});
  if (scaling.target_form == TargetForm::identity || scaling.target_form == TargetForm::logit) return;
  scaling.target_correction = reader.number("target_correction");
  const double correction = scaling.target_correction;
  if (scaling.target_form == TargetForm::log && !(correction > 0.0)) {
    reader.fail("has a target_correction that is not positive");
  }
  if (!(correction >= 0.0)) reader.fail("has a target_correction below zero");
}

}  // namespace

void add_forms(Json& json, const Scaling& scaling) {
  if (!scaling.input_warps.empty()) json["input_transforms"] = Json::array();
  for (const Warp& warp : scaling.input_warps) json["input_transforms"].push_back(warp_to_json(warp));
  if (scaling.target_form == TargetForm::identity) return;
  json["target_transform"] = name_of(scaling.target_form);
  if (scaling.target_form == TargetForm::logit) return;
  json["target_correction"] = scaling.target_correction;
}

void read_forms(const Reader& reader, Scaling& scaling) {
  if (reader.has("input_transforms")) read_warps(reader, scaling);
  if (reader.has("target_transform")) read_target_form(reader, scaling);
}

}  // namespace shrimp

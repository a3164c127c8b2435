#include "model/json_fields.hpp"

#include "model/form_fields.hpp"

namespace shrimp {

void append_list(std::string& text, const char* name, const std::vector<Json>& items) {
  text += fmt::format(",\n \"{}\": [", name);
  for (std::size_t k = 0; k < items.size(); ++k) text += (k == 0 ? "\n  " : ",\n  ") + items[k].dump();
  text += items.empty() ? "]" : "\n ]";
}

Json scaling_to_json(const Scaling& scaling) {
  Json json = Json::object();
  json["input_mean"] = scaling.input_mean;
  json["input_scale"] = scaling.input_scale;
  json["target_mean"] = scaling.target_mean;
  json["target_scale"] = scaling.target_scale;
  if (!scaling.input_lowest.empty()) {
    json["input_lowest"] = scaling.input_lowest;
    json["input_highest"] = scaling.input_highest;
  }
  if (scaling.target_lowest) {
    json["target_lowest"] = *scaling.target_lowest;
    json["target_highest"] = *scaling.target_highest;
  }
  add_forms(json, scaling);
  return json;
}

Scaling read_scaling(const Reader& reader, std::size_t inputs) {
  Scaling scaling;
  scaling.input_mean = reader.numbers("input_mean");
  scaling.input_scale = reader.numbers("input_scale");
  scaling.target_mean = reader.number("target_mean");
  scaling.target_scale = reader.number("target_scale");
  if (scaling.input_mean.size() != inputs || scaling.input_scale.size() != inputs) {
    reader.fail("has a number of entries that differs from the number of inputs");
  }
  for (const double scale : scaling.input_scale) {
    if (!(scale > 0.0)) reader.fail("has an input_scale that is not positive");
  }
  if (reader.has("input_lowest") || reader.has("input_highest")) {
    scaling.input_lowest = reader.numbers("input_lowest");
    scaling.input_highest = reader.numbers("input_highest");
    if (scaling.input_lowest.size() != inputs || scaling.input_highest.size() != inputs) {
      reader.fail("has a number of limits that differs from the number of inputs");
    }
    for (std::size_t j = 0; j < inputs; ++j) {
      if (!(scaling.input_lowest[j] <= scaling.input_highest[j])) reader.fail("has limits in the wrong order");
    }
  }
  if (reader.has("target_lowest") || reader.has("target_highest")) {
    scaling.target_lowest = reader.number("target_lowest");
    scaling.target_highest = reader.number("target_highest");
    if (!(*scaling.target_lowest <= *scaling.target_highest)) reader.fail("has limits in the wrong order");
  }
  if (!(scaling.target_scale > 0.0)) reader.fail("has a target_scale that is not positive");
  read_forms(reader, scaling);
  return scaling;
}

std::map<std::string, std::string> read_options(const Reader& reader, const char* name) {
  const Reader object = reader.object(name);
  std::map<std::string, std::string> options;
  for (const auto& [key, value] : object.json().items()) options[key] = object.text_of(value, key);
  return options;
}

std::map<std::string, double> read_results(const Reader& reader) {
  const Reader object = reader.object("results");
  std::map<std::string, double> results;
  for (const auto& [key, value] : object.json().items()) results[key] = object.number_of(value, key);
  return results;
}

}  // namespace shrimp

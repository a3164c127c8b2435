#include "data/json.hpp"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace shrimp {

Json parse_json(std::string_view text) { return Json::parse(text); }

Json parse_json_or_discard(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace shrimp

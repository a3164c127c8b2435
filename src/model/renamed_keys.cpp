#include "model/renamed_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/json_fields.hpp"
#include "model/model_text.hpp"

namespace shrimp {
namespace {

constexpr RenamedKey top_keys[] = {{"kernel_law", "kernel"}};
constexpr RenamedKey term_keys[] = {{"columns", "basis_functions"}, {"share", "fraction"}, {"chance", "p_value"}};
constexpr RenamedKey column_keys[] = {{"kind", "type"}};
constexpr RenamedKey transform_keys[] = {{"kind", "type"}};
constexpr RenamedKey scaling_keys[] = {{"input_warps", "input_transforms"}, {"target_form", "target_transform"}};
constexpr RenamedKey uncertainty_keys[] = {{"spread", "prediction_standard_deviation"}};
constexpr RenamedKey option_keys[] = {
    {"forms", "transform"}, {"target-form", "target-transform"}, {"law", "frequency-distribution"}};
constexpr RenamedKey result_keys[] = {
    {"columns_drawn", "basis_functions_drawn"},          {"share_above_three", "fraction_above_order_three"},
    {"covariance_share", "covariance_fraction"},         {"form_train_mse", "transformed_train_mse"},
    {"form_train_r2", "transformed_train_r2"},           {"form_validation_mse", "transformed_validation_mse"},
    {"form_validation_se", "transformed_validation_se"}, {"form_validation_r2", "transformed_validation_r2"}};
constexpr RenamedKey kernels[] = {{"student-t", "matern-3/2"}, {"cauchy", "laplacian"}};

class Renaming {
 public:
  Renaming(std::uint64_t version, std::uint64_t renamed_in, const std::string& source)
      : is_old_(version < renamed_in), renamed_in_(renamed_in), source_(source) {}

  // Readers refuse what is not an object.
  void object(Json* json, std::span<const RenamedKey> keys, const std::string& place) const {
    if (json == nullptr || !json->is_object()) return;
    refuse_keys_of_other_versions(*json, keys, place);
    const auto is_renamed = [&](const RenamedKey& key) { return json->contains(key.before); };
    if (is_old_ && std::ranges::any_of(keys, is_renamed)) *json = renamed(*json, keys);
  }

  void list(Json* json, std::span<const RenamedKey> keys, const char* item) const {
    if (json == nullptr || !json->is_array()) return;
    for (std::size_t k = 0; k < json->size(); ++k) object(&(*json)[k], keys, fmt::format("{} {}", item, k));
  }

  // Values that the reader does not know stay as they are, and are refused there.
  void value(Json* json, std::span<const RenamedKey> values, const std::string& place) const {
    if (!is_old_ || json == nullptr || !json->is_string()) return;
    for (const RenamedKey& own : values) {
      if (*json == own.now) fail(place, fmt::format("is \"{}\", which is a name of later versions", own.now));
    }
    for (const RenamedKey& own : values) {
      if (*json == own.before) {
        *json = own.now;
        return;
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    Reader(Json::object(), place, source_).fail(what);
  }

  void refuse_keys_of_other_versions(const Json& json, std::span<const RenamedKey> keys,
                                     const std::string& place) const {
    for (const RenamedKey& key : keys) {
      const std::string_view wrong = is_old_ ? key.now : key.before;
      if (!json.contains(wrong)) continue;
      fail(place, fmt::format("has \"{}\", which a \"format_version\" {} {} calls \"{}\"", wrong,
                              is_old_ ? "below" : "of at least", renamed_in_, is_old_ ? key.before : key.now));
    }
  }

  // With all keys in their order.
  static Json renamed(Json& json, std::span<const RenamedKey> keys) {
    Json result = Json::object();
    auto& entries = result.get_ref<Json::object_t&>();
    entries.reserve(json.size());
    for (auto& [name, value] : json.get_ref<Json::object_t&>()) {
      const auto key = std::ranges::find(keys, std::string_view(name), &RenamedKey::before);
      entries.emplace_back(key == keys.end() ? name : std::string(key->now), std::move(value));
    }
    return result;
  }

  bool is_old_;
  std::uint64_t renamed_in_;
  const std::string& source_;
};

Json* find(Json* json, const char* key) {
  if (json == nullptr || !json->is_object()) return nullptr;
  const auto found = json->find(key);
  return found == json->end() ? nullptr : &*found;
}

void rename_options(const Renaming& renaming, Json& json) {
  renaming.object(find(&json, "options"), option_keys, "\"options\"");
  renaming.object(find(&json, "given"), option_keys, "\"given\"");
}

}  // namespace

std::span<const RenamedKey> renamed_options() { return option_keys; }

void rename_keys(Json& json, std::string_view format, std::uint64_t version, const std::string& source) {
  if (format == complex_model_format) return rename_options(Renaming(version, 2, source), json);
  const Renaming renaming(version, 6, source);
  rename_options(renaming, json);
  renaming.object(find(&json, "results"), result_keys, "\"results\"");
  renaming.object(&json, top_keys, "");
  renaming.value(find(&json, "kernel"), kernels, "\"kernel\"");
  renaming.object(find(&json, "scaling"), scaling_keys, "\"scaling\"");
  renaming.list(find(find(&json, "scaling"), "input_transforms"), transform_keys, "transform");
  renaming.list(find(&json, "columns"), column_keys, "column");
  renaming.object(find(&json, "uncertainty"), uncertainty_keys, "\"uncertainty\"");
  renaming.list(find(&json, "terms"), term_keys, "term");
}

}  // namespace shrimp

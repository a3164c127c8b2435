#include "data/dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace shrimp {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

// So many digits from the front; −1 where there are others.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// Negative where hours and minutes are no time of day.
double seconds_of(int hours, int minutes) {
  const bool is_time = hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60;
  return is_time ? hours * 3600.0 + minutes * 60.0 : -1.0;
}

// The seconds that a zone is ahead of UTC; false where the text names no zone.
bool parse_zone(std::string_view text, double& ahead) {
  ahead = 0.0;
  if (text.empty() || text == "Z") return true;
  if (text.front() == ' ') text.remove_prefix(1);
  const double sign = take(text, '-') ? -1.0 : 1.0;
  if (sign > 0.0 && !take(text, '+')) return false;
  const int hours = take_digits(text, 2);
  const bool is_whole_hours = text.empty();
  if (!is_whole_hours) take(text, ':');
  ahead = seconds_of(hours, is_whole_hours ? 0 : take_digits(text, 2));
  if (ahead < 0.0 || !text.empty()) return false;
  ahead *= sign;
  return true;
}

// The fraction of the day that has passed in UTC: below 0, or 1 and more, where the zone is in another day.
bool parse_time(std::string_view text, double& fraction) {
  const int hours = take_digits(text, 2);
  if (!take(text, ':')) return false;
  const double start_of_minute = seconds_of(hours, take_digits(text, 2));
  if (start_of_minute < 0.0) return false;
  double seconds = 0.0;
  if (take(text, ':')) {
    const int whole = take_digits(text, 2);
    if (whole < 0 || whole > 60) return false;
    seconds = whole;
    if (take(text, '.')) {
      double unit = 0.1;
      for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; unit *= 0.1) {
        seconds += unit * (text.front() - '0');
        text.remove_prefix(1);
      }
    }
  }
  double ahead = 0.0;
  if (!parse_zone(text, ahead)) return false;
  fraction = (start_of_minute + seconds - ahead) / 86400.0;
  return true;
}

year_month_day calendar(double days) { return sys_days(std::chrono::days(static_cast<int>(std::floor(days)))); }

}  // namespace

bool parse_date(std::string_view text, double& days) {
  const int year = take_digits(text, 4);
  if (year < 0 || !take(text, '-')) return false;
  const int month = take_digits(text, 2);
  if (month < 0 || !take(text, '-')) return false;
  const int day = take_digits(text, 2);
  if (day < 0) return false;
  const year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return false;
  double share = 0.0;
  if (!text.empty()) {
    if (!take(text, 'T') && !take(text, ' ')) return false;
    if (!parse_time(text, share)) return false;
  }
  days = static_cast<double>(sys_days(date).time_since_epoch().count()) + share;
  return true;
}

bool looks_like_date(std::string_view text) {
  std::array<std::string_view, 3> parts;
  char separator = '\0';
  for (std::string_view& part : parts) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const auto end = std::ranges::find_if_not(text, is_part);
    part = {text.begin(), end};
    text = {end, text.end()};
    if (&part == &parts.back()) break;
    if (text.empty() || std::string_view("/.-").find(text.front()) == std::string_view::npos) return false;
    if (separator != '\0' && text.front() != separator) return false;
    separator = text.front();
    text.remove_prefix(1);
  }
  const auto is_number = [](std::string_view part, std::size_t least, std::size_t most) {
    const bool digits = std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    return digits && part.size() >= least && part.size() <= most;
  };
  const bool is_month = is_number(parts[1], 1, 2) || (parts[1].size() >= 3 && parts[1].size() <= 9);
  const bool year_first = is_number(parts[0], 4, 4) && is_number(parts[2].substr(0, parts[2].find('T')), 1, 2);
  const bool year_last = is_number(parts[0], 1, 2) && is_number(parts[2], 4, 4);
  return is_month && (year_first || year_last) && (text.empty() || text.front() == ' ' || text.front() == ':');
}

double day_of_week(double days) {
  constexpr double thursday = 3.0;  // 1970-01-01.
  const double shifted = std::floor(days) + thursday;
  return shifted - 7.0 * std::floor(shifted / 7.0);
}

double day_of_year(double days) {
  const year_month_day first(calendar(days).year(), std::chrono::January, std::chrono::day(1));
  return std::floor(days) - static_cast<double>(sys_days(first).time_since_epoch().count()) + 1.0;
}

std::string date_text(double days) {
  const year_month_day date = calendar(days);
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const long seconds = std::lround((days - std::floor(days)) * 86400.0);
  if (seconds > 0) text += fmt::format(" {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return text;
}

}  // namespace shrimp

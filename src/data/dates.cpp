#include "data/dates.hpp"

#include <fmt/format.h>

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

// The share of the day that has passed.
bool parse_time(std::string_view text, double& share) {
  const int hours = take_digits(text, 2);
  if (!take(text, ':')) return false;
  const int minutes = take_digits(text, 2);
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
  take(text, 'Z');
  share = (hours * 3600.0 + minutes * 60.0 + seconds) / 86400.0;
  return text.empty() && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60;
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

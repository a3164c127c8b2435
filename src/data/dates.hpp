// ISO dates as days, and what a day is in its week and year.
#pragma once

#include <string>
#include <string_view>

namespace shrimp {

/// Days since 1970-01-01 of YYYY-MM-DD, also with a time after T or a space: hh:mm or hh:mm:ss, with a fraction of the
/// second or without, and behind it nothing, Z or an offset from UTC (+hh:mm, +hhmm or +hh), which is subtracted: days
/// are those of UTC. False if the text is no such date.
bool parse_date(std::string_view text, double& days);

/// Whether a text looks like a date in another notation than parse_date takes, such as 01/03/2024 or 2024-3-1.
bool looks_like_date(std::string_view text);

/// 0 for Monday.
double day_of_week(double days);
/// 1 for January 1.
double day_of_year(double days);

/// YYYY-MM-DD, and the time of day where there is one.
std::string date_text(double days);

}  // namespace shrimp

// What every page of the report has: its style sheet and its script.
#pragma once

namespace shrimp::report {

extern const char* const page_style;
extern const char* const page_script;

}  // namespace shrimp::report

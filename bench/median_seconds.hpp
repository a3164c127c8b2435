// How long something takes: the median of an odd number of runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

template <typename Body>
double median_seconds(int runs, const Body& body) {
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    body();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

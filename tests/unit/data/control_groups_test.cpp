#include "data/control_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace shrimp {
namespace control_groups_test {

/// A folder in which control groups are as a test says.
class ControlGroups : public testing::Test {
 protected:
  ControlGroups() { std::filesystem::remove_all(root_); }
  ~ControlGroups() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  [[nodiscard]] double left() const { return control_group_memory(root_ / "membership", root_ / "groups"); }

  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) / "control_groups";
};

TEST_F(ControlGroups, WithoutAnyNothingIsLimited) { EXPECT_TRUE(std::isinf(left())); }

TEST_F(ControlGroups, OfVersion2LimitTheGroupsInsideThem) {
  write("membership", "0::/service/worker\n");
  write("groups/service/memory.max", "1000\n");
  write("groups/service/memory.current", "300\n");
  write("groups/service/worker/memory.max", "max\n");
  write("groups/service/worker/memory.current", "200\n");
  EXPECT_EQ(left(), 700.0);
  write("groups/service/worker/memory.high", "600\n");
  EXPECT_EQ(left(), 400.0);
}

TEST_F(ControlGroups, DoNotCountPageCacheAsUsed) {
  write("membership", "0::/\n");
  write("groups/memory.max", "1000\n");
  write("groups/memory.current", "900\n");
  write("groups/memory.stat", "anon 150\nfile 750\nactive_file 250\ninactive_file 450\n");
  EXPECT_EQ(left(), 800.0);
}

TEST_F(ControlGroups, OfVersion1AreSeenBesideOthers) {
  write("membership", "5:devices:/\n4:cpu,memory:/docker/abc\n0::/\n");
  write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("groups/memory/memory.usage_in_bytes", "5000\n");
  write("groups/memory/docker/abc/memory.limit_in_bytes", "2000\n");
  write("groups/memory/docker/abc/memory.usage_in_bytes", "1500\n");
  write("groups/memory/docker/abc/memory.stat", "inactive_file 1\ntotal_inactive_file 600\ntotal_active_file 100\n");
  EXPECT_EQ(left(), 1200.0);
}

TEST_F(ControlGroups, WhoseFoldersAreHiddenFromAContainerAreSeenAtItsRoot) {
  write("membership", "4:memory:/docker/abc\n");
  write("groups/memory/memory.limit_in_bytes", "2000\n");
  write("groups/memory/memory.usage_in_bytes", "500\n");
  EXPECT_EQ(left(), 1500.0);
}

TEST_F(ControlGroups, ThatUseMoreThanTheirLimitLeaveNothing) {
  write("membership", "0::/\n");
  write("groups/memory.max", "1000\n");
  write("groups/memory.current", "1200\n");
  EXPECT_EQ(left(), 0.0);
}

}  // namespace control_groups_test
}  // namespace shrimp

#include "data/grouped_rows.hpp"

#include <gtest/gtest.h>

namespace shrimp {
namespace grouped_rows_test {

TEST(GroupOrder, PutsRowsOfAGroupBesideEachOtherInTheirOrder) {
  const std::vector<std::uint32_t> groups{7, 2, 7, 2, 5};
  const GroupOrder grouped(groups);
  EXPECT_EQ(grouped.order, (std::vector<std::size_t>{1, 3, 4, 0, 2}));
  ASSERT_TRUE(grouped.starts);
  EXPECT_EQ(*grouped.starts, (std::vector<std::size_t>{0, 2, 3, 5}));
}

TEST(GroupOrder, PutsValuesBackInTheOrderOfTheRows) {
  const std::vector<std::uint32_t> groups{7, 2, 7, 2, 5};
  const GroupOrder grouped(groups);
  const std::vector<double> values{0.0, 1.0, 2.0, 3.0, 4.0};
  std::vector<double> sorted;
  for (const std::size_t i : grouped.order) sorted.push_back(values[i]);
  grouped.put_back(sorted);
  EXPECT_EQ(sorted, values);
  std::vector<double> nothing;
  grouped.put_back(nothing);
  EXPECT_TRUE(nothing.empty());
}

TEST(GroupOrder, OfRowsWithoutGroupsChangesNothing) {
  const GroupOrder grouped({});
  EXPECT_TRUE(grouped.order.empty());
  EXPECT_FALSE(grouped.starts);
  std::vector<double> values{3.0, 1.0, 2.0};
  grouped.put_back(values);
  EXPECT_EQ(values, (std::vector<double>{3.0, 1.0, 2.0}));
}

}  // namespace grouped_rows_test
}  // namespace shrimp

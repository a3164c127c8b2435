#include "features/normal_quantile.hpp"

#include "support.hpp"

namespace shrimp {
namespace normal_quantile_test {

// Reference values: scipy.special.ndtri (Cephes).
TEST(NormalQuantile, AgreesWithSciPy) {
  constexpr std::pair<double, double> references[] = {
      {1e-300, -37.0470962993612},  {1e-100, -21.273453560965322}, {1e-50, -14.933337534788487},
      {1e-16, -8.222082216130435},  {1.5e-11, -6.646570887477113}, {1e-10, -6.361340902404056},
      {1e-5, -4.264890793922825},   {1e-3, -3.090232306167813},    {0.01, -2.3263478740408408},
      {0.075, -1.4395314709384563}, {0.1, -1.2815515655446004},    {0.25, -0.6744897501960817},
      {0.75, 0.6744897501960817},   {0.9, 1.2815515655446004},     {0.925, 1.4395314709384563},
      {0.975, 1.959963984540054},   {0.99999, 4.264890793923841},
  };
  for (const auto& [p, quantile] : references) {
    EXPECT_NEAR(normal_quantile(p), quantile, 1e-15 * std::abs(quantile)) << "p = " << p;
  }
}

TEST(NormalQuantile, IsZeroAtOneHalf) { EXPECT_EQ(normal_quantile(0.5), 0.0); }

TEST(NormalQuantile, IsOddAroundOneHalf) {
  for (int k = 1; k < 512; ++k) {
    const double p = k / 1024.0;  // Exact, and so is 1 − p.
    EXPECT_EQ(normal_quantile(p), -normal_quantile(1.0 - p)) << "p = " << p;
  }
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (int k = 1; k < 1000; ++k) {
    const double p = k / 1000.0;
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p, 1e-15) << "p = " << p;
  }
}

TEST(NormalQuantile, RisesAcrossTheSeamsOfItsPieces) {
  for (const double seam : {0.075, 0.925, std::exp(-25.0), 1.0 - 0x1p-52}) {
    const double h = seam * 1e-14;
    EXPECT_LE(normal_quantile(seam - h), normal_quantile(seam)) << "seam at " << seam;
    if (seam + h < 1.0) {
      EXPECT_LE(normal_quantile(seam), normal_quantile(seam + h)) << "seam at " << seam;
    }
  }
}

}  // namespace normal_quantile_test
}  // namespace shrimp

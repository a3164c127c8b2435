// Everything a user of the library needs.
#pragma once

#include "shrimp/complex.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/explain.hpp"
#include "shrimp/features.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/kernels.hpp"
#include "shrimp/matrix.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/model.hpp"
#include "shrimp/options.hpp"
#include "shrimp/parameters.hpp"
#include "shrimp/path.hpp"
#include "shrimp/scaling.hpp"
#include "shrimp/table.hpp"
#include "shrimp/theory.hpp"
#include "shrimp/version.hpp"

// Memory of matrices. Large ones have blocks of their own from the system, which gets them back when they are freed,
// but for some that the next matrices take: what a fit takes follows from its matrices, and is the same every time.
//
// malloc keeps what is freed, of up to 32 MiB each and for every thread by itself: the default method then took two to
// three times what its matrices do, a tenth more or less with every run. Without spare blocks it takes up to 40 %
// longer, as the system clears every page of a new block.
#pragma once

namespace shrimp {

/// Bytes of freed matrices that are kept at most, where matrices had so many at once.
double most_spare_memory(double most_used);

}  // namespace shrimp

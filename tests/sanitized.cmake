# The library's folders that read files and texts or compute with pointers, with the address and undefined-behaviour
# sanitizers, and the unit tests of these folders linked with them. Test files and the other folders are the optimised
# build's: that halves the work. The preset `debug` compiles all with sanitizers; scripts/campaign runs it.
set(sanitized_files ${shrimp_files} ${shrimp_cold_files} src/linalg/stub/device.cpp)
list(FILTER sanitized_files INCLUDE REGEX "^src/(${sanitized_folders})/")
list(TRANSFORM sanitized_files PREPEND ${PROJECT_SOURCE_DIR}/)

add_library(shrimp_sanitizers INTERFACE)
target_compile_options(shrimp_sanitizers INTERFACE
  -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
target_link_options(shrimp_sanitizers INTERFACE -fsanitize=address,undefined)

add_library(shrimp_sanitized STATIC ${sanitized_files})
target_compile_features(shrimp_sanitized PRIVATE cxx_std_20)
set_target_properties(shrimp_sanitized PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
target_include_directories(shrimp_sanitized PRIVATE $<TARGET_PROPERTY:shrimp,INCLUDE_DIRECTORIES>)
target_compile_options(shrimp_sanitized PRIVATE -O0)
target_link_libraries(shrimp_sanitized
  PRIVATE OpenMP::OpenMP_CXX LapackeOpenBLAS::LapackeOpenBLAS shrimp_flags shrimp_sanitizers fmt::fmt
          nlohmann_json::nlohmann_json FastFloat::fast_float hwy::hwy ZLIB::ZLIB zstd::libzstd_shared)
shrimp_unity(shrimp_sanitized ${PROJECT_SOURCE_DIR}/src/features/cos_sin.cpp
  ${PROJECT_SOURCE_DIR}/src/features/kernel_section.cpp ${PROJECT_SOURCE_DIR}/src/features/projection.cpp
  ${PROJECT_SOURCE_DIR}/src/data/json.cpp)

# The sanitized library comes first, whole: its inline functions are taken, not those that the tests were compiled with.
function(shrimp_link_sanitized program)
  target_link_options(${program} PRIVATE
    LINKER:--whole-archive $<TARGET_FILE:shrimp_sanitized> LINKER:--no-whole-archive)
  set_target_properties(${program} PROPERTIES LINK_DEPENDS $<TARGET_FILE:shrimp_sanitized>)
  add_dependencies(${program} shrimp_sanitized)
  target_link_libraries(${program} PRIVATE shrimp_sanitizers shrimp::shrimp)
endfunction()

add_executable(sanitized_unit_tests $<TARGET_OBJECTS:shrimp_unit_tests_sanitized_too>)
shrimp_link_sanitized(sanitized_unit_tests)
target_link_libraries(sanitized_unit_tests
  PRIVATE shrimp_flags LapackeOpenBLAS::LapackeOpenBLAS fmt::fmt GTest::gtest GTest::gtest_main)
shrimp_unit_test_shards(sanitized_unit_tests sanitized_unit_tests 4)

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "interruptible_fit.hpp"
#include "shrimp/errors.hpp"
#include "tell.hpp"

namespace {

enum ExitCode { bad_data = 1, bad_flag = 2, bad_model = 3, interrupted = 130 };

// "shrimp: " before the first line, and the way out indented below it.
int complain(const std::string& message, ExitCode code) {
  std::string text = "shrimp: ";
  for (const char c : message) {
    text += c;
    if (c == '\n') text += "        ";
  }
  shrimp::cli::tell(text + "\n");
  return code;
}

// Where one of the three is closed, the next file that is opened would take its place, and get what is meant for it.
void take_standard_descriptors() {
  for (int descriptor = ::open("/dev/null", O_RDONLY); descriptor >= 0; descriptor = ::open("/dev/null", O_RDONLY)) {
    if (descriptor <= STDERR_FILENO) continue;
    ::close(descriptor);
    return;
  }
}

// Memory may be short where nothing can be thrown, as inside of CLI11: that is no crash.
[[noreturn]] void end_by_force() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view message =
        "shrimp: memory is insufficient.\n        Free memory, or raise the limit: ulimit -v unlimited.\n";
    shrimp::cli::draw(message);
    ::_exit(bad_data);
  } catch (...) {
  }
  std::abort();
}

void add_commands(const shrimp::cli::Command& program) {
  shrimp::cli::add_fit(program);
  shrimp::cli::add_predict(program);
  shrimp::cli::add_evaluate(program);
  shrimp::cli::add_inspect(program);
  shrimp::cli::add_export(program);
  shrimp::cli::add_summarize(program);
  shrimp::cli::add_merge(program);
  shrimp::cli::add_update(program);
  shrimp::cli::add_simplify(program);
  shrimp::cli::add_sensitivity(program);
  shrimp::cli::add_explain(program);
  shrimp::cli::add_report(program);
  shrimp::cli::add_path(program);
  shrimp::cli::add_compare(program);
  shrimp::cli::add_experiment(program);
  shrimp::cli::add_theory(program);
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_by_force);
  take_standard_descriptors();
  shrimp::cli::install_signal_handlers();
  try {
    return shrimp::cli::run_command_line(argc, argv, add_commands);
  } catch (const shrimp::OptionError& error) {
    return complain(error.what(), bad_flag);
  } catch (const shrimp::ModelFileError& error) {
    return complain(error.what(), bad_model);
  } catch (const shrimp::Interrupted&) {
    return complain("interrupted.", interrupted);
  } catch (const std::bad_alloc&) {
    return complain("memory is insufficient.\nGive fewer features or fewer rows.", bad_data);
  } catch (const std::exception& error) {
    return complain(error.what(), bad_data);
  }
}

#!/usr/bin/env python3
"""Prints docs/reference/command-line.md from the program's own help: `make docs` writes it.

    python3 docs/command_line_page.py build/release/bin/shrimp
"""

import os
import re
import subprocess
import sys

HEAD = """# Command line

This page lists the help of all commands, as `shrimp COMMAND --help-all` prints it. [Options of a fit](options.md) is a table of
the options that `fit`, `path` and `compare` share, with the methods that use each. `make docs` generates both pages.

## Conventions
- `-` as a file name is standard input or standard output.
- Results go to standard output. Progress, warnings and errors go to standard error.
- A flag takes precedence over the environment variable `SHRIMP_NAME`, which takes precedence over `NAME = …` in the TOML
  file that `--config` names.
- Column lists take names separated by commas. Double quotes hold a name with a comma together.
- Input files may be compressed by gzip or zstd.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | a file or its data are invalid, or a numerical method failed |
| 2 | a flag is wrong |
| 3 | a model file cannot be read |
| 130 | interrupted; the best model so far was saved |
"""


def help_of(program, *command):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SHRIMP_")} | {"COLUMNS": "80"}
    words = [program, *command, "--help-all" if command else "--help"]
    return subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout.rstrip().split("\n")


def commands_in(lines):
    """Names and descriptions in the list below "Commands:"."""
    listed = lines[lines.index("Commands:") + 1 :]
    listed = listed[: listed.index("")]
    return [re.match(r"  (\S+)", line)[1] for line in listed if not line.startswith("   ")]


def groups_of(lines):
    """The blocks of a help text, each with its heading."""
    blocks = "\n".join(lines).split("\n\n")
    return [(block.split("\n")[0].removesuffix(":"), block) for block in blocks]


def section(level, name, lines, known):
    """The help of one command, without the groups of options that an earlier command shows in the same words."""
    description, *blocks = groups_of(lines)
    repeated = [heading for heading, block in blocks if heading in known and known[heading] == block]
    shown = [block for heading, block in blocks if heading not in repeated]
    result = ["", f"{level} shrimp {name}", description[1], "", "```", *"\n\n".join(shown).split("\n"), "```"]
    if repeated:
        result += ["", "These groups of options are those of [shrimp fit](#shrimp-fit):", ""]
        result += [f"- {heading}" for heading in repeated]
    return result


def main():
    program = sys.argv[1]
    page = HEAD.split("\n")[:-1]
    known = {}
    for command in commands_in(help_of(program)):
        lines = help_of(program, command)
        page += section("##", command, lines, known if command in ("path", "compare") else {})
        if command == "fit":
            known = dict(groups_of(lines)[2:])
        if "Commands:" in lines:
            for inner in commands_in(lines):
                page += section("###", f"{command} {inner}", help_of(program, command, inner), {})
    print("\n".join(page))


main()

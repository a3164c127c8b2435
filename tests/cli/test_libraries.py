"""What the program needs to start."""

import shutil
import subprocess

import pytest


def test_the_program_needs_no_library_of_graphics_fonts_or_windows(binary):
    if shutil.which("ldd") is None:
        pytest.skip("there is no ldd")
    run = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True)
    names = [line.split()[0] for line in run.stdout.splitlines()]
    assert any("openblas" in name for name in names)
    graphics = ("cairo", "X11", "xcb", "Xext", "Xrender", "freetype", "fontconfig", "pixman", "png")
    assert [name for name in names if any(part in name for part in graphics)] == []

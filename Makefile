# Front door: each goal calls scripts/ and the CMake presets.
.PHONY: demo build python wheel wheel-test test bench format tidy docs clean help

help:
	@echo "make demo       set up, build, fit the bundled example and show the result"
	@echo "make test       set up, build, run every test"
	@echo "make build      set up and build build/release/bin/shrimp"
	@echo "make python     set up, build and install the Python package into build/venv-python"
	@echo "make wheel      build a wheel that carries its libraries into build/wheel"
	@echo "make wheel-test install that wheel on a bare Debian and use it (as root; a minute or two)"
	@echo "make bench      set up and measure against other programs"
	@echo "make format     format the sources"
	@echo "make tidy       lint the sources"
	@echo "make docs       set up and build the documentation into build/docs/html"
	@echo "make clean      remove build/"

demo: build
	scripts/demo

build:
	scripts/setup build
	scripts/build release

python: build
	scripts/setup python
	scripts/python

wheel: build
	scripts/setup wheel
	scripts/wheel

wheel-test: wheel
	scripts/wheel-check

test:
	scripts/setup test
	scripts/setup python
	scripts/test

bench:
	scripts/setup test
	scripts/setup bench
	scripts/build test
	scripts/bench

format:
	scripts/setup test
	scripts/format --write

tidy:
	scripts/setup tidy
	scripts/tidy

docs: build
	scripts/setup docs
	scripts/docs

clean:
	rm -rf build

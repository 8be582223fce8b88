# SPDX-License-Identifier: MIT
# The front door. Everything behind it is CMake (CMakePresets.json) and ctest.
.PHONY: all demo check check-long check-full coverage bench python deb dist lint clean
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Tests that wait for signals, timers and simulators leave a CPU free
TEST_JOBS ?= $(shell expr $(JOBS) + 2)
# A test that leaves something out still passes: what was left out is said again at the end.
SAY_SKIPS = sed -n 's/^\*\*\* SKIP/SKIP/; s/ \*\*\*$$//; /^SKIP/p' build/$(1)/Testing/Temporary/LastTest.log | sort -u

all:                 ## build the program into build/release
	@tools/install-packages.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: all            ## count events in the bundled waveform
	@tools/demo.sh build/release/cli/pcounter

check:               ## build with tests and run them all; the fuzz targets' corpora under clang's sanitizers
	@tools/install-packages.sh build check
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(TEST_JOBS) --no-tests=error
	@cmake --preset corpus >/dev/null
	@cmake --build --preset corpus -j $(JOBS)
	@ctest --preset corpus -j $(JOBS) --no-tests=error
	@$(call SAY_SKIPS,dev)

check-long:          ## the same with their long forms, and the proofs by yosys and z3
	@tools/install-packages.sh build check
	@tools/install-packages.sh optional || echo "what needs these will say SKIP" >&2
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset long -j $(JOBS) --no-tests=error
	@sed -n '/^one domain of .* signals: /p' build/dev/Testing/Temporary/LastTest.log
	@$(call SAY_SKIPS,dev)

check-full: check-long ## long forms, and with sanitizers (of threads, too), clang, coverage, mutants
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS) --no-tests=error
	@$(call SAY_SKIPS,asan)
	@cmake --preset tsan >/dev/null && cmake --build --preset tsan -j $(JOBS)
	@ctest --preset tsan -j $(JOBS) --no-tests=error
	@$(call SAY_SKIPS,tsan)
	@cmake --preset clang >/dev/null && cmake --build --preset clang -j $(JOBS)
	@JOBS=$(JOBS) tools/coverage.sh -c >/dev/null
	@JOBS=$(JOBS) python3 tools/mutants.py

coverage:            ## lines and branches that the tests run, by gcov; text, and build/coverage/coverage.json
	@tools/install-packages.sh build check
	@JOBS=$(JOBS) tools/coverage.sh

bench:               ## measure speed, against goals and peers; text, and build-bench/bench.json
	@tools/install-packages.sh build bench
	@cmake -S . -B build-bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DPC_TESTS=OFF -DPC_BENCH=ON >/dev/null
	@cmake --build build-bench -j $(JOBS) --target bench

# Where a Python finds packages: in its own environment, else the user's folder
PYTHON ?= /usr/bin/python3
PYTHON_DIR ?= $(shell $(PYTHON) -c 'import site, sys, sysconfig; \
    print(sysconfig.get_path("purelib") if sys.prefix != sys.base_prefix else site.getusersitepackages())')

python:              ## build the Python package, and install it for PYTHON, into PYTHON_DIR
	@tools/install-packages.sh build python
	@cmake -S . -B build/python -G Ninja -DCMAKE_BUILD_TYPE=Release -DPC_TESTS=OFF \
	    -DPC_PYTHON=$(PYTHON) -DPC_PYTHON_DIR="$(PYTHON_DIR)" >/dev/null
	@cmake --build build/python -j $(JOBS) --target pcounter_python
	@cmake --install build/python --component python >/dev/null
	@cd / && PYTHONPATH="$(PYTHON_DIR)" $(PYTHON) -c 'import pcounter; print("pcounter", pcounter.__version__, "in", pcounter.__path__[0])'

deb:                 ## build the Debian packages into build/deb, and look at them by lintian
	@tools/install-packages.sh build python deb
	@tools/deb.sh build/deb

dist:                ## make the tarball of a release in build/dist, its SBOM and checksums; twice the same bits
	@tools/dist.sh build/dist

lint:                ## formatting and static analysis
	@tools/install-packages.sh lint || echo "what needs these is left out" >&2
	@tools/lint.sh

clean:
	@rm -rf build build-bench

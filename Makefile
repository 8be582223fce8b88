# SPDX-License-Identifier: MIT
# The front door. Everything behind it is CMake (CMakePresets.json) and ctest.
.PHONY: all demo check check-long check-full coverage bench lint clean
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# A test that leaves something out still passes: what was left out is said again at the end.
SAY_SKIPS = sed -n 's/^\*\*\* SKIP/SKIP/; s/ \*\*\*$$//; /^SKIP/p' build/$(1)/Testing/Temporary/LastTest.log | sort -u

all:                 ## build the program into build/release
	@tools/install-packages.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: all            ## count events in the bundled waveform
	@tools/demo.sh build/release/cli/pcounter

check:               ## build with tests and run them all
	@tools/install-packages.sh build check
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(JOBS) --no-tests=error
	@$(call SAY_SKIPS,dev)

check-long:          ## the same with their long forms, and the proofs by yosys and z3
	@tools/install-packages.sh build check
	@tools/install-packages.sh optional || echo "what needs these will say SKIP" >&2
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset long -j $(JOBS) --no-tests=error
	@$(call SAY_SKIPS,dev)

check-full: check-long ## long forms, and with sanitizers, clang, mutants
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS) --no-tests=error
	@$(call SAY_SKIPS,asan)
	@cmake --preset clang >/dev/null && cmake --build --preset clang -j $(JOBS)
	@JOBS=$(JOBS) tools/mutants.sh

coverage:            ## lines and branches that the tests run, by gcov; text, and build/coverage/coverage.json
	@tools/install-packages.sh build check
	@JOBS=$(JOBS) tools/coverage.sh

bench:               ## measure speed, against goals and peers; text, and build-bench/bench.json
	@tools/install-packages.sh build bench
	@cmake -S . -B build-bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DPC_TESTS=OFF -DPC_BENCH=ON >/dev/null
	@cmake --build build-bench -j $(JOBS) --target bench

lint:                ## formatting and static analysis
	@tools/lint.sh

clean:
	@rm -rf build build-bench

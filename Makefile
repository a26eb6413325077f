# keywedge
#
#   make demo     product events from recorded keystrokes and the embedded catalog
#   make test     all tests
#   make build    the command, for debugging
#   make release  the command as it is installed: .build/release/keywedge
#   make lint     the style of the sources
#   make format   puts the sources into that style
#   make expect   records the examples' expected events anew
#   make bench    the benchmarks (docs/benchmarks.md)
#   make deps     installs the Debian packages that are missing (the others do this first)
#
# DEPS=no leaves the installed packages alone.

DEBIAN_PACKAGES := libevdev-dev libsqlite3-dev sqlite3 jq python3 pkg-config umockdev evemu-tools
SWIFT_SOURCES := Package.swift Sources Tests
SWIFT_BUILD_FLAGS ?=
DEMO := .build/demo

.PHONY: demo test build release lint format expect bench deps
.DEFAULT_GOAL := build

deps:
ifneq ($(DEPS),no)
	@missing=""; for package in $(DEBIAN_PACKAGES); do \
	    dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed \
	        || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    echo "installing:$$missing"; \
	    sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
	        $$sudo apt-get -qq install -y --no-install-recommends $$missing >/dev/null; \
	fi
endif

build: deps
	swift build $(SWIFT_BUILD_FLAGS)

release: deps
	swift build -c release --product keywedge --static-swift-stdlib $(SWIFT_BUILD_FLAGS)

demo: build
	@mkdir -p $(DEMO)
	@rm -f $(DEMO)/catalog.sqlite*
	.build/debug/keywedge catalog import examples/catalog.csv \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite
	@echo "--- as a person reads it (--format pretty)"
	.build/debug/keywedge replay examples/recordings/till-morning.keys \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite --format pretty
	@echo "--- as a POS script reads it (--format json)"
	.build/debug/keywedge replay examples/recordings/*.evemu \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite --format json

test: deps
	swift build --build-tests $(SWIFT_BUILD_FLAGS)
	swift test --skip-build $(SWIFT_BUILD_FLAGS)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

expect: build
	KEYWEDGE=$(CURDIR)/.build/debug/keywedge examples/expect

bench: deps
	cd Benchmarks && swift package --disable-sandbox benchmark

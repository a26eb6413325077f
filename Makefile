# keywedge
#
# Everyday targets:
#   make demo      shows product events from recorded keystrokes and the embedded catalog
#   make test      runs the tests of all modules, and short runs of the crash tests
#   make lint      checks the style, that only Sources/WireText escapes text, and that imports follow the layers
#   make build     builds the command for debugging: .build/debug/keywedge
#   make release   builds the command for installation: .build/release/keywedge
#   make install   installs the release build with its units, rules, manuals and examples
#   make uninstall removes the installed files, except the configuration and the catalog
#   make format    formats the sources as make lint requires
#   make deb       builds the Debian package .build/deb/keywedge_*.deb, and checks it with lintian
#   make deps      installs the Debian packages for a build (the other targets install what they need)
#   make expect, manual, calibration, architecture   generate files: see CONTRIBUTING.md
#   make docs      builds the libraries' documentation for a browser: .build/documentation
#
# Checks that take longer:
#   make test-vm   tests with USB keyboards on a real kernel, in a virtual machine; SCENARIOS selects tests
#   make test-page tests the live page and the till of examples/web-pos in Chromium
#   make test-webhooks  verifies webhooks with the reference library of Standard Webhooks
#   make test-openapi   tests the services against their own OpenAPI documents, with Schemathesis
#   make test-home-assistant  scans into a real Home Assistant while it, the broker and keywedge are restarted
#   make test-container  builds the image of Containerfile and runs it with podman, as docs/containers.md says
#   make test-fleet     2,020 registers send over RabbitMQ, then NATS, to PostgreSQL while all are killed at random
#   make test-fleet-short  does the same for some minutes, with 104 registers
#   make kill-sinks     kills a daemon with three sinks 500 times; each sink gets every event, in order
#   make crash-disks    cuts the power of the journal's disk at 3,000 random points, and simulates other disk failures
#   make crash-kills    kills a process that writes a journal 500 times
#   make crash-rot      flips one bit of the daemon's journal, at each of 2,000 places
#   make soak      scans in a virtual machine for MINUTES (15): no scan is wrong or lost without a report; then
#                  10,000 scans over HID POS and serial ports, of which none is lost
#   make restarts  restarts and kills the unit 50 times in a virtual machine while a scanner types
#   make nightly   runs all tests, long fuzzing, and the checks of Home Assistant, the container, the fleet, kills,
#                  disks, soak, restarts and growth, one after the other
#   make fuzz      feeds random input to the barcode decoder and the HID report parser, for SECONDS (300)
#   make bench     runs the benchmarks (docs/benchmarks.md)
#   make growth    measures with 10 to 5,000 registers, 1 to 64 scanners and so on, and draws docs/growth.png
#
# With DEPS=no, no packages are installed. Variables of install and uninstall: PREFIX (/usr/local),
# SYSCONFDIR (/etc), DESTDIR (a folder to install into, for packages) and BINARY.

# The packages that building keywedge requires.
BUILD_PACKAGES := libevdev-dev libxkbcommon-dev libxkbregistry-dev xkb-data libx11-data \
    libsqlite3-dev libzstd-dev zlib1g-dev libmosquitto-dev pkg-config
# Additional packages for the tests and checks.
TEST_PACKAGES := mosquitto mosquitto-clients sqlite3 jq python3 python3-jsonschema umockdev evemu-tools curl \
    prometheus zbar-tools postgresql nginx-light
# Additional packages for the virtual machine.
VM_PACKAGES := qemu-system-x86 linux-image-amd64 busybox-static udev systemd dbus strace evemu-tools debhelper
# Additional packages for the pages, and for the Debian package.
PAGE_PACKAGES := chromium chromium-driver openssl
DEB_PACKAGES := debhelper lintian
# The programs of Tests/LivePage that test-page runs.
PAGE_TESTS := live_page told_states web_pos looks
# The packages that `deps` installs.
DEBIAN_PACKAGES := $(BUILD_PACKAGES)
SWIFT_SOURCES := Package.swift Sources Tests Fuzz Benchmarks
# With CONFIGURATION=release, tests and checks use an optimized build, from which `make release` only links the command.
CONFIGURATION ?= debug
SWIFT_BUILD_FLAGS ?=
# Options of `swift test`, for targets that run some of the tests.
FILTER :=
# Everything that the dynamic linker reads at startup stays in memory. Therefore, relative relocations are packed
# from 3.5 MB into 30 kB (this requires lld, and glibc 2.36 at run time), and not every symbol is exported.
# Debug information is left out, because it would be half of the file. The addresses of functions are resolved
# at startup, and are read-only afterwards.
RELEASE_FLAGS := -c release -debug-info-format none -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
    -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic -Xlinker -s \
    $(if $(filter release,$(CONFIGURATION)),-Xswiftc -enable-testing)
# Debug builds omit debug information of C and C++ code, which slows down the first build.
DEBUG_FLAGS := -Xcc -g0 -Xcxx -g0
FLAGS = $(if $(filter release,$(CONFIGURATION)),$(RELEASE_FLAGS),$(DEBUG_FLAGS)) $(SWIFT_BUILD_FLAGS)
# A pipe fails if one of its commands does.
SHELL := bash
.SHELLFLAGS := -o pipefail -c
DEMO := .build/demo
PACKAGE_FOLDER := .build/deb
BUILT := .build/$(CONFIGURATION)
PROGRAM := $(BUILT)/keywedge
# A program that writes and checks journals for Tests/PowerLoss.
JOURNAL_WORKLOAD := $(BUILT)/JournalWorkload

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
BINARY ?= .build/release/keywedge
# zsh searches different folders for completions from packages and for locally built ones.
ZSH_FOLDER := $(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
SHARE := $(DESTDIR)$(PREFIX)/share
INSTALLED_PROGRAM := $(DESTDIR)$(PREFIX)/bin/keywedge
INSTALLED_CONFIGURATION := $(DESTDIR)$(SYSCONFDIR)/keywedge/keywedge.yaml
UNITS := keywedge.service keywedge.socket keywedge-fifo.socket keywedge-fifo.service \
    keywedge-till.service
# Files that administrators install if they need them.
DROP_INS := systemd/fifo-for-service.conf systemd/fifo-for-socket.conf \
    systemd/keyboard-for-service.conf udev/72-keywedge-keyboard.rules
UNIT_FOLDER := $(DESTDIR)$(PREFIX)/lib/systemd/system
INSTALLED_USER := $(DESTDIR)$(PREFIX)/lib/sysusers.d/keywedge.conf
INSTALLED_RULES := $(DESTDIR)$(PREFIX)/lib/udev/rules.d/72-keywedge.rules
# Each docs/NAME.SECTION is installed into the folder of its section.
MANUALS := keywedge.1 keywedge.yaml.5 keywedge-events.7
MANUAL_FOLDER := $(SHARE)/man
INSTALLED_MANUALS := $(foreach page,$(MANUALS),$(MANUAL_FOLDER)/man$(subst .,,$(suffix $(page)))/$(page))
INSTALLED_EVENT_SCHEMA := $(SHARE)/keywedge/keywedge-events.schema.json
INSTALLED_SCHEMA := $(SHARE)/keywedge/keywedge.schema.json
INSTALLED_EXAMPLES := $(SHARE)/doc/keywedge/examples
# Files that the documentation uses on a register.
EXAMPLES = examples/catalog.csv examples/recordings/till-morning.keys \
    $(wildcard $(addprefix examples/,catalogs/* imports/* monitoring/* pos/* web-pos/*))
COMPLETION_bash := $(SHARE)/bash-completion/completions/keywedge
COMPLETION_zsh := $(SHARE)/zsh/$(ZSH_FOLDER)/_keywedge
COMPLETION_fish := $(SHARE)/fish/vendor_completions.d/keywedge.fish

.PHONY: demo test lint build build-tests release install uninstall format deb deps expect manual calibration \
    architecture docs
.PHONY: test-deps vm-deps test-vm test-page $(PAGE_TESTS) webhook-tools test-webhooks test-openapi test-home-assistant \
    test-container test-fleet test-fleet-short kill-sinks crash-disks crash-kills crash-rot soak restarts nightly fuzz \
    bench growth
.DEFAULT_GOAL := build

# Targets add the packages that they need beyond a build; `deps` installs them before the target's recipe runs.
TESTS := test expect manual kill-sinks crash-disks crash-kills crash-rot growth test-page test-webhooks test-openapi \
    test-home-assistant test-container test-fleet test-fleet-short test-deps
$(TESTS): DEBIAN_PACKAGES += $(TEST_PACKAGES)
$(TESTS): deps
# The packages of all targets that .ci/run calls.
test-deps: DEBIAN_PACKAGES += $(PAGE_PACKAGES) $(DEB_PACKAGES) python3-venv
test-deps: vm-deps

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
	swift build $(FLAGS)

release: deps
	swift build $(RELEASE_FLAGS) $(SWIFT_BUILD_FLAGS) --product keywedge

demo: deps
	swift build --product keywedge $(FLAGS)
	@mkdir -p $(DEMO)
	@rm -f $(DEMO)/catalog.sqlite*
	$(PROGRAM) catalog import examples/catalog.csv \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite
	@echo "--- as a person reads it (--format pretty)"
	$(PROGRAM) replay examples/recordings/till-morning.keys \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite --format pretty
	@echo "--- as a POS script reads it (--format json)"
	cd examples/recordings && ../../$(PROGRAM) replay \
	    gs1-datamatrix-ctrl-bracket.evemu qr-digital-link.evemu upc-a-then-upc-e.evemu \
	    --config /dev/null --catalog $(CURDIR)/$(DEMO)/catalog.sqlite --format json

# If the run fails, the last lines of its output name the failed tests.
# Only four tests run at a time, because some have deadlines, and many start programs that would starve each other.
TEST = swift test --skip-build --experimental-maximum-parallelization-width 4 $(FLAGS) $(FILTER) 2>&1 \
    | tee .build/tests.log || { grep -aE '^✘ Test .* recorded an issue|^error:|: Fatal error:' .build/tests.log | cut -c 1-600 | tail -n 20; exit 1; }

build-tests: deps
	swift build --build-tests $(FLAGS)

test: build-tests
	$(TEST)
	$(MAKE) --no-print-directory --assume-old build-tests --jobs --output-sync \
	    crash-disks crash-kills crash-rot kill-sinks DISKS=250 KILLS=30 FLIPS=60 SEED=1

lint: DEBIAN_PACKAGES += python3
lint: deps
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	scripts/lint-text
	scripts/draw-modules --check

install:
	@test -x $(BINARY) || { echo "$(BINARY) is not there: run make release first" >&2; exit 1; }
	install -D -m 755 $(BINARY) $(INSTALLED_PROGRAM)
	@install -d $(UNIT_FOLDER)
	@for unit in $(UNITS); do \
	    echo "$$unit to $(UNIT_FOLDER)"; \
	    sed 's|/usr/bin/keywedge|$(PREFIX)/bin/keywedge|; s|/etc/keywedge|$(SYSCONFDIR)/keywedge|' \
	        systemd/$$unit >$(UNIT_FOLDER)/$$unit && chmod 644 $(UNIT_FOLDER)/$$unit || exit 1; \
	done
	install -D -m 644 systemd/keywedge.sysusers $(INSTALLED_USER)
	install -D -m 644 udev/72-keywedge.rules $(INSTALLED_RULES)
	@for page in $(MANUALS); do \
	    file="$(MANUAL_FOLDER)/man$${page##*.}/$$page"; echo "manual page to $$file"; \
	    install -D -m 644 /dev/null "$$file" && \
	    sed 's|/usr/local/share|$(PREFIX)/share|' docs/$$page >"$$file" || exit 1; \
	done
	install -D -m 644 docs/keywedge-events.schema.json $(INSTALLED_EVENT_SCHEMA)
	@echo "schema of the configuration to $(INSTALLED_SCHEMA)"
	@install -D -m 644 /dev/null $(INSTALLED_SCHEMA)
	@$(BINARY) config schema >$(INSTALLED_SCHEMA)
	install -d $(INSTALLED_EXAMPLES)
	sed 's|/usr/share/keywedge|$(PREFIX)/share/keywedge|' examples/keywedge.yaml \
	    >$(INSTALLED_EXAMPLES)/keywedge.yaml
	@chmod 644 $(INSTALLED_EXAMPLES)/keywedge.yaml
	install -D -m 644 -t $(INSTALLED_EXAMPLES) $(DROP_INS) \
	    udev/keywedge-local.rules.template docs/calibration.svg docs/calibration.png
	@echo "examples to $(INSTALLED_EXAMPLES)"
	@for file in $(EXAMPLES); do \
	    if [ -x "$$file" ]; then mode=755; else mode=644; fi; \
	    install -D -m $$mode "$$file" "$(INSTALLED_EXAMPLES)/$${file#examples/}" || exit 1; \
	done
	@for shell in bash=$(COMPLETION_bash) zsh=$(COMPLETION_zsh) fish=$(COMPLETION_fish); do \
	    file="$${shell#*=}"; echo "completions for $${shell%%=*} to $$file"; \
	    install -D -m 644 /dev/null "$$file" && \
	    $(BINARY) --generate-completion-script "$${shell%%=*}" >"$$file" || exit 1; \
	done
	@if [ -e $(INSTALLED_CONFIGURATION) ]; then \
	    echo "$(INSTALLED_CONFIGURATION) is there already and stays as it is"; \
	else \
	    echo "example configuration to $(INSTALLED_CONFIGURATION)"; \
	    install -D -m 644 $(INSTALLED_EXAMPLES)/keywedge.yaml $(INSTALLED_CONFIGURATION); \
	fi

uninstall:
	rm -f $(INSTALLED_PROGRAM) $(UNITS:%=$(UNIT_FOLDER)/%) $(INSTALLED_USER) $(INSTALLED_RULES) \
	    $(INSTALLED_MANUALS) $(COMPLETION_bash) $(COMPLETION_zsh) $(COMPLETION_fish)
	rm -rf $(SHARE)/doc/keywedge $(SHARE)/keywedge

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

# The package depends on the library versions of the machine that builds it: Debian 12 builds for Debian 12.
deb: DEBIAN_PACKAGES += $(DEB_PACKAGES)
deb: deps release
	@rm -rf $(PACKAGE_FOLDER)
	@mkdir -p $(PACKAGE_FOLDER)
	debian/rules clean
	debian/rules binary BINARY=$(abspath $(BINARY)) DESTINATION=$(CURDIR)/$(PACKAGE_FOLDER)
	lintian --allow-root --pedantic --display-info --display-experimental \
	    --fail-on error,warning,info,pedantic,experimental $(PACKAGE_FOLDER)/*.deb
	debian/rules clean

expect: build
	KEYWEDGE=$(CURDIR)/$(PROGRAM) examples/expect

manual: build
	$(PROGRAM) config schema | scripts/make-configuration-manual >docs/keywedge.yaml.5

architecture: DEBIAN_PACKAGES += graphviz
architecture: deps
	scripts/draw-modules

calibration: DEBIAN_PACKAGES += zint librsvg2-bin zbar-tools
calibration: deps
	scripts/make-calibration

LIBRARIES := Keystrokes Barcodes WebAPI KeywedgeTestKit
DOCUMENTATION := .build/documentation

docs: deps
	@mkdir -p $(DOCUMENTATION)
	for library in $(LIBRARIES); do \
	    KEYWEDGE_DOCS=1 swift package --scratch-path .build/docs \
	        --allow-writing-to-directory $(DOCUMENTATION) generate-documentation \
	        --target $$library --warnings-as-errors --output-path $(DOCUMENTATION)/$$library \
	        --transform-for-static-hosting --hosting-base-path $$library || exit 1; \
	done
	@echo "python3 -m http.server --bind 127.0.0.1 --directory $(DOCUMENTATION), then /Barcodes/documentation/barcodes/"

# Checks that take longer.

SECONDS ?= 300
# The seed of random input, kills and damage; if it is empty, each run uses a different one.
SEED ?=

fuzz:
	scripts/fuzz $(SECONDS) $(SEED)

MINUTES ?= 15
SCENARIOS :=

soak:
	KEYWEDGE_SOAK_MINUTES=$(MINUTES) KEYWEDGE_SCANS=10000 $(MAKE) --no-print-directory test-vm \
	    SCENARIOS="test_soak test_interfaces.Interfaces.test_thousands_of_scans_none_lost"

RESTARTS ?= 50

restarts:
	KEYWEDGE_RESTARTS=$(RESTARTS) $(MAKE) --no-print-directory test-vm SCENARIOS=test_handover

vm-deps:
	-@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES="$(TEST_PACKAGES) $(VM_PACKAGES)"

# SCENARIOS are modules of Tests/VirtualMachine, or tests in them: test_fifo, test_fifo.FIFO. If the host cannot
# run them, or some of their packages cannot be installed, they are skipped, and run.py prints the reason.
test-vm: vm-deps release
	python3 Tests/VirtualMachine/run.py .build/release/keywedge $(SCENARIOS)

WEBHOOK_TOOLS := .build/webhooks

webhook-tools test-webhooks: DEBIAN_PACKAGES += python3-venv
webhook-tools: deps
	test -x $(WEBHOOK_TOOLS)/bin/pip || python3 -m venv $(WEBHOOK_TOOLS)
	$(WEBHOOK_TOOLS)/bin/pip install --quiet standardwebhooks==1.1.0

test-webhooks: export KEYWEDGE_WEBHOOK_PYTHON = $(CURDIR)/$(WEBHOOK_TOOLS)/bin/python
test-webhooks: FILTER := --filter WebhookReceiverTests
test-webhooks: build-tests webhook-tools
	$(TEST)

HOME_ASSISTANT := .build/home-assistant
HOME_ASSISTANT_PACKAGES := Tests/HomeAssistant/requirements.txt
HOME_ASSISTANT_OPTIONS ?=

# Takes some minutes; the first run takes twice as long, because it installs Home Assistant.
test-home-assistant: DEBIAN_PACKAGES += python3-venv
test-home-assistant: build-tests
	test -x $(HOME_ASSISTANT)/venv/bin/pip || $(DEBIAN_PYTHON) -m venv $(HOME_ASSISTANT)/venv
	cmp -s $(HOME_ASSISTANT_PACKAGES) $(HOME_ASSISTANT)/installed \
	    || nice $(HOME_ASSISTANT)/venv/bin/pip install --quiet --prefer-binary -r $(HOME_ASSISTANT_PACKAGES)
	cp $(HOME_ASSISTANT_PACKAGES) $(HOME_ASSISTANT)/installed
	timeout 1200 python3 Tests/HomeAssistant/home_assistant.py $(PROGRAM) \
	    $(HOME_ASSISTANT)/venv/bin/python $(HOME_ASSISTANT_OPTIONS)

CONTAINER := .build/container
COMPOSE := podman-compose==1.6.0

# Takes some minutes, and one more the first time, to create the Debian from which the image is built.
test-container: DEBIAN_PACKAGES += podman runc debootstrap python3-venv
test-container: deb
	test -x $(CONTAINER)/venv/bin/podman-compose || { $(DEBIAN_PYTHON) -m venv $(CONTAINER)/venv \
	    && $(CONTAINER)/venv/bin/pip install --quiet $(COMPOSE); }
	timeout 1200 python3 Tests/Container/container.py $(PACKAGE_FOLDER)/keywedge_*.deb \
	    $(CONTAINER)/venv/bin/podman-compose $(CONTAINER)/debian-12.tar

kill-sinks: build-tests
	python3 Tests/SinksKilled/kill_sinks.py $(PROGRAM) --kills $(KILLS) $(SEED:%=--seed %)

# These packages may start their own services; the test ignores them, and uses its own ports and folders.
FLEET_PACKAGES := rabbitmq-server nats-server postgresql python3-pika python3-psycopg2
# Debian's Python, because the packages install their modules for it.
DEBIAN_PYTHON := /usr/bin/python3
FLEET := $(DEBIAN_PYTHON) Tests/Fleet/fleet.py $(PROGRAM) $(BUILT)/FleetWorkload

SHORT_FLEET := --simulated 100 --real 4 --minutes 0.7 --interval 5 --spread 5 --catch-up 20/s

test-fleet test-fleet-short: DEBIAN_PACKAGES += $(FLEET_PACKAGES)
test-fleet: build-tests
	$(FLEET) --cluster rabbitmq
	$(FLEET) --cluster nats --interval 120

# After all nodes are killed, RabbitMQ needs two minutes to come back, and NATS needs a second.
test-fleet-short: build-tests
	$(FLEET) --cluster rabbitmq $(SHORT_FLEET) --outage 0
	$(FLEET) --cluster nats $(SHORT_FLEET) --outage 2

# make runs `deps` only once, so it must install the packages of all these targets.
nightly: DEBIAN_PACKAGES += $(TEST_PACKAGES) $(FLEET_PACKAGES) $(VM_PACKAGES) $(DEB_PACKAGES) python3-venv \
    python3-matplotlib podman runc debootstrap
# Tests that usually cover part of a large space cover all of it, and fuzzing runs for half an hour.
nightly: export KEYWEDGE_THOROUGH := 1
nightly: SECONDS := 1800
nightly: test fuzz test-home-assistant test-container test-fleet kill-sinks crash-disks crash-kills crash-rot soak restarts \
    growth

growth: DEBIAN_PACKAGES += python3-matplotlib $(VM_PACKAGES)
growth: release
	swift build $(RELEASE_FLAGS) $(SWIFT_BUILD_FLAGS) --product FleetWorkload
	$(DEBIAN_PYTHON) Benchmarks/growth

OPENAPI_OPTIONS ?=

test-openapi: DEBIAN_PACKAGES += python3-venv
test-openapi: build-tests
	scripts/ask-by-openapi --keywedge $(PROGRAM) $(OPENAPI_OPTIONS)

test-page: DEBIAN_PACKAGES += $(PAGE_PACKAGES)
test-page: $(PAGE_TESTS)
$(PAGE_TESTS): build-tests
	python3 Tests/LivePage/$@.py $(PROGRAM)

DISKS ?= 3000
KILLS ?= 500
FLIPS ?= 2000

crash-disks: build-tests
	python3 Tests/PowerLoss/power_loss.py $(JOURNAL_WORKLOAD) --disks $(DISKS) $(SEED:%=--seed %)
	python3 Tests/PowerLoss/failing_disk.py $(JOURNAL_WORKLOAD)

crash-kills: build-tests
	python3 Tests/PowerLoss/kills.py $(JOURNAL_WORKLOAD) --kills $(KILLS) $(SEED:%=--seed %)

crash-rot: build-tests
	python3 Tests/PowerLoss/rot.py $(PROGRAM) --flips $(FLIPS) $(SEED:%=--seed %)

bench: deps
	KEYWEDGE_BENCHMARKS=1 swift package --scratch-path Benchmarks/.build --disable-sandbox benchmark

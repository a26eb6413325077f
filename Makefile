# keywedge
#
#   make demo     product events from recorded keystrokes and the embedded catalog
#   make test     all tests
#   make build    the command, for debugging
#   make release  the command as it is installed: .build/release/keywedge
#   make lint     the style of the sources, that text is made in one place, that imports point down,
#                 and that the map of the sources leads nowhere wrong
#   make architecture  the picture of the modules, docs/architecture.svg
#   make format   puts the sources into that style
#   make expect   records the examples' expected events anew
#   make manual   the manual page of the configuration, docs/keywedge.yaml.5
#   make calibration  the symbols in docs/calibration.svg
#   make bench    the benchmarks (docs/benchmarks.md)
#   make docs     the documentation of the libraries, for a browser: .build/documentation
#   make fuzz     the barcode decoder against random input, for SECONDS (300)
#   make test-vm  real USB keyboards on a real kernel, in a virtual machine
#   make soak     scans without end on such a machine, for MINUTES (15): none wrong, none lost unsaid
#   make restarts  the unit restarted and killed 50 times on such a machine while a scanner types
#   make crash-disks  the journal's disk with the power cut at 3,000 random points, and failing otherwise
#   make crash-kills  a process that writes a journal, killed 500 times
#   make kill-sinks   the daemon with three sinks, killed 500 times: each has everything, in order
#   make test-fleet  2,020 registers on three RabbitMQ nodes, then three NATS servers, into PostgreSQL; all killed at random
#   make test-fleet-short  the same for some minutes, with 104 registers
#   make growth   measures 10 to 5,000 registers, 1 to 64 scanners and so on, and draws docs/growth.png
#   make test-webhooks  webhooks verified by the reference library of Standard Webhooks
#   make crash-rot    the daemon with one bit of its journal flipped, at 2,000 places
#   make test-openapi  the services against their own OpenAPI documents, with Schemathesis
#   make test-page  the live page and the till of examples/web-pos in a Chromium
#   make deps     installs the Debian packages that are missing (the others do this first)
#   make deb      the Debian package .build/deb/keywedge_*.deb; lintian has nothing to say of it
#   make install  puts what make release built, and all that belongs to it, where it belongs
#   make uninstall  takes it away again, except the configuration and the catalog
#
# DEPS=no leaves the installed packages alone. install and uninstall take PREFIX (/usr/local),
# SYSCONFDIR (/etc), DESTDIR (a folder to install into, for packages) and BINARY.

DEBIAN_PACKAGES := libevdev-dev libxkbcommon-dev libxkbregistry-dev xkb-data libx11-data \
    libsqlite3-dev libzstd-dev zlib1g-dev libmosquitto-dev mosquitto mosquitto-clients sqlite3 jq python3 python3-jsonschema pkg-config umockdev evemu-tools \
    curl prometheus zbar-tools postgresql nginx-light
# What the virtual machine takes beside those.
VM_PACKAGES := qemu-system-x86 linux-image-amd64 busybox-static udev systemd dbus strace evemu-tools debhelper
SWIFT_SOURCES := Package.swift Sources Tests Fuzz Benchmarks
SWIFT_BUILD_FLAGS ?=
# Tests that wait for something have groups of their own: beside tests that compute, each of their
# steps would wait for a thread for minutes.
CLIENT_TESTS := ^(WebAPITests|ExamplesTests|SinksTests)
SERVICE_TESTS := ^CatalogServiceTests|LoopbackTests|/?Endpoint(Mending|Check|Command)Tests
INTERFACE_TESTS := ^EventServiceTests
THREAD_TESTS := ^(ScannerInputTests|JournalTests|HTTPCatalogTests|DiagnosisTests|KeywedgeDaemonTests)
# They run the command, and hold a thread of the tests' pool until it ends.
COMMAND_TESTS := ^KeywedgeCLITests
# They run the daemon, and wait for it.
DAEMON_TESTS := ReloadCommandTests|DoctorCommandTests|DoctorTests|RunningSinksTests|ListenCommandTests|EventSchemaTests|IntegrationPageTests|StatusCommandTests|MonitoringTests|StuckEndTests
# What the dynamic linker reads at each start is in memory from then on: the places that hold addresses
# are packed, 3.5 MB into 30 kB (which takes lld, and glibc 2.36 to run), and there is no table of every
# symbol. Half the file would be for debuggers. Addresses of functions are looked up at the start, and
# cannot be written from then on.
RELEASE_LINKING := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker now \
    -Xlinker --no-export-dynamic -Xlinker -s
# A pipe fails if one of its commands does.
SHELL := bash
.SHELLFLAGS := -o pipefail -c
DEMO := .build/demo
PACKAGE_FOLDER := .build/deb
DEBUG_PROGRAM := .build/debug/keywedge
# Writes and checks journals for Tests/PowerLoss.
JOURNAL_WORKLOAD := .build/debug/JournalWorkload

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
BINARY ?= .build/release/keywedge
# zsh looks into other folders for packages than for what is built on the machine.
ZSH_FOLDER := $(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
SHARE := $(DESTDIR)$(PREFIX)/share
INSTALLED_PROGRAM := $(DESTDIR)$(PREFIX)/bin/keywedge
INSTALLED_CONFIGURATION := $(DESTDIR)$(SYSCONFDIR)/keywedge/keywedge.yaml
UNITS := keywedge.service keywedge.socket keywedge-fifo.socket keywedge-fifo.service \
    keywedge-till.service
# What an administrator puts beside them where it is wanted.
DROP_INS := systemd/fifo-for-service.conf systemd/fifo-for-socket.conf \
    systemd/keyboard-for-service.conf udev/72-keywedge-keyboard.rules
UNIT_FOLDER := $(DESTDIR)$(PREFIX)/lib/systemd/system
INSTALLED_USER := $(DESTDIR)$(PREFIX)/lib/sysusers.d/keywedge.conf
INSTALLED_RULES := $(DESTDIR)$(PREFIX)/lib/udev/rules.d/72-keywedge.rules
# docs/NAME.SECTION goes into the folder of its section.
MANUALS := keywedge.1 keywedge.yaml.5 keywedge-events.7
MANUAL_FOLDER := $(SHARE)/man
INSTALLED_MANUALS := $(foreach page,$(MANUALS),$(MANUAL_FOLDER)/man$(subst .,,$(suffix $(page)))/$(page))
INSTALLED_EVENT_SCHEMA := $(SHARE)/keywedge/keywedge-events.schema.json
INSTALLED_SCHEMA := $(SHARE)/keywedge/keywedge.schema.json
INSTALLED_EXAMPLES := $(SHARE)/doc/keywedge/examples
COMPLETION_bash := $(SHARE)/bash-completion/completions/keywedge
COMPLETION_zsh := $(SHARE)/zsh/$(ZSH_FOLDER)/_keywedge
COMPLETION_fish := $(SHARE)/fish/vendor_completions.d/keywedge.fish

.PHONY: restarts test-fleet test-fleet-short growth test-page manual deb docs kill-sinks test-webhooks crash-disks crash-kills crash-rot soak test-openapi architecture calibration fuzz test-vm demo test build release lint format expect bench deps install uninstall
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
	swift build -c release --product keywedge --static-swift-stdlib $(RELEASE_LINKING) $(SWIFT_BUILD_FLAGS)

demo: deps
	swift build --product keywedge $(SWIFT_BUILD_FLAGS)
	@mkdir -p $(DEMO)
	@rm -f $(DEMO)/catalog.sqlite*
	.build/debug/keywedge catalog import examples/catalog.csv \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite
	@echo "--- as a person reads it (--format pretty)"
	.build/debug/keywedge replay examples/recordings/till-morning.keys \
	    --config /dev/null --catalog $(DEMO)/catalog.sqlite --format pretty
	@echo "--- as a POS script reads it (--format json)"
	cd examples/recordings && ../../.build/debug/keywedge replay \
	    gs1-datamatrix-ctrl-bracket.evemu qr-digital-link.evemu upc-a-then-upc-e.evemu \
	    --config /dev/null --catalog $(CURDIR)/$(DEMO)/catalog.sqlite --format json

# $(call TEST,WIDTH,SELECTION) runs a group of tests, at most WIDTH at once. Without that limit, a test
# that waits for an answer gets a thread again only after each of a thousand others has had one.
# The last lines of a run that failed name the tests that did.
TEST = swift test --skip-build --experimental-maximum-parallelization-width $(1) $(SWIFT_BUILD_FLAGS) $(2) 2>&1 \
    | tee .build/tests.log || { grep -aE '✘ Test .* recorded an issue|error:' .build/tests.log | cut -c 1-600 | tail -n 20; exit 1; }
# No more tests at once that hold a thread than there are threads: a server in one of them needs one, too.
THREADS := $(shell nproc)

test: deps
	swift build --build-tests $(SWIFT_BUILD_FLAGS)
	$(call TEST,16,--skip '$(CLIENT_TESTS)|$(SERVICE_TESTS)|$(INTERFACE_TESTS)|$(THREAD_TESTS)|$(COMMAND_TESTS)|$(DAEMON_TESTS)')
	$(call TEST,16,--filter '$(CLIENT_TESTS)')
	$(call TEST,16,--filter '$(SERVICE_TESTS)')
	$(call TEST,16,--filter '$(INTERFACE_TESTS)')
	$(call TEST,16,--filter '$(THREAD_TESTS)' --skip '$(SERVICE_TESTS)|$(DAEMON_TESTS)')
	$(call TEST,$(THREADS),--filter '$(COMMAND_TESTS)' --skip '$(SERVICE_TESTS)|$(DAEMON_TESTS)')
	$(call TEST,$(THREADS),--filter '$(DAEMON_TESTS)')
	python3 Tests/PowerLoss/power_loss.py $(JOURNAL_WORKLOAD) --disks 250
	python3 Tests/PowerLoss/failing_disk.py $(JOURNAL_WORKLOAD)
	python3 Tests/PowerLoss/kills.py $(JOURNAL_WORKLOAD) --kills 30
	python3 Tests/PowerLoss/rot.py $(DEBUG_PROGRAM) --flips 60
	python3 Tests/SinksKilled/kill_sinks.py $(DEBUG_PROGRAM) --kills 25

DISKS ?= 3000
KILLS ?= 500
FLIPS ?= 2000

crash-disks: build
	python3 Tests/PowerLoss/power_loss.py $(JOURNAL_WORKLOAD) --disks $(DISKS)
	python3 Tests/PowerLoss/failing_disk.py $(JOURNAL_WORKLOAD)

crash-kills: build
	python3 Tests/PowerLoss/kills.py $(JOURNAL_WORKLOAD) --kills $(KILLS)

crash-rot: build
	python3 Tests/PowerLoss/rot.py $(DEBUG_PROGRAM) --flips $(FLIPS)

WEBHOOK_TOOLS := .build/webhooks

test-webhooks: DEBIAN_PACKAGES += python3-venv
test-webhooks: deps
	test -x $(WEBHOOK_TOOLS)/bin/pip || python3 -m venv $(WEBHOOK_TOOLS)
	$(WEBHOOK_TOOLS)/bin/pip install --quiet standardwebhooks==1.1.0
	KEYWEDGE_WEBHOOK_PYTHON=$(CURDIR)/$(WEBHOOK_TOOLS)/bin/python \
	    swift test $(SWIFT_BUILD_FLAGS) --filter WebhookReceiverTests

kill-sinks: build
	python3 Tests/SinksKilled/kill_sinks.py $(DEBUG_PROGRAM) --kills $(KILLS)

# Their packages may start services of their own; the test does without, on ports and in folders of its own.
FLEET_PACKAGES := rabbitmq-server nats-server postgresql python3-pika python3-psycopg2
# Debian's, which has those modules.
DEBIAN_PYTHON := /usr/bin/python3
FLEET := $(DEBIAN_PYTHON) Tests/Fleet/fleet.py $(DEBUG_PROGRAM) .build/debug/FleetWorkload

SHORT_FLEET := --simulated 100 --real 4 --minutes 0.7 --interval 5 --spread 5 --catch-up 20/s

test-fleet test-fleet-short: DEBIAN_PACKAGES += $(FLEET_PACKAGES)
test-fleet: build
	$(FLEET) --cluster rabbitmq
	$(FLEET) --cluster nats --interval 120

# Nodes of RabbitMQ that were all killed take two minutes to come back, those of NATS a second.
test-fleet-short: build
	$(FLEET) --cluster rabbitmq $(SHORT_FLEET) --outage 0
	$(FLEET) --cluster nats $(SHORT_FLEET) --outage 2

growth: DEBIAN_PACKAGES += python3-matplotlib $(VM_PACKAGES)
growth: release
	swift build -c release --product FleetWorkload --static-swift-stdlib $(RELEASE_LINKING) $(SWIFT_BUILD_FLAGS)
	$(DEBIAN_PYTHON) Benchmarks/growth

OPENAPI_OPTIONS ?=

test-openapi: DEBIAN_PACKAGES += python3-venv
test-openapi: build
	scripts/ask-by-openapi $(OPENAPI_OPTIONS)

test-page: DEBIAN_PACKAGES += chromium chromium-driver openssl
test-page: build
	python3 Tests/LivePage/live_page.py $(DEBUG_PROGRAM)
	python3 Tests/LivePage/told_states.py $(DEBUG_PROGRAM)
	python3 Tests/LivePage/web_pos.py $(DEBUG_PROGRAM)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	scripts/lint-text
	scripts/draw-modules --check
	scripts/lint-map

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

expect: build
	KEYWEDGE=$(CURDIR)/.build/debug/keywedge examples/expect

manual: build
	$(DEBUG_PROGRAM) config schema | scripts/make-configuration-manual >docs/keywedge.yaml.5

architecture:
	scripts/draw-modules

calibration: DEBIAN_PACKAGES += zint librsvg2-bin zbar-tools
calibration: deps
	scripts/make-calibration

bench: deps
	KEYWEDGE_BENCHMARKS=1 swift package --scratch-path Benchmarks/.build --disable-sandbox benchmark

LIBRARIES := Keystrokes Barcodes WebAPI KeywedgeTestKit
DOCUMENTATION := .build/documentation

docs: deps
	@mkdir -p $(DOCUMENTATION)
	for library in $(LIBRARIES); do \
	    KEYWEDGE_DOCS=1 swift package \
	        --allow-writing-to-directory $(DOCUMENTATION) generate-documentation \
	        --target $$library --warnings-as-errors --output-path $(DOCUMENTATION)/$$library \
	        --transform-for-static-hosting --hosting-base-path $$library || exit 1; \
	done
	@echo "python3 -m http.server --bind 127.0.0.1 --directory $(DOCUMENTATION), then /Barcodes/documentation/barcodes/"

# Dependencies are those of the building machine: Debian 12 makes packages for Debian 12.
deb: DEBIAN_PACKAGES += debhelper lintian
deb: release
	@rm -rf $(PACKAGE_FOLDER)
	@mkdir -p $(PACKAGE_FOLDER)
	debian/rules clean
	debian/rules binary BINARY=$(abspath $(BINARY)) DESTINATION=$(CURDIR)/$(PACKAGE_FOLDER)
	lintian --allow-root --pedantic --display-info --display-experimental \
	    --fail-on error,warning,info,pedantic,experimental $(PACKAGE_FOLDER)/*.deb
	debian/rules clean

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
	install -D -m 644 -t $(INSTALLED_EXAMPLES)/web-pos examples/web-pos/*
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

SECONDS ?= 300

fuzz:
	scripts/fuzz $(SECONDS)

MINUTES ?= 15
SCENARIOS :=

soak: export KEYWEDGE_SOAK_MINUTES = $(MINUTES)
soak: SCENARIOS := test_soak
soak: test-vm

RESTARTS ?= 50

restarts: export KEYWEDGE_RESTARTS = $(RESTARTS)
restarts: SCENARIOS := test_handover
restarts: test-vm

# What cannot be installed, or run here, is a reason to skip, which the scenarios state.
test-vm:
	-@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES="$(VM_PACKAGES)"
	@python3 Tests/VirtualMachine/run.py --possible; case $$? in \
	0) $(MAKE) --no-print-directory release && \
	    python3 Tests/VirtualMachine/run.py .build/release/keywedge $(SCENARIOS);; \
	77) ;; \
	*) exit 1;; \
	esac

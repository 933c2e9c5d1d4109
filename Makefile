# What people and continuous integration call. Each command does its own set-up and says what it installs.
#
#   make demo     an app records, is killed, comes back — and you see what happened (ARGS=--once ends by itself,
#                 ARGS=--keep leaves on the device what nobody needs)
#   make demo-plain  the same with the app that a Mac runs: without screens
#   make test     every test: SDK, collector, command line, demo, page
#   make bench    the figures, each beside its baseline (ARGS=journal: of the SDK's one group, and nothing else)
#   make bench-page  the viewer's figures, in a browser
#   make bench-asking  from asking an app for what it keeps to watching it, in a browser
#   make bench-adapters  the figures of the adapters, against stand-ins for Apple's frameworks
#   make soak     the long versions of the kill and load tests
#   make sanitize  the SDK's tests under the address and the thread sanitizer
#   make fuzz     a minute of libFuzzer for each parser
#   make cluster-test  collectors with blobs in an S3 store, and telemetry in ClickHouse: killed, cut off, disks full
#   make test-on-cluster  the tests of the viewer, of the API, of agents and of the doors, with collectors that share such servers
#   make test-integrations  the backends for swift-log, swift-metrics and swift-distributed-tracing, in a real program
#   make test-consumer  the package in the graph of an app that adds it
#   make check-apple  the SDK compiled for iOS, Mac Catalyst and macOS, without Xcode; runs nothing
#   make lint     formatting and the SDK's safety rules;  make format mends the formatting
#   make docs     the DocC archives, in .build/docs
#   make size     what each product adds to an app, in bytes; fails over the limits
#   make dist     a self-contained Linux program, packed: .tar.gz, .deb, container (TAG=v1.2.3 checks the version)
#   make test-commands  each of these that `make test` does not run as it is, in a short form
#
# With SHORT=1, bench, bench-page, bench-asking, bench-adapters, fuzz, soak and sanitize take seconds or minutes: they show that the
# command works and that every answer is right. Scripts/lint-targets knows of each target who runs it.

SHELL := /bin/sh
ARGS ?=
SHORT ?=
# Set when everything that the tests run has been built: then none of them builds.
BUILT ?=
TAG ?=
SWIFT ?= swift
# The test processes crash on purpose; Swift's own backtracer would hold them up.
export SWIFT_BACKTRACE = enable=no

# The demo's app has its screens on stand-ins for UIKit and SwiftUI, which exist on Linux only. A Mac runs one without screens.
SCREENS_APP := .build/standins/debug/automobile-demo-app
PLAIN_APP := .build/debug/automobile-demo-plain
ifeq ($(shell uname -s),Linux)
APP := $(SCREENS_APP)
else
APP := $(PLAIN_APP)
endif
TOOL := Collector/.build/debug/automobile

.PHONY: demo demo-plain test bench bench-page bench-asking bench-adapters soak sanitize fuzz check-apple lint format docs size dist clean \
        build-app build-plain-app build-collector build-victims build-sdk-tests build-adapter-tests build-collector-tests \
        build-integration-tests test-consumer test-error-barrier test-sdk test-adapters test-collector test-reading test-integrations test-doors \
        test-api test-opentelemetry test-trace test-mcp test-alerts test-crashes test-replays test-page test-demo test-dist cluster-test \
        test-on-cluster test-doors-cluster test-mcp-cluster test-page-cluster test-api-cluster \
        test-state test-beside test-commands test-builds test-optimised

demo: build-app build-collector
	@$(TOOL) demo --app $(APP) $(ARGS)

demo-plain: build-plain-app build-collector
	@$(TOOL) demo --app $(PLAIN_APP) $(ARGS)

# The adapters to Apple's frameworks are tested against stand-ins for these (StandIns/README.md); on a Mac the frameworks are there.
STANDINS := --scratch-path .build/standins

# Each of these does nothing in a test that others run beside, since a package is built by one process at a time.
ifdef BUILT
build-app build-plain-app build-collector build-victims build-sdk-tests build-collector-tests:
else
ifeq ($(APP),$(SCREENS_APP))
build-app:
	@Scripts/setup standins
	@AUTOMOBILE_STANDINS=1 Scripts/no-warnings $(SWIFT) build --product automobile-demo-app $(STANDINS) 1>&2
else
build-app: build-plain-app
endif

build-plain-app:
	@Scripts/setup
	@$(SWIFT) build --product automobile-demo-plain 1>&2

build-collector:
	@Scripts/setup
	@echo "building the collector (the first time takes a few minutes: SwiftNIO, Hummingbird, GRDB)" 1>&2
	@cd Collector && ../Scripts/no-warnings $(SWIFT) build --product automobile 1>&2

# Programs that are killed, or die by themselves.
build-victims:
	@Scripts/setup test
	$(SWIFT) build --product crash-victim
	$(SWIFT) build --product replay-victim

build-sdk-tests:
	@Scripts/setup
	Scripts/no-warnings $(SWIFT) build --build-tests

build-collector-tests:
	@Scripts/setup
	cd Collector && ../Scripts/no-warnings $(SWIFT) build --build-tests
endif

# Only one of the parts needs each of these: built when it is begun.
build-adapter-tests:
	@Scripts/setup standins
	@[ "$$(uname -s)" != Linux ] || AUTOMOBILE_STANDINS=1 Scripts/no-warnings $(SWIFT) build --build-tests $(STANDINS)

build-integration-tests:
	@Scripts/setup
	cd Integrations && ../Scripts/no-warnings $(SWIFT) build --build-tests

# Three of the following at a time: on two cores, one of them waits for processes that die, hang or are killed.
BESIDE := -j3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) --no-print-directory

# What can be found wrong without running anything comes first, while the collector, which takes longest, is built; then the SDK's tests,
# then everything that needs both.
test:
	@Scripts/setup standins
	@$(MAKE) test-beside $(BESIDE)
	@Scripts/beside $(RUNS)
	@Scripts/beside cluster-test

test-beside: lint build-collector-tests check-apple test-consumer test-sdk build-app test-error-barrier

# The long ones first. What starts a cluster keeps both cores, and comes alone behind them.
RUNS := test-collector test-reading test-adapters test-state test-page test-integrations docs test-api test-alerts test-demo test-opentelemetry \
        test-trace test-crashes test-replays test-mcp test-doors test-dist

# One test at a time: many of them wait for processes that die, hang or are killed, and give up after a minute.
test-sdk: build-sdk-tests
	@Scripts/setup test
	$(SWIFT) test --skip-build --no-parallel

test-adapters: build-adapter-tests
	@[ "$$(uname -s)" != Linux ] || AUTOMOBILE_STANDINS=1 $(SWIFT) test --skip-build --no-parallel $(STANDINS)

# The Objective-C of the SDK, compiled and run against GNUstep.
test-error-barrier:
	@Scripts/setup test
	Scripts/test-error-barrier

test-collector: build-collector-tests
	@Scripts/setup test
	cd Collector && $(SWIFT) test --skip-build --no-parallel --skip '^$(READING)\.'

# What SQLite's index answers, asked of ClickHouse: a process of its own, with servers of its own.
READING := ClickHouseReadingTests
test-reading: build-collector-tests
	@Scripts/setup test
	cd Collector && $(SWIFT) test --skip-build --no-parallel --filter '^$(READING)\.'

# What touches the state over HTTP, once more with the state of each collector in PostgreSQL; without one, nothing.
STATE_SUITES := Projects and keys|Configuration documents|Saved searches|What people decide about issues|What people write down about issues|$\
  Issues that are one problem|Alerts about what is asked for|Asking for what devices keep|Sessions of people|Sign-in links|Two projects|$\
  Redaction|Erasing what was asked for|Who may add symbols
# What asks the same many times over is the same with either.
STATE_SKIPS := refused|make no sense|makes no sense|no document|no name or no place|hostile text|escaped|a question that is held

test-state: build-collector-tests
	@Scripts/setup test
	cd Collector && AUTOMOBILE_TEST_STATE=postgres $(SWIFT) test --skip-build --no-parallel --filter '$(STATE_SUITES)' \
	  --skip '$(STATE_SKIPS)'

# The packages that join the SDK to others, with those packages, and with the collector that is asked what came of it.
test-integrations: build-collector build-integration-tests
	cd Integrations && AUTOMOBILE_TOOL=$(CURDIR)/$(TOOL) $(SWIFT) test --skip-build --no-parallel

# Every way in that somebody once found, tried again from outside.
test-doors: build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Doors/run.py --tool $(TOOL)

# What OpenTelemetry's own SDK sends is found, and what is exported its own messages read.
test-opentelemetry: build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/OpenTelemetry/run.py --tool $(TOOL)

# Sessions as traces, read by Perfetto's own trace processor.
test-trace: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Trace/run.py --tool $(TOOL) --app $(APP)

# The API against its own description: each operation called, and requests made out of it by Schemathesis.
test-api: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/API/run.py --tool $(TOOL) --app $(APP) $(if $(BUILT),--brief)

# Every way of dying, from the fault to the line that the collector shows.
test-crashes: build-collector build-victims
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Crashes/run.py --tool $(TOOL) --victim .build/debug/crash-victim

# What goes wrong is told by each rule, to receivers that refuse, too; and nobody inside is reached.
test-alerts: build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Alerts/run.py --tool $(TOOL)

# A recorder that is killed and refused in every way, against a real collector.
test-replays: build-collector build-victims
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Replays/run.py --tool $(TOOL) --victim .build/debug/replay-victim

# Blobs in a real S3 store, and telemetry in ClickHouse with three collectors: killed, cut off, disks full; nothing that was acknowledged
# is lost or doubled. With all other tests one check of each kind.
cluster-test: build-collector build-victims
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Cluster/run.py --tool $(TOOL) --victim .build/debug/replay-victim
	.build/python/bin/python Collector/Tests/Cluster/telemetry.py --tool $(TOOL) $(if $(BUILT),--short)

# What is tried with a data directory, with ClickHouse, PostgreSQL and an S3 store: all of it takes hours, with SHORT=1 it takes minutes. What
# cannot be tried there says why. One after the other: each starts servers of its own.
test-on-cluster:
	@$(MAKE) test-mcp-cluster --no-print-directory
	@$(MAKE) test-doors-cluster --no-print-directory
	@$(MAKE) test-page-cluster --no-print-directory
	@$(if $(SHORT),,$(MAKE) test-api-cluster --no-print-directory)

ON_CLUSTER := --cluster $(if $(SHORT),--short)

test-doors-cluster: build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Doors/run.py --tool $(TOOL) $(ON_CLUSTER)

test-api-cluster: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/API/run.py --tool $(TOOL) --app $(APP) $(ON_CLUSTER)

test-mcp-cluster: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/MCP/run.py --tool $(TOOL) --app $(APP) $(ON_CLUSTER)

test-page-cluster: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Page/run.py --tool $(TOOL) --app $(APP) $(ON_CLUSTER)

# The ledger is the test: the exit code is 0 only if nothing was lost or doubled; and in flight recorder mode, where every step of it is
# bounded in time, only if what is asked for comes, too.
test-demo: build-app build-plain-app build-collector
	$(TOOL) demo --app $(APP) --once --port 0
	[ $(APP) = $(PLAIN_APP) ] || $(TOOL) demo --app $(PLAIN_APP) --once --port 0
	$(TOOL) demo --app $(APP) --keep --once --port 0
	[ $(APP) = $(PLAIN_APP) ] || $(TOOL) demo --app $(PLAIN_APP) --keep --once --port 0

# Agents' way in, by the protocol's own reference client.
test-mcp: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/MCP/run.py --tool $(TOOL) --app $(APP)

test-page: build-app build-collector
	@Scripts/setup test
	.build/python/bin/python Collector/Tests/Page/run.py --tool $(TOOL) --app $(APP)

# What the machines of the tests build anyway: a short run measures nothing.
BENCH := $(if $(SHORT),-c debug,-c release)

# Ends with an error when an answer is wrong; a time that is missed is only said. What needs more than Swift comes last: GNUstep, an S3
# store, ClickHouse.
bench:
	@Scripts/setup
	cd Benchmarks && $(SWIFT) run $(BENCH) benchmarks $(ARGS) $(if $(SHORT),--short)
ifndef ARGS
	cd Collector && $(SWIFT) run $(BENCH) collector-bench $(if $(SHORT),--events 20000 --full-text)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench viewer $(if $(SHORT),--sessions 60 --events 60000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench agent $(if $(SHORT),--sessions 20 --events 20000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench names $(if $(SHORT),--versions 1500)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench otlp $(if $(SHORT),--records 16000 --events 8000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench trace $(if $(SHORT),--events 8000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench forward $(if $(SHORT),--events 4000 --rounds 1)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench bytes $(if $(SHORT),--events 20000 --sessions 20)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench redact $(if $(SHORT),--events 4000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench blobs $(if $(SHORT),--packs 4)
	@Scripts/setup test
	Scripts/test-error-barrier --measure
	.build/python/bin/python Collector/Tests/Cluster/bench.py --bench Collector/.build/$(if $(SHORT),debug,release)/collector-bench $(if $(SHORT),--packs 4)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench clickhouse-ingest $(if $(SHORT),--events 20000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench viewer --clickhouse $(if $(SHORT),--sessions 60 --events 60000)
	cd Collector && $(SWIFT) run $(BENCH) collector-bench bytes --clickhouse $(if $(SHORT),--events 20000 --sessions 20)
endif

# In a browser. In short with the collector that the tests built, and little of everything; else with one built for release.
bench-page:
	@Scripts/setup test
ifdef SHORT
	@$(MAKE) build-collector
	.build/python/bin/python Collector/Tests/Page/benchmark.py --tool $(TOOL) --short
else
	cd Collector && $(SWIFT) build -c release --product automobile
	.build/python/bin/python Collector/Tests/Page/benchmark.py --tool Collector/.build/release/automobile $(ARGS)
endif

# The demo's app keeps everything, in the foreground, and is asked for it; on Linux, where it runs without a device.
bench-asking: build-app
	@Scripts/setup test
ifdef SHORT
	@$(MAKE) build-collector
	.build/python/bin/python Collector/Tests/Page/asking.py --tool $(TOOL) --app $(APP) --short
else
	cd Collector && $(SWIFT) build -c release --product automobile
	.build/python/bin/python Collector/Tests/Page/asking.py --tool Collector/.build/release/automobile --app $(APP) $(ARGS)
endif

# The adapters', against the stand-ins; on Linux.
bench-adapters:
	@Scripts/setup standins
ifdef SHORT
	@[ "$$(uname -s)" != Linux ] || AUTOMOBILE_STANDINS=1 $(SWIFT) run $(STANDINS) adapter-bench $(ARGS) --short
	@[ "$$(uname -s)" != Linux ] || AUTOMOBILE_STANDINS=1 $(SWIFT) run --skip-build $(STANDINS) adapter-bench replay-hour 1 accepts
else
	AUTOMOBILE_STANDINS=1 $(SWIFT) run -c release -Xswiftc -enable-testing --scratch-path .build/standins-release adapter-bench $(ARGS)
endif

# In short, the SDK's. What feeds the collector's parsers is built with its tests, too, which run all corpora; with instrumentation, the
# collector and its packages are built once more.
fuzz:
	@Scripts/setup
	Fuzz/run $(if $(SHORT),1)
	$(if $(SHORT),,Collector/Fuzz/run)

# In short: one test of each package as long as it can be.
soak:
	@Scripts/setup test
	AUTOMOBILE_SOAK=1 $(SWIFT) test $(if $(SHORT),--filter LargeBodyTests)
	[ "$$(uname -s)" != Linux ] || { Scripts/setup standins && $(if $(SHORT),SCREEN_MONKEY_RUNS=24) AUTOMOBILE_SOAK=1 \
	  AUTOMOBILE_STANDINS=1 $(SWIFT) test --no-parallel --scratch-path .build/standins --filter $(if $(SHORT),ScreenMonkeyTests,ScreenMonkey); }
	cd Collector && AUTOMOBILE_SOAK=1 $(SWIFT) test $(if $(SHORT),--filter RetentionKillTests)

# Without the tests of crashes and of walking stacks: sanitizers bring handlers and frames of their own. One test at a
# time, because sanitizers make everything slow, and tests give up after a minute. In short: the monkey alone.
SANITIZED := --skip-build --no-parallel --skip 'Crash|crashed|Stack|the stack is|WaysOfDying|Allocation'
SHORT_MONKEY := --directory .build/sanitized-monkey --calls 5000 --sanitized

sanitize:
	@Scripts/setup test
ifdef SHORT
	rm -rf .build/sanitized-monkey
	$(SWIFT) build --product sdk-monkey --sanitize=address --scratch-path .build/asan
	ASAN_OPTIONS=detect_leaks=0 .build/asan/debug/sdk-monkey $(SHORT_MONKEY)
	$(SWIFT) build --product sdk-monkey --sanitize=thread --scratch-path .build/tsan
	TSAN_OPTIONS=halt_on_error=1 .build/tsan/debug/sdk-monkey $(SHORT_MONKEY)
else
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build/asan
	AUTOMOBILE_SANITIZED=1 ASAN_OPTIONS=detect_leaks=0 \
	  $(SWIFT) test --sanitize=address --scratch-path .build/asan $(SANITIZED)
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan
	AUTOMOBILE_SANITIZED=1 TSAN_OPTIONS=halt_on_error=1 \
	  $(SWIFT) test --sanitize=thread --scratch-path .build/tsan $(SANITIZED)
endif

# Type-checks the Swift and compiles the C for Apple's platforms, from Linux. On a Mac, Xcode does.
check-apple:
	@[ "$$(uname -s)" != Linux ] || Scripts/setup test
	@[ "$$(uname -s)" != Linux ] || Scripts/check-apple

# Names that clash, and what an app would get that is ours alone.
test-consumer:
	@Scripts/setup
	@Scripts/test-consumer

lint:
	@Scripts/setup test
	@Scripts/lint

format:
	$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format \
	  Package.swift Sources StandIns Tests Examples Benchmarks Integrations/Package.swift Integrations/Sources Integrations/Tests Collector/Package.swift Collector/Sources Collector/Tests

docs:
	@Scripts/setup
	@BUILT=$(BUILT) Scripts/docs

# On Linux: what it takes apart are ELF files.
size:
	@Scripts/setup dist
	@[ "$$(uname -s)" != Linux ] || Scripts/size $(ARGS)

dist:
	@Scripts/setup dist
	Scripts/dist $(if $(TAG),--tag $(TAG))
	Scripts/dist --check

# The packing and its check, with the program that the other tests use: making one that is self-contained takes long.
test-dist: build-collector
	.build/python/bin/python Scripts/lint-deploy --tool $(TOOL)
	@[ "$$(uname -s)" != Linux ] || { export DIST_OUT=.build/dist-try; Scripts/dist --binary $(TOOL) && Scripts/dist --check --binary $(TOOL); }

# Each target that is not run above as it stands, in a short form. `size` builds with one core, so something else has the other.
test-commands:
	@$(MAKE) test-builds SHORT=1 $(BESIDE)

test-builds: size sanitize bench fuzz soak bench-adapters bench-page bench-asking test-optimised

# Types that cannot be copied have ended the optimiser where a build for debugging went well.
test-optimised:
	cd Collector && $(SWIFT) build -c release --target AutoMobilePostgres --scratch-path .build/optimised

clean:
	rm -rf .build Collector/.build Benchmarks/.build Integrations/.build

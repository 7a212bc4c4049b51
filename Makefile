# iodeck: one non-recursive Makefile. New sources need no edit here.
#
#   make run          install what is missing, build, open the console on ./iodeck.scratch
#   make demo         the same on simulated devices, with captions (iodeck --demo list: more)
#   make              build ./iodeck
#   make test         install what the tests need, build, run all of them   (T=name: only those)
#   make test SAN=address,undefined      the same under sanitizers
#   make stress SAN=thread               the thread tests under TSan
#   make lint fuzz bench screenshots golden install clean
#   V=1 shows the commands; WERROR=1 makes warnings errors.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# make's built-in `cc` counts as set, so ?= would never take effect.
ifeq ($(origin CC),default)
CC := gcc
endif
PREFIX ?= /usr/local
SAN ?=
WERROR ?=
# Where lint builds with gcc; a fresh tree may say build/release and test what it has built.
LINT_B ?= build/lint-gcc
V ?=
T ?=
comma := ,
variant := $(if $(SAN),$(subst $(comma),-,$(SAN)),release)
B := build/$(variant)
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

VERSION := 0.1.0

warn := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wformat=2 -Wundef -Wvla -Wpointer-arith -Wcast-qual -Wnull-dereference \
	-Wimplicit-fallthrough $(if $(WERROR),-Werror)
ifneq ($(SAN),)
# -fno-sanitize-recover: a UBSan report must fail the test that caused it.
mode := -O1 -g -fno-omit-frame-pointer -fsanitize=$(SAN) -fno-sanitize-recover=all
# TSan and -Wnull-dereference disagree about instrumented code in gcc 12.
warn := $(filter-out -Wnull-dereference,$(warn))
else
mode := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
endif
base_flags := -std=gnu11 -D_GNU_SOURCE -DIODECK_VERSION='"$(VERSION)"' -I. -pthread $(mode) $(warn)
CFLAGS_LIB := $(base_flags) -Wconversion $(CFLAGS)
CFLAGS_TEST := $(base_flags) -DIODECK_BIN='"$(B)/iodeck"' $(CFLAGS)
libs := -luring -laio -linih -ljansson -lblkid -lmount -lncursesw -ltinfo -lm -pthread
test_libs := -lcriterion -lvterm -lutil

lib_src := $(filter-out src/main.c,$(wildcard src/*.c src/*/*.c engines/*.c ui/*.c))
lib_obj := $(lib_src:%.c=$(B)/%.o)
unit_src := $(wildcard tests/unit/*.c tests/pty/*.c)
unit_obj := $(unit_src:%.c=$(B)/%.o)
stress_src := $(wildcard tests/stress/*.c)
stress_bin := $(stress_src:%.c=$(B)/%)
stress_lib := $(addprefix $(B)/tests/pty/,vt.o deck.o monkey.o monkey_keys.o)
tool_bin := $(B)/arith_check
bench_src := $(wildcard tests/bench/*.c)
bench_bin := $(bench_src:%.c=$(B)/%)
headers := $(wildcard src/*.h src/*/*.h engines/*.h ui/*.h)
c_files := $(lib_src) src/main.c $(headers) $(unit_src) $(stress_src) $(bench_src) \
	$(wildcard tests/*/*.h tests/fuzz/*.c tests/tools/*.c)

.PHONY: man lint-man all run test unit e2e stress bench lint lint-format lint-layers lint-headers lint-cppcheck \
	lint-build fuzz golden screenshots install clean deps-run deps-test FORCE

all: iodeck

iodeck: build/release/iodeck
	$(Q)ln -sfn build/release/iodeck $@
ifneq ($(B),build/release)
build/release/iodeck: FORCE
	$(Q)$(MAKE) --no-print-directory SAN= build/release/iodeck
endif

# A changed flag rebuilds everything that was built with the old one. -Werror changes no object.
flags_now = $(CC) $(filter-out -Werror,$(CFLAGS_LIB)) $(libs)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(flags_now)' | cmp -s - $@ || echo '$(flags_now)' >$@

$(B)/tests/%.o: tests/%.c $(B)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_TEST) -MMD -MP -c -o $@ $<

$(B)/%.o: %.c $(B)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_LIB) -MMD -MP -c -o $@ $<

# Without 64-bit products in its vectors the compiler makes each of many 32-bit ones: three times slower.
$(B)/src/run/permutation.o: private CFLAGS_LIB += -fno-tree-vectorize

# What the workers run for each I/O is compiled together in the program: 6 % more null I/Os at depth 1.
# Fat objects: the tests, whose linkers wrap functions, use the ordinary code in them.
ifeq ($(SAN)$(findstring clang,$(CC)),)
hot := $(patsubst %.c,$(B)/%.o,$(wildcard src/run/worker_*.c) src/run/pattern.c src/run/permutation.c \
	src/stat/opstat.c src/stat/hist.c engines/null.c)
$(hot): private CFLAGS_LIB += -flto -ffat-lto-objects
$(B)/iodeck: lto := -flto
endif
lto := -fno-lto

$(B)/libiodeck.a: $(lib_obj)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar qcs $@ $^

$(B)/iodeck: $(B)/src/main.o $(B)/libiodeck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(mode) $(lto) $(LDFLAGS) -o $@ $^ $(libs)

$(B)/unit: $(unit_obj) $(B)/libiodeck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(mode) $(lto) $(LDFLAGS) -o $@ $^ $(test_libs) $(libs)

# The same tests with a guard that allows everything: they must fail.
$(B)/unit_allow: $(unit_obj) $(B)/tests/tools/guard_allow.o $(B)/libiodeck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(mode) $(lto) $(LDFLAGS) -Wl,--wrap=guard_inspect -Wl,--wrap=guard_judge -o $@ $^ $(test_libs) $(libs)

# What stress_calls counts: calls of these in iodeck's own code go to its wrappers.
counted := malloc calloc realloc free posix_memalign mmap pthread_mutex_lock worker_loop
$(B)/tests/stress/stress_calls: wrap := $(counted:%=-Wl,--wrap=%)
# stress_clock sets the wall clock of iodeck's own code.
$(B)/tests/stress/stress_clock: wrap := -Wl,--wrap=clock_gettime
$(B)/tests/stress/%: $(B)/tests/stress/%.o $(stress_lib) $(B)/libiodeck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(mode) $(lto) $(LDFLAGS) $(wrap) -o $@ $^ -lvterm -lutil $(libs)

$(B)/arith_check: $(B)/tests/tools/arith_check.o $(B)/tests/unit/arith.o $(B)/libiodeck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(mode) $(lto) $(LDFLAGS) -o $@ $^ $(libs)

$(B)/tests/bench/%: $(B)/tests/bench/%.o $(B)/libiodeck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(mode) $(lto) $(LDFLAGS) -o $@ $^ $(libs)

-include $(shell find $(B) -name '*.d' 2>/dev/null)

deps-run:
	@.ci/install run
deps-test:
	@.ci/install run test

# The console on a scratch file of its own; nothing else is touched.
run: deps-run
	@$(MAKE) --no-print-directory all
	./iodeck iodeck.scratch

# SATA against NVMe, both simulated, with captions; touches no disk.
demo: deps-run
	@$(MAKE) --no-print-directory all
	./iodeck --demo

test: deps-test
	@$(MAKE) --no-print-directory $(B)/unit $(B)/unit_allow $(B)/iodeck $(stress_bin) $(tool_bin)
	@B=$(B) SAN=$(SAN) T='$(T)' tests/run

stress: deps-test
	@$(MAKE) --no-print-directory $(stress_bin) $(B)/iodeck
	@B=$(B) SAN=$(SAN) T='$(T)' tests/run stress

golden: $(B)/unit
	@UPDATE=1 $(B)/unit --filter 'golden*/*' -j2

bench: deps-test
	@$(MAKE) --no-print-directory build/release/iodeck $(bench_bin)
	@B=$(B) tests/bench/run

fuzz:
	@tests/fuzz/run $(T)

screenshots: build/release/iodeck
	@tests/tools/screenshots

# The OPTIONS part of the manual, from the option rows.
man: build/release/iodeck
	@tests/tools/man build/release/iodeck iodeck.1

lint: lint-layers lint-format lint-headers lint-cppcheck lint-build lint-man
lint-layers:
	@tests/tools/layers
lint-format:
	@clang-format-14 --dry-run -Werror $(c_files) && echo 'format: ok'
lint-headers:
	@for h in $(headers); do \
		$(CC) $(CFLAGS_LIB) -Werror -fsyntax-only -x c $$h || exit 1; done; echo 'headers compile alone: ok'
lint-cppcheck:
	@cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem --library=posix -D_GNU_SOURCE \
		-DIODECK_VERSION='"x"' -I. -j2 $(lib_src) src/main.c && echo 'cppcheck: ok'
lint-build:
	@$(MAKE) --no-print-directory WERROR=1 CC=gcc B=$(LINT_B) $(LINT_B)/iodeck $(LINT_B)/unit
	@$(MAKE) --no-print-directory WERROR=1 CC=clang-14 B=build/lint-clang build/lint-clang/iodeck build/lint-clang/unit
	@echo 'warnings with gcc and clang: none'

lint-man: build/release/iodeck
	@tests/tools/man --check build/release/iodeck iodeck.1

install: build/release/iodeck
	install -D -m 755 build/release/iodeck $(DESTDIR)$(PREFIX)/bin/iodeck
	install -D -m 644 iodeck.1 $(DESTDIR)$(PREFIX)/share/man/man1/iodeck.1
	build/release/iodeck completion bash >build/iodeck.bash
	build/release/iodeck completion zsh >build/_iodeck
	install -D -m 644 build/iodeck.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/iodeck
	install -D -m 644 build/_iodeck $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_iodeck
	for f in profiles/*.fio; do \
		install -D -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/iodeck/$$f"; done

clean:
	rm -rf build iodeck

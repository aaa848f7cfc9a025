# SPDX-License-Identifier: GPL-2.0-or-later
# Thin front of Meson: `make bench` measures this machine, `make check` tests the project.
BUILD ?= build
# Where no /usr/bin/meson is in PATH, tools/install-packages installs it.
MESON ?= meson
export MESON

.PHONY: all bench check lint install clean packages check-packages lint-packages format

all: packages
	@tools/build "$(BUILD)"

bench: all
	@"$(BUILD)/onproc" bench --quick

check: check-packages
	@tools/check "$(BUILD)"

lint: lint-packages
	@tools/lint "$(BUILD)"

packages:
	@tools/install-packages build

check-packages:
	@tools/install-packages check

lint-packages:
	@tools/install-packages lint

install: all
	@"$(MESON)" install -C "$(BUILD)" --no-rebuild

format:
	@tools/format

clean:
	@rm -rf "$(BUILD)"

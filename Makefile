# Thin front of Meson: `make bench` measures this machine, `make check` tests the project.
BUILD ?= build
# Where no /usr/bin/meson is in PATH, tools/install-packages installs it.
MESON ?= meson

.PHONY: all bench check install clean packages check-packages format

all: packages
	@tools/build $(BUILD)

bench: all
	@$(BUILD)/onproc bench --quick

check: check-packages
	@tools/check $(BUILD)

packages:
	@tools/install-packages build

check-packages:
	@tools/install-packages check

install: all
	@$(MESON) install -C $(BUILD)

format:
	@tools/format

clean:
	@rm -rf $(BUILD)

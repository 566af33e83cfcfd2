#!/bin/sh
exec /run/proctor/toolchain/bin/python3 -m pip "$@"

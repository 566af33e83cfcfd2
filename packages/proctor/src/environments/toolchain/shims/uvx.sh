#!/bin/sh
exec /run/proctor/toolchain/bin/python3 -I /run/proctor/toolchain/lib/serve.py uvx "$@"

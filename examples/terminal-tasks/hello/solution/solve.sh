#!/bin/bash
set -e
printf "Hello, world!\n" > hello.txt

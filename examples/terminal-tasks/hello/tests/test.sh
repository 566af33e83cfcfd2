#!/bin/bash
# A reward is a number in /logs/verifier/reward.txt.
if [ "$(cat /app/hello.txt 2>/dev/null)" = "Hello, world!" ]; then
  echo 1 > /logs/verifier/reward.txt
else
  echo "hello.txt holds something else, or is not there"
  echo 0 > /logs/verifier/reward.txt
fi

#!/bin/sh
# The text that each shim begins with.
# `find_real name` sets `real` to the program that would run if this directory were not in PATH.
here=/run/proctor/toolchain
build=$PROCTOR_BUILD
online=$PROCTOR_NETWORK

find_real() {
  real=
  before=$IFS
  IFS=:
  for dir in $PATH; do
    if [ "$dir" != "$here/bin" ] && [ -f "$dir/$1" ] && [ -x "$dir/$1" ]; then real=$dir/$1; break; fi
  done
  IFS=$before
}

# run_real name arguments...: replaces this process by the real program.
run_real() {
  program=$1
  shift
  find_real "$program"
  if [ -z "$real" ]; then printf '%s: command not found\n' "$program" >&2; exit 127; fi
  exec "$real" "$@"
}

# tell field text kind name: prints the text for people, and reports it to a build as JSON.
tell() {
  printf 'proctor: %s\n' "$2" >&2
  if [ -n "$PROCTOR_REPORT_FD" ]; then
    text=$(printf '%s' "$2" | tr -d '\000-\037\177"\\')
    name=$(printf '%s' "$4" | tr -d '\000-\037\177"\\')
    (printf '{"%s":"%s","kind":"%s","name":"%s"}\n' "$1" "$text" "$3" "$name" >&9) 2>/dev/null
  fi
}

# missing kind name: reports that something is not available here.
missing() {
  tell missing "$2 is not on this machine, and there is no way to get it here ($1)" "$1" "$2"
  if [ -n "$PROCTOR_MISSING_FILE" ]; then
    (printf 'proctor: %s\n' "$2 is not on this machine, and there is no way to get it here ($1)" >>"$PROCTOR_MISSING_FILE") 2>/dev/null
  fi
}

# has_real name: succeeds when there are a network and a real program, to which it sets "real".
has_real() {
  [ -n "$online" ] || return 1
  find_real "$1"
  [ -n "$real" ]
}

// sh: what the shims have in common. Text only; each shim begins with it.
import { MISSING_FILE_VARIABLE, MISSING_WORDS } from "../../../core/missing-packages.ts";
import {
  BUILD_VARIABLE,
  INSIDE,
  INSIDE_PYTHONS,
  NETWORK_VARIABLE,
  REPORT_FD,
  REPORT_VARIABLE,
} from "../inside.ts";

/** `find_real name` sets `real` to the program that would run if this directory were not in PATH. */
export const SHELL_START = String.raw`#!/bin/sh
here=${INSIDE}
build=$${BUILD_VARIABLE}
online=$${NETWORK_VARIABLE}

find_real() {
  real=
  before=$IFS
  IFS=:
  for dir in $PATH; do
    if [ "$dir" != "$here/bin" ] && [ -f "$dir/$1" ] && [ -x "$dir/$1" ]; then real=$dir/$1; break; fi
  done
  IFS=$before
}

# run_real name arguments...
run_real() {
  program=$1
  shift
  find_real "$program"
  if [ -z "$real" ]; then printf '%s: command not found\n' "$program" >&2; exit 127; fi
  exec "$real" "$@"
}

# tell field text kind name: to people, and to a build as JSON.
tell() {
  printf 'proctor: %s\n' "$2" >&2
  if [ -n "$${REPORT_VARIABLE}" ]; then
    text=$(printf '%s' "$2" | tr -d '\000-\037\177"\\')
    name=$(printf '%s' "$4" | tr -d '\000-\037\177"\\')
    (printf '{"%s":"%s","kind":"%s","name":"%s"}\n' "$1" "$text" "$3" "$name" >&${REPORT_FD}) 2>/dev/null
  fi
}

# missing kind name: cannot be had here.
missing() {
  tell missing "$2 ${MISSING_WORDS} ($1)" "$1" "$2"
  if [ -n "$${MISSING_FILE_VARIABLE}" ]; then
    (printf 'proctor: %s\n' "$2 ${MISSING_WORDS} ($1)" >>"$${MISSING_FILE_VARIABLE}") 2>/dev/null
  fi
}

# has_real name: whether a real program may get what is not here; sets real.
has_real() {
  [ -n "$online" ] || return 1
  find_real "$1"
  [ -n "$real" ]
}
`;

/** python and python3: the real one, except for what would need a network. */
export const PYTHON_SH = String.raw`${SHELL_START}
# Sees to it that "python -m pip" and "python -m venv" work without a network; everything else is the real Python's.
called=$(basename "$0")
find_real "$called"
if [ -z "$real" ] && [ "$called" = python3 ]; then
  # A root without Python: one of this machine, if it can run here.
  for candidate in ${INSIDE_PYTHONS}-*/bin/python3; do
    if "$candidate" -c '' 2>/dev/null; then real=$candidate; break; fi
  done
fi
if [ -z "$real" ]; then printf '%s: command not found\n' "$called" >&2; exit 127; fi
case "$1 $2" in
  "-m pip") shift 2; exec "$real" -I "$here/lib/serve.py" pip "$@" ;;
  "-m venv") shift 2; exec "$real" -I "$here/lib/serve.py" venv "$@" ;;
esac
exec "$real" "$@"
`;

export const PIP_SH = `#!/bin/sh\nexec ${INSIDE}/bin/python3 -m pip "$@"\n`;
export const UV_SH = `#!/bin/sh\nexec ${INSIDE}/bin/python3 -I ${INSIDE}/lib/serve.py uv "$@"\n`;
export const UVX_SH = `#!/bin/sh\nexec ${INSIDE}/bin/python3 -I ${INSIDE}/lib/serve.py uvx "$@"\n`;

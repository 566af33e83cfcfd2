# Makes "python -m pip" and "python -m venv" work without a network. Everything else goes to the real Python.
called=$(basename "$0")
find_real "$called"
if [ -z "$real" ] && [ "$called" = python3 ]; then
  # The root has no Python, so one of this machine is used if it can run here.
  for candidate in /run/proctor/python-*/bin/python3; do
    if "$candidate" -c '' 2>/dev/null; then real=$candidate; break; fi
  done
fi
if [ -z "$real" ]; then printf '%s: command not found\n' "$called" >&2; exit 127; fi
case "$1 $2" in
  "-m pip") shift 2; exec "$real" -I "$here/lib/serve.py" pip "$@" ;;
  "-m venv") shift 2; exec "$real" -I "$here/lib/serve.py" venv "$@" ;;
esac
exec "$real" "$@"

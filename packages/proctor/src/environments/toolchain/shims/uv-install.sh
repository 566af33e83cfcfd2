#!/bin/sh
# The script that `curl -LsSf https://astral.sh/uv/install.sh | sh` runs here.
# Puts uv and uvx where their own installer would. They serve the packages that this machine has.
set -e
[ -n "$HOME" ] || HOME=/root
goal=$UV_INSTALL_DIR
[ -n "$goal" ] || goal=$XDG_BIN_HOME
[ -n "$goal" ] || goal=$HOME/.local/bin
mkdir -p "$goal"
for name in uv uvx; do
  rm -f "$goal/$name"
  cp /run/proctor/toolchain/lib/serve.py "$goal/$name"
  chmod 755 "$goal/$name"
done
cat >"$goal/env" <<END
#!/bin/sh
case ":\$PATH:" in
  *:"$goal":*) ;;
  *) export PATH="$goal:\$PATH" ;;
esac
END
echo "uv and uvx are in $goal" >&2

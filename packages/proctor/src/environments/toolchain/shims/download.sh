# curl and wget answer one address themselves, the installer of uv, and hand everything else to the real program.
called=$(basename "$0")
ours=
output=-
[ "$called" = curl ] || output=install.sh
next=
for word in "$@"; do
  if [ -n "$next" ]; then output=$word; next=; continue; fi
  case "$word" in
    http://astral.sh/uv/*install.sh | https://astral.sh/uv/*install.sh | astral.sh/uv/*install.sh) ours=1 ;;
    https://github.com/astral-sh/uv/releases/*/uv-installer.sh) ours=1 ;;
    --output=* | --output-document=*) output=$(printf '%s' "$word" | sed 's/^[^=]*=//') ;;
    --output | --output-document) next=1 ;;
    --remote-name) output=install.sh ;;
    --*) ;;
    -*)
      case "$called $word" in
        curl*o | wget*O) next=1 ;;
        wget*O-) output=- ;;
        curl*O) output=install.sh ;;
      esac ;;
  esac
done
[ -n "$ours" ] || run_real "$called" "$@"
if [ "$output" = - ]; then exec cat "$here/lib/uv-install.sh"; fi
exec cp "$here/lib/uv-install.sh" "$output"

# npm and yarn where there is no network. Packages to install must be here already; every other command goes to the real program.
called=$(basename "$0")
command=$1
global=
case "$called $1 $2" in
  "yarn global add") global=1; command=install ;;
  "yarn  ") command=install ;;
esac
case "$command" in install | i | ci | add | in | isntall) ;; *) run_real "$called" "$@" ;; esac

scope=all
words=
for word in "$@"; do
  case "$word" in
    install | i | ci | add | in | isntall) ;;
    global) [ -n "$global" ] || words="$words $word" ;;
    -g | --global | --location=global) global=1 ;;
    --production | --omit=dev | --only=prod*) scope=production ;;
    -*) ;;
    ./* | ../* | /* | file:* | *.tgz) run_real "$called" "$@" --offline ;;
    *) words="$words $word" ;;
  esac
done

has() {
  name=$(printf '%s' "$1" | sed -E 's/^(@?[^@]+)@.*$/\1/')
  if [ -n "$global" ]; then places="/usr/lib/node_modules /usr/local/lib/node_modules /usr/share/nodejs"; else places=node_modules; fi
  for place in $places; do [ -e "$place/$name" ] && return 0; done
  return 1
}

lacking=
if [ -z "$words" ] && [ -f package.json ]; then
  lacking=$(node "$here/lib/missing-packages.cjs" "$scope") || exit 1
else
  for word in $words; do has "$word" || lacking="$lacking $word"; done
fi
if [ -n "$lacking" ]; then
  if has_real "$called"; then "$real" "$@" && exit 0; fi
  for name in $lacking; do missing npm "$name"; done
  exit 1
fi
echo "up to date"

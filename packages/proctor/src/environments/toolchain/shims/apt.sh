# apt and apt-get where there is no network. A package counts as installed when the root has it in any version; no other package is
# available.
renamed() {
  case "$1" in
    netcat) echo "netcat-openbsd netcat-traditional ncat" ;;
    telnet) echo "inetutils-telnet telnet-ssl" ;;
    libgl1-mesa-glx) echo "libgl1" ;;
    libgl1-mesa-dri) echo "libgl1-mesa-dri libgl1" ;;
    libncurses5-dev) echo "libncurses-dev" ;;
    libncursesw5-dev) echo "libncurses-dev" ;;
    libreadline6-dev) echo "libreadline-dev" ;;
    libjpeg-dev) echo "libjpeg62-turbo-dev libjpeg-turbo8-dev" ;;
    libasound2) echo "libasound2t64" ;;
    gnucobol) echo "gnucobol4 gnucobol3" ;;
    gnucobol3) echo "gnucobol4 gnucobol" ;;
    python) echo "python3 python-is-python3" ;;
    python-is-python3) echo "python3" ;;
    python3-distutils) echo "python3-setuptools libpython3-stdlib" ;;
    python3-venv) echo "python3.11-venv python3.12-venv python3.13-venv" ;;
    mysql-server) echo "default-mysql-server mariadb-server" ;;
    mysql-client) echo "default-mysql-client mariadb-client" ;;
    openjdk-17-jdk) echo "default-jdk openjdk-21-jdk" ;;
    openjdk-21-jdk) echo "default-jdk openjdk-17-jdk" ;;
    awscli) echo "awscli" ;;
    exuberant-ctags) echo "universal-ctags" ;;
    p7zip-full) echo "7zip" ;;
    7zip) echo "p7zip-full" ;;
    silversearcher-ag) echo "silversearcher-ag" ;;
  esac
}
program_of() {
  case "$1" in
    nodejs) echo "node" ;;
    golang) echo "go" ;;
    golang-go) echo "go" ;;
    build-essential) echo "cc" ;;
    ripgrep) echo "rg" ;;
    fd-find) echo "fd" ;;
    openjdk-17-jdk) echo "javac" ;;
    default-jdk) echo "javac" ;;
    default-jre) echo "java" ;;
    imagemagick) echo "convert" ;;
    openssh-client) echo "ssh" ;;
    openssh-server) echo "sshd" ;;
    dnsutils) echo "dig" ;;
    iproute2) echo "ip" ;;
    net-tools) echo "ifconfig" ;;
    procps) echo "ps" ;;
    python3-pip) echo "pip3" ;;
    g++) echo "g++" ;;
    coreutils) echo "ls" ;;
    util-linux) echo "lsblk" ;;
  esac
}

command=
words=
skip=
for word in "$@"; do
  if [ -n "$skip" ]; then skip=; continue; fi
  case "$word" in
    -o | -t | -c | -a | --option | --target-release | --default-release | --config-file | --host-architecture) skip=1 ;;
    -*) ;;
    *) if [ -z "$command" ]; then command=$word; else words="$words
$word"; fi ;;
  esac
done

case "$command" in
  update | upgrade | dist-upgrade | full-upgrade | clean | autoclean | autoremove | auto-clean | auto-remove | check)
    echo "Reading package lists... Done"
    exit 0 ;;
  remove | purge | autopurge) echo "Reading package lists... Done"; exit 0 ;;
  install | reinstall) ;;
  build-dep | source | download | changelog)
    if has_real "$(basename "$0")"; then "$real" update -qq; "$real" "$@" && exit 0; fi
    missing apt "$command$(printf '%s' "$words" | tr '\n' ' ')"
    exit 100 ;;
  *) run_real "$(basename "$0")" "$@" ;;
esac

has_package() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Names that installed packages have or provide, separated by blanks. They are read once, and only when they are needed.
known=
has_provider() {
  if [ -z "$known" ]; then
    known=" $(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' 2>/dev/null |
      sed -n 's/^installed //p' | tr ',' '\n' | sed -e 's/^ *//' -e 's/[ (:].*//' | tr '\n' ' ') "
  fi
  case "$known" in *" $1 "*) return 0 ;; esac
  return 1
}

# served name: succeeds when the root has the package, the same package under another name, or its program. Reports a substitute.
served() {
  [ -n "$1" ] || return 1
  has_package "$1" && return 0
  for other in $(renamed "$1") "$1"t64; do
    if has_provider "$other"; then tell note "$1 asked for, $other of the root serves" apt "$1"; return 0; fi
  done
  has_provider "$1" && return 0
  program=$(program_of "$1")
  [ -n "$program" ] || program=$1
  find_real "$program"
  if [ -n "$real" ]; then tell note "the package $1 is not in the root, its program $real is" apt "$1"; return 0; fi
  case "$1" in
    tmux | asciinema) tell note "$1 is not in the root; nothing here needs it" apt "$1"; return 0 ;;
    python3-pytest) "$here/bin/pip3" install -q pytest && return 0 ;;
  esac
  if [ -z "$build" ]; then
    # Tests use these only to fetch their tools, which are already here.
    case "$1" in curl | wget | ca-certificates | python3-pip | python3-venv) return 0 ;; esac
  fi
  return 1
}

lacking=
IFS='
'
for word in $words; do
  unset IFS
  case "$word" in
    *.deb) dpkg -i "$word" || exit 100; continue ;;
    *-) continue ;;
  esac
  name=$(printf '%s' "$word" | sed -e 's/[=/:].*//' -e 's/+$//')
  # In names like g++ the "+" at the end is not the mark of a package to install.
  case "$word" in *++) name=$word ;; esac
  served "$name" || lacking="$lacking $name"
done
if [ -n "$lacking" ]; then
  # An earlier "update" did nothing, so it is done now. It may fail for one source of several.
  if has_real "$(basename "$0")"; then "$real" update -qq; "$real" "$@" && exit 0; fi
  unset IFS
  for name in $lacking; do
    printf 'E: Unable to locate package %s\n' "$name" >&2
    missing apt "$name"
  done
  exit 100
fi
echo "Reading package lists... Done"

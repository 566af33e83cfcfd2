// Names of the programs that tests judge with, as opposed to those that a task may be about. A task may ask for another compiler,
// database or web server; none asks for another `cat`.

const NAMES = new Set(
  `[ arch b2sum base32 base64 basename bash busybox bzcat bzip2 cat chgrp chmod chown cksum cmp comm cp csplit curl cut dash date dd df diff
   diff3 dir dirname dpkg dpkg-query du echo egrep env expand expect expr factor false fgrep file find flock fmt fold getent git grep
   groups gunzip gzip head hexdump hostid hostname id install join jq kill killall ld.so ldconfig ldd link ln logname ls lsof md5sum mkdir
   mkfifo mknod mktemp more mv nice nl nohup nproc numfmt od openssl paste pathchk pgrep pkill pr printenv printf ps ptx pwd rbash
   readlink realpath rev rm rmdir runcon runuser scp script sdiff sed seq setsid sh sha1sum sha224sum sha256sum sha384sum sha512sum shred
   shuf sleep sort split ss ssh sshpass stat stdbuf stty su sudo sum sync tac tail tar tee test timeout touch tput tr true truncate tsort
   tty uname unexpand uniq unlink unxz unzip users uv uvx vdir watch wc wget which who whoami xargs xxd xz xzcat yes zcat zip
   apt apt-get apt-cache awk gawk mawk nawk perl`.split(/\s+/),
);
const PATTERNS = [/^python[\d.]*$/, /^py\.?test(?:-[\d.]+)?$/, /^pip[\d.]*$/, /^perl[\d.]+$/, /^ld-linux/];

export function isJudgingTool(name: string): boolean {
  return NAMES.has(name) || PATTERNS.some((pattern) => pattern.test(name));
}

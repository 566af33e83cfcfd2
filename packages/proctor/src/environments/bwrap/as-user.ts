// Programs of another user than root, where an environment has several: the user is looked up inside, in what its files say now.

/** Reads the users with nothing but the shell; `chroot` then changes only the user, because the root is `/`. */
const SCRIPT = `
who=$1 id= group= home=/ name=; shift
case $who in *:*) group=\${who#*:} who=\${who%%:*};; esac
while IFS=: read -r one _ uid gid _ dir _; do
  if [ "$one" = "$who" ] || [ "$uid" = "$who" ]; then id=$uid name=$one home=$dir; [ -n "$group" ] || group=$gid; break; fi
done </etc/passwd
case $who in *[!0-9]*|'') ;; *) [ -n "$id" ] || id=$who;; esac
if [ -z "$id" ]; then echo "there is no user $who here" >&2; exit 126; fi
[ -n "$group" ] || group=0
[ -n "\${HOME-}" ] || HOME=\${home:-/}
USER=$name LOGNAME=$name
export HOME USER LOGNAME
exec chroot --userspec="$id:$group" --skip-chdir / "$@"
`;

export function isRoot(user: string | undefined): boolean {
  return user === undefined || ["root", "0", "root:root", "0:0", "root:0", "0:root", ""].includes(user);
}

/** Returns a command that changes to the user first. */
export function asUser(user: string, command: readonly string[]): string[] {
  return ["/bin/sh", "-c", SCRIPT, "sh", user, ...command];
}

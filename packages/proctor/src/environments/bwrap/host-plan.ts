// What an environment over this machine's own system sees of it, by an allow-list: the system's programs and libraries, what a package
// manager has to know, and a copy of the public part of /etc. Everything else has an empty directory in its place, or nothing.

/** Entries of `/` that are shown; symbolic links among them stay as they are. */
export const KEPT_TOP = new Set([
  "bin",
  "sbin",
  "lib",
  "lib32",
  "lib64",
  "libx32",
  "libo32",
  "usr",
  "opt",
  "var",
]);
const KEPT_VAR = new Set(["lib", "cache", "run", "lock"]);
const KEPT_VAR_LIB = new Set(
  "alternatives apk apt ca-certificates-java dnf dpkg emacsen-common ghc git man-db misc pacman pam python rpm sgml-base shells.state ucf vim xml-core".split(
    " ",
  ),
);
const KEPT_VAR_CACHE = new Set(["apt", "debconf", "fontconfig", "man"]);
/** Paths that are always hidden, such as the answers that were given to an installer. */
const HIDDEN_ALWAYS = ["var/cache/debconf/passwords.dat", "var/cache/debconf/passwords.dat-old"];

/** Directories whose entries decide, listed for each environment, since what appears there later must not be seen either. */
export const LISTED = ["/", "/var", "/var/lib", "/var/cache"] as const;

export type Listing = Readonly<Record<(typeof LISTED)[number], readonly string[]>>;

interface PlannedDirectory {
  path: string;
  mode: number;
}

const EMPTY: readonly PlannedDirectory[] = [
  ...["app", "boot", "dev", "etc", "home", "media", "mnt", "proc", "run", "srv", "sys"].map((path) => ({
    path,
    mode: 0o755,
  })),
  { path: "root", mode: 0o700 },
  { path: "run/lock", mode: 0o1777 },
  { path: "tmp", mode: 0o1777 },
  { path: "var", mode: 0o755 },
  ...["backups", "cache", "lib", "local", "log", "log/apt", "mail", "opt", "spool"].map((path) => ({
    path: `var/${path}`,
    mode: 0o755,
  })),
  { path: "var/tmp", mode: 0o1777 },
];

export interface HostPlan {
  /** Relative paths that are hidden. */
  hidden: string[];
  /** Relative paths of directories that are there anyway, parents first. */
  directories: readonly PlannedDirectory[];
}

/** Plans what of this machine is seen; `secret` are absolute paths that are always hidden. */
export function planHost(listing: Listing, secret: readonly string[]): HostPlan {
  const without = (dir: string, names: readonly string[], kept: ReadonlySet<string>): string[] =>
    names.filter((name) => !kept.has(name)).map((name) => `${dir}${name}`);
  const hidden = [
    ...without("", listing["/"], KEPT_TOP),
    ...without("var/", listing["/var"], KEPT_VAR),
    ...without("var/lib/", listing["/var/lib"], KEPT_VAR_LIB),
    ...without("var/cache/", listing["/var/cache"], KEPT_VAR_CACHE),
  ];
  const more = [...HIDDEN_ALWAYS, ...secret.map((path) => path.slice(1))].filter((path) => path !== "");
  return { hidden: outermost([...hidden, ...more]), directories: EMPTY };
}

/** Returns the paths without those below another of them. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  const isBelow = (path: string): boolean =>
    path.split("/").some((_, index, parts) => index > 0 && all.has(parts.slice(0, index).join("/")));
  return [...all].filter((path) => !isBelow(path)).toSorted();
}

/** Names in /etc that hold secrets, identities or jobs of this machine, at any depth; hidden even if all users may read them. */
const PRIVATE_NAMES = new Set(
  `.pwd.lock NetworkManager apt/auth.conf apt/auth.conf.d cron.d cron.daily cron.hourly cron.monthly cron.weekly crontab crypttab
   docker containers/auth.json cni environment exim4 fish/config.fish fstab gitconfig group group- gshadow gshadow- hostid hostname hosts
   image.setuid-baseline ipsec.d ipsec.secrets kubernetes krb5.keytab letsencrypt machine-id mtab mysql netplan netrc nftables.conf npmrc
   openvpn passwd passwd- pip.conf postgresql ppp resolv.conf rsyslog.d salt samba shadow shadow- ssh ssl/private subgid subgid- subuid
   subuid- sudoers sudoers.d systemd/network udev wireguard wpa_supplicant`.split(/\s+/),
);

const PRIVATE_ENDINGS = [".key", ".keytab", ".p12", ".pfx", ".kdbx", "-key.pem", ".secret", ".secrets"];

/** Whether a path below /etc is copied; never one that only its owner can read. */
export function isPublic(path: string, mode: number, directory: boolean): boolean {
  const readable = directory ? (mode & 0o005) === 0o005 : (mode & 0o004) !== 0;
  return readable && !PRIVATE_NAMES.has(path) && !PRIVATE_ENDINGS.some((ending) => path.endsWith(ending));
}

// The PATH of programs in an environment whose image or request sets none: that of Debian.

export const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

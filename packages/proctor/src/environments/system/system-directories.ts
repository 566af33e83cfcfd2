// Directories that hold the programs and libraries of a root. One that is gone, or is something else, leaves nothing to judge with.

const DIRECTORIES = new Set(
  "/ /bin /sbin /lib /lib32 /lib64 /libx32 /etc /usr /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/share /usr/local /usr/local/bin /usr/local/sbin /usr/local/lib".split(
    " ",
  ),
);
/** Matches a directory with the libraries of one architecture. */
const LIBRARIES = /^\/usr\/lib\/[a-z0-9_]+-linux-[a-z0-9]+$/;

/** Whether the path is a system directory, or a link that stands for one, as `/bin` is on most machines. */
export function isSystemDirectory(path: string): boolean {
  return DIRECTORIES.has(path) || LIBRARIES.test(path);
}

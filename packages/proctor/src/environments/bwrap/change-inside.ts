// Changes to the files of an environment in which nothing runs yet, made from outside. No link is followed: it would lead to this
// machine's own files.
import {
  chmodSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { makePlace } from "./environment-dir.ts";

/** `root`: where the environment's root is seen on this machine. What lies behind a link is left alone. */
export function removeInside(root: string, path: string): void {
  const parts = path.split("/").filter((part) => part !== "");
  let place = root;
  for (const [index, part] of parts.entries()) {
    place = `${place}/${part}`;
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (index === parts.length - 1) rmSync(place, { recursive: true, force: true });
    else if (!stat.isDirectory()) return;
  }
}

/** Removes what stands where there has to be a directory, or above it; `make` makes one. */
export function clearWay(root: string, path: string, make = false): void {
  const parts = path.split("/").filter((part) => part !== "");
  let place = root;
  for (const part of parts) {
    place = `${place}/${part}`;
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) break;
    if (stat.isDirectory()) continue;
    rmSync(place, { force: true });
    break;
  }
  if (make) makePlace(root, path);
}

/** Puts a file or a link of another tree in the place of whatever is there. */
export function copyInside(root: string, path: string, from: string): void {
  const parent = path.slice(0, path.lastIndexOf("/"));
  clearWay(root, parent, true);
  const source = `${from}${path}`;
  const target = `${root}${path}`;
  const stat = lstatSync(source);
  rmSync(target, { recursive: true, force: true });
  if (stat.isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    lchownSync(target, stat.uid, stat.gid);
    return;
  }
  if (stat.isDirectory()) {
    mkdirSync(target);
  } else {
    copyFileSync(source, target);
    utimesSync(target, stat.atime, stat.mtime);
  }
  lchownSync(target, stat.uid, stat.gid);
  chmodSync(target, stat.mode & 0o7777);
}

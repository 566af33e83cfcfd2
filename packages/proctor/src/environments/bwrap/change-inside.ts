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

/** Removes a path; `root` is where the environment's root is seen on this machine. Links are not followed. */
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

/** Removes what is in the way of a directory, or above it; with `make`, creates the directory. */
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

/** Replaces whatever is at the path by a file or a link of another tree. */
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

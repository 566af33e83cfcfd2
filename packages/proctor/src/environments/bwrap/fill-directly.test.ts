// Files that are put in their place without a program: as they are, and never through a link.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { fillDirectly } from "./fill-directly.ts";

const folder = temporaryFolder("fill-directly");
let count = 0;
let root: string;
let source: string;

beforeEach(() => {
  count += 1;
  root = join(folder, `root-${count}`);
  source = join(folder, `source-${count}`);
  mkdirSync(join(root, "usr"), { recursive: true });
  mkdirSync(join(source, "deep"), { recursive: true });
  writeFileSync(join(source, "deep/run.sh"), "echo");
  chmodSync(join(source, "deep/run.sh"), 0o750);
  symlinkSync("deep/run.sh", join(source, "link"));
});

it("filling a root directly copies a directory with modes and links, and makes what is above it", () => {
  expect(fillDirectly(root, source, "/a/b")).toBe(true);
  expect(readFileSync(join(root, "a/b/deep/run.sh"), "utf8")).toBe("echo");
  expect(lstatSync(join(root, "a/b/deep/run.sh")).mode & 0o777).toBe(0o750);
  expect(readlinkSync(join(root, "a/b/link"))).toBe("deep/run.sh");
});

it("filling a root directly copies a file over a file", () => {
  writeFileSync(join(root, "usr/x"), "old");
  expect(fillDirectly(root, join(source, "deep/run.sh"), "/usr/x")).toBe(true);
  expect(readFileSync(join(root, "usr/x"), "utf8")).toBe("echo");
});

it("filling a root directly follows no link, neither on the way nor at the end", () => {
  const outside = join(folder, `outside-${count}`);
  mkdirSync(outside);
  symlinkSync(outside, join(root, "way"));
  symlinkSync(join(outside, "end"), join(root, "end"));
  expect(fillDirectly(root, source, "/way/in")).toBe(false);
  expect(fillDirectly(root, join(source, "deep/run.sh"), "/end")).toBe(false);
  expect(fillDirectly(root, source, "/../../way")).toBe(false);
  expect(existsSync(join(outside, "in"))).toBe(false);
  expect(existsSync(join(outside, "end"))).toBe(false);
});

it("filling a root directly leaves large trees and special files to tar", () => {
  for (let index = 0; index < 201; index += 1) writeFileSync(join(source, String(index)), "");
  expect(fillDirectly(root, source, "/many")).toBe(false);
  expect(existsSync(join(root, "many"))).toBe(false);
  writeFileSync(join(source, "large"), Buffer.alloc(5 * 1024 * 1024));
  expect(fillDirectly(root, join(source, "large"), "/large")).toBe(false);
  expect(fillDirectly(root, "/dev/null", "/null")).toBe(false);
  expect(fillDirectly(root, join(source, "nothing"), "/nothing")).toBe(false);
});

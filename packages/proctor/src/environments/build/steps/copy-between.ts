// COPY --from=<stage>: files of one image into another, from a program in the one to a program in the other.
import type { Readable } from "node:stream";
import type { Environment } from "../../../core/ports/environments.ts";
import type { CopyStep } from "../plan.ts";
import { problem } from "../problem.ts";
import { numericOwner } from "./owner.ts";
import { pipeInto } from "./pipe-into.ts";

/** Prints type and path of each match of a pattern, in which stars are expanded and blanks split nothing. */
const LOOK = `IFS=
for path in $1; do
  if [ -d "$path" ]; then printf 'directory %s\\0' "$path"; elif [ -e "$path" ]; then printf 'file %s\\0' "$path"; fi
done`;

/** Unpacks the stream; $1 is the directory. */
const UNPACK = `umask 022
mkdir -p "$1" || exit 1
exec tar -C "$1" --no-overwrite-dir --keep-directory-symlink --numeric-owner -xp -f -`;

export async function copyBetween(
  from: Environment,
  into: Environment,
  step: CopyStep,
  signal: AbortSignal,
): Promise<void> {
  const owner = step.owner === undefined ? undefined : await numericOwner(into, step.owner, step.at);
  const change = [
    ...(owner ? [`--owner=:${owner.uid}`, `--group=:${owner.gid}`] : []),
    ...(step.mode === undefined ? [] : [`--mode=${step.mode.toString(8)}`]),
  ];
  for (const pattern of step.sources) {
    const path = pattern.startsWith("/") ? pattern : `/${pattern}`;
    const looked = await from.run({
      command: ["/bin/sh", "-c", LOOK, "look", path],
      timeoutMs: 60_000,
      cwd: "/",
      signal,
    });
    const found = looked.stdout.split("\0").filter((line) => line !== "");
    if (found.length === 0) {
      throw problem(
        step.at,
        `there is no ${pattern} in what it is copied from`,
        "see whether a step before makes it",
      );
    }
    for (const line of found) {
      const [, type = "", place = ""] = /^(\w+) ([\s\S]*)$/u.exec(line) ?? [];
      await copyOne(from, into, step, { type, place, single: found.length === 1 }, change, signal);
    }
  }
}

async function copyOne(
  from: Environment,
  into: Environment,
  step: CopyStep,
  { type, place, single }: { type: string; place: string; single: boolean },
  change: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const slash = place.replace(/\/+$/u, "").lastIndexOf("/");
  const parent = place.slice(0, slash) || "/";
  const name = place.slice(slash + 1).replace(/\/+$/u, "");
  const asDirectory =
    type === "directory" || step.target.endsWith("/") || !single || (await isDirectory(into, step.target));
  const packed = type === "directory" ? ["-C", place, "."] : ["-C", parent, "--", `./${name}`];
  // A link that is itself a source is copied as its target.
  const follow = type === "directory" ? [] : ["--dereference"];
  const rename = asDirectory ? [] : [`--transform=s,.*,./${escapeReplacement(basename(step.target))},`];
  const packer = from.start({
    command: ["tar", "--numeric-owner", ...follow, ...change, ...rename, "-cf", "-", ...packed],
    cwd: "/",
  });
  packer.stdin.end();
  packer.stderr.resume();
  const goal = asDirectory ? step.target : dirname(step.target);
  // An environment's streams are Node's own.
  const input = packer.stdout as Readable;
  const [unpacked, { code }] = await Promise.all([
    pipeInto(into, ["/bin/sh", "-c", UNPACK, "copy", goal], input, signal),
    packer.exited,
  ]);
  if (code === 0 && unpacked.code === 0) return;
  throw problem(
    step.at,
    `COPY of ${place} failed: ${unpacked.message || `exit code ${code}`}`,
    "correct the line",
  );
}

async function isDirectory(environment: Environment, path: string): Promise<boolean> {
  const { code } = await environment.run({ command: ["test", "-d", path], timeoutMs: 60_000, cwd: "/" });
  return code === 0;
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function escapeReplacement(name: string): string {
  return name.replaceAll(/[\\&,]/gu, String.raw`\$&`);
}

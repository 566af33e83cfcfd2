// What an engine says about one path of a container, without anything running inside.
import type { IncomingMessage } from "node:http";
import type Docker from "dockerode";
import type { FileChange } from "../../core/environment.ts";
import { statusOf } from "./engine.ts";

export interface PathStat {
  type: FileChange["type"];
  size: number;
  /** Permission bits. */
  mode: number;
  /** The time of the last change as the engine writes it, to the nanosecond. */
  mtime: string;
  /** Target of a link, as it is written. */
  target: string;
}

// Bits of Go's file mode, which an engine sends unchanged.
const DIRECTORY = 2 ** 31;
const LINK = 2 ** 27;
const OTHER = 2 ** 26 + 2 ** 25 + 2 ** 24 + 2 ** 21 + 2 ** 19;
const SPECIAL = [
  [2 ** 23, 0o4000],
  [2 ** 22, 0o2000],
  [2 ** 20, 0o1000],
] as const;

/** Resolves with undefined where there is nothing. */
export async function statInside(container: Docker.Container, path: string): Promise<PathStat | undefined> {
  let answer: IncomingMessage;
  try {
    answer = await container.infoArchive({ path });
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
  answer.resume();
  return readStat(answer.headers["x-docker-container-path-stat"]);
}

function readStat(header: unknown): PathStat {
  const stat: unknown = JSON.parse(Buffer.from(String(header), "base64").toString("utf8"));
  if (typeof stat !== "object" || stat === null) throw new Error("the engine says nothing about the path");
  const { size, mode, mtime, linkTarget } = { size: 0, mode: 0, mtime: "", linkTarget: "", ...stat };
  return {
    type: typeOf(mode),
    size,
    mode: (mode & 0o777) | SPECIAL.reduce((bits, [from, to]) => (has(mode, from) ? bits | to : bits), 0),
    mtime,
    target: linkTarget,
  };
}

function typeOf(mode: number): PathStat["type"] {
  if (has(mode, DIRECTORY)) return "directory";
  if (has(mode, LINK)) return "link";
  return (mode & OTHER) === 0 ? "file" : "other";
}

/** Whether a bit is set; the highest one does not fit into the signed numbers of JavaScript's bit operators. */
function has(mode: number, bit: number): boolean {
  return Math.floor(mode / bit) % 2 === 1;
}

// Pipes between this process and a child. Node gives children sockets, and a program cannot open /dev/stdout or /dev/stderr when that is a
// socket; so on Linux these are real pipes: FIFOs whose names are removed before another process can see them.
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createPipeStream } from "./pipe-stream.ts";

interface ChildPipes {
  /** The child's ends, for the `stdio` of `spawn`. */
  stdio: [number, number, number];
  stdin: Socket;
  stdout: Readable;
  stderr: Readable;
  /** Closes our copies of the child's ends; call it when the child has been spawned, or could not be. */
  handOver(): void;
}

/** Returns undefined where such pipes are not needed, or cannot be made. */
export function openPipes(): ChildPipes | undefined {
  const fifos = [takeFifo(), takeFifo(), takeFifo()] as const;
  const [input, output, error] = fifos;
  const opened: number[] = [];
  /** Opens the same pipe once more, with a mode of its own: a child must not find its end non-blocking. */
  const end = (descriptor: number, flags: number): number => {
    opened.push(openSync(`/proc/self/fd/${descriptor}`, flags));
    return opened.at(-1) ?? -1;
  };
  try {
    if (input === undefined || output === undefined || error === undefined) return undefined;
    const theirs: [number, number, number] = [
      end(input, constants.O_RDONLY),
      end(output, constants.O_WRONLY),
      end(error, constants.O_WRONLY),
    ];
    const ours = [
      end(input, constants.O_WRONLY | constants.O_NONBLOCK),
      end(output, constants.O_RDONLY | constants.O_NONBLOCK),
      end(error, constants.O_RDONLY | constants.O_NONBLOCK),
    ] as const;
    return {
      stdio: theirs,
      stdin: new Socket({ fd: ours[0], readable: false, writable: true }),
      stdout: createPipeStream(ours[1]),
      stderr: createPipeStream(ours[2]),
      handOver: () => theirs.forEach((descriptor) => closeSync(descriptor)),
    };
  } catch {
    // No descriptors are left: the next one to open a file reports it.
    for (const descriptor of opened) closeSync(descriptor);
    return undefined;
  } finally {
    for (const descriptor of fifos) if (descriptor !== undefined) closeSync(descriptor);
  }
}

const BATCH = 48;
/** FIFOs in stock, open for reading and writing, so that opening an end of one never waits. */
const spare: number[] = [];
let possible = process.platform === "linux";

function takeFifo(): number | undefined {
  if (spare.length === 0 && possible) makeFifos();
  return spare.pop();
}

/** Makes many at a time, because each call starts a program. */
function makeFifos(): void {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "proctor-pipes-"));
    const paths = Array.from({ length: BATCH }, (_, index) => join(folder ?? "", String(index)));
    // A program may open its /dev/stdout under any user. Only this process can reach the name.
    execFileSync("mkfifo", ["-m", "666", ...paths], { stdio: "ignore" });
    for (const path of paths) spare.push(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  } catch {
    possible = spare.length > 0;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

// The part of node-pty that makes a terminal. Its own streams are left out: they block the whole
// hub when a program does not read, and lose the last output when a reader is slow.
import { createRequire } from "node:module";

export interface NativePty {
  /** Non-blocking descriptor of the terminal's controlling side, which the caller closes. */
  fd: number;
  pid: number;
  /** Path of the program's side of the terminal. */
  pty: string;
}

interface Binary {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): NativePty;
  resize(fd: number, columns: number, rows: number): void;
}

interface NativePtyOptions {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  columns: number;
  rows: number;
  onExit: (code: number, signal: number) => void;
}

const SAME_USER = -1;
let loaded: Binary | undefined;

function load(): Binary {
  const require = createRequire(import.meta.url);
  // The version is pinned exactly, so what these files export is known.
  loaded ??= (
    require("@lydell/node-pty/requireBinary.js") as { requireBinary(file: string): Binary }
  ).requireBinary("pty.node");
  return loaded;
}

export function forkPty({ file, args, env, columns, rows, onExit }: NativePtyOptions): NativePty {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return load().fork(
    file,
    args,
    variables,
    "/",
    columns,
    rows,
    SAME_USER,
    SAME_USER,
    true,
    helperPath(),
    onExit,
  );
}

export function resizePty(fd: number, columns: number, rows: number): void {
  load().resize(fd, columns, rows);
}

/** A helper program of the library that only macOS needs. */
function helperPath(): string {
  if (process.platform !== "darwin") return "";
  return createRequire(import.meta.url).resolve(`@lydell/node-pty-darwin-${process.arch}/spawn-helper`);
}

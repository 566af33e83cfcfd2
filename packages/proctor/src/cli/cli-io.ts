// What a command may touch of the outside world, so that tests can run the whole program in their own process.

export interface CliOutput {
  /** False while more than a little waits to be read; then `once("drain")` tells when to go on. */
  write(content: string | Uint8Array): unknown;
  /** Writes a workflow command unescaped; present where output is guarded. */
  writeCommand?(text: string): unknown;
  once?(event: "drain", listener: () => void): unknown;
  isTTY?: boolean | undefined;
  /** Width of the terminal in columns. */
  columns?: number | undefined;
}

export interface CliIo {
  stdout: CliOutput;
  stderr: CliOutput;
  stdin: AsyncIterable<Uint8Array | string>;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process; that is not a command's business. */
  signal: AbortSignal;
}

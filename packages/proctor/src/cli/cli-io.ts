// What a command may touch of the outside world, so that tests can run the whole program in their own process.

export interface CliOutput {
  /** Returns false while much waits to be read. `once("drain")` then tells when to go on. */
  write(content: string | Uint8Array): unknown;
  /** Writes a workflow command unescaped. Present where output is guarded. */
  writeCommand?(text: string): unknown;
  once?(event: "drain", listener: () => void): unknown;
  isTTY?: boolean | undefined;
  /** Width of the terminal in columns. */
  columns?: number | undefined;
}

export interface CliInput extends AsyncIterable<Uint8Array | string> {
  /** True where a person types. */
  isTTY?: boolean | undefined;
}

export interface CliIo {
  stdout: CliOutput;
  stderr: CliOutput;
  stdin: CliInput;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process, which commands need not know. */
  signal: AbortSignal;
  /** Does what Ctrl-C does, where a prompt gets it as a key instead of a signal. */
  interrupt(): void;
}

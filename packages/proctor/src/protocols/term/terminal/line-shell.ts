// Commands of the line format: each goes to the one shell of the run, or to a shell of its own where that is asked for.
import type { Environment, Shell, ShellResult } from "../../../core/ports/environments.ts";
import type { Asciicast } from "../record/asciicast.ts";
import { restartNote, type StepResult } from "./step-result.ts";

export interface LineShellOptions {
  environment: Environment;
  recording: Asciicast;
  commandMs: number;
  excerptBytes: number;
  wholeBytes: number;
  /** True when each command gets a shell of its own; the directory is kept. */
  fresh: boolean;
}

export interface LineShell {
  readonly cwd: string;
  warmUp(): void;
  /** `from` is the directory to start in; the current one when absent. */
  run(command: string, signal: AbortSignal, from?: string): Promise<StepResult>;
}

export function createLineShell(options: LineShellOptions): LineShell {
  const { environment, recording, commandMs, excerptBytes, wholeBytes, fresh } = options;
  let cwd = environment.workdir;
  let opening: Promise<Shell> | undefined;
  let current: Shell | undefined;
  let heardBytes = 0;

  function open(): Promise<Shell> {
    const opened = environment.openShell({ cwd, excerptBytes, wholeBytes });
    // A caller that awaits it gets the error; there may be none.
    opened.catch(() => undefined);
    return opened;
  }

  function onOutput(piece: Uint8Array): void {
    heardBytes += piece.length;
    recording.output(piece);
  }

  async function go(shell: Shell, command: string, signal: AbortSignal): Promise<ShellResult> {
    heardBytes = 0;
    const running = shell.run(command, { timeoutMs: commandMs, signal, onOutput });
    // Recorded while the command runs.
    recording.step();
    recording.command(cwd, command);
    const result = await running;
    const { output } = result;
    if (heardBytes === 0) recording.text(output.text);
    else if (output.truncated) recording.leftOut(output.bytes - heardBytes);
    return result;
  }

  /** Enters the folder, quoted so that nothing in its name has a meaning. */
  async function enter(shell: Shell, folder: string, signal: AbortSignal): Promise<void> {
    const { cwd: there } = await shell.run(`cd -- '${folder.replaceAll("'", `'\\''`)}'`, {
      timeoutMs: commandMs,
      signal,
    });
    cwd = there;
  }

  return {
    get cwd() {
      return cwd;
    },
    warmUp() {
      opening ??= open();
    },
    async run(command, signal, from) {
      const shell = current ?? (await (opening ??= open()));
      current = shell;
      if (from !== undefined && from !== cwd) await enter(shell, from, signal);
      const result = await go(shell, command, signal);
      cwd = result.cwd;
      if (!fresh) return stepOf(result);
      opening = undefined;
      current = undefined;
      await shell.close();
      // The shell ends with the command anyway, so a command that ends it loses nothing.
      const { restarted: _, ...rest } = result;
      return stepOf(rest);
    },
  };
}

function stepOf({ exitCode, cwd, output, whole, timedOut, restarted, durationMs }: ShellResult): StepResult {
  const note = restarted === undefined ? "" : restartNote(restarted, cwd);
  return {
    output: note === "" || output.text === "" ? output.text + note : `${output.text}\n${note}`,
    exitCode,
    cwd,
    durationMs,
    truncated: output.truncated,
    outputBytes: output.bytes,
    timedOut,
    ...(restarted !== undefined && { restarted }),
    ...(whole && { whole }),
  };
}

// The built program as a worker: started in a folder, asked to end, stopped for a while, or killed.
import { startProgram, type ProgramOptions } from "./program.ts";

export interface WorkerProcess {
  /** How runs and operators name it. */
  id: string;
  pid: number;
  output: () => string;
  signal: (signal: NodeJS.Signals) => void;
  /** Sends the signal and waits for the end; resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  ended: Promise<number | null>;
}

export async function startWorkerProcess(
  options: ProgramOptions & { args?: readonly string[] },
): Promise<WorkerProcess> {
  const program = startProgram(["worker", ...(options.args ?? [])], options);
  const [, id = ""] = await program.printed(/worker (\S+) takes/);
  const ended = program.ended.then(({ code }) => code);
  return {
    id,
    pid: program.pid,
    output: () => program.stdout() + program.stderr(),
    signal: (signal) => void program.child.kill(signal),
    stop(signal = "SIGTERM") {
      program.child.kill(signal);
      return ended;
    },
    ended,
  };
}

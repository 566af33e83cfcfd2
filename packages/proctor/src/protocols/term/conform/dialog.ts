// One agent under trial, one program: what it is sent, what it says, how it ends. Raw: nothing is judged here.
import { baseEnvironment } from "../../../channels/process/base-environment.ts";
import { openProcess, type ProcessOutput } from "../../../channels/process/open-process.ts";
import { isGroupBusy } from "../../../runtime/processes/proc.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { uuidV7 } from "../../../core/id.ts";
import type { JsonObject } from "../../../core/json.ts";
import { parseObject } from "../../../core/parse-object.ts";
import { oneLine } from "../../one-line.ts";

export interface SaidLine {
  text: string;
  /** False for a last line without a line break. */
  terminated: boolean;
  /** Present when it is a JSON object. */
  json?: JsonObject;
  /** Number of requests that had been sent when the line came. */
  after: number;
}

/** Lines that were sent and received so far; it grows while the dialog goes on. */
export interface Transcript {
  sent: string[];
  stdout: SaidLine[];
  stderr: string[];
  /** True when the agent exceeded the time limit and was ended. */
  overtime: boolean;
  exit?: { code: number | null; signal: string | null; leftover: number };
  notStarted?: string;
  startedAt: number;
}

export interface Dialog {
  readonly transcript: Transcript;
  send(message: string | JsonObject): void;
  /** Resolves with the next line that was not taken yet; undefined when the agent exits, or stays silent while it rests for `restMs`. */
  answer(restMs?: number): Promise<SaidLine | undefined>;
  /** Discards the lines that have not been taken yet. */
  skip(): void;
  /** Waits until the agent has exited, or rested for this many milliseconds. */
  rest(ms: number): Promise<void>;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves with true when it exits; false when it has rested for that long instead. */
  exits(restMs: number): Promise<boolean>;
  /** Kills the agent; resolves when nothing of it is left. */
  close(): Promise<Transcript>;
}

export interface DialogOptions {
  command: readonly string[];
  spec: AgentSpec;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Lines that are kept. */
const MAX_LINES = 1000;
/** Interval at which a program that should come to rest is looked at, in milliseconds. */
const LOOK_MS = 15;
/** Interval in milliseconds after a long rest: a look reads about every process of the machine. */
const LONG_LOOK_MS = 75;
const LONG_REST_MS = 600;

export function openDialog({ command, spec, environment, timeoutMs, signal }: DialogOptions): Dialog {
  const channel = openProcess({
    command,
    // Processes that leave the group are found by this id.
    env: { ...baseEnvironment(), ...spec.env, ...environment, PROCTOR_RUN_ID: uuidV7() },
    ...(spec.cwd !== undefined && { cwd: spec.cwd }),
  });
  const transcript: Transcript = {
    sent: [],
    stdout: [],
    stderr: [],
    overtime: false,
    startedAt: performance.now(),
  };
  let heard = 0;
  const state = { over: false };
  let wake = (): void => undefined;

  function hear(output: ProcessOutput): void {
    if (output.kind === "exit") {
      const { code, signal: name, leftover } = output;
      transcript.exit = { code, signal: name, leftover };
    } else if (output.kind === "not-started") transcript.notStarted = output.message;
    else if (output.kind !== "closed") {
      const text = output.kind === "line" ? output.text : output.head;
      const terminated = output.kind === "overlong" || output.terminated;
      if (output.stream === "stderr") transcript.stderr.push(text);
      else {
        const json = parseObject(text);
        transcript.stdout.push({ text, terminated, ...(json && { json }), after: transcript.sent.length });
      }
    }
  }

  async function listen(): Promise<void> {
    for await (const batch of channel) {
      for (const output of batch)
        if (transcript.stdout.length + transcript.stderr.length < MAX_LINES) hear(output);
      if (batch.some(({ kind }) => kind === "exit" || kind === "not-started")) batch.forEach(hearEnd);
      wake();
    }
    state.over = true;
    wake();
  }

  /** Takes the end, however much was said before it. */
  function hearEnd(output: ProcessOutput): void {
    if (output.kind === "exit" || output.kind === "not-started") hear(output);
  }

  async function until(holds: () => boolean, ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (!holds() && !state.over && !signal.aborted) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = () => resolve();
        timer = setTimeout(wake, left);
        signal.addEventListener("abort", wake, { once: true });
      });
      signal.removeEventListener("abort", wake);
      clearTimeout(timer);
    }
    return holds();
  }

  /**
   * Waits until the program is at rest. The machine may be slow, so only the time counts in which the program sleeps or waits for input. Resolves
   * with false when it has rested for `ms`, in all or (`inOne`) without a break.
   */
  async function untilAtRest(holds: () => boolean, ms: number, inOne: boolean): Promise<boolean> {
    const deadline = performance.now() + Math.max(timeoutMs, ms);
    let restedMs = 0;
    let pauseMs = LOOK_MS;
    while (!holds() && !state.over && !signal.aborted) {
      const isBusy = channel.pid !== undefined && isGroupBusy(channel.pid);
      // One look is worth no more than the pause before it, however late it comes.
      if (!isBusy) restedMs += pauseMs;
      else if (inOne) restedMs = 0;
      if (restedMs >= ms || performance.now() >= deadline) return false;
      pauseMs = restedMs < LONG_REST_MS ? LOOK_MS : LONG_LOOK_MS;
      await until(holds, pauseMs);
    }
    return holds();
  }

  const listening = listen();

  return {
    transcript,
    send(message) {
      const line = typeof message === "string" ? message : oneLine(JSON.stringify(message));
      transcript.sent.push(line);
      void channel.write(`${line}\n`);
    },
    async answer(restMs) {
      const hasCome = (): boolean => transcript.stdout.length > heard;
      const came = await (restMs === undefined
        ? until(hasCome, timeoutMs)
        : untilAtRest(hasCome, restMs, true));
      if (came) return transcript.stdout[heard++];
      if (restMs === undefined) transcript.overtime ||= !state.over;
      return undefined;
    },
    skip() {
      heard = transcript.stdout.length;
    },
    async rest(ms) {
      await untilAtRest(() => false, ms, true);
    },
    endInput: () => channel.endInput(),
    signal: (name) => channel.signal(name),
    exits: (restMs) => untilAtRest(() => transcript.exit !== undefined, restMs, false),
    async close() {
      await channel.kill();
      await listening;
      return transcript;
    },
  };
}

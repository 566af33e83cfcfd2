// One agent under trial, one program: what it is sent, what it says, how it ends. Raw: nothing is judged here.
import { baseEnvironment } from "../../../channels/process/base-environment.ts";
import { openProcess, type ProcessOutput } from "../../../channels/process/open-process.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { uuidV7 } from "../../../core/id.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { isTooDeep } from "../../../core/json-depth.ts";

export interface SaidLine {
  text: string;
  /** False for a last line without a line break. */
  terminated: boolean;
  /** Present when it is a JSON object. */
  json?: JsonObject;
  /** So many requests had been sent. */
  after: number;
}

/** What happened. Filled as it happens. */
export interface Transcript {
  sent: string[];
  stdout: SaidLine[];
  stderr: string[];
  /** It took longer than it may, and was ended. */
  overtime: boolean;
  exit?: { code: number | null; signal: string | null; leftover: number };
  notStarted?: string;
  startedAt: number;
}

export interface Dialog {
  readonly transcript: Transcript;
  send(message: string | JsonObject): void;
  /** The next line that nobody has heard yet; undefined when it exits, or says nothing in time. */
  answer(withinMs?: number): Promise<SaidLine | undefined>;
  /** What it said and nobody heard is not heard any more. */
  skip(): void;
  /** Lets so much time pass, or less when it exits. */
  pass(ms: number): Promise<void>;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** True when it has exited within that time. */
  exits(withinMs: number): Promise<boolean>;
  /** Ends it. Nothing of it is left then. */
  close(): Promise<Transcript>;
}

export interface DialogOptions {
  command: readonly string[];
  spec: AgentSpec;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
}

/** More than anybody would read. */
const MAX_LINES = 1000;

export function openDialog({ command, spec, environment, timeoutMs, signal }: DialogOptions): Dialog {
  const channel = openProcess({
    command,
    // By the id, processes that flee are found again.
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
      else transcript.stdout.push({ text, terminated, ...parsed(text), after: transcript.sent.length });
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

  /** The end is heard, however much was said before it. */
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

  const listening = listen();

  return {
    transcript,
    send(message) {
      const line = typeof message === "string" ? message : JSON.stringify(message);
      transcript.sent.push(line);
      void channel.write(`${line}\n`);
    },
    async answer(withinMs) {
      const came = await until(() => transcript.stdout.length > heard, withinMs ?? timeoutMs);
      if (came) return transcript.stdout[heard++];
      if (withinMs === undefined) transcript.overtime ||= !state.over;
      return undefined;
    },
    skip() {
      heard = transcript.stdout.length;
    },
    async pass(ms) {
      await until(() => false, ms);
    },
    endInput: () => channel.endInput(),
    signal: (name) => channel.signal(name),
    exits: (withinMs) => until(() => transcript.exit !== undefined, withinMs),
    async close() {
      await channel.kill();
      await listening;
      return transcript;
    },
  };
}

function parsed(text: string): { json?: JsonObject } {
  if (isTooDeep(text)) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { json: value } : {};
  } catch {
    return {};
  }
}

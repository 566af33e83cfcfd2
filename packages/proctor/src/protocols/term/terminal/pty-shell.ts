// Keystrokes of the legacy format: typed into a shell with a screen, which is then shown. The agent says how
// long to wait for the screen at most: a shell that is ready again ends the wait.
import type { Environment, Pty } from "../../../core/ports/environments.ts";
import type { Asciicast } from "../record/asciicast.ts";
import { cutMiddle } from "./cut-middle.ts";
import { encodeKeys } from "./keys.ts";
import { createPromptWatch, type PromptWatch } from "./prompt.ts";
import { createScreen, type Screen } from "./screen.ts";
import { restartNote, type StepResult } from "./step-result.ts";

export interface PtyShellOptions {
  environment: Environment;
  recording: Asciicast;
  /** Limit for all keystrokes of a step together, in milliseconds. */
  commandMs: number;
  excerptBytes: number;
}

export interface PtyShell {
  readonly cwd: string | undefined;
  run(
    keys: readonly { keystrokes: string; seconds: number }[],
    signal: AbortSignal,
    from: string,
  ): Promise<StepResult>;
}

export const SCREEN = { columns: 160, rows: 40 } as const;
const FIRST_PROMPT_MS = 5000;
/** Milliseconds of silence after the shell's own mark of a prompt: its echo has come by then. */
const QUIET_AT_PROMPT_MS = 15;
/** Milliseconds of silence without that mark: a program that waits for input looks like this. */
const QUIET_MS = 150;
const LOOKS_LIKE_PROMPT = /(?:[$#>] ?|[:?\])] )$/;

export function createPtyShell(options: PtyShellOptions): PtyShell {
  const { environment, recording, commandMs, excerptBytes } = options;
  let session: PtySession | undefined;
  let cwd: string | undefined;

  async function open(from: string): Promise<PtySession> {
    const bash = await openSession(environment, recording, from, "bash");
    if (!bash.missing) return bash;
    // A root without bash has a plainer shell.
    const plain = await openSession(environment, recording, from, "sh");
    if (plain.missing) throw new Error("there is neither bash nor sh to type into");
    return plain;
  }

  /** Resolves when the shell is ready, when the screen waits for input, or after `maxMs`. */
  async function settle(
    shell: PtySession,
    seenPrompts: number,
    maxMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { prompt, screen } = shell;
    const until = performance.now() + maxMs;
    let lookedAt = -1;
    while (!signal.aborted && !shell.ended) {
      const now = performance.now();
      if (now >= until) return;
      // A terminal that has not taken all that was typed is not waiting for more of it, however busy the machine is.
      const quietMs = shell.isTyping ? 0 : now - shell.lastOutputAt;
      const ready = prompt.count > seenPrompts && prompt.atPrompt;
      // What is typed before the shell shows its prompt is shown twice: by the kernel, and by the shell when it begins to read.
      if (ready && quietMs >= QUIET_AT_PROMPT_MS) {
        if (quietMs >= QUIET_MS || (await screen.cursorLine()) !== "") return;
      }
      if (!ready && quietMs >= QUIET_MS && lookedAt !== shell.lastOutputAt) {
        lookedAt = shell.lastOutputAt;
        if (!prompt.atPrompt && LOOKS_LIKE_PROMPT.test(await screen.cursorLine())) return;
        continue;
      }
      const next = ready
        ? quietMs < QUIET_AT_PROMPT_MS
          ? QUIET_AT_PROMPT_MS
          : QUIET_MS
        : lookedAt === shell.lastOutputAt
          ? Infinity
          : QUIET_MS;
      await shell.change(Math.min(until - now, Math.max(1, next - quietMs)), signal);
    }
  }

  return {
    get cwd() {
      return cwd;
    },
    async run(keys, signal, from) {
      if (session === undefined) {
        session = await open(from);
        await settle(session, 0, FIRST_PROMPT_MS, signal);
      }
      const beganAt = performance.now();
      const shell = session;
      const { prompt, screen } = shell;
      const before = prompt.count;
      if (cwd !== undefined && cwd !== from && prompt.atPrompt) await enter(shell, from, signal);
      const typedFrom = prompt.count;
      recording.step();
      for (const { keystrokes, seconds } of keys) {
        if (signal.aborted || shell.ended) break;
        const seen = prompt.count;
        const leftMs = commandMs - (performance.now() - beganAt);
        shell.type(encodeKeys(keystrokes));
        await settle(shell, seen, Math.max(100, Math.min(seconds * 1000, leftMs)), signal);
      }
      signal.throwIfAborted();
      const text = await screen.text();
      const { output, truncated } = cutMiddle(text, excerptBytes);
      cwd = prompt.count > before ? (prompt.cwd ?? from) : (cwd ?? from);
      const result: StepResult = {
        output,
        exitCode: prompt.count > typedFrom ? prompt.exitCode : null,
        cwd,
        durationMs: performance.now() - beganAt,
        truncated,
        outputBytes: Buffer.byteLength(text),
        timedOut: false,
      };
      if (!shell.ended) return result;
      session = undefined;
      screen.close();
      const { code } = await shell.pty.exited;
      const note = restartNote("exited", cwd);
      return {
        ...result,
        exitCode: code,
        restarted: "exited",
        output: output === "" ? note : `${output}\n${note}`,
      };
    },
  };

  /** Enters a folder to which the agent changed elsewhere, by typing it, so that it can be seen. */
  async function enter(shell: PtySession, folder: string, signal: AbortSignal): Promise<void> {
    const seen = shell.prompt.count;
    shell.type(` cd -- '${folder.replaceAll("'", `'\\''`)}'\r`);
    await settle(shell, seen, 1000, signal);
  }
}

interface PtySession {
  pty: Pty;
  prompt: PromptWatch;
  screen: Screen;
  /** True when the program does not exist. */
  missing: boolean;
  readonly ended: boolean;
  readonly lastOutputAt: number;
  /** True until the terminal has taken all that was typed. */
  readonly isTyping: boolean;
  /** Types; silence counts from when the terminal has taken it. */
  type(keys: string): void;
  /** Resolves when something came, or after this many milliseconds. */
  change(ms: number, signal: AbortSignal): Promise<void>;
}

async function openSession(
  environment: Environment,
  recording: Asciicast,
  cwd: string,
  program: "bash" | "sh",
): Promise<PtySession> {
  const prompt = createPromptWatch();
  const screen = createScreen(SCREEN.columns, SCREEN.rows);
  const pty = await environment.openPty({
    ...SCREEN,
    command: [program, "-i"],
    cwd,
    env: { ...(program === "bash" ? prompt.env : prompt.plainEnv), TERM: "xterm-256color", HISTFILE: "" },
  });
  let ended = false;
  let lastOutputAt = performance.now();
  let untaken = 0;
  let wake = (): void => undefined;

  async function listen(): Promise<void> {
    try {
      for await (const piece of pty.output) {
        const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
        lastOutputAt = performance.now();
        recording.raw(bytes);
        prompt.push(bytes);
        screen.feed(bytes);
        wake();
      }
    } finally {
      ended = true;
      wake();
    }
  }

  async function change(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = () => resolve();
      timer = setTimeout(wake, ms);
      signal.addEventListener("abort", wake, { once: true });
    });
    signal.removeEventListener("abort", wake);
    clearTimeout(timer);
    wake = () => undefined;
  }

  listen().catch(() => undefined);
  const session: PtySession = {
    pty,
    prompt,
    screen,
    missing: false,
    get ended() {
      return ended;
    },
    get lastOutputAt() {
      return lastOutputAt;
    },
    get isTyping() {
      return untaken > 0;
    },
    type(keys) {
      untaken++;
      void pty.write(keys).finally(() => {
        untaken--;
        lastOutputAt = performance.now();
        wake();
      });
    },
    change,
  };
  const patience = AbortSignal.timeout(FIRST_PROMPT_MS);
  while (prompt.count === 0 && !session.ended && !patience.aborted) await change(FIRST_PROMPT_MS, patience);
  if (ended && prompt.count === 0) session.missing = [126, 127].includes((await pty.exited).code);
  return session;
}

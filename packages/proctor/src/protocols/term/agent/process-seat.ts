// An agent that is a program: one line in, one line out, logs on stderr. What its lines mean is the loop's business; here is when
// they come, and how it ends.
import type { ProcessChannel, ProcessOutput } from "../../../channels/process/open-process.ts";
import type { CreateAlarm } from "../alarm.ts";
import type { AgentExit } from "../errors.ts";
import type { ReportQueue } from "../report-queue.ts";
import { EMPTY_LINE } from "../codec.ts";
import type { WireNotes } from "../wire-notes.ts";
import type { Heard, Seat } from "./seat.ts";
import { createTail } from "../../tail.ts";

export interface SeatOptions {
  channel: ProcessChannel;
  reports: ReportQueue;
  notes: WireNotes | undefined;
  createAlarm: CreateAlarm;
  responseMs: number;
  /** True when a line that comes before its request answers it, and lines without an object are ignored. */
  lenient: boolean;
  /** Advice for when the program does not exist. */
  advice?: string;
  /** True in an environment, where a program that does not exist exits with 126 or 127. */
  elsewhere?: boolean;
}

/** Milliseconds that an agent may stay after its last answer before it is ended. */
const LINGER_MS = 2000;
const MAX_KEPT_LINES = 16;
/** Characters of stderr that are kept for the failure. */
const MAX_TAIL_CHARS = 64 * 1024;

export function createProcessSeat(options: SeatOptions): Seat & { readonly over: Promise<void> } {
  const { channel, reports, notes, lenient } = options;
  const tail = createTail(MAX_TAIL_CHARS);
  const response = options.createAlarm("agent_response", options.responseMs, () => {
    notes?.closed("agent_response");
    answer({ kind: "late" });
  });
  const linger = options.createAlarm("lingered", LINGER_MS, overstay);
  let waiter: ((heard: Heard) => void) | undefined;
  const kept: Heard[] = [];
  let leaving: "done" | "failed" | undefined;
  let stopped = false;
  let spoke = false;
  /** Number of empty lines on stdout that are not yet reported. */
  let blanks = 0;
  let stdoutClosed = false;
  let muted = false;
  let overstayed = false;
  let exit: AgentExit | undefined;
  let refusal: Heard | undefined;

  function answer(heard: Heard): void {
    const waiting = waiter;
    if (waiting === undefined) return;
    waiter = undefined;
    response.hold();
    waiting(heard);
  }

  function wait(): Promise<Heard> {
    return new Promise((resolve) => (waiter = resolve));
  }

  /** Returns the answer that is known before anything is sent: the agent is stopped, gone or was never started. */
  function foregone(): Heard | undefined {
    if (stopped) return { kind: "stopped" };
    return refusal ?? (exit || muted ? { kind: "gone" } : undefined);
  }

  function hearStdout(heard: Heard, text: string): void {
    spoke = true;
    if (lenient && leaving === undefined && !text.includes("{")) {
      reports.violation({ rule: "term.json", message: "there is no JSON object in this line" });
      return reports.log("stdout", text);
    }
    if (waiter !== undefined) return answer(heard);
    const when =
      leaving === undefined ? "before the request that it would answer" : "after the agent's last answer";
    reports.violation({ rule: "term.unasked", message: `a line came ${when}` });
    reports.log("stdout", text);
    if (!lenient || leaving !== undefined) return;
    if (kept.length < MAX_KEPT_LINES) kept.push(heard);
  }

  function hearLine(output: ProcessOutput & { kind: "line" }): void {
    const { stream, text, terminated, invalidUtf8 } = output;
    if (invalidUtf8) reports.violation({ rule: "line.encoding", message: "not valid UTF-8", where: stream });
    if (stream === "stderr") {
      tail.add(text);
      if (text !== "") reports.log("stderr", text);
    } else if (text.trim() === "") {
      blanks += 1;
    } else {
      if (!terminated) {
        const message = "the last line ends without a line break";
        reports.violation({ rule: "term.line", message, where: stream });
      }
      hearStdout({ kind: "line", text }, text);
    }
  }

  /** Reports an answer that came along with empty lines; empty lines alone are an answer that cannot be used. */
  function hearBlanks(): void {
    const isAnswer = waiter !== undefined && !lenient && leaving === undefined;
    for (; blanks > (isAnswer ? 1 : 0); blanks--) reports.violation(EMPTY_LINE);
    if (blanks === 0) return;
    blanks = 0;
    answer({ kind: "line", text: "" });
  }

  function hear(output: ProcessOutput): void {
    notes?.received(output);
    switch (output.kind) {
      case "line":
        hearLine(output);
        break;
      case "overlong": {
        const { stream, head, droppedBytes } = output;
        reports.log(stream, head, droppedBytes);
        const message = `a line was longer than allowed: ${droppedBytes} bytes of it were dropped`;
        reports.violation({ rule: "line.too_long", message, where: stream });
        if (stream === "stdout") answer({ kind: "overlong" });
        break;
      }
      case "closed":
        if (output.stream !== "stdout") break;
        stdoutClosed = true;
        // Dying closes it, too; then the exit follows at once.
        if (leaving === undefined) linger.start();
        break;
      case "exit":
        hearExit(output);
        break;
      case "not-started":
        refusal = advised(output, options.advice);
        answer(refusal);
        break;
    }
  }

  function hearExit({ code, signal, leftover }: ProcessOutput & { kind: "exit" }): void {
    exit = { code, signal };
    reports.event({ type: "process.exited", payload: { code, signal, ...(leftover > 0 && { leftover }) } });
    if (leftover > 0) {
      const message = `${leftover} processes were left behind and killed`;
      reports.violation({ rule: "process.leftover", message });
    }
    if (options.elsewhere === true && !spoke && (code === 126 || code === 127)) {
      const message = tail.text().trim() || `its program exited with code ${code}`;
      const reason = code === 127 ? "not-found" : "not-executable";
      refusal = advised({ kind: "not-started", message, reason }, options.advice);
    }
    answer(refusal ?? { kind: "gone" });
  }

  function complainOfExit(): void {
    if (exit === undefined || overstayed || stopped || (exit.code === 0 && exit.signal === null)) return;
    const how = exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
    reports.violation({ rule: "process.exit_code", message: `${how} after its last answer` });
  }

  function overstay(): void {
    notes?.closed("lingered");
    overstayed = true;
    muted = stdoutClosed && leaving === undefined;
    if (leaving !== "failed" && !stopped) {
      const message = "the agent did not exit after its last word and was ended";
      reports.violation({ rule: "process.lingered", message });
    }
    void channel.kill();
  }

  async function listen(): Promise<void> {
    try {
      for await (const batch of channel) {
        for (const output of batch) hear(output);
        if (blanks > 0) hearBlanks();
        const full = reports.room();
        if (full) await full;
      }
    } finally {
      response.close();
      linger.close();
    }
  }

  const over = listen();

  return {
    over,
    ask(line) {
      const known = foregone();
      if (known) return Promise.resolve(known);
      const early = kept.shift();
      const heard = early ? Promise.resolve(early) : wait();
      if (!early) response.start();
      notes?.sent(line);
      // Not awaited: an agent that never reads must not keep us from reading it.
      void channel.write(`${line}\n`);
      return heard;
    },
    pause() {
      channel.pause();
      response.hold();
      linger.hold();
    },
    resume() {
      channel.resume();
      if (waiter !== undefined) response.release();
      linger.release();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      notes?.closed("cancel");
      channel.signal("SIGTERM");
      answer({ kind: "stopped" });
    },
    kill() {
      if (exit === undefined && refusal === undefined) notes?.closed("kill");
      stopped = true;
      answer({ kind: "stopped" });
      void channel.kill();
    },
    async leave(how) {
      leaving = how;
      if (exit === undefined && refusal === undefined) {
        channel.endInput();
        if (how === "failed") channel.signal("SIGTERM");
        linger.start();
      }
      await over;
      if (how === "done") complainOfExit();
    },
    get exit() {
      return exit;
    },
    get muted() {
      return muted;
    },
    lastWords() {
      const text = tail.text().trimEnd();
      return text === "" ? {} : { stderr: text };
    },
  };
}

function advised(output: ProcessOutput & { kind: "not-started" }, advice: string | undefined): Heard {
  const { message, reason } = output;
  if (advice === undefined || reason !== "not-found") return { kind: "not-started", message, reason };
  return { kind: "not-started", message: `${message}\n${advice}`, reason };
}

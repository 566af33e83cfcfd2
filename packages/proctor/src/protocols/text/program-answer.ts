// What a program prints, as its answer: stdout is said as it comes, stderr is logged, and the exit code tells whether it worked.
import type { ProcessOutput } from "../../channels/process/open-process.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentEventDraft, AgentReport } from "../../core/ports/driver.ts";
import { describeExit, firstLines, type ProgramExit } from "../last-output.ts";
import { violationReport } from "../reports.ts";
import { createSpokenAnswer, MAX_ANSWER_CHARS, resultReport } from "../spoken-answer.ts";
import { createTail } from "../tail.ts";

export interface ProgramAnswer {
  /** Takes what one read of the pipes held. */
  hear(outputs: readonly ProcessOutput[]): AgentReport[];
  /** True once the program has closed its output, and only has to exit. */
  readonly spoken: boolean;
  /** True once it printed more than an answer may hold. */
  readonly overflowed: boolean;
  /** Notes that the program did not exit and was ended. */
  lingered(): void;
  /** Called after the program's end. With `cancelled` it was asked to stop. */
  conclude(cancelled: boolean): AgentReport[];
}

/** Characters of stderr that are kept for the failure. */
const MAX_TAIL_CHARS = 2000;
const MAX_BREAKS = 1000;

export function createProgramAnswer(maxChars: number = MAX_ANSWER_CHARS): ProgramAnswer {
  const answer = createSpokenAnswer(maxChars);
  const tail = createTail(MAX_TAIL_CHARS);
  let exit: ProgramExit = { code: null, signal: null };
  let neverStarted: Failure | undefined;
  let garbled = false;
  let closed = false;
  let stayed = false;
  /** Line breaks at the end of what was printed so far: at the very end, they are not part of the answer. */
  let breaks = "";

  function hearStdout(text: string): AgentReport[] {
    const all = breaks + text;
    const said = withoutBreaks(all);
    breaks = all.slice(said.length);
    return answer.say(said);
  }

  function hearOutput(output: ProcessOutput): AgentReport[] {
    switch (output.kind) {
      case "line": {
        const { stream, text, invalidUtf8 } = output;
        if (stream === "stderr") tail.add(text);
        const reports = stream === "stderr" ? [logOf(text)] : hearStdout(text);
        if (!invalidUtf8 || garbled) return reports;
        garbled = true;
        return [
          ...reports,
          violationReport({ rule: "line.encoding", message: "not valid UTF-8", where: stream }),
        ];
      }
      case "overlong":
        return [logOf(output.head, output.droppedBytes)];
      case "closed":
        closed ||= output.stream === "stdout";
        return [];
      case "exit":
        return hearExit(output);
      case "not-started":
        neverStarted = failure("AGENT_NOT_STARTED", output.message, { reason: output.reason });
        return [];
    }
  }

  function hearExit({ code, signal, leftover }: ProcessOutput & { kind: "exit" }): AgentReport[] {
    exit = { code, signal };
    const payload = { code, signal, ...(leftover > 0 && { leftover }) };
    const reports: AgentReport[] = [{ kind: "event", event: { type: "process.exited", payload } }];
    if (leftover > 0) {
      const message = `${leftover} processes were left behind and killed`;
      reports.push(violationReport({ rule: "process.leftover", message }));
    }
    return reports;
  }

  function trouble(): Failure | undefined {
    if (neverStarted) return neverStarted;
    const stderr = tail.text() === "" ? {} : { stderr: tail.text() };
    if (answer.overflowed) {
      return failure("INVALID_RESPONSE", `the program printed more than ${maxChars} characters`, stderr);
    }
    if (stayed || exit.code === 0) return undefined;
    const printed = firstLines(answer.text.split("\n", 4));
    const said = { ...(printed !== "" && { stdout: printed }), ...stderr };
    return failure("AGENT_CRASHED", `the program ${describeExit(exit)}`, { ...exit, ...said });
  }

  return {
    hear: (outputs) => joinLogs(outputs.flatMap(hearOutput)),
    get spoken() {
      return closed;
    },
    get overflowed() {
      return answer.overflowed;
    },
    lingered() {
      stayed = true;
    },
    conclude(cancelled) {
      const reports = answer.close();
      if (stayed) {
        const message = "the program did not exit after it closed its output and was ended";
        reports.push(violationReport({ rule: "process.lingered", message }));
      }
      const why = trouble();
      if (why === undefined) reports.push(resultReport(answer.text));
      if (cancelled) reports.push({ kind: "end", end: { status: "cancelled" } });
      else if (why) reports.push({ kind: "end", end: { status: "failed", failure: why } });
      else reports.push({ kind: "end", end: { status: "completed" } });
      return reports;
    },
  };
}

/** Removes line breaks at the end; a program that prints them without end has them counted as text. */
function withoutBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r") && text.length - end < MAX_BREAKS)
    end--;
  return text.slice(0, end);
}

function logOf(text: string, droppedBytes = 0): AgentReport {
  const cut = droppedBytes > 0 ? { dropped_bytes: droppedBytes } : {};
  return { kind: "event", event: { type: "log", payload: { stream: "stderr", text, ...cut } } };
}

/** Neighbouring lines of one read become one event, so that a talkative program costs little. */
function joinLogs(reports: AgentReport[]): AgentReport[] {
  const joined: AgentReport[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) joined.push(logOf(lines.join("\n")));
    lines = [];
  };
  for (const report of reports) {
    const event: AgentEventDraft | undefined = report.kind === "event" ? report.event : undefined;
    const isLine =
      event?.type === "log" && event.payload.stream === "stderr" && event.payload.dropped_bytes === undefined;
    if (isLine) lines.push(event.payload.text);
    else {
      flush();
      joined.push(report);
    }
  }
  flush();
  return joined;
}

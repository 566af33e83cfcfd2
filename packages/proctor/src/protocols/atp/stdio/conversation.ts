// What an ATP agent says over its two pipes, turned into reports. Decides in the end what the run came to: the last
// response on stdout wins, and an agent that left without one has failed.
import type { Violation } from "../../../core/event.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { AgentReport, Job } from "../../../core/ports/driver.ts";
import type { ProcessOutput } from "../../../channels/process/open-process.ts";
import { reportAnswer } from "../answer.ts";
import { createAtpReader, type AtpLine } from "../reader.ts";
import { createReportList, type ReportList, type Stream } from "../report-list.ts";
import { describeExit, firstLines, type ProgramExit } from "../../last-output.ts";
import { createTail } from "../../tail.ts";
import type { CompatResponse } from "../wire.ts";

export interface Conversation {
  /** Takes what one read of the pipes held. Lines that are neither event nor response are logged together. */
  hear(outputs: readonly ProcessOutput[]): AgentReport[];
  /** True once the agent has answered or closed its output, and only has to exit. */
  readonly spoken: boolean;
  /** Notes that the agent did not exit and was ended. */
  lingered(): void;
  /** Called after the agent's end. Reports its artifacts and how it ended. */
  conclude(): AgentReport[];
}

const MAX_MULTILINE_CHARS = 10 * 1024 * 1024;
/** Characters of stderr that are kept for the failure. */
const MAX_TAIL_CHARS = 2000;

export function createConversation(job: Job): Conversation {
  const reader = createAtpReader(job.runId);
  let response: CompatResponse | undefined;
  let unusable: Violation | undefined;
  let stdoutClosed = false;
  let lingered = false;
  /** True when the last line on stdout is a JSON object that is not a response. */
  let lastIsObject = false;
  let neverStarted: Failure | undefined;
  let exit: ProgramExit = { code: null, signal: null };
  const tail = createTail(MAX_TAIL_CHARS);
  let unread: string[] = [];
  let unreadChars = 0;

  function hearLine(stream: Stream, text: string, reports: ReportList): void {
    if (text === "") return;
    const line = reader.read(text);
    if (stream === "stderr") hearStderr(line, text, reports);
    else hearStdout(line, text, reports);
    for (const violation of line.violations) reports.violation(violation);
  }

  function hearStderr(line: AtpLine, text: string, reports: ReportList): void {
    if (line.kind === "event") return reports.event(line.event);
    tail.add(text);
    reports.log("stderr", text);
    if (line.kind === "response") {
      reports.violation({
        rule: "atp.stdio.stream",
        message: "a response belongs on stdout",
        where: "stderr",
      });
    }
  }

  function hearStdout(line: AtpLine, text: string, reports: ReportList): void {
    switch (line.kind) {
      case "response":
        if (response) {
          const message = "another response came; the last counts";
          reports.violation({ rule: "atp.response.repeated", message });
        }
        response = line.response;
        break;
      case "unusable":
        unusable = line.violations[0];
        reports.log("stdout", text);
        break;
      case "event":
        reports.event(line.event);
        reports.violation({
          rule: "atp.stdio.stream",
          message: "an event belongs on stderr",
          where: "stdout",
        });
        break;
      case "other":
        rememberUnread(text);
        lastIsObject = text.startsWith("{") && line.violations.length === 0;
        reports.log("stdout", text);
        break;
    }
  }

  /** Remembers lines that are not messages: some agents print their response over several, which are tried together at the end. */
  function rememberUnread(text: string): void {
    unreadChars += text.length + 1;
    if (unreadChars > MAX_MULTILINE_CHARS) unread = [];
    else unread.push(text);
  }

  function readMultiline(reports: ReportList): void {
    if (response || unread.length < 2) return;
    const line = reader.read(unread.join("\n").trim());
    if (line.kind !== "response") return;
    response = line.response;
    reports.violation({ rule: "atp.stdio.line", message: "the response must be one line", where: "stdout" });
    for (const violation of line.violations) reports.violation(violation);
  }

  function answer(wire: CompatResponse, reports: ReportList): void {
    if (!lingered && (exit.signal !== null || exit.code !== 0)) {
      reports.violation({ rule: "process.exit_code", message: `${describeExit(exit)} after its response` });
    }
    reportAnswer(wire, reports);
  }

  function silence(): Failure {
    if (neverStarted) return neverStarted;
    const printed = firstLines(unread);
    const said = {
      ...(printed !== "" && { stdout: printed }),
      ...(tail.text() !== "" && { stderr: tail.text() }),
    };
    if (unusable) {
      const message = `the agent's response cannot be used: ${unusable.message}`;
      return failure("INVALID_RESPONSE", message, said);
    }
    if (lingered) {
      return failure("NO_RESPONSE", "the agent closed its output without a response and did not exit", said);
    }
    if (exit.code === 0) {
      const why = lastIsObject ? ": its last line is a JSON object without status" : "";
      return failure("NO_RESPONSE", `the agent exited without a response${why}`, said);
    }
    const { code, signal } = exit;
    return failure("AGENT_CRASHED", `the agent ${describeExit(exit)} without a response`, {
      code,
      signal,
      ...said,
    });
  }

  function hearOutput(output: ProcessOutput, reports: ReportList): void {
    switch (output.kind) {
      case "line":
        hearLine(output.stream, output.text, reports);
        if (output.invalidUtf8) {
          reports.violation({ rule: "line.encoding", message: "not valid UTF-8", where: output.stream });
        }
        break;
      case "overlong": {
        const { stream, head, droppedBytes } = output;
        reports.log(stream, head, droppedBytes);
        const message = `a line was longer than allowed: ${droppedBytes} bytes of it were dropped`;
        reports.violation({ rule: "line.too_long", message, where: stream });
        break;
      }
      case "closed":
        if (output.stream === "stdout") stdoutClosed = true;
        break;
      case "exit": {
        const { code, signal, leftover } = output;
        exit = { code, signal };
        reports.event({
          type: "process.exited",
          payload: { code, signal, ...(leftover > 0 && { leftover }) },
        });
        if (leftover > 0) {
          const message = `${leftover} processes were left behind and killed`;
          reports.violation({ rule: "process.leftover", message });
        }
        break;
      }
      case "not-started":
        neverStarted = failure("AGENT_NOT_STARTED", output.message, { reason: output.reason });
        break;
    }
  }

  return {
    hear(outputs) {
      const reports = createReportList();
      for (const output of outputs) hearOutput(output, reports);
      return reports.list;
    },
    get spoken() {
      return response !== undefined || stdoutClosed;
    },
    lingered() {
      lingered = true;
    },
    conclude() {
      const reports = createReportList();
      readMultiline(reports);
      if (lingered) {
        const message = "the agent did not exit after its last word and was ended";
        reports.violation({ rule: "process.lingered", message });
      }
      if (response) answer(response, reports);
      else reports.list.push({ kind: "end", end: { status: "failed", failure: silence() } });
      return reports.list;
    },
  };
}

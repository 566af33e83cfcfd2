// What `proctor run` shows while a run goes on: a line for each event, what the agent says as it says it, and a last line that
// counts. In a pipe there are whole lines only.
import { createHash } from "node:crypto";
import type { RunEvent } from "../../../core/event.ts";
import { applyEvent, type RunState } from "../../../core/fold.ts";
import { textOf, type Part } from "../../../core/message.ts";
import type { Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";
import type { CliIo, CliOutput } from "../../cli-io.ts";
import { EVENT_INDENT, eventRoom, renderEventLine, renderSpokenRow } from "../../terminal/event-line.ts";
import { createLiveLine, type LiveLine } from "../../terminal/live-line.ts";
import { renderProgressLine } from "../../terminal/progress-line.ts";
import { questionLines, textLines } from "../../terminal/question-lines.ts";
import type { Screen } from "../../terminal/screen.ts";
import { createStreamedText, type StreamedText } from "../../terminal/streamed-text.ts";
import { oneLine, truncate } from "../../terminal/text.ts";

export interface RunView extends Pick<LiveLine, "lend" | "stop"> {
  onRun(run: Run): void;
  /** Takes an event into account, and shows it unless it is `silent`. */
  onEvent(event: RunEvent, silent: boolean): void;
  /** Prints a line among the events. */
  tell(text: string): void;
  showQuestion(question: Question): void;
  /** True for a text that the agent has said, word for word. */
  wasSaid(text: string): boolean;
}

interface Spoken {
  id: string;
  part: number;
  text: StreamedText;
  /** The event in whose line the text begins; undefined when something of it has been printed. */
  first: RunEvent | undefined;
}

/** Events that are not shown: what they announce is shown when it is there. */
const UNSEEN: ReadonlySet<RunEvent["type"]> = new Set([
  "run.created",
  "message.opened",
  "message.delivered",
  "question.delivered",
  "artifact.opened",
  "artifact.extended",
]);

/** Creates the view. With `quiet` events are not shown, and a terminal still gets the last line. */
export function createRunView(options: {
  io: CliIo;
  output: CliOutput;
  screen: Screen;
  first: Run;
  quiet: boolean;
}): RunView {
  const { io, output, screen, first, quiet } = options;
  const { paint } = screen;
  const startedAt = Date.now();
  const startMs = Date.parse(first.created_at);
  const isTerminal = output.isTTY === true;
  /** The texts of messages that are not whole yet, by id and part. */
  const texts = new Map<string, string[]>();
  /** Hashes of what the agent said. */
  const said = new Set<string>();
  let state: RunState = { run: first, openCalls: [] };
  let spoken: Spoken | undefined;

  const look = () => ({ startMs, paint, width: screen.width, whole: true });
  const live = createLiveLine(output, () => {
    const { status, metrics } = state.run;
    const hint = io.signal.aborted ? "cancelling…" : "Ctrl-C cancels";
    const elapsedMs = Date.now() - startedAt;
    const line = renderProgressLine({ status, metrics, elapsedMs, hint }, paint, screen.width ?? 80);
    const row = spoken?.text.row ?? "";
    return spoken === undefined || row === "" ? line : `${spokenRow(spoken, row)}\n${line}`;
  });

  function spokenRow({ first: event }: Spoken, row: string): string {
    if (event === undefined) return `${EVENT_INDENT}${row}`;
    return renderSpokenRow(event, row, true, look());
  }

  /** Returns the columns of a row. One stays free: a full row would wrap, and the next redraw would leave half of it behind. */
  const room = (): number => Math.max(1, eventRoom(screen.width) - 1);

  function speak(event: Extract<RunEvent, { type: "message.extended" }>): void {
    const { id, part, text } = event.payload;
    const parts = texts.get(id) ?? [];
    parts[part] = (parts[part] ?? "") + text;
    texts.set(id, parts);
    if (!isTerminal || quiet) return;
    if (spoken?.id !== id || spoken.part !== part) {
      fallSilent();
      spoken = { id, part, text: createStreamedText(), first: event };
    }
    const now = spoken;
    const rows = now.text.add(text, room());
    for (const row of rows) {
      live.print(spokenRow(now, row));
      now.first = undefined;
    }
    if (rows.length === 0) live.draw();
  }

  /** Prints the row that was still growing. */
  function fallSilent(): void {
    const before = spoken;
    spoken = undefined;
    const row = before?.text.end();
    if (before !== undefined && row !== undefined) live.print(spokenRow(before, row));
  }

  function finishSpeaking(event: Extract<RunEvent, { type: "message.closed" }>): void {
    const { id, parts: others } = event.payload;
    const parts = Array.from(texts.get(id) ?? [], (text): Part => ({ kind: "text", text: text ?? "" }));
    texts.delete(id);
    remember([...parts, ...others]);
    fallSilent();
    const shown = isTerminal ? others : [...parts, ...others];
    if (quiet || shown.length === 0) return;
    const [top = "", ...below] = textLines(textOf(shown), eventRoom(screen.width));
    live.print(
      [
        renderSpokenRow(event, top, true, look()),
        ...below.map((line) => `${EVENT_INDENT}${line}`.trimEnd()),
      ].join("\n"),
    );
  }

  function remember(parts: readonly Part[]): void {
    said.add(digest(textOf(parts)));
    for (const part of parts) said.add(digest(textOf([part])));
  }

  function show(event: RunEvent): void {
    if (event.type === "message.extended") return speak(event);
    if (event.type === "message.closed") return finishSpeaking(event);
    if (event.type === "message.added" && event.payload.message.role === "agent")
      remember(event.payload.message.parts);
    if (quiet || UNSEEN.has(event.type)) return;
    fallSilent();
    live.print(renderEventLine(event, look()));
  }

  return {
    lend: live.lend,
    stop: live.stop,
    onRun(run) {
      state = { run: { ...run, metrics: {} }, openCalls: [] };
      texts.clear();
      said.clear();
      if (!quiet) live.print(heading(run, screen));
    },
    onEvent(event, silent) {
      state = advance(state, event);
      if (!silent) show(event);
    },
    tell: (text) => live.print(`${EVENT_INDENT}${text}`),
    showQuestion: (question) =>
      live.print(
        questionLines(question, paint, eventRoom(screen.width))
          .map(
            (line, index) =>
              `${index === 0 ? `${EVENT_INDENT.slice(2)}${paint.magenta("?")} ` : EVENT_INDENT}${line}`,
          )
          .join("\n"),
      ),
    wasSaid: (text) => said.has(digest(text)),
  };
}

function heading(run: Run, { paint, width }: Screen): string {
  const attempt = run.attempt > 1 ? ` attempt ${run.attempt}` : "";
  const text = `run ${run.id}${attempt} on ${oneLine(run.agent)}`;
  return paint.bold(width === undefined ? text : truncate(text, width));
}

/** Applies an event to the counters at the bottom by the same rules as to the run itself; an event that does not fit changes nothing. */
function advance(state: RunState, event: RunEvent): RunState {
  try {
    const before = event.type === "run.created" ? null : state;
    return applyEvent(before, event.run_id, event, Date.parse(event.timestamp));
  } catch {
    return state;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text.trim()).digest("hex");
}

// An event in one line: its kind, what it is called, and what it says. The log, the story and the comparison all speak this way.
import type { Event } from "../api/gen/schema.ts";
import { texts } from "../texts.ts";
import { bytes, cost, count, duration } from "./format.ts";

export const EVENT_KINDS = [
  "run",
  "message",
  "question",
  "reasoning",
  "model",
  "tool",
  "step",
  "artifact",
  "log",
  "problem",
  "other",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface EventLine {
  kind: EventKind;
  title: string;
  text: string;
  bad: boolean;
  /** Whether the text was printed by a program, and is shown in its colours. */
  printed?: boolean;
}

type Payload = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, EventKind>> = {
  tool_call: "tool",
  "tool.called": "tool",
  llm_request: "model",
  reasoning: "reasoning",
  progress: "step",
  state_change: "step",
  artifact_created: "artifact",
  error: "problem",
  violation: "problem",
  log: "log",
  "process.exited": "run",
  "environment.opened": "run",
  "workspace.kept": "run",
};

export function kindOf({ type }: Pick<Event, "type">): EventKind {
  const known = KINDS[type];
  if (known !== undefined) return known;
  const [group = ""] = type.split(".");
  if (group === "subtask" || group === "plan") return "step";
  if (group === "session") return "run";
  return EVENT_KINDS.find((kind) => kind === group) ?? "other";
}

export function describeEvent(event: Event): EventLine {
  const { type, payload } = event;
  const kind = kindOf(event);
  const line = (title: string, text = "", bad = false): EventLine => ({ kind, title, text, bad });
  switch (type) {
    case "tool_call":
    case "tool.called": {
      const failed = typeof payload["error"] === "string" || payload["status"] === "error";
      const title = type === "tool_call" ? texts.events.reported : texts.events.observed;
      const parts = [short(payload["input"]), failed ? str(payload["error"]) : short(payload["output"])];
      return line(
        `${title} ${str(payload["tool"])}`,
        withTime(parts.filter(Boolean).join(" → "), payload),
        failed,
      );
    }
    case "llm_request":
      return line(`${texts.events.model} ${str(payload["model"])}`, modelText(payload));
    case "reasoning":
      return line(texts.events.thought, str(payload["thought"]) || short(payload["plan"]));
    case "progress":
      return line(
        texts.events.progress,
        [str(payload["message"]), percentText(payload)].filter(Boolean).join(" · "),
      );
    case "state_change":
      return line(`${str(payload["from_state"])} → ${str(payload["to_state"])}`, str(payload["reason"]));
    case "error":
      return line(str(payload["error_type"]) || texts.events.error, str(payload["message"]), true);
    case "violation":
      return line(`${texts.events.violation} ${str(payload["rule"])}`, str(payload["message"]), true);
    case "log":
      return { ...line(str(payload["stream"]), str(payload["text"])), printed: true };
    case "run.ended": {
      const failure = record(payload["failure"]);
      const status = str(payload["status"]);
      const bad = !["completed", "cancelled"].includes(status);
      return line(
        `${texts.events.ended} ${status}`,
        failure ? `${str(failure["code"])}: ${str(failure["message"])}` : "",
        bad,
      );
    }
    case "run.queued":
      return line(texts.events.queued, str(payload["not_before"]));
    case "run.started":
      return line(texts.events.started, str(payload["worker"]));
    case "run.created":
      return line(texts.events.created, str(record(payload["task"])?.["description"]));
    case "process.exited":
      return line(texts.events.exited, exitText(payload), payload["code"] !== 0);
    case "message.added":
      return line(
        texts.events.said(str(record(payload["message"])?.["role"])),
        partsText(record(payload["message"])),
      );
    case "message.extended":
      return line(texts.events.saying, str(payload["text"]));
    case "question.asked":
      return line(texts.events.asked, partsText(record(payload["question"])));
    case "question.answered":
      return line(texts.events.answered, answerText(record(payload["answer"])));
    case "artifact.added": {
      const artifact = record(payload["artifact"]) ?? {};
      const size = typeof artifact["size_bytes"] === "number" ? bytes(artifact["size_bytes"]) : "";
      return line(
        texts.events.artifact,
        [str(artifact["path"] ?? artifact["name"]), size].filter(Boolean).join(" · "),
      );
    }
    default:
      return line(type, short(payload));
  }
}

/** Returns the texts of parts, one after the other. */
export function partsText(holder: Payload | undefined): string {
  const parts = Array.isArray(holder?.["parts"]) ? (holder["parts"] as Payload[]) : [];
  return parts
    .map((part) => str(part["text"]) || str(part["url"]) || short(part["data"] ?? part["name"]))
    .join("\n");
}

function answerText(answer: Payload | undefined): string {
  const by = str(record(answer?.["by"])?.["kind"]);
  const said = str(answer?.["option"]) || partsText(answer) || short(answer?.["data"]);
  return [said, by].filter(Boolean).join(" · ");
}

function modelText(payload: Payload): string {
  const { input_tokens: input, output_tokens: output, cost_usd: usd } = payload;
  const tokens =
    typeof input === "number" || typeof output === "number"
      ? texts.events.tokens(count(Number(input ?? 0)), count(Number(output ?? 0)))
      : "";
  return withTime([tokens, typeof usd === "number" ? cost(usd) : ""].filter(Boolean).join(" · "), payload);
}

function withTime(text: string, payload: Payload): string {
  const ms = payload["duration_ms"];
  return typeof ms === "number" ? `${text} · ${duration(ms)}` : text;
}

function percentText(payload: Payload): string {
  return typeof payload["percentage"] === "number" ? `${payload["percentage"]} %` : "";
}

function exitText(payload: Payload): string {
  return payload["signal"] == null ? `code ${str(payload["code"])}` : str(payload["signal"]);
}

export function str(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

export function record(value: unknown): Payload | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Payload)
    : undefined;
}

const SHORT = 300;

/** Returns a value as JSON in one line, cut. */
export function short(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}

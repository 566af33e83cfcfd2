// An answer that comes frame by frame: the text in each, and what else frames say.
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import { parseAny } from "../http-refusal.ts";
import { noteReport, violationReport } from "../reports.ts";
import { sketch } from "../sketch.ts";
import { createSpokenAnswer } from "../spoken-answer.ts";
import { decodeAside } from "./codec.ts";
import type { Frame } from "./frames.ts";
import { guessDelta } from "./guess.ts";
import type { PlaceInJson, RestOptions } from "./options.ts";
import type { Conclusion } from "./whole-answer.ts";

export interface StreamAnswer {
  /** Takes a frame, and returns what it reports. */
  hear(frame: Frame): AgentReport[];
  /** True when nothing that may still come counts. */
  readonly done: boolean;
  readonly conversationId: string | number | undefined;
  readonly metrics: Metrics;
  /** Ends the text that was said. */
  close(): AgentReport[];
  /** Returns the whole answer, or why there is none. Called after the last frame of a stream that was not cut. */
  conclude(): Conclusion;
}

/** Data with which most streams end. */
const USUAL_END = "[DONE]";

export function createStreamAnswer(options: RestOptions): StreamAnswer {
  const spoken = createSpokenAnswer();
  let place: PlaceInJson | undefined = options.delta;
  let plain = false;
  let over = false;
  let failed: Failure | undefined;
  let whole: Json | undefined;
  let conversationId: string | number | undefined;
  let metrics: Metrics = {};
  let frames = 0;
  let last: Json | undefined;

  /** Text that is not JSON is the answer itself in streams whose frames hold nothing else. */
  function hearText(data: string): AgentReport[] {
    if (place === undefined && options.stream === "sse") {
      plain = true;
      return spoken.say(data);
    }
    return [
      violationReport({
        rule: "rest.json",
        message: "a frame is not valid JSON, or nested too deeply",
        where: "stream",
      }),
    ];
  }

  function hearDocument(document: Json): AgentReport[] {
    last = document;
    const aside = decodeAside(document, options);
    failed ??= aside.error;
    conversationId = aside.conversationId ?? conversationId;
    metrics = { ...metrics, ...aside.metrics };
    whole = options.answer?.find(document) ?? whole;
    const reports = aside.violations.map(violationReport);
    if (place === undefined) {
      place = guessDelta(document);
      if (place)
        reports.push(
          noteReport(
            `the text of the stream was taken from "${place.name}" (options.delta says where it is)`,
          ),
        );
    }
    const text = place?.find(document);
    if (typeof text === "string" || typeof text === "number") reports.push(...spoken.say(String(text)));
    return reports;
  }

  function hearData(data: string): AgentReport[] {
    frames += 1;
    const document = plain ? undefined : parseAny(data);
    if (isJsonObject(document) || Array.isArray(document)) return hearDocument(document);
    if (typeof document === "string" && place === undefined) return spoken.say(document);
    return hearText(data);
  }

  return {
    hear(frame) {
      if (frame.kind === "oversized") {
        failed ??= failure("INVALID_RESPONSE", "a frame of the agent's stream is too long to be read");
        return [];
      }
      const { data, event } = frame;
      const marker = data.trim() === (options.done ?? USUAL_END);
      over = marker || (options.done !== undefined && event === options.done);
      return marker || data.trim() === "" ? [] : hearData(data);
    },
    get done() {
      return over || failed !== undefined || spoken.overflowed;
    },
    get conversationId() {
      return conversationId;
    },
    get metrics() {
      return metrics;
    },
    close: () => spoken.close(),
    conclude() {
      const lacks = failed ?? trouble();
      if (lacks) return { failure: lacks };
      if (whole !== undefined) return { output: whole };
      return spoken.text === "" ? { failure: nothingSaid() } : { output: spoken.text };
    },
  };

  function trouble(): Failure | undefined {
    if (spoken.overflowed) {
      return failure("INVALID_RESPONSE", "the agent's stream holds more text than an answer may have");
    }
    if (options.done === undefined || over) return undefined;
    return failure("NO_RESPONSE", `the agent's stream ended before ${JSON.stringify(options.done)}`);
  }

  function nothingSaid(): Failure {
    if (frames === 0) return failure("NO_RESPONSE", "the agent's stream ended without a frame");
    const where = place ? ` at "${place.name}"` : "";
    const path = place?.name ?? null;
    return failure(
      "INVALID_RESPONSE",
      `no frame of the agent's stream has text${where}; the last is ${sketch(last)}`,
      { path, frames },
    );
  }
}

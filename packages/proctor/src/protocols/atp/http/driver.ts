// Drives an ATP agent over HTTP: asks for a stream of events, and for the response alone where there is no stream. To leave is
// how HTTP cancels. What an answer says is hearing.ts; connections are channels/http.
import type { Failure } from "../../../core/failure.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../../core/ports/driver.ts";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../../channels/http/client.ts";
import { leaveOnStop } from "../../leave-on-stop.ts";
import { encodeRequest } from "../codec.ts";
import { tapped, type WireTap } from "../../wire-tap.ts";
import { createDialogue } from "../dialogue.ts";
import { doorsOf } from "./doors.ts";
import { troubleFailure } from "../../../channels/http/failures.ts";
import { createHearing } from "./hearing.ts";
import { createKnownTypes, type KnownTypes } from "./known-types.ts";
import { ATP_JSON, PLAIN_JSON } from "./media.ts";
import { createNotes } from "./notes.ts";

const UNSUPPORTED = 415;

export interface HttpDriverOptions extends HttpClientOptions {
  /** Client that makes the requests; one on the network when absent. */
  client?: Pick<HttpClient, "post">;
}

export function createHttpDriver(options: HttpDriverOptions = {}): AgentDriver {
  const client = options.client ?? createHttpClient(options);
  const types = createKnownTypes();
  return {
    open: (job, signals) => tapped(job, (tap) => converse(client, types, job, signals, tap)),
  };
}

async function* converse(
  client: Pick<HttpClient, "post">,
  types: KnownTypes,
  job: Job,
  signals: StopSignals,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const dialogue = createDialogue(job);
  const found = doorsOf(job);
  if ("refused" in found) return yield* dialogue.conclude(found.refused);
  const leaving = leaveOnStop(signals, tap);
  let heard = false;
  try {
    const content = JSON.stringify(encodeRequest(job));
    let silence: Failure | undefined;
    let type = types.of(job);
    const waiting = [...found.doors];
    for (let door = waiting.shift(); door !== undefined; door = waiting.shift()) {
      const { url } = door;
      const headers = door.headers(type);
      const notes = tap && createNotes(tap, door, content);
      const exchanged = await client.post({ url, headers, content }, leaving.signal);
      if (exchanged.kind === "failed") {
        notes?.ended(exchanged.trouble);
        silence = troubleFailure(exchanged.trouble, door);
        break;
      }
      const { body, ...head } = exchanged.answer;
      notes?.answered(head);
      const hearing = createHearing(
        head,
        dialogue,
        door,
        notes && ((frame, lossy) => notes.frame(frame, lossy)),
      );
      const { patienceMs } = hearing;
      const hurry = patienceMs === undefined ? undefined : setTimeout(() => body.close(), patienceMs);
      while (!hearing.done) {
        const chunk = await body.read();
        if (chunk === undefined) break;
        notes?.chunk(chunk);
        const reports = hearing.take(chunk);
        if (tap) for (const message of tap.take()) yield message;
        for (const report of reports) yield report;
      }
      clearTimeout(hurry);
      if (hearing.done) body.release();
      const trouble = hearing.done ? undefined : body.trouble;
      notes?.ended(trouble);
      const verdict = hearing.finish(trouble);
      if (head.status === UNSUPPORTED && type === PLAIN_JSON && !found.fixedType && !dialogue.finished) {
        // The agent does not read plain JSON: ask the same endpoint again, with the type that the document names.
        type = ATP_JSON;
        types.learn(job, type);
        waiting.unshift(door);
        continue;
      }
      for (const report of verdict.reports) yield report;
      ({ silence } = verdict);
      if (verdict.absent !== true) break;
    }
    heard = true;
    if (leaving.signal.aborted && !dialogue.answered) yield { kind: "end", end: { status: "cancelled" } };
    else if (silence !== undefined) yield* dialogue.conclude(silence);
  } finally {
    leaving.close(heard);
  }
}

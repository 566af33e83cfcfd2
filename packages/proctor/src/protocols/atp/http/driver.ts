// Drives an ATP agent over HTTP: asks for a stream of events, and for the response alone where there is no stream. To leave is
// how HTTP cancels. What an answer says is hearing.ts; connections are channels/http.
import type { Failure } from "../../../core/failure.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../../core/ports/driver.ts";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../../channels/http/client.ts";
import { encodeRequest } from "../codec.ts";
import { createDialogue } from "../dialogue.ts";
import { doorsOf } from "./doors.ts";
import { troubleFailure } from "./failures.ts";
import { createHearing } from "./hearing.ts";

export function createHttpDriver(options: HttpClientOptions = {}): AgentDriver {
  const client = createHttpClient(options);
  return {
    open: (job, signals) => ({ [Symbol.asyncIterator]: () => converse(client, job, signals) }),
  };
}

async function* converse(client: HttpClient, job: Job, signals: StopSignals): AsyncGenerator<AgentReport> {
  const dialogue = createDialogue(job);
  const found = doorsOf(job);
  if ("refused" in found) return yield* dialogue.conclude(found.refused);
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  let heard = false;
  if (signals.cancel.aborted || signals.kill.aborted) leave();
  signals.cancel.addEventListener("abort", leave);
  signals.kill.addEventListener("abort", leave);
  try {
    const content = JSON.stringify(encodeRequest(job));
    let silence: Failure | undefined;
    for (const door of found.doors) {
      const { url, headers } = door;
      const exchanged = await client.post({ url, headers, content }, leaving.signal);
      if (exchanged.kind === "failed") {
        silence = troubleFailure(exchanged.trouble, door);
        break;
      }
      const { body, ...head } = exchanged.answer;
      const hearing = createHearing(head, dialogue, door);
      const { patienceMs } = hearing;
      const hurry = patienceMs === undefined ? undefined : setTimeout(() => body.close(), patienceMs);
      while (!hearing.done) {
        const chunk = await body.read();
        if (chunk === undefined) break;
        for (const report of hearing.take(chunk)) yield report;
      }
      clearTimeout(hurry);
      if (hearing.done) body.release();
      const verdict = hearing.finish(hearing.done ? undefined : body.trouble);
      for (const report of verdict.reports) yield report;
      ({ silence } = verdict);
      if (verdict.absent !== true) break;
    }
    heard = true;
    if (leaving.signal.aborted && !dialogue.answered) yield { kind: "end", end: { status: "cancelled" } };
    else if (silence !== undefined) yield* dialogue.conclude(silence);
  } finally {
    // Whoever stops reading in the middle leaves, too.
    if (!heard) leave();
    signals.cancel.removeEventListener("abort", leave);
    signals.kill.removeEventListener("abort", leave);
  }
}

// Spans between a run and a request: taken apart when they are queued, put together by size when they are sent.
import type { OtlpTraceRequest } from "./otlp.ts";

/** A span that waits in the queue as JSON, with its resource and scope. */
export interface QueuedSpan {
  resource: string;
  scope: string;
  json: string;
  sizeBytes: number;
}

/** One request body, as JSON. */
export interface Batch {
  body: string;
  spans: number;
  /** Spans that leave the queue with the batch. */
  sizeBytes: number;
}

export function takeApart(request: OtlpTraceRequest): QueuedSpan[] {
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const resourceJson = JSON.stringify(resource);
    return scopeSpans.flatMap(({ scope, spans }) => {
      const scopeJson = JSON.stringify(scope);
      return spans.map((span) => {
        const json = JSON.stringify(span);
        return { resource: resourceJson, scope: scopeJson, json, sizeBytes: Buffer.byteLength(json) };
      });
    });
  });
}

/** Takes as many spans from the front of the queue as fit, but at least one, since a span cannot be divided. */
export function takeBatch(queue: QueuedSpan[], maxBytes: number): Batch {
  let sizeBytes = 0;
  let end = 0;
  for (const span of queue) {
    if (end > 0 && sizeBytes + span.sizeBytes > maxBytes) break;
    sizeBytes += span.sizeBytes;
    end++;
  }
  const taken = queue.splice(0, end);
  return { body: `{"resourceSpans":[${grouped(taken).join(",")}]}`, spans: end, sizeBytes };
}

/** Returns one ResourceSpans for each stretch of spans that have the same resource and scope. */
function grouped(spans: readonly QueuedSpan[]): string[] {
  const groups: { first: QueuedSpan; members: string[] }[] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    if (group?.first.resource === span.resource && group.first.scope === span.scope) {
      group.members.push(span.json);
    } else groups.push({ first: span, members: [span.json] });
  }
  return groups.map(
    ({ first, members }) =>
      `{"resource":${first.resource},"scopeSpans":[{"scope":${first.scope},"spans":[${members.join(",")}]}]}`,
  );
}

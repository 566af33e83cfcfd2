// What goes along with a call to an agent: the agent's own headers, and the trace that the run belongs to.
import { failure, type Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { formatTraceparent, newSpanId } from "../../../core/trace.ts";

/** gRPC and HTTP/2 speak through these themselves. */
const RESERVED =
  /^(grpc-.*|te|content-type|content-length|host|connection|keep-alive|proxy-connection|transfer-encoding|upgrade)$/i;
const NAME = /^[0-9a-z_.-]+$/i;
/** gRPC over HTTP/2, "ASCII-Value". */
const VALUE = /^[\x20-\x7e]*$/;

/** Values are secrets: what is refused is named, not shown. */
export function metadataOf(job: Job): { headers: Headers } | { refused: Failure } {
  const headers = new Headers();
  for (const [name, value] of Object.entries(job.spec.headers ?? {})) {
    if (!NAME.test(name) || RESERVED.test(name))
      return refuse(`the agent's header "${name}" cannot be sent over gRPC`);
    if (!VALUE.test(value)) {
      return refuse(
        `the value of the agent's header "${name}" cannot be sent over gRPC: it is not printable ASCII`,
      );
    }
    headers.set(name, value);
  }
  headers.set("traceparent", formatTraceparent({ traceId: job.traceId, spanId: newSpanId(), sampled: true }));
  return { headers };
}

function refuse(message: string): { refused: Failure } {
  return { refused: failure("INVALID_REQUEST", message) };
}

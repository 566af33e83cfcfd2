// What goes along with a call to an agent: the agent's own headers, and the trace that the run belongs to.
import { metadataProblem } from "../../../channels/grpc/metadata.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { traceparentOf } from "../../../runtime/span-ids.ts";

export function metadataOf(job: Job): { headers: Headers } | { refused: Failure } {
  const { headers: own = {} } = job.spec;
  const problem = metadataProblem(own);
  if (problem !== undefined) return { refused: failure("INVALID_REQUEST", problem) };
  const headers = new Headers(own);
  headers.set("traceparent", traceparentOf(job));
  return { headers };
}

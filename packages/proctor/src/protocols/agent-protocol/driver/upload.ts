// Gives the agent its input files, one request each. `relative_path` is the directory, as the document's example has it: the
// reference server puts the file below it, and others take a directory as well.
import { messageOf } from "../../../core/message-of.ts";
import { posix } from "node:path";
import { failure, type Failure } from "../../../core/failure.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { Asker } from "./asker.ts";
import type { InputFile } from "../../run-inputs.ts";
import { readArtifact } from "./read-wire.ts";
import { violationReport } from "../../reports.ts";
import type { TaskRequests } from "./requests.ts";
import type { CompatArtifact } from "../wire.ts";

interface Uploaded {
  /** The ids that the agent gave the files; its list of artifacts has them as well. */
  ids: ReadonlySet<string>;
  failure?: Failure;
}

export async function* uploadInputs(
  inputs: readonly InputFile[],
  requests: TaskRequests,
  asker: Asker,
): AsyncGenerator<AgentReport, Uploaded> {
  const ids = new Set<string>();
  let inQuery = false;

  async function* send(form: Form): AsyncGenerator<AgentReport, CompatArtifact | Failure | undefined> {
    const { bytes, contentType, directory } = form;
    const query = inQuery && directory !== "" ? { relative_path: directory } : {};
    const answer = await asker.json(requests.upload(bytes, contentType, query));
    yield* answer.reports;
    if (!answer.ok) return answer.failure;
    const { value, violations } = readArtifact(answer.json, "upload");
    for (const violation of violations) yield violationReport(violation);
    if (value) ids.add(value.artifact_id);
    return value;
  }

  for (const input of inputs) {
    const form = await encodeForm(input);
    if ("code" in form) return { ids, failure: form };
    let sent = yield* send(form);
    if (isArtifact(sent) && !inQuery && form.directory !== "" && (sent.relative_path ?? "") === "") {
      // It did not see the field: AutoGPT Forge looks for it in the query.
      inQuery = true;
      sent = yield* send(form);
    }
    if (sent && !isArtifact(sent)) return { ids, failure: sent };
  }
  return { ids };
}

function isArtifact(sent: CompatArtifact | Failure | undefined): sent is CompatArtifact {
  return sent !== undefined && "artifact_id" in sent;
}

interface Form {
  bytes: Uint8Array;
  contentType: string;
  /** The folder of the file; empty at the top. */
  directory: string;
}

async function encodeForm(input: InputFile): Promise<Form | Failure> {
  const { path } = input;
  let content: Buffer;
  try {
    content = await input.read();
  } catch (problem) {
    const why = messageOf(problem);
    return failure("WORKSPACE_FAILED", `an input file cannot be sent: ${why}`, { path });
  }
  const directory = path.includes("/") ? posix.dirname(path) : "";
  const form = new FormData();
  if (directory !== "") form.append("relative_path", directory);
  form.append("file", new Blob([new Uint8Array(content)]), posix.basename(path));
  // The platform's own encoder quotes names correctly.
  const encoded = new Response(form);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  return { bytes, contentType: encoded.headers.get("content-type") ?? "multipart/form-data", directory };
}

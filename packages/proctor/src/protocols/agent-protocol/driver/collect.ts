// Fetches what the task produced: the list of its artifacts, page by page, then the bytes of each. One that cannot be had is a
// violation and does not spoil the others.
import { MAX_ARTIFACTS } from "../../../core/artifact.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { AgentReport, ReceivedArtifact } from "../../../core/ports/driver.ts";
import { artifactPath } from "../../artifact-path.ts";
import type { Asker } from "./asker.ts";
import { readArtifact, readArtifactPage } from "./read-wire.ts";
import { violationReport } from "../../reports.ts";
import type { TaskRequests } from "./requests.ts";
import type { CompatArtifact } from "../wire.ts";

interface CollectDeps {
  requests: TaskRequests;
  asker: Asker;
  /** Artifacts that the steps listed, for servers whose own list lacks them. */
  known: readonly Json[];
  /** The ids of the input files that were uploaded before the first step. */
  uploaded: ReadonlySet<string>;
  signal: AbortSignal;
}

const PAGE_SIZE = 100;
const MAX_CONTENT_TYPE_CHARS = 200;

export async function* collectArtifacts(deps: CollectDeps): AsyncGenerator<AgentReport, void> {
  const { uploaded, signal, asker, requests } = deps;
  const found = [...(yield* listArtifacts(deps)).values()];
  for (const [index, artifact] of found.entries()) {
    if (signal.aborted) return;
    if (uploaded.has(artifact.artifact_id) && artifact.agent_created !== true) continue;
    const { path, problem } = artifactPath(artifact.file_name, artifact.relative_path);
    const where = `artifact ${path}`;
    if (problem !== undefined) {
      const message = `${problem}; it is kept as ${path}`;
      yield violationReport({ rule: "ap.artifact.path", message, where });
    }
    const request = requests.download(artifact.artifact_id);
    const answer = request && (await asker.bytes(request));
    if (answer?.ok) {
      yield { kind: "artifact", artifact: received(artifact, path, answer.bytes, answer.contentType) };
      continue;
    }
    const why = answer ? answer.failure.message : "its id cannot be part of a path";
    if (answer) yield* answer.reports;
    const isGone = answer !== undefined && GONE.has(answer.failure.code);
    const others = isGone ? `, and so are ${found.length - index - 1} more` : "";
    yield violationReport({ rule: "ap.artifact.content", message: `${why}; it is left out${others}`, where });
    if (isGone) return;
  }
}

/** Codes of failures after which the agent is not asked for the next artifact. */
const GONE: ReadonlySet<string> = new Set(["UNREACHABLE", "TLS_FAILED"]);

/** Yields the artifacts by id, in the order of the list. */
async function* listArtifacts({
  requests,
  asker,
  known,
}: CollectDeps): AsyncGenerator<AgentReport, Map<string, CompatArtifact>> {
  const found = new Map<string, CompatArtifact>();
  let spell = official;
  let pageSize = 10;
  for (let page = 1; found.size <= MAX_ARTIFACTS; page++) {
    const answer = await asker.json(requests.listArtifacts(spell(page, pageSize)));
    const read = answer.ok ? readArtifactPage(answer.json) : undefined;
    yield* answer.reports;
    for (const violation of read?.violations ?? []) yield violationReport(violation);
    if (!read?.value) {
      const why = answer.ok ? "it is no list of artifacts" : answer.failure.message;
      const message = `page ${page} of the artifacts cannot be read: ${why}`;
      yield violationReport({ rule: "ap.artifacts", message, where: "artifacts" });
      break;
    }
    const { artifacts, totalItems, totalPages } = read.value;
    pageSize = read.value.pageSize ?? pageSize;
    const before = found.size;
    for (const [index, entry] of artifacts.entries()) {
      const { value, violations } = readArtifact(entry, `artifacts.${index}`);
      for (const violation of violations) yield violationReport(violation);
      if (value) found.set(value.artifact_id, value);
    }
    const missing = totalItems !== undefined && found.size < totalItems;
    if (found.size === before) {
      // The same page again: a server that spells its parameters differently answers with the first whatever it is asked.
      if (!missing || spell === forge || page === 1) break;
      spell = forge;
      page--;
    } else if (totalItems === undefined ? page === totalPages : !missing) break;
  }
  for (const entry of known) {
    const { value } = readArtifact(entry, "step");
    if (value && !found.has(value.artifact_id)) found.set(value.artifact_id, value);
  }
  return found;
}

type Spelling = (page: number, pageSize: number) => Record<string, string>;

const official: Spelling = (page) => ({ current_page: String(page), page_size: String(PAGE_SIZE) });
/** Spelling of AutoGPT Forge, whose pages are as long as it says. */
const forge: Spelling = (page, pageSize) => ({ page: String(page), pageSize: String(pageSize) });

/** Fields that are not kept as extensions: those that make up the path, and those that have a meaning in the record. */
const TAKEN: ReadonlySet<string> = new Set([
  "file_name",
  "relative_path",
  "id",
  "type",
  "path",
  "content_type",
  "size_bytes",
  "content_hash",
  "claimed_hash",
  "redacted",
]);

function received(
  artifact: CompatArtifact,
  path: string,
  content: Uint8Array,
  contentType = "",
): ReceivedArtifact {
  // The document prescribes octet-stream for everything, so that type says nothing.
  const isTelling = contentType !== "" && !/^application\/octet-stream\b/i.test(contentType);
  return {
    type: "file",
    path,
    content,
    ...(isTelling && contentType.length <= MAX_CONTENT_TYPE_CHARS && { content_type: contentType }),
    extensions: Object.fromEntries(
      // Parsed from JSON.
      Object.entries(artifact as JsonObject).filter(([name]) => !TAKEN.has(name)),
    ),
  };
}

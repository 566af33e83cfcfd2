// A run for tests of checks, with only what a check may look at, and the check itself as a suite would bind it.
import { Readable } from "node:stream";
import type { Artifact } from "../../../src/core/artifact.ts";
import type { EventDraft, RunEvent } from "../../../src/core/event.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { Run } from "../../../src/core/run.ts";
import type { Workspace } from "../../../src/core/ports/workspaces.ts";
import type { CheckServices, CheckSubject } from "../../../src/suites/check.ts";
import { lineText, threadLines } from "../../../src/suites/talk/thread-lines.ts";
import type { Verdict } from "../../../src/suites/verdict.ts";
import { findCheck } from "../../../src/suites/checks/registry.ts";

export interface Given {
  artifacts?: Artifact[];
  /** The content of artifacts, by artifact id. */
  bytes?: Record<string, string | Uint8Array>;
  events?: EventDraft[];
  run?: Partial<Run>;
  workspace?: Workspace;
  folder?: string;
  services?: Partial<CheckServices>;
}

export function subject(given: Given): CheckSubject {
  const { artifacts = [], bytes = {}, events = [], run = {} } = given;
  const base = { id: "r", status: "completed", failure: null, artifacts, metrics: {}, options: {} };
  // The run has only the fields that a check may look at.
  const whole = { ...base, ...run } as Run;

  function readArtifact(artifact: Artifact): Promise<Uint8Array> {
    const content = bytes[artifact.id];
    if (content === undefined) return Promise.reject(new Error("the hub is gone"));
    return Promise.resolve(typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  async function* log(): AsyncGenerator<RunEvent> {
    for (const [sequence, draft] of events.entries()) {
      yield { run_id: "r", sequence, timestamp: "2026-01-01T00:00:00.000Z", ...draft };
    }
  }

  return {
    run: whole,
    events: log,
    transcript: async () => (await threadLines(whole, log())).map(lineText).join("\n"),
    readArtifact,
    openArtifact: async (artifact) => Readable.from([await readArtifact(artifact)]),
    workspace: () =>
      given.workspace ? Promise.resolve(given.workspace) : Promise.reject(new Error("the workspace is gone")),
    folder: given.folder ?? process.cwd(),
    services: {
      runCommand: () => Promise.reject(new Error("this test runs no commands")),
      ...given.services,
    },
    signal: new AbortController().signal,
  };
}

/** Throws what the schema finds wrong with the config. */
export function check(type: string, config: object, given: Given): Promise<Verdict> {
  const found = findCheck(type);
  if (!found) throw new Error(`no check ${type}`);
  // Binds what the schema made of the config, as a suite does.
  return found.bind(found.config.parse(config))(subject(given));
}

export const file = (id: string, path: string): Artifact => ({
  id,
  type: "file",
  path,
  content_hash: "sha256:00",
});

export const structured = (id: string, name: string, data?: Json): Artifact =>
  data === undefined ? { id, type: "structured", name } : { id, type: "structured", name, data };

export const call = (tool: string, input: JsonObject = {}, more: JsonObject = {}): EventDraft => ({
  type: "tool_call",
  payload: { tool, input, status: "success", ...more },
});

/** A run whose agent has tools of the platform. */
export const withTools: Partial<Run> = { options: { tools: { tools: [] } } };

export const called = (tool: string, input: Json = {}): EventDraft => ({
  type: "tool.called",
  payload: { tool, input, status: "success", duration_ms: 1, mode: "mock" },
});

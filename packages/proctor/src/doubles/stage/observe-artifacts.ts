// The artifacts of a stage: those that a declarative test begins with, and all that are there in the end.
import type { ObservedArtifact } from "../../core/observation.ts";
import type { Page } from "../../core/page.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import type { SavedArtifact } from "../../core/saved-artifact.ts";
import { inputSession, type StageScript } from "../../core/stage-script.ts";

/** Bytes of the largest artifact that is listed with its content. */
const MAX_CONTENT_BYTES = 1024 * 1024;
const PAGE = 100;

interface Scope {
  app: string;
  user: string;
  session: string;
}

/** Returns the scope of a test's artifacts where the test does not name one. */
function defaultScope({ gateway_input: input, test_case_id: id }: StageScript): Scope {
  return { app: input.target_agent_name, user: input.user_identity, session: inputSession(input, id) };
}

export async function setUpArtifacts(script: StageScript, service: ArtifactService): Promise<void> {
  const usual = defaultScope(script);
  for (const artifact of script.setup_artifacts) {
    const {
      app_name: app = usual.app,
      user_id: user = usual.user,
      session_id: session = usual.session,
    } = artifact;
    const { content, content_base64: base64 = "", filename: name, mime_type: mimeType, metadata } = artifact;
    const bytes = content === undefined ? Buffer.from(base64, "base64") : Buffer.from(content);
    await service.save({ app, user, session, name }, { content: bytes, mimeType, metadata });
  }
}

/** Resolves with all artifacts in the scopes that the test names. */
export async function observeArtifacts(
  script: StageScript,
  service: ArtifactService,
): Promise<ObservedArtifact[]> {
  const usual = defaultScope(script);
  const scopes = script.setup_artifacts.map(({ app_name, user_id, session_id }): Scope => ({
    app: app_name ?? usual.app,
    user: user_id ?? usual.user,
    session: session_id ?? usual.session,
  }));
  const all = new Map([usual, ...scopes].map((scope) => [JSON.stringify(scope), scope]));
  const found: ObservedArtifact[] = [];
  for (const scope of all.values()) {
    for await (const latest of pages((cursor) => service.list(scope, { limit: PAGE, ...cursor }))) {
      const key = { ...scope, name: latest.name };
      for await (const version of pages((cursor) => service.versions(key, { limit: PAGE, ...cursor })))
        found.push(await observe(version, latest.version, service));
    }
  }
  return found;
}

async function* pages<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor === null ? {} : { cursor });
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

async function observe(
  saved: SavedArtifact,
  latest: number,
  service: ArtifactService,
): Promise<ObservedArtifact> {
  const { app, user, session, name, version, mime_type, size_bytes, metadata } = saved;
  const chunks: Uint8Array[] = [];
  if (size_bytes <= MAX_CONTENT_BYTES) for await (const chunk of service.read(saved)) chunks.push(chunk);
  return {
    app_name: app,
    user_id: user,
    session_id: session,
    filename: name,
    version,
    latest: version === latest,
    mime_type,
    size_bytes,
    ...(size_bytes <= MAX_CONTENT_BYTES && { content_base64: Buffer.concat(chunks).toString("base64") }),
    metadata,
  };
}

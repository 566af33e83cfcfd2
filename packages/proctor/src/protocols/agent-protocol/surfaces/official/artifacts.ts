// Official artifacts: they belong to the task. List, upload, download.
import { bodyOf, contentHeaders, noBytes } from "../shared/artifact-bytes.ts";
import { readPage } from "../shared/read-page.ts";
import { readUpload } from "../shared/read-upload.ts";
import { officialArtifact } from "./documents.ts";
import { json, listPage, PAGE_NAMES } from "./respond.ts";
import type { Handler } from "./context.ts";

export const listArtifacts: Handler = async ({ hub }, { task, query }) => {
  const page = readPage(query, PAGE_NAMES);
  const run = await hub.run(task);
  return listPage("artifacts", run.artifacts, page, (artifact) => officialArtifact(run, artifact));
};

/** Also after the task's end. */
export const uploadArtifact: Handler = async ({ hub, maxFileBytes }, { task, request, query }) => {
  const run = await hub.run(task);
  // Forge's clients say it here.
  const relativePath = query.get("relative_path");
  const artifact = await readUpload(request, {
    maxFileBytes,
    ...(relativePath !== null && { relativePath }),
    describe: () => ({}),
    store: (file) => hub.addFile(task, file),
  });
  return json(officialArtifact(run, artifact));
};

export const downloadArtifact: Handler = async (official, { task, part, request }) => {
  const { hub } = official;
  const artifact = await hub.artifact(task, part);
  const { content_hash: hash, size_bytes: sizeBytes } = artifact;
  if (hash === undefined || sizeBytes === undefined) throw noBytes(artifact);
  const headers = {
    ...contentHeaders(artifact),
    // The protocol's one type, whatever the file is.
    "content-type": "application/octet-stream",
    "content-length": String(sizeBytes),
  };
  if (request.method === "HEAD") return new Response(null, { headers });
  const bytes = await hub.readArtifact(task, part);
  return new Response(
    bodyOf(bytes, (problem) => official.report(problem, task)),
    { headers },
  );
};

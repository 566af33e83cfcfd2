// What the artifact service holds in the end, held against what a declarative test expects of it.
import { quote } from "../../core/printable.ts";
import type { ArtifactState, ExpectedArtifact } from "./expected-schema.ts";
import { subsetProblems } from "./match-subset.ts";
import type { ObservedArtifact } from "../../core/observation.ts";
import { matchesWhole, textProblems } from "./text-matchers.ts";

type WhichArtifact = Pick<
  ExpectedArtifact,
  "filename" | "filename_matches_regex" | "version" | "app_name" | "user_id" | "session_id"
>;

export function artifactProblems(
  artifacts: readonly ObservedArtifact[],
  expected: ExpectedArtifact,
): string[] {
  const { mime_type, content_contains, text_exact, content_base64_exact, metadata_contains } = expected;
  const artifact = find(artifacts, expected);
  if (typeof artifact === "string") return [artifact];
  const name = `${artifact.filename} (version ${artifact.version})`;
  return [
    ...(mime_type === undefined ? [] : subsetProblems(artifact.mime_type, mime_type, `${name}: mime_type`)),
    ...contentProblems(artifact, {
      ...(text_exact !== undefined && { text: text_exact }),
      ...(content_contains !== undefined && { contains: content_contains }),
      ...(content_base64_exact !== undefined && { base64: content_base64_exact }),
    }).map((problem) => `${name}: ${problem}`),
    ...(metadata_contains ? subsetProblems(artifact.metadata, metadata_contains, `${name}: metadata`) : []),
  ];
}

export function stateProblems(artifacts: readonly ObservedArtifact[], expected: ArtifactState): string[] {
  const { namespace, expected_content_text: text, expected_content_bytes_base64: base64 } = expected;
  const { expected_metadata_contains: metadata, assert_metadata_schema_key_count: keys } = expected;
  const inNamespace = artifacts.filter(
    ({ filename }) => namespace === undefined || filename.startsWith("user:") === (namespace === "user"),
  );
  const artifact = find(inNamespace, expected);
  if (typeof artifact === "string") return [artifact];
  const name = `${artifact.filename} (version ${artifact.version})`;
  const keyCount = Object.keys(artifact.metadata).length;
  return [
    ...contentProblems(artifact, {
      ...(text !== undefined && { text }),
      ...(base64 !== undefined && { base64 }),
    }).map((problem) => `${name}: ${problem}`),
    ...(metadata ? subsetProblems(artifact.metadata, metadata, `${name}: metadata`) : []),
    ...(keys !== undefined && keyCount !== keys
      ? [`${name}: metadata has ${keyCount} keys, not ${keys}`]
      : []),
  ];
}

/** Returns the artifact, or a sentence that says that there is none. */
function find(artifacts: readonly ObservedArtifact[], which: WhichArtifact): ObservedArtifact | string {
  const { filename, filename_matches_regex: regex, version, app_name, user_id, session_id } = which;
  const named = artifacts.filter(
    (one) =>
      (filename === undefined || one.filename === filename) &&
      (regex === undefined || matchesWhole(one.filename, regex)) &&
      (app_name === undefined || one.app_name === app_name) &&
      (user_id === undefined || one.user_id === user_id) &&
      (session_id === undefined || one.session_id === session_id),
  );
  const found = named.find((one) => (version === "latest" ? one.latest : one.version === version));
  if (found) return found;
  const what = filename === undefined ? `an artifact that matches /${regex}/` : quote(filename);
  if (named.length === 0) return `${what} is not there; ${listed(artifacts)}`;
  return `${what} has no version ${version}; it has ${named.map((one) => one.version).join(", ")}`;
}

interface ExpectedContent {
  text?: string;
  contains?: string | string[];
  base64?: string;
}

function contentProblems(artifact: ObservedArtifact, { text, contains, base64 }: ExpectedContent): string[] {
  if (text === undefined && contains === undefined && base64 === undefined) return [];
  const { content_base64: content } = artifact;
  if (content === undefined)
    return [`its ${artifact.size_bytes} bytes are more than a stage keeps for checks`];
  const problems = textProblems(Buffer.from(content, "base64").toString(), {
    ...(text !== undefined && { text_exact: text }),
    ...(contains !== undefined && { text_contains: contains }),
  });
  if (base64 !== undefined && !Buffer.from(base64, "base64").equals(Buffer.from(content, "base64")))
    problems.push("its bytes are not those expected");
  return problems;
}

function listed(artifacts: readonly ObservedArtifact[]): string {
  const names = artifacts.map(({ filename, version }) => `${filename} (version ${version})`);
  return names.length === 0 ? "there are no artifacts" : `there are ${names.join(", ")}`;
}

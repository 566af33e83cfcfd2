// The record of an artifact, as clients read it.
import { z } from "zod";
import { boundedInt, boundedText } from "../../runtime/schemas/bounded.ts";
import { listOf } from "./common.ts";

const ArtifactKind = z.enum(["file", "structured", "reference"]).meta({ id: "ArtifactKind" });

export const ArtifactDocument = z
  .looseObject({
    id: z.string(),
    type: ArtifactKind,
    path: z.string().optional().describe("Of a file or a reference: the name the agent gave."),
    name: z.string().optional().describe("Of structured data."),
    schema: z.string().optional(),
    data: z.unknown().optional().describe("Structured data itself, when it is small."),
    content_type: z.string().optional(),
    size_bytes: z.int().min(0).optional(),
    content_hash: z.string().optional().describe("`sha256:<hex>` of the stored bytes."),
    agent_created: z.boolean().optional().describe("False for what a client gave."),
    file_name: z.string().optional().describe("Of a client's file: its base name."),
    created_at: z.string().optional().describe("Of a client's file: when it came."),
    stored_as: z.string().optional().describe("Of a client's file: its name in the artifacts directory."),
    step_id: z.string().optional().describe("Of a client's file: the step it belongs to."),
    omitted: z.string().optional().describe("Why the bytes of a file that was there are not kept."),
    unsearched: z.string().optional().describe("Why nobody looked for secrets inside packed bytes."),
    redacted: z.boolean().optional().describe("True when secrets were replaced in the stored bytes."),
  })
  .meta({ id: "Artifact", description: "Something the run produced. Its bytes are at `/content`." });

export const ArtifactList = listOf("ArtifactList", ArtifactDocument);

/** Bytes of the largest upload: 50 MB, as document 003 says. */
export const MAX_UPLOAD_BYTES = 52_428_800;

/** A relative path with `/` between names; `..` is refused as well. */
const RELATIVE_PATH = "^[^/\\\\\\x00]+(/[^/\\\\\\x00]+)*$";

export const UploadQueryParams = z.strictObject({
  file_name: boundedText(255).meta({ pattern: "^[^/\\\\\\x00]+$" }).describe("Base name."),
  relative_path: boundedText(1024)
    .meta({ pattern: RELATIVE_PATH })
    .optional()
    .describe("Where it belongs; `file_name` when absent."),
  step_id: boundedText(200).optional().describe("The step it belongs to."),
  stored_as: boundedText(255)
    .optional()
    .describe("A second name in the artifacts directory; begins with the run's id and `_`."),
  max_bytes: boundedInt(0, MAX_UPLOAD_BYTES).optional().describe("Refuse more than this; 50 MB when absent."),
});

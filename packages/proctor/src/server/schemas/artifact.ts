// The record of an artifact, as clients read it.
import { z } from "zod";
import { listOf } from "./common.ts";

export const ArtifactDocument = z
  .looseObject({
    id: z.string(),
    type: z.enum(["file", "structured", "reference"]),
    path: z.string().optional().describe("Of a file or a reference: the name the agent gave."),
    name: z.string().optional().describe("Of structured data."),
    schema: z.string().optional(),
    data: z.unknown().optional().describe("Structured data itself, when it is small."),
    content_type: z.string().optional(),
    size_bytes: z.int().min(0).optional(),
    content_hash: z.string().optional().describe("`sha256:<hex>` of the stored bytes."),
    redacted: z.boolean().optional().describe("True when secrets were replaced in the stored bytes."),
  })
  .meta({ id: "Artifact", description: "Something the run produced. Its bytes are at `/content`." });

export const ArtifactList = listOf("ArtifactList", ArtifactDocument);

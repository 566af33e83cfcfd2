// The messages of the Model Context Protocol that a client of tools needs: JSON-RPC 2.0, and the results of three methods. Fields that
// nobody here reads are let through.
import { z } from "zod";
import { json } from "../../runtime/yaml/scalars.ts";

/** Revisions that begin with `initialize`, the newest first; they differ in nothing that is used here. */
export const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** The revision in which there are no sessions, and every request says who asks. */
export const STATELESS = "2026-07-28";

const serverInfo = z.looseObject({ version: z.string().optional() });

export const initializeResult = z.looseObject({
  protocolVersion: z.string(),
  serverInfo: serverInfo.optional(),
});

export const discoverResult = z.looseObject({
  supportedVersions: z.array(z.string()),
  _meta: z.looseObject({ "io.modelcontextprotocol/serverInfo": serverInfo.optional() }).optional(),
});

const tool = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: json.optional(),
  outputSchema: json.optional(),
});

export type McpTool = z.infer<typeof tool>;

export const toolList = z.looseObject({ tools: z.array(tool), nextCursor: z.string().optional() });

const resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});

/** Blocks of other kinds are kept as they came. */
export const contentBlock = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal("resource"), resource }),
  z.looseObject({
    type: z.literal("resource_link"),
    uri: z.string(),
    mimeType: z.string().optional(),
    size: z.number().optional(),
  }),
]);

export type ContentBlock = z.infer<typeof contentBlock>;

/** The kind of a result by which a tool asks for more. */
export const INPUT_REQUIRED = "input_required";

/** `structuredContent` alone is no answer in any revision, but servers send it. */
export const toolResult = z
  .looseObject({
    content: z.array(json).optional(),
    structuredContent: json.optional(),
    isError: z.boolean().optional(),
    resultType: z.string().optional(),
  })
  .refine(
    ({ content, structuredContent, resultType }) =>
      (content ?? structuredContent) !== undefined || resultType === INPUT_REQUIRED,
  );

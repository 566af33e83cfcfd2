// Messages as clients send and read them.
import { z } from "zod";
import { MAX_ID_CHARS, textPart, type NewMessage, type Part } from "../../core/message.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";
import { AnyJson, JsonRecord, listOf } from "./common.ts";

const names = {
  media_type: boundedText(255).optional(),
  name: boundedText(1000).optional(),
};
const hash = z.string().meta({ pattern: "^sha256:[0-9a-f]{64}$" }).describe("`sha256:<hex>` of the bytes.");
const shapes = {
  text: { kind: z.literal("text"), text: z.string(), ...names },
  data: { kind: z.literal("data"), data: AnyJson, ...names },
  blob: { kind: z.literal("blob"), content_hash: hash, size_bytes: z.int().min(0), ...names },
  url: {
    kind: z.literal("url"),
    url: boundedText(8192).describe("An address, which the hub never fetches by itself."),
    ...names,
  },
};

const NewPart = z
  .discriminatedUnion("kind", [
    z.strictObject(shapes.text).meta({ id: "NewTextPart" }),
    z.strictObject(shapes.data).meta({ id: "NewDataPart" }),
    z
      .strictObject({
        ...shapes.blob,
        content_hash: hash.regex(/^sha256:[0-9a-f]{64}$/, "must be `sha256:` and 64 hex digits"),
      })
      .meta({ id: "NewBlobPart" }),
    z.strictObject(shapes.url).meta({ id: "NewUrlPart" }),
  ])
  .meta({ id: "NewPart", description: "A piece of what a client says." });

export const PartDocument = z
  .discriminatedUnion("kind", [
    z.looseObject(shapes.text).meta({ id: "TextPart" }),
    z.looseObject(shapes.data).meta({ id: "DataPart" }),
    z.looseObject(shapes.blob).meta({ id: "BlobPart" }),
    z.looseObject(shapes.url).meta({ id: "UrlPart" }),
  ])
  .meta({ id: "Part", description: "A piece of what was said: text, data, bytes, or an address." });

export const NewParts = z.array(NewPart).min(1).max(1000);
const id = boundedText(MAX_ID_CHARS);

export const MessageBody = z
  .strictObject({
    id: id.optional().describe("A message with the same id is taken once; a new one when absent."),
    parts: NewParts.optional(),
    text: z.string().min(1).optional().describe("Short for one part of text; not together with `parts`."),
    references: z.array(id).max(100).optional().describe("Ids of runs or messages that it speaks of."),
    extensions: JsonRecord.optional().describe("Fields of another protocol's message, kept."),
  })
  .refine(({ parts, text }) => (parts === undefined) !== (text === undefined), {
    path: ["parts"],
    message: "either `parts` or `text` is needed",
  })
  .meta({ id: "NewMessage", description: "What a client says: `parts`, or `text` for short." });

export const MessageDocument = z
  .looseObject({
    id: z.string(),
    role: z.enum(["user", "agent"]).meta({ id: "MessageRole" }),
    parts: z.array(PartDocument),
    references: z.array(z.string()).optional(),
    extensions: JsonRecord.optional(),
  })
  .meta({ id: "Message", description: "Something that was said in a run." });

export const ConversationMessageDocument = z
  .strictObject({
    run_id: z.string(),
    sequence: z
      .int()
      .min(0)
      .nullable()
      .describe("Of the event that completed it; null for what stands in the task or in the result."),
    message: MessageDocument,
  })
  .meta({ id: "ConversationMessage" });

export const MessageList = listOf("MessageList", ConversationMessageDocument);

/** Returns the message in its long form, whichever was sent. */
export function toMessage(body: z.infer<typeof MessageBody>): NewMessage {
  const { parts, text, ...rest } = body;
  // The schema is NewMessage; JSON has no `undefined`, so no optional field holds one.
  return { ...(rest as Omit<NewMessage, "parts">), parts: toParts(parts, text) ?? [] };
}

export function toParts(
  parts: z.infer<typeof NewParts> | undefined,
  text: string | undefined,
): Part[] | undefined {
  // The schema is that of parts.
  return text === undefined ? (parts as Part[] | undefined) : [textPart(text)];
}

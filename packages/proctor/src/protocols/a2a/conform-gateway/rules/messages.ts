// Rules about messages: what a client says reaches the upstream as it was said.
import type { JsonObject } from "../../../../core/json.ts";
import { demand } from "../../conform/finding.ts";
import type { A2aMessage, SendRequest } from "../../model.ts";
import { answerOf, arrival, arrivedAt, demandSame, messageAt } from "../findings.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import type { Stage } from "../stage.ts";
import { EXTENSION } from "../upstream-card.ts";

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString("base64");
const PARTS = [
  { text: "Grüße, 世界, \u{1F9A9}\u{200D} \u0000\u2028 <&\"'\\ \r\n\ttab" },
  { data: { numbers: [0, -1, 1.5, 1e21], nothing: null, "": "", deep: { er: [[], {}, false] } } },
  { raw: EVERY_BYTE, filename: "every byte.bin", mediaType: "application/octet-stream" },
  { url: "https://files.example/a%20b?c=d&e=%2F#f", filename: "there.txt", mediaType: "text/plain" },
];

export const MESSAGE_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.message.sent",
    section: "3.1.1",
    level: "must",
    anyway: true,
    title: "brings a message to the upstream and its answer back, at every door",
    advice: "Answer at every interface that the card names, in its binding and version.",
    async examine({ scene, send }) {
      const played = scene();
      const attempt = await send(played);
      const got = answerOf(attempt, "a plain message");
      arrival(arrivedAt(played), attempt, "a plain message");
      const isUpstreams = JSON.stringify(got).includes(`heard ${played.key} says hello`);
      demand(isUpstreams, "the answer is not the upstream's", attempt.transcript, { got });
    },
  },
  {
    id: "gateway.message.parts",
    section: "4.1.6",
    level: "must",
    title: "passes parts on as they are: text, data, bytes and addresses",
    advice: "Forward parts as they came; do not clean, decode or load them.",
    examine: (stage) => passes(stage, ({ key }) => ({ parts: [...PARTS, { text: key }] })),
  },
  {
    id: "gateway.message.metadata",
    section: "3.2.5",
    level: "must",
    title: "passes metadata on: of the request, the message and its parts",
    advice: "Forward every `metadata` as it came; what the gateway adds gets keys of its own.",
    examine: (stage) =>
      passes(
        stage,
        ({ key }) => ({
          metadata: { "com.example/heron": { seen: [1, 2] } },
          parts: [{ text: key, metadata: { tone: "calm" } }],
        }),
        { metadata: { "com.example/trace": "a-1" } },
      ),
  },
  {
    id: "gateway.message.extensions",
    section: "4.6.2",
    level: "must",
    title: "passes on which extensions a message uses",
    advice: "Forward `extensions` of a message as they came.",
    examine: (stage) => passes(stage, () => ({ extensions: [EXTENSION] })),
  },
  {
    id: "gateway.message.id",
    section: "4.1.4",
    level: "must",
    title: "passes the id of a message on, by which an agent knows it again",
    advice: "Forward `messageId` as it came: agents tell by it that a message was sent twice.",
    examine: (stage) => passes(stage, ({ messageId }) => ({ messageId })),
  },
  {
    id: "gateway.message.configuration",
    section: "3.2.2",
    level: "must",
    title: "passes on how a client wants its answer",
    advice: "Forward `configuration` as it came.",
    examine: (stage) =>
      passes(stage, () => ({}), {
        configuration: { acceptedOutputModes: ["text/plain", "application/x-heron"], historyLength: 7 },
      }),
  },
  {
    id: "gateway.message.unknown",
    level: "should",
    version: "1.0",
    title: "passes fields on that it does not know",
    advice: "Forward what you do not know as it came: it may be of a later version of A2A.",
    examine: (stage) =>
      passes(stage, ({ key }) => ({ laterField: { of: ["2.0"] }, parts: [{ text: key, laterPart: true }] }), {
        laterParameter: "kept",
      }),
  },
];

/** Sends a message and compares it with what arrives. */
async function passes(
  { scene, send }: Stage,
  shape: (made: { key: string; messageId: string }) => Partial<A2aMessage>,
  request: JsonObject & Partial<SendRequest> = {},
): Promise<void> {
  const played = scene();
  const usual = played.message();
  const more = shape({ key: played.key, messageId: usual.messageId });
  const attempt = await send(played, { request: { ...request, message: { ...usual, ...more } } });
  demandSame(messageAt(played, attempt).request, { ...request, message: more }, "request", attempt);
}

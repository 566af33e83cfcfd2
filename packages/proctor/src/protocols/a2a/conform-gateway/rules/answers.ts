// Rules about answers: what the upstream says reaches the client as it was said.
import type { JsonObject } from "../../../../core/json.ts";
import type { Transcript } from "../../conform/transcript.ts";
import { A2A_ERRORS, A2aError, type A2aReason } from "../../errors.ts";
import type { Attempt } from "../../conform/caller.ts";
import { end, findingOf } from "../../../../conformance/demand.ts";
import { demand, KEPT, worst } from "../../conform/finding.ts";
import type { A2aArtifact } from "../../model.ts";
import { answerOf, demandSame } from "../findings.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import { says } from "../scene.ts";
import type { Stage } from "../stage.ts";
import { EXTENSION } from "../upstream-card.ts";

const ARTIFACTS: A2aArtifact[] = [
  {
    artifactId: "one",
    name: "Ein Reiher.txt",
    description: "a heron\nin two lines",
    parts: [{ text: " spaces \u{1F9A9} \r\n and a null \u0000 " }, { data: { a: [1.5, null, { b: "" }] } }],
    metadata: { pages: 2 },
    extensions: [EXTENSION],
  },
  { artifactId: "two", parts: [{ url: "https://files.example/heron?size=L%2FXL", mediaType: "image/png" }] },
];
const BYTES = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));

const STATES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_CANCELED",
];

export const ANSWER_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.answer.artifacts",
    section: "4.1.7",
    level: "must",
    title: "passes artifacts on as they are: names, text, data, addresses and metadata",
    advice: "Pass artifacts on as they came.",
    examine: (stage) => comesOut(stage, { artifacts: ARTIFACTS }),
  },
  {
    id: "gateway.answer.bytes",
    section: "4.1.6",
    level: "must",
    title: "passes the bytes of a file on, or an address in their place",
    advice: "Pass `raw` on as it came, or keep the bytes and give their address as `url`.",
    async examine({ scene, send }) {
      const raw = BYTES.toString("base64");
      const file = { raw, filename: "heron.bin", mediaType: "application/octet-stream" };
      const played = scene({
        shape: (task) => ({ ...task, artifacts: [{ artifactId: "file", parts: [file] }] }),
      });
      const attempt = await send(played);
      const [part] = answerOf(attempt, "a message").task?.artifacts?.[0]?.parts ?? [];
      if (part?.raw === undefined && part?.url !== undefined)
        end({ ...KEPT, got: `an address: ${part.url}` });
      const isSame = Buffer.from(part?.raw ?? "", "base64").equals(BYTES);
      const got = part ?? "no such part";
      demand(isSame, "the bytes are not those of the upstream", attempt.transcript, { got });
    },
  },
  {
    id: "gateway.answer.message",
    section: "3.1.1",
    level: "must",
    title: "passes a lone message on as a message",
    advice: "An answer is a task or a message: pass on which of them it was.",
    async examine({ scene, send }) {
      const played = scene({ send: async () => ({ message: says("The heron is here.", "lone") }) });
      const attempt = await send(played);
      const expected = { message: { messageId: "lone", parts: [{ text: "The heron is here." }] } };
      demandSame(answerOf(attempt, "a message"), expected, "answer", attempt);
    },
  },
  {
    id: "gateway.answer.states",
    section: "4.1.3",
    level: "must",
    title: "passes every state of a task on, with what the upstream says about it",
    advice: "Pass `status` on as it came.",
    async examine(stage) {
      for (const state of STATES) {
        const timestamp = "2026-01-02T03:04:05.678Z";
        const status = { state, timestamp, message: says(`about ${state}`, `about-${state}`) };
        await comesOut(stage, { status });
      }
    },
  },
  {
    id: "gateway.answer.unknown",
    level: "should",
    version: "1.0",
    title: "passes fields and states on that it does not know",
    advice: "Pass on what you do not know as it came: it may be of a later version of A2A.",
    examine: (stage) =>
      comesOut(stage, {
        laterField: { of: ["2.0"] },
        status: { state: "TASK_STATE_PONDERING", laterStatus: 1 },
        metadata: { "com.example/heron": [true] },
      }),
  },
  {
    id: "gateway.answer.errors",
    section: "5.4",
    level: "must",
    title: "passes errors of the upstream on with their codes",
    advice: "Pass the code of an error on, in the form of the client's binding.",
    async examine(stage) {
      const errors = MESSAGE_ERRORS.map((reason) => () => errorOf(stage, reason));
      end(worst(await Promise.all([...errors, () => cancelError(stage)].map(findingOf<Transcript>))));
    },
  },
];

const MESSAGE_ERRORS = [
  "TASK_NOT_FOUND",
  "UNSUPPORTED_OPERATION",
  "CONTENT_TYPE_NOT_SUPPORTED",
  "INVALID_PARAMS",
  "INTERNAL",
] as const;

async function errorOf({ scene, send }: Stage, reason: A2aReason): Promise<void> {
  const played = scene({ send: () => Promise.reject(new A2aError(reason, `the upstream says ${reason}`)) });
  demandError(await send(played), reason);
}

/** Tries a task that cannot be canceled though it has not ended. */
async function cancelError({ begin, cancelTask }: Stage): Promise<void> {
  const { scene, task } = await begin({
    state: "TASK_STATE_WORKING",
    cancelTask: () => Promise.reject(new A2aError("TASK_NOT_CANCELABLE")),
  });
  const attempt = await cancelTask(task.id);
  const hasArrived = scene.asked.some(({ operation }) => operation === "cancelTask");
  // Otherwise the upstream has given no error: see gateway.task.canceled.
  if (hasArrived) demandError(attempt, "TASK_NOT_CANCELABLE");
}

function demandError({ value, error, transcript }: Attempt<unknown>, reason: A2aReason): void {
  const { code } = A2A_ERRORS[reason];
  const expected = `${code} ${reason}`;
  const isError = value === undefined;
  demand(isError, "an error of the upstream came back as an answer", transcript, { expected, got: value });
  demand(error?.code === code, "an error of the upstream came back as another", transcript, {
    expected,
    got: error ? `${error.code} ${error.reason}` : "no error",
  });
}

async function comesOut({ scene, send }: Stage, more: JsonObject): Promise<void> {
  const attempt = await send(scene({ shape: (task) => ({ ...task, ...more }) }));
  demandSame(answerOf(attempt, "a message"), { task: more }, "answer", attempt);
}

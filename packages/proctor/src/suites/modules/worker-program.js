// @ts-check
// The program inside a worker that runs checks written in JavaScript. It is JavaScript itself, because a worker starts from a file, and
// no Node that we support starts one from TypeScript; the build copies it.
// Messages to it are {call} and {content}, messages from it {read}, {done} and {failed}. It asks for the bytes of an artifact when the
// check wants them.
import { parentPort, workerData } from "node:worker_threads";

/** @typedef {{ id: string, data?: unknown }} Artifact */
/** @typedef {{ artifacts: Artifact[] }} Subject */

if (parentPort === null) throw new Error("this program runs in a worker");
const port = parentPort;
/** @type {Map<number, { resolve: (bytes: Uint8Array) => void, reject: (error: Error) => void }>} */
const waiting = new Map();
let asked = 0;
let output = "";

// Output is kept here and sent with the answer. The streams of a worker would keep the whole program alive, and come when they like.
for (const stream of [process.stdout, process.stderr]) {
  /**
   * @param {string | Uint8Array} chunk
   * @param {unknown} [encoding]
   * @param {unknown} [callback]
   */
  stream.write = (chunk, encoding, callback) => {
    if (output.length < workerData.maxOutputChars)
      output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
}

/** @type {(message: object) => void} */
function send(message) {
  // A thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage(message);
}

/** @type {(artifact: string) => Promise<Uint8Array>} */
function read(artifact) {
  return new Promise((resolve, reject) => {
    const id = asked++;
    waiting.set(id, { resolve, reject });
    send({ kind: "read", id, artifact });
  });
}

/** @param {Artifact} artifact */
function withContent(artifact) {
  const { id, data } = artifact;
  const bytes = async () => (data === undefined ? read(id) : Buffer.from(JSON.stringify(data)));
  const text = async () => new TextDecoder().decode(await bytes());
  const json = async () => (data === undefined ? JSON.parse(await text()) : data);
  return { ...artifact, bytes, text, json };
}

/** @type {(call: { subject: Subject, name: string }) => Promise<unknown>} */
async function answer({ subject, name }) {
  const loaded = await import(workerData.url);
  const check = loaded[name];
  if (typeof check !== "function") {
    const known = Object.keys(loaded).join(", ") || "nothing";
    throw new Error(`it exports no function "${name}", only: ${known}`);
  }
  return check({ ...subject, artifacts: subject.artifacts.map(withContent) });
}

/** @type {(call: { subject: Subject, name: string }) => Promise<void>} */
async function evaluate(call) {
  output = "";
  try {
    const value = await answer(call);
    send({ kind: "done", value, output });
  } catch (error) {
    const failed = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
    send({ kind: "failed", message: failed, output });
  }
}

port.on("message", (message) => {
  if (message.kind !== "content") {
    void evaluate(message);
    return;
  }
  const asking = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error === undefined) asking?.resolve(message.bytes);
  else asking?.reject(new Error(message.error));
});

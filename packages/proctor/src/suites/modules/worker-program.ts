// The program inside a worker that runs checks written in JavaScript. It is text, because a worker starts from a file or a
// text, and the file of this one would be found in another place, and in another language, once it is built.

/** Messages to it: {call}, {content}. From it: {read}, {done}, {failed}. Bytes of artifacts come when asked for. */
export const WORKER_PROGRAM = String.raw`
const { parentPort, workerData } = require("node:worker_threads");
const waiting = new Map();
let asked = 0;
let output = "";

// Kept here, and sent with the answer. The streams of a worker would keep the whole program alive, and come when they like.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, encoding, callback) => {
    if (output.length < workerData.maxOutputChars) output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
}

function read(artifact) {
  return new Promise((resolve, reject) => {
    const id = asked++;
    waiting.set(id, { resolve, reject });
    parentPort.postMessage({ kind: "read", id, artifact });
  });
}

function withContent(artifact) {
  const bytes = async () => artifact.data === undefined ? read(artifact.id) : Buffer.from(JSON.stringify(artifact.data));
  const text = async () => new TextDecoder().decode(await bytes());
  const json = async () => artifact.data === undefined ? JSON.parse(await text()) : artifact.data;
  return { ...artifact, bytes, text, json };
}

async function answer({ subject, name }) {
  const loaded = await import(workerData.url);
  const check = loaded[name];
  if (typeof check !== "function") {
    const known = Object.keys(loaded).join(", ") || "nothing";
    throw new Error('it exports no function "' + name + '", only: ' + known);
  }
  return check({ ...subject, artifacts: subject.artifacts.map(withContent) });
}

parentPort.on("message", async (message) => {
  if (message.kind === "content") {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) resolve(message.bytes);
    else reject(new Error(message.error));
    return;
  }
  output = "";
  try {
    const value = await answer(message);
    parentPort.postMessage({ kind: "done", value, output });
  } catch (error) {
    const failed = error instanceof Error ? error.name + ": " + error.message : "it threw " + String(error);
    parentPort.postMessage({ kind: "failed", message: failed, output });
  }
});
`;

// An agent that talks in envelopes over gRPC, with @grpc/grpc-js:  node agent.mjs 127.0.0.1:50051 <folder of the .proto files> [name]
// It registers and beats; then one stream both ways: envelopes come, answers and acknowledgements go.
import { randomUUID } from "node:crypto";
import { credentials, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const [address, protos, name = "counter"] = process.argv.slice(2);
const files = ["proctor/envelope/v1/envelope.proto", "proctor/registry/v1/registry.proto"];
const definition = loadSync(files, { includeDirs: [protos], longs: Number, oneofs: true, arrays: true });
const { envelope, registry } = loadPackageDefinition(definition).proctor;
const metadata = new Metadata();
if (process.env.PROCTOR_TOKEN) metadata.set("authorization", `Bearer ${process.env.PROCTOR_TOKEN}`);

const agents = new registry.v1.Registry(address, credentials.createInsecure());
const capabilities = [{ name: "count", description: "Counts the characters of a task." }];
const { instance, intervalSeconds, token } = await ask("register", { name, capabilities });
// On a hub with tokens the first one was good for the registration alone.
if (token) metadata.set("authorization", `Bearer ${token}`);
await beat();
setInterval(() => void beat(), intervalSeconds * 1000);

const client = new envelope.v1.Messages(address, credentials.createInsecure());
const stream = client.exchange(metadata);
stream.write({ open: { party: name } });
console.log(`${name} is listening`);

stream.on("data", ({ message, entry, refused }) => {
  if (message === "refused") console.error(refused.code, refused.message);
  if (message !== "entry") return;
  const { envelope: request, position } = entry;
  if (request.type === "request" && request.action === "execute") {
    const payload = plain(request.payload);
    const task = payload?.task ?? payload;
    const text = typeof task === "string" ? task : task.description;
    stream.write({ envelope: reply(request, { result: `${text.length} characters` }) });
  }
  stream.write({ ack: position });
});
stream.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});

function ask(method, request) {
  return new Promise((resolve, reject) => {
    agents[method](request, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

async function beat() {
  const { commands } = await ask("heartbeat", { name, instance });
  if (commands.includes("stop")) process.exit(0);
}

function reply(request, payload) {
  return {
    id: randomUUID(),
    from: name,
    to: request.from,
    type: "response",
    action: request.action,
    inReplyTo: request.id,
    payload: valueOf(payload),
    trace: { traceId: request.trace.traceId, spanId: randomUUID().replaceAll("-", "").slice(0, 16) },
  };
}

/** google.protobuf.Value → JSON. */
function plain(value) {
  switch (value?.kind) {
    case "structValue":
      return Object.fromEntries(
        Object.entries(value.structValue.fields ?? {}).map(([key, each]) => [key, plain(each)]),
      );
    case "listValue":
      return (value.listValue.values ?? []).map(plain);
    default:
      return value?.[value.kind] ?? null;
  }
}

/** JSON → google.protobuf.Value. */
function valueOf(json) {
  if (json === null) return { nullValue: 0 };
  if (Array.isArray(json)) return { listValue: { values: json.map(valueOf) } };
  if (typeof json !== "object") return { [`${typeof json === "boolean" ? "bool" : typeof json}Value`]: json };
  const fields = Object.fromEntries(Object.entries(json).map(([key, each]) => [key, valueOf(each)]));
  return { structValue: { fields } };
}

// An agent that talks in envelopes over gRPC, with @grpc/grpc-js:  node agent.mjs 127.0.0.1:50051 <folder of the .proto files> [name]
// One stream both ways: envelopes come, answers and acknowledgements go.
import { randomUUID } from "node:crypto";
import { credentials, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const [address, protos, name = "counter"] = process.argv.slice(2);
const definition = loadSync("proctor/envelope/v1/envelope.proto", {
  includeDirs: [protos],
  longs: Number,
  oneofs: true,
});
const { Messages } = loadPackageDefinition(definition).proctor.envelope.v1;
const metadata = new Metadata();
if (process.env.PROCTOR_TOKEN) metadata.set("authorization", `Bearer ${process.env.PROCTOR_TOKEN}`);

const client = new Messages(address, credentials.createInsecure());
const stream = client.exchange(metadata);
stream.write({ open: { party: name } });
console.log(`${name} is listening`);

stream.on("data", ({ message, entry, refused }) => {
  if (message === "refused") console.error(refused.code, refused.message);
  if (message !== "entry") return;
  const { envelope, position } = entry;
  if (envelope.type === "request" && envelope.action === "execute") {
    const payload = plain(envelope.payload);
    const task = payload?.task ?? payload;
    const text = typeof task === "string" ? task : task.description;
    stream.write({ envelope: reply(envelope, { result: `${text.length} characters` }) });
  }
  stream.write({ ack: position });
});
stream.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});

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

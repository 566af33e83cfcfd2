import { once } from "node:events";
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { connect as connectSocket } from "node:net";
import { status, type ServiceError } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { ERRORS, ProctorError, type ErrorCode } from "../../core/errors.ts";
import { collect, metadata, peerClient, unary } from "../../../test/support/atp/grpc-peer.ts";
import { encodeResponseMessage } from "../../protocols/atp/grpc/messages.ts";
import { AGENT_SERVICE } from "../../protocols/atp/grpc/service.ts";
import { listenGrpc, type GrpcListening, type GrpcListenOptions } from "./listen-grpc.ts";
import { statusOf } from "./status.ts";

const GRPC = { ":method": "POST", "content-type": "application/grpc+proto", te: "trailers" };
const CHECK = "/grpc.health.v1.Health/Check";
const EXECUTE = { ":path": "/atp.v1.Agent/Execute" };
const EMPTY = Buffer.alloc(5);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

describe("the health service", () => {
  it("answers for the server and each service, and not for others", async () => {
    const { check } = await setUp();
    expect(await check("")).toMatchObject({ response: { status: "SERVING" } });
    expect(await check("grpc.health.v1.Health")).toMatchObject({ response: { status: "SERVING" } });
    expect((await check("nobody")).error?.code).toBe(status.NOT_FOUND);
  });

  it("tells those who watch when the server stops, and lets them go", async () => {
    const { server, health } = await setUp();
    const watching = collect(health.Watch({ service: "" }, metadata()));
    const unknown = collect(health.Watch({ service: "nobody" }, metadata()));
    const first = health.Watch({ service: "" }, metadata());
    await new Promise((resolve) => first.once("data", resolve));
    const rest = collect(first);
    await server.close(5000);
    expect((await rest).messages).toEqual([{ status: "NOT_SERVING" }]);
    expect((await watching).messages.at(-1)).toEqual({ status: "NOT_SERVING" });
    expect((await unknown).messages).toEqual([{ status: "SERVICE_UNKNOWN" }]);
  });
});

describe("the gRPC server", () => {
  it("admits callers by the rules for HTTP callers, before a byte of the request is read", async () => {
    const seen: [string, string | null, boolean][] = [];
    const { server } = await setUp({
      authorize(request, open) {
        seen.push([request.url, request.headers.get("authorization"), open]);
        if (!open) throw new ProctorError("UNAUTHORIZED", "this hub needs a token\nsend it: 100 %, ключ");
      },
    });
    const client = peerClient(server.url);
    closers.push(() => client.close());
    const { error } = await unary((done) =>
      client.Execute({ task_id: "x".repeat(1_000_000) }, metadata({ authorization: "Bearer x" }), {}, done),
    );
    expect(error).toMatchObject({
      code: status.UNAUTHENTICATED,
      details: "this hub needs a token\nsend it: 100 %, ключ",
    });
    expect(error?.metadata.get("proctor-error-code")).toEqual(["UNAUTHORIZED"]);
    const origin = server.url.replace("grpc:", "http:");
    expect(seen).toEqual([[`${origin}/atp.v1.Agent/Execute`, "Bearer x", false]]);
    const session = open(server);
    await call(session, EMPTY);
    expect(seen[1]).toEqual([`${origin}${CHECK}`, null, true]);
  });

  it("is not fooled by a host that differs from the authority, nor broken by one that is none", async () => {
    const hosts: (string | null)[] = [];
    const { server } = await setUp({ authorize: (request) => void hosts.push(request.headers.get("host")) });
    const session = open(server);
    await call(session, EMPTY, { host: "localhost", ":authority": "evil.example" });
    expect(hosts).toEqual(["evil.example"]);
    for (const authority of ["[", "a:b:c", "%", "a:99999999"]) {
      expect(await call(session, EMPTY, { ":authority": authority })).toMatchObject({ "grpc-status": "3" });
    }
    expect(await call(session, EMPTY)).toMatchObject({ "grpc-status": "0" });
  });
});

describe("malformed gRPC calls", () => {
  it.each([
    [{ ":path": "/nobody/Nothing" }, { "grpc-status": "12" }],
    [{ ":path": "/grpc.health.v1.Health/Nothing" }, { "grpc-status": "12" }],
    [{ "content-type": "application/json" }, { ":status": 415 }],
    [{ "content-type": "application/grpc+json" }, { ":status": 415 }],
    [{ "content-type": "application/grpc-web" }, { ":status": 415 }],
    [{ ":method": "GET" }, { ":status": 405 }],
    [{ "grpc-timeout": "soon" }, { "grpc-status": "3" }],
    [{ "grpc-encoding": "secret" }, { "grpc-status": "12" }],
  ])("%o are refused", async (headers, expected) => {
    const { server, problems } = await setUp();
    expect(await call(open(server), EMPTY, headers)).toMatchObject(expected);
    expect(problems).toEqual([]);
  });

  it.each([
    ["a message that is too large", Buffer.from([0, 0, 16, 0, 1]), "8"],
    ["a message that is no message", Buffer.from([0, 0, 0, 0, 1, 255]), "3"],
    ["half a message", Buffer.from([0, 0, 0, 0, 9, 1]), "3"],
    ["nothing at all", Buffer.alloc(0), "12"],
    ["two messages where there should be one", Buffer.alloc(10), "12"],
  ])("%s is refused", async (_, bytes, code) => {
    const { server, problems } = await setUp({ maxMessageBytes: 1024 * 1024 });
    expect(await call(open(server), bytes)).toMatchObject({ "grpc-status": code });
    expect(problems).toEqual([]);
  });

  it("may have a deadline that no timer can measure, which is ignored", async () => {
    const deadlines: (number | undefined)[] = [];
    const { server } = await setUp({
      routes: [
        (router) =>
          router.rpc(AGENT_SERVICE.method.execute, (_request, context) => {
            deadlines.push(context.timeoutMs());
            return encodeResponseMessage({});
          }),
      ],
    });
    await call(open(server), EMPTY, { ...EXECUTE, "grpc-timeout": "99999999H" });
    await call(open(server), EMPTY, { ...EXECUTE, "grpc-timeout": "1H" });
    expect(deadlines).toEqual([undefined, expect.closeTo(3_600_000, -4)]);
  });

  it("that meet a bug are answered with an internal error, and the bug is reported", async () => {
    const { server, problems } = await setUp({
      routes: [
        (router) =>
          router.rpc(AGENT_SERVICE.method.execute, () => {
            throw new Error("a secret");
          }),
      ],
    });
    const headers = await call(open(server), EMPTY, EXECUTE);
    expect(headers).toMatchObject({ "grpc-status": "13", "grpc-message": "an internal error" });
    expect(problems).toHaveLength(1);
  });
});

describe("the gRPC server, faced with slow, silent or hostile clients,", () => {
  it("gives up a request that does not arrive", async () => {
    const { server } = await setUp({ requestTimeoutMs: 50 });
    const stream = open(server).request({ ...GRPC, ":path": CHECK });
    stream.write(Buffer.from([0, 0, 0, 0, 9]));
    expect(await headersOf(stream)).toMatchObject({ "grpc-status": "4" });
  });

  it("drops a connection that answers no ping", async () => {
    const { server } = await setUp({ keepAliveMs: 50 });
    const socket = connectSocket(server.port, "127.0.0.1");
    closers.push(() => socket.destroy());
    // The preface and empty settings, then nothing.
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    socket.resume();
    await once(socket, "close");
  });

  it("survives garbage, resets and aborts, and goes on serving", async () => {
    const { server, problems, check } = await setUp();
    const socket = connectSocket(server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.end("GET / HTTP/1.1\r\n\r\n garbage");
    socket.resume();
    await once(socket, "close");
    const session = open(server);
    for (let index = 0; index < 50; index++) {
      const stream = session.request({ ...GRPC, ":path": CHECK });
      stream.on("error", () => undefined);
      stream.write(Buffer.from([0, 0, 0]));
      stream.close(constants.NGHTTP2_CANCEL);
    }
    session.destroy();
    expect(await check("")).toMatchObject({ response: { status: "SERVING" } });
    expect(problems).toEqual([]);
  });
});

describe("opening and closing the gRPC server", () => {
  it("lets a call that runs end, and takes no other", async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let began = (): void => undefined;
    const running = new Promise<void>((resolve) => (began = resolve));
    const { server } = await setUp({
      routes: [
        (router) =>
          router.rpc(AGENT_SERVICE.method.execute, async () => {
            began();
            await finished;
            return encodeResponseMessage({});
          }),
      ],
    });
    const session = open(server);
    const answer = call(session, EMPTY, EXECUTE);
    await running;
    const closed = server.close(5000);
    finish();
    expect(await answer).toMatchObject({ "grpc-status": "0" });
    await closed;
    const late = connectSocket(server.port, "127.0.0.1");
    const [error] = (await once(late, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
  });

  it("cuts a call that does not end", async () => {
    let began = (): void => undefined;
    const running = new Promise<void>((resolve) => (began = resolve));
    const { server } = await setUp({
      routes: [
        (router) =>
          router.rpc(AGENT_SERVICE.method.execute, () => {
            began();
            return new Promise<never>(() => undefined);
          }),
      ],
    });
    const answer = call(open(server), EMPTY, EXECUTE);
    await running;
    await server.close(20);
    expect(await answer).toEqual({});
  });

  it("says which port is taken", async () => {
    const { server } = await setUp();
    const second = listenGrpc({ ...options([]), port: server.port });
    await expect(second).rejects.toThrow(`cannot listen for gRPC on 127.0.0.1:${server.port} (EADDRINUSE)`);
  });
});

it("there is a gRPC status for every error of the catalogue", () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const statuses = codes.map((code) => [code, status[statusOf(new ProctorError(code, "x"))]]);
  const internal = statuses.filter(([, name]) => name === "INTERNAL").map(([code]) => code);
  expect(internal.every((code) => ERRORS[code as ErrorCode].status === 500)).toBe(true);
  expect(Object.fromEntries(statuses)).toMatchObject({
    INVALID_REQUEST: "INVALID_ARGUMENT",
    UNAUTHORIZED: "UNAUTHENTICATED",
    FORBIDDEN: "PERMISSION_DENIED",
    RUN_NOT_FOUND: "NOT_FOUND",
    AGENT_NOT_FOUND: "NOT_FOUND",
    ILLEGAL_TRANSITION: "FAILED_PRECONDITION",
    PAYLOAD_TOO_LARGE: "RESOURCE_EXHAUSTED",
    STORE_UNAVAILABLE: "UNAVAILABLE",
    SHUTTING_DOWN: "UNAVAILABLE",
    INTERNAL_ERROR: "INTERNAL",
  });
});

type HealthClient = ReturnType<typeof peerClient> & {
  Check(
    request: object,
    done: (error: ServiceError | null, response?: Record<string, unknown>) => void,
  ): void;
  Watch: ReturnType<typeof peerClient>["ExecuteStream"];
};

function options(problems: unknown[]): GrpcListenOptions {
  return {
    host: "127.0.0.1",
    port: 0,
    routes: [],
    authorize: () => undefined,
    onError: (problem) => problems.push(problem),
  };
}

async function setUp(given: Partial<GrpcListenOptions> = {}): Promise<{
  server: GrpcListening;
  health: HealthClient;
  problems: unknown[];
  check: (service: string) => ReturnType<typeof unary>;
}> {
  const problems: unknown[] = [];
  const server = await listenGrpc({ ...options(problems), ...given });
  // The methods are those of the .proto file.
  const health = peerClient(server.url, "grpc.health.v1.Health") as HealthClient;
  closers.push(
    () => server.close(0),
    () => health.close(),
  );
  return { server, health, problems, check: (service) => unary((done) => health.Check({ service }, done)) };
}

function open({ port }: GrpcListening): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  closers.push(() => session.destroy());
  return session;
}

/** Headers and trailers of the answer, together. */
function call(session: ClientHttp2Session, bytes: Buffer, headers: object = {}): Promise<object> {
  const stream = session.request({ ...GRPC, ":path": CHECK, ...headers }, { endStream: false });
  stream.end(bytes);
  return headersOf(stream);
}

async function headersOf(stream: ClientHttp2Stream): Promise<object> {
  const all = {};
  stream.on("response", (headers) => Object.assign(all, headers));
  stream.on("trailers", (headers) => Object.assign(all, headers));
  stream.on("error", () => undefined);
  stream.resume();
  await new Promise((resolve) => stream.on("close", resolve));
  return all;
}

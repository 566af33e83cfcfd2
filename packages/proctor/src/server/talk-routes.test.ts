// Talking to runs over the neutral API: what its documents look like, and what it refuses. What the Hub promises is core/ports/*.case.ts.
import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../test/support/eventually.ts";
import { createHarness, RUN } from "../../test/support/server/app-harness.ts";
import { createTalkingPuppets, PUPPET } from "../../test/support/talking-puppets.ts";
import { talkingRuns } from "../../test/support/talking-runs.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { MAX_MESSAGE_CHARS, textPart } from "../core/message.ts";
import { MAX_EXPIRY_SECONDS, type NewQuestion } from "../core/question.ts";

const open: TestHub[] = [];

afterEach(async () => {
  for (const hub of open.splice(0)) await hub.close();
});

/** The API over a real hub; every answer is held to its schema. */
async function setUp() {
  const puppets = createTalkingPuppets();
  const local = await openTestHub({ puppets: { ...puppets } });
  open.push(local);
  const { send } = createHarness({ hub: local.hub });
  const post = (path: string, json: unknown) => send("POST", path, { json });
  const get = async (path: string) => (await send("GET", path)).body;
  return { puppets, send, post, get, runs: talkingRuns(local.hub, puppets) };
}

async function withQuestion(question: Partial<NewQuestion> = {}) {
  const made = await setUp();
  return { ...made, ...(await made.runs.waiting(question)) };
}

describe("a run that is submitted over the API", () => {
  it("can ask its clients, unless its options say otherwise", async () => {
    const { send, hub } = createHarness();
    const conversation = { policy: { input: { answer: { deep: [null] } } }, rules: [{ policy: "deny" }] };
    const optionsOf = async (path: string, options?: object) => {
      await send("POST", path, { json: { ...RUN, ...(options && { options }) } });
      return (hub.calls.at(-1)?.args[0] as { options: object } | undefined)?.options;
    };
    expect(await optionsOf("/runs")).toEqual({ conversation: {} });
    expect(await optionsOf("/runs?start=false", { strict: true })).toEqual({
      strict: true,
      conversation: {},
    });
    expect(await optionsOf("/runs", { conversation })).toEqual({ conversation });
  });

  it(
    "says where it belongs, and has what its client says as its first message",
    { timeout: HANG_MS },
    async () => {
      const { post, get, puppets, runs } = await setUp();
      const { body } = await post("/runs", {
        agent: PUPPET,
        task: { description: "x" },
        conversation_id: "c 1",
        message: { id: "m", text: "hello", references: ["r"] },
      });
      expect(body).toMatchObject({
        conversation_id: "c 1",
        follows: null,
        parent_id: null,
        root_id: body.id,
        questions: [],
      });
      const child = await post("/runs", { agent: PUPPET, task: { description: "y" }, parent_id: body.id });
      expect(child.body).toMatchObject({ parent_id: body.id, root_id: body.id });
      expect(await get(`/runs?parent=${body.id}`)).toMatchObject({ items: [{ id: child.body.id }] });
      expect(await get(`/runs/${body.id}/tally`)).toMatchObject({ runs: 2, live: 2 });
      for (const index of [0, 1]) (await puppets.puppet.session(index)).end();
      await Promise.all([runs.ended(body.id), runs.ended(child.body.id)]);
      const [first] = (await get(`/runs/${body.id}/messages`)).items;
      expect(first.message).toEqual({ id: "m", role: "user", parts: [textPart("hello")], references: ["r"] });
      expect(await get("/conversations/c%201")).toMatchObject({ id: "c 1", runs: [{ id: body.id }] });
    },
  );

  it.each<[string, object, string]>([
    [
      "an unknown policy",
      { options: { conversation: { policy: { input: "guess" } } } },
      "options.conversation",
    ],
    ["an unknown kind", { options: { conversation: { policy: { inputs: "ask" } } } }, "policy.inputs"],
    ["an unknown option", { options: { conversation: { expires: 1 } } }, "options.conversation.expires"],
    ["no time to answer", { options: { conversation: { expires_seconds: 0 } } }, "expires_seconds"],
    [
      "too much time",
      { options: { conversation: { expires_seconds: MAX_EXPIRY_SECONDS + 1 } } },
      "expires_seconds",
    ],
    ["a rule without a policy", { options: { conversation: { rules: [{ tool: "x" }] } } }, "rules.0.policy"],
    ["credentials", { options: { conversation: { policy: { auth: { answer: "tok" } } } } }, "policy.auth"],
    [
      "credentials in a rule",
      { options: { conversation: { rules: [{ kind: "auth", policy: { answer: "tok" } }] } } },
      "rules.0.policy",
    ],
    ["no conversation", { conversation_id: "" }, "conversation_id"],
    ["a long conversation", { conversation_id: "x".repeat(401) }, "conversation_id"],
    ["an empty message", { message: {} }, "message.parts"],
    ["a message in two forms", { message: { text: "a", parts: [textPart("a")] } }, "message.parts"],
    ["a role", { message: { text: "a", role: "agent" } }, "message.role"],
  ])("is refused with %s", async (_, changes, path) => {
    const { status, body } = await createHarness().send("POST", "/runs", { json: { ...RUN, ...changes } });
    expect([status, body.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(JSON.stringify(body.details)).toContain(path);
  });

  it.each(["follows", "parent_id"])("is not %s of another when its client does the work", async (field) => {
    const json = { task: { description: "x" }, [field]: "01890000-0000-7000-8000-000000000000" };
    expect(await createHarness().send("POST", "/runs/client", { json })).toMatchObject({ status: 400 });
  });
});

describe("messages to a run over the API", { timeout: HANG_MS }, () => {
  it("are texts for short, or parts", async () => {
    const { post, get, id, session, runs } = await withQuestion();
    const short = await post(`/runs/${id}/messages`, { text: "hello" });
    expect(short).toMatchObject({ status: 201, body: { role: "user", parts: [textPart("hello")] } });
    const parts = [
      { kind: "data", data: null, media_type: "application/json" },
      { kind: "blob", content_hash: `sha256:${"a".repeat(64)}`, size_bytes: 3, name: "a.txt" },
      { kind: "url", url: "https://a.example/" },
    ];
    expect(await post(`/runs/${id}/messages`, { id: "m", parts })).toMatchObject({
      status: 201,
      body: { id: "m", parts },
    });
    const { items, next_cursor } = await get(`/runs/${id}/messages`);
    expect([items.length, items[2].message.parts, next_cursor]).toEqual([3, parts, null]);
    await runs.finish(id, session);
    expect(await post(`/runs/${id}/messages`, { text: "late" })).toMatchObject({
      status: 409,
      body: { code: "RUN_ENDED", details: { follows: id } },
    });
  });

  it.each<[string, object, number]>([
    ["nothing", {}, 400],
    ["no parts", { parts: [] }, 400],
    ["an unknown kind of part", { parts: [{ kind: "image", data: 1 }] }, 400],
    ["a part without its content", { parts: [{ kind: "data" }] }, 400],
    ["a part with an unknown field", { parts: [{ kind: "text", text: "a", colour: "red" }] }, 400],
    ["a hash that is none", { parts: [{ kind: "blob", content_hash: "../x", size_bytes: 1 }] }, 400],
    ["a long id", { id: "x".repeat(401), text: "a" }, 400],
    ["an agent's role", { text: "a", role: "agent" }, 400],
    ["a megabyte", { text: "x".repeat(MAX_MESSAGE_CHARS) }, 413],
    ["almost a megabyte, which is one with its id", { text: "x".repeat(MAX_MESSAGE_CHARS - 20) }, 413],
  ])("are refused with %s", async (_, json, status) => {
    const { post, id, session } = await withQuestion();
    const refused = await post(`/runs/${id}/messages`, json);
    const code = status === 413 ? "PAYLOAD_TOO_LARGE" : "INVALID_REQUEST";
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(session.heard).toEqual([]);
  });
});

describe("answers over the API", { timeout: HANG_MS }, () => {
  it("are texts for short, and the answer is the run", async () => {
    const { post, get, id, session, runs } = await withQuestion();
    expect(await get("/questions?kind=input&audience=client&limit=1")).toMatchObject({
      items: [{ run_id: id, agent: PUPPET, question: { id: "q1", kind: "input" } }],
      next_cursor: null,
    });
    const by = { kind: "human", name: "Ada" };
    const answered = await post(`/runs/${id}/answers`, { question_id: "q1", id: "a", text: "42", by });
    expect(answered).toMatchObject({ status: 200, body: { id, status: "running", questions: [] } });
    expect(await post(`/runs/${id}/answers`, { question_id: "q1", text: "43" })).toMatchObject({
      status: 409,
      body: { code: "ANSWERED_ALREADY" },
    });
    await runs.finish(id, session);
    expect(session.heard).toMatchObject([{ answer: { id: "a", by, parts: [textPart("42")] } }]);
  });

  it.each<[string, object, number, string]>([
    ["in the name of a policy", { option: "allow", by: { kind: "policy" } }, 400, "INVALID_REQUEST"],
    [
      "of a simulator to a client's question",
      { option: "allow", by: { kind: "simulator" } },
      403,
      "FORBIDDEN",
    ],
    ["in two forms", { text: "allow", parts: [textPart("allow")] }, 400, "INVALID_REQUEST"],
    ["with an unknown field", { option: "allow", approve: true }, 400, "INVALID_REQUEST"],
    ["with an unknown outcome", { option: "allow", outcome: "yes" }, 400, "INVALID_REQUEST"],
    ["that are free text", { text: "sure, go ahead" }, 400, "INVALID_REQUEST"],
    ["to nothing", { question_id: "", option: "allow" }, 400, "INVALID_REQUEST"],
    ["to another question", { question_id: "q2", option: "allow" }, 404, "QUESTION_NOT_FOUND"],
    ["that are too large", { text: "x".repeat(MAX_MESSAGE_CHARS) }, 413, "PAYLOAD_TOO_LARGE"],
  ])("%s are refused", async (_, given, status, code) => {
    const { post, id, runs, session } = await withQuestion({ kind: "permission" });
    const refused = await post(`/runs/${id}/answers`, { question_id: "q1", ...given });
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    await runs.finish(id, session);
    expect(session.heard).toEqual([]);
  });

  it("to forms name the place that does not fit", async () => {
    const schema = { type: "object", properties: { age: { type: "integer" } } };
    const { post, id } = await withQuestion({ kind: "form", schema });
    expect(await post(`/runs/${id}/answers`, { question_id: "q1", data: { age: "x" } })).toMatchObject({
      status: 400,
      body: { code: "INVALID_REQUEST", details: [{ path: "data", message: "/age: must be integer" }] },
    });
    expect(await post(`/runs/${id}/answers`, { question_id: "q1", data: { age: 1 } })).toMatchObject({
      status: 200,
    });
  });
});

describe("the list of open questions", () => {
  it.each(["kind=guess", "audience=all", "limit=0", "cursor=x", "state=open"])(
    "refuses ?%s",
    async (query) => {
      const { send } = await setUp();
      expect((await send("GET", `/questions?${query}`)).status).toBe(400);
    },
  );
});

describe("the schema of events", () => {
  it("knows every type that a run that talks has", () => {
    const { Event } = createHarness().app.openapi().components.schemas;
    expect(Event).toMatchObject({
      properties: {
        type: {
          type: "string",
          "x-extensible-enum": expect.arrayContaining([
            "question.asked",
            "message.extended",
            "session.parked",
          ]),
        },
      },
    });
  });
});

// What an endpoint is asked: defaults, templates, conversations, headers.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import type { JobConversation } from "../../core/ports/driver.ts";
import { textPart } from "../../core/message.ts";
import { drive } from "../../../test/support/protocols/drive.ts";
import { jsonEndpoint } from "../../../test/support/protocols/json-endpoint.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const HISTORY: JobConversation = {
  id: "talk-1",
  history: async () => [
    { id: "1", role: "user", parts: [textPart("first")] },
    { id: "2", role: "agent", parts: [textPart("second")] },
  ],
};
const TURNS = [
  { role: "user", content: "first" },
  { role: "assistant", content: "second" },
];

async function bodyFor(options: JsonObject | undefined, job: Parameters<typeof drive>[1]): Promise<unknown> {
  const { spec, asked } = await jsonEndpoint({ answer: "ok" }, options);
  await drive(spec, job);
  return asked[0]?.body;
}

describe("a request to a JSON endpoint", () => {
  it("posts the task as a message, with its input data below it, when no options say otherwise", async () => {
    const { spec, asked } = await jsonEndpoint({ answer: "ok" });
    await drive(spec, { task: { description: "add", input_data: { a: 1 } } });
    expect(asked).toMatchObject([
      {
        method: "POST",
        url: "/chat",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: { message: 'add\n\n{\n  "a": 1\n}' },
      },
    ]);
  });

  it("fills a template in, and keeps the type of a value that stands alone", async () => {
    const body = {
      q: "Do this: {task} ({input.n})",
      all: "{input}",
      n: "{input.n}",
      deep: ["{input.list.1}", { missing: "{input.no.such}" }],
      braces: "{json} {} {{task}} { task }",
      temperature: 0.5,
    };
    const task = { description: "count", input_data: { n: 3, list: ["a", "b"] } };
    expect(await bodyFor({ body }, { task })).toEqual({
      q: "Do this: count (3)",
      all: task.input_data,
      n: 3,
      deep: ["b", { missing: null }],
      braces: "{json} {} {count} { task }",
      temperature: 0.5,
    });
  });

  it("sends what was said before in a follow-up, as turns of its list", async () => {
    const body = {
      messages: [{ role: "system", content: "be kind" }, "{history}", { role: "user", content: "{task}" }],
    };
    const job = { task: { description: "third" }, conversation: HISTORY };
    expect(await bodyFor({ body }, job)).toEqual({
      messages: [{ role: "system", content: "be kind" }, ...TURNS, { role: "user", content: "third" }],
    });
    expect(await bodyFor(undefined, job)).toEqual({ message: "third", history: TURNS });
  });

  it("gives back the id under which the endpoint keeps the conversation, and then no history", async () => {
    const options = { conversation_id: "meta.session" };
    const { spec, asked } = await jsonEndpoint({ answer: "ok", meta: { session: 17 } }, options);
    const first = await drive(spec);
    const session = first.reports.find((report) => report.kind === "session");
    expect(session).toEqual({ kind: "session", continuation: { conversation_id: 17 } });
    await drive(spec, { conversation: { ...HISTORY, continuation: session?.continuation ?? null } });
    expect(asked.map(({ body }) => body)).toEqual([
      { message: "do it" },
      { message: "do it", conversation_id: 17 },
    ]);
  });

  it("names the hub's own conversation where the endpoint gives no id", async () => {
    const body = { session: "{conversation_id}", q: "{task}" };
    expect(await bodyFor({ body }, { runId: "run-1" })).toEqual({ session: "run-1", q: "do it" });
    expect(await bodyFor({ body }, { conversation: HISTORY })).toEqual({ session: "talk-1", q: "do it" });
    const kept = { body, conversation_id: "id" };
    expect(await bodyFor(kept, { runId: "run-1" })).toEqual({ session: null, q: "do it" });
  });

  it("asks by GET with a query, which is encoded and added to that of the address", async () => {
    const options = { method: "GET", query: { q: "{task}", n: 2 } };
    const { spec, asked } = await jsonEndpoint({ answer: "ok" }, options);
    await drive({ ...spec, url: `${spec.url}?key=1` }, { task: { description: "a&b=c\r\nX: y #" } });
    expect(asked).toMatchObject([{ method: "GET", body: null }]);
    expect(asked[0]?.headers).not.toHaveProperty("content-type");
    const { searchParams } = new URL(asked[0]?.url ?? "", "http://endpoint");
    expect(Object.fromEntries(searchParams)).toEqual({ key: "1", q: "a&b=c\r\nX: y #", n: "2" });
  });

  it("keeps the address as it is written, with its last slash", async () => {
    const { spec, asked } = await jsonEndpoint({ answer: "ok" }, { method: "PUT" });
    await drive({ ...spec, url: `${spec.url}/` });
    expect(asked).toMatchObject([{ method: "PUT", url: "/chat/" }]);
  });

  it("cannot be changed in its shape by what a task says", async () => {
    const { spec, asked } = await jsonEndpoint(
      { answer: "ok" },
      { body: { a: "x {task} y", b: "{task}", c: ["{input}"], d: "{input.t}" } },
    );
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('"}, "admin": true, {"', "{input}", "{history}", "{task}", "$&$1", "\\u0022", "\u2028"),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        await drive(spec, { task: { description: text, input_data: { t: text } } });
        expect(asked.at(-1)?.body).toEqual({ a: `x ${text} y`, b: text, c: [{ t: text }], d: text });
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it("carries the agent's own headers, and refuses one that would be two", async () => {
    const { spec, asked } = await jsonEndpoint({ answer: "ok" });
    await drive({ ...spec, headers: { "X-Key": "k", Accept: "text/json", "Content-Type": "text/html" } });
    expect(asked[0]?.headers).toMatchObject({
      "x-key": "k",
      accept: "text/json",
      "content-type": "application/json",
    });
    const { end } = await drive({ ...spec, headers: { "X-Key": "secret\r\nX-Admin: yes" } });
    expect(end.failure).toMatchObject({ code: "INVALID_REQUEST" });
    expect(JSON.stringify(end)).not.toContain("secret");
    expect(asked).toHaveLength(1);
  });
});

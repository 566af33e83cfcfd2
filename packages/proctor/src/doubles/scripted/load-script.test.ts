// The file of a scripted agent: what it can say, and what it is told when it is wrong.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { message03, rpc, send03, startAgent, stream03 } from "../../../test/support/doubles/scripted.ts";
import { codecs } from "../../cli/compose/start-scripted-agent.ts";
import { loadScript } from "./load-script.ts";
import type { ScriptFile } from "./script-schema.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-scripted-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(yaml: string): Promise<ScriptFile> {
  const file = join(folder, "script.yaml");
  await writeFile(file, yaml);
  return loadScript(file, codecs, { displayName: "script.yaml", variables: {} });
}

const DONE = `[{kind: task, status: {state: completed, message: {parts: [{kind: text, text: "TEXT"}]}}}]`;
const done = (text: string): string => DONE.replace("TEXT", text);

describe("the script of an agent", () => {
  it("is chosen by text, pattern, prefix of the message's id, context or test case; the first that fits wins", async () => {
    const script = await load(`
scripts:
  - {name: exact, when: {text: Hello}, turns: [${done("exact")}]}
  - {name: part, when: {contains: needle}, turns: [${done("part")}]}
  - {name: start, when: {text_prefix: "task "}, turns: [${done("start")}]}
  - {name: pattern, when: {regex: '(?i)^add (\\d+) and (?<other>\\d+)$'}, turns: [${done("{{1}} + {{other}} of {{text}}")}]}
  - {name: id, when: {message_id_prefix: probe-}, turns: [${done("id")}]}
  - {name: context, when: {context_id: ctx-1}, turns: [${done("context")}]}
  - {name: case, when: {test_case_id: case-1}, turns: [${done("case of {{testCaseId}}")}]}
default: {turns: [${done("default")}]}
`);
    const { url } = await startAgent({ script });
    const ask = async (said: Parameters<typeof send03>[1]): Promise<string> =>
      JSON.stringify(await send03(url, said));
    expect(await ask({ text: " Hello " })).toContain('"exact"');
    expect(await ask({ text: "a needle in hay" })).toContain('"part"');
    expect(await ask({ text: "task 1" })).toContain('"start"');
    expect(await ask({ text: "Add 3 and 4" })).toContain('"3 + 4 of Add 3 and 4"');
    expect(await ask({ text: "x", messageId: "probe-9" })).toContain('"id"');
    expect(await ask({ text: "x", contextId: "ctx-1" })).toContain('"context"');
    expect(await ask({ text: "x [test_case_id=case-1]" })).toContain("case of case-1");
    expect(await ask({ text: "anything" })).toContain('"default"');
  });

  it("says how it behaves: after the end, when it is cancelled, at the beginning, how often", async () => {
    const script = await load(`
name: Strict agent
ended: refuse
cancel: refuse
opening: task
scripts:
  - {times: 1, turns: [${done("once")}]}
default: {turns: [[{kind: status-update, status: {state: input-required}}], ${done("second")}]}
`);
    const { url } = await startAgent({ script });
    const first = await stream03(url, { text: "x" });
    expect(first.map(({ kind }) => kind)).toEqual(["task"]);
    const { id: taskId } = first[0] as { id: string };
    expect(await send03(url, { text: "more", taskId })).toMatchObject({ error: { code: -32004 } });
    const second = await stream03(url, { text: "x" });
    expect(second.map(({ kind }) => kind)).toEqual(["task", "status-update"]);
    const { id } = second[0] as { id: string };
    expect(await rpc(url, "tasks/cancel", { id })).toMatchObject({ error: { code: -32002 } });
    const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as { name: string };
    expect(card.name).toBe("Strict agent");
  });

  it("refuses a turn with an error of A2A, and puts faults into turns", async () => {
    const script = await load(`
scripts:
  - when: {text: wrong type}
    turns: [{error: {reason: CONTENT_TYPE_NOT_SUPPORTED, message: no pictures}}]
  - when: {text: broken}
    turns: [{events: ${done("x")}, faults: ["status:500*1"]}]
`);
    const { url } = await startAgent({ script });
    expect(await send03(url, { text: "wrong type" })).toMatchObject({
      error: { code: -32005, message: "no pictures" },
    });
    const send = (): Promise<Response> =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "message/send",
          params: { message: message03({ text: "broken" }) },
        }),
      });
    expect([(await send()).status, (await send()).status]).toEqual([500, 200]);
  });

  it.each([
    [
      "an unknown key",
      `scripts:\n  - turnz: []\n    turns: [${done("x")}]`,
      /script\.yaml:2:5 {2}unknown key "turnz"\n {3}did you mean "turns"\?/,
    ],
    ["no answer at all", "name: x", /script\.yaml:1:1 {2}this script answers nothing/],
    [
      "an unknown kind of event",
      "default: {turns: [[{kind: taks}]]}",
      /script\.yaml:1:20 {2}this is an event of the unknown kind "taks"; did you mean "task"\?/,
    ],
    [
      "an event that nobody could read",
      "default: {turns: [[{kind: task, status: 7}]]}",
      /script\.yaml:1:20 /,
    ],
    [
      "a pattern that is none",
      `scripts: [{when: {regex: '('}, turns: [${done("x")}]}]`,
      /script\.yaml:1:\d+ {2}Invalid regular expression/,
    ],
    [
      "a fault that is none",
      `default: {faults: [cutt], turns: [${done("x")}]}`,
      /script\.yaml:1:20 {2}unknown fault "cutt"/,
    ],
    [
      "a variable that nobody fills",
      `default: {turns: [${done("{{txt}}")}]}`,
      /unknown variable "txt"\n {3}did you mean "text"\?/,
    ],
    ["no turns", "default: {turns: []}", /"turns" needs at least 1 entry/],
    ["an unknown error", "default: {turns: [{error: {reason: NOPE}}]}", /"reason" must be/],
  ])("with %s is refused with its place", async (_what, yaml, message) => {
    await expect(load(yaml)).rejects.toThrow(message);
  });

  it("does not hang on a pattern without end", async () => {
    const script = await load(`scripts: [{when: {regex: '^(a+)+$'}, turns: [${done("x")}]}]`);
    const { url } = await startAgent({ script });
    expect(await soonTooSlow(() => send03(url, { text: `${"a".repeat(60)}!` }))).toMatchObject({
      error: { message: expect.stringContaining("is too slow") as string },
    });
  });
});

// `proctor runs` and `proctor agents`: lists, details, logs.
import { expect, test } from "vitest";
import type { EventDraft } from "../../core/event.ts";
import {
  createIo,
  createProgramDouble,
  type ProgramDouble,
} from "../../../test/support/cli/program-double.ts";

const ID = "0190c3a4-0000-7000-8000-000000000001";

function withRun(drafts: EventDraft[] = []): ProgramDouble {
  const program = createProgramDouble();
  program.hub.create({ agent: "writer", task: { description: "Say\nhello" }, metadata: { team: "r" } }, ID);
  for (const draft of drafts) program.hub.append(ID, draft);
  return program;
}

const ENDED: EventDraft[] = [
  { type: "run.started", payload: { worker: "here" } },
  { type: "log", payload: { stream: "stderr", text: "hi \u001b[31mred\u001b[0m" } },
  {
    type: "run.ended",
    payload: { status: "failed", failure: { code: "AGENT_CRASHED", message: "exit code 3\nTraceback" } },
  },
];

test("proctor runs list prints a table", async () => {
  const program = withRun(ENDED);

  const { code, out } = await program.run(["runs", "list"]);

  expect(code).toBe(0);
  expect(out).toMatch(/^ID +STATUS +AGENT +TASK +TOOK +TOKENS +CREATED\n/);
  expect(out).toMatch(new RegExp(`${ID} +failed +writer +Say⏎ hello +500ms`));
  expect(program.modes).toEqual(["read"]);
});

test("proctor runs list fits its table to the terminal and keeps ids whole", async () => {
  const { out } = await withRun(ENDED).run(
    ["runs", "list"],
    createIo({ columns: 90, env: { NO_COLOR: "1" } }),
  );

  for (const line of out.trimEnd().split("\n")) expect(line.length).toBeLessThanOrEqual(90);
  expect(out).toContain(ID);
});

test("proctor runs list --json prints {items, next_cursor}, filtered and paged", async () => {
  const program = withRun(ENDED);
  program.hub.create({ agent: "other", task: { description: "x" } });

  const all = JSON.parse((await program.run(["runs", "list", "--json"])).out);
  const failed = JSON.parse(
    (await program.run(["runs", "list", "--status", "failed", "timeout", "--json"])).out,
  );
  const { out } = await program.run(["runs", "list", "--limit", "1"]);

  expect(all).toMatchObject({ items: [{ agent: "other" }, { id: ID }], next_cursor: null });
  expect(failed.items).toHaveLength(1);
  expect(out).toContain("more: proctor runs list --cursor next");
});

test("proctor runs list and agents list show how to begin when there is nothing", async () => {
  const program = createProgramDouble();

  expect((await program.run(["runs", "list"])).out).toContain("no runs yet");
  expect((await program.run(["runs", "list", "--status", "failed"])).out).toBe("no such runs\n");
  expect((await program.run(["agents", "list"])).out).toContain("proctor agents add");
});

test("proctor runs show prints everything about a run, for people and as JSON", async () => {
  const program = withRun(ENDED);

  const { out } = await program.run(["runs", "show", ID]);
  const json = await program.run(["runs", "show", ID, "--json"]);

  expect(out).toContain(`${ID}  ✗ failed\n  agent       writer\n  task        Say\n              hello\n`);
  expect(out).toContain(
    "  duration    500ms\n  failure     AGENT_CRASHED  exit code 3\n              Traceback\n",
  );
  expect(out).toContain("  metadata    team=r\n");
  expect(JSON.parse(json.out)).toEqual(await program.hub.run(ID));
});

test("proctor runs events prints the log from a sequence on, and makes control characters visible", async () => {
  const program = withRun(ENDED);

  const { code, out } = await program.run(
    ["runs", "events", ID, "--after", "2"],
    createIo({ columns: 80, env: { NO_COLOR: "1" } }),
  );

  expect(code).toBe(0);
  expect(out).toBe(
    "  0:00.7  │ stderr     hi \\x1b[31mred\\x1b[0m\n  0:01.0  ✗ failed     AGENT_CRASHED: exit code 3⏎ Traceback\n",
  );
});

test("proctor runs events --json prints one JSON object per line", async () => {
  const { out } = await withRun(ENDED).run(["runs", "events", ID, "--json"]);

  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { sequence: number; run_id: string });
  expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
  expect(events[0]).toMatchObject({ run_id: ID, type: "run.created" });
});

test("proctor runs events --follow prints until the run ends, or until Ctrl-C", async () => {
  const program = withRun();
  const following = program.run(["runs", "events", ID, "--follow"]);
  for (const draft of ENDED) program.hub.append(ID, draft);
  const unfinished = withRun();
  const io = createIo();
  const interrupted = unfinished.run(["runs", "events", ID, "--follow"], io);
  io.interrupt();

  expect(await following).toMatchObject({ code: 0, out: expect.stringContaining("✗ failed") });
  expect((await interrupted).code).toBe(130);
});

test("proctor runs cancel cancels a run, and says when that is not possible", async () => {
  const program = withRun();
  const ended = withRun(ENDED);

  const { code, out } = await program.run(["runs", "cancel", ID]);
  const refused = await ended.run(["runs", "cancel", ID]);

  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`${ID} is being cancelled`) });
  expect(program.hub.cancelled).toEqual([ID]);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("[ILLEGAL_TRANSITION]") });
});

test("proctor agents adds, lists, replaces and removes agents", async () => {
  const program = createProgramDouble();
  const io = () => createIo({ cwd: "/home/me/dir", env: { KEY: "s3cret" } });
  const add = [
    "agents",
    "add",
    "writer",
    "atp+stdio:python w.py",
    "--env",
    "KEY",
    "--cwd",
    "sub",
    "--concurrency",
    "2",
  ];

  const added = await program.run(add, io());
  const again = await program.run(add, io());
  const replaced = await program.run([...add, "--replace", "--json"], io());
  const list = await program.run(["agents", "list"]);
  const removed = await program.run(["agents", "remove", "writer"]);
  const missing = await program.run(["agents", "remove", "writer"]);

  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/added writer\n.*atp\+stdio:python w\.py\n.*\/home\/me\/dir\/sub/),
  });
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining("[AGENT_EXISTS]") });
  expect(JSON.parse(replaced.out)).toMatchObject({
    name: "writer",
    env: { KEY: "s3cret" },
    cwd: "/home/me/dir/sub",
    concurrency: 2,
  });
  expect(list.out).toMatch(/^NAME +ADDRESS +KIND .+\nwriter +atp\+stdio:python w\.py +managed .+just now\n$/);
  expect(removed).toMatchObject({ code: 0, out: "✓ removed writer\n" });
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("[AGENT_NOT_FOUND]") });
});

test.each([
  [["a b", "atp+stdio:x"], "cannot be a name"],
  [["w", "nonsense"], "is not an agent's address"],
  [["w", "atp+http://h", "--cwd", "x"], "for agents that are programs"],
  [["w", "atp+stdio:x", "--header", "A=b"], "for agents that are servers"],
  [["w", "atp+stdio:x", "--capabilities", "plan"], "--capabilities is not valid JSON"],
  [["w", "atp+stdio:x", "--capabilities", '[{"nmae": "plan"}]'], 'unknown key "nmae"'],
])("proctor agents add refuses %j", async (args, message) => {
  const { code, err } = await createProgramDouble().run(["agents", "add", ...args]);

  expect(code).toBe(2);
  expect(err).toContain(message);
});

test("proctor agents add passes directories to a hub elsewhere as they were typed", async () => {
  const program = createProgramDouble({ hubUrl: "http://elsewhere" });

  await program.run(["agents", "add", "a", "atp+stdio:x"], createIo({ cwd: "/here" }));
  await program.run(["agents", "add", "b", "atp+stdio:x", "--cwd", "/srv"], createIo({ cwd: "/here" }));

  expect(await program.hub.agent("a")).not.toHaveProperty("cwd");
  expect(await program.hub.agent("b")).toMatchObject({ cwd: "/srv" });
});

test("proctor agents add takes what an agent says of itself", async () => {
  const program = createProgramDouble();
  const capabilities = [{ name: "plan", returns: { type: "string" } }];
  const said = ["--description", "Plans days", "--capabilities", JSON.stringify(capabilities)];
  const added = await program.run(["agents", "add", "w", "atp+stdio:x", ...said, "--json"]);
  expect(JSON.parse(added.out)).toMatchObject({ description: "Plans days", capabilities });
});

test("proctor agents add takes options one by one, or together as JSON", async () => {
  const program = createProgramDouble();
  const add = (name: string, ...flags: string[]) =>
    program.run(["agents", "add", name, "rest+http://h/x", "--json", ...flags]);
  const options = [
    "--option",
    "answer=data.reply",
    "--option",
    'body={"q": "{task}"}',
    "--option",
    "done={x",
  ];

  const single = await add("single", ...options);
  const merged = await add(
    "merged",
    "--options",
    '{"answer": "a", "stream": "sse"}',
    "--option",
    "answer=b=c",
  );
  const none = await add("none");
  const wrong = await add("wrong", "--options", '["answer"]');

  expect(JSON.parse(single.out)).toMatchObject({
    options: { answer: "data.reply", body: { q: "{task}" }, done: "{x" },
  });
  expect(JSON.parse(merged.out)).toMatchObject({ options: { answer: "b=c", stream: "sse" } });
  expect(JSON.parse(none.out)).not.toHaveProperty("options");
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("--options takes a JSON object") });
});

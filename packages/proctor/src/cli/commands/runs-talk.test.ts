// `proctor runs say`, `answer`, `questions` and `messages`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  createIo,
  createProgramDouble,
  type ProgramDouble,
} from "../../../test/support/cli/program-double.ts";
import type { EventDraft } from "../../core/event.ts";
import { textPart } from "../../core/message.ts";
import type { Answer, Question } from "../../core/question.ts";

const ID = "0190c3a4-0000-7000-8000-000000000001";
const folder = temporaryFolder("runs-talk");

const INPUT: Question = {
  id: "colour-1",
  kind: "input",
  parts: [textPart("Which\ncolour?")],
  blocking: true,
  audience: "client",
  expires_at: "2999-01-01T00:00:00.000Z",
};
const PERMISSION: Question = {
  ...INPUT,
  id: "rm",
  kind: "permission",
  parts: [textPart("Delete build?")],
  options: [
    { id: "once", name: "Allow once", effect: "allow" },
    { id: "no", name: "Never", effect: "deny" },
  ],
};
const FORM: Question = { ...INPUT, id: "form", kind: "form", schema: { type: "object" } };

const asked = (question: Question): EventDraft => ({ type: "question.asked", payload: { question } });

function withQuestions(...questions: Question[]): ProgramDouble {
  const program = createProgramDouble();
  program.hub.create({ agent: "writer", task: { description: "Paint" } }, ID);
  program.hub.append(ID, { type: "run.started", payload: { worker: "here" } });
  for (const question of questions) program.hub.append(ID, asked(question));
  return program;
}

async function answered({ hub }: ProgramDouble): Promise<Answer[]> {
  const events = await hub.events(ID, { limit: 100 });
  return events.flatMap((event) => (event.type === "question.answered" ? [event.payload.answer] : []));
}

const ada = (stdin = "") => createIo({ env: { USER: "ada" }, stdin, cwd: folder });

test("proctor runs say says its words, or what it reads, to the run", async () => {
  const program = withQuestions();

  const words = await program.run(["runs", "say", "last", "Use", "the metric system"]);
  const json = await program.run(["runs", "say", ID, "-", "--json"], ada("two\nlines\n"));

  expect(words).toMatchObject({ code: 0, out: expect.stringContaining(`» said to ${ID}\n`) });
  expect(JSON.parse(json.out)).toMatchObject({ role: "user", parts: [textPart("two\nlines\n")] });
  const said = (await program.hub.messages(ID)).map(({ message }) => message.parts);
  expect(said).toEqual([
    [textPart("Paint")],
    [textPart("Use the metric system")],
    [textPart("two\nlines\n")],
  ]);
  expect(program.modes).toEqual(["write", "write"]);
});

test("proctor runs say refuses silence, and says how to go on after the end of a run", async () => {
  const program = withQuestions();
  const nothing = await program.run(["runs", "say", ID, "-"], ada(" \n"));
  program.hub.append(ID, { type: "run.ended", payload: { status: "completed" } });
  const ended = await program.run(["runs", "say", ID, "hello"]);

  expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining("there is nothing to say") });
  expect(ended).toMatchObject({
    code: 2,
    err: expect.stringContaining(`go on with its conversation: proctor run --continue ${ID}`),
  });
});

test("proctor runs answer answers the only open question, as the user who typed it", async () => {
  const program = withQuestions(INPUT);

  const { code, out } = await program.run(["runs", "answer", "last", "--text", "blue"], ada());

  expect(code).toBe(0);
  expect(out).toContain(`» answered colour-1 of ${ID}, which is running\n`);
  expect(await answered(program)).toMatchObject([
    { by: { kind: "human", name: "ada" }, outcome: "given", parts: [textPart("blue")] },
  ]);
});

test.each<[string, Question, string[], Partial<Answer>]>([
  ["an option's id", PERMISSION, ["--option", "once"], { outcome: "given", option: "once" }],
  ["an option's name", PERMISSION, ["--option", "Never"], { outcome: "declined", option: "no" }],
  ["--decline", PERMISSION, ["--decline"], { outcome: "declined" }],
  ["JSON", FORM, ["--data", '{"n": 1}'], { outcome: "given", data: { n: 1 } }],
  ["a file", FORM, ["--data", "@answer.json"], { outcome: "given", data: { n: 2 } }],
  ["JSON on stdin", FORM, ["--data", "@-"], { outcome: "given", data: { n: 3 } }],
  ["text on stdin", INPUT, ["--text", "-"], { outcome: "given", parts: [textPart('{"n": 3}')] }],
])("proctor runs answer takes %s", async (_, question, flags, answer) => {
  writeFileSync(join(folder, "answer.json"), '{"n": 2}');
  const program = withQuestions(question);

  const { code, err } = await program.run(["runs", "answer", ID, ...flags], ada('{"n": 3}\n'));

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(await answered(program)).toMatchObject([answer]);
});

test("proctor runs answer takes a question by its id or the beginning of it, and lists them when that is not clear", async () => {
  const program = withQuestions(INPUT, { ...INPUT, id: "colour-2" }, PERMISSION);
  const answer = ["runs", "answer", ID];

  const several = await program.run([...answer, "--text", "x"]);
  const unclear = await program.run([...answer, "colour", "--text", "x"]);
  const unknown = await program.run([...answer, "size", "--text", "x"]);
  const found = await program.run([...answer, "colour-2", "--text", "x", "--json"]);
  const short = await program.run([...answer, "r", "--option", "once"]);

  expect(several.err).toContain(
    "has 3 open questions: say which [USAGE]\n   colour-1  input: Which⏎ colour?\n",
  );
  expect(several.err).toContain("   rm  permission: Delete build?\n");
  expect(unclear.err).toContain(`"colour" begins the id of several questions`);
  expect(unknown.err).toContain(`has no open question "size" [QUESTION_NOT_FOUND]`);
  expect(JSON.parse(found.out)).toMatchObject({ id: ID, questions: [{ id: "colour-1" }, { id: "rm" }] });
  expect(short.code).toBe(0);
});

test.each<[string, Question[], string[], string]>([
  ["an option that there is not", [PERMISSION], ["--option", "maybe"], 'there is no option "maybe"'],
  ["free text as permission", [PERMISSION], ["--text", "sure"], 'there is no option "sure"'],
  ["no answer in a pipe", [PERMISSION], [], "options: once (Allow once), no (Never)"],
  ["an answer that is declined", [INPUT], ["--text", "x", "--decline"], "--decline goes with no answer"],
  ["data that is not JSON", [FORM], ["--data", "{n"], "--data is not JSON"],
  ["a file that is not there", [FORM], ["--data", "@nowhere.json"], "[FILE_UNREADABLE]"],
  ["a run that asks nothing", [], ["--text", "x"], "asks nothing"],
])("proctor runs answer refuses %s", async (_, questions, flags, message) => {
  const program = withQuestions(...questions);

  const { code, err } = await program.run(["runs", "answer", ID, ...flags], ada());

  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(await answered(program)).toEqual([]);
});

test("proctor runs answer asks at a terminal when the flags have no answer", async () => {
  const program = withQuestions(PERMISSION);
  const io = createIo({ columns: 80, keyboard: true, env: { NO_COLOR: "1", USER: "ada" } });
  const running = program.run(["runs", "answer", "last"], io);

  await eventually(() => expect(io.out()).toContain("› "));
  io.type("1\r");
  const { code, out } = await running;

  expect(code).toBe(0);
  expect(out).toContain("permission: Delete build?\n1  Allow once  allows it\n2  Never  denies it\n");
  expect(await answered(program)).toMatchObject([{ option: "once", by: { name: "ada" } }]);
});

test("proctor runs questions lists what waits for an answer, filtered, for people and as JSON", async () => {
  const program = withQuestions(INPUT, PERMISSION);

  const all = await program.run(["runs", "questions"]);
  const some = await program.run(["runs", "questions", "--kind", "permission", "--json"]);
  const none = await program.run(["runs", "questions", "--agent", "other"]);
  const first = await program.run(["runs", "questions", "--limit", "1"]);
  const silent = await createProgramDouble().run(["runs", "questions"]);

  expect(all.out).toMatch(/^RUN +ID +KIND +AGENT +QUESTION +EXPIRES\n/);
  expect(all.out).toMatch(new RegExp(`${ID} +colour-1 +input +writer +Which⏎ colour\\? +in \\d`));
  expect(JSON.parse(some.out)).toEqual({
    items: [{ run_id: ID, agent: "writer", conversation_id: ID, goal: null, question: PERMISSION }],
    next_cursor: null,
  });
  expect(none.out).toBe("no such questions\n");
  expect(first.out).toContain("more: proctor runs questions --cursor next");
  expect(silent.out).toBe("no run waits for an answer\n");
});

function talked(): ProgramDouble {
  const program = withQuestions(PERMISSION);
  const message = { id: "m", role: "agent" as const, parts: [textPart("Done.\u001b[2J\nBye")] };
  const answer: Answer = { id: "a", by: { kind: "human", name: "ada" }, outcome: "given", option: "once" };
  program.hub.append(ID, { type: "question.answered", payload: { id: "rm", answer } });
  program.hub.append(ID, { type: "message.added", payload: { message } });
  program.hub.append(ID, { type: "run.ended", payload: { status: "completed" } });
  return program;
}

test("proctor runs messages prints the conversation as a thread, in order", async () => {
  const { code, out } = await talked().run(["runs", "messages", "last"]);

  expect(code).toBe(0);
  expect(out).toBe(
    [
      `${ID}  ✓ completed`,
      "",
      "» user",
      "  Paint",
      "",
      "? writer asks",
      "  permission: Delete build?",
      "  1  Allow once  allows it",
      "  2  Never  denies it",
      "",
      "» answer",
      "  once · by ada",
      "",
      "« writer",
      String.raw`  Done.\x1b[2J`,
      "  Bye",
      "",
    ].join("\n"),
  );
});

test("proctor runs messages --all prints every run of the conversation, and --json the messages", async () => {
  const program = talked();
  const next = program.hub.create({
    agent: "writer",
    task: { description: "Again" },
    conversation_id: ID,
    follows: ID,
  });

  const thread = await program.run(["runs", "messages", "last", "--all"]);
  const json = await program.run(["runs", "messages", ID, "--json"]);
  const all = await program.run(["runs", "messages", "last", "--all", "--json"]);
  const shown = await program.run(["runs", "show", "last"]);

  expect(thread.out).toMatch(
    new RegExp(`^${ID} {2}✓ completed\\n[^]*\\n${next.id} {2}○ queued\\n\\n» user\\n {2}Again\\n$`),
  );
  expect(JSON.parse(json.out)).toEqual({ items: await program.hub.messages(ID) });
  expect(JSON.parse(all.out).items).toHaveLength(3);
  expect(shown.out).toContain(
    `  follows     ${ID}\n  part of     ${ID}: proctor runs messages ${next.id} --all\n`,
  );
});

test("proctor runs show lists the open questions of a run", async () => {
  const { out } = await withQuestions(INPUT, PERMISSION).run(["runs", "show", ID]);

  expect(out).toContain(
    `  questions   colour-1  input: Which⏎ colour?\n${" ".repeat(14)}rm  permission: Delete build?\n${" ".repeat(14)}answer: proctor runs answer ${ID}\n`,
  );
});

// `proctor approvals`: what waits for a person, and deciding it.
import { expect, test } from "vitest";
import {
  createIo,
  createProgramDouble,
  type ProgramDouble,
} from "../../../test/support/cli/program-double.ts";
import { textPart } from "../../core/message.ts";
import type { Answer, Question } from "../../core/question.ts";

const ID = "0190c3a4-0000-7000-8000-000000000001";
const PLAN: Question = {
  id: "plan",
  kind: "approval",
  parts: [textPart("Is this plan right?")],
  subject: { tasks: ["write"] },
  options: [
    { id: "reject", name: "Reject", effect: "deny" },
    { id: "approve", name: "Approve", effect: "allow" },
  ],
  blocking: true,
  audience: "human",
  expires_at: "2999-01-01T00:00:00.000Z",
  notified: ["user:ada"],
};
const INPUT: Question = {
  ...PLAN,
  id: "colour",
  kind: "input",
  parts: [textPart("Which?")],
  audience: "client",
};
delete INPUT.options;

function withQuestions(...questions: Question[]): ProgramDouble {
  const program = createProgramDouble();
  program.hub.create({ agent: "writer", task: { description: "Paint" } }, ID);
  program.hub.append(ID, { type: "run.started", payload: { worker: "here" } });
  for (const question of questions) program.hub.append(ID, { type: "question.asked", payload: { question } });
  return program;
}

async function answered({ hub }: ProgramDouble): Promise<Answer[]> {
  const events = await hub.events(ID, { limit: 100 });
  return events.flatMap((event) => (event.type === "question.answered" ? [event.payload.answer] : []));
}

const ada = () => createIo({ env: { USER: "ada" } });

test("proctor approvals list shows what waits for a person, and with --all the rest", async () => {
  const program = withQuestions(INPUT, PLAN);

  const people = await program.run(["approvals", "list", "--json"]);
  const all = await program.run(["approvals", "list", "--all", "--json"]);
  const table = await program.run(["approvals", "list"]);

  const ids = (out: string) =>
    (JSON.parse(out) as { items: { question: Question }[] }).items.map(({ question }) => question.id);
  expect(ids(people.out)).toEqual(["plan"]);
  expect(ids(all.out)).toEqual(["colour", "plan"]);
  expect(table.out).toMatch(/RUN +ID +GOAL +AGENT +QUESTION +EXPIRES/);
  expect(table.out).toContain("decide: proctor approvals show|approve|reject <run> [question]");
  expect(program.modes).toEqual(["read", "read", "read"]);
});

test("proctor approvals list says how to see the rest, with the same filters", async () => {
  const program = withQuestions(INPUT, PLAN);

  const { out } = await program.run(["approvals", "list", "--all", "--limit", "1", "--agent", "writer"]);

  expect(out).toContain("more: proctor approvals list --agent writer --limit 1 --all --cursor ");
});

test("proctor approvals list says where nothing waits for a person", async () => {
  expect((await withQuestions(INPUT).run(["approvals", "list"])).out).toBe("nothing waits for a person\n");
});

test("proctor approvals show has everything that is needed to decide", async () => {
  const program = withQuestions(PLAN);

  const shown = await program.run(["approvals", "show", "last"]);
  const json = await program.run(["approvals", "show", ID, "plan", "--json"]);

  for (const text of [
    "Is this plan right?",
    '{"tasks":["write"]}',
    "writer",
    "user:ada",
    "a person",
    "expires",
  ])
    expect(shown.out).toContain(text);
  expect(JSON.parse(json.out)).toMatchObject({ run_id: ID, agent: "writer", goal: null, question: PLAN });
});

test.each<[string, string[], Partial<Answer>]>([
  ["approve", ["approve", "last"], { option: "approve", outcome: "given" }],
  ["reject", ["reject", "last", "plan", "--text", "later"], { option: "reject", parts: [textPart("later")] }],
  ["answer", ["answer", "last", "--option", "Approve"], { option: "approve" }],
])("proctor approvals %s decides as the user who typed it", async (_, words, answer) => {
  const program = withQuestions(PLAN);

  const { code } = await program.run(["approvals", ...words], ada());

  expect(code).toBe(0);
  expect(await answered(program)).toMatchObject([{ by: { kind: "human", name: "ada" }, ...answer }]);
});

test("proctor approvals approve refuses a question that asks for more than a yes, which reject declines", async () => {
  const program = withQuestions(INPUT);

  const yes = await program.run(["approvals", "approve", "last"], ada());
  const no = await program.run(["approvals", "reject", "last"], ada());

  expect(yes).toMatchObject({ code: 2, err: expect.stringContaining("asks for more than a yes") as string });
  expect(no.code).toBe(0);
  expect(await answered(program)).toMatchObject([{ outcome: "declined" }]);
});

// `proctor run` with agents that talk: what they say, who answers them, and what stands on the screen.
import { expect, test } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import {
  createIo,
  createProgramDouble,
  type IoDouble,
  type ProgramDouble,
  type Script,
} from "../../../test/support/cli/program-double.ts";
import type { EventDraft } from "../../core/event.ts";
import { textPart } from "../../core/message.ts";
import { POLICY_NAMES } from "../../core/conversation-options.ts";
import { decide } from "../../core/policy.ts";
import type { Question } from "../../core/question.ts";

const RUN = ["run", "--agent", "writer", "--task", "Talk"];
const STARTED: EventDraft = { type: "run.started", payload: { worker: "here" } };
const COMPLETED: EventDraft = { type: "run.ended", payload: { status: "completed" } };
const INDENT = " ".repeat(23);

const INPUT: Question = {
  id: "colour",
  kind: "input",
  parts: [textPart("Which colour?")],
  blocking: true,
  audience: "client",
  expires_at: "2026-01-01T13:00:00.000Z",
};
const PERMISSION: Question = {
  ...INPUT,
  id: "rm",
  kind: "permission",
  parts: [textPart("Delete build?")],
  subject: { tool: "rm" },
  options: [
    // An agent may name options as it likes: the numbers are ours.
    { id: "2", name: "Go on", effect: "allow" },
    { id: "no", name: "Stop", effect: "deny" },
  ],
};
const AUTH: Question = { ...INPUT, id: "token", kind: "auth", parts: [textPart("Token, please")] };

/** Asks one question after the other; the hub follows its policies as the real one does. */
const asks = (...questions: Question[]): Script =>
  async function* (run, _, hub) {
    yield STARTED;
    for (const question of questions) {
      yield { type: "question.asked", payload: { question } };
      const decision = decide(question, run.options.conversation);
      if (decision.kind === "answer") {
        const answer = { id: "policy", by: { kind: "policy" as const }, ...decision.answer };
        yield { type: "question.answered", payload: { id: question.id, answer } };
      }
      await hub.untilAnswered(run.id);
    }
    yield COMPLETED;
  };

const says: Script = function* () {
  yield STARTED;
  yield {
    type: "message.added",
    payload: { message: { id: "m1", role: "agent", parts: [textPart("Hello\nyou")] } },
  };
  yield { type: "message.opened", payload: { id: "m2", role: "agent" } };
  for (const text of ["one two th", "ree\nfo", "ur"])
    yield { type: "message.extended", payload: { id: "m2", part: 0, text } };
  yield { type: "message.closed", payload: { id: "m2", chars: 18, sha256: "", parts: [] } };
  yield { type: "message.delivered", payload: { id: "m1" } };
  yield artifact("a1", "said", "one two three\nfour");
  yield artifact("a2", "other", "never said");
  yield COMPLETED;
};

function artifact(id: string, name: string, data: string): EventDraft {
  return { type: "artifact.added", payload: { artifact: { id, type: "structured", name, data } } };
}

const terminal = (): IoDouble =>
  createIo({ columns: 80, keyboard: true, env: { NO_COLOR: "1", USER: "ada" } });

/** What was answered, in the order of the log. */
async function answers({ hub }: ProgramDouble): Promise<unknown[]> {
  const id = (await hub.runs({})).items[0]?.id ?? "";
  const events = await hub.events(id, { limit: 1000 });
  return events.flatMap((event) => (event.type === "question.answered" ? [event.payload.answer] : []));
}

/** Waits for the n-th prompt. */
function prompted(io: IoDouble, count = 1): Promise<void> {
  return eventually(() => expect(io.out().split(`${INDENT}› `).length - 1).toBeGreaterThanOrEqual(count));
}

test("proctor run prints whole messages in a pipe, and at the end only what was not said", async () => {
  const { out } = await createProgramDouble({ script: says }).run(RUN);

  expect(out).toContain(
    [
      "  0:00.7  « agent      Hello",
      `${INDENT}you`,
      "  0:02.0  « agent      one two three",
      `${INDENT}four`,
      "  0:02.5  ◆ artifact   said · structured",
    ].join("\n"),
  );
  expect(out).not.toContain("\nsaid\n");
  expect(out).toMatch(/\nother\n {2}never said\n$/);
});

test("proctor run lets a streamed text grow in one place on a terminal", async () => {
  const { out } = await createProgramDouble({ script: says }).run(RUN, terminal());

  expect(out).toMatch(/« agent {6}one two th\n\S+ running/);
  expect(out).toContain("\r\u001b[K\u001b[1A\r\u001b[K  0:01.2  « agent      one two three\n");
  expect(out).toContain(`${INDENT}four\n`);
  expect(out.split("one two three\n")).toHaveLength(2);
});

test("proctor run asks for a conversation on a terminal, and not in a pipe or with --json", async () => {
  const program = createProgramDouble();

  await program.run(RUN, terminal());
  await program.run(RUN);
  await program.run([...RUN, "--json"], terminal());

  expect(program.hub.requests.map(({ options }) => options)).toEqual([
    { conversation: {} },
    undefined,
    undefined,
  ]);
});

test("proctor run asks the person at the terminal again until an option is chosen by its number", async () => {
  const program = createProgramDouble({ script: asks(PERMISSION) });
  const io = terminal();
  const running = program.run(RUN, io);

  await prompted(io);
  io.type("yes\r");
  await prompted(io, 2);
  io.type("2\r");
  const { code, out } = await running;

  expect(code).toBe(0);
  expect(out).toContain(`${INDENT}1  Go on  allows it\n${INDENT}2  Stop  denies it\n`);
  expect(out).toContain("type a number from 1 to 2");
  expect(await answers(program)).toMatchObject([
    { outcome: "declined", option: "no", by: { kind: "human", name: "ada" } },
  ]);
  expect(out).not.toContain("» answer");
});

test("proctor run asks several questions one after the other, and does not show a secret", async () => {
  const script: Script = async function* (run, _, hub) {
    yield STARTED;
    yield { type: "question.asked", payload: { question: INPUT } };
    yield { type: "question.asked", payload: { question: { ...AUTH, blocking: false } } };
    await hub.untilAnswered(run.id);
    yield COMPLETED;
  };
  const program = createProgramDouble({ script });
  const io = terminal();
  const running = program.run(RUN, io);

  await prompted(io);
  io.type("dark blue\r");
  await prompted(io, 2);
  io.type("s3cret\r");
  const { out } = await running;

  expect(await answers(program)).toMatchObject([
    { outcome: "given", parts: [textPart("dark blue")] },
    { outcome: "given", parts: [textPart("s3cret")] },
  ]);
  expect(out).toContain("it is not shown");
  expect(out).not.toContain("s3cret");
});

test("proctor run drops what was typed before the agent asked, and declines on Ctrl-D", async () => {
  const program = createProgramDouble({ script: asks(PERMISSION) });
  const io = terminal();
  io.type("1\r");
  const running = program.run(RUN, io);

  await prompted(io);
  io.type("\u0004");
  await running;

  expect(await answers(program)).toMatchObject([{ outcome: "declined" }]);
});

test.each<[string, EventDraft, string]>([
  [
    "somebody else answers",
    {
      type: "question.answered",
      payload: {
        id: "colour",
        answer: { id: "a", by: { kind: "human", name: "grace" }, outcome: "given", parts: [textPart("red")] },
      },
    },
    "» answer     red · by grace",
  ],
  [
    "it expires",
    { type: "question.expired", payload: { id: "colour", effect: "fail" } },
    "· expired    nobody answered: the run cannot go on",
  ],
])("proctor run no longer asks when %s", async (_, draft, line) => {
  const io = terminal();
  const program = createProgramDouble({
    script: async function* () {
      yield STARTED;
      yield { type: "question.asked", payload: { question: INPUT } };
      await prompted(io);
      io.type("gre");
      await eventually(() => expect(io.out()).toContain("gre"));
      yield draft;
      // What was typed is gone while the run still goes on.
      await eventually(() => expect(io.out().split(line)[1]).toContain("\r\u001b[J"));
      yield COMPLETED;
    },
  });

  const { code, out } = await program.run(RUN, io);

  expect(code).toBe(0);
  expect(out.split(line)).toHaveLength(2);
});

test("proctor run cancels the run on Ctrl-C at a prompt", async () => {
  const io = terminal();
  const program = createProgramDouble({
    script: async function* (run, _, hub) {
      yield STARTED;
      yield { type: "question.asked", payload: { question: INPUT } };
      await hub.untilCancelled(run.id);
      yield { type: "run.ended", payload: { status: "cancelled" } };
    },
  });
  const running = program.run(RUN, io);

  await prompted(io);
  io.type("\u0003");

  expect((await running).code).toBe(130);
  expect(program.hub.cancelled).toHaveLength(1);
});

test("proctor run --answer answers input in order, and then follows the policy", async () => {
  const second = { ...INPUT, id: "size" };
  const program = createProgramDouble({ script: asks(INPUT, PERMISSION, second, { ...INPUT, id: "more" }) });

  const flags = ["--answer", "blue", "--answer", "large", "--policy", "permission=allow"];
  const { code, out } = await program.run([...RUN, ...flags]);

  expect(code).toBe(0);
  expect(await answers(program)).toMatchObject([
    { outcome: "given", parts: [textPart("blue")] },
    { outcome: "given", option: "2", by: { kind: "policy" } },
    { outcome: "given", parts: [textPart("large")] },
    { outcome: "declined" },
  ]);
  expect(out).toContain("» answer     blue · by ");
});

test("proctor run --policy tells the hub how questions are answered", async () => {
  const program = createProgramDouble();

  await program.run([...RUN, "--policy", "input=answer:a=b", "--policy", 'form=answer:{"n":1}'], terminal());

  expect(program.hub.requests[0]?.options?.conversation).toEqual({
    policy: { input: { answer: "a=b" }, form: { answer: { n: 1 } } },
  });
});

test("proctor run says how to answer a question that waits for somebody elsewhere", async () => {
  const program = createProgramDouble({
    script: async function* (run, _, hub) {
      yield STARTED;
      yield { type: "question.asked", payload: { question: INPUT } };
      await hub.answer(run.id, { question_id: "colour", parts: [textPart("red")] });
      yield COMPLETED;
    },
  });

  const { out } = await program.run([...RUN, "--policy", "input=ask"]);

  expect(out).toContain(
    `${INDENT}answer it: proctor runs answer ${(await program.hub.runs({})).items[0]?.id}\n`,
  );
});

test.each([
  [["--policy", "colour=ask"], "a kind of question: input, form"],
  [["--policy", "input"], "a kind of question: input, form"],
  [["--policy", "input=maybe"], POLICY_NAMES.join(", ")],
  [["--policy", "form=answer:{"], "A form is answered with JSON"],
  [["--answer", "x", "--policy", "input=allow"], "contradict each other"],
])("proctor run refuses %j as a way to answer", async (flags, message) => {
  const { code, err } = await createProgramDouble().run([...RUN, ...flags]);

  expect(code).toBe(2);
  expect(err).toContain(message);
});

test("proctor run --continue goes on from an ended run with its agent, unless another is named", async () => {
  const program = createProgramDouble();
  await program.run(["run", "--agent", "atp+stdio:node a.mjs", "--task", "x"], createIo({ cwd: "/first" }));
  const first = (await program.hub.runs({})).items[0]?.id ?? "";

  const next = await program.run(["run", "--continue", "last", "--task", "y"], createIo({ cwd: "/other" }));
  await program.run(["run", "--continue", first, "--agent", "writer", "--task", "z", "--conversation", "c"]);

  expect(next.code).toBe(0);
  expect(program.hub.requests.slice(1)).toMatchObject([
    { follows: first, agent: { command: ["node", "a.mjs"], cwd: "/first" } },
    { follows: first, agent: "writer", conversation_id: "c" },
  ]);
});

test("proctor run --continue refuses a run that has not ended", async () => {
  const program = createProgramDouble();
  const { id } = program.hub.create({ agent: "writer", task: { description: "x" } });

  const { code, err } = await program.run(["run", "--continue", "last", "--task", "y"]);

  expect(code).toBe(2);
  expect(err).toContain(`say something to it: proctor runs say ${id}`);
});

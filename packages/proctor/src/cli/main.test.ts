// The program as a whole: arguments in, output and exit code out.
import { expect, test } from "vitest";
import { createIo, createProgramDouble } from "../../test/support/cli/program-double.ts";
import { main } from "./main.ts";
import { composition } from "./compose/compose.ts";

const COMMANDS = [
  "run",
  "test",
  "validate",
  "up",
  "agents list",
  "agents add",
  "agents remove",
  "runs list",
  "runs show",
  "runs events",
  "runs messages",
  "runs say",
  "runs questions",
  "runs answer",
  "runs cancel",
  "completion",
];

const HOW_RUNS_ARE_NAMED =
  'a run is named by its id, by the beginning of its id, or by "last"; see: proctor runs list';

test.each(["--version", "-V"])("proctor %s prints the version", async (flag) => {
  expect(await createProgramDouble().run([flag])).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    err: "",
  });
});

test("proctor --help lists every command and the exit codes", async () => {
  const { code, out } = await createProgramDouble().run(["--help"]);

  expect(code).toBe(0);
  for (const name of ["run", "test", "validate", "up", "agents", "runs", "completion"]) {
    expect(out).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  }
  expect(out).toContain("130  interrupted");
});

test.each(COMMANDS)("proctor %s --help has examples", async (command) => {
  const { code, out, err } = await createProgramDouble().run([...command.split(" "), "--help"]);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Examples:\n  $ ");
  expect(out).toContain("proctor ");
});

test.each([
  [["rnu"], "unknown command 'rnu'", "did you mean run?"],
  [["run", "--agnet", "x"], "unknown option '--agnet'", "did you mean --agent?"],
  [["runs", "lst"], "unknown command 'lst'", "did you mean list?"],
  [["runs", "show"], "missing required argument 'run'", "see: proctor runs show --help"],
  [["runs", "show", "a", "b"], "too many arguments", "see: proctor runs show --help"],
  [["runs", "list", "--status", "failde"], "Allowed choices are created", "see: proctor runs list --help"],
  [["run", "--task", "x"], "--agent <address> is missing", "for example: proctor run"],
  [["run", "--agent", "x", "--task", " "], "--task <text> is empty", "for example: proctor run"],
  [
    ["run", "--agent", "x", "--task", "y", "--timeout", "soon"],
    "'soon' is invalid",
    "see: proctor run --help",
  ],
  [["run", "--agent", "x", "--task", "y", "--budget", "-1"], "'-1' is invalid", "see: proctor run --help"],
  [["completion", "tcsh"], "Allowed choices are bash, zsh, fish", "see: proctor completion --help"],
])("proctor refuses %j with exit code 2 and says what next", async (argv, what, next) => {
  const program = createProgramDouble();

  const { code, out, err } = await program.run(argv);

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^error: /);
  expect(err).toContain(what);
  expect(err).toContain(`\n   ${next}`);
  expect(program.modes).toEqual([]);
});

test("proctor runs without a command shows what it offers, as an error", async () => {
  const { code, out, err } = await createProgramDouble().run(["runs"]);

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("Usage: proctor runs");
});

test("errors are one JSON object on stderr with --json", async () => {
  const { code, out, err } = await createProgramDouble().run(["runs", "show", "nope", "--json"]);

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(JSON.parse(err)).toEqual({
    error: "there is no such run",
    code: "RUN_NOT_FOUND",
    message: `there is no run "nope"\n${HOW_RUNS_ARE_NAMED}`,
  });
});

test("errors have their code, and colours only on a terminal that wants them", async () => {
  const plain = await createProgramDouble().run(["runs", "show", "nope"]);
  const terminal = await createProgramDouble().run(["runs", "show", "nope"], createIo({ columns: 80 }));
  const refused = await createProgramDouble().run(
    ["runs", "show", "nope"],
    createIo({ columns: 80, env: { NO_COLOR: "1" } }),
  );
  const forced = await createProgramDouble().run(
    ["runs", "show", "nope"],
    createIo({ env: { FORCE_COLOR: "1" } }),
  );

  expect(plain.err).toBe(`error: there is no run "nope" [RUN_NOT_FOUND]\n   ${HOW_RUNS_ARE_NAMED}\n`);
  expect(terminal.err).toContain("\u001b[31m");
  expect(refused.err).toBe(plain.err);
  expect(forced.err).toContain("\u001b[31m");
});

test("unexpected errors are called a bug, with their stack only when asked", async () => {
  const broken = {
    ...composition,
    loadConfig: () => Promise.reject(new TypeError("x is not a function")),
  };
  const quiet = createIo();
  const loud = createIo({ env: { PROCTOR_DEBUG: "1" } });

  expect(await main(["runs", "list"], quiet, broken)).toBe(1);
  expect(await main(["runs", "list"], loud, broken)).toBe(1);
  expect(quiet.err()).toContain("this is a bug in Proctor: x is not a function [INTERNAL_ERROR]");
  expect(quiet.err()).not.toContain("main.test.ts");
  expect(loud.err()).toContain("main.test.ts");
});

test("a command that is interrupted before anything happened ends with 130", async () => {
  const io = createIo();
  io.interrupt();

  expect(await createProgramDouble().run(["runs", "list"], io)).toEqual({
    code: 130,
    out: "",
    err: "interrupted\n",
  });
});

test("the flags of a hub reach the configuration", async () => {
  const program = createProgramDouble();

  await program.run(["runs", "list", "--hub", "http://h", "--database", "file:x", "--config", "c.yaml"]);

  expect(program.sources[0]?.flags).toEqual({ hub: "http://h", databaseUrl: "file:x", config: "c.yaml" });
});

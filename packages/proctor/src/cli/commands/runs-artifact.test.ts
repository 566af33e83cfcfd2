// What a run produced, as people see it: at the end of `run` and `runs show`, and by `runs artifact`; and how runs are named.
import { getEventListeners } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import type { EventDraft } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import {
  createIo,
  createProgramDouble,
  type ProgramDouble,
} from "../../../test/support/cli/program-double.ts";

const FIRST = "0190c3a4-0000-7000-8000-000000000001";
const SECOND = "0190c3a4-1111-7000-8000-000000000002";
const THIRD = "0190c3b5-0000-7000-8000-000000000003";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-artifact-"));
});
afterAll(() => rm(folder, { recursive: true }));

const structured = (name: string, data: Json): Artifact => ({
  id: `id-${name}`,
  type: "structured",
  name,
  data,
});
const file = (path: string, size_bytes = 12): Artifact => ({
  id: `id-${path}`,
  type: "file",
  path,
  size_bytes,
  content_hash: "sha256:00",
});

const produced = (artifacts: readonly Artifact[]): EventDraft[] => [
  { type: "run.started", payload: { worker: "here" } },
  ...artifacts.map((artifact): EventDraft => ({ type: "artifact.added", payload: { artifact } })),
  { type: "run.ended", payload: { status: "completed" } },
];

function withRuns(ids: readonly string[], artifacts: readonly Artifact[] = []): ProgramDouble {
  const program = createProgramDouble({ script: () => produced(artifacts) });
  for (const id of ids) {
    program.hub.create({ agent: "writer", task: { description: `task of ${id.slice(-1)}` } }, id);
    for (const draft of produced(artifacts)) program.hub.append(id, draft);
  }
  return program;
}

describe("the answer of an agent", () => {
  it("stands at the end of what run and runs show print", async () => {
    const program = withRuns([FIRST], [structured("result", { output: "Hello,\nAda!" }), file("notes.md")]);

    const ran = await program.run(["run", "--agent", "writer", "--task", "Greet Ada"]);
    const shown = await program.run(["runs", "show", FIRST]);

    const end = "\n\nresult\n  Hello,\n  Ada!\n\nnotes.md\n  bytes of id-notes.md\n";
    expect(ran.out.endsWith(end)).toBe(true);
    expect(shown.out.endsWith(end)).toBe(true);
  });

  it("is shown as JSON where it is more than one text", async () => {
    const { out } = await withRuns([FIRST], [structured("result", { sum: 3 })]).run(["runs", "show", FIRST]);

    expect(out).toContain('\nresult\n  {\n    "sum": 3\n  }\n');
  });

  it("is cut after twenty lines or, if large or not text, only named, each time with the command that prints it", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
    const program = withRuns([FIRST], [structured("long one", lines), file("big.bin", 3_000_000)]);

    const { out } = await program.run(["runs", "show", FIRST]);

    expect(out).toContain(`  line 20\n  … 10 more lines: proctor runs artifact ${FIRST} 'long one'\n`);
    expect(out).not.toContain("line 21");
    expect(out).toContain(`\nbig.bin\n  3.0 MB, not shown: proctor runs artifact ${FIRST} big.bin\n`);
  });

  it("cannot move the cursor", async () => {
    const program = withRuns([FIRST], [structured("a\u001b[2J", "red \u001b[31m")]);

    const { out } = await program.run(
      ["runs", "show", FIRST],
      createIo({ columns: 80, env: { NO_COLOR: "1" } }),
    );

    expect(out).not.toContain("\u001b");
    expect(out).toContain(String.raw`red \x1b[31m`);
  });
});

describe("proctor runs artifact", () => {
  const answer = structured("result", "text");

  it("prints the bytes into a pipe as they are, by name, by id, or of the only artifact", async () => {
    const program = withRuns([FIRST], [answer]);

    for (const name of [["result"], ["id-result"], []]) {
      const { code, out } = await program.run(["runs", "artifact", FIRST, ...name]);
      expect({ code, out }).toEqual({ code: 0, out: "bytes of id-result" });
    }
    expect(program.modes).toEqual(["read", "read", "read"]);
  });

  it("makes control characters visible on a terminal, and refuses what is not text there", async () => {
    const program = withRuns([FIRST], [answer]);
    const print = async (bytes: string) => {
      program.hub.readArtifact = async () => [Buffer.from(bytes)] as unknown as AsyncIterable<Uint8Array>;
      return program.run(["runs", "artifact", "last"], createIo({ columns: 80, env: { NO_COLOR: "1" } }));
    };

    expect((await print("a\u001b[2Jb\nc")).out).toBe(`${String.raw`a\x1b[2Jb`}\nc\n`);
    expect(await print("a\0b")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("--output") as string,
    });
  });

  it("waits for a slow reader, and leaves no listener behind", async () => {
    const program = withRuns([FIRST], [answer]);
    const chunks = Array.from({ length: 20 }, (_, index) => Buffer.from(`${index} `));
    program.hub.readArtifact = async () => chunks as unknown as AsyncIterable<Uint8Array>;
    const io = createIo();
    let written = "";
    io.stdout.write = (content) => {
      written += Buffer.from(content).toString();
      return false;
    };
    io.stdout.once = (_event, drained) => setImmediate(drained);

    const { code } = await program.run(["runs", "artifact", "last"], io);

    expect({ code, written }).toEqual({ code: 0, written: chunks.join("") });
    expect(getEventListeners(io.signal, "abort")).toEqual([]);
  });

  it("stops waiting for a reader that takes nothing more when it is interrupted", async () => {
    const program = withRuns([FIRST], [answer]);
    const io = createIo();
    io.stdout.write = () => false;
    io.stdout.once = () => io.interrupt();

    expect(await program.run(["runs", "artifact", "last"], io)).toMatchObject({ code: 130 });
  });

  it("writes to a file", async () => {
    const program = withRuns([FIRST], [answer]);
    const io = createIo({ cwd: folder });

    expect(await program.run(["runs", "artifact", "last", "--output", "out.txt"], io)).toMatchObject({
      code: 0,
      out: "",
    });
    expect(await readFile(join(folder, "out.txt"), "utf8")).toBe("bytes of id-result");
  });

  it("lists the artifacts when the name is missing or wrong", async () => {
    const program = withRuns([FIRST], [answer, file("notes.md")]);
    const error = async (...words: string[]) =>
      (await program.run(["runs", "artifact", FIRST, ...words])).err;

    expect(await error()).toContain("has 2 artifacts: say which [USAGE]\n   there are: result, notes.md\n");
    expect(await error("notes.mb")).toContain('did you mean "notes.md"?');
    expect(await error("something")).toContain("there are: result, notes.md");
  });
});

describe("the name of a run", () => {
  it("may be the beginning of its id, or last, wherever a run is asked for", async () => {
    const program = withRuns([FIRST, SECOND, THIRD], [structured("result", "x")]);

    for (const command of [["show"], ["events"], ["artifact"]]) {
      for (const name of ["0190C3B", "last", THIRD]) {
        expect((await program.run(["runs", ...command, name])).code).toBe(0);
      }
    }
    expect((await program.run(["runs", "show", "last"])).out).toContain(THIRD);
    expect((await program.run(["runs", "show", "0190c3a4-1"])).out).toContain(SECOND);
    expect((await program.run(["runs", "cancel", "0190c3b"])).err).toContain(`run ${THIRD} has ended`);
    expect((await program.run(["runs", "export", "nope", "--otlp", "http://h:1"])).code).not.toBe(0);
  });

  it("is not guessed: several runs that fit are listed, and none is an error", async () => {
    const program = withRuns([FIRST, SECOND]);

    const several = await program.run(["runs", "show", "0190c3a4"]);
    expect(several).toMatchObject({ code: 2, out: "" });
    expect(several.err).toContain('"0190c3a4" begins the id of several runs: give more of it [USAGE]\n');
    expect(several.err).toContain(`   ${SECOND}  completed`);
    expect(several.err).toContain("task of 1");
    for (const name of ["ffff", "the-first", "x"]) {
      expect(await program.run(["runs", "show", name])).toMatchObject({
        code: 2,
        err: expect.stringContaining("[RUN_NOT_FOUND]\n   a run is named by its id") as string,
      });
    }
    expect((await createProgramDouble().run(["runs", "show", "last"])).err).toContain("there is no run yet");
  });
});

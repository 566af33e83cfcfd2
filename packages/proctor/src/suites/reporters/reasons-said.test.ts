// What an agent said before it failed stands under the reason, in every report that people read.
import { expect, it } from "vitest";
import { failure } from "../../core/failure.ts";
import type { Reporter, Write } from "../reporter.ts";
import { consoleReporter } from "./console/console.ts";
import { githubReporter } from "./github.ts";
import { junitReporter } from "./junit.ts";
import { markdownReporter } from "./markdown.ts";
import { attempt, plan, play, result } from "../../../test/support/reporters/results.ts";
import { tapReporter } from "./tap.ts";

const crash = (pid: number) =>
  attempt("fail", {
    status: "failed",
    reason: "the run ended as failed: AGENT_CRASHED: the agent exited with code 1",
    failure: failure("AGENT_CRASHED", "the agent exited with code 1", {
      stderr: `Traceback:\n  File "a.py"\nNameError: in process ${pid}`,
    }),
  });

function report(create: (options: { write: Write }) => Reporter, attempts = [crash(1)]): string {
  const planned = plan(["greets"], { runs: attempts.length });
  return play(create, planned, [result(planned, 0, attempts)]);
}

const plain = ({ write }: { write: Write }) => consoleReporter({ write, color: false, live: false });

it("the console keeps the lines of a traceback", () => {
  expect(report(plain)).toContain(
    [
      "    the run ended as failed: AGENT_CRASHED: the agent exited with code 1",
      "      stderr:",
      "        Traceback:",
      '          File "a.py"',
      "        NameError: in process 1",
      "      suites/smoke.yaml:7:5",
    ].join("\n"),
  );
});

it("runs that failed for one reason give one reason, even if each printed something else", () => {
  const shown = report(plain, [crash(1), crash(2), crash(3)]);

  expect(shown).toContain("3 of 3 runs: the run ended as failed");
  expect(shown).toContain("in process 1");
  expect(shown).not.toContain("in process 2");
});

it("JUnit shows an agent's last lines in the text of the failure, and only the reason in its message", () => {
  const xml = report(junitReporter);

  expect(xml).toMatch(/message="the run ended as failed: [^"&]*exited with code 1 \(suites[^"]*"/);
  expect(xml).toContain("&#10;  stderr:&#10;    Traceback:&#10;      File ");
});

it("Markdown keeps the indentation of an agent's last lines", () => {
  expect(report(markdownReporter)).toContain(
    "stderr&#58;<br>&#160;&#160;Traceback&#58;<br>&#160;&#160;&#160;&#160;File",
  );
});

it.each([
  ["an annotation", githubReporter, "stderr:%0A  Traceback:%0A    File"],
  ["TAP", tapReporter, String.raw`said: "stderr:\n  Traceback:\n    File`],
])("%s has an agent's last lines", (_, create, words) => {
  expect(report(create)).toContain(words);
});

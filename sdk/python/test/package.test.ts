// The package as users get it: its own unit tests, the example, the README.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NO_PYTHON, request, ROOT, startPython } from "./python-agent.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

describe.skipIf(NO_PYTHON)("the Python package", () => {
  it("passes its unit tests", async () => {
    const run = startPython([
      "-W",
      "error",
      "-m",
      "unittest",
      "discover",
      "-s",
      "sdk/python/tests",
      "-t",
      "sdk/python",
    ]);
    const { code } = await run.ended;
    expect(run.stderr()).toMatch(/Ran \d\d+ tests[^]*OK/);
    expect(code).toBe(0);
  });

  it("answers over pipes with the example sdk-python", async () => {
    const run = startPython(["examples/sdk-python/agent.py"]);
    run.child.stdin?.end(`${JSON.stringify(request("Say hello"))}\n`);
    expect(await run.ended).toMatchObject({ code: 0 });
    const response: unknown = JSON.parse(run.stdout());
    expectResponse(response);
    expectEvents(
      run
        .stderr()
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    );
    expect(response).toMatchObject({ artifacts: [{ data: { output: "Processed: Say hello" } }] });
  });

  it("runs the agent of its README", async () => {
    const readme = readFileSync(`${ROOT}/sdk/python/README.md`, "utf8");
    const [, code = ""] = /```python\n([^]*?)```/.exec(readme) ?? [];
    expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
    const run = startPython(["-c", `import sys; sys.path.insert(0, "sdk/python")\n${code}`]);
    run.child.stdin?.end(`${JSON.stringify(request("Say hello"))}\n`);
    await run.ended;
    expect(JSON.parse(run.stdout())).toMatchObject({ status: "completed" });
  });

  it("needs nothing but the standard library", async () => {
    const check =
      "import sys; sys.path.insert(0, 'sdk/python'); import proctor_agent; " +
      "print([n for n, m in sys.modules.items() if 'site-packages' in (getattr(m, '__file__', None) or '')])";
    const run = startPython(["-S", "-c", check]);
    await run.ended;
    expect(run.stdout().trim()).toBe("[]");
  });
});

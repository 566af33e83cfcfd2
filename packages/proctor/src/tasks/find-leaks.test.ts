// A task that gives its tests or its solution away proves nothing.
import { afterEach, expect, it } from "vitest";
import { findTasks, readTask } from "./find-tasks.ts";
import { findLeaks, type Leak } from "./find-leaks.ts";
import { createTaskFolder, HELLO, type TaskFolder } from "../../test/support/tasks/task-folder.ts";

let folder: TaskFolder;
afterEach(() => folder.remove());

async function leaks(more: Record<string, string>): Promise<Leak[]> {
  folder = createTaskFolder({ ...HELLO, ...more });
  const { tasks } = await findTasks("hello", folder.path);
  const [found] = tasks;
  return findLeaks(await readTask(found ?? expect.fail("no task")));
}

it("a sound task gives nothing away", async () => {
  expect(await leaks({})).toEqual([]);
});

it("a task gives a test away when its environment holds it", async () => {
  const test = "def test_it():\n    assert open('/app/hello.txt').read() == 'hello'\n";
  expect(await leaks({ "hello/tests/test_it.py": test, "hello/environment/seen.py": test })).toEqual([
    { path: "environment/seen.py", message: "the environment holds tests/test_it.py" },
  ]);
});

it("a task gives its solution away when its instruction holds a line of it", async () => {
  const line = "echo the-very-long-secret-answer-to-it-all > /app/hello.txt";
  const found = await leaks({
    "hello/solution/solve.sh": `${line}\n`,
    "hello/instruction.md": `Run this:\n    ${line}\n`,
  });
  expect(found).toMatchObject([{ path: "instruction.md" }]);
});

// What a user who watches a mock agent sees: where it is, a line for each task, and how many there were.
import type { MockAgentReady, MockAgentTask } from "../../compose/serve-mock-agent.ts";
import { plural } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine, padEnd, truncate } from "../../terminal/text.ts";
import { PIPE_COLUMNS, printDocument, printServed } from "./mock-screen.ts";

interface MockAgentReport {
  ready(info: MockAgentReady): void;
  task(task: MockAgentTask): void;
  end(): void;
}

const OUTCOME_COLUMNS = 8;

export function createMockAgentReport(
  screen: Screen,
  { json, title }: { json: boolean; title: string },
): MockAgentReport {
  const counts = { answered: 0, silent: 0, cut: 0, left: 0 };
  const printLine = (document: object): void => printDocument(screen, document);
  return {
    ready({ addresses, recordings }) {
      if (json) return printLine({ type: "ready", addresses: [...addresses], recordings: [...recordings] });
      const { paint, width } = screen;
      const list = `${recordings.length}: ${recordings.join(", ")}`;
      printServed(screen, {
        title,
        each: "task",
        fields: [
          ["agent", addresses.map((address) => paint.cyan(address))],
          ["recordings", [truncate(oneLine(list), (width ?? Infinity) - 14)]],
        ],
      });
    },
    task({ taskId, description, file, outcome }) {
      counts[outcome] += 1;
      if (json) return printLine({ type: "task", task_id: taskId, description, recording: file, outcome });
      const { paint, width } = screen;
      const colour = outcome === "answered" ? paint.green : paint.yellow;
      const head = `${colour(padEnd(outcome, OUTCOME_COLUMNS))}  `;
      const room = (width ?? PIPE_COLUMNS) - OUTCOME_COLUMNS - 2;
      screen.print(`${head}${truncate(`${oneLine(description)} · ${oneLine(file)}`, room)}`);
    },
    end() {
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (json) return printLine({ type: "summary", tasks: total, ...counts });
      screen.print("", plural(total, "task"));
    },
  };
}

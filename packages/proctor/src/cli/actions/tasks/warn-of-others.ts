// Says on stderr what of the given directories is not part of the work: tasks that cannot be run, directories that were not searched.
import type { CliIo } from "../../cli-io.ts";
import { createScreen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";
import type { LoadedTasks } from "./load-tasks.ts";

export function warnOfOthers({ unsupported, skipped }: Omit<LoadedTasks, "tasks">, io: CliIo): void {
  const screen = createScreen(io, io.stderr);
  for (const { name, problem } of unsupported)
    screen.print(screen.paint.yellow(`skipped: ${oneLine(`${name}: ${problem.message}`)}`));
  for (const { shown, reason } of skipped)
    screen.print(screen.paint.yellow(oneLine(`not searched: ${shown}: ${reason}`)));
}

// A recording in the place of an agent's process.
import type { ProcessChannel, ProcessOutput } from "../../../channels/process/open-process.ts";
import type { AgentDriver } from "../../../core/ports/driver.ts";
import { recordedLine, recordedNotStarted } from "../../recorded-output.ts";
import { createStdioDriver } from "../stdio/driver.ts";
import type { Script } from "../../recorded-script.ts";

export function playStdio(script: Script): AgentDriver {
  let overstayed = (): void => undefined;

  async function* outputs(): AsyncGenerator<readonly ProcessOutput[]> {
    for (let message = await script.next(); message !== undefined; message = await script.next()) {
      if (message.channel === "close" && message.name === "not-started")
        return yield [recordedNotStarted(message)];
      if (message.channel === "close") {
        // The recorded agent lingered: its output is closed, and the wait for its exit is over.
        yield [{ kind: "closed", stream: "stdout" }];
        overstayed();
      } else yield [recordedLine(message)];
    }
    yield [exitOf(script)];
  }

  const channel: ProcessChannel = {
    pid: undefined,
    write: () => Promise.resolve(true),
    endInput() {},
    signal() {},
    pause() {},
    resume() {},
    kill: () => Promise.resolve(),
    [Symbol.asyncIterator]: outputs,
  };
  return createStdioDriver({
    hubId: "",
    start: () => channel,
    linger(expired) {
      overstayed = expired;
      return () => undefined;
    },
  });
}

function exitOf(script: Script): ProcessOutput {
  if (script.left) return { kind: "exit", code: null, signal: "SIGTERM", leftover: 0 };
  const { exit_code: code = null, signal = null, leftover = 0 } = script.end ?? {};
  if (code !== null || signal !== null) return { kind: "exit", code, signal, leftover };
  script.unfinished = true;
  return { kind: "exit", code: 0, signal: null, leftover };
}

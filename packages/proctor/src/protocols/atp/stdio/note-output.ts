// What a process put out, as a recording has it: one message for each line. Its exit is an event of its own.
import type { ProcessOutput } from "../../../channels/process/open-process.ts";
import type { WireTap } from "../../wire-tap.ts";

export function noteOutput(output: ProcessOutput, tap: WireTap): void {
  switch (output.kind) {
    case "line":
      tap.received(output.stream, output.text, output.invalidUtf8 ? { encoding: "lossy" } : {});
      break;
    case "overlong":
      tap.received(output.stream, output.head, { dropped_bytes: output.droppedBytes });
      break;
    case "not-started":
      tap.received("close", output.message, { name: output.kind, id: output.reason });
      break;
    case "closed":
    case "exit":
      break;
  }
}

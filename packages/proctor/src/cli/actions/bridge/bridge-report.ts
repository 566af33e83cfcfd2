// What the user who runs a bridge sees: where it is, a line for each request, each kind of loss when it is first seen, and the sum.
import type { BridgedCall, BridgeReady } from "../../compose/serve-bridge.ts";
import { plural } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine, padEnd, truncate, wrap } from "../../terminal/text.ts";
import { clockTime, PIPE_COLUMNS, printDocument, printServed } from "../mock/mock-screen.ts";
import type { CallReport } from "../mock/serve-calls.ts";

const OPERATION_COLUMNS = 16;
const INDENT = " ".repeat(10);

export function createBridgeReport(
  screen: Screen,
  { json }: { json: boolean },
): CallReport<BridgeReady, BridgedCall> {
  /** Number of times that each kind of loss was seen, by its place without numbers and its sentence. */
  const losses = new Map<string, number>();
  let requests = 0;
  let failed = 0;

  function note({ path, message }: BridgedCall["losses"][number]): string | undefined {
    const kind = `${path.replaceAll(/\[\d+\]/g, "[]")}: ${message}`;
    const before = losses.get(kind);
    losses.set(kind, (before ?? 0) + 1);
    return before === undefined ? kind : undefined;
  }

  return {
    ready({ address, cardUrl, agent, from, to }) {
      if (json) return printDocument(screen, { type: "ready", address, card_url: cardUrl, agent, from, to });
      printServed(screen, {
        title: `${agent}, A2A ${from}, for clients of ${to},`,
        each: "request",
        fields: [
          ["agent", [screen.paint.cyan(address)]],
          ["card", [cardUrl]],
        ],
      });
    },
    call(call) {
      requests += 1;
      if (call.error !== undefined) failed += 1;
      const fresh = call.losses.flatMap((loss) => note(loss) ?? []);
      if (json) return printDocument(screen, { type: "request", ...call });
      screen.print(renderCall(call, screen));
      const room = (screen.width ?? PIPE_COLUMNS) - INDENT.length;
      for (const kind of fresh) {
        const [first = "", ...more] = wrap(oneLine(`lost: ${kind}`), room);
        for (const line of [first, ...more]) screen.print(screen.paint.yellow(`${INDENT}${line}`));
      }
    },
    end() {
      const kinds = [...losses].map(([kind, times]) => ({ kind, times }));
      if (json) return printDocument(screen, { type: "summary", requests, failed, losses: kinds });
      const lost = kinds.length === 0 ? "nothing lost" : `${plural(kinds.length, "kind")} of losses`;
      screen.print("", `${plural(requests, "request")}, ${failed} failed, ${lost}`);
    },
  };
}

function renderCall({ time, operation, losses, error }: BridgedCall, { paint, width }: Screen): string {
  const mark =
    error !== undefined ? paint.red("✗") : losses.length > 0 ? paint.yellow("!") : paint.green("✓");
  const room = (width ?? PIPE_COLUMNS) - 12 - OPERATION_COLUMNS;
  const words = error === undefined ? "" : truncate(oneLine(error), room);
  return `${paint.dim(clockTime(time))}  ${mark} ${padEnd(operation, OPERATION_COLUMNS)} ${words}`.trimEnd();
}

// What a user who watches a push receiver sees: where it is, a line for each delivery, and how many were repeated or late.
import type { PushDelivery } from "../../../core/push-script.ts";
import type { PushReceiverReady } from "../../compose/serve-labs.ts";
import { formatCount } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine, padEnd, truncate } from "../../terminal/text.ts";
import { clockTime, PIPE_COLUMNS, printDocument, printServed } from "./mock-screen.ts";
import type { CallReport } from "./serve-calls.ts";

const STATUS_COLUMNS = 3;
const KIND_COLUMNS = 16;
const HEAD_COLUMNS = 8 + 2 + STATUS_COLUMNS + 2 + KIND_COLUMNS + 2;
const FIRST_REFUSAL = 300;

export function createMockPushReport(
  screen: Screen,
  { json, title }: { json: boolean; title: string },
): CallReport<PushReceiverReady, PushDelivery> {
  const counts = { deliveries: 0, accepted: 0, refused: 0, retries: 0, duplicates: 0, out_of_order: 0 };
  return {
    ready({ url, controlUrl, verified, name }) {
      if (json) {
        return printDocument(screen, {
          type: "ready",
          url,
          control_url: controlUrl,
          verified: [...verified],
        });
      }
      printServed(screen, {
        title: name ?? title,
        each: "delivery",
        fields: [
          ["address", [`${screen.paint.cyan(url)} and every path below`]],
          ["control", [controlUrl]],
          ["verified", [verified.length === 0 ? "nothing" : verified.join(", ")]],
        ],
      });
    },
    call(delivery) {
      counts.deliveries += 1;
      counts[isAccepted(delivery) ? "accepted" : "refused"] += 1;
      if (delivery.retry_of !== undefined) counts.retries += 1;
      if (delivery.duplicate_of !== undefined) counts.duplicates += 1;
      if (delivery.out_of_order !== undefined) counts.out_of_order += 1;
      if (json) return printDocument(screen, { type: "delivery", ...delivery });
      screen.print(renderDelivery(delivery, screen));
    },
    end() {
      if (json) return printDocument(screen, { type: "summary", ...counts });
      const others = [
        [counts.refused, "refused"],
        [counts.retries, "tried again"],
        [counts.duplicates, "duplicated"],
        [counts.out_of_order, "out of order"],
      ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
      screen.print(
        "",
        [`${formatCount(counts.deliveries)} deliver${counts.deliveries === 1 ? "y" : "ies"}`, ...others].join(
          ", ",
        ),
      );
    },
  };
}

/** Whether the delivery was accepted. The status 0 is a connection that was cut or left open. */
function isAccepted({ status }: PushDelivery): boolean {
  return status > 0 && status < FIRST_REFUSAL;
}

function renderDelivery(delivery: PushDelivery, { paint, width }: Screen): string {
  const { time, status, kind, path, faults = [], checks = {} } = delivery;
  const failed = Object.entries(checks).filter(([, found]) => found !== "ok");
  const isOdd =
    delivery.duplicate_of !== undefined || delivery.out_of_order !== undefined || delivery.gap !== undefined;
  const colour = !isAccepted(delivery) ? paint.red : isOdd ? paint.yellow : paint.green;
  const facts = [
    path,
    delivery.task_id,
    delivery.state ?? delivery.event_id,
    ...failed.map(([name, found]) => `${name}: ${found}`),
    delivery.retry_of === undefined ? undefined : `again after ${delivery.retry_of}`,
    delivery.duplicate_of === undefined ? undefined : `duplicate of ${delivery.duplicate_of}`,
    delivery.out_of_order === undefined ? undefined : `out of order: ${delivery.out_of_order}`,
    delivery.gap === undefined ? undefined : `${delivery.gap} missing before`,
    faults.length === 0 ? undefined : `faults: ${faults.join(", ")}`,
  ];
  const essence = oneLine(facts.filter((fact) => fact !== undefined).join(" · "));
  const shown = truncate(essence, (width ?? PIPE_COLUMNS) - HEAD_COLUMNS);
  const outcome = padEnd(status === 0 ? "cut" : String(status), STATUS_COLUMNS);
  return `${paint.dim(clockTime(time))}  ${colour(outcome)}  ${padEnd(kind, KIND_COLUMNS)}  ${shown}`.trimEnd();
}

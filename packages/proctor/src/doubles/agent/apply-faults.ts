// The steps of an agent with its faults among them. Pure: the same steps, faults and random numbers give the same.
import type { Fault } from "./fault.ts";
import type { Saying, Step } from "./steps.ts";

/** Applies faults, each of which counts the messages that the agent would have sent without any fault. */
export function applyFaults(steps: readonly Step[], faults: readonly Fault[], random: () => number): Step[] {
  if (faults.length === 0) return [...steps];
  let said = 0;
  const out: Step[] = [];
  const reorder = faults.some(({ kind }) => kind === "reorder");
  const ordered = reorder ? shuffled(steps, random) : steps;
  for (const step of ordered) {
    if (endsHere(out, faults, said)) return out;
    if (step.kind !== "say") {
      out.push(step);
      continue;
    }
    said += 1;
    out.push(...troubled(step, said, faults, random));
  }
  endsHere(out, faults, said);
  return out;
}

/** Ends the steps where a fault cuts or stalls after this many messages. */
function endsHere(out: Step[], faults: readonly Fault[], said: number): boolean {
  const fault = faults.find((one) => (one.kind === "cut" || one.kind === "stall") && one.after <= said);
  if (fault?.kind === "cut" || fault?.kind === "stall") out.push({ kind: fault.kind });
  return fault !== undefined;
}

/** Returns the steps that the faults make of one message. */
function troubled(saying: Saying, number: number, faults: readonly Fault[], random: () => number): Step[] {
  const before: Step[] = [];
  let copies: Saying[] = [saying];
  for (const fault of faults) {
    switch (fault.kind) {
      case "drop":
        if ("message" in fault ? fault.message === number : random() < fault.probability) copies = [];
        break;
      case "delay":
        if ((fault.message ?? number) === number) before.push({ kind: "wait", ms: fault.delayMs });
        break;
      case "corrupt":
        if (fault.message === number) copies = copies.map((copy) => corrupted(copy, random));
        break;
      case "duplicate":
        if (fault.message === number) copies = [...copies, ...copies];
        break;
      case "garbage":
        if (fault.message === number) before.push(garbage(random));
        break;
      case "reorder":
      case "cut":
      case "stall":
        break;
    }
  }
  return [...before, ...copies];
}

/** Inserts a control character, which JSON never allows; not as the first character, so that the text still looks like JSON. */
function corrupted(saying: Saying, random: () => number): Saying {
  const at = Math.min(1 + Math.floor(random() * (saying.text.length - 1)), saying.text.length);
  return { ...saying, spoiled: true, text: `${saying.text.slice(0, at)}\u0001${saying.text.slice(at + 1)}` };
}

function garbage(random: () => number): Saying {
  const noise = Array.from({ length: 16 }, () => Math.floor(random() * 36).toString(36)).join("");
  return { kind: "say", role: "other", text: `{garbage ${noise}` };
}

/** Shuffles the messages before the response; everything else keeps its place. */
function shuffled(steps: readonly Step[], random: () => number): Step[] {
  const places = steps.flatMap((step, index) =>
    step.kind === "say" && step.role !== "response" ? [index] : [],
  );
  const order = [...places];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  // Chance may leave the order unchanged, and then the fault would have no effect.
  if (order.length > 1 && order.every((place, index) => place === places[index])) order.reverse();
  const out = [...steps];
  for (const [index, place] of places.entries()) out[place] = steps[order[index] ?? place] ?? { kind: "cut" };
  return out;
}

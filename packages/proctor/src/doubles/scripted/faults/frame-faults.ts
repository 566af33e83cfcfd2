// Faults among the frames of an answer: lost, doubled, late, spoiled, in another order. Frames are counted from 1, as the client would get
// them without any fault. What has to be done to the connection is only named here; socket-faults.ts does it.
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { ChosenFaults } from "./choose-faults.ts";
import type { ScriptedFault } from "./fault.ts";
import { withDocument, withResult, writeFrame, type Frame } from "./frames.ts";

export type FrameStep =
  | { kind: "send"; text: string }
  | { kind: "wait"; ms: number }
  | { kind: "cut" }
  | { kind: "stall" }
  | { kind: "half-open" };

/** Applies faults to frames. `raw` has results to send unchanged, by the number of their frame from 0. */
export async function* spoilFrames(
  frames: AsyncIterable<Frame>,
  { faults, random }: ChosenFaults,
  raw: ReadonlyMap<number, JsonObject> = new Map(),
): AsyncGenerator<FrameStep> {
  let number = 0;
  const broken = connectionFault(faults, number);
  if (broken !== undefined) return yield broken;
  for await (const frame of arranged(withRaw(frames, raw), faults, random)) {
    if (frame.data === undefined) {
      yield { kind: "send", text: frame.text };
      continue;
    }
    number += 1;
    yield* troubled(frame, number, faults, random);
    if (faults.some((fault) => fault.kind === "tear" && fault.message === number))
      return yield { kind: "cut" };
    const ending = connectionFault(faults, number);
    if (ending !== undefined) return yield ending;
  }
}

async function* withRaw(
  frames: AsyncIterable<Frame>,
  raw: ReadonlyMap<number, JsonObject>,
): AsyncGenerator<Frame> {
  let number = 0;
  for await (const frame of frames) {
    const sent = frame.data === undefined ? undefined : raw.get(number++);
    yield sent === undefined ? frame : withResult(frame, () => sent);
  }
}

/** Applies the faults that change the order or leave out the last frame. */
async function* arranged(
  frames: AsyncIterable<Frame>,
  faults: readonly ScriptedFault[],
  random: () => number,
): AsyncGenerator<Frame> {
  const reorders = faults.some(({ kind }) => kind === "reorder");
  const losesEnd = faults.some(({ kind }) => kind === "no-end");
  const held: Frame[] = [];
  for await (const frame of frames) {
    if (frame.data === undefined || (!reorders && !losesEnd)) {
      yield frame;
      continue;
    }
    held.push(frame);
    const earlier = !reorders && held.length > 1 ? held.shift() : undefined;
    if (earlier !== undefined) yield earlier;
  }
  if (losesEnd) held.pop();
  yield* reorders ? shuffled(held, random) : held;
}

function shuffled(frames: readonly Frame[], random: () => number): Frame[] {
  const order = [...frames];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    // Both are valid indices of the list.
    [order[last], order[other]] = [order[other] as Frame, order[last] as Frame];
  }
  // Chance may leave the order unchanged, and then the fault would have no effect.
  return order.every((frame, index) => frame === frames[index]) ? order.reverse() : order;
}

function connectionFault(faults: readonly ScriptedFault[], sent: number): FrameStep | undefined {
  for (const fault of faults) {
    if (fault.kind !== "cut" && fault.kind !== "stall" && fault.kind !== "half-open") continue;
    if (fault.after <= sent) return { kind: fault.kind };
  }
  return undefined;
}

/** Yields what the faults make of one frame. */
function* troubled(
  frame: Frame,
  number: number,
  faults: readonly ScriptedFault[],
  random: () => number,
): Generator<FrameStep> {
  let copies = [frame];
  let torn = false;
  for (const fault of faults) {
    if ("message" in fault && fault.message !== undefined && fault.message !== number) continue;
    switch (fault.kind) {
      case "drop":
        if (!("probability" in fault) || random() < fault.probability) copies = [];
        break;
      case "delay":
        yield { kind: "wait", ms: fault.delayMs };
        break;
      case "corrupt":
        copies = copies.map((copy) => corrupted(copy, random));
        break;
      case "duplicate":
        copies = [...copies, ...copies];
        break;
      case "garbage":
        yield {
          kind: "send",
          text: writeFrame({ ...frame, data: `{garbage ${random().toString(36).slice(2)}` }),
        };
        break;
      case "unknown":
        yield { kind: "send", text: writeFrame(unknownEvent(frame)) };
        break;
      case "wrong-id":
        copies = copies.map(withWrongId);
        break;
      case "giant":
        copies = copies.map((copy) => padded(copy, fault.bytes));
        break;
      case "tear":
        torn = true;
        break;
      default:
    }
  }
  for (const copy of copies) {
    const text = writeFrame(copy);
    yield { kind: "send", text: torn ? text.slice(0, Math.ceil(text.length / 2)) : text };
  }
}

/** Inserts a control character, which JSON never allows; not as the first character, so that the text still looks like JSON. */
function corrupted(frame: Frame, random: () => number): Frame {
  const { data = "" } = frame;
  const at = Math.min(1 + Math.floor(random() * (data.length - 1)), data.length);
  return { ...frame, data: `${data.slice(0, at)}\u0001${data.slice(at + 1)}` };
}

function unknownEvent(frame: Frame): Frame {
  return withResult(frame, (result) =>
    isJsonObject(result) && "kind" in result
      ? { kind: "surprise-update", surprise: true }
      : { surpriseUpdate: { surprise: true } },
  );
}

/** Replaces the id of the request in JSON-RPC; without an envelope, the id of the task. */
function withWrongId(frame: Frame): Frame {
  return withDocument(frame, (document) => {
    if ("jsonrpc" in document) return { ...document, id: `not ${JSON.stringify(document["id"])}` };
    return Object.fromEntries(
      Object.entries(document).map(([key, value]) => [
        key,
        isJsonObject(value) ? { ...value, [key === "task" ? "id" : "taskId"]: "not-your-task" } : value,
      ]),
    );
  });
}

function padded(frame: Frame, bytes: number): Frame {
  return withResult(frame, (result) => ({
    ...(isJsonObject(result) ? result : { value: result }),
    padding: "x".repeat(bytes),
  }));
}

// What a gateway costs, in numbers. They are shown, and judge nothing: another machine has others.
import { systemClock } from "../../../../runtime/time/system-clock.ts";
import { pause } from "../../../../runtime/time/pause.ts";
import type { Endpoint } from "../../conform/endpoint.ts";
import { end } from "../../../../conformance/demand.ts";
import { assume, KEPT } from "../../conform/finding.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import { artifactEvent } from "../scene.ts";
import { createStage, type Stage } from "../stage.ts";

const CALLS = 30;
const STREAMS = 10;
const PIECE = "x".repeat(64 * 1024);
const MAX_FLOOD_BYTES = 32 * 1024 * 1024;
/** Milliseconds without another byte after which the upstream is held back. */
const STALL_MS = 300;

export const MEASURED_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.measured.overhead",
    level: "may",
    first: true,
    alone: true,
    title: "what a message costs through the gateway, and without it",
    advice: "",
    examine: async (stage) => {
      const [direct, through] = await alternate(stage, CALLS, async (there) => {
        const startedAt = performance.now();
        const { value } = await there.send(there.scene());
        return value === undefined ? undefined : performance.now() - startedAt;
      });
      showCompared(direct, through, "messages");
    },
  },
  {
    id: "gateway.measured.first_event",
    level: "may",
    when: "streaming",
    first: true,
    alone: true,
    title: "how long the first event of a stream takes through the gateway, and without it",
    advice: "",
    examine: async (stage) => {
      const [direct, through] = await alternate(stage, STREAMS, async (there) => {
        const played = there.scene();
        const startedAt = performance.now();
        const heard = await there.stream(played, { onFrame: () => true });
        return heard.frames.length === 0 ? undefined : performance.now() - startedAt;
      });
      showCompared(direct, through, "streams");
    },
  },
  {
    id: "gateway.measured.pressure",
    level: "may",
    when: "streaming",
    first: true,
    alone: true,
    title: "how much of a flood it takes while its client does not read",
    advice: "",
    async examine(stage) {
      let sentBytes = 0;
      const played = stage.scene({
        async *events(task, { signal }) {
          for (let index = 0; sentBytes < MAX_FLOOD_BYTES && !signal.aborted; index++) {
            sentBytes += PIECE.length;
            yield artifactEvent(task, PIECE, { append: index > 0 });
          }
        },
      });
      await stage.ask(async (service, call) => {
        const stream = await service.stream({ message: played.message() }, call);
        const reader = stream[Symbol.asyncIterator]();
        await reader.next();
        for (let before = -1; before !== sentBytes;) {
          before = sentBytes;
          await pause(systemClock, STALL_MS, call.signal);
        }
        await reader.return?.();
      });
      played.cut();
      assume(sentBytes > 0, "the stream did not begin");
      const amount = `${(sentBytes / 1024 / 1024).toFixed(1)} MB`;
      const isBounded = sentBytes < MAX_FLOOD_BYTES;
      end({ ...KEPT, got: isBounded ? `${amount}, then the upstream was held back` : `all of ${amount}` });
    },
  },
];

/** Measures at the upstream itself and through the gateway in turns, so that both run under the same load. */
async function alternate(
  stage: Stage,
  times: number,
  measure: (there: Stage) => Promise<number | undefined>,
): Promise<[number[], number[]]> {
  const measured: [number[], number[]] = [[], []];
  const places = [createStage({ ...stage, door: directDoor(stage) }), stage] as const;
  for (let time = 0; time < times; time++) {
    for (const [index, place] of places.entries()) {
      const took = await measure(place);
      if (took !== undefined) measured[index === 0 ? 0 : 1].push(took);
    }
  }
  return measured;
}

/** Returns the upstream itself, by the binding and version of the door. */
function directDoor({ door, upstream: { url } }: Stage): Endpoint {
  return {
    ...door,
    url: new URL(url),
    interface: { ...door.interface, url },
    name: `the upstream, ${door.name}`,
    mayHaveCredentials: false,
  };
}

function showCompared(direct: readonly number[], through: readonly number[], what: string): never {
  const [before, after] = [medianOf(direct), medianOf(through)];
  assume(before !== undefined && after !== undefined, "nothing could be measured");
  const times = `${(after / before).toFixed(1)} times`;
  return end({
    ...KEPT,
    got: `${after.toFixed(1)} ms through the gateway, ${before.toFixed(1)} ms without: ${times} (median of ${through.length} ${what})`,
  });
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

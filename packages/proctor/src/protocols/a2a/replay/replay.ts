// Plays the recording of an agent that speaks A2A: the driver as it is, with the recording in the place of the agent's server. What was asked
// is asked again, of whoever answers now; pauses are not waited for.
import { failure } from "../../../core/failure.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { AgentSession, Job, StopSignals } from "../../../core/ports/driver.ts";
import type { Recording } from "../../../core/recording.ts";
import { HURRIED } from "../../hurried-clock.ts";
import { parseAny } from "../../http-refusal.ts";
import { playRecording } from "../../play-recording.ts";
import type { Script } from "../../recorded-script.ts";
import { knownVersion } from "../client/create-a2a-client.ts";
import { createWireService } from "../client/wire-service.ts";
import type { WireProblem } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import { createA2aDriver } from "../driver.ts";
import type { Connect } from "../driver/connect.ts";
import type { AgentInterface } from "../model.ts";
import { createRecordedWire, type RecordedWire } from "./recorded-wire.ts";
import { wireCodec } from "./wire-codec.ts";

export function replay(recording: Recording, job: Job, signals: StopSignals): AgentSession {
  let opened = (_session: AgentSession): void => undefined;
  const session = new Promise<AgentSession>((resolve) => (opened = resolve));
  // How the recorded agent was reached is known; its options change nothing.
  const { options: _, ...spec } = job.spec;
  const reports = playRecording(recording, { ...job, spec }, signals, {
    open(script) {
      const wire = createRecordedWire(script);
      const driver = createA2aDriver({
        clock: HURRIED,
        connect: recordedConnect(wire, script),
        onWait: () => wire.idle(),
      });
      return Promise.resolve({
        open(played, stops) {
          const inner = driver.open(played, stops);
          opened(inner);
          return inner;
        },
      });
    },
    callTool: () => Promise.resolve(),
    unnamedUrl: `${recording.header.transport}://recorded:1`,
  });
  return {
    answer: async (questionId, answer) => (await session).answer?.(questionId, answer),
    [Symbol.asyncIterator]: () => reports,
  };
}

function recordedConnect(wire: RecordedWire, script: Script): Connect {
  return async (_settings, _place, { onProblem }) => {
    const noted = await wire.before("connection");
    const { interface: spoken, streams } = objectIn(noted?.text);
    const version = isInterface(spoken) ? knownVersion(spoken.protocolVersion) : undefined;
    if (!isInterface(spoken) || version === undefined) {
      script.unfinished = true;
      return { refused: failure("CONNECTION_LOST", "the recording has no connection to its agent") };
    }
    noteCard(objectIn((await wire.before("card"))?.text), onProblem);
    const service = createWireService({
      wire,
      codec: await wireCodec(version, spoken.protocolBinding),
      ...(spoken.tenant !== undefined && { tenant: spoken.tenant }),
      onProblem,
    });
    return { service, interface: spoken, version, streams: streams === true };
  };
}

/** Notes the problems of the recorded card again. */
function noteCard(card: JsonObject, onProblem: (problem: WireProblem) => void): void {
  if (Object.keys(card).length === 0) return;
  const problems: WireProblem[] = [];
  codecOf(Array.isArray(card["supportedInterfaces"]) ? "1.0" : "0.3").decodeCard(card, problems);
  for (const problem of problems) onProblem({ ...problem, path: `card.${problem.path}` });
}

function objectIn(text = ""): JsonObject {
  const value = parseAny(text);
  return isJsonObject(value) ? value : {};
}

function isInterface(value: unknown): value is AgentInterface {
  return (
    isJsonObject(value) &&
    typeof value["protocolBinding"] === "string" &&
    typeof value["protocolVersion"] === "string"
  );
}

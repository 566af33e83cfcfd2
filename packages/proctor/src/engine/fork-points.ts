// The points from which another run can continue an ended one: after what its agent said, after the steps of its terminal, and at its end.
import type { ForkPoint } from "../core/fork.ts";
import type { Talks } from "../core/ports/driver.ts";
import type { ConversationMessage } from "../core/ports/hub.ts";
import type { Run } from "../core/run.ts";
import { snapshotStep } from "../core/snapshot-name.ts";

export function forkPointsOf(run: Run, talks: Talks, said: readonly ConversationMessage[]): ForkPoint[] {
  const messages = talks.history === true ? said.flatMap(afterMessage) : [];
  const steps = run.artifacts.flatMap((artifact): ForkPoint[] => {
    const step = artifact.type === "file" ? snapshotStep(artifact.path) : undefined;
    return step === undefined ? [] : [{ kind: "step", step }];
  });
  return [...messages, ...steps, ...(talks.follows === true ? [{ kind: "end" } as const] : [])];
}

function afterMessage({ sequence, message }: ConversationMessage): ForkPoint[] {
  return sequence === null || message.role !== "agent" ? [] : [{ kind: "message", sequence }];
}

// The labels of our containers: which environment they are, and which process of which machine made them.
import { hostname } from "node:os";
import { isAlive, ownIdentity } from "../../runtime/processes/identity.ts";

export const ID_LABEL = "proctor.id";
const PID_LABEL = "proctor.hub-pid";
const START_LABEL = "proctor.hub-start";
const HOST_LABEL = "proctor.hub-host";

export function labelsFor(id: string): Record<string, string> {
  const { pid, startTime } = ownIdentity();
  return {
    [ID_LABEL]: id,
    [PID_LABEL]: String(pid),
    [START_LABEL]: startTime ?? "",
    [HOST_LABEL]: hostname(),
  };
}

/** Whether the process that made the container is gone; false for one of another machine, whose processes are unknown here. */
export function isOrphan(labels: Readonly<Record<string, string>>): boolean {
  const { [ID_LABEL]: id, [PID_LABEL]: pid = "", [START_LABEL]: start = "", [HOST_LABEL]: host } = labels;
  if (id === undefined || host !== hostname() || !/^[1-9]\d*$/.test(pid)) return false;
  return !isAlive({ pid: Number(pid), startTime: start === "" ? null : start });
}

// Whose the files of `COPY --chown` are: names mean users and groups of the image.
import type { Environment } from "../../../core/ports/environments.ts";
import { problem, type Place } from "../problem.ts";

interface Owner {
  uid: number;
  gid: number;
}

export async function numericOwner(environment: Environment, owner: string, at: Place): Promise<Owner> {
  const [user = "", group] = owner.split(":");
  const passwd = await table(environment, "/etc/passwd");
  const known = passwd.find(([name, , uid]) => name === user || uid === user);
  const uid = number(user) ?? number(known?.[2]);
  if (uid === undefined)
    throw problem(at, `--chown=${owner}: there is no user ${user}`, "create it in a RUN before");
  // As in Docker, the default group is the one with the number of the user.
  if (group === undefined || group === "") return { uid, gid: number(known?.[3]) ?? uid };
  const gid =
    number(group) ?? number((await table(environment, "/etc/group")).find(([name]) => name === group)?.[2]);
  if (gid === undefined)
    throw problem(at, `--chown=${owner}: there is no group ${group}`, "create it in a RUN before");
  return { uid, gid };
}

async function table(environment: Environment, path: string): Promise<string[][]> {
  const { stdout } = await environment.run({ command: ["cat", path], timeoutMs: 10_000, cwd: "/" });
  return stdout.split("\n").map((line) => line.split(":"));
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/u.test(text) ? Number(text) : undefined;
}

// A hub that opens a container and is then killed: a program for tests.
import { createContainerProvider } from "../../../src/environments/container/provider.ts";

const [, , stateDir = "", image = ""] = process.argv;
const environment = await createContainerProvider({ stateDir }).open({
  id: "left-behind",
  role: "terminal",
  options: {},
  signal: new AbortController().signal,
  profile: "strict",
  layers: [],
  workdir: "/app",
  env: {},
  rootName: "test",
  notes: [],
  image,
});
const shell = await environment.openShell();
await shell.run("sleep 1000 &", { timeoutMs: 10_000 });
process.stdout.write("open\n");
setInterval(() => undefined, 1000);

// A hub that opens a container and is then killed: a program for tests.
import { createContainerProvider } from "../../../src/environments/container/provider.ts";
import { preparedEnvironment } from "./prepared.ts";

const [, , stateDir = "", image = ""] = process.argv;
const environment = await createContainerProvider({ stateDir }).open(
  preparedEnvironment({ id: "left-behind", image }),
);
const shell = await environment.openShell();
await shell.run("sleep 1000 &", { timeoutMs: 10_000 });
process.stdout.write("open\n");
setInterval(() => undefined, 1000);

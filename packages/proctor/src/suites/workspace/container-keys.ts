// Keys of the ATP platform's suites that ask for a container. There is none: running outside of one, silently, is not what
// the author meant.
import { refused } from "../../runtime/yaml/findings.ts";

const message = "commands of checks do not run in a container";
const hint = `leave "container" and "image" out; to use one, call it in the check "command": [docker, run, …]`;

export const containerKeys = { container: refused(message, hint), image: refused(message, hint) };

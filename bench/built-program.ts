// Makes this process measure the built program. tsx wraps every function to keep its name, which would cost a run a third more CPU time
// than it costs users. Only imports after this file are affected.
import { register } from "node:module";

register("./built-program-hook.mjs", import.meta.url);

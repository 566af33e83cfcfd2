// Makes this process measure the built program. tsx wraps every function when it is created, to keep its name, which would cost a run
// a third more CPU time than it costs users. Only what is imported after this file is affected.
import { register } from "node:module";

register("./built-program-hook.mjs", import.meta.url);

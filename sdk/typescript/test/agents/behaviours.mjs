// An agent that does what the task's description names: one behaviour for each thing that a program may do right or wrong.
import { AgentError, serve } from "@proctor/agent";

const behaviours = {
  echo: (task) => task.input,
  print() {
    console.log('{"status": "completed"}');
    process.stdout.write("half a ");
    process.stdout.write(Buffer.from("line\n"));
    console.error("on stderr");
    process.stdout.write("no end");
    return "done";
  },
  leak(task, emit) {
    const { TOKEN: token } = task.env;
    console.log(`plain ${token}`);
    process.stdout.write(`split ${token.slice(0, 5)}`);
    process.stdout.write(token.slice(5));
    console.error(Buffer.from(`x${token}`).toString("base64"));
    emit.progress({ message: token, [token]: encodeURIComponent(token) });
    throw new Error(`cannot log in with ${token} or ${Buffer.from(token).toString("hex")}`);
  },
  async wait(task, emit) {
    emit.progress({ message: "waiting" });
    await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
    return { output: "half" };
  },
  hang(_task, emit) {
    setInterval(() => {}, 1000);
    emit.progress({ message: "waiting" });
    return new Promise(() => {});
  },
  stray(task, emit) {
    emit.progress({ message: "waiting" });
    setTimeout(() => {
      throw new Error("nobody catches this");
    });
    return new Promise((resolve) => task.signal.addEventListener("abort", resolve));
  },
  linger() {
    setInterval(() => {}, 1000);
    return "done";
  },
  fail() {
    throw new AgentError("LLM_ERROR", "the model is away", { model: "m" });
  },
};

// Tests wait for this line before they send anything to the program.
if (process.argv.includes("--hello")) setImmediate(() => console.error("hello"));

await serve((task, emit) => behaviours[task.description](task, emit));

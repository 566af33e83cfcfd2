// The shared cases of drivers that a protocol cannot express, by their titles, each with the reason.

export const TERM_SKIPS: Readonly<Record<string, string>> = {
  "sends the task, and reports events and artifacts in order, then one end":
    "an agent types commands; it reports no other events and no artifacts (driver.test.ts has the order of steps)",
  "records another task's id, and takes the message": "messages carry no task id",
  "carries a large task and a large answer": "an agent sends no artifacts",
  "fails with INVALID_RESPONSE when the answer cannot be used":
    "an answer that cannot be used is asked for again (trouble.test.ts)",
};

export const OPENAI_SKIPS: Readonly<Record<string, string>> = {
  "sends the task, and reports events and artifacts in order, then one end":
    "a model has no files to send (driver.test.ts has the order of text, requests, calls and the result)",
  "records another task's id, and takes the message": "messages carry no task id",
  "carries a large task and a large answer": "a model has no files to send (driver.test.ts has large texts)",
};

const OVER = "the agent of a recording has ended before it is played";
const DEAF = "a recording takes no task: what it says was said to another";

export const REPLAY_SKIPS: Readonly<Record<string, string>> = {
  "sends the task, and reports events and artifacts in order, then one end": DEAF,
  "carries a large task and a large answer": DEAF,
  "runs several tasks at once without mixing them": DEAF,
  "keeps events of an agent that vanishes, and ends as failed": OVER,
  "asks the agent to stop, and still hears its answer": OVER,
  "releases everything when killed, however deaf the agent is": OVER,
};

const NO_FILES = "the answer is text, and names no events and no files";

export const REST_SKIPS: Readonly<Record<string, string>> = {
  "sends the task, and reports events and artifacts in order, then one end": `${NO_FILES} (requests.test.ts and answers.test.ts)`,
  "records another task's id, and takes the message": "answers carry no task id",
  "carries a large task and a large answer": `${NO_FILES} (hostile.test.ts has large ones)`,
};

export const TEXT_SKIPS: Readonly<Record<string, string>> = {
  "sends the task, and reports events and artifacts in order, then one end": `${NO_FILES} (program.test.ts)`,
  "records another task's id, and takes the message": "answers carry no task id",
  "carries a large task and a large answer": `${NO_FILES} (hostile.test.ts has large ones)`,
  "fails with INVALID_RESPONSE when the answer cannot be used": "whatever a program prints is its answer",
};

export const ENVELOPE_SKIPS: Readonly<Record<string, string>> = {
  "records another task's id, and takes the message":
    "what comes over the connection of a request answers it; envelopes that come by themselves are told apart by inReplyTo (doors.test.ts)",
};

export const MCP_SKIPS: Readonly<Record<string, string>> = {
  "records another task's id, and takes the message": "messages carry no task id",
};

const ONE_VALUE = "a tool returns one value, and has no files";
const LOGGED_AT_THE_END = "what a tool logs is known when it has ended (calls.test.ts has cancelling)";

export const SCRIPT_TOOL_SKIPS: Readonly<Record<string, string>> = {
  "sends the task, and reports events and artifacts in order, then one end": `${ONE_VALUE} (calls.test.ts)`,
  "keeps events of an agent that vanishes, and ends as failed":
    "a tool runs in the hub: no connection can break",
  "asks the agent to stop, and still hears its answer": LOGGED_AT_THE_END,
  "releases everything when killed, however deaf the agent is": LOGGED_AT_THE_END,
  "records another task's id, and takes the message": "a call has one answer, which carries no task id",
  "carries a large task and a large answer": `${ONE_VALUE} (calls.test.ts has large ones)`,
  "runs several tasks at once without mixing them":
    "a tool is told its input, and not the task (calls.test.ts)",
  "fails with INVALID_RESPONSE when the answer cannot be used": "whatever a tool returns is its answer",
};

// The documents of `/ap/v1` as schemas: those of the official description, and the fields that the hub adds. Requests are read by them,
// and answers are held to them in tests.
import { z } from "zod";
import { MAX_PAGE, MAX_PAGE_SIZE } from "../shared/read-page.ts";
import { CollectFiles, object, Reason, RelativePath, TaskStatus, time, Upload } from "../shared/schemas.ts";

/** The longest time that a client may wait for a step, in seconds. */
export const MAX_WAIT_SECONDS = 600;

export const PageQuery = z.strictObject({
  current_page: z.int().min(1).max(MAX_PAGE).optional().describe("From 1. `page` means the same."),
  page_size: z
    .int()
    .min(1)
    .max(MAX_PAGE_SIZE)
    .optional()
    .describe("10 when absent. `pageSize` means the same."),
});

export const StepQuery = z.strictObject({
  wait: z
    .union([z.boolean(), z.number().min(0).max(MAX_WAIT_SECONDS)])
    .optional()
    .describe(
      "Seconds that a step is waited for, 30 when absent; then it is answered as it is. 0 or false: at once.",
    ),
});

export const UploadQuery = z.strictObject({
  relative_path: RelativePath.describe("Instead of the field of the form."),
});

const Pagination = z
  .strictObject({
    total_items: z.int().min(0),
    total_pages: z.int().min(0),
    current_page: z.int().min(1),
    page_size: z.int().min(1),
  })
  .meta({ id: "OfficialPagination" });

export const Artifact = z
  .strictObject({
    artifact_id: z.string(),
    agent_created: z.boolean().describe("False for what a client uploaded."),
    file_name: z.string(),
    relative_path: z.string().nullable().describe("The folder it is in; null at the top."),
    mime_type: z.string().nullable(),
    size_bytes: z.int().min(0).nullable(),
    created_at: time,
  })
  .meta({ id: "OfficialArtifact" });

export const Task = z
  .strictObject({
    task_id: z.string(),
    input: z.string().nullable(),
    additional_input: object,
    artifacts: z.array(Artifact),
    status: TaskStatus,
    created_at: time,
    modified_at: time,
  })
  .meta({ id: "OfficialTask" });

const StepStatus = z
  .enum(["created", "running", "completed"])
  .meta({ id: "OfficialStepStatus", description: "Of a step that failed: `completed`." });

export const Step = z
  .strictObject({
    task_id: z.string(),
    step_id: z.string(),
    name: z.string(),
    status: StepStatus,
    input: z.string().nullable(),
    additional_input: object.describe("`input` is the original, where that is no text."),
    output: z.string().nullable(),
    additional_output: object.describe(
      "`output` is the original, where that is no text; `error` of one that failed; `question` of one that waits for an answer.",
    ),
    artifacts: z.array(Artifact),
    is_last: z.boolean(),
  })
  .meta({ id: "OfficialStep" });

export const OfficialReason = Reason.meta({ id: "OfficialReason" });
export const OfficialUpload = Upload.meta({ id: "OfficialUpload" });

export const NewTask = z
  .looseObject({
    input: z.string().nullish(),
    additional_input: z
      .looseObject({
        agent: z.string().min(1).nullish().describe("Name or address; null when the client does the work."),
        hold: z
          .boolean()
          .nullish()
          .describe("True: the agent is paused after each step, until the next is asked for."),
        collect_files: CollectFiles.nullish().describe("Which files of the agent become artifacts."),
      })
      .nullish(),
  })
  .meta({ id: "OfficialNewTask" });

export const NewStep = z
  .looseObject({
    name: z.string().nullish(),
    input: z.string().nullish(),
    additional_input: object
      .nullish()
      .describe(
        "`question_id`, `option`, `data` and `outcome` answer a question of the agent exactly; anything else goes to the agent with the input.",
      ),
  })
  .meta({ id: "OfficialNewStep" });

export const TaskPage = z
  .strictObject({ tasks: z.array(Task), pagination: Pagination })
  .meta({ id: "OfficialTaskPage" });
export const StepPage = z
  .strictObject({ steps: z.array(Step), pagination: Pagination })
  .meta({ id: "OfficialStepPage" });
export const ArtifactPage = z
  .strictObject({ artifacts: z.array(Artifact), pagination: Pagination })
  .meta({ id: "OfficialArtifactPage" });

"""Drives a hub with the client that was generated from its description: python drive.py <url> <agent as JSON>."""

import json
import sys
from io import BytesIO

from proctor_client import Client
from proctor_client.api.agent_protocol_v_1 import create_agent_task, execute_agent_task_step
from proctor_client.api.runs import create_run, get_run, get_run_events
from proctor_client.api.task_api import create_task
from proctor_client.api.task_api_artifacts import download_step_artifact, upload_step_artifact
from proctor_client.api.task_api_steps import create_task_step, update_task_step
from proctor_client.models import ApiNewStep, ApiNewTask, ApiStepChanges, ApiUpload, OfficialNewStep
from proctor_client.models import OfficialNewTask, RunRequest, RunStatus
from proctor_client.types import File

url, agent = sys.argv[1:]
client = Client(base_url=url, timeout=60)

body = RunRequest.from_dict({"agent": json.loads(agent), "task": {"description": "asked by a client"}})
run = create_run.sync(client=client, body=body)
with Client(base_url=url, timeout=60, headers={"accept": "text/event-stream"}) as streaming:
    frames = streaming.get_httpx_client().get(f"/runs/{run.id}/events").text
run = get_run.sync(run.id, client=client)
assert run.status is RunStatus.COMPLETED, run
page = get_run_events.sync(run.id, client=client)

task = create_task.sync(client=client, body=ApiNewTask(task="done by hand")).agent
step = create_task_step.sync(task.id, client=client, body=ApiNewStep(name="first"))
file = File(payload=BytesIO(b"hello"), file_name="hello.txt", mime_type="text/plain")
artifact = upload_step_artifact.sync(task.id, step.step_id, client=client, body=ApiUpload(file=file))
content = download_step_artifact.sync_detailed(task.id, step.step_id, artifact.artifact_id, client=client)
changes = ApiStepChanges.from_dict({"status": "completed", "is_last": True})
changed = update_task_step.sync(task.id, step.step_id, client=client, body=changes)

official = create_agent_task.sync(client=client, body=OfficialNewTask(input_="official"))
executed = execute_agent_task_step.sync(official.task_id, client=client, body=OfficialNewStep())
refused = get_run.sync("none", client=client)

print(
    json.dumps(
        {
            "status": run.status.value,
            "frames": "run.ended" in frames,
            "events": len(page.items) > 3,
            "artifact": artifact.file_name,
            "content": content.content.decode(),
            "step": changed.status.value,
            "executed": executed.status.value,
            "code": refused.code.value,
        }
    )
)

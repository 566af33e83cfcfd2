"""The official SDK as a client: talks to the agents at the addresses it is given, over every interface of their cards, and prints
what came of it, a line of JSON for each."""

import asyncio
import json
import sys
import uuid

import grpc.aio
import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)

BINDINGS = ["JSONRPC", "HTTP+JSON", "GRPC"]


def asking(name, text="Hello", task_id=""):
    """The agent does what the id of a message names."""
    message = Message(
        message_id=f"{name}-{uuid.uuid4()}",
        role=Role.ROLE_USER,
        parts=[Part(text=text)],
        task_id=task_id,
    )
    return SendMessageRequest(message=message)


def state_of(status):
    return TaskState.Name(status.state).removeprefix("TASK_STATE_").lower()


async def sent(client, request):
    """The kinds of events that came of a message, and the task."""
    kinds, task_id, state, texts = [], "", "", []
    async for event in client.send_message(request):
        kind = event.WhichOneof("payload")
        kinds.append(kind)
        if kind == "task":
            task_id, state = event.task.id, state_of(event.task.status)
            texts += [part.text for artifact in event.task.artifacts for part in artifact.parts]
        elif kind == "status_update":
            task_id, state = event.status_update.task_id, state_of(event.status_update.status)
        elif kind == "artifact_update":
            texts += [part.text for part in event.artifact_update.artifact.parts]
        elif kind == "message":
            texts += [part.text for part in event.message.parts]
    return {"kinds": kinds, "id": task_id, "state": state, "texts": texts}


async def error_of(awaitable):
    try:
        await awaitable
    except Exception as error:
        return type(error).__name__
    return "none"


async def first_of(events):
    async for event in events:
        return event


async def talk(client):
    streamed = await sent(client, asking("tck-stream-001"))
    asked = await sent(client, asking("tck-input-required"))
    task_id = asked["id"]
    config = TaskPushNotificationConfig(task_id=task_id, id="mine", url="http://127.0.0.1:9/hook")
    await client.create_task_push_notification_config(config)
    told = await client.get_task_push_notification_config(
        GetTaskPushNotificationConfigRequest(task_id=task_id, id="mine")
    )
    answered = await sent(client, asking("tck-complete-task", "That.", task_id))
    task = await client.get_task(GetTaskRequest(id=task_id))
    other = await sent(client, asking("tck-input-required"))
    cancelled = await client.cancel_task(CancelTaskRequest(id=other["id"]))
    return {
        "begins": streamed["kinds"][0],
        "streamed": streamed["state"],
        "artifact": "".join(streamed["texts"]),
        "asked": asked["state"],
        "told": told.url,
        "answered": answered["state"],
        "kept": state_of(task.status),
        "said": [part.text for message in task.history for part in message.parts if part.text],
        "cancelled": state_of(cancelled.status),
        "unknown": await error_of(client.get_task(GetTaskRequest(id="nothing"))),
        "not_cancelable": await error_of(client.cancel_task(CancelTaskRequest(id=task_id))),
        "not_there": await error_of(first_of(client.subscribe(SubscribeToTaskRequest(id="nothing")))),
    }


async def main(urls):
    # The test has a limit of its own, which only a hang reaches.
    http = httpx.AsyncClient(timeout=None)
    for url in urls:
        card = await A2ACardResolver(http, url).get_agent_card()
        for interface in card.supported_interfaces:
            only = AgentCard()
            only.CopyFrom(card)
            del only.supported_interfaces[:]
            only.supported_interfaces.append(interface)
            config = ClientConfig(
                httpx_client=http,
                supported_protocol_bindings=BINDINGS,
                grpc_channel_factory=grpc.aio.insecure_channel,
            )
            client = ClientFactory(config).create(only)
            spoken = f"{interface.protocol_binding} {interface.protocol_version}"
            print(json.dumps({"url": url, "spoken": spoken, **await talk(client)}), flush=True)
            await client.close()
    await http.aclose()


asyncio.run(main(sys.argv[1:]))

"""The official SDK as a server: an agent over JSON-RPC and HTTP+JSON, in 1.0 and 0.3. Prints its address when it listens."""

import asyncio
import socket

import uvicorn
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from starlette.applications import Starlette


class Executor(AgentExecutor):
    async def execute(self, context, event_queue):
        text = context.get_user_input()
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)

        def words(said):
            return updater.new_agent_message([Part(text=said)])

        if text == "message":
            return await event_queue.enqueue_event(words("hello"))
        if context.current_task is None:
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
        if text == "ask":
            return await updater.requires_input(words("which?"))
        await updater.start_work(words("on it"))
        if text == "fail":
            return await updater.failed(words("it rains"))
        await updater.add_artifact([Part(text="you said ")], artifact_id="answer", name="answer.txt")
        await updater.add_artifact(
            [Part(text=text)], artifact_id="answer", name="answer.txt", append=True, last_chunk=True
        )
        await updater.complete(words("done"))

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


async def main():
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    card = AgentCard(
        name="Python",
        description="An agent on the official SDK.",
        version="1",
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding=binding, protocol_version=version)
            for version in ("1.0", "0.3")
            for binding in ("JSONRPC", "HTTP+JSON")
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="s", name="s", description="s", tags=["s"])],
    )
    handler = DefaultRequestHandler(Executor(), InMemoryTaskStore(), card)
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True),
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning")
    print(url, flush=True)
    await uvicorn.Server(config).serve([listening])


asyncio.run(main())

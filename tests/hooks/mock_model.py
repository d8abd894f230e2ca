"""A model that is none, on the loopback interface: real assistants talk to it offline, in four makers' formats.

A prompt that holds ``DO-TOOLS`` makes it read one file, run a command that fails and call it as it works, before it
answers. Each request's body is kept as a line of JSON:
what stands there is what a model would have seen.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWER = "Done, as you asked. 完了"
WORD = "DO-TOOLS"
USAGE = {"input_tokens": 10, "output_tokens": 5}


def reading(file: Path) -> dict[str, dict[str, Any]]:
    """Return each host's tool for reading a file, by name, with the arguments that read this one."""
    path = str(file)
    return {
        "Read": {"file_path": path}, "view": {"path": path}, "read": {"filePath": path}, "read_file": {"file_path": path},
        "read_files": {"files": [{"path": path}]}, "exec_command": {"cmd": f"cat '{path}'"}, "shell": {"command": ["cat", path]},
    }  # fmt: skip


def running(line: str) -> dict[str, dict[str, Any]]:
    """Return each host's shell, by name, with the arguments that run this line."""
    told = {"command": line, "description": line}
    return {
        "Bash": told, "bash": told, "run_shell_command": told, "run_commands": {"commands": [line]},
        "exec_command": {"cmd": line}, "shell": {"command": ["bash", "-lc", line]},
    }  # fmt: skip


def last_words(offered: list[str]) -> tuple[str, dict[str, Any]] | None:
    """Return the call by which Cline says that it is done; without it, it never ends."""
    return ("submit_and_exit", {"summary": ANSWER, "verified": True}) if "submit_and_exit" in offered else None


class Model:
    """What it answers: one tool after the other if it was asked to and they are offered, then words."""

    def __init__(self, file: Path, lines: tuple[str, ...]) -> None:
        self.steps = [reading(file), *map(running, lines)]

    def call(self, said: Any, offered: list[str], used: list[str]) -> tuple[str, dict[str, Any]] | None:
        known = {name for step in self.steps for name in step}
        done = len([name for name in used if name in known])
        tools = self.steps[done] if WORD in json.dumps(said) and done < len(self.steps) else {}
        wanted = [name for name in tools if name in offered]
        if wanted:
            return wanted[0], tools[wanted[0]]
        return last_words(offered)

    def anthropic(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        messages = body.get("messages", [])
        blocks = [block for m in messages if isinstance(m.get("content"), list) for block in m["content"]]
        used = [block["name"] for block in blocks if block.get("type") == "tool_use"]
        call = self.call(messages, [tool.get("name", "") for tool in body.get("tools", [])], used)
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": ANSWER}
        if call:
            block = {"type": "tool_use", "id": f"toolu_{len(used)}", "name": call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "m"), "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": USAGE,
        }  # fmt: skip
        stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
        return [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        ]

    def responses(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        items = body.get("input", [])
        used = [item.get("name", "") for item in items if str(item.get("type")).endswith("_call")]
        call = self.call(items, ["exec_command"], used)
        item: dict[str, Any] = {
            "type": "message", "id": "it_1", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}],
        }  # fmt: skip
        if call:
            name, arguments = call
            item = {
                "type": "function_call",
                "id": "it_0",
                "call_id": f"call_{len(used)}",
                "name": name,
                "arguments": json.dumps(arguments),
            }
        usage = {
            **USAGE,
            "total_tokens": 15,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
        return [
            {"type": "response.created", "response": {"id": "resp_1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}},
        ]

    def chat(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        messages = body.get("messages", [])
        used = [call["function"]["name"] for message in messages for call in message.get("tool_calls") or []]
        call = self.call(messages, [tool["function"]["name"] for tool in body.get("tools", [])], used)
        delta: dict[str, Any] = {"role": "assistant", "content": ANSWER}
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            delta = {
                "role": "assistant",
                "tool_calls": [{"index": 0, "id": f"call_{len(used)}", "type": "function", "function": function}],
            }
        head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        return [
            {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**head, "choices": [end], "usage": usage},
        ]

    def gemini(self, body: dict[str, Any]) -> dict[str, Any]:
        contents = body.get("contents", [])
        used = [part["functionCall"]["name"] for c in contents for part in c.get("parts", []) if "functionCall" in part]
        offered = [f["name"] for tool in body.get("tools", []) for f in tool.get("functionDeclarations", [])]
        call = self.call(contents, offered, used)
        part: dict[str, Any] = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": ANSWER}
        if "json" in str(body.get("generationConfig", {}).get("responseMimeType")):
            route = {"reasoning": "x", "model_choice": "flash", "complexity_score": 10, "complexity_reasoning": "x"}
            part = {"text": json.dumps(route)}
        return {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        }  # fmt: skip

    def answer(self, path: str, body: dict[str, Any]) -> str:
        """Return the answer to a request: JSON, or the events of a stream; "" where there is no such address."""
        if "ount_tokens" in path or "ountTokens" in path:
            return '{"input_tokens": 10, "totalTokens": 10}'
        if path.endswith("/messages"):
            return stream(self.anthropic(body))
        if path.endswith("/responses"):
            return stream(self.responses(body))
        if path.endswith("/chat/completions"):
            return stream(self.chat(body)) + "data: [DONE]\n\n"
        if "streamGenerateContent" in path:
            return stream([self.gemini(body)])
        return json.dumps(self.gemini(body)) if "enerateContent" in path else ""


def stream(events: list[dict[str, Any]]) -> str:
    """Return server-sent events, named where they have a type."""
    named = [f"event: {event['type']}\n" if "type" in event else "" for event in events]
    return "".join(f"{name}data: {json.dumps(event)}\r\n\r\n" for name, event in zip(named, events, strict=True))


class Handler(BaseHTTPRequestHandler):
    """Answers as the server's model does, and keeps each request in the server's log."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has in the base class
        pass

    def reply(self, text: str) -> None:
        body = text.encode()
        self.send_response(200 if text else 404)
        self.send_header("content-type", "application/json" if text[:1] in ("{", "") else "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.reply("")

    def do_HEAD(self) -> None:
        self.reply("")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        with self.server.log.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"path": self.path, "body": body}, ensure_ascii=False) + "\n")
        self.reply(self.server.model.answer(self.path.partition("?")[0], body))


class Server(ThreadingHTTPServer):
    """A server with a model and a log."""

    daemon_threads = True

    def __init__(self, model: Model, log: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model, self.log = model, log


@contextmanager
def serve(file: Path, log: Path, lines: tuple[str, ...] = ()) -> Iterator[int]:
    """Serve the model that reads ``file`` and runs ``lines``, keep what it is asked in ``log``, and give the port."""
    with Server(Model(file, lines), log) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()

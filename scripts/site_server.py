#!/usr/bin/env python3
"""Serves a folder as a static site on 127.0.0.1, from memory.

    scripts/site_server.py FOLDER

Prints its port, then answers each line on stdin with one line of JSON on stdout: what was asked for since the last line
(requests, pages, bytes of pages, answers by status). Ends when stdin does. HTTP/1.1, one thread for all connections:
every answer is made beforehand, so that the crawler under test is the slow part.

As common static servers do: index.html stands for its folder, /folder is redirected to /folder/, a query is passed over
unless it is part of a file's name, the charset is not in the header, ETag and Last-Modified are, and conditional requests
are answered with 304.
"""
import asyncio
import email.utils
import hashlib
import json
import mimetypes
import os
import subprocess
import sys
from collections import Counter
from urllib.parse import quote, unquote_to_bytes

INDEXES = (b"index.html", b"index.htm")


class Folder:
    """The files of a folder, by the paths that stand for them."""

    def __init__(self, root):
        self.root = os.path.abspath(os.fsencode(root))
        self.files, self.folders = set(), {b"/"}
        for where, _, names in os.walk(self.root):
            inside = b"/" + os.path.relpath(where, self.root).replace(os.sep.encode(), b"/") + b"/"
            inside = b"/" if inside == b"/./" else inside
            self.folders.add(inside)
            self.files.update(inside + name for name in names)

    def find(self, target):
        """What a request target leads to: ("file", path), ("moved", new target) or ("none", None)."""
        path, _, query = target.partition("?")
        path = unquote_to_bytes(path)
        if query and path + b"?" + unquote_to_bytes(query) in self.files:
            return "file", path + b"?" + unquote_to_bytes(query)
        if path in self.files:
            return "file", path
        if path in self.folders:
            for index in INDEXES:
                if path + index in self.files:
                    return "file", path + index
            return "none", None
        if path + b"/" in self.folders:
            return "moved", quote(path + b"/") + ("?" + query if query else "")
        return "none", None

    def disk(self, path):
        """The file on disk of a path from `find`."""
        return self.root + path


def is_page(path):
    """Whether a file is served as HTML."""
    name = path.rpartition(b"/")[2].partition(b"?")[0].lower()
    return name.endswith((b".html", b".htm", b".xhtml", b".shtml")) or b"." not in name


class Answers:
    """All answers of a site, made beforehand, and what was asked for."""

    def __init__(self, folder):
        self.folder, self.ready = folder, {}
        self.forget()
        for path in folder.files:
            with open(folder.disk(path), "rb") as file:
                body = file.read()
                changed = os.fstat(file.fileno()).st_mtime
            guess = mimetypes.guess_type(os.fsdecode(path.partition(b"?")[0]))[0]
            kind = "text/html" if is_page(path) else guess or "application/octet-stream"
            tag = '"' + hashlib.sha1(body).hexdigest()[:16] + '"'
            date = email.utils.formatdate(changed, usegmt=True)
            known = f"ETag: {tag}\r\nLast-Modified: {date}\r\n"
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{known}\r\n"
            same = f"HTTP/1.1 304 Not Modified\r\n{known}\r\n"
            self.ready[path] = (head.encode(), body, same.encode(), tag.encode(), date.encode())

    def forget(self):
        self.statuses, self.pages = Counter(), {}

    def told(self):
        """What was asked for since `forget`."""
        return {
            "requests": sum(self.statuses.values()),
            "statuses": dict(self.statuses),
            "pages": len(self.pages),
            "page_bytes": sum(self.pages.values()),
        }

    def answer(self, method, target, headers):
        kind, found = self.folder.find(target)
        if kind == "moved":
            self.statuses[301] += 1
            return f"HTTP/1.1 301 Moved Permanently\r\nLocation: {found}\r\nContent-Length: 0\r\n\r\n".encode()
        if kind == "none":
            self.statuses[404] += 1
            return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n" + (
                b"" if method == b"HEAD" else b"not found"
            )
        head, body, same, tag, date = self.ready[found]
        asked = headers.get(b"if-none-match")
        fresh = tag in asked if asked else headers.get(b"if-modified-since") == date
        if fresh:
            self.statuses[304] += 1
            return same
        self.statuses[200] += 1
        if is_page(found):
            self.pages[target] = len(body)
        return head if method == b"HEAD" else head + body


class Connection(asyncio.Protocol):
    """One connection: requests without bodies, one after another."""

    def __init__(self, answers):
        self.answers, self.rest = answers, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.rest += data
        while b"\r\n\r\n" in self.rest:
            head, _, self.rest = self.rest.partition(b"\r\n\r\n")
            first, *lines = head.split(b"\r\n")
            words = first.split(b" ")
            if len(words) != 3:
                self.transport.close()
                return
            headers = {}
            for line in lines:
                name, _, value = line.partition(b":")
                headers[name.strip().lower()] = value.strip()
            target = words[1].decode("ascii", "surrogateescape")
            self.transport.write(self.answers.answer(words[0], target, headers))
            wish = headers.get(b"connection", b"").lower()
            if wish == b"close" or (words[2] == b"HTTP/1.0" and wish != b"keep-alive"):
                self.transport.close()
                return


class Served:
    """A folder served by a process of its own, for a `with` statement: `url`, and `told()` since the last call."""

    def __init__(self, folder):
        command = [sys.executable, os.path.abspath(__file__), folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = self.process.stdout.readline().strip()
        if not port:
            raise SystemExit(f"no server for {folder}: it ended with {self.process.wait()}")
        self.url = f"http://127.0.0.1:{port}"

    def told(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


async def serve(folder):
    loop = asyncio.get_running_loop()
    answers = Answers(Folder(folder))
    server = await loop.create_server(lambda: Connection(answers), "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = loop.create_future()

    def asked():
        if not os.read(0, 1):
            ended.set_result(None)
            loop.remove_reader(0)
            return
        print(json.dumps(answers.told()), flush=True)
        answers.forget()

    loop.add_reader(0, asked)
    await ended
    server.close()


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        raise SystemExit("usage: scripts/site_server.py FOLDER")
    asyncio.run(serve(sys.argv[1]))

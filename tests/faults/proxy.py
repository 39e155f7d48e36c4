# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy on loopback that can be told to disturb what goes through it."""
import os
import select
import socket
import threading


class Proxy:
    """Between TCP clients and a server at `target`: a port of loopback, or the path of a socket.

    `watch(data, is_answer)` sees all bytes and returns what to do with them: "pass", "cut" (drop them and both connections), "pass-and-cut".
    """

    def __init__(self, target, watch=None):
        self.target, self.watch = target, watch or (lambda data, is_answer: "pass")
        self.silent = threading.Event()  # As if the network were gone: nothing goes through, nothing is closed.
        self.server = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.server.getsockname()[1]
        self.ends = False
        self.woken, self.wake = os.pipe()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.ends:
            ready, _, _ = select.select([self.server, self.woken], [], [])
            if self.woken in ready:
                return
            client, _ = self.server.accept()
            try:
                if isinstance(self.target, int):
                    upstream = socket.create_connection(("127.0.0.1", self.target))
                else:
                    upstream = socket.socket(socket.AF_UNIX)
                    upstream.connect(self.target)
            except OSError:
                client.close()
                continue
            threading.Thread(target=self.serve, args=(client, upstream), daemon=True).start()

    def serve(self, client, upstream):
        try:
            while not self.ends:
                ready, _, _ = select.select([client, upstream], [], [], 0.1)
                if self.silent.is_set():
                    self.ends or threading.Event().wait(0.05)
                    continue
                for one in ready:
                    data = one.recv(65536)
                    if not data:
                        return
                    verdict = self.watch(data, one is upstream)
                    if verdict != "cut":
                        (client if one is upstream else upstream).sendall(data)
                    if verdict != "pass":
                        return
        except OSError:
            pass
        finally:
            client.close()
            upstream.close()

    def close(self):
        self.ends = True
        os.write(self.wake, b"x")
        self.server.close()

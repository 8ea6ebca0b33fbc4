"""Threads that each do one thing for ever, for dumps. Usage: states.py NAME..., all at once or some of them.

Prints one JSON object when all are at work: {"pid", "tids": {NAME: TID}}. For each line on standard input it answers with
"SECONDS HELD": the monotonic clock, and for how long of it the thread `half` was in pure Python.
"""

import hashlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time

held = 0.0


def spin(until):
    n = 0
    while time.monotonic() < until:
        for _ in range(100):
            n += 1


def half():
    """Three fifths of the time in Python, as well as the machine lets it sleep for the rest."""
    global held
    while True:
        start = time.monotonic()
        spin(start + 0.03)
        held += time.monotonic() - start
        time.sleep(0.02)


def loop_0():
    spin(float("inf"))


loop_1 = loop_2 = loop_0


def hashing():
    data = b"x" * (1 << 26)
    while True:
        hashlib.sha256(data).digest()


def sleeping():
    while True:
        time.sleep(60)


lock = threading.Lock()
lock.acquire()


def locked():
    lock.acquire()


def event():
    threading.Event().wait()


def getting():
    queue.Queue().get()


ours, theirs = socket.socketpair()


def receiving():
    ours.recv(1)


def child():
    subprocess.run(["sleep", "600"])


tids = {}


def start(name):
    def run():
        tids[name] = threading.get_native_id()
        globals()[name]()

    threading.Thread(target=run, name=name, daemon=True).start()


names = sys.argv[1:]
for name in names:
    start(name)
while len(tids) < len(names):
    time.sleep(0.01)
print(json.dumps({"pid": os.getpid(), "tids": tids}), flush=True)
for line in sys.stdin:
    print(time.monotonic(), held, flush=True)
if os.getpgrp() == os.getpid():
    os.killpg(0, signal.SIGKILL)  # with the child
os._exit(0)

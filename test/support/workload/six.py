"""Six threads whose behaviour is known, for what a monitor says of them.

usage: six.py FILE

Prints one JSON line {"pid": .., "tids": {name: tid}} when all of them are at it. Ends when its standard input ends or on SIGTERM.
FILE is read again and again: it stays in the page cache.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

held = threading.Lock()
held.acquire()
tids = {}


def share(percent, work):
    """Works for `percent` of one core, steered by the thread's own CPU clock."""
    start, used = time.monotonic(), time.thread_time()
    while True:
        owed = percent / 100 * (time.monotonic() - start) - (time.thread_time() - used)
        if owed > 0.5:  # it could not run for long: do not catch up
            start, used = time.monotonic(), time.thread_time()
        end = time.thread_time() + max(0.0, min(owed, 0.05))
        while time.thread_time() < end:
            work()
        time.sleep(0.02)


def python_loop():
    def spin():
        total = 0
        for n in range(2000):
            total += n

    share(35, spin)


def hash_blocks():
    block = b"x" * 1_000_000
    share(30, lambda: hashlib.sha256(block).digest())  # longer than 2047 bytes: without the GIL


def sleep_long():
    time.sleep(3600)


def wait_for_lock():
    held.acquire()


def read_file():
    buffer = bytearray(4_000_000)
    with open(sys.argv[1], "rb", buffering=0) as file:

        def again():
            file.seek(0)
            file.readinto(buffer)

        share(15, again)


def run_children():
    while True:
        child = subprocess.Popen(["sleep", "30"])
        children.append(child.pid)
        child.wait()


children = []
work = {
    "python-loop": python_loop,
    "hash-0": hash_blocks,
    "sleeper": sleep_long,
    "lock-waiter": wait_for_lock,
    "file-reader": read_file,
    "spawner": run_children,
}


def begin(name, ready):
    tids[name] = threading.get_native_id()
    ready.release()
    work[name]()


def end(*_):
    for pid in children[-1:]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os._exit(0)


def main():
    try:
        os.nice(-10)  # shares need a core when they are due, whatever else this machine does (root only)
    except PermissionError:
        pass
    signal.signal(signal.SIGTERM, end)
    ready = threading.Semaphore(0)
    for name in work:
        threading.Thread(target=begin, name=name, args=(name, ready), daemon=True).start()
    for _ in work:
        ready.acquire()
    while not children:
        time.sleep(0.01)
    print(json.dumps({"pid": os.getpid(), "tids": tids}), flush=True)
    sys.stdin.read()
    end()


main()

"""A training run in small: threads with known names and known CPU shares, loader workers, and a log on standard output.

usage: workload.py '{"threads": [{"name": "pump", "percent": 30}], "workers": 2, "short": true, "logSeconds": 0.5}'

Prints one JSON line {"pid": .., "tids": {name: tid}, "workers": [..]} first, then the log. Ends, with its workers, when its
standard input ends or on SIGTERM.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import time

libc = ctypes.CDLL(None)
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15


def set_name(name):
    libc.prctl(PR_SET_NAME, name.encode() + b"\0", 0, 0, 0)


def spend(percent):
    """Uses `percent` of one core, steered by the thread's own CPU clock, so that a busy machine does not change the share."""
    share = percent / 100
    start, used = time.monotonic(), time.thread_time()
    while True:
        owed = share * (time.monotonic() - start) - (time.thread_time() - used)
        if owed > 0.5:  # it could not run for long: do not catch up by more than that
            start, used = time.monotonic() - 0.5 / share, time.thread_time()
        end = time.thread_time() + max(0.0, min(owed, 0.05))
        while time.thread_time() < end:
            sum(range(500))
        time.sleep(0.02)


def run_thread(spec, tids, ready):
    set_name(spec["name"])
    tids[spec["name"]] = threading.get_native_id()
    ready.release()
    if spec.get("percent"):
        spend(spec["percent"])
    threading.Event().wait()


def short_lived():
    while True:
        thread = threading.Thread(target=lambda: (set_name("short"), time.sleep(0.3)))
        thread.start()
        thread.join()
        time.sleep(0.2)


def start_worker(index, percent):
    """A loader: a process with one thread of its own that is a little busy."""
    pid = os.fork()
    if pid:
        return pid
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    set_name("pt_data_worker")
    spec = {"name": "loader %d" % index, "percent": percent}
    threading.Thread(target=run_thread, args=(spec, {}, threading.Semaphore(0)), daemon=True).start()
    while True:
        time.sleep(60)


def write_log(every):
    step = 0
    while True:
        step += 1
        print("step %d | loss %.2f | 14.5K tok/s | q_hs=[9-10]" % (step, 2 + 1 / step), flush=True)
        time.sleep(every)


def start(fn, *args):
    threading.Thread(target=fn, args=args, daemon=True).start()


def prefer_this():
    """Known shares need a core when they are due, whatever else this machine does (root only)."""
    try:
        os.nice(-10)
    except PermissionError:
        pass


def main():
    spec = json.loads(sys.argv[1])
    prefer_this()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    workers = [start_worker(index, spec.get("workerPercent", 5)) for index in range(spec.get("workers", 0))]
    tids, ready = {}, threading.Semaphore(0)
    for thread in spec.get("threads", []):
        start(run_thread, thread, tids, ready)
    for _ in spec.get("threads", []):
        ready.acquire()
    print(json.dumps({"pid": os.getpid(), "tids": tids, "workers": workers}), flush=True)
    if spec.get("short"):
        start(short_lived)
    if spec.get("logSeconds"):
        start(write_log, spec["logSeconds"])
    sys.stdin.read()
    os._exit(0)


main()

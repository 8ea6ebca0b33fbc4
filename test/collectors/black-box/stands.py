"""A training run that makes steps and then none: stands.py LOG STEPS SECONDS lock|pipe|end"""

import os
import sys
import threading
import time

path, steps, seconds, how = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
os.environ["RANK"] = "0"


def wait_for_peer():
    if how == "pipe":
        os.read(os.pipe()[0], 1)
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def train():
    with open(path, "a", buffering=1) as log:
        for step in range(1, steps + 1):
            log.write("step %d | loss %.3f | 14.5K tok/s\n" % (step, 2 + 1 / step))
            time.sleep(seconds)
        if how == "end":
            log.write("RuntimeError: the end\n")
            raise SystemExit(3)
        wait_for_peer()


# Its parent's end is its own.
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
train()

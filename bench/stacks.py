"""A training loop beside many threads that wait, as a real run has them: for what captures cost it.

usage: stacks.py THREADS COUNTER

Adds one to the 8 bytes of the file COUNTER at each iteration of its main thread. Prints its PID when all threads are there; ends when its
standard input does.
"""

import mmap
import os
import struct
import sys
import threading

threads, path = int(sys.argv[1]), sys.argv[2]
forever = threading.Event()
ready = threading.Semaphore(0)


def wait(depth):
    if depth > 0:
        return wait(depth - 1)
    ready.release()
    forever.wait()


def step(layer, batch):
    return sum(value * layer for value in batch)


def train(counter):
    batch = list(range(200))
    n = 0
    while True:
        for layer in range(8):
            step(layer, batch)
        n += 1
        struct.pack_into("Q", counter, 0, n)


def main():
    try:
        os.nice(-10)  # what is lost to other programs of this machine is no cost of a capture (root only)
    except PermissionError:
        pass
    threading.stack_size(256 * 1024)
    for n in range(threads - 2):
        threading.Thread(target=wait, args=(10,), name="waiter-%d" % n, daemon=True).start()
    for n in range(threads - 2):
        ready.acquire()
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), name="end", daemon=True).start()
    with open(path, "r+b") as file:
        counter = mmap.mmap(file.fileno(), 8)
    print(os.getpid(), flush=True)
    train(counter)


main()

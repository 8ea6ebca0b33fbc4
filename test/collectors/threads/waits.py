"""Threads that wait in known ways. Prints their TIDs by name, ends with its standard input."""
import ctypes, json, os, platform, select, socket, sys, threading, time

libc = ctypes.PyDLL(None, use_errno=True)
fifo = sys.argv[1]
os.mkfifo(fifo)
read_end, write_end = os.pipe()
fifo_end = os.open(fifo, os.O_RDWR)
ours, theirs = socket.socketpair()
held = threading.Lock()
held.acquire()
child = os.fork()
if child == 0:
    os.close(0)
    time.sleep(600)
    os._exit(0)
# A process in D: one that made a child with vfork waits for it in the kernel, and no signal but SIGKILL ends that.
stuck = os.fork()
if stuck == 0:
    CLONE_VM, CLONE_VFORK, SIGCHLD = 0x100, 0x4000, 17
    number = 56 if platform.machine() == "x86_64" else 220
    libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL: of the child too, as it asks again
    if libc.syscall(number, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0:
        libc.prctl(1, 9)
        time.sleep(600)
    os._exit(0)

one = {min(os.sched_getaffinity(0))}


def busy():
    os.sched_setaffinity(0, one)
    while True:
        pass


poll = select.poll()
for end in (read_end, fifo_end, ours):
    poll.register(end, select.POLLPRI)
works = {
    "lock": held.acquire,
    "lock too": held.acquire,
    "poll": poll.poll,
    "pipe": lambda: os.read(read_end, 1),
    "fifo": lambda: os.read(fifo_end, 1),
    "socket": lambda: ours.recv(1),
    "child": lambda: os.waitpid(child, 0),
    "often": lambda: [time.sleep(0.02) for _ in range(100000)],
}
tids = {"main": threading.get_native_id()}


def start(name, work):
    def run():
        tids[name] = threading.get_native_id()
        work()

    threading.Thread(target=run, daemon=True).start()


for name, work in works.items():
    start(name, work)
while len(tids) <= len(works):
    time.sleep(0.01)
# A loop of Python gives the GIL away every 5 ms: two processes on one core take it from each other instead.
loops = []
for _ in range(2):
    loop = os.fork()
    if loop == 0:
        libc.prctl(1, 9)
        busy()
    loops.append(loop)
print(json.dumps({"pid": os.getpid(), "stuck": stuck, "child": child, "loops": loops, "tids": tids}), flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), [os.kill(pid, 9) for pid in (child, stuck, *loops)], os._exit(0)), daemon=True).start()
while True:
    time.sleep(600)

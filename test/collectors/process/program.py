"""Stands for a training process: python program.py SPEC, where SPEC is JSON. Ends when its standard input does."""
import ctypes, json, os, signal, sys, time

spec = json.loads(sys.argv[1])
prctl = ctypes.CDLL(None).prctl
held = [open(path) for path in spec.get("devices", [])]
held += [open(path, mode) for path, mode in spec.get("files", [])]


def stay():
    prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nothing outlives the test
    if os.getppid() != parent:
        os._exit(0)
    while True:
        time.sleep(60)


parent = os.getpid()
for _ in range(spec.get("workers", 0)):
    if os.fork() == 0:
        stay()
if "name" in spec:
    prctl(15, spec["name"].encode())  # PR_SET_NAME
if "unlink" in spec:
    os.unlink(spec["unlink"])
open(os.environ["READY"], "w").close()
if spec.get("busy"):
    import threading

    threading.Thread(target=lambda: [sum(range(1000)) for _ in iter(int, 1)], daemon=True).start()
for line in sys.stdin:
    if line == "fork\n" and os.fork() == 0:
        stay()

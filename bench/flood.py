"""Writes lines of several trainers to a file, so many a second, until its standard input ends."""

import sys
import threading
import time

path, rate = sys.argv[1], int(sys.argv[2])
LINES = [
    "[rank{r}]:[titan] 2026-11-30 12:00:05,300 - root - INFO - step: {n:6d}  loss: {x:8.5f}  grad_norm:  0.8310  memory: 66.92GiB(47.10%)  tps: 10,050  tflops: 314.72  mfu: 13.90%\n",
    " [2026-11-30 12:00:05] iteration {n:8d}/ 500000 | consumed samples: 61440 | elapsed time per iteration (ms): 1099.3 | learning rate: 6.000E-05 | global batch size: 512 | lm loss: {x:.6E} | grad norm: 1.221 | number of skipped iterations: 0 |\n",
    "step={n} loss={x:.4f} 14.5K tok/s q_hs=[9-10]/60 q_out=7/16 fetch=3.1ms fwd=88.2ms\n",
    "{{'loss': {x:.4f}, 'grad_norm': 1.3, 'learning_rate': 2e-05, 'epoch': 0.37, 'step': {n}}}\n",
    "INFO 11-30 12:00:05 loggers.py:116] Engine 000: Avg prompt throughput: 1254.4 tokens/s, Avg generation throughput: 29.2 tokens/s, Running: 10 reqs, Waiting: 4 reqs, GPU KV cache usage: 57.9%\n",
    "2026-11-30 12:00:05,123 - data.loader - INFO - worker 3 opened shard /data/shards/train-{n:06d}.tar\n",
]

ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
start, n = time.monotonic(), 0
with open(path, "a") as out:
    while not ended.wait(0.01):
        due = int((time.monotonic() - start) * rate)
        # What the machine was too slow for is left out: a flood is no burst.
        n = max(n, due - rate // 10)
        out.write("".join(LINES[i % len(LINES)].format(n=i // len(LINES), r=i % 8, x=2.0 + i % 100 / 1000) for i in range(n, due)))
        out.flush()
        n = due

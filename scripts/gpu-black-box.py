"""A run that makes steps on a GPU and then none: gpu-black-box.py gloo|spin STEPS.

gloo: two ranks (torchrun) on one GPU; rank 1 waits for a lock before the collective, rank 0 in the all-reduce.
spin: one process waits in a stream's synchronize for a kernel that never ends.
"""
import os, sys, threading, time
import torch, torch.nn as nn, torch.distributed as dist

which, steps = sys.argv[1], int(sys.argv[2])
rank = int(os.environ.get("RANK", 0))
torch.cuda.set_device(0)
net = nn.Sequential(*[nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True) for _ in range(4)]).cuda().bfloat16()
optimizer = torch.optim.AdamW(net.parameters(), lr=3e-4)
if which == "gloo":
    dist.init_process_group("gloo")


def wait_for_the_cache():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def reduce_metrics(loss):
    total = loss.detach().float().cpu()
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()


def wait_for_the_kernel():
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(2**62)
    stream.synchronize()


for step in range(1, steps + 10):
    began = time.time()
    for _ in range(8):
        x = torch.randn(8, 512, 1024, device="cuda", dtype=torch.bfloat16)
        loss = (net(x).float() - x.float()).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    if step > steps and which == "gloo" and rank == 1:
        wait_for_the_cache()
    if step > steps and which == "spin":
        wait_for_the_kernel()
    value = reduce_metrics(loss) if which == "gloo" else loss.item()
    time.sleep(max(0, 0.5 - (time.time() - began)))
    if rank == 0:
        print(f"[{time.strftime('%H:%M:%S')}] step {step} | loss {value:.4f} | {8 * 8 * 512 / (time.time() - began) / 1000:.1f}K tok/s", flush=True)

"""Situations of a training run on real GPUs, one a name: gpu-situations.py NAME SECONDS (torchrun for those of two ranks)."""
import os, sys, time, threading, queue, multiprocessing as mp
import torch, torch.nn as nn, torch.distributed as dist
which, secs = sys.argv[1], float(sys.argv[2])
kind, _, variant = which.partition("-")
rank = int(os.environ.get("RANK", 0))
dev = torch.device(f"cuda:{int(os.environ.get('LOCAL_RANK', 0))}"); torch.cuda.set_device(dev)
torch.manual_seed(1234 + rank)
began = time.time()
def net(width, depth, heads=16, to=None):
    return nn.Sequential(*[nn.TransformerEncoderLayer(width, heads, 4 * width, batch_first=True, norm_first=True, dropout=0.0) for _ in range(depth)]).to(to or dev, torch.bfloat16)
def say(style, n, loss, dt, tok, extra=""):
    if rank != 0: return
    now = time.strftime("%Y-%m-%d %H:%M:%S")
    line = {
        "own": f"[{now[11:]}] step {n} | loss {loss:.4f} | lr 3.00e-04 | {tok/dt/1000:.1f}K tok/s | step_time {dt*1e3:.0f}ms{extra}",
        "py": f"{now},{int(time.time()*1000)%1000:03d} INFO trainer: step={n} loss={loss:.5f} tokens_per_second={tok/dt:.0f} step_time={dt:.4f}s{extra}",
        "gpt": f"iter {n}: loss {loss:.4f}, time {dt*1e3:.2f}ms, mfu 12.34%",
        "hf": str({"loss": round(loss, 4), "grad_norm": 0.7, "learning_rate": 3e-4, "epoch": round(n / 1000, 3)}),
        "titan": f"[rank0]:{now} - root - INFO - step: {n:2}  loss: {loss:7.4f}  memory: 12.00GiB(8.58%)  tps: {tok/dt:,.0f}  tflops: 100.00  mfu: 12.34%",
    }[style]
    print(line, flush=True)
def fit(m, feed, pre=lambda n: None, post=lambda n: None, every=10, tok=8192, style="own", grad=True):
    opt = torch.optim.AdamW(m.parameters(), lr=3e-4); n = 0; t = time.time()
    while time.time() - began < secs:
        pre(n); x = feed()
        if grad:
            loss = (m(x).float() - x.float()).pow(2).mean(); loss.backward(); opt.step(); opt.zero_grad(set_to_none=True)
        else:
            with torch.inference_mode(): loss = (m(x).float() - x.float()).pow(2).mean()
        post(n); n += 1
        if n % every == 0:
            v = loss.item(); now = time.time(); say(style, n, v, (now - t) / every, tok); t = now
def rand(b, s, w, dtype=torch.bfloat16): return lambda: torch.randn(b, s, w, device=dev, dtype=dtype)
def tokenise(sec):
    end = time.perf_counter() + sec; total = 0
    while time.perf_counter() < end: total += len(str([ord(c) * 31 % 97 for c in "the quick brown fox" * 8]))
    return total
class Rows(torch.utils.data.Dataset):
    def __init__(self, sec, rows, width): self.sec, self.rows, self.width = sec, rows, width
    def __len__(self): return 1 << 30
    def __getitem__(self, i): tokenise(self.sec); return torch.randn(self.rows, self.width)
def loader(sec, rows, width, b, workers):
    it = iter(torch.utils.data.DataLoader(Rows(sec, rows, width), batch_size=b, num_workers=workers, prefetch_factor=2, pin_memory=True))
    return lambda: next(it).to(dev, torch.bfloat16, non_blocking=True)
if which == "compute-a": fit(net(4096, 4), rand(4, 1024, 4096), style="py")
elif which == "compute-b": fit(net(1024, 12), rand(32, 512, 1024), style="hf", every=20)
elif which == "compute-c": fit(net(2048, 24), rand(8, 1024, 2048), style="titan", every=5)
elif which == "compute-ckpt":
    m = net(2048, 8)
    def post(n):
        if n and n % 150 == 0:
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} saving checkpoint to /var/tmp/ckpt at step {n}", flush=True)
            for k in range(4): torch.save({"model": m.state_dict(), "more": torch.randn(200_000_000)}, f"/var/tmp/ckpt-{k}.pt")
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} checkpoint saved", flush=True)
        if n and n % 100 == 0:
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} running evaluation", flush=True)
            e = time.time() + 4
            with torch.inference_mode():
                while time.time() < e: m(torch.randn(4, 512, 2048, device=dev, dtype=torch.bfloat16)); torch.cuda.synchronize(); time.sleep(0.01)
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} eval loss 0.1234", flush=True)
    fit(m, rand(8, 1024, 2048), post=post, style="py")
elif which == "compute-mix": fit(net(2048, 24), rand(8, 1024, 2048), pre=lambda n: tokenise(0.012), style="own")
elif which == "compute-rare": fit(net(2048, 12), rand(8, 1024, 2048), pre=lambda n: time.sleep(0.15) if n % 20 == 0 else None, style="own")
elif which == "bandwidth-a":
    a, b, c = (torch.randn(1 << 28, device=dev, dtype=torch.bfloat16) for _ in range(3)); n = 0; t = time.time()
    while time.time() - began < secs:
        for _ in range(40): c.copy_(a); c.add_(b); c.mul_(0.5)
        n += 1
        if n % 5 == 0: v = c[:8].float().mean().item(); now = time.time(); say("own", n, abs(v) + 1, (now - t) / 5, 8192); t = now
elif which == "input_inline-a": fit(net(2048, 6), rand(8, 1024, 2048), pre=lambda n: tokenise(0.06), every=8)
elif which == "input_inline-b": fit(net(1024, 6), rand(16, 512, 1024), pre=lambda n: tokenise(0.5), every=2, style="py")
elif which == "input_inline-c": fit(net(2048, 12), rand(8, 1024, 2048), pre=lambda n: tokenise(0.15), every=5, style="gpt")
elif which == "input_sleep-a": fit(net(2048, 6), rand(8, 1024, 2048), pre=lambda n: time.sleep(0.1), every=8, style="titan")
elif which == "input_sleep-b": fit(net(2048, 12), rand(8, 1024, 2048), pre=lambda n: time.sleep(0.8), every=2)
elif which == "loader-a": fit(net(2048, 6), loader(0.12, 1024, 2048, 4, 2), every=4, style="py")
elif which == "loader-b": fit(net(1024, 6), loader(0.06, 512, 1024, 16, 8), every=4, style="own")
elif which == "launch-a":
    m = nn.Sequential(*[nn.Linear(32, 32) for _ in range(1000)]).to(dev); fit(m, rand(8, 32, 32, torch.float32), every=5, tok=256)
elif which == "launch-b":
    m = nn.Sequential(*[nn.Linear(128, 128) for _ in range(300)]).to(dev); fit(m, lambda: torch.randn(64, 128, device=dev), every=100, tok=64, grad=False, style="py")
elif which == "launch-c": fit(net(128, 48, 4), rand(2, 64, 128), every=5, tok=128, style="own")
elif which == "sync-a":
    m = net(1024, 24)
    for layer in m: layer.register_forward_hook(lambda mod, i, o: o.float().norm().item() and None)
    fit(m, rand(2, 256, 1024), every=10, tok=512, style="own")
elif which == "sync-b":
    m = net(2048, 12)
    for p in m.parameters(): p.register_hook(lambda g: g.float().abs().max().item() and None)
    fit(m, rand(1, 256, 2048), every=10, tok=256, style="py")
elif which == "alloc-a": fit(net(2048, 10), rand(8, 1024, 2048), post=lambda n: (torch.cuda.synchronize(), torch.cuda.empty_cache()))
elif which == "alloc-b": fit(net(1024, 8), rand(16, 512, 1024), post=lambda n: (torch.cuda.synchronize(), torch.cuda.empty_cache()), style="py")
elif which in ("gil-a", "gil-b"):
    def work():
        while time.time() - began < secs: tokenise(0.05)
    for i in range(2 if which == "gil-a" else 5): threading.Thread(target=work, daemon=True).start()
    fit(net(1024, 4), rand(4, 256, 1024), every=1, tok=1024, style="py")
elif which == "copy-a":
    host = [torch.randn(64, 1024, 2048) for _ in range(4)]
    fit(net(2048, 1), lambda: host[0].to(dev).to(torch.bfloat16)[:8], post=lambda n: host[1].to(dev), every=4)
elif which in ("ddp-healthy", "straggler-a", "straggler-b", "hang-a", "hang-b"):
    dist.init_process_group("nccl", device_id=dev)
    w = {"ddp-healthy": (3072, 6), "straggler-a": (2048, 6), "straggler-b": (1024, 12), "hang-a": (1024, 8), "hang-b": (2048, 12)}[which]
    m = nn.parallel.DistributedDataParallel(net(*w), device_ids=[dev.index])
    def pre(n):
        if which == "straggler-a" and rank == 1: time.sleep(0.3)
        if which == "straggler-b" and rank == 0: tokenise(0.4)
        if which == "hang-a" and rank == 0 and n == 300: time.sleep(1e6)
        if which == "hang-b" and rank == 1 and n == 150: threading.Event().wait(1e6)
    fit(m, rand(8, 1024, w[0]), pre=pre, every=5, style="py" if which.endswith("b") else "own")
elif which in ("queue-full", "queue-empty"):
    full = which == "queue-full"; q = queue.Queue(24)
    def teach():
        d = torch.device("cuda:0"); torch.cuda.set_device(d); m = net(2048, 2 if full else 20, to=d).eval()
        while True:
            with torch.inference_mode(): y = m(torch.randn(8, 512, 2048, device=d, dtype=torch.bfloat16)).cpu()
            q.put(y)
    for i in range(2): threading.Thread(target=teach, daemon=True).start()
    dev = torch.device("cuda:1"); torch.cuda.set_device(dev); m = net(2048, 14 if full else 1); opt = torch.optim.AdamW(m.parameters(), lr=3e-4); n = 0; t = time.time()
    while time.time() - began < secs:
        x = q.get().to(dev); loss = (m(x).float() - x.float()).pow(2).mean(); loss.backward(); opt.step(); opt.zero_grad(set_to_none=True); n += 1
        if n % 5 == 0: v = loss.item(); now = time.time(); say("own", n, v, (now - t) / 5, 4096, f" | q_hs {q.qsize()}/24"); t = now
print("done", flush=True); os._exit(0)

import { any, rowsOf, type ClassRow } from './rows.ts';

/** Functions of packages that give the GPU work, or move data to it and from it. */
export const workTable: readonly ClassRow[] = [
  ...rowsOf(
    { class: 'collective', says: 'decides', source: 'PyTorch 2.11 torch/distributed; DeepSpeed, vLLM, Horovod' },
    [
      {
        file: /^torch\/distributed\/distributed_c10d\.py$/,
        call: /^_?(all_\w+|reduce\w*|broadcast\w*|gather\w*|scatter\w*|barrier|monitored_barrier|send\w*|recv\w*|i(send|recv)|batch_isend_irecv|wait\w*|store_based_barrier|init_process_group|new_(process_)?group\w*|destroy_process_group|coalescing_manager|object_to_tensor)$/,
        because: 'is in a collective',
      },
      {
        file: /^torch\/distributed\/(_functional_collectives|nn\/functional|tensor\/_collective_utils|fsdp\/_fully_shard\/_fsdp_collectives)\.py$/,
        call: any,
        because: 'is in a collective',
      },
      {
        file: /^torch\/distributed\/(rendezvous|elastic\/rendezvous\/\w+|elastic\/utils\/store)\.py$/,
        call: /^(?!<module>)/,
        because: 'waits for other ranks to join',
      },
      {
        file: /^torch\/nn\/parallel\/(distributed|comm)\.py$/,
        call: /^(_sync\w+|_verify\w+|_distributed_broadcast\w*|_ddp_init_helper|broadcast\w*|reduce_add\w*|gather|scatter)$/,
        because: 'is in a collective',
      },
      { file: /^torch\/cuda\/nccl\.py$/, call: any, because: 'is in a collective' },
      {
        file: /^(deepspeed\/comm\/\w+|horovod\/\w+\/mpi_ops|vllm\/distributed\/device_communicators\/(?!shm_)\w+|megatron\/core\/tensor_parallel\/mappings)\.py$/,
        call: /^(?!<module>)/,
        because: 'is in a collective',
      },
    ],
  ),
  ...rowsOf(
    {
      class: 'stream sync',
      says: 'decides',
      source: 'PyTorch 2.11 torch/cuda, torch/amp, torch/_tensor.py; JAX; CuPy',
    },
    [
      {
        file: /^torch\/(cuda\/(__init__|streams|graphs)|accelerator\/__init__|xpu\/\w+|hip\/\w+|npu\/\w+|mps\/__init__)\.py$/,
        call: /^synchronize$/,
        because: 'waits for the GPU to do what it was given',
      },
      {
        file: /^torch\/amp\/grad_scaler\.py$/,
        call: /^(_maybe_opt_step|<genexpr>|update)$/,
        because: "waits for the GPU, for the scaler's check",
      },
      {
        file: /^torch\/(_tensor|_tensor_str|nn\/parameter)\.py$/,
        call: /^(__format__|__repr__|_str\w*|__iter__|__contains__|_tensor_str|_vector_str|_tensor_str_with_formatter|item)$/,
        because: "waits for the GPU, for a tensor's value",
      },
      {
        file: /^(jax\/_src\/(array|api)|cupy\/cuda\/stream)\.py$/,
        call: /^(block_until_ready|_value|__float__|__int__|__array__|synchronize|_single_device_array_to_np_array\w*)$/,
        because: 'waits for the device',
      },
    ],
  ),
  ...rowsOf({ class: 'allocator', says: 'decides', source: 'PyTorch 2.11 torch/cuda/memory.py' }, [
    {
      file: /^torch\/(cuda|accelerator|xpu|npu)\/memory\.py$/,
      call: /^(?!<module>)/,
      because: "is in PyTorch's allocator of GPU memory",
    },
  ]),
  ...rowsOf({ class: 'copy', says: 'decides', source: 'PyTorch 2.11; Accelerate, Lightning' }, [
    {
      file: /^torch\/utils\/data\/_utils\/pin_memory\.py$/,
      call: /^(pin_memory|<(list|dict)comp>|<genexpr>)$/,
      because: 'copies a batch to pinned memory',
    },
    {
      file: /^torch\/nn\/modules\/module\.py$/,
      call: /^(convert|_apply)$/,
      because: 'moves a module, to a device or to a type',
    },
    {
      file: /^torch\/(_tensor|storage|_utils)\.py$/,
      call: /^(__array__|__dlpack__|cpu|cuda|_to|_cuda|tolist|numpy|to)$/,
      because: 'copies a tensor',
    },
    {
      file: /^(accelerate\/utils\/operations|lightning(_fabric)?\/.*apply_func|pytorch_lightning\/.*apply_func|deepspeed\/.*swap_tensor\/\w+)\.py$/,
      call: any,
      because: 'copies a batch to its device',
    },
  ]),
  ...rowsOf({ class: 'native', says: 'decides', source: 'PyTorch 2.11 torch/utils' }, [
    {
      file: /^torch\/_ops\.py$/,
      call: /^__call__$/,
      under: /^torch\/(autograd\/)?profiler/,
      because: 'marks a range for the profiler',
    },
    {
      file: /^torch\/utils\/_foreach_utils\.py$/,
      call: /^_group_tensors_by_device_and_dtype$/,
      because: 'groups tensors by device, in C++',
    },
    {
      file: /^torch\/utils\/data\/_utils\/collate\.py$/,
      call: /^(?!<module>)/,
      because: 'puts samples together into a batch',
    },
    {
      file: /^torch\/multiprocessing\/reductions\.py$/,
      call: /^(?!<module>)/,
      because: 'puts a tensor into shared memory, or takes it from there',
    },
    { file: /^torch\/cuda\/__init__\.py$/, call: /^(_lazy_init|init|set_device|_lazy_call)$/, because: 'starts CUDA' },
    {
      file: /^(tokenizers|transformers\/tokenization_\w+|transformers\/models\/\w+\/tokenization_\w+)/,
      call: /^(_?(batch_)?encode\w*|_?(batch_)?decode\w*|train\w*|_tokenize|__call__)$/,
      because: 'is in a tokenizer',
    },
  ]),
  ...rowsOf(
    {
      class: 'file I/O',
      says: 'decides',
      source: 'PyTorch 2.11 torch/serialization.py; safetensors, NumPy, pandas, pyarrow, h5py',
    },
    [
      {
        file: /^torch\/(serialization|distributed\/checkpoint\/(filesystem|storage)|storage)\.py$/,
        call: /^(_?load\w*|_?save\w*|_legacy_\w+|persistent_\w+|_write\w*|write_\w+|read_\w+|_read\w*|__enter__|__exit__|finish|sync_\w*|_open_\w+|from_file|_new_shared|_write_file)$/,
        because: 'reads or writes a checkpoint',
      },
      {
        file: /^safetensors\//,
        call: /^(load\w*|save\w*|_tobytes|serialize\w*|get_\w+)$/,
        because: 'reads or writes a checkpoint',
      },
      {
        file: /^numpy\/(lib\/(_?npyio\w*|_?format\w*)|_?core\/(memmap|records))\.py$/,
        call: /^(load\w*|save\w*|read_\w+|write_\w+|fromfile|tofile|__new__|genfromtxt|_read\w*|__getitem__|open_memmap)$/,
        because: 'reads or writes a file of arrays',
      },
      {
        file: /^(pandas\/io\/.*|pyarrow\/(parquet\/\w+|feather|csv|ipc|dataset|json)|h5py\/_hl\/\w+|zarr\/.*|fsspec\/implementations\/local|tensorboard\/.*record_writer|datasets\/(load|table|arrow_reader|arrow_writer))\.py$/,
        call: /^(?!<module>|<lambda>)/,
        because: 'reads or writes a file',
      },
      {
        file: /^huggingface_hub\//,
        call: /^(_chmod\w*|_create_symlink|_copy_no_matter_what|try_to_load_from_cache|http_get)$/,
        because: 'reads or writes a cached file',
      },
    ],
  ),

  ...rowsOf(
    {
      class: 'kernel launch',
      says: 'decides',
      source: 'PyTorch 2.11 torch/nn, torch/optim: functions whose lines call operators',
    },
    [
      {
        file: /^torch\/nn\/(functional|init)\.py$/,
        call: /^(?!<module>)/,
        because: 'calls operators, which give the GPU kernels',
      },
      {
        file: /^torch\/nn\/modules\/(?!module\.py|container\.py|__init__\.py|lazy\.py|utils\.py)\w+\.py$/,
        call: /^(?!<module>|__init__|extra_repr)/,
        because: 'calls operators, which give the GPU kernels',
      },
      {
        file: /^torch\/optim\/\w+\.py$/,
        call: /^_(multi_tensor|single_tensor|fused|foreach)_\w+$/,
        because: 'calls operators, which give the GPU kernels',
      },
      {
        file: /^torch\/nn\/utils\/(clip_grad|parametrizations|rnn|parametrize)\.py$/,
        call: /^(?!<module>)/,
        because: 'calls operators, which give the GPU kernels',
      },
      {
        file: /^torch\/(functional|_refs\/.*|_decomp\/.*|_linalg_utils|nn\/attention\/.*|amp\/grad_scaler|_prims\/.*)\.py$/,
        call: /^(?!<module>|<genexpr>)/,
        because: 'calls operators, which give the GPU kernels',
      },
      {
        file: /^torch\/_tensor\.py$/,
        call: /^(?!<module>|backward|__hash__|__len__|__dir__|__reduce|__setstate__|_reduce|_typed_storage|register_\w+|is_shared|share_memory_|__torch_function__)/,
        because: 'calls operators, which give the GPU kernels',
      },
      { file: /^torch\/autograd\/__init__\.py$/, call: /^_make_grads$/, because: 'makes the first gradient' },
      { file: /^torch\/(_ops|library)\.py$/, call: /^(__call__|redispatch|decompose)$/, because: 'calls an operator' },
      {
        file: /^torch\/cuda\/(graphs|streams)\.py$/,
        call: /^(replay|record\w*|wait\w*|capture_\w+)$/,
        because: 'gives the GPU a graph or an event',
      },
      {
        file: /^(torch\/_inductor\/(runtime\/.*|output_code|cudagraph_trees|utils)|torchinductor\/generated)\.py$/,
        call: /^(?!<module>)/,
        because: 'runs code that torch.compile made',
      },
      {
        file: /^triton\/runtime\/(jit|autotuner|driver)\.py$|^triton\/backends\/.*driver\.py$/,
        call: /^(?!<module>)/,
        because: 'gives the GPU a Triton kernel',
      },
      {
        file: /^(transformers\/(models\/.*\/modeling_\w+|activations|integrations\/(sdpa|flash|flex)_\w+)|flash_attn\/.*|xformers\/ops\/.*|apex\/.*|transformer_engine\/.*|bitsandbytes\/(autograd|nn|functional|ops).*|megatron\/core\/(fusions|transformer|models|tensor_parallel)\/.*|vllm\/(model_executor|attention|_custom_ops|v1\/attention|v1\/sample).*|sglang\/srt\/(layers|models)\/.*|flashinfer\/(?!jit\/).*)\.py$/,
        call: /^(?!<module>|__init__)/,
        because: 'calls operators, which give the GPU kernels',
      },
      {
        file: /^(jax\/_src\/(pjit|dispatch|interpreters\/pxla)|tensorflow\/python\/eager\/\w+)\.py$/,
        call: /^(__call__|apply_primitive|_?python_pjit_helper|cache_miss|_pjit_call_impl\w*|quick_execute|call_function|call_flat|call_preflattened)$/,
        because: 'calls compiled code',
      },
    ],
  ),

  ...rowsOf({ class: 'Python', says: 'decides', source: 'PyTorch 2.11: functions whose lines call no operator' }, [
    { file: /^torch\/optim\/\w+\.py$/, call: any, because: "prepares the optimizer's step" },
    { file: /^torch\/nn\/modules\/(module|container|__init__|lazy|utils)\.py$/, call: any, because: 'calls modules' },
  ]),
];

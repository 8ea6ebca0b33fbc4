import { axolotl } from './axolotl.ts';
import { basicsr } from './basicsr.ts';
import { bigVision } from './big_vision.ts';
import { boosting } from './boosting.ts';
import { caffe } from './caffe.ts';
import { clu } from './clu.ts';
import { composer } from './composer.ts';
import { darknet } from './darknet.ts';
import { deepspeed } from './deepspeed.ts';
import { detectron2 } from './detectron2.ts';
import { detrStyle } from './detr_style.ts';
import { diffusion } from './diffusion.ts';
import { espnet } from './espnet.ts';
import { fairseq } from './fairseq.ts';
import { fairseq2 } from './fairseq2.ts';
import type { LogFormat } from './format.ts';
import { gptNeox } from './gpt_neox.ts';
import { hfTrainer } from './hf_trainer.ts';
import { icefall } from './icefall.ts';
import { keras } from './keras.ts';
import { levanter } from './levanter.ts';
import { liger } from './liger.ts';
import { lightning } from './lightning.ts';
import { litgpt } from './litgpt.ts';
import { llamaFactory } from './llama_factory.ts';
import { llmc } from './llmc.ts';
import { marian } from './marian.ts';
import { maxtext } from './maxtext.ts';
import { megatron } from './megatron.ts';
import { mindspore } from './mindspore.ts';
import { mlxLm } from './mlx_lm.ts';
import { mmengine } from './mmengine.ts';
import { moddedNanogpt } from './modded_nanogpt.ts';
import { msSwift } from './ms_swift.ts';
import { nanochat } from './nanochat.ts';
import { nanogpt } from './nanogpt.ts';
import { nanotron } from './nanotron.ts';
import { nemo } from './nemo.ts';
import { nemoAutomodel } from './nemo_automodel.ts';
import { olmoCore } from './olmo_core.ts';
import { openClip } from './open_clip.ts';
import { opennmt } from './opennmt.ts';
import { openrlhf } from './openrlhf.ts';
import { paddle } from './paddle.ts';
import { primeRl } from './prime_rl.ts';
import { pytorchExamples } from './pytorch_examples.ts';
import { returnn } from './returnn.ts';
import { sglang } from './sglang.ts';
import { slime } from './slime.ts';
import { specforge } from './specforge.ts';
import { speculators } from './speculators.ts';
import { speechbrain } from './speechbrain.ts';
import { stylegan } from './stylegan.ts';
import { tensorflow } from './tensorflow.ts';
import { timers } from './timers.ts';
import { timeseriesLib } from './timeseries_lib.ts';
import { timm } from './timm.ts';
import { torchspec } from './torchspec.ts';
import { torchtitan } from './torchtitan.ts';
import { torchtune } from './torchtune.ts';
import { trl } from './trl.ts';
import { ultralytics } from './ultralytics.ts';
import { unsloth } from './unsloth.ts';
import { verl } from './verl.ts';
import { vllm } from './vllm.ts';
import { xtuner } from './xtuner.ts';

/**
 * All formats that are known: a new one is a file and a line here. Where two tell a line for theirs, the first has it: what prints
 * transformers' dictionaries with keys of its own stands before transformers.
 */
export const logFormats: readonly LogFormat[] = [
  torchtitan,
  gptNeox,
  megatron,
  timers,
  deepspeed,
  msSwift,
  axolotl,
  liger,
  llamaFactory,
  slime,
  openrlhf,
  trl,
  hfTrainer,
  unsloth,
  nanotron,
  nemo,
  nemoAutomodel,
  lightning,
  verl,
  moddedNanogpt,
  nanogpt,
  nanochat,
  llmc,
  litgpt,
  torchtune,
  composer,
  olmoCore,
  maxtext,
  levanter,
  primeRl,
  torchspec,
  specforge,
  speculators,
  vllm,
  sglang,
  detectron2,
  mmengine,
  xtuner,
  bigVision,
  ultralytics,
  timm,
  openClip,
  pytorchExamples,
  detrStyle,
  diffusion,
  basicsr,
  stylegan,
  darknet,
  paddle,
  mindspore,
  keras,
  tensorflow,
  caffe,
  clu,
  fairseq,
  fairseq2,
  opennmt,
  marian,
  espnet,
  icefall,
  speechbrain,
  returnn,
  mlxLm,
  timeseriesLib,
  boosting,
];

import { numberPattern, readDuration, readNumber, toSeconds } from './numbers.ts';

/** A progress bar as tqdm draws it. */
export interface Bar {
  readonly description: string;
  readonly done: number;
  readonly total?: number;
  readonly secondsPerItem?: number;
  readonly etaSeconds?: number;
  /** What the bar shows after its rate: `loss=2.81, lr=0.0001`. */
  readonly postfix: string;
  /** Text that follows the bar on its line: a bar has no line end of its own. */
  readonly rest: string;
}

/** tqdm 4: `DESC:  25%|██▌  | 4/16 [00:31<01:34,  7.88s/it, loss=0.0123]`; without a colour-less bar where it has no room. */
const pattern = new RegExp(
  String.raw`^(.*?)(\d{1,3})%(?:\|[^|]*\||\s)\s*(${numberPattern})\/(${numberPattern}) \[([^<\]]*)<([^,\]]*),\s*([^,\]]*)(?:, ([^\]]*))?\]`,
);

/** The bar at the beginning of a line, if it holds one. */
export function readBar(text: string): Bar | undefined {
  if (!text.includes('%') || !text.includes('<')) return undefined;
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [whole, description = '', , done, total, , eta = '', rate = '', postfix = ''] = match;
  const secondsPerItem = readRate(rate.trim());
  const etaSeconds = readDuration(eta);
  return {
    description: description.replace(/^#015/, '').replace(/:\s*$/, '').trim(),
    done: readNumber(done),
    total: readNumber(total),
    ...(secondsPerItem !== undefined && { secondsPerItem }),
    ...(etaSeconds !== undefined && { etaSeconds }),
    postfix,
    rest: text.slice(whole.length),
  };
}

/** The bar of the training loop, going by its words: `Epoch 0` counts within an epoch, `Map` and `Validation` are others. */
export function isStepBar(bar: Bar): boolean {
  return /^(?:|train|training|training progress|steps?|train steps?|train loop)$/i.test(
    bar.description.replace(/^[#\s]+/, ''),
  );
}

const rateForm = new RegExp(`^(${numberPattern})\\s?([kMG](?=it/))?(\\w+)/(\\w+)$`);

/** `3.34s/it`, `27.7it/s`, `33.1step/s`; the first frame's `?it/s` is no rate. */
function readRate(text: string): number | undefined {
  const match = rateForm.exec(text);
  if (!match) return undefined;
  const [, amount = '', power = '', unit, per] = match;
  const value = readNumber(amount + power);
  if (per === 's') return value > 0 ? 1 / value : undefined;
  return toSeconds(value, unit);
}

import { remember } from './remember.ts';
import { lookup } from '../lookup.ts';

/** What a unit measures, and how much of the base it is: seconds, bytes, 10^12 operations a second, things a second, percent. */
export interface Unit {
  readonly of:
    | 'time'
    | 'steptime'
    | 'tokens'
    | 'samples'
    | 'steps'
    | 'bytes'
    | 'flops'
    | 'percent'
    | 'speed'
    | 'count'
    | 'persecond';
  readonly factor: number;
  /** Powers of ten, where the factor is one: digits are kept. */
  readonly power?: number;
  /** Of one GPU, or of all together, where the unit says so. */
  readonly scope?: 'gpu' | 'global';
  /** What is counted: `steps`, `epochs`. */
  readonly counts?: 'step' | 'epoch';
  readonly thing?: 'tokens' | 'samples';
}

const times = lookup<readonly [power: number, times?: number]>({
  ns: [-9], us: [-6], µs: [-6], μs: [-6], usec: [-6], ms: [-3], msec: [-3], msecs: [-3], millisecond: [-3], milliseconds: [-3],
  毫秒: [-3], ミリ秒: [-3], 밀리초: [-3], мс: [-3], s: [0], sec: [0], secs: [0], second: [0], seconds: [0], sek: [0],
  sekunden: [0], secondes: [0], segundos: [0], seg: [0], secondi: [0], 秒: [0], 초: [0], с: [0], сек: [0], min: [0, 60],
  mins: [0, 60], minute: [0, 60], minutes: [0, 60], minuten: [0, 60], minutos: [0, 60], 分: [0, 60], 分钟: [0, 60], 分鐘: [0, 60],
  분: [0, 60], мин: [0, 60], h: [0, 3600], hr: [0, 3600], hrs: [0, 3600], hour: [0, 3600], hours: [0, 3600], std: [0, 3600],
  stunden: [0, 3600], heures: [0, 3600], horas: [0, 3600], 小时: [0, 3600], 小時: [0, 3600], 時間: [0, 3600], 시간: [0, 3600],
  ч: [0, 3600], час: [0, 3600], d: [0, 86_400], day: [0, 86_400], days: [0, 86_400], tage: [0, 86_400], jours: [0, 86_400],
  días: [0, 86_400], 天: [0, 86_400], 日: [0, 86_400], 일: [0, 86_400], дн: [0, 86_400],
}); // prettier-ignore

const things = lookup<'tokens' | 'samples' | 'steps'>(
  Object.fromEntries([
    ...names(
      'tokens',
      'tok toks token tokens tks tk word words 令牌 词元 詞元 词 トークン 토큰 jetons токен токенов токены ток',
    ),
    ...names(
      'samples',
      'sample samples smp sps seq seqs sequence sequences img imgs image images example examples ex sent sentence',
    ),
    ...names(
      'samples',
      'sentences clip clips video videos row rows item items record records doc docs document documents instance',
    ),
    ...names(
      'samples',
      'instances utt utts utterances 样本 樣本 サンプル 샘플 张 张图 图片 图像 条 枚 件 장 이미지 бильд proben bilder beispiele',
    ),
    ...names(
      'samples',
      'échantillons échantillon exemples muestras muestra ejemplos imágenes imagenes imagens imagem amostras amostra exemplos immagini campioni',
    ),
    ...names(
      'samples',
      'esempi примеров образцов изображений картинок кадров зразків зображень obrazów próbek przykładów afbeeldingen beelden voorbeelden',
    ),
    ...names('samples', 'örnek görüntü ảnh mẫu vzorků obrázků bilds exempel pairs graphs volumes crops'),
    ...names(
      'steps',
      'it its iter iters iteration iterations step steps batch batches update updates upd upds opt 步 迭代 ステップ 스텝 schritt',
    ),
    ...names('steps', 'schritte étape étapes pas paso pasos шаг шага шагов ит итерация итераций passo passos passi'),
    ...names(
      'steps',
      'itérations iteraciones iterações iterazioni iterationen stap stappen krok kroków kroki adım bước крок кроків steg',
    ),
  ]),
);

const bytes = lookup<number>({
  b: 1, byte: 1, bytes: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40,
  гб: 1e9, мб: 1e6, go: 1e9, mo: 1e6, ko: 1e3, to: 1e12, kio: 2 ** 10, mio: 2 ** 20, gio: 2 ** 30, tio: 2 ** 40, гиб: 2 ** 30, миб: 2 ** 20, тб: 1e12,
}); // prettier-ignore

const flops = /^([kmgtpe]?)flops?$/;
const devices = new Set('gpu gpus device dev chip card rank tpu npu accelerator devices 卡'.split(' '));
const alls = new Set('global total cluster all'.split(' '));

/** The unit that a text names: `tok/s/GPU`, `ms/step`, `GiB`, `tokens per second`; undefined: none that is known. */
export const unitOf = remember(findUnit);

function findUnit(text: string): Unit | undefined {
  if (text === '%' || text === '％') return { of: 'percent', factor: 1 };
  if (text === '/s' || text === '/sec') return { of: 'persecond', factor: 1, power: 0 };
  // `2.31 D(x)`, `3 S`: names.
  if (text.length === 1 && !/[sh秒分時日天초분일步轮輪с]/.test(text)) return undefined;
  const epoch = /^(?:轮|輪|轮次|エポック|에폭|epochs?|epochen?|époques?|épocas?|эпох[аи]?)$/i.test(text);
  if (epoch) return { of: 'count', factor: 1, counts: 'epoch' };
  // Bits are none of what is read here.
  if (/^[KMGT]b(?:\/|$|ps$)/.test(text)) return undefined;
  const plain = text.replace(/^[个個]/, '');
  const lower = plain.toLowerCase().replace(/ ?(?:\bper\b|\bpro\b|\bpar\b|\bpor\b|\bв\b|每) ?/g, '/');
  const parts = lower.split('/').map((part) => part.trim());
  const [first = '', ...rest] = parts;
  const last = rest.map((part) => part.replace(/\.$/, ''));
  const scope = last.some((part) => devices.has(part))
    ? 'gpu'
    : last.some((part) => alls.has(part))
      ? 'global'
      : undefined;
  const per = last.filter((part) => !devices.has(part) && !alls.has(part));
  const scoped = scope ? ({ scope } as const) : {};
  if (per.length > 1) return undefined;
  const per1 = per[0] === undefined ? undefined : times[per[0]];
  const isFlops = flops.exec(first);
  if (isFlops && (per.length === 0 || per1)) {
    const power = 3 * ' kmgtpe'.indexOf(isFlops[1] || ' ') - 12;
    return { of: 'flops', factor: 10 ** power, power, ...scoped };
  }
  const packed = /^(tok|t|w|tg)ps$/.exec(first);
  if (packed && per.length === 0) return { of: 'tokens', factor: 1, power: 0, ...scoped };
  const time = times[first];
  if (time) {
    const [power, count = 1] = time;
    const base = { factor: count * 10 ** power, ...(count === 1 && { power }) };
    if (per.length === 0) return text === 'd' || text === 'B' ? undefined : { of: 'time', ...base };
    return things[per[0] ?? ''] === 'steps' ? { of: 'steptime', ...base } : undefined;
  }
  const byte = bytes[first];
  if (byte !== undefined && first !== 'b') return { of: per1 ? 'speed' : 'bytes', factor: byte };
  const { thing, power } = thingOf(first);
  if (!thing) return undefined;
  if (per.length === 0) {
    if (thing === 'steps' && power === 0)
      return { of: 'count', factor: 1, ...(!/^b|^u|^opt/.test(first) && { counts: 'step' }) };
    return { of: 'count', factor: 10 ** power, power, ...(thing !== 'steps' && { thing }) };
  }
  if (!per1 || per1[0] !== 0) return undefined;
  const seconds = per1[1] ?? 1;
  return { of: thing, factor: 10 ** power / seconds, ...(seconds === 1 && { power }), ...scoped };
}

/** `ktok`, `Mit` (tqdm's unit_scale). */
function thingOf(word: string): { thing?: 'tokens' | 'samples' | 'steps'; power: number } {
  const plain = things[word];
  if (plain) return { thing: plain, power: 0 };
  const at = 'kmg'.indexOf(word.charAt(0));
  const inner = at >= 0 ? things[word.slice(1)] : undefined;
  return inner ? { thing: inner, power: 3 * (at + 1) } : { power: 0 };
}

function names(what: 'tokens' | 'samples' | 'steps', words: string): readonly (readonly [string, typeof what])[] {
  return words.split(' ').map((word) => [word, what] as const);
}

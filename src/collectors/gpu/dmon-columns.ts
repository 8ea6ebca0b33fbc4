import type { GpusSample } from '../../model/samples.ts';

/** What a column of `nvidia-smi dmon` is. */
export interface DmonMeaning {
  readonly name: keyof GpusSample;
  /** To our unit. */
  readonly factor: number;
  /** One of the GPU's own counters (`--gpm-metrics`). */
  readonly isGpm: boolean;
}

/** The cells of a line of dmon; a header has `#` for its first. `--format csv` has commas in the place of the gaps. */
export function splitDmonLine(text: string): readonly string[] {
  return text.replace(/^#/, '# ').replace(/,/g, ' ').trim().split(/\s+/);
}

/** What a column is, by its name in the header that begins with `# gpu`; undefined for one of which nothing is made. */
export function meaningOfDmon(column: string): DmonMeaning | undefined {
  if (Object.hasOwn(gpm, column)) return { ...gpm[column]!, isGpm: true };
  return Object.hasOwn(others, column) ? { ...others[column]!, isGpm: false } : undefined;
}

/** A cell in our unit; `-`: not known in this round. */
export function readDmonCell(cell: string | undefined, factor: number): number | null {
  return cell !== undefined && /^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) * factor : null;
}

type Meanings = Readonly<Record<string, Omit<DmonMeaning, 'isGpm'>>>;

const mebibyte = 1024 * 1024;

/** Columns of dmon 550 to 580. Its MB are MiB: fb is memory.used to the digit. */
const others: Meanings = {
  pwr: { name: 'powerWatts', factor: 1 },
  gtemp: { name: 'temperatureCelsius', factor: 1 },
  mtemp: { name: 'memoryTemperatureCelsius', factor: 1 },
  sm: { name: 'utilizationPercent', factor: 1 },
  mem: { name: 'memoryUtilizationPercent', factor: 1 },
  mclk: { name: 'memoryClockMhz', factor: 1 },
  pclk: { name: 'smClockMhz', factor: 1 },
  fb: { name: 'memoryUsedBytes', factor: mebibyte },
  rxpci: { name: 'pcieRxBytesPerSecond', factor: mebibyte },
  txpci: { name: 'pcieTxBytesPerSecond', factor: mebibyte },
};

const gpm: Meanings = {
  gract: { name: 'graphicsActivePercent', factor: 1 },
  smutil: { name: 'smActivePercent', factor: 1 },
  smocc: { name: 'smOccupancyPercent', factor: 1 },
  mmaact: { name: 'tensorActivePercent', factor: 1 },
  dfmat: { name: 'tensorDoubleActivePercent', factor: 1 },
  hmmat: { name: 'tensorHalfActivePercent', factor: 1 },
  dram: { name: 'dramActivePercent', factor: 1 },
  pcitx: { name: 'pcieTxBytesPerSecond', factor: mebibyte },
  pcirx: { name: 'pcieRxBytesPerSecond', factor: mebibyte },
  nvlrx: { name: 'nvlinkRxBytesPerSecond', factor: mebibyte },
  nvltx: { name: 'nvlinkTxBytesPerSecond', factor: mebibyte },
};

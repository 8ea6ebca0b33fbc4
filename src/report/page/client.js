// The script of a report's page: it draws the charts over one axis of time. What it reads is in the page; it asks for nothing.
(() => {
  /** @typedef {import('../document.ts').Charts} Charts */
  /** @typedef {import('../document.ts').Chart} Chart */
  /** @typedef {import('uplot')} Plot */

  const root = document.documentElement;
  const data = /** @type {Charts} */ (JSON.parse(document.getElementById('data')?.textContent ?? '{}'));
  const times = /** @type {number[]} */ (data.times);
  const offset = data.zoneMinutes * 60;
  const half = times.length > 1 ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0.5;
  const whole = { min: (times[0] ?? 0) - half, max: (times.at(-1) ?? 1) + half };
  /** @type {Plot[]} */
  const plots = [];

  // Apart for who does not see some colours; beyond the fourth a dash tells too.
  const palettes = {
    light: ['#0067a8', '#c84c00', '#007f5f', '#a3457c', '#9a7400', '#2f8fce', '#5f6469', '#5a3fa0'],
    dark: ['#5db7f0', '#ff8f47', '#35cfa4', '#ea9dc9', '#eec64f', '#a5d8ff', '#b4b9be', '#b9a5ff'],
  };
  const dashes = [[], [], [], [], [7, 3], [7, 3], [2, 2], [2, 2]];

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset['theme'] ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  /** @param {string} name */
  const tone = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
  /** @param {number} i */
  const colour = (i) => palettes[isDark() ? 'dark' : 'light'][i % 8] ?? '#888';

  /** @param {number | null | undefined} value @param {string} unit */
  function figure(value, unit) {
    if (value === null || value === undefined) return '–';
    const size = Math.abs(value);
    const [scale, prefix] = unit !== '' && size >= 1e6 ? [1e6, 'M'] : unit !== '' && size >= 1e4 ? [1e3, 'K'] : [1, ''];
    return `${Number((value / scale).toPrecision(size > 0 && size < 1e-3 ? 2 : 4))}${prefix}`;
  }

  /** `03:12`, at midnight the day, below a minute with seconds. @param {number} time @param {number} step */
  function clock(time, step) {
    const iso = new Date((time + offset) * 1000).toISOString();
    if (step >= 60 && iso.slice(11, 16) === '00:00') return iso.slice(5, 10);
    return step < 60 ? iso.slice(11, 19) : iso.slice(11, 16);
  }

  /** @param {number} min @param {number} max */
  function show(min, max) {
    const span = Math.min(whole.max - whole.min, Math.max(4 * half, max - min));
    const from = Math.min(whole.max - span, Math.max(whole.min, min));
    for (const plot of plots) plot.setScale('x', { min: from, max: from + span });
    moveStrip(from, from + span);
  }

  /** @param {number} min @param {number} max */
  function moveStrip(min, max) {
    const strip = document.getElementById('strip');
    if (!strip) return;
    for (const part of strip.querySelectorAll('g')) {
      const from = Math.max(min, Number(part.dataset['from']));
      const to = Math.min(max, Number(part.dataset['to']));
      const width = (100 * (to - from)) / (max - min);
      part.style.display = width > 0 ? '' : 'none';
      const [rect, text] = [part.querySelector('rect'), part.querySelector('text')];
      const left = (100 * (from - min)) / (max - min);
      rect?.setAttribute('x', `${left}%`);
      rect?.setAttribute('width', `${Math.max(0.1, width)}%`);
      text?.setAttribute('x', `${left + width / 2}%`);
      text?.setAttribute('class', width > 2 ? '' : 'narrow');
    }
  }

  /** @type {Readonly<Record<string, () => void>>} */
  const moves = {
    in: () => by(0.5, 0),
    out: () => by(2, 0),
    back: () => by(1, -0.4),
    on: () => by(1, 0.4),
    all: () => show(whole.min, whole.max),
  };

  /** @param {number} factor @param {number} shift */
  function by(factor, shift) {
    const { min = whole.min, max = whole.max } = plots[0]?.scales['x'] ?? {};
    const middle = (min + max) / 2 + shift * (max - min);
    const reach = (factor * (max - min)) / 2;
    show(middle - reach, middle + reach);
  }

  /** @param {Plot} plot */
  function drawMarks(plot) {
    const { ctx, bbox } = plot;
    const { min = 0, max = 0 } = plot.scales['x'] ?? {};
    ctx.save();
    for (const { at, tone: of } of data.marks) {
      if (at < min || at > max) continue;
      const x = Math.round(plot.valToPos(at, 'x', true)) + 0.5;
      ctx.strokeStyle = ctx.fillStyle = of === 'bad' ? tone('bad') : tone('dim');
      ctx.globalAlpha = of === 'bad' ? 0.9 : 0.35;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash(of === 'bad' ? [] : [2, 4]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (of !== 'bad') continue;
      const size = 4 * devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(x - size, bbox.top);
      ctx.lineTo(x + size, bbox.top);
      ctx.lineTo(x, bbox.top + 1.5 * size);
      ctx.fill();
    }
    ctx.restore();
  }

  /** What happened near to where the pointer is. @param {Plot} plot @param {HTMLElement} place */
  function tellMark(plot, place) {
    const { left = -1 } = plot.cursor;
    let nearest = '';
    let best = 8;
    for (const { at, label } of left < 0 ? [] : data.marks) {
      const away = Math.abs(plot.valToPos(at, 'x') - left);
      if (away <= best) [best, nearest] = [away, label];
    }
    place.textContent = nearest;
  }

  /** @param {Chart} chart @param {HTMLElement} place */
  function draw(chart, place) {
    const told = document.createElement('div');
    told.className = 'mark';
    /** @type {import('uplot').Series[]} */
    const series = [{ label: 'at', value: (_, time) => (time === null ? '–' : clock(time, 1)) }];
    /** @type {(readonly (number | null)[])[]} */
    const rows = [times];
    /** @type {import('uplot').Band[]} */
    const bands = [];
    chart.curves.forEach(({ label, values, low, high }, i) => {
      const width = chart.curves.length > 2 ? 1.1 : 1.5;
      series.push({
        ...{ label, width, stroke: () => colour(i), dash: dashes[i % 8] ?? [], spanGaps: false },
        points: { show: times.length < 40 },
        value: (_, value) => figure(value, chart.unit),
      });
      rows.push(values);
      if (!low || !high) return;
      const edge = { class: 'band', width: 0, stroke: 'transparent', points: { show: false } };
      series.push({ ...edge, label: `${label}, highest` }, { ...edge, label: `${label}, lowest` });
      rows.push(high, low);
      bands.push({ series: [series.length - 2, series.length - 1], fill: () => `${colour(i)}2e` });
    });
    const axis = { stroke: () => tone('dim'), font: '11px system-ui, sans-serif' };
    const lines = { stroke: () => tone('line'), width: 1 };
    const plot = new uPlot(
      {
        ...{ width: Math.max(240, place.clientWidth), height: 150, series, bands, padding: [6, 20, 0, 0] },
        tzDate: (time) => uPlot.tzDate(new Date((time + offset) * 1000), 'UTC'),
        scales: {
          x: { time: true, min: whole.min, max: whole.max },
          y: {
            distr: chart.log ? 3 : 1,
            ...(chart.range && { range: [chart.range[0], chart.range[1]] }),
            ...(!chart.range && !chart.log && { range: (_, min, max) => reach(min, max) }),
          },
        },
        axes: [
          {
            ...{ ...axis, grid: lines, ticks: lines, size: 30, space: 64 },
            values: (_, splits, __, ___, step) => splits.map((time) => clock(time, step)),
          },
          {
            ...{ ...axis, grid: lines, ticks: lines, size: 58 },
            values: (_, splits) => splits.map((value) => (value === null ? '' : figure(value, chart.unit))),
          },
        ],
        cursor: {
          sync: { key: 'time', setSeries: false, scales: ['x', null] },
          drag: { x: true, y: false, setScale: false },
          points: { size: 5 },
          bind: {
            dblclick: () => () => {
              moves['all']?.();
              return null;
            },
          },
        },
        hooks: {
          draw: [drawMarks],
          setCursor: [(each) => tellMark(each, told)],
          setSelect: [
            (each) => {
              const { left, width } = each.select;
              if (width < 3) return;
              const from = each.posToVal(left, 'x');
              const to = each.posToVal(left + width, 'x');
              each.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
              show(from, to);
            },
          ],
        },
      },
      /** @type {import('uplot').AlignedData} */ (/** @type {unknown} */ (rows)),
      place,
    );
    place.append(told);
    plots.push(plot);
    listen(plot, place);
    new ResizeObserver(() => plot.setSize({ width: Math.max(240, place.clientWidth), height: 150 })).observe(place);
  }

  /** What hardly varies is not drawn as if it did. @param {number | null} min @param {number | null} max @returns {[number, number]} */
  function reach(min, max) {
    if (min === null || max === null) return [0, 1];
    const room = Math.max(max - min, Math.abs(max) * 0.1, 1e-9) * 0.08;
    const low = min >= 0 && min < 0.6 * max ? 0 : min - room;
    return [low, max + room];
  }

  /** Keys, and a finger that pans. @param {Plot} plot @param {HTMLElement} place */
  function listen(plot, place) {
    /** @type {Readonly<Record<string, string>>} */
    const keys = { '+': 'in', '=': 'in', '-': 'out', 0: 'all', Escape: 'all', ArrowLeft: 'back', ArrowRight: 'on' };
    place.addEventListener('keydown', (event) => {
      const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[keys[event.key] ?? ''];
      if (!move) return;
      event.preventDefault();
      move();
    });
    let last = 0;
    plot.over.addEventListener('touchstart', ({ touches }) => void (last = touches[0]?.clientX ?? 0), {
      passive: true,
    });
    plot.over.addEventListener(
      'touchmove',
      ({ touches }) => {
        const touch = touches[0];
        if (!touch) return;
        by(1, (last - touch.clientX) / plot.over.clientWidth);
        last = touch.clientX;
      },
      { passive: true },
    );
  }

  for (const chart of data.charts) {
    const place = document.querySelector(`[data-chart="${CSS.escape(chart.name)}"]`);
    if (place instanceof HTMLElement) draw(chart, place);
  }
  for (const button of document.querySelectorAll('[data-do]'))
    button.addEventListener('click', () => moves[button.getAttribute('data-do') ?? '']?.());
  document.getElementById('tools')?.removeAttribute('hidden');
  moveStrip(whole.min, whole.max);

  const redraw = () => plots.forEach((plot) => plot.redraw(false, true));
  const toggle = document.getElementById('theme');
  toggle?.removeAttribute('hidden');
  toggle?.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    redraw();
  });
  dark.addEventListener('change', redraw);
})();

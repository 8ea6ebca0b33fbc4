import { createHash } from 'node:crypto';
import uplotLicence from 'uplot/LICENSE?raw';
import uplotCss from 'uplot/dist/uPlot.min.css?raw';
import uplot from 'uplot/dist/uPlot.iife.min.js?raw';
import type { Bar, Block, Chart, Document, Figure, Row, Section, Strip, Tone } from './document.ts';
import client from './page/client.js?raw';
import css from './page/style.css?raw';

/**
 * The report as one page that asks for nothing: styles, script and data are in it, and its policy lets nothing else in. All text is
 * escaped; attributes hold only what is made here. Without its script everything but the charts is there.
 */
export function reportHtml(document: Document): string {
  const style = `${uplotCss}\n${css}`;
  const scripts = [uplot, client].map((text) => text.replaceAll('</script', '<\\/script'));
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src ${scripts.map((text) => `'${hashOf(text)}'`).join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(document.title)} · traintop</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<div>
<h1>${escaped(document.title)}</h1>
<p class="about">${escaped(document.about)}</p>
</div>
<button type="button" id="theme" hidden>Dark or light</button>
</header>
<nav aria-label="Sections">${document.sections.map(({ id, title }) => `<a href="#${id}">${escaped(title)}</a>`).join(' ')}</nav>
<main>
${document.sections.map((section) => sectionHtml(section, document)).join('\n')}
</main>
<footer>${escaped(document.foot)}</footer>
<script type="application/json" id="data">${json(document.charts)}</script>
<!-- uPlot 1.6.32
${uplotLicence.replaceAll('--', '- -')}-->
${scripts.map((text) => `<script>${text}</script>`).join('\n')}
</body>
</html>
`;
}

function sectionHtml({ id, title, blocks }: Section, document: Document): string {
  return `<section id="${id}">\n<h2>${escaped(title)}</h2>\n${blocks.map((block) => blockHtml(block, document)).join('\n')}\n</section>`;
}

function blockHtml(block: Block, document: Document): string {
  switch (block.is) {
    case 'lead':
    case 'text':
    case 'note':
      return `<p class="${block.is}">${escaped(block.text)}</p>`;
    case 'figures':
      return `<dl class="figures">${block.figures.map(figureHtml).join('')}</dl>`;
    case 'table':
      return tableHtml(block.head, block.rows);
    case 'bars':
      return `<div class="scroll"><table class="bars">${block.bars.map(barHtml).join('')}</table></div>`;
    case 'strip':
      return stripHtml(block);
    case 'charts':
      return chartsHtml(document.charts.charts.filter(({ name }) => block.names.includes(name)));
    case 'lines':
      return `<pre tabindex="0">${block.lines.map(escaped).join('\n')}</pre>`;
    case 'more':
      return `<details><summary>${escaped(block.title)}</summary>${block.blocks.map((each) => blockHtml(each, document)).join('\n')}</details>`;
  }
}

function figureHtml({ label, value, note }: Figure): string {
  const small = note === undefined ? '' : `<dd class="note">${escaped(note)}</dd>`;
  return `<div><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>${small}</div>`;
}

function tableHtml(head: readonly string[], rows: readonly Row[]): string {
  const isNumber = head.map((_, i) => rows.every((row) => /^(?:[<+-]? ?\d[^:]*$|–|the same$|$)/.test(row[i] ?? '')));
  const cell = (tag: 'th' | 'td', text: string, i: number) =>
    `<${tag}${tag === 'th' ? ' scope="col"' : ''}${isNumber[i] ? ' class="number"' : ''}>${escaped(text)}</${tag}>`;
  const line = (tag: 'th' | 'td', cells: readonly string[]) =>
    `<tr>${cells.map((text, i) => cell(tag, text, i)).join('')}</tr>`;
  return `<div class="scroll" tabindex="0"><table><thead>${line('th', head)}</thead><tbody>${rows.map((row) => line('td', row)).join('')}</tbody></table></div>`;
}

function barHtml({ label, share, text, tone }: Bar): string {
  const width = Math.max(share > 0 ? 0.4 : 0, share * 100).toFixed(2);
  const rect = (of: string) => `<rect class="${of}" width="${width}%" height="100%"/>`;
  return `<tr><th scope="row">${escaped(label)}</th><td><svg class="bar" aria-hidden="true">${rect(`tone ${tone}`)}</svg></td><td>${escaped(text)}</td></tr>`;
}

const stripHeight = 30;
/** What is wrong stands out without colour, however narrow it is. */
const stripHeights: Readonly<Record<Tone, number>> = { bad: 30, good: 20, pause: 12, unsure: 5 };

/** Its parts are percentages, so that letters keep their shape; the script moves them when the charts are zoomed. */
function stripHtml({ from, to, parts }: Strip): string {
  const share = (time: number) => `${((100 * (time - from)) / (to - from || 1)).toFixed(3)}%`;
  const shapes = parts.map((part) => {
    const width = (100 * (part.to - part.from)) / (to - from || 1);
    const letter = `<text class="${width > 2 ? '' : 'narrow'}" x="${share((part.from + part.to) / 2)}" y="${stripHeight - 6}">${escaped(part.letter)}</text>`;
    const height = stripHeights[part.tone];
    return `<g data-from="${part.from / 1000}" data-to="${part.to / 1000}"><title>${escaped(part.label)}</title><rect class="tone ${part.tone}" x="${share(part.from)}" y="${stripHeight - height}" width="${Math.max(0.1, width).toFixed(3)}%" height="${height}"/>${letter}</g>`;
  });
  const known = new Map(parts.map(({ letter, label, tone }) => [letter, { name: label.replace(/ \(.*/, ''), tone }]));
  const legend = [...known].map(
    ([letter, { name, tone }]) => `<li><b class="key ${tone}">${escaped(letter)}</b> ${escaped(name)}</li>`,
  );
  return `<figure class="verdicts"><svg id="strip" data-from="${from / 1000}" data-to="${to / 1000}" role="img" aria-label="Which verdict stood first when">${shapes.join('')}</svg><figcaption><ul>${legend.join('')}</ul>High: something is wrong. Low: a pause, or not known.</figcaption></figure>`;
}

function chartsHtml(charts: readonly Chart[]): string {
  if (charts.length === 0) return '<p class="note">There is no curve to draw.</p>';
  const places = charts.map(
    ({ name, title, unit, log }) =>
      `<figure class="chart"><figcaption>${escaped(title)}${unit === '' ? '' : ` <span>${escaped(unit)}</span>`}${log ? ' <span>logarithmic</span>' : ''}</figcaption><div data-chart="${escaped(name)}" tabindex="0" role="img" aria-label="${escaped(`${title} over time`)}"></div></figure>`,
  );
  return `<noscript><p class="note">The charts need the script of this page; all figures and tables are here without it.</p></noscript>
<div id="tools" hidden><button type="button" data-do="in">Zoom in</button><button type="button" data-do="out">Zoom out</button><button type="button" data-do="back">Earlier</button><button type="button" data-do="on">Later</button><button type="button" data-do="all">All</button> <span class="note">Drag to zoom, double click for all; with the keyboard + - 0 and the arrows.</span></div>
<div id="charts">${places.join('\n')}</div>`;
}

/** For the script of the page. Nothing in it ends its element. */
function json(value: Document['charts']): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

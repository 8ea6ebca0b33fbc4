import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Document } from '../../src/report/document.ts';
import { reportHtml } from '../../src/report/html.ts';
import { chromiumTool, openChromium, type Page } from '../support/chromium.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { describeWith } from '../support/requires.ts';
import { madeDocument } from './made-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-page-'));

describeWith([chromiumTool], 'the page of a report in a browser', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openChromium();
    await show(madeDocument);
  });
  afterAll(async () => {
    await page.close();
    removeFolder(folder);
  });

  async function show(document: Document, script: 'with' | 'without' = 'with') {
    const path = join(folder, 'night.html');
    writeFileSync(path, reportHtml(document));
    await page.send('Emulation.setDeviceMetricsOverride', {
      width: 1600,
      height: 1000,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await page.open(pathToFileURL(path).href);
    if (script === 'with') await drawn();
  }

  /** uPlot draws when the browser next does. */
  const drawn = () =>
    page.ask('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))');

  /** Pixels of each chart that are not left blank. */
  const inked = () =>
    page.ask<number[]>(`[...document.querySelectorAll('#charts canvas')].map((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0 ? 1 : 0), 0);
    })`);
  const looks = () =>
    page.ask<string[]>(`[...document.querySelectorAll('#charts canvas')].map((canvas) => canvas.toDataURL())`);

  async function resize(width: number) {
    await page.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await drawn();
    await drawn();
  }

  /** Where the plot of the first chart is. */
  const over = () =>
    page.ask<{ x: number; y: number; width: number; height: number }>(
      `(() => { const over = document.querySelector('.u-over'); over.scrollIntoView({ block: 'center' }); const { x, y, width, height } = over.getBoundingClientRect(); return { x, y, width, height }; })()`,
    );
  const mouse = (type: string, x: number, y: number, clickCount = 1) =>
    page.send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      button: type === 'mouseMoved' ? 'none' : 'left',
      buttons: type === 'mousePressed' ? 1 : 0,
      clickCount,
    });

  test('asks for nothing, complains of nothing and draws every chart', async () => {
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
    const pixels = await inked();
    expect(pixels).toHaveLength(madeDocument.charts.charts.length);
    for (const count of pixels) expect(count).toBeGreaterThan(2000);
  });

  test('what the host wrote is text', async () => {
    expect(await page.ask('document.querySelectorAll("img, iframe, b.evil").length')).toBe(0);
    expect(await page.ask('globalThis.evil')).toBeUndefined();
    expect(await page.ask('document.body.innerText.includes("<img src=x onerror=globalThis.evil=1>")')).toBe(true);
  });

  test('a drag zooms all charts and the verdicts, a double click shows all again', async () => {
    const before = await looks();
    const strip = () =>
      page.ask<string>(
        '[...document.querySelectorAll("#strip rect")].map((each) => each.getAttribute("width")).join()',
      );
    const stripBefore = await strip();
    const { x, y, width, height } = await over();
    const middle = y + height / 2;
    await mouse('mouseMoved', x + width * 0.3, middle);
    await mouse('mousePressed', x + width * 0.3, middle);
    for (const share of [0.35, 0.45, 0.5])
      await page.send('Input.dispatchMouseEvent', {
        type: 'mouseMoved',
        x: x + width * share,
        y: middle,
        button: 'left',
        buttons: 1,
      });
    await mouse('mouseReleased', x + width * 0.5, middle);
    await drawn();
    const zoomed = await looks();
    for (const [i, look] of zoomed.entries()) expect(look).not.toBe(before[i]);
    expect(await strip()).not.toBe(stripBefore);
    for (const count of [1, 2]) {
      await mouse('mousePressed', x + width / 2, middle, count);
      await mouse('mouseReleased', x + width / 2, middle, count);
    }
    await drawn();
    expect(await strip()).toBe(stripBefore);
    expect(await looks()).toEqual(before);
  });

  test('keys zoom too, and the legends of all charts tell of the time below the pointer', async () => {
    const before = await looks();
    await page.ask('document.querySelector("[data-chart]").focus()');
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '+', text: '+' });
    await drawn();
    expect(await looks()).not.toEqual(before);
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '0', text: '0' });
    await drawn();
    expect(await looks()).toEqual(before);
    const { x, y, width, height } = await over();
    await mouse('mouseMoved', x + width * 0.25, y + height / 2);
    await drawn();
    const told = await page.ask<string[]>(
      '[...document.querySelectorAll(".u-legend tr:nth-child(2) .u-value")].map((each) => each.textContent)',
    );
    expect(told).toHaveLength(madeDocument.charts.charts.length);
    for (const text of told) expect(text).toMatch(/^\d/);
  });

  test.each([400, 1600])('at %i px the page does not scroll sideways, and no text is cut', async (width) => {
    await resize(width);
    expect(await page.ask('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    for (const box of await page.ask<number[]>(
      '[...document.querySelectorAll("p, h1, h2, dd, .uplot, #strip")].map((each) => each.getBoundingClientRect().right)',
    ))
      expect(box).toBeLessThanOrEqual(width + 1);
    await look(`${width}`);
    await resize(1600);
  });

  test('it is light or dark as the system is, and as the button says', async () => {
    const back = () => page.ask<string>('getComputedStyle(document.documentElement).backgroundColor');
    const features = (value: string) =>
      page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    await features('light');
    const light = await back();
    await features('dark');
    await drawn();
    const dark = await back();
    expect(dark).not.toBe(light);
    await look('dark');
    await page.ask('document.getElementById("theme").click()');
    await drawn();
    expect(await back()).toBe(light);
    expect(page.complaints).toEqual([]);
  });

  test('without its script everything but the charts is there', async () => {
    await page.send('Emulation.setScriptExecutionDisabled', { value: true });
    await show(madeDocument, 'without');
    const text = await page.ask<string>('document.body.innerText');
    expect(text).toContain('The charts need the script of this page');
    expect(text).toContain('rank 5 never came');
    await page.send('Emulation.setScriptExecutionDisabled', { value: false });
  });

  /** Pictures to look at: PICTURES names a folder. */
  async function look(name: string) {
    const { PICTURES } = process.env;
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(join(PICTURES, `${name}.png`), Buffer.from(await page.picture(), 'base64'));
  }
});

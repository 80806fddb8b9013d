/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node first.mjs REPORT [SPEEDSCOPE FILE]
 * ms until the flame graph is painted, the least of three: of a report, and of a file
 * that speedscope opens, whose page SPEEDSCOPE is (dist/release/index.html). In turn.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { withBrowser } from './browser.mjs';

const [, , report, speedscope, file] = process.argv;

/* From the page's start until `is there` says so, and what it drew is on the screen. */
async function time(browser, address, isThere, press) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const start = Date.now();
    await page.goto(address);
    await page.waitForFunction(isThere, null, { polling: 'raf', timeout: 240000 });
    if (press)
        await page.click(press);
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() =>
        setTimeout(done))));
    const took = Date.now() - start;
    await page.close();
    return took;
}

await withBrowser(async browser => {
    const own = [], other = [];
    if (speedscope)
        writeFileSync('speedscope-file.js', 'speedscope.loadFileFromBase64(' +
            JSON.stringify(basename(file)) + ',"' + readFileSync(file, 'base64') + '")');
    for (let i = 0; i < 3; i++) {
        own.push(await time(browser, 'file://' + resolve(report), () =>
            performance.getEntriesByName('painted').length > 0, '#tab-explore'));
        if (speedscope)
            other.push(await time(browser, 'file://' + resolve(speedscope) +
                '#localProfilePath=' + resolve('speedscope-file.js'), () =>
                /Sandwich/.test(document.body.textContent) &&
                    document.querySelector('canvas')));
    }
    console.log('er_html ' + Math.min(...own) + ' ms' + (speedscope ? ', speedscope ' +
        Math.min(...other) + ' ms: ' + (Math.min(...other) / Math.min(...own)).toFixed(1) +
        ' times as long' : ''));
});

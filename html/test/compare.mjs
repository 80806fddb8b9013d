/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node compare.mjs ER_PRINT REPORT FIRST.er SECOND.er
 * Each group of a comparison has the numbers that er_print has of it alone.
 */
import { execFileSync } from 'node:child_process';
import { withBrowser, open, finding, is } from './browser.mjs';

const [, , program, report, ...experiments] = process.argv;

await withBrowser(async browser => {
    const page = await open(browser, report);
    const metric = await page.evaluate(() => window.ertools.metric());
    for (const [g, experiment] of experiments.entries()) {
        const text = execFileSync(program, ['-printmode', 'json', '-metrics', 'e.' +
            metric.name, '-functions', experiment], { maxBuffer: 1 << 28 }).toString();
        const wanted = {}, got = await page.evaluate(x => window.ertools.group(x), g);
        for (const row of JSON.parse(text).tables[0].rows) {
            const ns = Math.round(row['e.' + metric.name] * 1e9);
            if (ns)
                wanted[row.name] = (wanted[row.name] || 0) + ns;
        }
        const wrong = Object.keys({ ...wanted, ...got }).filter(k => wanted[k] !== got[k]);
        finding(Object.keys(wanted).length > 1 && !wrong.length, 'group ' + (g + 1) +
            ' has the functions of ' + experiment, wrong.map(k => k + ': got ' + got[k] +
            ', wanted ' + wanted[k]).join('\n'));
    }
    await page.click('#tab-explore');
    finding(await page.locator('.keys .more').count() === 1, 'the flame graph says what ' +
        'is more and less');
    const shown = await page.locator('.functions .line').nth(1).textContent();
    finding(/<Total>$/.test(shown), 'the table has the groups side by side', shown);
    is('nothing was said on the console', page.said, []);
});

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node numbers.mjs ER_PRINT REPORT EXPERIMENT
 * All functions with all metrics, callers and callees, and lines, against er_print, with
 * and without a part of the time and a thread.
 */
import { execFileSync } from 'node:child_process';
import { withBrowser, open, brush, finding, is } from './browser.mjs';
import { functions, print, rounded } from './functions.mjs';

const [, , program, report, experiment] = process.argv;

/* Is a number of the page what er_print prints, perhaps in MiB or GiB? */
function same(printed, number) {
    const [value, unit] = printed.split('_');
    const shift = { MiB: 2 ** 20, GiB: 2 ** 30 }[unit];
    return shift ? Math.abs(Number(number) / shift - Number(value)) < 0.05 + 1e-9 /* a tie */
        : printed === number;
}

/* What the table shows, read from the page, as er_print prints it in text. */
async function shown(page, what) {
    const filter = await page.evaluate(() => window.ertools.filter());
    const spec = await page.evaluate(() => window.ertools.spec());
    const text = execFileSync(program, ['-metrics', spec, ...(filter ? ['-filters', filter]
        : []), '-functions', experiment]).toString().split('\n');
    const cells = await page.locator('.functions .line:not(.head)').evaluateAll(list =>
        list.slice(0, 15).map(row => [...row.children].map(c => c.textContent)));
    const wrong = [];
    for (const row of cells) {
        const numbers = row.slice(0, -1).map(s => s.replace(/\u2007/g, ' ').trim());
        const hit = text.some(line => line.endsWith(' ' + row[row.length - 1]) &&
            line.slice(0, line.length - row[row.length - 1].length).trim()
                .replace(/ (?=[MG]iB)/g, '_').split(/\s+/)
                .every((printed, i, all) => all.length === numbers.length &&
                    same(printed, numbers[i])));
        if (!hit)
            wrong.push(numbers.join(' ') + ' ' + row[row.length - 1]);
    }
    finding(cells.length > 1 && !wrong.length, what + ': ' + cells.length +
        ' rows read as er_print prints them', wrong.join('\n'));
}

async function around(page, what, exact) {
    const filter = await page.evaluate(() => window.ertools.filter());
    const metric = await page.evaluate(() => window.ertools.metric());
    const list = await page.evaluate(() => window.ertools.functions().map(f => f.name)
        .filter((name, i, all) => i && all.indexOf(name) === all.lastIndexOf(name))
        .slice(0, 8));
    const wrong = [];
    for (const name of list) {
        if (name[0] === '<')
            continue;
        const table = print('-metrics', 'a.' + metric.name, ...(filter ? ['-filters',
            filter] : []), '-csingle', name);
        const got = await page.evaluate(x => window.ertools.around(x), name);
        const scale = metric.unit === 'ns' ? 1e9 : 1;
        const key = table.columns.find(c => /^a/.test(c.key)).key;
        const role = table.columns.find(c => /role|kind/.test(c.key));
        for (const which of ['callers', 'callees']) {
            const want = table.rows.filter(r => role && r[role.key] ===
                which.slice(0, -1) && r[key]).map(r => r.name + ' ' +
                (scale > 1 ? rounded(Math.round(r[key] * scale), exact) : r[key])).sort();
            const have = got[which].filter(x => x[1]).map(x => x[0] + ' ' +
                (scale > 1 ? rounded(x[1], exact) : x[1])).sort();
            if (JSON.stringify(want) !== JSON.stringify(have))
                wrong.push(name + ' ' + which + ': got ' + have + '; wanted ' + want);
        }
    }
    finding(!wrong.length, what + ': callers and callees are those of er_print',
        wrong.slice(0, 4).join('\n'));
}

await withBrowser(async browser => {
    const page = await open(browser, report);
    await page.click('#tab-explore');
    await functions(page, 'all', true);
    await shown(page, 'all');
    await around(page, 'all', true);
    await brush(page, 0.3, 0.7);
    await functions(page, 'a part of the time');
    await shown(page, 'a part of the time');
    await around(page, 'a part of the time');
    await page.locator('.lane').last().click();
    await functions(page, 'a part of the time of one thread', false, true);
    is('nothing was said on the console', page.said, []);
    is('nothing was asked of a network', page.asked, []);
});

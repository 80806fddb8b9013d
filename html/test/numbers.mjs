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

/* The map over time: each step is what its command prints, of a metric that has any. */
async function heat(page, what) {
    const before = await page.evaluate(() => {
        const { sorted, sums, metric } = window.ertools.state, now = sorted.value;
        const m = window.ertools.metrics().findIndex(d => d.unit !== 'ratio' &&
            sums.value.whole(d.index) > 0);
        if (!(sums.value.whole(metric.value) > 0))
            sorted.value = { ...now, m };
        return now;
    });
    await page.click('.panes [role=tab]:has-text("Heat map")');
    await page.waitForSelector('.heat canvas');
    const { steps, command } = await page.evaluate(() => window.ertools.heat());
    const scale = (await page.evaluate(() => window.ertools.metric())).unit === 'ns';
    const text = execFileSync('bash', ['-c', 'exec "$0" -printmode json ' +
        command.replace(/^er_print /, ''), program]).toString();
    const { rows, columns } = JSON.parse(text).tables[0], want = [], wrong = [];
    for (const r of rows)
        if (r.key !== null && r.key !== undefined)
            want[r.key] = scale ? Math.round(r[columns[0].key] * 1e9) : r[columns[0].key];
    for (let i = 0; i < Math.max(steps.length, want.length); i++)
        if (rounded(steps[i] || 0, !scale) !== rounded(want[i] || 0, !scale))
            wrong.push(i + ': got ' + steps[i] + ', wanted ' + want[i]);
    finding(steps.some(v => v > 0) && !wrong.length, what + ': steps of the map over time ' +
        'are those of er_print', command + '\n' + wrong.slice(0, 8).join('\n'));
    await page.click('.panes [role=tab]:has-text("Flame graph")');
    await page.evaluate(now => (window.ertools.state.sorted.value = now), before);
}

/*
 * The table of functions over time: what er_print lists of the steps that reach into what
 * is selected, summed up; what was held is of the step in which most was held.
 */
async function heapTime(page, what) {
    const ask = await page.evaluate(() => {
        const { model, range } = window.ertools.state, { ns } = model.value.meta.step;
        const table = model.value.tables && model.value.tables.heapfunctions;
        return table && { words: table.ask.split(' '), part: range.value &&
            range.value.map(s => s * ns / 1e9) };
    });
    if (!ask)
        return;
    await page.click('#tab-heap');
    await page.click('.tables .choice button:has-text("Over time")');
    await page.click('.heaptime .choice button:has-text("Held")');
    const got = await page.locator('.heaptime .line:not(.head)').evaluateAll(list =>
        list.map(row => [...row.children].map(c => c.textContent.trim()).join(' ')));
    const rows = print(...ask.words).rows.filter(r => !ask.part ||
        r.to > ask.part[0] && r.from < ask.part[1]);
    const totals = rows.filter(r => r.name === '<Total>'), by = new Map();
    const peak = totals.reduce((a, r) => (r.top > a.top ? r : a), totals[0]);
    for (const r of rows) {
        const sum = by.get(r.name) || { top: 0, left: 0, calls: 0, bytes: 0, temporary: 0 };
        by.set(r.name, sum);
        for (const k of ['calls', 'bytes', 'temporary'])
            sum[k] += r[k];
        sum.top = r.from === peak.from ? r.top : sum.top;
        sum.left = r.to === totals[totals.length - 1].to ? r.left : 0;
    }
    const wanted = [...by].map(([name, r]) => [r.top, r.left, r.calls, r.bytes, r.temporary,
        name].join(' '));
    is(what + ': functions over time are those of er_print', got.sort(), wanted.sort());
    finding(wanted.length > 2, what + ': some held memory', wanted.join('\n'));
    await page.click('#tab-explore');
}

await withBrowser(async browser => {
    const page = await open(browser, report);
    await heapTime(page, 'all');
    await page.click('#tab-explore');
    await functions(page, 'all', true);
    await shown(page, 'all');
    await around(page, 'all', true);
    await heat(page, 'all');
    await brush(page, 0.3, 0.7);
    await functions(page, 'a part of the time');
    await shown(page, 'a part of the time');
    await around(page, 'a part of the time');
    await heapTime(page, 'a part of the time');
    await page.locator('.lane').last().click();
    await functions(page, 'a part of the time of one thread', false, true);
    await page.evaluate(() => window.ertools.state.selectTime(null));
    await heat(page, 'one thread');
    is('nothing was said on the console', page.said, []);
    is('nothing was asked of a network', page.asked, []);
});

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All functions of a page with all metrics, against those of er_print, the program that
 * is the first argument; the experiment is the third.
 */
import { execFileSync } from 'node:child_process';
import { finding } from './browser.mjs';

const [, , program, , experiment] = process.argv;

export function print(...words) {
    const text = execFileSync(program, ['-printmode', 'json', ...words, experiment],
        { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
    return JSON.parse(text.slice(text.indexOf('{'))).tables[0];
}

const shownSpec = metrics => metrics.filter(m => m.unit !== 'ratio')
    .map(m => 'ei.' + m.name).join(':');

function cellsOf(row, columns) {
    return columns.map(c => row[c.key]);
}

/*
 * Exact ns; of a part of the time as er_print shows them: times that were recorded in
 * ticks are rounded once a sum, and the page has many sums where er_print has one.
 */
export const rounded = (ns, exact) => exact ? ns : Math.sign(ns) * Math.round(Math.abs(ns) / 1e6);

export async function functions(page, what, exact, may_be_empty) {
    const metrics = await page.evaluate(() => window.ertools.metrics());
    const filter = await page.evaluate(() => window.ertools.filter());
    const words = ['-metrics', shownSpec(metrics)];
    if (filter)
        words.push('-filters', filter);
    const table = print(...words, '-functions');
    const columns = table.columns.filter(c => c.key !== 'name');
    const wanted = new Map(), got = new Map();
    const add = (map, name, values) => {
        if (values.some(v => v))
            map.set(name, (map.get(name) || []).concat([values.join(' ')]).sort());
    };
    for (const row of table.rows)
        add(wanted, row.name, cellsOf(row, columns).map((v, i) =>
            columns[i].unit === 'sec.' ? rounded(Math.round(v * 1e9), exact) : v));
    for (const f of await page.evaluate(() => window.ertools.functions()))
        add(got, f.name, metrics.flatMap((m, i) => m.unit === 'ratio' ? []
            : f.values[i].map(v => m.unit === 'ns' ? rounded(v, exact) : v)));
    const wrong = [];
    for (const [name, values] of wanted)
        if (JSON.stringify(got.get(name)) !== JSON.stringify(values))
            wrong.push(name + ': got ' + got.get(name) + ', wanted ' + values);
    for (const name of got.keys())
        if (!wanted.has(name))
            wrong.push(name + ' should not be there');
    finding(may_be_empty || wanted.size > 1, what + ': er_print has functions');
    finding(!wrong.length, what + ': ' + wanted.size +
        ' functions with all metrics are those of er_print', wrong.slice(0, 8).join('\n'));
}

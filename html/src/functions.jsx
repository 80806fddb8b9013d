/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions, and who calls whom. */
import { useMemo, useState } from 'preact/hooks';
import { computed, signal } from '@preact/signals';
import { clean, fixed, percent, unit, value } from './format.js';
import { Bar, Grid, widthOf } from './grid.jsx';
import { model, sums, groups, columns, sorted, func, untouched, search, metric, command,
    naming, copy } from './state.js';
import { kindOf } from './palette.js';

export const FLAVOURS = { e: 'Self', i: 'Total', a: 'Attributed' };

/* Rows of the table, as er_print lists them: those with any value, and <Total>. */
export const rows = computed(() => {
    const m = model.value, s = sorted.value, by = sums.value.functions(s.m)[s.flavour];
    const all = m.meta.metrics.filter(x => x.unit !== 'ratio')
        .map(x => sums.value.functions(x.index));
    const out = [], text = search.value.trim();
    let test = () => true;
    if (text) {
        try {
            const re = new RegExp(text, 'i');
            test = name => re.test(name);
        } catch (e) {
            test = name => name.toLowerCase().includes(text.toLowerCase());
        }
    }
    for (let f = 1; f < m.functions.length; f++)
        if (all.some(v => v.i[f] || v.e[f]) && test(m.functions[f].name))
            out.push(f);
    const rank = groups.value.length > 1 ? rankOf(s) : by;
    out.sort((a, b) => (rank[b] === null ? -1 : rank[b]) -
        (rank[a] === null ? -1 : rank[a]) || (m.functions[a].name <
        m.functions[b].name ? -1 : 1));
    if (s.reverse)
        out.reverse();
    return text ? out : [0, ...out];
});

/* Groups are sorted by the largest of their values. */
function rankOf(s) {
    const each = groups.value.map(g => g.functions(s.m)[s.flavour]);
    return Array.from(each[0], (_, f) => Math.max(...each.map(e => e[f])));
}

function sortBy(to) {
    const now = sorted.value;
    sorted.value = { ...to, reverse: now.m === to.m && now.flavour === to.flavour &&
        !now.reverse };
}

function orderOf(m, flavour) {
    const s = sorted.value;
    return s.m === m && s.flavour === flavour ? s.reverse ? 'ascending' : 'descending'
        : '';
}

/* The columns of values of a function's sums. */
function valueColumns(sum, suffix = '') {
    const m = model.value, out = [], drawn = metric.value;
    for (const [i, flavour, how] of columns.value) {
        const d = m.meta.metrics[i], v = sum.functions(i)[flavour], whole = sum.whole(i);
        const isDrawn = i === drawn && flavour === sorted.value.flavour;
        const first = !out.length || out[out.length - 1].metric !== i;
        const title = first ? d.title : '';
        if (how === '%' && d.unit !== 'ratio') {
            out.push({ key: i + flavour + '%' + suffix, title, metric: i,
                sub: first ? FLAVOURS[flavour].toLowerCase() + ' %' : '%', number: true,
                width: first ? 84 : 62, sort: { m: i, flavour }, doc: d.doc, order: '',
                cell: f => percent(v[f], whole) });
            continue;
        }
        out.push({ key: i + flavour + suffix, title, metric: i, number: true,
            sub: FLAVOURS[flavour].toLowerCase() + ' ' + unit(d),
            sort: { m: i, flavour }, doc: d.doc, order: orderOf(i, flavour),
            width: widthOf([value(d, whole), FLAVOURS[flavour] + unit(d),
                title.slice(0, isDrawn ? 6 : 16)], 66) + (isDrawn ? 56 : 0),
            cell: isDrawn ? f => <>{value(d, v[f])}<span class="barbox">
                <Bar share={whole > 0 ? v[f] / whole : 0} /></span></>
                : f => value(d, v[f]) });
    }
    return out;
}

function comparedColumns() {
    const m = model.value, out = [];
    for (const [i, flavour, how] of columns.value) {
        const d = m.meta.metrics[i];
        if (how === '%')
            continue;
        const each = groups.value.map(g => g.functions(i)[flavour]);
        const whole = groups.value.map(g => g.whole(i));
        const title = FLAVOURS[flavour];
        each.forEach((v, g) => out.push({ key: i + flavour + g, number: true,
            title: g ? '' : title, sub: (g + 1) + (unit(d) ? ': ' + unit(d) : ''),
            width: widthOf([value(d, whole[g])], 66),
            sort: { m: i, flavour }, order: g ? '' : orderOf(i, flavour), doc: d.doc,
            cell: f => value(d, v[f]) }));
        const last = each[each.length - 1];
        if (d.unit === 'ratio')
            continue;
        out.push({ key: i + flavour + 'd', title: 'Change', sub: unit(d), number: true,
            width: 78, doc: 'The last group less the first; grey: chance could do this',
            cell: f => {
                const by = last[f] - each[0][f], noise = intervalOf(i, flavour, f);
                const chance = noise !== null && Math.abs(by) <= noise;
                return <span class={f && chance ? 'faint' : by > 0 ? 'more' : by < 0
                    ? 'less' : ''}>{by > 0 ? '+' : ''}{value(d, by)}</span>;
            } });
        if (d.noisy)
            out.push({ key: i + flavour + 'n', title: '±', sub: '95 %, s', number: true,
                width: 78, doc: 'How far chance may move the change',
                cell: f => f ? value(d, intervalOf(i, flavour, f)) : '' });
    }
    return out;
}

/* How far chance moves a difference, 95 of 100 times; null for what is exact. */
export function intervalOf(i, flavour, f) {
    const { metrics, noise } = model.value.meta;
    if (!metrics[i].noisy)
        return null;
    const names = metrics[i].name === 'totalcpu' ? ['user', 'system'] : [metrics[i].name];
    let variance = 0;
    for (const name of names) {
        const k = metrics.findIndex(x => x.name === name);
        for (const g of [groups.value[0], groups.value[groups.value.length - 1]])
            if (k >= 0)
                variance += Math.max(0, g.functions(k)[flavour][f]) * noise[name];
    }
    return Math.round(1.96 * Math.sqrt(variance));
}

function NameOf({ f }) {
    const fn = model.value.functions[f];
    const kind = kindOf(model.value, f);
    return <span class={'name ' + kind} title={clean(fn.name)}>{clean(fn.name)}</span>;
}

export function Functions() {
    const list = rows.value, compared = groups.value.length > 1;
    const shown = [
        ...(compared ? comparedColumns() : valueColumns(sums.value)),
        { key: 'name', title: 'Function', width: 0, cell: f => <NameOf f={f} /> },
    ];
    return (
        <section class="functions" aria-label="Functions">
            <div class="tools">
                <b>Functions</b> <span class="faint">{list.length - (search.value.trim()
                    ? 0 : 1)}</span><span class="grow" />
                <Chooser />
                <button class="copy" onClick={() => copy(command('functions'))}
                    title="Copy the er_print command that prints this table">
                    $ er_print</button>
            </div>
            <Grid label="Functions" columns={shown} rows={list} onSort={sortBy}
                selected={list.indexOf(func.value)} still={func.value === untouched.value}
                onSelect={i => {
                    untouched.value = -1;
                    func.value = list[i];
                }} />
        </section>
    );
}

/* Which metrics are columns. */
function Chooser() {
    const m = model.value, has = (i, f, how) => columns.value.some(c => c[0] === i &&
        c[1] === f && c[2] === how);
    const turn = (i, f, how) => {
        const rest = columns.value.filter(c => c[0] !== i || c[1] !== f || c[2] !== how);
        columns.value = rest.length < columns.value.length ? rest.length ? rest
            : columns.value : [...rest, [i, f, how]];
    };
    return (
        <details class="chooser">
            <summary>Columns</summary>
            <div class="pop">
                <table><thead><tr><th scope="col">Metric</th><th scope="col">Self</th>
                    <th scope="col">%</th><th scope="col">Total</th><th scope="col">%</th>
                </tr></thead><tbody>
                    {m.meta.metrics.map(d => <tr key={d.name} title={d.doc}>
                        <th scope="row">{d.title}</th>
                        {['e.', 'e%', 'i.', 'i%'].map(x => <td key={x}>
                            {(d.unit !== 'ratio' || x[1] === '.') && <input
                                type="checkbox" checked={has(d.index, x[0], x[1])}
                                aria-label={FLAVOURS[x[0]] + ' ' + d.title + (x[1] === '%'
                                    ? ', percent' : '')}
                                onChange={() => turn(d.index, x[0], x[1])} />}</td>)}
                    </tr>)}
                </tbody></table>
            </div>
        </details>
    );
}

const panelRows = map => [...map].filter(([, v]) => v).sort((a, b) => b[1] - a[1]);

/* A column for each group of what `each` finds in a row, and the change. */
function sidesColumns(d, each) {
    const last = each[each.length - 1];
    return [...each.map((of, g) => ({ key: 'g' + g, title: (g + 1) + ': ' + d.title,
        sub: unit(d), number: true, width: widthOf(['1: ' + d.title], 84),
        cell: r => value(d, of(r) || 0) })),
    { key: 'd', title: 'Change', sub: unit(d), number: true, width: 84,
        doc: 'The last group less the first', cell: r => {
            const by = (last(r) || 0) - (each[0](r) || 0);
            return <span class={by > 0 ? 'more' : by < 0 ? 'less' : ''}>{by > 0 ? '+' : ''}
                {value(d, by)}</span>;
        } }];
}

/* Callers above, the function, callees below. */
export function Calls() {
    const m = model.value, f = func.value, i = metric.value, d = m.meta.metrics[i];
    const around = useMemo(() => sums.value.around(i, f), [sums.value, i, f]);
    const all = sums.value.functions(i);
    const sides = useMemo(() => groups.value.length > 1
        ? groups.value.map(g => g.around(i, f)) : [], [groups.value, i, f]);
    if (f < 0)
        return <p class="nothing">Select a function.</p>;
    const shownOf = which => sides.length ? [...sidesColumns(d, sides.map(s => r =>
        s[which].get(r[0]))),
    { key: 'n', title: 'Name', width: 0, cell: r => <NameOf f={r[0]} /> }] : [
        { key: 'a', title: 'Attributed ' + d.title, sub: unit(d), number: true, width: 190,
            cell: r => <>{value(d, r[1])}<span class="barbox"><Bar
                share={all.i[f] > 0 ? r[1] / all.i[f] : 0} /></span></> },
        { key: 'p', title: '%', number: true, width: 64, cell: r => percent(r[1], all.i[f]) },
        { key: 'e', title: 'Self', number: true, width: 84, cell: r => value(d, all.e[r[0]]) },
        { key: 'i', title: 'Total', number: true, width: 84,
            cell: r => value(d, all.i[r[0]]) },
        { key: 'n', title: 'Name', width: 0, cell: r => <NameOf f={r[0]} /> },
    ];
    return (
        <section class="calls" aria-label="Callers and callees">
            <div class="tools"><b>Callers</b><span class="grow" />
                <button class="copy" onClick={() => copy(command('csingle',
                    naming(f), [[i, 'a'], [i, 'a', '%'], [i, 'e'], [i, 'i']]))}
                title="Copy the er_print command that prints these tables">
                    $ er_print</button></div>
            <Panel label="Callers" columns={shownOf('callers')} list={panelRows(around.callers)} />
            <div class="self"><span class="number">{value(d, all.e[f])}</span> self ·{' '}
                <span class="number">{value(d, all.i[f])}</span> total ·{' '}
                <b><NameOf f={f} /></b></div>
            <div class="tools"><b>Callees</b></div>
            <Panel label="Callees" columns={shownOf('callees')} list={panelRows(around.callees)} />
        </section>
    );
}

function Panel({ label, columns: shown, list }) {
    const [at, setAt] = useState(-1);
    const go = k => {
        if (list[k] && list[k][0] > 0)
            func.value = list[k][0];
        setAt(-1);
    };
    return list.length
        ? <Grid label={label} columns={shown} rows={list} selected={Math.min(at,
            list.length - 1)} onSelect={setAt} onActivate={go} />
        : <p class="nothing">none</p>;
}

/* Deep rows are moved less, so that their names stay in sight. */
const indent = depth => 11 * Math.min(depth, 20) + 3 * Math.min(60, Math.max(0, depth - 20));

export const opened = signal(new Set([0]));

/* The tree, as far as it was opened; the hottest path is open at the start. */
export function Tree() {
    const m = model.value, { tree } = m, i = metric.value, d = m.meta.metrics[i];
    const self = sums.value.self(i), total = sums.value.total(i), [at, setAt] = useState(0);
    const sides = groups.value.length > 1 ? groups.value.map(g => g.total(i)) : [];
    const open = opened.value;
    const kids = n => {
        const out = [];
        for (let k = tree.child[n]; k; k = tree.sibling[k])
            if (total[k] || self[k])
                out.push(k);
        return out.sort((a, b) => total[b] - total[a]);
    };
    useMemo(() => {
        const all = new Set(open);
        for (let n = 0, k; (k = kids(n)[0]) && all.size < 40; n = k)
            all.add(n);
        if (open.size === 1)
            opened.value = all;
    }, []);
    const list = [];
    const add = (n, depth) => {
        const below = kids(n);
        list.push({ n, depth, more: below.length > 0 });
        if (opened.value.has(n) && list.length < 20000)
            for (const k of below)
                add(k, depth + 1);
    };
    add(0, 0);
    const turn = n => {
        const next = new Set(opened.value);
        if (!next.delete(n))
            next.add(n);
        opened.value = next;
    };
    const shown = sides.length ? [...sidesColumns(d, sides.map(v => r => v[r.n]))] : [
        { key: 't', title: 'Total ' + d.title, sub: unit(d), number: true,
            width: widthOf([value(d, total[0]), 'Total ' + d.title], 66) + 56,
            cell: r => <>{value(d, total[r.n])}<span class="barbox"><Bar share={total[0] > 0
                ? total[r.n] / total[0] : 0} /></span></> },
        { key: 'p', title: '%', number: true, width: 64,
            cell: r => percent(total[r.n], total[0]) },
        { key: 's', title: 'Self', sub: unit(d), number: true, width: 84,
            cell: r => value(d, self[r.n]) },
    ];
    shown.push(
        { key: 'n', title: 'Name', width: 0, cell: r => (
            <span class="branch" style={{ paddingLeft: indent(r.depth) + 'px' }}>
                {r.more ? <button class="plain" tabIndex="-1"
                    aria-label={opened.value.has(r.n) ? 'close' : 'open'}
                    onClick={e => {
                        e.stopPropagation();
                        turn(r.n);
                    }}>{opened.value.has(r.n) ? '▾' : '▸'}</button> : <i />}
                <NameOf f={tree.key[r.n]} /></span>) });
    return (
        <section class="calltree" aria-label="Call tree">
            <div class="tools"><b>Call tree</b><span class="grow" />
                <button onClick={() => (opened.value = new Set([0]))}>Close all</button>
                <button class="copy" onClick={() => copy(command('calltree', [], [[i, 'a'],
                    [i, 'a', '%'], [i, 'e']]))}
                    title="Copy the er_print command that prints this tree">
                    $ er_print</button></div>
            <Grid label="Call tree" columns={shown} rows={list}
                selected={list.findIndex(r => r.n === at)}
                onSelect={k => {
                    setAt(list[k].n);
                    if (list[k].n)
                        func.value = tree.key[list[k].n];
                }}
                onActivate={k => turn(list[k].n)} />
        </section>
    );
}

export { fixed };

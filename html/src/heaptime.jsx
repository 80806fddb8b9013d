/* SPDX-License-Identifier: Apache-2.0 */
/* What functions held, allocated and freed at once over time: areas on each other. */
import { useMemo, useState } from 'preact/hooks';
import { bytes, clean } from './format.js';
import { model, range, whole, copy } from './state.js';
import { palette, isDark } from './palette.js';
import { Grid, Bar, widthOf } from './grid.jsx';
import { Text, functionOf } from './link.jsx';
import { Plot, ABOVE, TALL, byExperiment, leftOutOf, within } from './plot.jsx';
import { func, view } from './state.js';

const MEASURES = [['top', 'Held', true], ['calls', 'Allocations', false],
    ['bytes', 'Allocated bytes', true], ['temporary', 'Temporary allocations', false]];
const DRAWN = 10; /* functions with an area of their own */
const LIGHT = ['#5b8fc4', '#d9a441', '#5aa88a', '#c56a54', '#8d73b5', '#7fb2c9', '#b7863e',
    '#8fb356', '#c97b9f', '#6f7fa8'];
const REST = ['#c6c6c0', '#55565a'];

/*
 * { name, steps: [{ from, to, total, by }], names, rank }: by: rows by function. er_print
 * lists the rows of a step behind its <Total>.
 */
function read(m) {
    if (m.heapTime)
        return m.heapTime;
    m.heapTime = byExperiment(m.tables.heapfunctions.got).map(({ name, rows }) => {
        const steps = [], names = new Set();
        for (const r of rows)
            if (r.name === '<Total>') {
                steps.push({ from: r.from, to: r.to, total: r, by: new Map() });
            } else {
                const { by } = steps[steps.length - 1], same = by.get(r.name);
                names.add(r.name);
                by.set(r.name, same ? sum(same, r) : r);
            }
        return { name, steps, names: [...names].filter(n => n !== '<others>') };
    });
    return m.heapTime;
}

/* Functions of the same name. */
function sum(a, b) {
    const out = { ...a };
    for (const k of ['top', 'left', 'calls', 'bytes', 'temporary'])
        out[k] += b[k];
    return out;
}

/*
 * What rows of a table say of some steps: what was held when most was held, and at the
 * end, and sums.
 */
function totalsOf(steps, names) {
    const peak = steps.reduce((a, s) => (s.total.top > a.total.top ? s : a), steps[0]);
    const last = steps[steps.length - 1];
    const row = (name, of) => ({
        name,
        top: of(peak) ? of(peak).top : 0,
        left: of(last) ? of(last).left : 0,
        calls: steps.reduce((n, s) => n + (of(s) ? of(s).calls : 0), 0),
        bytes: steps.reduce((n, s) => n + (of(s) ? of(s).bytes : 0), 0),
        temporary: steps.reduce((n, s) => n + (of(s) ? of(s).temporary : 0), 0),
    });
    return { peak, rows: [row('<Total>', s => s.total), ...names.map(n =>
        row(n, s => s.by.get(n)))].filter(r => r.top || r.left || r.calls) };
}

/* The functions that have most of a measure in any step, or in all. */
function firstOf({ steps, names }, key) {
    const most = new Map(names.map(n => [n, steps.reduce((v, s) => {
        const x = s.by.get(n) ? s.by.get(n)[key] : 0;
        return key === 'top' ? Math.max(v, x) : v + x;
    }, 0)]));
    return names.filter(n => most.get(n)).sort((a, b) => most.get(b) - most.get(a))
        .slice(0, DRAWN);
}

const colourOf = (names, name) => names.includes(name)
    ? LIGHT[names.indexOf(name) % LIGHT.length] : REST[isDark() ? 1 : 0];

/* Names stand where their area is tall enough for as long as they are wide. */
function write(c, bands, x, name, ink) {
    const text = clean(name).replace(/\(.*/, ''), wide = c.measureText(text).width + 8;
    let best = null;
    for (let i = 0; i < bands.length; i++) {
        let low = Infinity, high = -Infinity, k = i;
        for (; k < bands.length && x(bands[k].to) - x(bands[i].from) < wide; k++) {
            low = Math.min(low, bands[k].low);
            high = Math.max(high, bands[k].high);
        }
        if (k < bands.length && bands[k].low !== undefined) {
            low = Math.min(low, bands[k].low);
            high = Math.max(high, bands[k].high);
            if (low - high > (best ? best.room : 13))
                best = { room: low - high, at: x(bands[i].from) + 4, y: (low + high) / 2 };
        }
    }
    if (!best)
        return;
    c.fillStyle = ink;
    c.textAlign = 'left';
    c.fillText(text, best.at, best.y);
}

function draw({ c, p, x, y, shade }, data, key, first, names, focus, at) {
    const bands = new Map([...first, '<others>'].map(n => [n, []]));
    for (const s of data.steps) {
        const from = Math.round(x(s.from)), to = Math.max(from + 1, Math.round(x(s.to)));
        let under = 0;
        const put = (name, v) => {
            const low = y(under), high = y(under + v);
            under += v;
            bands.get(name).push({ from: s.from, to: s.to, low, high });
            if (!v)
                return;
            c.globalAlpha = focus && focus !== name ? 0.3 : 1;
            c.fillStyle = colourOf(names, name);
            c.fillRect(from, high, to - from, low - high);
        };
        for (const n of first)
            put(n, s.by.get(n) ? s.by.get(n)[key] : 0);
        put('<others>', Math.max(0, s.total[key] - under));
    }
    c.globalAlpha = 1;
    for (const [name, list] of bands)
        write(c, list, x, name === '<others>' ? 'others' : name, name === '<others>' ? p.ink
            : '#12161c');
    shade();
    const now = data.steps[at];
    if (now) {
        c.fillStyle = p.focus;
        c.fillRect(x(now.from), ABOVE, Math.max(1, Math.min(2, x(now.to) - x(now.from))), TALL);
    }
}

function columnsOf(rows, key, names) {
    const most = Math.max(1, ...rows.filter(r => r.name !== '<Total>').map(r => r[key]));
    const column = (k, title, sub) => ({
        key: k, title, sub, number: true, order: k === key ? 'descending' : '',
        width: widthOf([title.slice(0, 12), ...rows.map(r => String(r[k]))], 84) +
            (k === key ? 56 : 0),
        cell: r => k !== key ? String(r[k]) : <>{String(r[k])}<span class="barbox">
            <Bar share={r.name === '<Total>' ? 0 : r[k] / most} /></span></>,
    });
    return [column('top', 'Held at most', 'B'), column('left', 'At the end', 'B'),
        column('calls', 'Allocations', ''), column('bytes', 'Allocated', 'B'),
        column('temporary', 'Temporary', ''),
        { key: 'name', title: 'Function', width: 0, cell: r => <>{r.name === '<Total>' ? null
            : <i class="key" style={{ background: colourOf(names, r.name) }} />}
        <Text text={r.name} /></> }];
}

export function HeapTime() {
    const m = model.value, all = read(m), [which, setWhich] = useState(0);
    const [key, setKey] = useState('top'), [at, setAt] = useState(-1);
    const [own, setOwn] = useState(-1), data = all[which], part = range.value;
    const first = useMemo(() => data ? firstOf(data, key) : [], [data, key]);
    const some = data ? within(data.steps) : [];
    const total = useMemo(() => some.length ? totalsOf(some, [...data.names, '<others>'])
        : null, [data, part]);
    if (!data || !data.steps.length)
        return <p class="nothing">No event of the heap was recorded.</p>;
    const rows = total ? [total.rows[0], ...total.rows.slice(1).sort((a, b) =>
        (a.name === '<others>') - (b.name === '<others>') || b[key] - a[key])] : [];
    const [, title, isBytes] = MEASURES.find(x => x[0] === key);
    const order = firstOf(data, 'top').concat(data.names.filter(n => !firstOf(data, 'top')
        .includes(n)));
    const shown = v => isBytes ? bytes(v) : String(v);
    const say = s => s ? s.from.toFixed(3) + ' to ' + s.to.toFixed(3) + ' s: ' +
        (key === 'top' ? 'at most ' : '') + s.total[key] + (isBytes ? ' bytes' : '') + ', ' +
        [...s.by].filter(e => e[1][key]).sort((a, b) => b[1][key] - a[1][key]).slice(0, 3)
            .map(([n, r]) => clean(n).replace(/\(.*/, '') + ' ' + r[key]).join(', ')
        : 'No event of the heap is in what is selected';
    const tip = s => <>{s.from.toFixed(3)} to {s.to.toFixed(3)} s · {title.toLowerCase()}{' '}
        {shown(s.total[key])}{[...s.by].filter(e => e[1][key])
            .sort((a, b) => b[1][key] - a[1][key]).slice(0, 8).map(([n, r]) =>
                <div key={n}><i class="key" style={{ background: colourOf(order, n) }} />
                    {shown(r[key])} {clean(n).slice(0, 60)}</div>)}</>;
    const focus = rows[own] && rows[own].name !== '<Total>' && (first.includes(rows[own].name)
        ? rows[own].name : '<others>');
    return (
        <div class="heaptime">
            <div class="tools">
                <div class="choice" role="group" aria-label="What is drawn">
                    {MEASURES.map(([k, name]) => <button key={k} aria-pressed={k === key}
                        onClick={() => setKey(k)}>{name}</button>)}</div>
                {all.length > 1 && <label>of <select value={which} onChange={e =>
                    setWhich(Number(e.target.value))}>{all.map((c, i) =>
                        <option value={i} key={c.name}>{clean(c.name)}</option>)}
                </select></label>}
                {leftOutOf(m.tables.heapfunctions.got) && <span class="faint">The processes
                    that held most are here; er_print has all.</span>}
                <span class="faint" role="status">{some.length ? (part ? 'The table is of the ' +
                    'steps that reach into the selected time, ' : 'All the time, ') +
                    some[0].from.toFixed(3) + ' to ' + some[some.length - 1].to.toFixed(3) +
                    ' s; most was held from ' + total.peak.from.toFixed(3) + ' to ' +
                    total.peak.to.toFixed(3) + ' s' : say(null)}</span></div>
            <Plot label={'Heap over time by function, ' + title.toLowerCase()}
                steps={data.steps} at={at} onAt={setAt} isBytes={isBytes} say={say}
                most={data.steps.reduce((v, s) => Math.max(v, s.total[key]), 0)} tip={tip}
                whole={total && total.peak} draw={to => draw(to, data, key, first, order, focus,
                    at)} />
            <Grid label="Heap by function in the selected time" rows={rows} selected={own}
                columns={columnsOf(rows, key, order)} onSelect={setOwn} onActivate={i => {
                    const f = functionOf(rows[i].name);
                    if (f && rows[i].name[0] !== '<') {
                        func.value = f;
                        view.value = 'explore';
                    }
                }} />
        </div>
    );
}

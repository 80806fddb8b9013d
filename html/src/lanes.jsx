/* SPDX-License-Identifier: Apache-2.0 */
/* What threads did over time; dragging over it selects a part of the time. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { computed, signal } from '@preact/signals';
import { clean, duration, moment } from './format.js';
import { ARROWS, LEVEL, arrowsOf, drawArrows, drawRegions, leftOut, pointedArrow, regionAt,
    regionLanes } from './arrows.jsx';
import { rows as listed } from './functions.jsx';
import { model, range, chosen, ready, metric, theme, func, mask, sorted, arrows, pointed, selectTime,
    selectThreads, command, whole, copy }
    from './state.js';
import { palette, STATE_COLOURS, STATE_NAMES } from './palette.js';

export const LABEL = 128, RIGHT = 18;

/*
 * Which lanes come first: those of threads that ran. What waits for locks counts less,
 * since idle threads of Java wait so, too; sleep and events count least.
 */
const WEIGHT = [1, 1, 1, 0.01, 0.01, 1e-6, 1e-6];

export const laneKind = signal('');

export function nameOf(m, t) {
    const several = m.meta.experiments.length > 1, name = t.name ? ' ' + clean(t.name) : '';
    if (several && !m.meta.compared && m.meta.experiments[t.experiment].rank >= 0)
        return 'rank ' + m.meta.experiments[t.experiment].rank + (t.id ? '/' + t.id : '');
    if (several)
        return processOf(m, t.experiment) + (t.id ? '/' + t.id : ' no thread');
    return t.id ? t.id + (name || ' thread') : 'no thread';
}

function processOf(m, i) {
    const e = m.meta.experiments[i], program = (e.command[0] || '').split('/').pop();
    if (m.meta.compared)
        return (e.group + 1) + ': ' + clean(program || e.name);
    if (e.rank >= 0)
        return 'rank ' + e.rank + ' ' + clean(program);
    return clean(program || e.name) + ' ' + (e.pid || '');
}

/*
 * A sample stands for the time before it, which may be several steps: samples of a
 * thread fill what its waits, whose times are known, leave of those steps.
 */
function spread(states, stepNs) {
    const count = states.find(s => s).length, out = states.slice();
    const free = new Float64Array(count).fill(stepNs);
    for (let s = 2; s < states.length; s++)
        for (let i = 0; states[s] && i < count; i++)
            free[i] -= states[s][i];
    for (const s of [0, 1]) {
        const ns = states[s];
        if (!ns)
            continue;
        out[s] = new Float64Array(count);
        for (let i = 0; i < count; i++) {
            let left = ns[i];
            for (let k = i; left > 0 && k >= 0 && (i - k) * stepNs < 4 * ns[i]; k--) {
                const part = Math.min(left, Math.max(0, free[k]));
                out[s][k] += part;
                free[k] -= part;
                left -= part;
            }
            out[s][i] += left;
        }
    }
    return out;
}

/* What lanes there may be. */
function kindsOf(m) {
    const out = [['threads', 'threads']];
    if (m.meta.experiments.length > 1)
        out.push(['processes', 'processes']);
    if (m.meta.experiments.some(e => e.rank >= 0))
        out.push(['ranks', 'ranks']);
    if (m.tables && m.tables.instances)
        out.push(['regions', 'regions']);
    if (m.meta.step.count > 1)
        out.push(['functions', 'functions']);
    if (m.cpus && m.cpus.length)
        out.push(['processors', 'processors']);
    return out;
}

/* Which threads of ranks call MPI: others only wait inside it. */
function callersOf(m) {
    const i = m.meta.metrics.findIndex(x => x.name === 'mpicnt'), calls = new Set();
    const { cells } = m;
    for (let c = 0; i >= 0 && c < cells.n; c++)
        if (cells.value[i][c])
            calls.add(cells.thread[c]);
    return calls;
}

/* What of a metric is in each step, where no state of threads is known. */
function lanesOfCells(m, i) {
    const lanes = new Map(), { cells } = m, value = cells.value[i];
    const count = m.meta.step.count;
    for (let c = 0; c < cells.n; c++) {
        if (cells.step[c] >= count || !value[c])
            continue;
        let lane = lanes.get(cells.thread[c]);
        if (!lane)
            lanes.set(cells.thread[c], lane = [new Float64Array(count)]);
        lane[0][cells.step[c]] += value[c];
    }
    return lanes;
}

const FUNCTIONS = 9;
const UNBOUND = ['functions', 'processors']; /* lanes that are not of threads */

/*
 * The first functions of the table over time: what it is sorted by, as self or total, of
 * the threads that are selected.
 */
function lanesOfFunctions(m) {
    const { count, ns } = m.meta.step, { tree, stacks } = m, i = metric.value;
    const list = listed.value.filter(f => f > 0).slice(0, FUNCTIONS);
    const own = sorted.value.flavour === 'e', c = m.times || m.cells;
    const bits = new Int32Array(tree.n), bit = new Int32Array(m.functions.length);
    const only = m.times ? null : mask.value;
    list.forEach((f, k) => (bit[f] = 1 << k));
    for (let n = 1; n < tree.n; n++)
        bits[n] = bit[tree.key[n]] | (own ? 0 : bits[tree.parent[n]]);
    const rows = list.map(f => ({ name: clean(m.functions[f].name), func: f, threads: [],
        states: [new Float64Array(count)], sum: 0 }));
    for (let k = 0; k < c.n; k++) {
        const on = c.step[k] < count && (!only || only[c.thread[k]])
            ? bits[stacks.tree[c.node[k]]] : 0;
        for (let r = 0; on >> r; r++)
            if (on >> r & 1) {
                rows[r].states[0][c.step[k]] += c.value[i][k];
                rows[r].sum += c.value[i][k];
            }
    }
    return { rows, totals: [], full: fullOf(rows, count), stepNs: ns, count, real: false,
        kind: 'functions' };
}

/* CPU time of threads on each processor; full is all of a step. */
function lanesOfCpus(m) {
    const { ns, count } = m.meta.lane;
    return { rows: m.cpus.map(([cpu, busy]) => ({ name: 'CPU ' + cpu, cpu, threads: [],
        states: spread([busy], ns), sum: busy.reduce((a, b) => a + b, 0) })),
    totals: [], full: ns, stepNs: ns, count, real: false, kind: 'processors' };
}

/* What few steps go beyond is full. */
function fullOf(rows, count) {
    const seen = [];
    for (const row of rows)
        for (let i = 0; i < count; i++) {
            const v = row.states.reduce((sum, s) => sum + (s ? s[i] : 0), 0);
            if (v > 0)
                seen.push(v);
        }
    seen.sort((a, b) => a - b);
    return (seen[Math.floor(seen.length * 0.97)] || 1) * 1.1;
}

/* { rows: [{ name, threads, states, sum }], states, full, stepNs } */
export const lanes = computed(() => {
    const m = model.value;
    if (!ready.value)
        return null;
    if (laneKind.value === 'regions' && m.tables.instances)
        return { ...regionLanes(m, nameOf), kind: 'regions', totals: [], real: true };
    if (laneKind.value === 'functions')
        return lanesOfFunctions(m);
    if (laneKind.value === 'processors')
        return lanesOfCpus(m);
    const real = m.lanes.size > 0;
    const byThread = real ? m.lanes : lanesOfCells(m, metric.value);
    const count = real ? m.meta.lane.count : m.meta.step.count;
    const stepNs = real ? m.meta.lane.ns : m.meta.step.ns;
    const ranked = m.meta.experiments.some(e => e.rank >= 0);
    const kind = laneKind.value || (ranked ? 'ranks'
        : m.meta.experiments.length > 1 && byThread.size > 12 ? 'processes' : 'threads');
    const calls = kind === 'ranks' ? callersOf(m) : null;
    const rows = new Map(), totals = [];
    for (const [t, states] of byThread) {
        const thread = m.threads[t];
        if (calls && (m.meta.experiments[thread.experiment].rank < 0 ||
            calls.size && !calls.has(t)))
            continue;
        const key = kind === 'threads' ? t : thread.experiment;
        let row = rows.get(key);
        if (!row)
            rows.set(key, row = {
                name: kind === 'threads' ? nameOf(m, thread)
                    : processOf(m, thread.experiment),
                threads: [], states: [], sum: 0,
                rank: m.meta.experiments[thread.experiment].rank,
            });
        row.threads.push(t);
        (real ? spread(states, stepNs) : states).forEach((ns, s) => {
            const to = row.states[s] || (row.states[s] = new Float64Array(count));
            for (let i = 0; i < count; i++) {
                to[i] += ns[i];
                row.sum += ns[i] * (real && s in WEIGHT ? WEIGHT[s] : 1);
                totals[s] = (totals[s] || 0) + ns[i];
            }
        });
    }
    let full = stepNs;
    const single = [...rows.values()].every(row => row.threads.length === 1);
    if (!real || !single)
        full = fullOf(rows.values(), count);
    const list = [...rows.values()];
    if (kind === 'ranks')
        list.sort((a, b) => a.rank - b.rank);
    else if (list.length > 12)
        list.sort((a, b) => b.sum - a.sum);
    return { rows: list, totals, full, stepNs, count, real, kind };
});

function timeOf(step) {
    return step * model.value.meta.step.ns;
}

/* From the start of the first process to the end of the last one. */
export function runNs() {
    return model.value.meta.experiments.reduce((most, e) => Math.max(most, e.from + e.ns),
        1);
}

function drawLanes(canvas, data, width, rowHeight, first, rows, shown) {
    const ratio = devicePixelRatio || 1, p = palette(), c = canvas.getContext('2d');
    const span = runNs(), room = width - LABEL - RIGHT, height = rows.length * rowHeight;
    canvas.width = width * ratio;
    canvas.height = Math.max(1, height) * ratio;
    c.scale(ratio, ratio);
    c.clearRect(0, 0, width, height);
    c.font = '11px ' + getComputedStyle(document.body).fontFamily;
    c.textBaseline = 'middle';
    const x = s => LABEL + s * 1e9 / span * room;
    const marks = () => {
        const lane = end => data.rows.findIndex(row => data.kind === 'threads'
            ? row.threads.includes(end.thread) || end.thread === undefined &&
                row.threads.some(t => model.value.threads[t].experiment === end.experiment)
            : row.threads.some(t => model.value.threads[t].experiment === end.experiment));
        const cache = new Map();
        const place = end => {
            const key = end.experiment + ' ' + end.thread;
            if (!cache.has(key))
                cache.set(key, lane(end));
            const at = cache.get(key);
            return at < 0 ? NaN : (at - first + 0.5) * rowHeight;
        };
        if (shown.list.length || shown.one)
            drawArrows(c, shown.list, x, place, shown.one);
    };
    if (data.regions) {
        rows.forEach((row, r) => drawRegions(c, row, r * rowHeight + 2, x));
        return;
    }
    rows.forEach((row, r) => {
        const base = (r + 1) * rowHeight - 1, tall = rowHeight - 4;
        const off = chosen.value && row.threads.length && !row.threads.some(t => chosen.value.has(t));
        c.globalAlpha = off ? 0.25 : 1;
        c.fillStyle = p.line;
        c.fillRect(LABEL, base, room, 1);
        const used = new Float64Array(room + 1);
        const order = row.states.map((s, i) => i).filter(i => row.states[i]);
        for (const s of order) {
            const sums = new Float64Array(room + 1), ns = row.states[s];
            for (let i = 0; i < data.count; i++) {
                if (!ns[i])
                    continue;
                const from = i * data.stepNs / span * room;
                const to = Math.min(room, (i + 1) * data.stepNs / span * room);
                const share = ns[i] / data.full;
                for (let x = Math.floor(from); x < to && x < room; x++) {
                    const part = Math.min(to, x + 1) - Math.max(from, x);
                    sums[x] += share * part;
                }
            }
            c.fillStyle = data.real ? STATE_COLOURS[s] : STATE_COLOURS[0];
            for (let x = 0; x < room; x++) {
                let h = sums[x] * tall;
                if (!h)
                    continue;
                h = Math.min(Math.max(h, 0.7), tall - used[x]);
                c.fillRect(LABEL + x, base - used[x] - h, 1, h);
                used[x] += h;
            }
        }
        c.globalAlpha = 1;
    });
    marks();
}

export function Lanes() {
    const box = useRef(), canvas = useRef(), [width, setWidth] = useState(1000);
    const [drag, setDrag] = useState(null), [scroll, setScroll] = useState(0);
    const data = lanes.value, m = model.value, span = runNs();
    const dark = theme.value, only = chosen.value, step = m.meta.step;
    useLayoutEffect(() => {
        const observer = new ResizeObserver(() =>
            setWidth(Math.max(LABEL + RIGHT + 40, box.current.clientWidth)));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    const count = data ? data.rows.length : 1;
    const rowHeight = data && data.regions ? 5 + data.levels * LEVEL
        : count === 1 ? 34 : count <= 4 ? 32 : count <= 8 ? 22 : 16;
    const seen = Math.min(count, Math.max(1, Math.floor(200 / rowHeight)), 9);
    const part = range.value, plain = data && !data.regions && !UNBOUND.includes(data.kind);
    const shown = useMemo(() => ({
        ...arrowsOf(m, plain ? arrows.value : '', part
            ? part[0] * step.ns / 1e9 : 0, part ? part[1] * step.ns / 1e9 : Infinity),
        one: plain ? pointedArrow(m, pointed.value) : null,
    }), [data, arrows.value, pointed.value, part]);
    const first = Math.min(Math.floor(scroll / rowHeight), Math.max(0, count - seen));
    const rows = data ? data.rows.slice(first, first + seen + 1) : [];
    useEffect(() => {
        if (data)
            drawLanes(canvas.current, data, width, rowHeight, first, rows, shown);
    });
    const room = width - LABEL - RIGHT;
    const stepAt = e => {
        const x = e.clientX - box.current.getBoundingClientRect().left - LABEL;
        return Math.max(0, Math.min(1, x / room)) * span / step.ns;
    };
    const select = (a, b) => {
        const from = Math.max(0, Math.floor(Math.min(a, b)));
        const to = Math.min(step.count, Math.ceil(Math.max(a, b)));
        selectTime(to > from ? [from, to] : null);
    };
    const down = e => {
        if (e.button || !ready.value ||
            e.clientX - box.current.getBoundingClientRect().left < LABEL)
            return;
        const a = stepAt(e);
        setDrag([a, a]);
        const move = ev => setDrag([a, stepAt(ev)]);
        const up = ev => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', up);
            setDrag(null);
            const b = stepAt(ev);
            if (Math.abs(b - a) * step.ns / span * room < 3)
                selectTime(null);
            else
                select(a, b);
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', up);
        e.preventDefault();
    };
    const mark = drag ? [Math.min(...drag), Math.max(...drag)] : range.value;
    const toX = s => LABEL + Math.min(span, s * step.ns) / span * room;
    const isOn = row => row.func !== undefined ? func.value === row.func
        : !!only && row.threads.length > 0 && row.threads.every(t => only.has(t));
    const choose = row => {
        if (!row.threads.length) {
            func.value = row.func === undefined ? func.value : row.func;
            return;
        }
        const on = only && row.threads.every(t => only.has(t)) &&
            only.size === row.threads.length;
        selectThreads(on ? null : new Set(row.threads));
    };
    const [tip, setTip] = useState(null);
    const hover = e => {
        if (!data || !data.regions)
            return;
        const at = box.current.getBoundingClientRect();
        const y = e.clientY - at.top + box.current.scrollTop, i = Math.floor(y / rowHeight);
        const text = data.rows[i] && regionAt(data.rows[i], stepAt(e) * step.ns / 1e9,
            Math.floor((y - i * rowHeight - 2) / LEVEL));
        setTip(text ? { text, x: e.clientX, y: e.clientY } : null);
    };
    return (
        <section class="lanes" aria-label="Time">
            <div class="rows" ref={box} onPointerDown={down} onMouseMove={hover}
                onMouseLeave={() => setTip(null)} tabIndex={count > seen ? 0 : -1}
                role="group" aria-label="Threads over time"
                style={{ height: seen * rowHeight + 'px' }}
                onScroll={e => setScroll(e.target.scrollTop)}>
                <div style={{ height: count * rowHeight + 'px' }}>
                    <canvas ref={canvas} aria-hidden="true" data-dark={dark}
                        style={{ top: first * rowHeight + 'px', width: width + 'px',
                            height: rows.length * rowHeight + 'px' }} />
                    {rows.map((row, i) => (
                        <button key={first + i} class="lane" aria-pressed={isOn(row)}
                        disabled={row.cpu !== undefined}
                        title={row.name + (row.threads.length ? ': select it alone' : '')}
                        style={{ top: (first + i) * rowHeight + 'px',
                            height: rowHeight + 'px', width: LABEL - 10 + 'px' }}
                        onClick={() => choose(row)}>{row.name}</button>))}
                    {mark && <div class="mark" style={{ left: toX(mark[0]) + 'px',
                        width: Math.max(2, toX(mark[1]) - toX(mark[0])) + 'px',
                        height: count * rowHeight + 'px' }} />}
                </div>
            </div>
            <div class="ticks" aria-hidden="true">
                {[0, 0.2, 0.4, 0.6, 0.8, 1].map(x => (
                    <span key={x} style={{ left: LABEL + x * room + 'px',
                        transform: 'translateX(' + -x * 100 + '%)' }}>
                        {moment(x * span, span)} s</span>))}
            </div>
            <Legend data={data} />
            {data && !UNBOUND.includes(data.kind) && <Arrows data={data} shown={shown} part={part} />}
            {tip && <div class="tip" style={{ left: Math.min(tip.x + 12, innerWidth - 380) +
                'px', top: tip.y + 16 + 'px' }}>{tip.text}</div>}
        </section>
    );
}

function Legend({ data }) {
    const m = model.value, step = m.meta.step, r = range.value;
    const set = (which, text) => {
        const at = Math.round(parseFloat(text) * 1e9 / step.ns);
        const now = r || [0, step.count];
        const next = which ? [now[0], at] : [at, now[1]];
        if (next[1] > next[0])
            selectTime([Math.max(0, next[0]), Math.min(step.count, next[1])]);
    };
    const at = s => moment(timeOf(s), Math.min(runNs(), 1e9));
    return (
        <div class="legend">
            <span class="states">{data && (data.real ? data.totals : []).map((ns, s) =>
                ns > 0 && <span key={s}><i class="key"
                    style={{ background: STATE_COLOURS[s] }} />
                {STATE_NAMES[s]} {(ns / 1e9).toFixed(3)} s</span>)}
            {data && !data.real && <span><i class="key"
                style={{ background: STATE_COLOURS[0] }} />
            {data.kind === 'processors' ? 'CPU time of this program'
                : m.meta.metrics[metric.value].title}{data.kind === 'functions' && (
                sorted.value.flavour === 'e' ? ' of functions themselves'
                    : ' of functions and what they call')}</span>}</span>
            {data && kindsOf(m).length > 1 && <label>lanes <select
                value={data.kind} onChange={e => (laneKind.value = e.target.value)}>
                {kindsOf(m).map(([k, title]) => <option value={k} key={k}>{title}
                </option>)}</select></label>}
            {data && !data.regions && !UNBOUND.includes(data.kind) && ARROWS.some(a => m.tables[a[2]]) && <label>arrows{' '}
                <select value={arrows.value} onChange={e => (arrows.value =
                    e.target.value)}><option value="">none</option>
                {ARROWS.filter(a => m.tables[a[2]]).map(([k, title]) =>
                    <option value={k} key={k}>{title}</option>)}</select></label>}
            <span class="grow" />
            {step.ns > step.finest && <span class="faint" title={'Events are kept in ' +
                'steps of this length, so that the page stays small; stacks are all there'}>
                {step.count > 1 ? `steps of ${duration(step.ns)}` : 'time is one step: too ' +
                    'many stacks and threads for more; er_print -filters selects times'}
            {step.apart && ', of all threads: there are too many stacks and threads to ' +
                'select both times and threads; er_print -filters does'}</span>}
            <label>from <input type="number" step="any" min="0" disabled={!ready.value}
                value={r ? at(r[0]) : ''} placeholder="0"
                onChange={e => set(0, e.target.value)} /></label>
            <label>to <input type="number" step="any" min="0" disabled={!ready.value}
                value={r ? at(r[1]) : ''} placeholder={moment(runNs(), Math.min(runNs(), 1e9))}
                onChange={e => set(1, e.target.value)} /> s</label>
            <button class="clear" disabled={!r && !chosen.value}
                title="Select all time and all threads" onClick={() => {
                    selectTime(null);
                    selectThreads(null);
                }}>Clear</button>
            <button class="copy" title={'Copy the er_print command that prints ' + (data &&
                data.kind === 'functions' ? 'what these functions have in all'
                : 'the timeline')}
                onClick={() => copy(data && data.kind === 'functions' ? command('functions')
                    : command('timeline', [{ processes: 'processes', processors: 'cpus',
                    ranks: 'processes', regions: 'regions' }[data && data.kind] ||
                    'threads']))}>$ er_print</button>
        </div>
    );
}

/* What of the arrows, or of the regions, is drawn, and what is not. */
function Arrows({ data, shown, part }) {
    const m = model.value, entry = ARROWS.find(a => a[0] === arrows.value);
    const table = data.regions ? 'instances' : entry && entry[2];
    if (!table)
        return null;
    const out = leftOut(m, table), where = part ? ' in what is selected' : '';
    const words = data.regions ? ['regions', ['instances']] : entry[3];
    const n = data.regions ? data.rows.reduce((k, row) => k + row.spans.length, 0)
        : shown.list.length;
    return (
        <div class="arrows"><span class="faint" role="status">
            {data.regions ? 'The ' + n + ' longest instances of regions are drawn'
                : n + ' ' + entry[1] + where + ' are drawn, the longest; a bar in the lane ' +
                    'is the wait, the arrow comes from the one waited for'}
            {!data.regions && shown.count > n && '; ' + (shown.count - n) + ' more are in ' +
                'this page'}
            {out > 0 && '; ' + out + ' shorter ones are not in this page'}.
            {arrows.value === 'messages' && !data.regions && ' Each lane begins with its ' +
                'own rank.'}</span>
        <button class="copy" title="Copy the er_print command that lists them"
            onClick={() => copy(whole(...words))}>$ {words[0]} {words[1][0]}</button></div>
    );
}

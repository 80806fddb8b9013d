/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of one thread in the order of time. */
import { useMemo, useState } from 'preact/hooks';
import { Boxes, useSize } from './canvas.jsx';
import { clean, duration, moment, short } from './format.js';
import { nameOf } from './lanes.jsx';
import { model, metric, func, chosen, range, search, selectTime,
    selectThreads, command, copy } from './state.js';
import { shade, kindOf } from './palette.js';

const THREADS = 200;
const GAP = 4; /* steps */

/* Threads that have any of a metric, [[thread, sum]]; those that ran most are first. */
function busiest(m, i) {
    const { thread, value, n } = m.cells, by = new Map();
    const cpu = m.meta.metrics.findIndex(d => d.name === 'totalcpu');
    for (let c = 0; c < n; c++) {
        const sum = by.get(thread[c]) || [0, 0];
        sum[0] += value[i][c];
        sum[1] += cpu < 0 ? 0 : value[cpu][c];
        by.set(thread[c], sum);
    }
    return [...by].filter(x => x[1][0] > 0).sort((a, b) => b[1][1] - a[1][1] ||
        b[1][0] - a[1][0]).map(([t, sum]) => [t, sum[0]]);
}

/*
 * Stacks as intervals of steps: { from, to, node of the tree, value }. A time ends in its
 * step, and reaches back to where the one before ends; what is counted fills its step.
 */
function intervals(m, i, thread) {
    const { cells, stacks } = m, { count, ns } = m.meta.step, out = [];
    const timed = m.meta.metrics[i].unit === 'ns', by = [];
    for (let c = 0; c < cells.n; c++)
        if (cells.thread[c] === thread && cells.value[i][c] > 0 && cells.step[c] < count)
            (by[cells.step[c]] = by[cells.step[c]] || []).push(c);
    let end = 0;
    by.forEach((list, step) => {
        const sum = list.reduce((v, c) => v + cells.value[i][c], 0);
        let at = timed ? Math.max(end, step + 1 - sum / ns) : step;
        const share = (step + 1 - at) / sum;
        /* Equal beginnings of stacks are beside each other. */
        list.sort((a, b) => stacks.tree[cells.node[a]] - stacks.tree[cells.node[b]]);
        for (const c of list) {
            const value = cells.value[i][c], to = at + value * share;
            out.push({ from: at, to, node: stacks.tree[cells.node[c]], value });
            at = to;
        }
        end = step + 1;
    });
    return out;
}

/*
 * Boxes { node, depth, from, to, value }. What has the same callers before and after a
 * short gap, of which nothing is known, is one box.
 */
function boxesOf(m, list) {
    const { tree } = m, out = [], open = [];
    for (const s of list) {
        const path = [];
        for (let n = s.node; n; n = tree.parent[n])
            path.unshift(n);
        const joined = open.length && s.from - open[0].to <= GAP;
        let k = 0;
        while (joined && k < path.length && k < open.length && open[k].node === path[k]) {
            open[k].to = s.to;
            open[k++].value += s.value;
        }
        open.length = k;
        for (; k < path.length; k++)
            out.push(open[k] = { node: path[k], depth: k, from: s.from, to: s.to,
                value: s.value });
    }
    return out;
}

/* Does a name have what is searched for? null: nothing is. */
function hitsOf(text) {
    if (!text)
        return null;
    try {
        const re = new RegExp(text, 'i');
        return name => re.test(name);
    } catch (e) {
        return name => name.toLowerCase().includes(text.toLowerCase());
    }
}

export function Order() {
    const m = model.value, i = metric.value, step = m.meta.step;
    if (step.apart || step.count < 2)
        return <p class="nothing">There are too many stacks and threads for the order of
            events in this page; er_export speedscope has all of it.</p>;
    return <Chart m={m} i={i} step={step} />;
}

function Chart({ m, i, step }) {
    const place = useSize([800, 300]), size = place[1], [focus, setFocus] = useState(null);
    const threads = useMemo(() => busiest(m, i), [m, i]), only = chosen.value;
    const shown = threads.filter(t => !only || only.has(t[0]));
    const thread = shown.length ? shown[0][0] : -1, d = m.meta.metrics[i];
    const all = useMemo(() => boxesOf(m, intervals(m, i, thread)), [m, i, thread]);
    const [from, to] = range.value || [0, step.count], hits = hitsOf(search.value.trim());
    const boxes = useMemo(() => {
        const scale = size[0] / (to - from), out = [];
        for (const b of all) {
            const x = Math.max(0, (b.from - from) * scale);
            const w = Math.min(size[0], (b.to - from) * scale) - x;
            if (w > 0 && b.to > from && b.from < to)
                out.push({ of: b, x, w, y: b.depth });
        }
        return out;
    }, [all, from, to, size[0]]);
    const functionOf = b => m.functions[m.tree.key[b.node]];
    const describe = b => clean(functionOf(b).name) + ' · ' + short(d, b.value) +
        ' · from ' + moment(b.from * step.ns, step.ns) + ' s, in ' +
        duration((b.to - b.from) * step.ns);
    const choose = b => {
        setFocus(b);
        func.value = m.tree.key[b.node];
    };
    const zoom = b => selectTime([Math.floor(b.from), Math.min(step.count,
        Math.max(Math.floor(b.from) + 1, Math.ceil(b.to)))]);
    const onKey = e => {
        const at = boxes.findIndex(k => k.of === focus), now = boxes[Math.max(0, at)];
        const near = (list, depth) => list.find(k => k.y === depth);
        if (!now)
            return;
        const depth = now.y, back = boxes.slice(0, Math.max(0, at)).reverse();
        const next = at < 0 ? now : { ArrowRight: near(boxes.slice(at + 1), depth),
            ArrowLeft: near(back, depth), ArrowUp: near(back, depth - 1),
            ArrowDown: near(boxes.slice(at + 1), depth + 1) }[e.key];
        if (e.key.startsWith('Arrow') && next)
            choose(next.of);
        else if (e.key === 'Enter' && focus)
            zoom(focus);
        else
            return;
        e.preventDefault();
    };
    const look = {
        colour: (b, p) => shade(p[kindOf(m, m.tree.key[b.node])], functionOf(b).name),
        text: b => clean(functionOf(b).name),
        hit: b => hits ? hits(functionOf(b).name) : null,
    };
    return (
        <section class="flame order" aria-label="Stacks in the order of time">
            <div class="tools">
                <label>thread <select value={thread} onChange={e =>
                    selectThreads(new Set([Number(e.target.value)]))}>
                    {threads.slice(0, THREADS).map(([t]) => <option key={t} value={t}>
                        {nameOf(m, m.threads[t])}</option>)}
                    {thread >= 0 && !threads.slice(0, THREADS).some(t => t[0] === thread) &&
                        <option value={thread}>{nameOf(m, m.threads[thread])}</option>}
                </select></label>
                <span class="grow" />
                {shown.length > 0 && <span class="faint">{d.title} {short(d, shown[0][1])}
                    {' '}of the whole run</span>}
                <button class="copy" title={'Copy the er_print command that prints these ' +
                    'stacks, summed up'}
                onClick={() => copy(command('stacks', [], null, thread))}>
                    $ er_print</button>
            </div>
            <Boxes place={place} boxes={boxes} focus={focus} name="order"
                label="Stacks over time: arrows move, Enter selects the time of a box"
                look={look} describe={describe} hint=" · two clicks select this time"
                on={{ key: onKey, click: choose, double: zoom }} />
        </section>
    );
}

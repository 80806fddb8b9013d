/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of one thread in the order of time. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { clean, duration, moment, short } from './format.js';
import { nameOf } from './lanes.jsx';
import { model, metric, func, chosen, range, search, theme, selectTime,
    selectThreads, command, copy } from './state.js';
import { palette, shade, kindOf } from './palette.js';

const ROW = 19, LEAST = 0.5, THREADS = 200, LISTED = 250;
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

function draw(canvas, boxes, width, height, focus, hits) {
    const ratio = devicePixelRatio || 1, p = palette(), c = canvas.getContext('2d');
    const m = model.value;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    c.scale(ratio, ratio);
    c.fillStyle = p.ground;
    c.fillRect(0, 0, width, height);
    c.font = '12px ' + getComputedStyle(document.body).fontFamily;
    c.textBaseline = 'middle';
    for (const { b, x, w } of boxes) {
        const f = m.tree.key[b.node], { name } = m.functions[f], y = b.depth * ROW;
        const hit = hits && hits(name);
        c.globalAlpha = hits && !hit ? 0.45 : 1;
        c.fillStyle = hit ? p.found : shade(p[kindOf(m, f)], name);
        c.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), LEAST), ROW - 1);
        c.globalAlpha = 1;
        if (w > 26) {
            c.save();
            c.beginPath();
            c.rect(x, y, w - 4, ROW);
            c.clip();
            c.fillStyle = p.ink;
            c.fillText(clean(name), x + 5, y + ROW / 2);
            c.restore();
        }
        if (b === focus) {
            c.strokeStyle = p.focus;
            c.lineWidth = 2;
            c.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), ROW - 3);
        }
    }
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
    const box = useRef(), canvas = useRef(), [size, setSize] = useState([800, 300]);
    const [focus, setFocus] = useState(null), [tip, setTip] = useState(null);
    const threads = useMemo(() => busiest(m, i), [m, i]), only = chosen.value;
    const shown = threads.filter(t => !only || only.has(t[0])), dark = theme.value;
    const thread = shown.length ? shown[0][0] : -1, d = m.meta.metrics[i];
    const all = useMemo(() => boxesOf(m, intervals(m, i, thread)), [m, i, thread]);
    const [from, to] = range.value || [0, step.count], hits = hitsOf(search.value.trim());
    const boxes = useMemo(() => {
        const scale = size[0] / (to - from), out = [];
        for (const b of all) {
            const x = Math.max(0, (b.from - from) * scale);
            const w = Math.min(size[0], (b.to - from) * scale) - x;
            if (w > 0 && b.to > from && b.from < to)
                out.push({ b, x, w });
        }
        return out;
    }, [all, from, to, size[0]]);
    const deepest = boxes.reduce((n, x) => Math.max(n, x.b.depth), 0);
    const height = Math.max((deepest + 1) * ROW + 4, size[1]);
    useLayoutEffect(() => {
        const observer = new ResizeObserver(() =>
            setSize([box.current.clientWidth, box.current.clientHeight - 4]));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    useEffect(() => draw(canvas.current, boxes, size[0], height, focus, hits));
    const functionOf = b => m.functions[m.tree.key[b.node]];
    const describe = b => clean(functionOf(b).name) + ' · ' + short(d, b.value) +
        ' · from ' + moment(b.from * step.ns, step.ns) + ' s, in ' +
        duration((b.to - b.from) * step.ns);
    const hit = e => {
        const r = canvas.current.getBoundingClientRect();
        const x = e.clientX - r.left, y = Math.floor((e.clientY - r.top) / ROW);
        const at = boxes.find(k => k.b.depth === y && x >= k.x &&
            x < k.x + Math.max(k.w, 1));
        return at && at.b;
    };
    const choose = b => {
        setFocus(b);
        func.value = m.tree.key[b.node];
    };
    const zoom = b => selectTime([Math.floor(b.from), Math.min(step.count,
        Math.max(Math.floor(b.from) + 1, Math.ceil(b.to)))]);
    const onKey = e => {
        const at = boxes.findIndex(k => k.b === focus), now = boxes[Math.max(0, at)];
        const near = (list, depth) => list.find(k => k.b.depth === depth);
        if (!now)
            return;
        const { depth } = now.b, back = boxes.slice(0, Math.max(0, at)).reverse();
        const next = at < 0 ? now : { ArrowRight: near(boxes.slice(at + 1), depth),
            ArrowLeft: near(back, depth), ArrowUp: near(back, depth - 1),
            ArrowDown: near(boxes.slice(at + 1), depth + 1) }[e.key];
        if (e.key.startsWith('Arrow') && next)
            choose(next.b);
        else if (e.key === 'Enter' && focus)
            zoom(focus);
        else
            return;
        e.preventDefault();
    };
    const listed = boxes.filter(k => k.w > 24 || k.b === focus).slice(0, LISTED);
    const idOf = k => 'order-' + boxes.indexOf(k);
    const focused = listed.find(k => k.b === focus);
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
            <div class="canvas" ref={box} tabIndex="0" role="tree"
                aria-label="Stacks over time: arrows move, Enter selects the time of a box"
                aria-activedescendant={focused ? idOf(focused) : undefined}
                onKeyDown={onKey}>
                <canvas ref={canvas} aria-hidden="true" data-dark={dark}
                    style={{ width: size[0] + 'px', height: height + 'px' }}
                    onClick={e => hit(e) && choose(hit(e))}
                    onDblClick={e => hit(e) && zoom(hit(e))}
                    onMouseMove={e => {
                        const b = hit(e);
                        setTip(b ? { text: describe(b) + ' · two clicks select this time', x: e.clientX, y: e.clientY } : null);
                    }}
                    onMouseLeave={() => setTip(null)} />
                <div class="hidden" role="presentation">
                    {listed.map(k => (
                        <div role="treeitem" id={idOf(k)} key={idOf(k)}
                            aria-level={k.b.depth + 1} aria-selected={k.b === focus}>
                            {describe(k.b)}</div>))}
                </div>
                {!boxes.length && <p class="nothing">
                    Nothing of this metric is in what is selected.</p>}
            </div>
            {tip && <div class="tip" style={{ left: Math.min(tip.x + 12,
                innerWidth - 380) + 'px', top: tip.y + 16 + 'px' }}>{tip.text}</div>}
        </section>
    );
}

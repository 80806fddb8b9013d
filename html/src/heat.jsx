/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map of a metric over time: a column is a second, or another span, a row is a part of
 * it. What returns at the same moment of each second is seen as a line.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { Tip, begin, useSize } from './canvas.jsx';
import { clean, duration, moment, short } from './format.js';
import { runNs } from './lanes.jsx';
import { model, metric, func, mask, chosen, range, theme, selectTime, command, copy }
    from './state.js';
import { mix } from './palette.js';

const LEFT = 64, RIGHT = 12, ABOVE = 6, BELOW = 20; /* px around the map */
const ROWS = 250, COLUMNS = 2; /* rows at most, columns at least */
const WISHED = 25; /* rows, where seconds would have too many, or too few columns */

const only = signal(false); /* what is selected in the table of functions alone */
const wanted = signal(0); /* ns of a column, 0 = what fits best */

/* Spans that a column may have: whole steps, at most ROWS of them. */
function spansOf({ ns, count }) {
    const out = [];
    for (let unit = 1; unit <= 1e12; unit *= 10)
        for (const k of [1, 2, 5])
            out.push(k * unit);
    out.push(60e9, 600e9, 3600e9);
    const whole = [...new Set(out)].filter(s => s % ns === 0 && s / ns >= 2 &&
        s / ns <= ROWS && Math.ceil(runNs() / s) >= COLUMNS).sort((a, b) => a - b);
    const rough = Math.max(2, Math.ceil(Math.sqrt(count / 2))) * ns;
    return whole.length ? whole : [rough];
}

function bestOf(spans, ns) {
    if (spans.includes(1e9) && runNs() >= 8e9 && ns <= 125e6)
        return 1e9;
    const off = s => Math.abs(Math.log(s / ns / WISHED));
    return spans.reduce((a, b) => (off(b) < off(a) ? b : a));
}

/* What of a metric is in each step; f: with functions of this name on the stack, or -1. */
function stepsOf(m, i, f) {
    const { count } = m.meta.step, out = new Float64Array(count), c = m.times || m.cells;
    const { tree, stacks } = m, on = new Uint8Array(tree.n), set = m.times ? null : mask.value;
    const name = f >= 0 ? m.functions[f].name : '';
    for (let n = 1; n < tree.n; n++)
        on[n] = f < 0 || on[tree.parent[n]] || m.functions[tree.key[n]].name === name
            ? 1 : 0;
    on[0] = f < 0 ? 1 : 0;
    for (let k = 0; k < c.n; k++)
        if (c.step[k] < count && (!set || set[c.thread[k]]) && on[stacks.tree[c.node[k]]])
            out[c.step[k]] += c.value[i][k];
    return out;
}

const escaped = name => name.replace(/[.*+?()[\]{}|^$\\]/g, '\\$&').replace(/"/g, '.');

/* The command that prints a row for each step. */
function commandOf(m, i, f) {
    const name = f >= 0 ? 'FNAME("' + escaped(m.functions[f].name) + '") SOME IN STACK'
        : '';
    return command('indxobj_define', ['Step', 'TSTAMP / ' + m.meta.step.ns, '-indxobj',
        'Step'], [[i, 'e', '.']], -1, name);
}

/* What tests ask. */
export const heatOf = () => {
    const m = model.value, f = only.value ? func.value : -1;
    return { steps: [...stepsOf(m, metric.value, f)], command: commandOf(m, metric.value, f) };
};

function draw(canvas, [width, height], map, values, most, part, at, m) {
    const { c, p } = begin(canvas, width, height, 11), { per, columns, x, y, w, h } = map;
    const { ns, count } = m.meta.step, span = per * ns;
    c.fillStyle = p.root;
    c.fillRect(x(0), ABOVE, w * columns, h * per);
    for (let s = 0; s < count; s++) {
        if (!(values[s] > 0) || Math.floor(s / per) >= columns)
            continue;
        c.fillStyle = mix(p.cold, p.hot, Math.sqrt(values[s] / most));
        c.fillRect(x(s), y(s), w > 5 ? w - 1 : w + 0.3, h > 5 ? h - 1 : h + 0.3);
    }
    c.fillStyle = p.faint;
    c.textAlign = 'center';
    const every = Math.max(1, Math.ceil(64 / w));
    for (let k = 0; k < columns; k += every)
        if (LEFT + k * w + 24 < width)
            c.fillText(moment(k * span, span * 100), Math.max(LEFT + 14, LEFT + k * w +
                (every > 1 ? 0 : w / 2)), height - 9);
    c.textAlign = 'right';
    const rows = Math.max(1, Math.ceil(per * 26 / (h * per)));
    for (let r = 0; r < per; r += rows)
        c.fillText('+' + moment(r * ns, Math.max(span, 1)), LEFT - 6, y(r) + Math.max(h / 2, 5));
    c.strokeStyle = p.focus;
    c.lineWidth = 2;
    const edge = (from, to) => { /* what is selected has a frame in each column */
        for (let k = Math.floor(from / per); k * per < to; k++) {
            const a = Math.max(from, k * per), b = Math.min(to, (k + 1) * per);
            c.strokeRect(LEFT + k * w + 0.5, y(a) + 0.5, Math.max(2, w - 1.5),
                Math.max(2, (b - a) * h - 1));
        }
    };
    if (part)
        edge(part[0], Math.min(part[1], columns * per));
    if (at >= 0) {
        c.strokeStyle = p.arrow;
        edge(at, at + 1);
    }
}

export function Heat() {
    const { step } = model.value.meta;
    if (step.count < 4)
        return <p class="nothing">There are too many stacks and threads for a map over
            time in this page; er_print -indxobj Seconds prints one.</p>;
    return <Picture />;
}

function Picture() {
    const m = model.value, { ns, count, apart } = m.meta.step, i = metric.value;
    const d = m.meta.metrics[i], canvas = useRef(), place = useSize([800, 300]);
    const [box, size] = place, [at, setAt] = useState(-1), [from, setFrom] = useState(-1);
    const [tip, setTip] = useState(null), dark = theme.value, part = range.value;
    const f = only.value && func.value > 0 ? func.value : -1, spans = spansOf(m.meta.step);
    const values = useMemo(() => stepsOf(m, i, f), [m, i, f, mask.value]);
    const span = spans.includes(wanted.value) ? wanted.value : bestOf(spans, ns);
    const per = Math.round(span / ns), columns = Math.max(1, Math.ceil(runNs() / span));
    const sorted = useMemo(() => [...values].filter(v => v > 0).sort((a, b) => a - b),
        [values]);
    const most = sorted.length ? sorted[sorted.length - 1] : 0;
    const w = (size[0] - LEFT - RIGHT) / columns;
    const h = Math.max(1, (size[1] - ABOVE - BELOW) / per);
    const map = { per, columns, w, h, x: s => LEFT + Math.floor(s / per) * w,
        y: s => ABOVE + s % per * h };
    const height = Math.max(size[1], ABOVE + per * h + BELOW);
    useEffect(() => draw(canvas.current, [size[0], height], map, values, most, part, at,
        m));
    const hit = e => {
        const r = canvas.current.getBoundingClientRect();
        const k = Math.floor((e.clientX - r.left - LEFT) / w);
        const row = Math.floor((e.clientY - r.top - ABOVE) / h), s = k * per + row;
        return k >= 0 && k < columns && row >= 0 && row < per && s < count ? s : -1;
    };
    const say = s => moment(s * ns, ns) + ' to ' + moment((s + 1) * ns, ns) + ' s · ' +
        d.title + ' ' + short(d, values[s]);
    const select = (a, b) => selectTime([Math.min(a, b), Math.max(a, b) + 1]);
    const down = e => {
        const a = hit(e);
        if (a < 0 || e.button)
            return;
        const move = ev => {
            const b = hit(ev);
            if (b >= 0)
                select(a, b);
        };
        const up = () => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', up);
        };
        setAt(a);
        select(a, a);
        addEventListener('pointermove', move);
        addEventListener('pointerup', up);
        e.preventDefault();
        box.current.focus();
    };
    const onKey = e => {
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + per,
            ArrowLeft: at - per, Home: 0, End: count - 1 }[e.key];
        if (e.key === 'Enter' && at >= 0) {
            select(at, at);
        } else if (to !== undefined) {
            const next = at < 0 ? 0 : Math.max(0, Math.min(count - 1, to));
            const begun = e.shiftKey ? from >= 0 ? from : Math.max(0, at) : -1;
            setFrom(begun);
            setAt(next);
            if (e.shiftKey)
                select(begun, next);
        } else {
            return;
        }
        e.preventDefault();
    };
    const now = at >= 0 && at < count ? at : -1;
    return (
        <section class="flame heat" aria-label="Heat map">
            <div class="tools">
                <label>a column is <select value={span}
                    onChange={e => (wanted.value = Number(e.target.value))}>
                    {spans.map(s => <option key={s} value={s}>{duration(s)}</option>)}
                </select></label>
                <label><input type="checkbox" checked={only.value}
                    onChange={e => (only.value = e.target.checked)} /> only
                    {' '}<code>{func.value > 0 ? clean(m.functions[func.value].name).slice(0, 40)
                        : 'the selected function'}</code></label>
                <span class="keys"><i class="scale" aria-hidden="true" /> up to {short(d, most)} in{' '}
                    {duration(ns)}</span>
                <span class="grow" />
                {apart && chosen.value && <span class="warn">This is of all threads.</span>}
                <span class="faint" role="status">{now >= 0 ? say(now) : d.title}</span>
                <button class="copy" title="Copy the er_print command that prints these steps"
                    onClick={() => copy(commandOf(m, i, f))}>$ er_print</button>
            </div>
            <div class="canvas" ref={box} tabIndex="0" role="slider" onKeyDown={onKey}
                aria-label={'Heat map: arrows move, Enter selects a moment, with Shift ' +
                    'they select more'} aria-valuemin="0" aria-valuemax={count - 1}
                aria-valuenow={Math.max(0, now)} aria-valuetext={say(Math.max(0, now))}>
                <canvas ref={canvas} aria-hidden="true" data-dark={dark}
                    style={{ width: size[0] + 'px', height: height + 'px' }}
                    onPointerDown={down}
                    onMouseMove={e => {
                        const s = hit(e);
                        setTip(s >= 0 ? { text: say(s), x: e.clientX, y: e.clientY } : null);
                    }}
                    onMouseLeave={() => setTip(null)} />
                {!sorted.length && <p class="nothing">Nothing of this metric is in what is
                    selected.</p>}
            </div>
            <Tip tip={tip} />
        </section>
    );
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A canvas below the lanes and as wide as they are, of steps of time: what is drawn is the
 * caller's. Dragging over it selects a part of the time, for all views.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bytes } from './format.js';
import { model, range, theme, selectTime, selectSeconds } from './state.js';
import { palette } from './palette.js';
import { LABEL, RIGHT, runNs } from './lanes.jsx';

export const TALL = 150, ABOVE = 18;
const BELOW = 8, MARKS = [1, 0.75, 0.5, 0.25, 0];

/* [from, to) of the selection in seconds, null = all time. */
export function selected() {
    const { ns } = model.value.meta.step, part = range.value;
    return part && [part[0] * ns / 1e9, part[1] * ns / 1e9];
}

/* Those of the steps, each with from and to in seconds, that reach into the selection. */
export function within(steps) {
    const part = selected();
    return part ? steps.filter(r => r.to > part[0] && r.from < part[1]) : steps;
}

/* A little more than the most, so that its marks are plain numbers. */
export function topOf(most, isBytes) {
    let unit = 1;
    while (unit * (isBytes ? 1024 : 1000) <= most)
        unit *= isBytes ? 1024 : 1000;
    const v = most / unit, step = v <= 4 ? 0.4 : v <= 10 ? 2 : v <= 40 ? 4 : v <= 100 ? 20
        : v <= 400 ? 40 : 200;
    return Math.max(4, Math.ceil(v / step) * step * unit);
}

/*
 * A context, ready to draw: { c, p, x(seconds), y(value), right }, with marks at the left
 * and what is not selected covered by a call of shade().
 */
function prepare(canvas, width, most, isBytes) {
    const ratio = devicePixelRatio || 1, p = palette(), c = canvas.getContext('2d');
    const room = width - LABEL - RIGHT, span = runNs() / 1e9, top = topOf(most, isBytes);
    const x = s => LABEL + s / span * room, y = v => ABOVE + (1 - v / top) * TALL;
    canvas.width = width * ratio;
    canvas.height = (TALL + ABOVE + BELOW) * ratio;
    c.scale(ratio, ratio);
    c.font = '11px ' + getComputedStyle(document.body).fontFamily;
    c.textBaseline = 'middle';
    for (const share of MARKS) {
        c.fillStyle = p.line;
        c.fillRect(LABEL, Math.round(y(top * share)), room, 1);
        c.fillStyle = p.faint;
        c.textAlign = 'right';
        c.fillText(isBytes ? bytes(top * share) : String(Math.round(top * share)), LABEL - 8,
            y(top * share));
    }
    const shade = () => {
        const part = selected();
        if (!part)
            return;
        c.globalAlpha = 0.6;
        c.fillStyle = p.ground;
        c.fillRect(LABEL, ABOVE - 1, x(part[0]) - LABEL, TALL);
        c.fillRect(x(Math.min(span, part[1])), ABOVE - 1, LABEL + room -
            x(Math.min(span, part[1])), TALL);
        c.globalAlpha = 1;
    };
    return { c, p, x, y, shade, right: LABEL + room };
}

/*
 * steps: [{ from, to }]; at: the one that the pointer or the keyboard is at, -1 = none;
 * draw(context); say(step): a sentence; tip: shown at the pointer.
 */
export function Plot({ label, steps, at, onAt, most, isBytes, draw, say, tip, whole }) {
    const box = useRef(), canvas = useRef(), [width, setWidth] = useState(1000);
    const [drag, setDrag] = useState(null), [where, setWhere] = useState(null);
    const dark = theme.value, part = range.value, span = runNs() / 1e9;
    const { ns } = model.value.meta.step, room = width - LABEL - RIGHT;
    useLayoutEffect(() => {
        const observer = new ResizeObserver(() =>
            setWidth(Math.max(LABEL + RIGHT + 40, box.current.clientWidth)));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    useEffect(() => draw(prepare(canvas.current, width, most, isBytes)));
    const timeAt = e => Math.max(0, Math.min(span, (e.clientX -
        box.current.getBoundingClientRect().left - LABEL) / room * span));
    const find = e => {
        const t = timeAt(e);
        return steps.findIndex(r => t >= r.from && t < r.to);
    };
    const onKey = e => {
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length - 1,
            PageDown: at + 20, PageUp: at - 20 }[e.key];
        if (to !== undefined)
            onAt(Math.max(0, Math.min(steps.length - 1, to)));
        else if (e.key === 'Enter' && steps[at])
            selectSeconds(steps[at].from, steps[at].to);
        else
            return;
        e.preventDefault();
    };
    const down = e => {
        if (e.button || e.clientX - box.current.getBoundingClientRect().left < LABEL)
            return;
        const a = timeAt(e), move = ev => setDrag([a, timeAt(ev)]), up = ev => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', up);
            setDrag(null);
            const b = timeAt(ev);
            if (Math.abs(b - a) / span * room < 3)
                selectTime(null);
            else
                selectSeconds(Math.min(a, b), Math.max(a, b));
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', up);
        e.preventDefault();
    };
    const mark = drag ? [Math.min(...drag), Math.max(...drag)]
        : part && [part[0] * ns / 1e9, Math.min(span, part[1] * ns / 1e9)];
    const now = steps[at], text = say(now || whole);
    return (
        <div class="plot" ref={box} tabIndex="0" role="slider" onKeyDown={onKey}
            aria-label={label + ': arrows go from step to step, Enter selects the time'}
            aria-valuemin="0" aria-valuemax={Math.max(0, steps.length - 1)}
            aria-valuenow={Math.max(0, at)} aria-valuetext={text} onPointerDown={down}
            onMouseMove={e => {
                onAt(find(e));
                setWhere([e.clientX, e.clientY]);
            }} onMouseLeave={() => {
                onAt(-1);
                setWhere(null);
            }}>
            <canvas ref={canvas} aria-hidden="true" data-dark={dark}
                style={{ width: width + 'px', height: TALL + ABOVE + BELOW + 'px' }} />
            {mark && <div class="mark" style={{ height: TALL + ABOVE + 'px',
                left: LABEL + mark[0] / span * room + 'px',
                width: Math.max(2, (mark[1] - mark[0]) / span * room) + 'px' }} />}
            {tip && now && where && !drag && <div class="tip" style={{
                left: Math.max(4, Math.min(where[0] + 14, innerWidth - 420)) + 'px',
                top: where[1] + 18 + 'px' }}>{tip(now)}</div>}
        </div>
    );
}

/* [{ name, steps }] of rows with an experiment each. */
export function byExperiment(got) {
    const by = new Map();
    for (const t of got.tables || [got])
        for (const r of t.rows) {
            if (!by.has(r.experiment))
                by.set(r.experiment, []);
            by.get(r.experiment).push(r);
        }
    return [...by].map(([name, rows]) => ({ name, rows }));
}

export const leftOutOf = got => (got.tables || [got]).some(t => t.left_out > 0);

/* SPDX-License-Identifier: Apache-2.0 */
/* What processes held of the heap over time, below the lanes and as wide as they are. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bytes, clean } from './format.js';
import { model, range, theme, whole, copy } from './state.js';
import { palette } from './palette.js';
import { LABEL, RIGHT, runNs } from './lanes.jsx';

const TALL = 150, ABOVE = 18, BELOW = 8, MARKS = [1, 0.75, 0.5, 0.25];

/* [{ name, rows, peak }]: rows as er_print lists them; peak: the row with most. */
function curvesOf(m) {
    const by = new Map(), got = m.tables.heaptime.got;
    for (const t of got.tables || [got])
        for (const r of t.rows) {
            if (!by.has(r.experiment))
                by.set(r.experiment, []);
            by.get(r.experiment).push(r);
        }
    return [...by].map(([name, rows]) => ({ name, rows,
        peak: rows.reduce((a, r) => (r.most > a.most ? r : a), rows[0]) }));
}

/* A little more than the peak, so that its marks are plain numbers. */
function topOf(peak) {
    let unit = 1;
    while (unit * 1024 <= peak)
        unit *= 1024;
    const v = peak / unit, step = v <= 4 ? 0.4 : v <= 10 ? 2 : v <= 40 ? 4 : v <= 100 ? 20
        : v <= 400 ? 40 : 200;
    return Math.max(4, Math.ceil(v / step) * step * unit);
}

function draw(canvas, curve, width, at) {
    const ratio = devicePixelRatio || 1, p = palette(), c = canvas.getContext('2d');
    const room = width - LABEL - RIGHT, span = runNs() / 1e9, top = topOf(curve.peak.most);
    const x = s => LABEL + s / span * room, y = v => ABOVE + (1 - v / top) * TALL;
    const { rows, peak } = curve;
    canvas.width = width * ratio;
    canvas.height = (TALL + ABOVE + BELOW) * ratio;
    c.scale(ratio, ratio);
    c.font = '11px ' + getComputedStyle(document.body).fontFamily;
    c.textBaseline = 'middle';
    for (const share of [...MARKS, 0]) {
        c.fillStyle = p.line;
        c.fillRect(LABEL, Math.round(y(top * share)), room, 1);
        c.fillStyle = p.faint;
        c.textAlign = 'right';
        c.fillText(bytes(top * share), LABEL - 8, y(top * share));
    }
    const path = new Path2D();
    path.moveTo(x(rows[0].from), y(0));
    for (const r of rows) {
        path.lineTo(x(r.from), y(r.most));
        path.lineTo(x(r.to), y(r.most));
    }
    path.lineTo(x(rows[rows.length - 1].to), y(0));
    c.fillStyle = p.curve;
    c.globalAlpha = 0.28;
    c.fill(path);
    c.globalAlpha = 1;
    c.strokeStyle = p.curve;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x(rows[0].from), y(0));
    for (const r of rows) {
        c.lineTo(x(r.from), y(r.most));
        c.lineTo(x(r.to), y(r.left));
    }
    c.stroke();
    c.fillStyle = p.focus;
    const px = x((peak.from + peak.to) / 2), py = y(peak.most);
    c.beginPath();
    c.arc(px, py, 4, 0, 7);
    c.fill();
    c.fillStyle = p.ink;
    c.textAlign = px > width - 200 ? 'right' : 'left';
    c.fillText('peak ' + bytes(peak.most), px + (px > width - 200 ? -9 : 9),
        Math.max(8, py - 9));
    if (at >= 0) {
        c.fillStyle = p.focus;
        c.fillRect(x(rows[at].from), ABOVE, Math.max(1, x(rows[at].to) - x(rows[at].from)),
            TALL);
    }
}

const say = r => r.from.toFixed(3) + ' to ' + r.to.toFixed(3) + ' s: at most ' + r.most +
    ' bytes (' + bytes(r.most) + '), ' + r.left + ' at its end';

export function HeapCurve() {
    const box = useRef(), canvas = useRef(), [width, setWidth] = useState(1000);
    const [which, setWhich] = useState(0), [at, setAt] = useState(-1);
    const m = model.value, curves = curvesOf(m), curve = curves[which], dark = theme.value;
    useLayoutEffect(() => {
        const observer = new ResizeObserver(() =>
            setWidth(Math.max(LABEL + RIGHT + 40, box.current.clientWidth)));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (curve)
            draw(canvas.current, curve, width, at);
    });
    if (!curve)
        return <div ref={box} />;
    const { rows } = curve, room = width - LABEL - RIGHT, span = runNs() / 1e9;
    const find = e => {
        const t = (e.clientX - box.current.getBoundingClientRect().left - LABEL) / room * span;
        return rows.findIndex(r => t >= r.from && t < r.to);
    };
    const onKey = e => {
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: rows.length - 1,
            PageDown: at + 20, PageUp: at - 20 }[e.key];
        if (to === undefined)
            return;
        setAt(Math.max(0, Math.min(rows.length - 1, to)));
        e.preventDefault();
    };
    const ns = m.meta.step.ns / 1e9, marked = range.value;
    const left = m.tables.heaptime.got;
    const out = (left.tables || [left]).some(t => t.left_out > 0);
    return (
        <section class="curve" aria-label="Heap over time">
            <div class="tools"><b>Heap over time</b>
                {curves.length > 1 && <label>of <select value={which} onChange={e =>
                    setWhich(Number(e.target.value))}>{curves.map((c, i) =>
                        <option value={i} key={c.name}>{clean(c.name)}, peak{' '}
                            {bytes(c.peak.most)}</option>)}</select></label>}
                {out && <span class="faint">The processes that held most are here; er_print
                    has all.</span>}
                <span class="faint" role="status">{say(rows[at] || curve.peak)}</span>
                <span class="grow" />
                <button class="copy" title="Copy the er_print command that prints these steps"
                    onClick={() => copy(whole('heapstat', ['time', '512']))}>$ er_print
                </button></div>
            <div class="plot" ref={box} tabIndex="0" role="slider" onKeyDown={onKey}
                aria-label="Heap over time: arrows go from step to step" aria-valuemin="0"
                aria-valuemax={rows.length - 1} aria-valuenow={Math.max(0, at)}
                aria-valuetext={say(rows[at] || curve.peak)}
                onMouseMove={e => setAt(find(e))} onMouseLeave={() => setAt(-1)}>
                <canvas ref={canvas} aria-hidden="true" data-dark={dark}
                    style={{ width: width + 'px', height: TALL + ABOVE + BELOW + 'px' }} />
                {marked && <div class="mark" style={{ height: TALL + ABOVE + 'px',
                    left: LABEL + marked[0] * ns / span * room + 'px',
                    width: Math.max(2, (Math.min(span, marked[1] * ns) - marked[0] * ns) /
                        span * room) + 'px' }} />}
            </div>
        </section>
    );
}

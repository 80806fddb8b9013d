/* SPDX-License-Identifier: Apache-2.0 */
/* What processes held of the heap over time. */
import { useState } from 'preact/hooks';
import { bytes, clean } from './format.js';
import { model, range, whole, copy } from './state.js';
import { Plot, TALL, ABOVE, byExperiment, leftOutOf, within } from './plot.jsx';

const mostOf = rows => rows.reduce((a, r) => (r.most > a.most ? r : a), rows[0]);

function draw({ c, p, x, y, shade, right }, rows, peak, at) {
    const path = new Path2D(), last = rows[rows.length - 1];
    path.moveTo(x(rows[0].from), y(0));
    for (const r of rows) {
        path.lineTo(x(r.from), y(r.most));
        path.lineTo(x(r.to), y(r.most));
    }
    path.lineTo(x(last.to), y(0));
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
    shade();
    if (peak) {
        const px = x((peak.from + peak.to) / 2), py = y(peak.most), back = px > right - 180;
        c.fillStyle = p.focus;
        c.beginPath();
        c.arc(px, py, 4, 0, 7);
        c.fill();
        c.fillStyle = p.ink;
        c.textAlign = back ? 'right' : 'left';
        c.fillText((range.value ? 'most ' : 'peak ') + bytes(peak.most), px + (back ? -9 : 9),
            Math.max(8, py - 9));
    }
    if (rows[at]) {
        c.fillStyle = p.focus;
        c.fillRect(x(rows[at].from), ABOVE, Math.max(1, x(rows[at].to) - x(rows[at].from)),
            TALL);
    }
}

const say = r => r ? r.from.toFixed(3) + ' to ' + r.to.toFixed(3) + ' s: at most ' + r.most +
    ' bytes (' + bytes(r.most) + '), ' + r.left + ' at its end'
    : 'No event of the heap is in what is selected';

export function HeapCurve() {
    const [which, setWhich] = useState(0), [at, setAt] = useState(-1);
    const { got } = model.value.tables.heaptime, curves = byExperiment(got);
    const curve = curves[which];
    if (!curve)
        return null;
    const { rows } = curve, part = within(rows), peak = mostOf(part);
    return (
        <section class="curve" aria-label="Heap over time">
            <div class="tools"><b>Heap over time</b>
                {curves.length > 1 && <label>of <select value={which} onChange={e =>
                    setWhich(Number(e.target.value))}>{curves.map((c, i) =>
                        <option value={i} key={c.name}>{clean(c.name)}, peak{' '}
                            {bytes(mostOf(c.rows).most)}</option>)}</select></label>}
                {leftOutOf(got) && <span class="faint">The processes that held most are here;
                    er_print has all.</span>}
                <span class="faint" role="status">{range.value && part.length > 0 && at < 0 &&
                    'Most in the selected time: '}{say(rows[at] || peak)}</span>
                <span class="grow" />
                <button class="copy" title="Copy the er_print command that prints these steps"
                    onClick={() => copy(whole('heapstat', ['time', '512']))}>$ er_print
                </button></div>
            <Plot label="Heap over time" steps={rows} at={at} onAt={setAt} isBytes
                most={mostOf(rows).most} say={say} whole={peak}
                draw={to => draw(to, rows, peak, at)} />
        </section>
    );
}

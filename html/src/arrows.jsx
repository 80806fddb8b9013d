/* SPDX-License-Identifier: Apache-2.0 */
/* Who waited for whom, and messages, as arrows between lanes; regions as nested bars. */
import { clean, duration } from './format.js';
import { palette, shade } from './palette.js';

const DRAWN = 400, LEVELS = 6;
export const LEVEL = 15;

/* Kinds of arrows: what they are, of which table, and what the command is. */
export const ARROWS = [
    ['waits', 'waits for locks', 'lockwaits', ['locks', ['waits']]],
    ['messages', 'MPI messages', 'mpimessages', ['mpimatrix', ['messages']]],
];

function rowsOf(m, name) {
    const got = m.tables && m.tables[name] && m.tables[name].got;
    return got ? (got.tables || [got]).flatMap(t => t.rows) : [];
}

export function leftOut(m, name) {
    const got = m.tables[name].got;
    return (got.tables || [got]).reduce((n, t) => n + (t.left_out || 0), 0);
}

const places = new WeakMap();

/* Of experiments by path, and of threads by "path id": their indices. */
function placesOf(m) {
    if (!places.has(m)) {
        const experiment = new Map(m.meta.experiments.map((e, i) => [e.path, i]));
        const thread = new Map(m.threads.map(t => [m.meta.experiments[t.experiment].path +
            ' ' + t.id, t.index]));
        places.set(m, { experiment, thread });
    }
    return places.get(m);
}

/* A row as { from: end, to: end, since, text }: an end is { experiment, thread, at }. */
function arrowOf(m, kind, r) {
    const { experiment, thread } = placesOf(m);
    if (kind === 'messages')
        return { from: { experiment: experiment.get(r.from_experiment),
            at: r.sent - r.from_start },
        to: { experiment: experiment.get(r.to_experiment), at: r.came - r.to_start },
        since: r.came - r.to_start - r.wait, wait: r.wait,
        text: 'rank ' + r.from + ' to rank ' + r.to };
    const end = r.from + r.wait;
    return { from: { experiment: experiment.get(r.experiment),
        thread: thread.get(r.experiment + ' ' + r.holder), at: end },
    to: { experiment: experiment.get(r.experiment),
        thread: thread.get(r.experiment + ' ' + r.thread), at: end },
    since: r.from, wait: r.wait, text: r.name };
}

/* Those that are drawn, and how many there are: within [from, to) in seconds. */
export function arrowsOf(m, kind, from, to) {
    const entry = ARROWS.find(a => a[0] === kind);
    if (!entry)
        return { list: [], count: 0 };
    const all = rowsOf(m, entry[2]).map(r => arrowOf(m, kind, r))
        .filter(a => a.to.at >= from && a.since < to);
    return { list: all.slice(0, DRAWN), count: all.length };
}

/* The arrow of a row that is selected in a table. */
export function pointedArrow(m, pointed) {
    const entry = pointed && ARROWS.find(a => a[2] === pointed.table);
    return entry ? arrowOf(m, entry[0], pointed.row) : null;
}

/* place(end): y of the middle of its lane, or NaN; x(seconds). */
export function drawArrows(c, list, x, place, one) {
    const p = palette();
    c.lineWidth = 1;
    for (const a of one ? [...list, one] : list) {
        const lit = a === one, y1 = place(a.from), y2 = place(a.to);
        c.strokeStyle = c.fillStyle = lit ? p.arrow : p.focus;
        c.globalAlpha = lit ? 1 : list.length > 60 ? 0.45 : 0.75;
        c.lineWidth = lit ? 2 : 1;
        if (!isNaN(y2) && a.to.at > a.since) /* how long it was waited */
            c.fillRect(x(a.since), y2 + (lit ? 4 : 5), Math.max(1, x(a.to.at) - x(a.since)),
                lit ? 4 : 2);
        if (isNaN(y1) || isNaN(y2) || y1 === y2)
            continue;
        const x1 = x(a.from.at), x2 = x(a.to.at), angle = Math.atan2(y2 - y1, x2 - x1);
        c.beginPath();
        c.moveTo(x1, y1);
        c.lineTo(x2, y2);
        c.stroke();
        c.beginPath();
        c.moveTo(x2, y2);
        for (const turn of [0.4, -0.4])
            c.lineTo(x2 - 7 * Math.cos(angle + turn), y2 - 7 * Math.sin(angle + turn));
        c.fill();
    }
    c.globalAlpha = 1;
}

/* Lanes of threads whose rows are the regions that they were in. */
export function regionLanes(m, nameOf) {
    const { thread } = placesOf(m), rows = new Map();
    for (const r of rowsOf(m, 'instances')) {
        const t = thread.get(r.experiment + ' ' + r.thread);
        if (!rows.has(t))
            rows.set(t, { name: nameOf(m, m.threads[t]), threads: [t], spans: [], sum: 0 });
        rows.get(t).spans.push(r);
        rows.get(t).sum += r.depth ? 0 : r.time;
    }
    const list = [...rows].sort((a, b) => a[0] - b[0]).map(r => r[1]);
    const levels = Math.min(LEVELS, 1 + list.reduce((n, row) => row.spans.reduce((k, s) =>
        Math.max(k, s.depth), n), 0));
    for (const row of list)
        row.spans.sort((a, b) => a.depth - b.depth || a.from - b.from);
    return { rows: list, levels, regions: true };
}

const lastOf = path => path.slice(path.lastIndexOf('/') + 1);

export function drawRegions(c, row, top, x) {
    const p = palette();
    for (const s of row.spans) {
        if (s.depth >= LEVELS)
            continue;
        const left = x(s.from), w = Math.max(0.6, x(s.to) - left), name = lastOf(s.path);
        c.fillStyle = shade([...p.own, ...p.library], name + 'r');
        c.fillRect(left, top + s.depth * LEVEL, w > 2 ? w - 0.5 : w, LEVEL - 1);
        if (w < 26)
            continue;
        c.save();
        c.beginPath();
        c.rect(left, top + s.depth * LEVEL, w - 3, LEVEL);
        c.clip();
        c.fillStyle = p.ink;
        c.fillText(clean(name), left + 4, top + s.depth * LEVEL + LEVEL / 2);
        c.restore();
    }
}

/* What is at a moment and a depth of a lane. */
export function regionAt(row, seconds, depth) {
    const s = row.spans.find(r => r.depth === depth && seconds >= r.from &&
        seconds < r.to);
    return s ? clean(s.path) + ' · ' + duration(s.time * 1e9) + ' from ' +
        s.from.toFixed(6) + ' s' + (s.open ? ' · it did not end' : '') : '';
}


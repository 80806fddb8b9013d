/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph: from callers down to callees, or turned round. */
import { useMemo, useState } from 'preact/hooks';
import { computed, signal } from '@preact/signals';
import { addUp, foldBy } from './sums.js';
import { Boxes, LEAST, useSize } from './canvas.jsx';
import { clean, percent, short } from './format.js';
import { model, sums, groups, metric, func, search, ready, command, copy }
    from './state.js';
import { mix, shade, kindOf, STATE_COLOURS, STATE_NAMES } from './palette.js';

export const turned = signal(false);
export const merged = signal('function');
export const coloured = signal('object');

const folded = new Map();

/* The tree that is drawn: { tree, of, label(key), func(key) }. */
const drawn = computed(() => {
    const m = model.value;
    if (merged.value === 'function' || !ready.value)
        return { tree: m.tree, of: m.stacks.tree, label: k => m.functions[k].name,
            func: k => k };
    if (!folded.has(merged.value))
        folded.set(merged.value, foldBy(m, merged.value));
    const f = folded.get(merged.value);
    return { tree: f.tree, of: f.of, label: k => f.label[k], func: () => -1 };
});

const values = computed(() => {
    const { tree, of } = drawn.value, m = metric.value;
    const self = sums.value.self(m, tree, of);
    return { self, total: addUp(tree.parent, self) };
});

/* Of each group that is compared, totals by node. */
const sides = computed(() => {
    const { tree, of } = drawn.value;
    return groups.value.map(g => addUp(tree.parent, g.self(metric.value, tree, of)));
});

const inStates = computed(() => {
    const { tree, of } = drawn.value;
    return coloured.value === 'state' ? sums.value.states(tree, of) : [];
});

/* Keys whose label holds what is searched for; null = nothing is. */
export const found = computed(() => {
    const text = search.value.trim(), { tree, label } = drawn.value;
    if (!text)
        return null;
    let test;
    try {
        const re = new RegExp(text, 'i');
        test = s => re.test(s);
    } catch (e) {
        test = s => s.toLowerCase().includes(text.toLowerCase());
    }
    const keys = new Map(), { total } = values.value;
    const covered = new Uint8Array(tree.n);
    let sum = 0;
    for (let n = 1; n < tree.n; n++) {
        const k = tree.key[n];
        if (!keys.has(k))
            keys.set(k, test(label(k)));
        covered[n] = covered[tree.parent[n]];
        if (!covered[n] && keys.get(k)) {
            covered[n] = 1;
            sum += total[n];
        }
    }
    return { keys, sum };
});

/* A frame of the picture: nodes of the tree that share its path. */
class Frame {
    constructor(parent, key, value, nodes) {
        this.parent = parent;
        this.key = key;
        this.value = value;
        this.nodes = nodes; /* of a turned picture [node, weight]…, else one node */
        this.depth = parent ? parent.depth + 1 : 0;
        this.kids = null;
    }
}

function kidsOf(frame) {
    const { tree } = drawn.value, { self, total } = values.value;
    if (frame.kids)
        return frame.kids;
    frame.kids = [];
    if (!turned.value) {
        for (let n = tree.child[frame.nodes]; n; n = tree.sibling[n])
            if (total[n] > 0)
                frame.kids.push(new Frame(frame, tree.key[n], total[n], n));
    } else {
        const by = new Map();
        const add = (key, node, weight) => {
            let kid = by.get(key);
            if (!kid)
                by.set(key, kid = new Frame(frame, key, 0, []));
            kid.value += weight;
            kid.nodes.push(node, weight);
        };
        if (!frame.parent) {
            for (let n = 1; n < tree.n; n++)
                if (self[n] > 0)
                    add(tree.key[n], n, self[n]);
        } else {
            for (let i = 0; i < frame.nodes.length; i += 2) {
                const p = tree.parent[frame.nodes[i]];
                if (p)
                    add(tree.key[p], p, frame.nodes[i + 1]);
            }
        }
        frame.kids = [...by.values()];
    }
    frame.kids.sort((a, b) => b.value - a.value);
    return frame.kids;
}

/* Where the frames lie: the zoomed one and those above it over the whole width. */
function layout(zoom, width) {
    const out = [], above = [];
    for (let f = zoom; f; f = f.parent)
        above.unshift(f);
    for (const f of above)
        out.push({ of: f, x: 0, w: width, y: f.depth });
    const todo = [[zoom, 0, width]];
    while (todo.length) {
        const [frame, x, w] = todo.pop();
        const kids = kidsOf(frame);
        /* Beside negative residuals, what is below is more than the sum. */
        const whole = Math.max(frame.value, kids.reduce((sum, kid) => sum + kid.value, 0));
        let at = x;
        for (const kid of kids) {
            const wide = kid.value / whole * w;
            if (wide < LEAST)
                break;
            out.push({ of: kid, x: at, w: wide, y: kid.depth });
            todo.push([kid, at, wide]);
            at += wide;
        }
    }
    return out;
}

function stateOf(frame) {
    let best = -1, most = 0;
    inStates.value.forEach((total, s) => {
        if (!total)
            return;
        let v = 0;
        if (!turned.value)
            v = total[frame.nodes];
        else
            for (let i = 0; i < frame.nodes.length; i += 2)
                v += total[frame.nodes[i]];
        if (v > most) {
            most = v;
            best = s;
        }
    });
    return best;
}

/* How the shares of the first and the last group differ; null if only by chance. */
export function difference(a, b, wholeA, wholeB, m) {
    const { meta } = model.value, share = (wholeA ? a / wholeA : 0) -
        (wholeB ? b / wholeB : 0);
    const weight = Math.max(meta.noise.user, meta.noise.system);
    const noise = meta.metrics[m].noisy ? 1.96 * Math.sqrt(weight * (
        (wholeA ? a / wholeA / wholeA : 0) + (wholeB ? b / wholeB / wholeB : 0))) : 0;
    return Math.abs(share) <= noise ? null : -share;
}

function colourOf(frame, p) {
    const { label, func: funcOf } = drawn.value, m = model.value;
    if (!frame.parent)
        return p.root;
    if (groups.value.length > 1 && !turned.value) {
        const all = sides.value, a = all[0], b = all[all.length - 1];
        const d = difference(a[frame.nodes], b[frame.nodes], a[0], b[0], metric.value);
        if (d === null)
            return mix(p.same, p.same, 0);
        return mix(p.same, d > 0 ? p.more : p.less,
            Math.min(1, 0.25 + Math.sqrt(Math.abs(d)) * 1.6));
    }
    if (coloured.value === 'state') {
        const s = stateOf(frame);
        return s < 0 ? p.pseudo[0] : STATE_COLOURS[s];
    }
    const f = funcOf(frame.key), name = label(frame.key);
    if (f < 0)
        return shade(p.own, name);
    return shade(p[kindOf(m, f)], name);
}

/* How frames look; see Boxes. */
function lookOf(keys) {
    const { label } = drawn.value;
    const byState = coloured.value === 'state' && groups.value.length < 2;
    return {
        colour: colourOf,
        text: f => f.parent ? clean(label(f.key)) : 'all',
        hit: f => keys && f.parent ? keys.get(f.key) : null,
        ink: (f, fill, p) => byState && f.parent ? inkOn(fill) : p.ink,
    };
}

function inkOn(colour) {
    const v = parseInt(colour.slice(1), 16);
    const light = 0.3 * (v >> 16) + 0.59 * (v >> 8 & 255) + 0.11 * (v & 255);
    return light > 125 ? '#111' : '#fff';
}

function describe(frame) {
    const m = model.value.meta.metrics[metric.value], whole = sums.value.whole(m.index);
    const { label } = drawn.value;
    let text = (frame.parent ? clean(label(frame.key)) : 'all') + ' · ' +
        short(m, frame.value) + ' · ' + percent(frame.value, whole).trim() + ' %';
    if (groups.value.length > 1 && !turned.value) {
        const all = sides.value.map((t, i) => (i + 1) + ': ' + short(m,
            t[frame.nodes]));
        text += ' · ' + all.join(' · ');
    }
    return text;
}

export function Flame() {
    const place = useSize([800, 400]), size = place[1];
    const [zoom, setZoom] = useState(null), [focus, setFocus] = useState(null);
    const { total } = values.value, hits = found.value;
    const root = useMemo(() => new Frame(null, 0, total[0], 0),
        [values.value, turned.value, drawn.value]);
    let at = root;
    if (zoom) { /* the same path in what is drawn now */
        for (const key of zoom) {
            const kid = kidsOf(at).find(k => k.key === key);
            if (!kid)
                break;
            at = kid;
        }
    }
    const boxes = useMemo(() => total[0] > 0 ? layout(at, size[0]) : [],
        [at, size[0], root]);
    const pathOf = f => {
        const path = [];
        for (; f.parent; f = f.parent)
            path.unshift(f.key);
        return path;
    };
    const choose = f => {
        const id = drawn.value.func(f.key);
        setFocus(f);
        if (f.parent && id >= 0)
            func.value = id;
    };
    const zoomTo = f => setZoom(f.parent ? pathOf(f) : null);
    const onKey = e => {
        const now = focus && boxes.some(b => b.of === focus) ? focus : at;
        const beside = now.parent ? kidsOf(now.parent) : [now], i = beside.indexOf(now);
        const to = { ArrowDown: kidsOf(now)[0], ArrowUp: now.parent,
            ArrowRight: beside[i + 1], ArrowLeft: beside[i - 1], Home: at }[e.key];
        if (to) {
            choose(to);
        } else if (e.key === 'Enter') {
            zoomTo(now);
        } else if (e.key === 'Escape' && at.parent) {
            zoomTo(at.parent);
        } else if (!e.key.startsWith('Arrow')) {
            return;
        }
        e.preventDefault();
        e.stopPropagation();
    };
    return (
        <section class="flame" aria-label="Flame graph">
            <Tools at={at} hits={hits} whole={total[0]} onAll={() => setZoom(null)} />
            <Boxes place={place} boxes={boxes} focus={focus} name="frame"
                label="Flame graph: arrows move, Enter zooms, Escape goes back"
                look={lookOf(hits && hits.keys)} describe={describe}
                on={{ key: onKey, click: f => {
                    choose(f);
                    zoomTo(f);
                } }} />
        </section>
    );
}

function Tools({ at, hits, whole, onAll }) {
    const m = model.value.meta.metrics[metric.value];
    const several = groups.value.length > 1;
    const states = model.value.states.some((name, i) => i > 1 &&
        model.value.meta.metrics.some(x => x.name === name));
    const total = at.parent ? short(m, at.value) + ' of ' + short(m, whole)
        : short(m, whole);
    return (
        <div class="tools">
            <div class="choice" role="group" aria-label="Direction">
                <button aria-pressed={!turned.value}
                    onClick={() => (turned.value = false)}>Callees</button>
                <button aria-pressed={turned.value}
                    onClick={() => (turned.value = true)}>Callers</button>
            </div>
            <label>by <select value={merged.value} disabled={!ready.value}
                onChange={e => (merged.value = e.target.value)}>
                <option value="function">function</option>
                <option value="line">line</option>
                <option value="object">load object</option>
            </select></label>
            {states && !several && <label>colour <select value={coloured.value}
                onChange={e => (coloured.value = e.target.value)}>
                <option value="object">own / library</option>
                <option value="state">state</option>
            </select></label>}
            {at.parent && <button onClick={onAll}>Whole picture</button>}
            {several && !turned.value && <span class="keys">
                <i class="key more" /> more <i class="key less" /> less
                <i class="key same" /> by chance</span>}
            {coloured.value === 'state' && !several && <span class="keys">
                {inStates.value.map((t, s) => t && t[0] > 0 && <span key={s}>
                    <i class="key" style={{ background: STATE_COLOURS[s] }} />
                    {STATE_NAMES[s]} </span>)}</span>}
            <span class="grow" />
            {hits && <span role="status" class="found">
                found {percent(hits.sum, whole).trim()} %</span>}
            <span class="faint">{m.title} {total}</span>
            <button class="copy" title="Copy the er_print command that prints these stacks"
                onClick={() => copy(command('stacks'))}>$ er_print</button>
        </div>
    );
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a report, and the arrays that views work on. */

const STATES = ['user', 'system', 'wait', 'lock', 'io', 'sleep', 'event',
    'datapfault', 'stop', 'mpitime'];

async function bytesOf(name) {
    const at = document.getElementById('block-' + name);
    const text = atob(at.textContent);
    const bytes = new Uint8Array(text.length);

    for (let i = 0; i < text.length; i++)
        bytes[i] = text.charCodeAt(i);
    const form = at.dataset.form;
    at.remove();
    if (form === 'plain')
        return bytes;
    const stream = new Blob([bytes]).stream()
        .pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function jsonOf(name) {
    return JSON.parse(new TextDecoder().decode(await bytesOf(name)));
}

/* Reads numbers of 7 bits a byte, as reportpack.c writes them. */
class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    number() {
        const b = this.bytes;
        let c = b[this.at++];
        if (c < 0x80)
            return c;
        let v = c & 0x7f, scale = 128;
        do {
            c = b[this.at++];
            v += (c & 0x7f) * scale;
            scale *= 128;
        } while (c >= 0x80);
        return v;
    }

    signed() {
        const v = this.number();
        return v % 2 ? -(v + 1) / 2 : v / 2;
    }

    fill(array, from = 0) {
        for (let i = from; i < array.length; i++)
            array[i] = this.number();
        return array;
    }

    /* Each is said by how much it differs from the one before. */
    sums(array, signed) {
        let v = 0;
        for (let i = 0; i < array.length; i++) {
            v += signed ? this.signed() : this.number();
            array[i] = v;
        }
        return array;
    }

    fillSigned(array, from = 0) {
        for (let i = from; i < array.length; i++)
            array[i] = this.signed();
        return array;
    }
}

/* Children of nodes whose parents have lower numbers; node 0 is above all. */
export function link(parent) {
    const n = parent.length, child = new Int32Array(n), sibling = new Int32Array(n);
    for (let i = n - 1; i > 0; i--) {
        sibling[i] = child[parent[i]];
        child[parent[i]] = i;
    }
    return { n, parent, child, sibling };
}

/*
 * Visit all nodes but 0, each before its children; leave(i) when those below are done.
 */
export function walk(tree, enter, leave) {
    const { child, sibling, parent } = tree;
    let at = child[0];
    while (at) {
        enter(at);
        if (child[at]) {
            at = child[at];
            continue;
        }
        leave(at);
        while (at && !sibling[at]) {
            at = parent[at];
            if (at)
                leave(at);
        }
        at = at && sibling[at];
    }
}

/* Which nodes have no node of the same key above them. */
export function outermost(tree, keys) {
    const open = new Int32Array(keys), top = new Uint8Array(tree.n);
    walk(tree, i => {
        top[i] = open[tree.key[i]]++ === 0 ? 1 : 0;
    }, i => {
        open[tree.key[i]]--;
    });
    return top;
}

function readTree(bytes) {
    const r = new Reader(bytes), n = r.number();
    const parent = new Int32Array(n), key = new Int32Array(n);
    for (let i = 1; i < n; i++)
        parent[i] = i - r.number();
    r.fill(key, 1);
    return { ...link(parent), key };
}

function readStacks(bytes) {
    const r = new Reader(bytes), n = r.number() + 1;
    const parent = new Int32Array(n), place = new Int32Array(n);
    const tree = new Int32Array(n);
    for (let i = 1; i < n; i++)
        parent[i] = i - r.number();
    r.fill(place, 1);
    r.fill(tree, 1);
    return { ...link(parent), place, tree };
}

function readPlaces(bytes) {
    const r = new Reader(bytes), n = r.number();
    const object = new Int32Array(n), address = new Float64Array(n);
    const first = new Int32Array(n + 1), frames = [];
    for (let i = 0; i < n; i++) {
        object[i] = r.number();
        address[i] = r.number();
        first[i] = frames.length / 3;
        for (let k = 3 * r.number(); k > 0; k--)
            frames.push(r.number());
    }
    first[n] = frames.length / 3;
    const f = Int32Array.from(frames), count = first[n];
    const func = new Int32Array(count), file = new Int32Array(count);
    const line = new Int32Array(count);
    for (let i = 0; i < count; i++) {
        func[i] = f[3 * i];
        file[i] = f[3 * i + 1];
        line[i] = f[3 * i + 2];
    }
    return { n, object, address, first, func, file, line };
}

function readLanes(bytes, meta) {
    const r = new Reader(bytes), lanes = new Map();
    for (;;) {
        const thread = r.number() - 1;
        if (thread < 0)
            return lanes;
        const state = r.number();
        const ns = r.fill(new Float64Array(meta.lane.count));
        if (!lanes.has(thread))
            lanes.set(thread, []);
        lanes.get(thread)[state] = ns;
    }
}

/* [[processor, ns by step]] */
function readCpus(bytes, meta) {
    const r = new Reader(bytes), cpus = [];
    for (let cpu = r.number(); cpu; cpu = r.number())
        cpus.push([cpu - 1, r.fill(new Float64Array(meta.lane.count))]);
    return cpus;
}

function readCells(bytes, sums, meta) {
    const r = new Reader(bytes), n = r.number(), s = new Reader(sums);
    const cells = {
        n,
        step: r.sums(new Int32Array(n), false),
        thread: r.sums(new Int32Array(n), true),
        node: r.sums(new Int32Array(n), true),
        value: [],
    };
    meta.metrics.forEach((m, i) => {
        if (m.unit === 'ratio')
            return;
        const same = s.number();
        cells.value[i] = same ? cells.value[same - 1]
            : s.fillSigned(new Float64Array(n));
    });
    return cells;
}

/* What the first view needs. */
export async function load() {
    const meta = await jsonOf('meta');
    const names = await jsonOf('names');
    const tree = readTree(await bytesOf('tree'));
    const r = new Reader(await bytesOf('values'));
    const stacks = readStacks(await bytesOf('stacks'));
    const value = [];

    meta.metrics.forEach((m, i) => {
        m.index = i;
        if (m.unit !== 'ratio')
            value[i] = r.fillSigned(new Float64Array(stacks.n), 1);
    });
    for (const m of meta.metrics)
        if (m.unit === 'ratio') {
            m.overIndex = meta.metrics.findIndex(x => x.name === m.over);
            m.underIndex = meta.metrics.findIndex(x => x.name === m.under);
        }
    const functions = names.functions.map(([name, object, file, line], id) =>
        ({ id, name, object, file, line }));
    tree.top = outermost(tree, functions.length);
    const threads = meta.threads.map(([experiment, id, tid, name, birth, death], i) =>
        ({ index: i, experiment, id, tid, name, birth, death }));
    return { meta, functions, objects: names.objects, files: names.files, tree, stacks,
        value, threads, states: STATES };
}

/* What comes after it is painted. */
export async function loadRest(model) {
    model.lanes = readLanes(await bytesOf('lanes'), model.meta);
    model.cpus = readCpus(await bytesOf('cpus'), model.meta);
    model.cells = readCells(await bytesOf('cells'), await bytesOf('sums'), model.meta);
    if (model.meta.step.apart)
        model.times = readCells(await bytesOf('times'), await bytesOf('timesums'),
            model.meta);
    model.places = readPlaces(await bytesOf('places'));
    model.tables = await jsonOf('tables');
    model.sources = await jsonOf('sources');
    model.listings = await jsonOf('listings');
    for (const id in model.sources.files)
        model.sources.files[id] = model.sources.files[id].split('\n');
}

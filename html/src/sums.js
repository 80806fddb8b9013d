/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of what is selected: steps of time, threads. Made when they are asked for. */
import { walk, link, outermost } from './data.js';

/* The value of a ratio, in millionths; null where there is nothing to divide by. */
function ratio(metric, over, under) {
    if (!(under > 0))
        return null;
    const v = metric.scale * over / under * 1e6;
    return Math.trunc(v < 0 ? v - 0.5 : v + 0.5);
}

/* Add up what stands below each node. */
export function addUp(parent, self) {
    const total = Float64Array.from(self);
    for (let i = total.length - 1; i > 0; i--)
        total[parent[i]] += total[i];
    return total;
}

export class Sums {
    /* range: [from, to) in steps, or null; mask: by thread, or null for all. */
    constructor(model, range, mask) {
        this.model = model;
        this.range = range;
        this.mask = mask;
        this.kept = new Map();
    }

    keep(key, make) {
        if (!this.kept.has(key))
            this.kept.set(key, make());
        return this.kept.get(key);
    }

    /* By stack. */
    node(m) {
        const { model, range, mask } = this;
        if (!range && !mask)
            return model.value[m];
        return this.keep('node' + m, () => {
            const out = new Float64Array(model.stacks.n);
            const c = range && model.times || model.cells;
            const value = c.value[m];
            let from = 0, to = c.n;
            if (range) {
                from = firstCell(c, range[0]);
                to = firstCell(c, range[1]);
            }
            for (let i = from; i < to; i++)
                if (!mask || mask[c.thread[i]])
                    out[c.node[i]] += value[i];
            return out;
        });
    }

    /* By node of the tree. */
    self(m, tree = this.model.tree, of = this.model.stacks.tree) {
        const make = () => {
            const out = new Float64Array(tree.n), value = this.node(m);
            for (let i = 1; i < value.length; i++)
                out[of[i]] += value[i];
            return out;
        };
        return tree === this.model.tree ? this.keep('self' + m, make) : make();
    }

    total(m) {
        return this.keep('total' + m, () => addUp(this.model.tree.parent, this.self(m)));
    }

    whole(m) {
        const metric = this.model.meta.metrics[m];
        if (metric.unit === 'ratio')
            return ratio(metric, this.whole(metric.overIndex),
                this.whole(metric.underIndex));
        return this.total(m)[0];
    }

    /* { e, i }: by function. */
    functions(m) {
        const metric = this.model.meta.metrics[m];
        return this.keep('functions' + m, () => {
            if (metric.unit === 'ratio') {
                const over = this.functions(metric.overIndex);
                const under = this.functions(metric.underIndex);
                const make = f => Array.from(over[f],
                    (v, i) => ratio(metric, v, under[f][i]));
                return { e: make('e'), i: make('i') };
            }
            const { tree, functions } = this.model;
            const e = new Float64Array(functions.length);
            const i = new Float64Array(functions.length);
            const self = this.self(m), total = this.total(m);
            for (let n = 1; n < tree.n; n++) {
                e[tree.key[n]] += self[n];
                if (tree.top[n])
                    i[tree.key[n]] += total[n];
            }
            e[0] = i[0] = total[0];
            return { e, i };
        });
    }

    /*
     * Callers and callees of a function: maps from function to value. Of a recursion
     * the outermost call has the caller, the innermost one the callees.
     */
    around(m, func) {
        const { tree } = this.model, self = this.self(m), total = this.total(m);
        const callers = new Map(), callees = new Map();
        const below = Float64Array.from(self);
        for (let n = tree.n - 1; n > 0; n--)
            if (tree.key[n] !== func)
                below[tree.parent[n]] += below[n];
        for (let n = 1; n < tree.n; n++) {
            const p = tree.parent[n];
            if (tree.key[n] === func) {
                if (tree.top[n])
                    callers.set(tree.key[p], (callers.get(tree.key[p]) || 0) + total[n]);
            } else if (p && tree.key[p] === func) {
                callees.set(tree.key[n], (callees.get(tree.key[n]) || 0) + below[n]);
            }
        }
        return { callers, callees };
    }

    /*
     * By key of the frames of each stack: exclusive of the innermost frame, inclusive
     * once a stack. keyOf(frame) is a number below `count`, or -1. whole: exclusive of
     * all that is inlined below the frame, too.
     */
    frames(m, keyOf, count, whole = false) {
        const { stacks, places } = this.model;
        const self = this.node(m), total = addUp(stacks.parent, self);
        const key = new Int32Array(places.func.length);
        const e = new Float64Array(count), i = new Float64Array(count);
        const open = new Int32Array(count);
        let any = false;
        for (let f = 0; f < key.length; f++) {
            key[f] = keyOf(f);
            any = any || key[f] >= 0;
        }
        if (!any)
            return { e, i };
        const leaf = this.leafFrames();
        walk(stacks, n => {
            const first = places.first[stacks.place[n]];
            const last = places.first[stacks.place[n] + 1];
            for (let f = first; f < last; f++)
                if (key[f] >= 0 && open[key[f]]++ === 0)
                    i[key[f]] += total[n];
            if (whole) {
                for (let f = first; f < last; f++)
                    if (key[f] >= 0 && key.indexOf(key[f], first) === f)
                        e[key[f]] += self[n];
            } else if (leaf[n] >= 0 && key[leaf[n]] >= 0) {
                e[key[leaf[n]]] += self[n];
            }
        }, n => {
            const first = places.first[stacks.place[n]];
            const last = places.first[stacks.place[n] + 1];
            for (let f = first; f < last; f++)
                if (key[f] >= 0)
                    open[key[f]]--;
        });
        return { e, i };
    }

    /* By stack, its innermost frame that is shown; -1 if none is. */
    leafFrames() {
        const { stacks, places } = this.model;
        if (!stacks.leaf) {
            stacks.leaf = new Int32Array(stacks.n).fill(-1);
            for (let n = 1; n < stacks.n; n++) {
                const p = stacks.place[n];
                stacks.leaf[n] = places.first[p + 1] > places.first[p]
                    ? places.first[p + 1] - 1 : stacks.leaf[stacks.parent[n]];
            }
        }
        return stacks.leaf;
    }

    /* What one of the states took, by node of a tree: [state][node]. */
    states(tree, of) {
        return this.model.states.map(name => {
            const m = this.model.meta.metrics.findIndex(x => x.name === name);
            return m < 0 ? null : addUp(tree.parent, this.self(m, tree, of));
        });
    }
}

/* The first cell of a step or a later one. */
function firstCell(cells, step) {
    let lo = 0, hi = cells.n;
    while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (cells.step[mid] < step)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The tree by something else than functions: { tree, of, label }. */
export function foldBy(model, kind) {
    const { stacks, places, functions } = model;
    const keys = new Map(), label = [], parent = [0], key = [0];
    const of = new Int32Array(stacks.n), made = new Map();
    const keyOf = (name, text) => {
        let k = keys.get(name);
        if (k === undefined) {
            k = label.length;
            keys.set(name, k);
            label.push(text());
        }
        return k;
    };
    keyOf('', () => 'all');
    for (let n = 1; n < stacks.n; n++) {
        let at = of[stacks.parent[n]];
        const p = stacks.place[n];
        for (let f = places.first[p]; f < places.first[p + 1]; f++) {
            const fn = functions[places.func[f]];
            const k = kind === 'object'
                ? keyOf(fn.object, () => model.objects[fn.object][0])
                : keyOf(fn.id + ':' + places.file[f] + ':' + places.line[f], () =>
                    fn.name + (places.line[f] ? ':' + places.line[f] : ''));
            if (kind === 'object' && key[at] === k)
                continue;
            const id = at * 4194304 + k;
            let to = made.get(id);
            if (to === undefined) {
                to = parent.length;
                made.set(id, to);
                parent.push(at);
                key.push(k);
            }
            at = to;
        }
        of[n] = at;
    }
    const tree = { ...link(Int32Array.from(parent)), key: Int32Array.from(key) };
    tree.top = outermost(tree, label.length);
    return { tree, of, label };
}

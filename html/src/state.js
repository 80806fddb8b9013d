/* SPDX-License-Identifier: Apache-2.0 */
/* What is shown and selected; all views share it. */
import { signal, computed, batch } from '@preact/signals';
import { Sums } from './sums.js';
import { kindOf } from './palette.js';

export const model = signal(null);
export const ready = signal(false); /* cells, source and tables are there, too */
export const view = signal('summary');
export const pane = signal('flame');
export const range = signal(null); /* [from, to) in steps of time */
export const chosen = signal(null); /* set of threads, null = all */
export const func = signal(-1);
export const untouched = signal(-1); /* the function that is selected at the start */
export const search = signal('');
export const columns = signal([]); /* [metric, flavour, visibility] */
export const sorted = signal({ m: 0, flavour: 'e', reverse: false });
export const arrows = signal(''); /* which kind is drawn between lanes, '' = none */
export const pointed = signal(null); /* { table, row }: selected in a table, drawn too */
export const theme = signal('');
export const told = signal(''); /* for the status line */

export const mask = computed(() => {
    const m = model.value, set = chosen.value;
    if (!set)
        return null;
    const out = new Uint8Array(m.threads.length);
    for (const t of set)
        out[t] = 1;
    return out;
});

/*
 * Select steps of time, or threads; null = all. Where cells say what threads did, or what
 * was done when, but not both, one selection takes the other away.
 */
export function selectTime(to) {
    batch(() => {
        if (to && model.value.meta.step.apart)
            chosen.value = null;
        range.value = to;
    });
}

export function selectSeconds(from, to) {
    const { ns, count } = model.value.meta.step;
    selectTime([Math.max(0, Math.floor(from * 1e9 / ns)),
        Math.min(count, Math.ceil(to * 1e9 / ns))]);
}

export function selectThreads(to) {
    batch(() => {
        if (to && model.value.meta.step.apart)
            range.value = null;
        chosen.value = to;
    });
}

export const sums = computed(() => new Sums(model.value, range.value, mask.value));

/* Of each group that is compared; empty if there is one. */
export const groups = computed(() => {
    const m = model.value;
    if (!m.meta.compared)
        return [];
    const count = 1 + Math.max(...m.meta.experiments.map(e => e.group));
    return Array.from({ length: count }, (_, g) => {
        const own = new Uint8Array(m.threads.length);
        m.threads.forEach((t, i) => {
            own[i] = m.meta.experiments[t.experiment].group === g &&
                (!mask.value || mask.value[i]) ? 1 : 0;
        });
        return new Sums(m, range.value, own);
    });
});

/* The metric that is drawn: what the table is sorted by, or what a ratio is of. */
export const metric = computed(() => {
    const m = model.value.meta.metrics[sorted.value.m];
    return m.unit === 'ratio' ? m.overIndex : m.index;
});

export function start(m) {
    const find = name => m.meta.metrics.findIndex(x => x.name === name);
    const wanted = m.meta.columns.filter(c => find(c[0]) >= 0)
        .map(([name, flavour, how]) => [find(name), flavour, how]);
    batch(() => {
        model.value = m;
        const few = wanted.filter(c => c[2] !== '%' && c[0] === wanted[0][0]);
        const one = few.find(c => c[1] === m.meta.flavour) || few[0];
        columns.value = m.meta.compared && one ? [one] : wanted.length ? wanted
            : [[0, 'e', '.'], [0, 'i', '.']];
        sorted.value = {
            m: Math.max(0, find(m.meta.metric)),
            flavour: m.meta.flavour === 'i' ? 'i' : 'e',
            reverse: false,
        };
        func.value = untouched.value = hottest(m);
    });
}

/*
 * The function of the program itself that has most, with what libraries do for it: its
 * source is what the reader can change. Without any, the hottest of a library.
 */
function hottest(m) {
    const { tree } = m, self = sums.value.self(metric.value);
    const by = new Float64Array(m.functions.length), home = new Int32Array(tree.n);
    const own = m.functions.map(f => kindOf(m, f.id) === 'own');
    for (let n = 1; n < tree.n; n++) {
        home[n] = own[tree.key[n]] ? tree.key[n] : home[tree.parent[n]];
        by[home[n]] += self[n];
    }
    by[0] = 0;
    let best = by.reduce((top, v, f) => (v > by[top] ? f : top), 0);
    if (!(by[best] > 0)) {
        const e = sums.value.functions(metric.value).e;
        best = -1;
        for (let f = 1; f < e.length; f++)
            if (m.functions[f].name[0] !== '<' && (best < 0 || e[f] > e[best]))
                best = f;
    }
    return best;
}

/* Words as a shell wants them. */
export function quote(word) {
    return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word
        : '\'' + word.replace(/'/g, '\'\\\'\'') + '\'';
}

/* What er_print's filters say of what is selected; thread: of this one alone. */
export function filterText(thread = -1) {
    const m = model.value, out = [], { ns, count } = m.meta.step;
    const set = thread >= 0 ? new Set([thread]) : chosen.value;
    if (range.value) {
        const [from, to] = range.value;
        if (from > 0)
            out.push('TSTAMP >= ' + from * ns);
        if (to < count)
            out.push('TSTAMP < ' + to * ns);
        if (!out.length)
            out.push('TSTAMP >= 0 || TSTAMP < 0');
    }
    if (set) {
        const by = new Map();
        for (const t of set) {
            const { experiment, id } = m.threads[t];
            by.set(experiment, (by.get(experiment) || []).concat(id));
        }
        const terms = [...by].map(([experiment, ids]) => {
            const any = ids.map(id => 'THRID == ' + id).join(' || ');
            return m.meta.experiments.length === 1 ? any
                : '(EXPID == ' + (experiment + 1) + ' && (' + any + '))';
        });
        out.push(terms.length > 1 || by.size ? '(' + terms.join(' || ') + ')'
            : 'THRID < 0');
    }
    return out.join(' && ');
}

/* The experiments of the page, without those that lie in one of them. */
function founders() {
    const all = model.value.meta.experiments;
    return all.filter((e, i) => !all.some((o, k) => k !== i &&
        e.path.startsWith(o.path + '/'))).map(e => e.path);
}

/* The command that prints a table of the whole run, as the page has it; or a part. */
export function whole(what, words = [], part = false) {
    const out = ['er_print', ...(model.value.meta.compared ? ['-compare', 'on'] : [])];
    if (part)
        out.push('-filters', filterText());
    return [...out, '-' + what, ...words, ...founders()].map(quote).join(' ');
}

/* What er_print calls a function: its name, and a number where several have that name. */
export function naming(f) {
    const m = model.value, { name } = m.functions[f];
    const alike = m.functions.filter(x => x.name === name).map(x => x.id);
    const user = m.meta.metrics.findIndex(x => x.name === 'user');
    if (alike.length < 2)
        return [name];
    const i = user < 0 ? null : sums.value.functions(user).i;
    alike.sort((a, b) => (i ? i[b] - i[a] : 0) || a - b);
    return [name, String(alike.indexOf(f) + 1)];
}

/*
 * The command that prints the same of what is selected; own: its columns; also: what a
 * filter is to say besides.
 */
export function command(what, words = [], own = null, thread = -1, also = '') {
    const m = model.value, out = ['er_print'], names = m.meta.metrics;
    const spec = (own || columns.value).map(([i, flavour, how = '.']) =>
        flavour + how + names[i].name).join(':') + (own ? ':name' : '');
    const usual = m.meta.columns.map(c => c[1] + c[2] + c[0]).join(':');
    const s = sorted.value, order = (s.reverse ? '-' : '') + s.flavour + '.' +
        names[s.m].name;
    if (m.meta.compared)
        out.push('-compare', 'on');
    if (spec !== usual)
        out.push('-metrics', spec);
    if (names[s.m].name !== m.meta.metric || s.flavour !== m.meta.flavour || s.reverse)
        out.push('-sort', order);
    const filter = [filterText(thread), also].filter(x => x).join(' && ');
    if (filter)
        out.push('-filters', filter);
    out.push('-' + what, ...words, ...founders());
    return out.map(quote).join(' ');
}

export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch (e) {
        const area = document.createElement('textarea');
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
    }
    told.value = 'Copied: ' + text;
}

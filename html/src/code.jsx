/* SPDX-License-Identifier: Apache-2.0 */
/* Source beside instructions, each with what it cost; one shows where the other is. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { clean, unit, value } from './format.js';
import { FLAVOURS } from './functions.jsx';
import { model, sums, groups, columns, func, metric, ready, command,
    naming, copy }
    from './state.js';

const ROW = 19, AROUND = 6000;

/* The metrics of the columns, without percentages and ratios. */
function shownColumns(brief) {
    const m = model.value.meta.metrics, out = [];
    for (const [i, flavour] of columns.value)
        if (m[i].unit !== 'ratio' && !out.some(c => c[0] === i && c[1] === flavour))
            out.push([i, flavour]);
    const few = out.slice(0, brief ? 2 : 3).map(([i, flavour]) => [i, flavour, sums.value]);
    const sides = groups.value;
    if (sides.length < 2)
        return few;
    /* Each group beside the others. */
    return sides.map((sum, g) => [few[0][0], few[0][1], sum, g + 1]);
}

/* By line of a file: { e, i } for a metric. */
function linesOf(sum, m, file, count) {
    const { file: files, line } = model.value.places;
    return sum.frames(m, f => files[f] === file && line[f] && line[f] <= count
        ? line[f] - 1 : -1, count);
}

/* Calls that were inlined into lines of a file: [{ line, func }], and their sums. */
function inlinedIn(file) {
    const { n, first, func: funcs, file: files, line } = model.value.places;
    const marks = [], of = new Map(), key = new Map();
    for (let p = 0; p < n; p++)
        for (let f = first[p]; f + 1 < first[p + 1]; f++) {
            if (files[f] !== file || !line[f])
                continue;
            const name = line[f] + ':' + funcs[f + 1];
            if (!of.has(name)) {
                of.set(name, marks.length);
                marks.push({ line: line[f], func: funcs[f + 1] });
            }
            key.set(f, of.get(name));
        }
    return { marks, key };
}

const WORDS = new Set(('alignas auto bool break case catch char class const constexpr ' +
    'continue default delete do double else enum extern false float for friend goto if ' +
    'inline int long mutable namespace new noexcept nullptr operator private protected ' +
    'public register restrict return short signed sizeof static struct switch template ' +
    'this throw true try typedef typename union unsigned using virtual void volatile ' +
    'while fn let mut impl pub use match func package import subroutine end integer real ' +
    'call then type module def').split(' '));

/* Pieces of a line: [class, text]. `inside` says whether a comment goes on. */
function pieces(text, inside) {
    const out = [];
    let at = 0;
    if (inside) {
        const end = text.indexOf('*/');
        if (end < 0)
            return [[['note', text]], true];
        out.push(['note', text.slice(0, end + 2)]);
        at = end + 2;
    }
    const re = /\/\/.*|\/\*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])+'|^\s*#\s*\w+|\b\d[\w.]*|\b[A-Za-z_]\w*/g;
    re.lastIndex = at;
    for (let hit; (hit = re.exec(text));) {
        const word = hit[0];
        let kind = '';
        if (word === '/*') {
            const end = text.indexOf('*/', hit.index + 2);
            out.push(['', text.slice(at, hit.index)]);
            if (end < 0)
                return [[...out, ['note', text.slice(hit.index)]], true];
            out.push(['note', text.slice(hit.index, end + 2)]);
            at = re.lastIndex = end + 2;
            continue;
        }
        if (word[0] === '/')
            kind = 'note';
        else if (word[0] === '"' || word[0] === '\'')
            kind = 'string';
        else if (word.trim()[0] === '#')
            kind = 'word';
        else if (/\d/.test(word[0]))
            kind = 'digit';
        else if (WORDS.has(word))
            kind = 'word';
        if (!kind)
            continue;
        out.push(['', text.slice(at, hit.index)], [kind, word]);
        at = hit.index + word.length;
    }
    out.push(['', text.slice(at)]);
    return [out, false];
}

/* Rows that are seen, of a list of rows of equal height. */
function Lines({ rows, label, to, render, head }) {
    const box = useRef(), [top, setTop] = useState(0), [height, setHeight] = useState(500);
    useEffect(() => {
        const observer = new ResizeObserver(() => setHeight(box.current.clientHeight));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (to >= 0)
            box.current.scrollTop = Math.max(0, to * ROW - box.current.clientHeight / 3);
    }, [to, rows]);
    const first = Math.max(0, Math.floor(top / ROW) - 8);
    const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + 8);
    return (
        <div class="listing" ref={box} tabIndex="0" role="group" aria-label={label}
            onScroll={e => setTop(e.target.scrollTop)}>
            <div class="codehead">{head}</div>
            <div style={{ height: rows.length * ROW + 'px' }}>
                <div style={{ transform: 'translateY(' + first * ROW + 'px)' }}>
                    {rows.slice(first, last).map((row, i) => render(row, first + i))}
                </div>
            </div>
        </div>
    );
}

function Numbers({ shown, of, at }) {
    const m = model.value.meta.metrics;
    return shown.map(([i, flavour], k) => {
        const v = of[k][flavour][at];
        return <span key={k} class="v">{v ? value(m[i], v) : ''}</span>;
    });
}

function Heads({ shown }) {
    const m = model.value.meta.metrics;
    return shown.map(([i, flavour, , group], k) => <span key={k} class="v"
        title={(group ? 'Group ' + group + ': ' : '') + FLAVOURS[flavour] + ' ' +
            m[i].title}>{group ? group + ': ' : ''}{FLAVOURS[flavour]}{' '}
        {i === metric.value || m[i].title.length >= 8 ? unit(m[i]) : m[i].title}</span>);
}

function heatOf(list, max) {
    return v => v > 0 && max > 0 ? { '--heat': (v / max * 100).toFixed(1) + '%' } : {};
}

/* The line of a function that has most; 0 = none has any. */
function hottestOf(f, file, values) {
    const { func: funcs, file: files, line } = model.value.places;
    let best = 0;
    for (let k = 0; k < funcs.length; k++)
        if (funcs[k] === f && files[k] === file && values[line[k] - 1] >
            (best ? values[best - 1] : 0))
            best = line[k];
    return best;
}

function Source({ f, file, lines, focus, lit, onLight, shown }) {
    const m = model.value, text = lines.length, sum = sums.value;
    const of = useMemo(() => shown.map(([i, , own]) => linesOf(own, i, file, text)),
        [sum, file, text, columns.value]);
    const heat = useMemo(() => linesOf(sum, metric.value, file, text),
        [sum, file, text, metric.value]);
    const inlined = useMemo(() => inlinedIn(file), [file]);
    const marks = useMemo(() => shown.map(([i, , own]) => own.frames(i, f => inlined.key.has(f)
        ? inlined.key.get(f) : -1, inlined.marks.length, true)), [sum, inlined, columns.value]);
    const [open, setOpen] = useState(true);
    const rows = useMemo(() => {
        const out = [], by = new Map();
        inlined.marks.forEach((mark, k) => {
            if (marks.some(v => v.i[k]))
                by.set(mark.line, (by.get(mark.line) || []).concat(k));
        });
        const from = Math.max(0, focus - AROUND), to = Math.min(text, focus + AROUND);
        let inside = false;
        for (let l = from; l < to; l++) {
            const [parts, goesOn] = pieces(lines[l], inside);
            inside = goesOn;
            out.push({ line: l + 1, parts });
            for (const k of open ? by.get(l + 1) || [] : [])
                out.push({ mark: k, line: l + 1 });
        }
        return out;
    }, [file, text, open, marks, focus]);
    let max = 0;
    for (const v of heat.e)
        max = Math.max(max, v);
    const style = heatOf(heat.e, max);
    const seek = lit && lit.from === 'code' ? lit.line : hottestOf(f, file, heat.e) || focus;
    const to = rows.findIndex(r => r.line === seek && r.parts);
    return (
        <Lines rows={rows} label="Source" to={to}
            head={<><Heads shown={shown} /><span class="n">Line</span>
                <span>{clean(m.files[file])}</span>
                {inlined.marks.length > 0 && <button class="plain" aria-pressed={open}
                    onClick={() => setOpen(!open)}>{open ? '▾' : '▸'} inlined</button>}</>}
            render={r => r.parts
                ? <div key={r.line} class={'code' + (lit && lit.line === r.line ? ' lit'
                    : '')} style={style(heat.e[r.line - 1])}
                onClick={() => onLight({ line: r.line, file, from: 'source' })}>
                    <Numbers shown={shown} of={of} at={r.line - 1} />
                    <span class="n">{r.line}</span>
                    <code>{r.parts.map(([k, t], i) => k ? <span class={k} key={i}>
                        {clean(t)}</span> : t.replace(/\t/g, '        '))}</code></div>
                : <div key={'m' + r.mark} class="code inlinedrow">
                    <Numbers shown={shown} of={marks} at={r.mark} />
                    <span class="n" /><button class="plain" onClick={() =>
                        (func.value = inlined.marks[r.mark].func)}>↳ inlined{' '}
                        {clean(m.functions[inlined.marks[r.mark].func].name)}</button>
                </div>} />
    );
}

/* By instruction of a listing. */
function instructionSums(sum, m, listing) {
    const { places, stacks } = model.value, count = listing.lines.length;
    const starts = listing.starts || (listing.starts = listing.lines.map(l =>
        parseInt(l[0], 16)));
    if (!listing.keys) {
        listing.keys = new Map();
        for (let p = 0; p < places.n; p++) {
            if (places.object[p] !== listing.object || places.first[p + 1] ===
                places.first[p])
                continue;
            let lo = 0, hi = count;
            while (lo < hi) {
                const mid = (lo + hi) >> 1;
                if (starts[mid] <= places.address[p])
                    lo = mid + 1;
                else
                    hi = mid;
            }
            if (lo && places.address[p] < starts[lo - 1] + listing.lines[lo - 1][1])
                listing.keys.set(places.first[p + 1] - 1, lo - 1);
        }
    }
    void stacks;
    return sum.frames(m, f => listing.keys.has(f) ? listing.keys.get(f) : -1, count);
}

function Instructions({ listing, lit, onLight, shown }) {
    const sum = sums.value, m = model.value;
    const of = useMemo(() => shown.map(([i, , own]) => instructionSums(own, i, listing)),
        [sum, listing, columns.value]);
    const heat = useMemo(() => instructionSums(sum, metric.value, listing),
        [sum, listing, metric.value]);
    let max = 0;
    for (const v of heat.e)
        max = Math.max(max, v);
    const style = heatOf(heat.e, max), lines = listing.lines;
    const rows = useMemo(() => lines.map((l, i) => i), [listing]);
    const best = max > 0 ? heat.e : heat.i; /* of calls alone: the costliest call */
    const hot = best.reduce((top, v, i) => (v > best[top] ? i : top), 0);
    const to = lit && lit.from === 'source' ? lines.findIndex(l => l[4] === lit.file &&
        l[5] === lit.line) : lit ? -1 : hot;
    return (
        <Lines rows={rows} label="Instructions" to={to}
            head={<><Heads shown={shown} /><span class="n">Address</span>
                <span>Instruction</span></>}
            render={i => {
                const [address, , depth, name, file, line, text] = lines[i];
                const on = lit && lit.line === line && lit.file === file;
                return <div key={i} class={'code' + (on ? ' lit' : '')}
                    style={style(heat.e[i])} title={(m.files[file] || '') +
                        (line ? ':' + line : '') + (name ? ' inlined ' + name : '')}
                    onClick={() => onLight({ line, file, from: 'code' })}>
                    <Numbers shown={shown} of={of} at={i} />
                    <span class="n">{address}</span>
                    <span class="depth" aria-hidden="true">{'│'.repeat(Math.min(depth,
                        6))}</span>
                    <code>{clean(text)}</code></div>;
            }} />
    );
}

/* Where calls of a function were inlined most: the function that has the code. */
function homeOf(f) {
    const { places, stacks } = model.value, by = new Map();
    const value = sums.value.node(metric.value);
    const host = new Int32Array(places.n).fill(-1);
    for (let p = 0; p < places.n; p++)
        for (let k = places.first[p] + 1; k < places.first[p + 1]; k++)
            if (places.func[k] === f)
                host[p] = places.func[places.first[p]];
    for (let n = 1; n < stacks.n; n++) {
        const to = host[stacks.place[n]];
        if (to >= 0)
            by.set(to, (by.get(to) || 0) + value[n] + 1e-9);
    }
    const best = [...by].sort((a, b) => b[1] - a[1])[0];
    return best ? best[0] : -1;
}

export function Code({ brief }) {
    const m = model.value, f = func.value, [lit, setLit] = useState(null);
    useEffect(() => setLit(null), [f]);
    if (!ready.value)
        return <p class="nothing">Source is being read.</p>;
    if (f < 0)
        return <p class="nothing">Select a function.</p>;
    const fn = m.functions[f], shown = shownColumns(brief);
    let { file, line } = fn;
    const home = m.listings[f] ? f : homeOf(f), listing = m.listings[home];
    if (!file && listing) { /* the line of its first instruction */
        const l = listing.lines.find(x => x[4] && x[2] === 0);
        if (l)
            [file, line] = [l[4], l[5]];
    }
    if (lit && lit.from === 'code' && lit.file)
        file = lit.file;
    const lines = m.sources.files[file];
    const alone = lines && !listing; /* as functions of an interpreter have it */
    return (
        <section class="codeview" aria-label="Source and instructions">
            <div class="tools"><b class="name">{clean(fn.name)}</b>
                <span class="faint">{clean((m.objects[fn.object] || [''])[0])}</span>
                <span class="grow" />
                <button class="copy" onClick={() => copy(command('source',
                    lines ? [m.files[file]] : naming(f),
                    shown.filter(c => !c[3] || c[3] === 1).map(([i, v]) => [i, v])))}
                    title="Copy the er_print command that prints this source">
                    $ source</button>
                {alone && !brief && <span class="faint">its instructions are not in this
                    page</span>}
                {home !== f && listing && !brief && <span class="faint">inlined in{' '}
                    {clean(m.functions[home].name)}</span>}
                <button class="copy" onClick={() => copy(command('disasm', naming(f),
                    shown.filter(c => !c[3] || c[3] === 1).map(([i, v]) => [i, v])))}
                    title="Copy the er_print command that prints these instructions">
                    $ disasm</button></div>
            <div class={'beside' + (brief || alone ? ' brief' : '')}>
                {lines ? <Source f={f} file={file} lines={lines} focus={line || 1} lit={lit}
                    onLight={setLit} shown={shown} />
                    : <p class="nothing">{file ? 'The text of ' + clean(m.files[file]) +
                        ' is not in this page: it was not found, or is behind the limit.'
                        : clean((m.objects[fn.object] || [''])[0] || 'Its object') +
                            ' has no debug information that names its source.'}</p>}
                {brief || alone ? null : listing ? <Instructions listing={listing}
                    lit={lit} onLight={setLit} shown={shown} />
                    : <p class="nothing">Its instructions are not in this page.</p>}
            </div>
        </section>
    );
}

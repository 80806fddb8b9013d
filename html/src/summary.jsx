/* SPDX-License-Identifier: Apache-2.0 */
/* The first page: what ran, where the time went, what is missing. */
import { clean, duration, percent, seconds, short, unit, value } from './format.js';
import { Bar } from './grid.jsx';
import { model, sums, groups, metric, sorted, func, view, ready, command, whole, copy }
    from './state.js';
import { STATE_COLOURS, STATE_NAMES, kindOf } from './palette.js';
import { intervalOf } from './functions.jsx';
import { viewsOf } from './tables.jsx';

const PSEUDO = /^<(startup|exit|unattributed|Truncated-stack|Unknown|omitted|unattributed wait)/;

function what(e) {
    const start = e.wall ? new Date(e.wall / 1e6) : null;
    const pad = n => String(n).padStart(2, '0');
    return start ? start.getFullYear() + '-' + pad(start.getMonth() + 1) + '-' +
        pad(start.getDate()) + ' ' + pad(start.getHours()) + ':' +
        pad(start.getMinutes()) : '';
}

function go(f) {
    func.value = f;
    view.value = 'explore';
}

function Ran() {
    const m = model.value, list = m.meta.experiments;
    const founders = list.filter(e => !list.some(o => o !== e &&
        e.path.startsWith(o.path + '/')));
    return (
        <section class="card" aria-labelledby="ran">
            <h2 id="ran">What ran</h2>
            {founders.slice(0, 6).map((e, i) => {
                const below = list.filter(o => o.path.startsWith(e.path + '/')).length;
                const threads = m.threads.filter(t => t.id &&
                    m.meta.experiments[t.experiment].group === e.group).length;
                return <dl key={i}>
                    <dt>{founders.length > 1 ? 'Group ' + (e.group + 1) : 'Command'}</dt>
                    <dd><code>{clean(e.command.join(' ') || '(not known)')}</code></dd>
                    <dt>Experiment</dt><dd>{clean(e.path)}</dd>
                    <dt>Duration</dt><dd>{duration(e.ns)}</dd>
                    {what(e) && <><dt>Started</dt><dd>{what(e)}</dd></>}
                    <dt>Threads</dt><dd>{threads}{below > 0 && ' in ' + (below + 1) +
                        ' processes'}</dd>
                    {e.state !== 'complete' && <><dt>State</dt><dd class="warn">
                        {e.state === 'live' ? 'still being written'
                            : 'it has no end: ' + e.state}</dd></>}
                </dl>;
            })}
            {founders.length > 6 && <p>and {founders.length - 6} more</p>}
        </section>
    );
}

/* Shares of the states; of what was not recorded nothing is said. */
function Where() {
    const m = model.value, names = m.states;
    const parts = names.map((name, s) => {
        const i = m.meta.metrics.findIndex(x => x.name === name);
        return i < 0 ? 0 : sums.value.whole(i);
    });
    const all = parts.reduce((a, b) => a + Math.max(0, b), 0);
    return (
        <section class="card" aria-labelledby="where">
            <h2 id="where">Where the time went</h2>
            {all > 0 && <>
                <div class="stack" aria-hidden="true">{parts.map((v, s) => v > 0 &&
                    <i key={s} style={{ width: v / all * 100 + '%',
                        background: STATE_COLOURS[s] }} />)}</div>
                <table class="plainly"><tbody>{parts.map((v, s) => v > 0 && <tr key={s}>
                    <th scope="row"><i class="key" style={{ background: STATE_COLOURS[s] }}
                    />{STATE_NAMES[s]}</th><td class="number">{seconds(v)} s</td>
                    <td class="number">{percent(v, all)} %</td></tr>)}</tbody></table>
            </>}
            {!(all > 0) && <p class="faint">Time was not recorded.</p>}
        </section>
    );
}

/* All other metrics, each with its sum. */
function Counted() {
    const m = model.value, { states } = m;
    const others = m.meta.metrics.filter(d => !states.includes(d.name) &&
        !['total', 'totalcpu'].includes(d.name) && sums.value.whole(d.index));
    return others.length > 0 && (
        <section class="card wide2" aria-labelledby="counted">
            <h2 id="counted">What was counted</h2>
            <div class="counted">{others.map(d => <div key={d.name} title={d.doc}>
                <span>{d.title}</span><span class="grow" />
                <span class="number">{value(d, sums.value.whole(d.index))} {unit(d)}</span>
                <span class="number faint">{d.unit === 'byte'
                    ? short(d, sums.value.whole(d.index)) : ''}</span></div>)}</div>
        </section>
    );
}

function Hottest() {
    const m = model.value, i = metric.value, d = m.meta.metrics[i];
    const flavour = sorted.value.flavour, by = sums.value.functions(i)[flavour];
    const whole = sums.value.whole(i), list = [];
    for (let f = 1; f < by.length; f++)
        if (by[f] > 0)
            list.push(f);
    list.sort((a, b) => by[b] - by[a]);
    return (
        <section class="card wide2" aria-labelledby="hottest">
            <h2 id="hottest">Functions with most {flavour === 'e' ? 'exclusive'
                : 'inclusive'} {d.title}
            <button class="copy" onClick={() => copy(command('functions'))}
                title="Copy the er_print command that prints this table">
                $ er_print</button></h2>
            <table class="plainly hot"><thead><tr><th scope="col">{d.title} {unit(d)}</th>
                <th scope="col">%</th><th scope="col"><span class="hidden">Share</span></th>
                <th scope="col">Function</th><th scope="col">Object</th></tr></thead>
            <tbody>{list.slice(0, 12).map(f => <tr key={f}>
                <td class="number">{value(d, by[f])}</td>
                <td class="number">{percent(by[f], whole)}</td>
                <td><Bar share={whole ? by[f] / whole : 0} /></td>
                <td><button class={'plain link name ' + kindOf(m, f)}
                    onClick={() => go(f)}>{clean(m.functions[f].name)}</button></td>
                <td class="faint">{clean((m.objects[m.functions[f].object] || [''])[0])}
                </td></tr>)}</tbody></table>
        </section>
    );
}

function Changed() {
    const m = model.value, i = metric.value, d = m.meta.metrics[i];
    const all = groups.value, a = all[0], b = all[all.length - 1];
    const va = a.functions(i).e, vb = b.functions(i).e, list = [];
    for (let f = 1; f < va.length; f++) {
        const by = vb[f] - va[f], noise = intervalOf(i, 'e', f) || 0;
        if (Math.abs(by) > noise)
            list.push([f, by, noise]);
    }
    list.sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]));
    return (
        <section class="card wide2" aria-labelledby="changed">
            <h2 id="changed">What changed beyond chance: {d.title}, exclusive
                <button class="copy" onClick={() => copy(command('functions'))}
                    title="Copy the er_print command that prints both">
                    $ er_print</button></h2>
            <p>All: {value(d, a.whole(i))} → {value(d, b.whole(i))} {unit(d)}</p>
            <table class="plainly hot"><thead><tr><th scope="col">First</th>
                <th scope="col">Last</th><th scope="col">Change</th>
                <th scope="col">± 95 %</th><th scope="col">Function</th></tr></thead>
            <tbody>{list.slice(0, 12).map(([f, by, noise]) => <tr key={f}>
                <td class="number">{value(d, va[f])}</td>
                <td class="number">{value(d, vb[f])}</td>
                <td class={'number ' + (by > 0 ? 'more' : 'less')}>{by > 0 ? '+' : ''}
                    {value(d, by)}</td><td class="number">{value(d, noise)}</td>
                <td><button class="plain link name" onClick={() => go(f)}>
                    {clean(m.functions[f].name)}</button></td></tr>)}</tbody></table>
            {!list.length && <p class="nothing">Nothing: all differences may be chance.</p>}
        </section>
    );
}

/* What makes columns add up, and what is not known. */
function Account() {
    const m = model.value, i = metric.value, d = m.meta.metrics[i];
    const e = sums.value.functions(i).e, whole = sums.value.whole(i);
    const list = m.functions.filter(f => PSEUDO.test(f.name) && e[f.id]);
    const own = m.functions.filter(f => (m.objects[f.object] || [])[2])
        .reduce((v, f) => v + e[f.id], 0);
    const problems = [];
    for (const x of m.meta.experiments)
        for (const p of x.problems)
            problems.push(p);
    const header = ready.value && m.tables.header && m.tables.header.got;
    const warned = [];
    for (const t of header ? header.tables || [header] : [])
        for (const r of t.rows)
            for (const k of ['warnings', 'problems'])
                for (const w of Array.isArray(r[k]) ? r[k] : [])
                    if (!warned.includes(w) && !problems.includes(w))
                        warned.push(w);
    const all = [...problems, ...warned];
    return (
        <section class="card" aria-labelledby="account">
            <h2 id="account">The account</h2>
            <table class="plainly"><tbody>
                <tr><th scope="row">{'<Total>'} {d.title}</th>
                    <td class="number">{value(d, whole)} {unit(d)}</td><td /></tr>
                {list.map(f => <tr key={f.id}><th scope="row">
                    <button class="plain link" onClick={() => go(f.id)}>
                        {clean(f.name)}</button></th>
                <td class="number">{value(d, e[f.id])} {unit(d)}</td>
                <td class="number">{percent(e[f.id], whole)} %</td></tr>)}
                {own !== 0 && <tr><th scope="row">{'<collector>'}</th>
                    <td class="number">{value(d, own)} {unit(d)}</td>
                    <td class="number">{percent(own, whole)} %</td></tr>}
            </tbody></table>
            {all.length > 0 && <><h3>Warnings</h3><ul class="warnings">
                {all.slice(0, 12).map((w, k) => <li key={k}>{clean(w)}</li>)}
                {all.length > 12 && <li>and {all.length - 12} more</li>}</ul></>}
            {!all.length && ready.value && <p class="faint">No warnings.</p>}
        </section>
    );
}

/* What er_print's own summary finds, each with the view that proves it. */
function Findings() {
    const m = model.value, got = ready.value && m.tables.summary;
    if (!got)
        return null;
    const rows = (got.got.tables || [got.got]).flatMap(t => t.rows);
    return (
        <section class="card wide2 findings" aria-labelledby="found">
            <h2 id="found">Findings <button class="copy" onClick={() =>
                copy(whole('summary'))} title="Copy the er_print command that prints them">
                $ er_print</button></h2>
            <ul>{rows.map((r, i) => <Finding key={i} row={r} />)}</ul>
        </section>
    );
}

const VIEW_OF = { lock: 'locks', file: 'io', heap: 'heap', mpi: 'mpi', program: 'processes',
    run: 'about', function: 'explore', time: 'explore', cost: 'about', missing: 'about' };

/* A sentence, and the view that proves it. */
function Finding({ row }) {
    const m = model.value, to = VIEW_OF[row.kind];
    const f = row.name && m.functions.find(x => x.name === row.name ||
        x.name.split('(')[0] === row.name);
    const there = to === 'explore' || to && viewsOf(m).some(v => v[0] === to);
    const show = () => {
        if (f)
            func.value = f.id;
        view.value = row.kind === 'function' || there ? to : 'explore';
    };
    return <li class={'kind-' + row.kind}><span class="kind">{row.kind}</span>
        <span>{clean(row.text || '')}</span>{' '}
        {there && <button class="plain link" onClick={show}>show</button>}{' '}
        {row.command && <button class="copy" title={'Copy the command: ' + row.command}
            onClick={() => copy(whole(row.command.split(' ')[0],
                row.command.split(' ').slice(1)))}>$ {clean(row.command)}</button>}</li>;
}

export function Summary() {
    return (
        <div class="summary">
            <Findings />
            <Ran /><Where /><Account />
            {groups.value.length > 1 ? <Changed /> : <Hottest />}
            <Counted />
        </div>
    );
}

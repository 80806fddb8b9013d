/* SPDX-License-Identifier: Apache-2.0 */
/* What er_print prints as tables: heap, locks, I/O, calls, MPI, OpenMP, processes. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { bytes, clean, fixed, seconds } from './format.js';
import { HeapCurve } from './curve.jsx';
import { HeapTime } from './heaptime.jsx';
import { Text, functionOf } from './link.jsx';
import { Bar, Grid, widthOf } from './grid.jsx';
import { model, view, range, chosen, func, search, pointed, selectSeconds, whole,
    copy }
    from './state.js';

export const VIEWS = [
    ['heap', 'Heap', ['heapstat', 'heapfunctions', 'heap', 'leaks',
        'allocs']],
    ['locks', 'Locks', ['locks', 'lockobjects', 'lockstacks', 'lockwaits', 'deadlocks']],
    ['io', 'I/O', ['ioactivity', 'iodetail', 'iocallstack', 'iostat']],
    ['calls', 'Calls', ['calls', 'callsby', 'slowcalls']],
    ['mpi', 'MPI', ['mpi', 'mpimatrix', 'mpimessages', 'mpidetail', 'mpiwait', 'mpidelay',
        'mpicritical', 'mpibalance']],
    ['regions', 'Regions', ['regions', 'instances', 'costly']],
    ['omp', 'OpenMP', ['omp', 'omploops', 'omptasks']],
    ['index', 'Index', ['byseconds', 'bythreads', 'bycpus', 'bysamples', 'byprocesses',
        'byprograms', 'byregions', 'byompregions', 'byomptasks', 'bysizes', 'byallocations',
        'bylocks', 'byranks', 'bycalls', 'bypeers', 'bycomms', 'bytags', 'bypages',
        'bylines', 'bynodes', 'data']],
    ['processes', 'Processes', ['processes', 'experiments']],
    ['about', 'About', ['header', 'threads', 'objects', 'statistics']],
];

const LABELS = { heapstat: 'Overview', heapfunctions: 'Over time', heap: 'By function', leaks: 'Leaks',
    allocs: 'Allocations', locks: 'Overview', lockobjects: 'Objects', lockstacks: 'Stacks',
    deadlocks: 'Deadlocks', ioactivity: 'Files', iodetail: 'Each opening',
    iocallstack: 'Stacks', iostat: 'Totals', calls: 'By function', callsby: 'By text',
    slowcalls: 'Slowest', mpi: 'Calls', mpimatrix: 'Matrix',
    mpidetail: 'Breakdown', lockwaits: 'Longest waits', mpimessages: 'Messages',
    instances: 'Longest instances',
    mpiwait: 'Waits', mpidelay: 'Causes', mpicritical: 'Critical path',
    mpibalance: 'Balance', omp: 'Regions', omploops: 'Loops', omptasks: 'Tasks',
    regions: 'Tree', costly: 'Costly steps', processes: 'Tree', experiments: 'Experiments',
    byseconds: 'Seconds', bythreads: 'Threads', bycpus: 'Processors',
    bysamples: 'Sample points', byprocesses: 'Processes', byprograms: 'Programs',
    byregions: 'Regions', byompregions: 'OpenMP regions', byomptasks: 'OpenMP tasks',
    bysizes: 'Sizes of blocks', byallocations: 'Allocations', bylocks: 'Locks',
    byranks: 'Ranks', bycalls: 'MPI functions', bypeers: 'Peers',
    bycomms: 'Communicators', bytags: 'Tags', bypages: 'Pages', bylines: 'Cache lines',
    bynodes: 'NUMA nodes', data: 'Data objects', header: 'Header', threads: 'Threads', objects: 'Load objects',
    statistics: 'Statistics' };

export function viewsOf(m) {
    const one = m.meta.experiments.length === 1;
    return VIEWS.filter(v => v[2].some(name => m.tables && m.tables[name]) &&
        !(one && v[0] === 'processes'));
}

const WIDE = 12; /* columns that have room beside each other */

const isSeconds = c => c.unit === 'sec.';

function shown(c, v) {
    if (v === null || v === undefined)
        return '';
    if (typeof v === 'number' && isSeconds(c))
        return seconds(Math.round(v * 1e9));
    if (typeof v === 'number' && c.unit === '%')
        return v ? fixed(v, 2) : '0.\u2007\u2007';
    if (typeof v === 'number' && !Number.isInteger(v))
        return fixed(v, 3);
    if (typeof v === 'boolean')
        return v ? 'yes' : 'no';
    return String(v);
}

function List({ list }) {
    return <ol class="frames">{list.map((x, i) => <li key={i}><Text text={x} tab="0" />
    </li>)}</ol>;
}

/* The only row of a table. */
function Facts({ table, row }) {
    const text = c => clean(shown(c, row[c.key])) + (isSeconds(c) ? ' s'
        : c.unit && typeof row[c.key] === 'number' ? ' ' + c.unit : '');
    return (
        <div class="facts" tabIndex="0" role="group" aria-label={table.title || 'Facts'}>
            <dl>{row && table.columns.map(c => row[c.key] !== null && c.title &&
                <div key={c.key}><dt>{c.title}</dt><dd>{Array.isArray(row[c.key])
                    ? <List list={row[c.key]} /> : text(c)}</dd></div>)}</dl></div>
    );
}

/* A row as a block: for tables with lists, and for those of one row. */
function Blocks({ table, rows, name }) {
    const [at, setAt] = useState(0), lists = new Set(), wide = table.columns;
    for (const r of table.rows)
        for (const c of wide)
            if (Array.isArray(r[c.key]))
                lists.add(c.key);
    if (table.rows.length === 1)
        return <Facts table={table} row={rows[0]} />;
    const now = rows[Math.min(at, rows.length - 1)];
    useEffect(() => {
        pointed.value = name && now ? { table: name, row: now } : null;
        return () => (pointed.value = null);
    }, [name, now]);
    return (
        <div class="withlists">
            <Rows table={{ ...table, columns: wide.filter(c => !lists.has(c.key)) }}
                rows={rows} selected={at} onSelect={setAt} />
            <div class="lists" role="group" aria-label="Stacks of the selected row"
                tabIndex="0">
                {now && <div class="sides">{[...lists].map(k => now[k] && now[k].length > 0 && <div key={k}>
                    <h2>{wide.find(c => c.key === k).title}</h2>
                    <List list={now[k]} /></div>)}</div>}
            </div>
        </div>
    );
}

/* The column that has bars: the first of those by which such tables are sorted. */
function drawnOf(table) {
    return table.columns.find(c => isSeconds(c) &&
        !/^(from|to|first|start|peak_time|birth|death)/.test(c.key)) ||
        table.columns.find(c => c.key === 'bytes' || c.unit === 'byte' &&
            !/^(least|most)$/.test(c.key));
}

/* What Enter opens: the function that a row names. */
function open(table, row) {
    if (row && row.from >= 0 && row.to > row.from && row.path !== undefined)
        selectSeconds(row.from, row.to);
    const f = row && table.columns.map(c => typeof row[c.key] === 'string' &&
        functionOf(row[c.key])).find(x => x);
    if (f) {
        func.value = f;
        view.value = 'explore';
    }
}

function Rows({ table, rows, selected, onSelect, name }) {
    const [own, setOwn] = useState(-1), plain = !onSelect;
    useEffect(() => {
        if (plain)
            pointed.value = name && rows[own] ? { table: name, row: rows[own] } : null;
        return () => {
            if (plain)
                pointed.value = null;
        };
    }, [name, own, rows]);
    const numeric = c => table.rows.every(r => r[c.key] === null ||
        typeof r[c.key] === 'number');
    const heat = drawnOf(table);
    let most = 0;
    for (const r of rows)
        if (heat && !/^<Total>/.test(r.name))
            most = Math.max(most, r[heat.key] || 0);
    /*
     * What has neither a title nor a unit is for programs, as keys of index objects are;
     * one experiment needs no name.
     */
    const named = table.columns.filter(c => (c.title || c.unit) && !/^key2?$/.test(c.key) &&
        (c.key !== 'experiment'
        || model.value.meta.experiments.length > 1));
    let last = named.findLastIndex(c => !numeric(c)) || -1;
    if (named.length > WIDE && last > 0) { /* the name is not to be out of sight */
        named.unshift(...named.splice(last, 1));
        last = -1;
    }
    const made = named.map((c, i) => ({
        key: c.key, title: c.title, sub: c.unit === 'sec.' ? 's' : c.unit,
        number: numeric(c),
        width: i === last ? 0 : Math.min(420, widthOf([c.title,
            ...rows.slice(0, 300).map(r => shown(c, r[c.key]))], 60)) +
            (c === heat ? 56 : 0),
        cell: c === heat ? r => <>{shown(c, r[c.key])}<span class="barbox"><Bar
            share={most ? Math.min(1, r[c.key] / most) : 0} /></span></>
            : r => <Text text={shown(c, r[c.key])} />,
    }));
    return <Grid label={table.title || 'Table'} columns={made} rows={rows}
        onActivate={i => open(table, rows[i])}
        selected={onSelect ? selected : own} onSelect={onSelect || setOwn} />;
}

/*
 * Tables whose rows have a time: [from, to) of a row in seconds, of the clock that
 * selections have.
 */
const TIMES = {
    lockwaits: r => [r.from, r.from + r.wait],
    mpimessages: r => [r.came - r.to_start - r.wait, r.came - r.to_start],
    instances: r => [r.from, r.to],
};

/* Rows that reach into what is selected. */
function selectedRows(m, name, rows) {
    const { ns } = m.meta.step, part = range.value, only = chosen.value;
    const keys = only && name !== 'mpimessages' && new Set([...only].map(t =>
        m.meta.experiments[m.threads[t].experiment].path + ' ' + m.threads[t].id));
    return rows.filter(r => {
        const [from, to] = TIMES[name](r);
        return (!part || to * 1e9 >= part[0] * ns && from * 1e9 < part[1] * ns) &&
            (!keys || keys.has(r.experiment + ' ' + r.thread));
    });
}

/* Do rows follow what is selected? Messages are of ranks, not of threads. */
const follows = name => name === 'heapfunctions' || TIMES[name] && !(name === 'mpimessages' && chosen.value);

function One({ table, name }) {
    const text = search.value.trim().toLowerCase(), m = model.value;
    const part = range.value, only = chosen.value;
    const rows = useMemo(() => {
        const some = (part || only) && follows(name)
            ? selectedRows(m, name, table.rows) : table.rows;
        return text ? some.filter(r => Object.values(r).some(v =>
            v !== null && String(v).toLowerCase().includes(text))) : some;
    }, [table, text, part, only]);
    const lists = table.rows.some(r => Object.values(r).some(v => Array.isArray(v)));
    return (
        <>
            {Object.keys(table.facts).length > 0 && <p class="faint facts-line">
                {Object.entries(table.facts).map(([k, v]) => <span key={k}>
                    {k.replace(/_/g, ' ')} <b>{clean(String(v))}</b></span>)}</p>}
            {!table.rows.length ? <p class="nothing">There is nothing to show.</p>
                : !rows.length && !text ? <p class="nothing">No row of this page reaches
                    into what is selected.</p>
                : lists || table.rows.length === 1 ? <Blocks table={table} rows={rows} name={name} />
                    : <Rows table={table} rows={rows} name={name} />}
            {table.left_out > 0 && <p class="warn">{table.left_out} more rows are not in
                this page.</p>}
        </>
    );
}

/* A matrix of who sent how much to whom. */
function Matrix({ table }) {
    const from = table.columns.find(c => /^(from|sender|source)/.test(c.key));
    const to = table.columns.find(c => /^(to|receiver|dest)/.test(c.key));
    const size = table.columns.find(c => /bytes/.test(c.key));
    if (!from || !to || !size)
        return null;
    const ranks = [...new Set(table.rows.flatMap(r => [r[from.key], r[to.key]]))]
        .filter(x => x !== null).sort((a, b) => a - b);
    if (!ranks.length || ranks.length > 64)
        return null;
    const of = new Map(table.rows.map(r => [r[from.key] + ' ' + r[to.key], r[size.key]]));
    const most = Math.max(1, ...of.values());
    return <div class="matrixbox" tabIndex="0" role="group" aria-label="Bytes by ranks">
        <table class="matrix"><thead><tr><th scope="col">from \ to</th>
            {ranks.map(r => <th scope="col" key={r}>{r}</th>)}</tr></thead><tbody>
            {ranks.map(a => <tr key={a}><th scope="row">{a}</th>{ranks.map(b => {
                const v = of.get(a + ' ' + b) || 0;
                return <td key={b} title={a + ' to ' + b + ': ' + v + ' bytes'} style={v
                    ? { '--heat': Math.sqrt(v / most) * 70 + '%' } : {}}>{v ? bytes(v)
                        : ''}</td>;
            })}</tr>)}</tbody></table></div>;
}

export function Tables({ id }) {
    const m = model.value, [, title, names] = VIEWS.find(v => v[0] === id);
    const there = names.filter(n => m.tables[n]), [name, setName] = useState(there[0]);
    const now = there.includes(name) ? name : there[0], { ask, got } = m.tables[now];
    const tables = !got ? [] : got.tables || [got], part = range.value || chosen.value;
    return (
        <section class="tables" aria-label={title}>
            <div class="tools">
                <div class="choice" role="group" aria-label="Tables">
                    {there.map(n => <button key={n} aria-pressed={n === now}
                        onClick={() => setName(n)}>{LABELS[n] || n}</button>)}</div>
                <span class="grow" />
                {part && TIMES[now] && follows(now) && <span class="faint" role="status">Rows that
                    reach into what is selected, of those in this page</span>}
                {part && got && !follows(now) && <span class="warn">This is of the whole run.
                    {' '}</span>}
                {part && id !== 'about' && now !== 'heapfunctions' && <button class="copy" title={'Copy the er_print ' +
                    'command that prints this of what is selected'} onClick={() =>
                    copy(whole(...askOf(ask), true))}>$ of what is selected</button>}
                <button class="copy" title="Copy the er_print command that prints this"
                    onClick={() => copy(whole(...askOf(ask)))}>$ er_print</button>
            </div>
            {!got && <p class="nothing">This table is not in the page, which {m.meta.compared
                ? 'compares experiments' : 'is of more than 32 MiB of records'}: it takes
                another pass over all of them. This prints it: <code>
                {whole(...askOf(ask))}</code></p>}
            <div class={'panels' + (tables.length > 1 ? ' many' : '')}>
                {now === 'heapstat' && m.tables.heaptime && <HeapCurve />}
                {now === 'heapfunctions' ? <HeapTime /> : tables.map((t, i) => <div class="panel" key={now + i}>
                    {(tables.length > 1 || t.title) && <h2>{t.title}</h2>}
                    {now === 'mpimatrix' && <Matrix table={t} />}
                    <One table={t} name={now} /></div>)}
            </div>
        </section>
    );
}

function askOf(ask) {
    const words = ask.slice(1).split(' ');
    return [words[0], words.slice(1)];
}

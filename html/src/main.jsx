/* SPDX-License-Identifier: Apache-2.0 */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { load, loadRest } from './data.js';
import { clean, duration } from './format.js';
import { Flame, found, turned } from './flame.jsx';
import { Lanes, lanes, runNs } from './lanes.jsx';
import { Functions, Calls, Tree, rows } from './functions.jsx';
import { Code } from './code.jsx';
import { Order } from './order.jsx';
import { Heat, heatOf } from './heat.jsx';
import { Summary } from './summary.jsx';
import { Tables, viewsOf } from './tables.jsx';
import * as state from './state.js';
import { isDark } from './palette.js';

const { model, ready, view, pane, search, range, chosen, theme, told } = state;
const PANES = [['flame', 'Flame graph'], ['tree', 'Call tree'], ['calls', 'Callers–callees'],
    ['order', 'Order of time'], ['heat', 'Heat map'],
    ['code', 'Source & disassembly']];

function Head() {
    const m = model.value, e = m.meta.experiments, box = useRef();
    const groups = state.groups.value.length;
    const threads = m.threads.filter(t => t.id).length;
    const views = [['summary', 'Summary'], ['explore', 'Explore'],
        ...(ready.value ? viewsOf(m) : [])];
    const arrow = ev => {
        const i = views.findIndex(v => v[0] === view.value);
        const to = { ArrowRight: i + 1, ArrowLeft: i - 1 }[ev.key];
        if (to !== undefined && views[to]) {
            view.value = views[to][0];
            ev.currentTarget.children[to].focus();
        }
    };
    return (
        <header>
            <h1 title={clean(e[0].path)}>{groups > 1 ? 'Comparison'
                : clean(e[0].name)}</h1>
            <span class="what" title={clean(e[0].command.join(' '))}><b>{groups > 1
                ? state.groups.value.map((_, g) => (g + 1) + ': ' + clean(e.find(x =>
                    x.group === g).name)).join('  ')
                : clean(e[0].command.join(' '))}</b>
            {' · '}{duration(runNs())} · {threads} thread{threads === 1
                ? '' : 's'}{e.length > 1 && ' · ' + e.length + ' processes'}</span>
            <nav role="tablist" aria-label="Views" onKeyDown={arrow}>
                {views.map(([id, title]) => <button key={id} role="tab" id={'tab-' + id}
                    aria-selected={view.value === id} aria-controls="main"
                    tabIndex={view.value === id ? 0 : -1}
                    onClick={() => (view.value = id)}>{title}</button>)}
            </nav>
            <input id="search" ref={box} type="search" placeholder="Search   /"
                aria-label="Search functions" value={search.value}
                onInput={ev => (search.value = ev.target.value)} />
            <button class="icon" title="Light or dark" aria-label="Light or dark"
                onClick={turnTheme}>◐</button>
        </header>
    );
}

function turnTheme() {
    const next = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    theme.value = next;
}

function Explore() {
    return (
        <div class="explore">
            <Functions />
            <div class="right">
                <div class="panes" role="tablist" aria-label="Panes">
                    {PANES.map(([id, title]) => <button key={id} role="tab"
                        aria-selected={pane.value === id} aria-controls="pane"
                        onClick={() => (pane.value = id)}>{title}</button>)}
                </div>
                <div class={'split pane-' + pane.value} id="pane" role="tabpanel"
                    aria-label={PANES.find(p => p[0] === pane.value)[1]}>
                    {pane.value === 'flame' ? <><Flame /><Code brief /></>
                        : pane.value === 'order' && ready.value
                            ? <><Order /><Code brief /></>
                            : pane.value === 'heat' && ready.value
                            ? <><Heat /><Flame /></>
                            : pane.value === 'tree' ? <Tree />
                                : pane.value === 'calls' ? <Calls /> : <Code />}
                </div>
            </div>
        </div>
    );
}

function Foot() {
    const at = told.value;
    return (
        <footer>
            <span role="status">{at ? clean(at) : <>
                <kbd>/</kbd> search <kbd>f</kbd> flame graph <kbd>t</kbd> tree <kbd>c</kbd>{' '}
                callers <kbd>o</kbd> order of time{' '}
                <kbd>h</kbd> heat map <kbd>s</kbd> source <kbd>r</kbd> turn round <kbd>Esc</kbd> all{' '}
                <kbd>d</kbd> dark</>}</span>
            <span class="grow" /><span class="faint">ertools {model.value.meta.version}</span>
        </footer>
    );
}

function onKey(e) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
    if (e.ctrlKey || e.metaKey || e.altKey)
        return;
    if (e.key === 'Escape') {
        if (typing) {
            search.value = '';
            e.target.blur();
        } else {
            range.value = null;
            chosen.value = null;
            search.value = '';
        }
        return;
    }
    if (typing)
        return;
    const to = { f: 'flame', t: 'tree', c: 'calls', o: 'order', h: 'heat',
        s: 'code' }[e.key];
    if (to) {
        view.value = 'explore';
        pane.value = to;
    } else if (e.key === '/') {
        document.getElementById('search').focus();
        e.preventDefault();
    } else if (e.key === 'd') {
        turnTheme();
    } else if (e.key === 'r') {
        turned.value = !turned.value;
    }
}

function App() {
    useEffect(() => {
        addEventListener('keydown', onKey);
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
            () => (theme.value = isDark() ? 'dark' : 'light'));
        return () => removeEventListener('keydown', onKey);
    }, []);
    useEffect(() => {
        const t = told.value && setTimeout(() => (told.value = ''), 6000);
        return () => clearTimeout(t);
    }, [told.value]);
    return (
        <>
            <Head />
            <Lanes />
            <main><div id="main" role="tabpanel" aria-labelledby={'tab-' + view.value}>
                {view.value === 'summary' ? <Summary />
                    : view.value === 'explore' ? <Explore />
                        : <Tables id={view.value} key={view.value} />}
            </div></main>
            <Foot />
        </>
    );
}

/* What tests and consoles ask. */
function answer() {
    return {
        state, rows, found, heat: heatOf,
        metrics: () => model.value.meta.metrics,
        functions: () => rows.value.map(f => ({ name: model.value.functions[f].name,
            values: model.value.meta.metrics.map(d => ['e', 'i'].map(k =>
                state.sums.value.functions(d.index)[k][f])) })),
        group: g => {
            const e = state.groups.value[g].functions(state.metric.value).e, out = {};
            model.value.functions.forEach((f, i) => {
                if (e[i])
                    out[f.name] = (out[f.name] || 0) + e[i];
            });
            return out;
        },
        metric: () => model.value.meta.metrics[state.metric.value],
        filter: () => state.filterText(),
        lanes: () => lanes.value.rows.map(r => ({ name: r.name, sum: r.sum })),
        spec: () => state.columns.value.map(([i, flavour, how]) => flavour + how +
            model.value.meta.metrics[i].name).join(':'),
        tables: () => Object.entries(model.value.tables).filter(t => t[1].got).map(([name,
            { ask, got }]) => {
            const words = ask.slice(1).split(' ');
            return { name, got, command: state.whole(words[0], words.slice(1)) };
        }),
        around: name => {
            const { functions: all } = model.value;
            const f = all.find(x => x.name === name).id;
            const got = state.sums.value.around(state.metric.value, f);
            const named = map => [...map].map(([k, v]) => [all[k].name, v]);
            return { callers: named(got.callers), callees: named(got.callees) };
        },
    };
}

async function main() {
    const at = document.getElementById('app');
    try {
        const m = await load();
        if (m.meta.compared)
            await loadRest(m);
        state.start(m);
        at.textContent = '';
        render(<App />, at);
        window.ertools = answer();
        performance.mark('painted');
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
        if (!m.meta.compared)
            await loadRest(m);
        ready.value = true;
        document.documentElement.dataset.ready = 'yes';
        performance.mark('ready');
    } catch (e) {
        at.textContent = 'This report cannot be shown: ' + e.message;
        throw e;
    }
}

main();

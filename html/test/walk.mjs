/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node walk.mjs REPORT PICTURES
 * Goes through every view, with the mouse and with the keyboard, in both themes, and
 * asks axe about each.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { withBrowser, open, brush, finding, is } from './browser.mjs';

const [, , report, pictures] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    'utf8');

/* Themes differ in colours alone: all other rules are asked once, in the light one. */
async function judge(page, what, rules) {
    if (!await page.evaluate(() => !!window.axe))
        await page.evaluate(axe);
    const found = await page.evaluate(only => window.axe.run(document, {
        resultTypes: ['violations'],
        ...(only ? { runOnly: only } : {}),
    }), rules);
    finding(!found.violations.length, what + ': axe finds nothing',
        found.violations.map(v => v.id + ': ' + v.help + '\n' + v.nodes.slice(0, 3)
            .map(n => '  ' + n.html.slice(0, 160) + ' ' + (n.any[0] ? n.any[0].message
                : '')).join('\n')).join('\n'));
    if (pictures)
        await page.screenshot({ path: pictures + '/' + what.replace(/\W+/g, '-') +
            '.png' });
}

async function views(page, theme, rules) {
    const tabs = await page.locator('nav [role=tab]').evaluateAll(list =>
        list.map(t => t.id));
    for (const id of tabs) {
        await page.click('#' + id);
        await judge(page, theme + ' ' + id.slice(4), rules);
        if (id !== 'tab-summary' && id !== 'tab-explore') {
            const tables = page.locator('.tables .choice button');
            for (let i = 1; i < await tables.count(); i++) {
                await tables.nth(i).click();
                if (theme === 'light' && i < 3)
                    await judge(page, theme + ' ' + id.slice(4) + ' ' + i);
            }
        }
    }
    await page.click('#tab-explore');
    const panes = page.locator('.panes [role=tab]');
    for (let i = 0; i < await panes.count(); i++) {
        await panes.nth(i).click();
        await judge(page, theme + ' explore pane ' + i, rules);
    }
    await panes.first().click();
}

/* What is drawn between lanes, and below them. */
async function lanes(page) {
    await page.selectOption('.legend label:has-text("arrows") select', 'waits');
    const said = await page.textContent('.arrows [role=status]');
    finding(/^[1-9]\d* waits for locks are drawn/.test(said), 'arrows are counted', said);
    await page.click('#tab-locks');
    await page.click('.tables .choice button:has-text("Longest waits")');
    /* Who held it is not known of each: not if it was released before it was looked up. */
    const waits = page.locator('.tables .line', { hasText: 'mutex' });
    let sides = [];
    for (let i = 0; i < Math.min(await waits.count(), 10) && sides.length < 2; i++) {
        await waits.nth(i).click();
        sides = await page.locator('.sides h2').allTextContents();
    }
    is('the stacks of the one that waited and of the holder are beside each other',
        sides, ['Waited', 'Taken']);
    await judge(page, 'arrows');
    await page.selectOption('.legend label:has-text("lanes") select', 'regions');
    const drawn = await page.textContent('.arrows [role=status]');
    finding(/^The [1-9]\d* longest instances/.test(drawn), 'regions are lanes', drawn);
    await judge(page, 'regions');
    await functions(page);
    await page.selectOption('.legend label:has-text("lanes") select', 'threads');
    await page.selectOption('.legend label:has-text("arrows") select', '');
    await selectedRows(page);
    await page.click('#tab-heap');
    await page.locator('.plot').focus();
    await page.keyboard.press('End');
    const last = await page.locator('.plot').getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    const step = await page.locator('.plot').getAttribute('aria-valuetext');
    finding(step !== last && /at most \d+ bytes/.test(step),
        'arrows go along the curve of the heap', step);
    await heapTime(page);
}

/* Areas of functions: a part of them is selected by keys, and by dragging. */
async function heapTime(page) {
    const filter = () => page.evaluate(() => window.ertools.filter());
    await page.click('.tables .choice button:has-text("Over time")');
    for (const what of ['Allocations', 'Temporary allocations', 'Held']) {
        await page.click('.heaptime .choice button:has-text("' + what + '")');
        await page.locator('.plot').focus();
        await page.keyboard.press('Home');
        const text = await page.locator('.plot').getAttribute('aria-valuetext');
        finding(/^[\d.]+ to [\d.]+ s: /.test(text), what + ' over time: a step is read out',
            text);
    }
    await page.keyboard.press('Enter');
    finding(/TSTAMP/.test(await filter()), 'Enter selects the time of a step');
    const said = await page.textContent('.heaptime [role=status]');
    finding(/^The table is of the steps that reach into the selected time/.test(said),
        'the table says which time it is of', said);
    await page.locator('#tab-heap').focus();
    await page.keyboard.press('Escape');
    const box = await page.locator('.plot').boundingBox();
    await page.mouse.move(box.x + 140, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 30, box.y + 60, { steps: 3 });
    await page.mouse.up();
    finding(/TSTAMP/.test(await filter()), 'dragging over it selects', await filter());
    await page.keyboard.press('Escape');
}

/* Every view and pane, where there is little room, and where there is almost none. */
async function narrow(page) {
    for (const id of await page.locator('nav [role=tab]').evaluateAll(list =>
        list.map(t => t.id))) {
        await page.click('#' + id);
        const tables = page.locator('.tables > .tools .choice button');
        for (let i = 1; i < await tables.count(); i++)
            await tables.nth(i).click();
        const panes = page.locator('.panes [role=tab]');
        for (let i = 0; i < await panes.count(); i++)
            await panes.nth(i).click();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        finding(wide <= 390, 'a phone need not scroll ' + id.slice(4) + ' sideways', wide);
    }
    await page.setViewportSize({ width: 120, height: 400 });
    for (const id of ['tab-heap', 'tab-explore']) {
        await page.evaluate(tab => document.getElementById(tab).click(), id);
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() =>
            requestAnimationFrame(done))));
    }
    await page.setViewportSize({ width: 390, height: 844 });
}

/* The first functions of the table over time: their lanes add up to their values. */
async function functions(page) {
    await page.selectOption('.legend label:has-text("lanes") select', 'functions');
    await judge(page, 'lanes of functions');
    const got = await page.evaluate(() => {
        const all = window.ertools.functions(), at = window.ertools.metric().index;
        const flavour = window.ertools.state.sorted.value.flavour === 'e' ? 0 : 1;
        return window.ertools.lanes().map(l => [l.name, l.sum, all.find(f =>
            f.name === l.name).values[at][flavour]]).filter(l => l[0][0] !== '<');
    });
    finding(got.length > 2 && got.every(l => l[1] === l[2]),
        'lanes of functions add up to what these have', JSON.stringify(got));
    await page.selectOption('.legend label:has-text("lanes") select', 'processors');
    await judge(page, 'lanes of processors');
    const cpus = await page.evaluate(() => window.ertools.lanes());
    finding(cpus.length && cpus.every(l => /^CPU \d+$/.test(l.name) && l.sum > 0),
        'processors are lanes', JSON.stringify(cpus));
}

/* Rows that have a time follow what is selected, as er_print's filters do. */
async function selectedRows(page) {
    const rows = () => page.locator('.tables .line:not(.head)').count();
    await page.click('#tab-locks');
    await page.click('.tables .choice button:has-text("Longest waits")');
    const all = await rows();
    await page.evaluate(() => {
        const { state } = window.ertools, first = state.model.value.tables.lockwaits.got
            .tables[0].rows.reduce((t, r) => Math.min(t, r.from), Infinity);
        const step = Math.floor(first * 1e9 / state.model.value.meta.step.ns);
        state.selectTime([step, step + 1]);
    });
    await page.waitForSelector('text=Rows that reach into what is selected');
    const some = await rows();
    finding(some > 0 && some < all, 'waits follow what is selected', some + ' of ' + all);
    await page.evaluate(() => window.ertools.state.selectTime(null));
}

/* Stacks of a thread in the order of time. */
async function order(page) {
    await page.click('#tab-explore');
    await page.keyboard.press('o');
    await page.locator('.order .canvas').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const at = await page.locator('.order [role=treeitem][aria-selected=true]')
        .textContent();
    finding(/ · from \d/.test(at), 'arrows move through the stacks of a thread', at);
    await page.keyboard.press('Enter');
    finding(/TSTAMP/.test(await page.evaluate(() => window.ertools.filter())) ||
        !await page.locator('.clear').isDisabled(), 'Enter selects the time of a box');
    await page.keyboard.press('Escape');
    await page.keyboard.press('f');
}

/* The map over time: its cells are selected by keys and by dragging. */
async function heat(page) {
    await page.click('#tab-explore');
    await page.keyboard.press('h');
    const map = page.locator('.heat .canvas'), filter = () =>
        page.evaluate(() => window.ertools.filter());
    await map.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const at = await map.getAttribute('aria-valuetext');
    finding(/^\d.* to \d.* s · /.test(at), 'arrows move through the map over time', at);
    await page.keyboard.press('Shift+ArrowDown');
    const { ns } = await page.evaluate(() => window.ertools.state.model.value.meta.step);
    const bounds = [...(await filter()).matchAll(/TSTAMP \S+ (\d+)/g)].map(x => Number(x[1]));
    is('with Shift they select', bounds[1] - bounds[0], 2 * ns);
    await page.keyboard.press('Escape');
    is('Escape takes that away', await filter(), '');
    const box = await map.boundingBox();
    await page.mouse.move(box.x + 100, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 70, { steps: 3 });
    await page.mouse.up();
    finding(/TSTAMP/.test(await filter()), 'dragging over it selects', await filter());
    await page.keyboard.press('Escape');
    await page.keyboard.press('f');
}

async function explore(page) {
    await page.click('#tab-explore');
    const whole = await page.locator('.flame .tools .faint').last().textContent();
    await page.keyboard.press('/');
    await page.keyboard.type('main');
    await page.waitForSelector('.found');
    finding(/found \d+\.\d\d %/.test(await page.textContent('.found')),
        'a search says what share it found', await page.textContent('.found'));
    await page.keyboard.press('Escape');
    is('Escape ends the search', await page.locator('.found').count(), 0);
    await page.locator('.canvas').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const at = await page.locator('.canvas [role=treeitem][aria-selected=true]')
        .textContent();
    finding(at.length > 3, 'arrows move through the flame graph', at);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Whole picture');
    finding(true, 'Enter zooms');
    await page.click('text=Whole picture');
    await page.locator('.functions .grid').focus();
    await page.keyboard.press('ArrowDown');
    const row = await page.locator('.functions .line.selected .name').textContent();
    finding(row.length > 0, 'arrows move through the table', row);
    await brush(page, 0.25, 0.6);
    const part = await page.locator('.flame .tools .faint').last().textContent();
    finding(part !== whole, 'a brush changes what is shown', part);
    await page.keyboard.press('Escape');
    is('Escape takes it away', await page.locator('.flame .tools .faint').last()
        .textContent(), whole);
    await page.click('.flame .choice button:last-child');
    finding(await page.locator('.canvas [role=treeitem]').count() > 1,
        'the flame graph turns round');
    await page.click('.flame .choice button:first-child');
    for (const by of ['line', 'object', 'function'])
        await page.selectOption('.flame select >> nth=0', by);
    await lanes(page);
    await order(page);
    await heat(page);
    await page.click('#tab-explore');
    await page.click('.functions .copy');
    finding(/^Copied: er_print .*-functions/.test(await page.textContent('footer')),
        'a button copies the command', await page.textContent('footer'));
}

await withBrowser(async browser => {
    const page = await open(browser, report);
    await views(page, 'light');
    await explore(page);
    is('nothing was said on the console', page.said, []);
    is('nothing was asked of a network', page.asked, []);
    const dark = await open(browser, report, { colorScheme: 'dark' });
    await views(dark, 'dark', ['color-contrast']);
    is('in the dark, too', dark.said, []);
    const phone = await open(browser, report, { viewport: { width: 390, height: 844 } });
    await judge(phone, 'phone summary');
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    finding(wide <= 390, 'a phone need not scroll sideways', wide);
    await phone.click('#tab-explore');
    await judge(phone, 'phone explore');
    await narrow(phone);
    await phone.emulateMedia({ media: 'print' });
    await judge(phone, 'print');
    is('nor there', phone.said, []);
});

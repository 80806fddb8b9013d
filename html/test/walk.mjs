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
    await page.locator('.tables .line', { hasText: 'mutex' }).first().click();
    is('the stacks of the one that waited and of the holder are beside each other',
        await page.locator('.sides h2').allTextContents(), ['Waited', 'Taken']);
    await judge(page, 'arrows');
    await page.selectOption('.legend label:has-text("lanes") select', 'regions');
    const drawn = await page.textContent('.arrows [role=status]');
    finding(/^The [1-9]\d* longest instances/.test(drawn), 'regions are lanes', drawn);
    await judge(page, 'regions');
    await page.selectOption('.legend label:has-text("lanes") select', 'threads');
    await page.selectOption('.legend label:has-text("arrows") select', '');
    await page.click('#tab-heap');
    await page.locator('.plot').focus();
    await page.keyboard.press('End');
    const last = await page.locator('.plot').getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    const step = await page.locator('.plot').getAttribute('aria-valuetext');
    finding(step !== last && /at most \d+ bytes/.test(step),
        'arrows go along the curve of the heap', step);
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
    await phone.emulateMedia({ media: 'print' });
    await judge(phone, 'print');
    is('nor there', phone.said, []);
});

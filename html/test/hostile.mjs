/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node hostile.mjs REPORT NAME
 * A function of that name, which has tags in it, is shown as text in every view.
 */
import { withBrowser, open, finding, is } from './browser.mjs';

const [, , report, name] = process.argv;

await withBrowser(async browser => {
    const page = await open(browser, report);
    const tabs = await page.locator('nav [role=tab]').evaluateAll(list =>
        list.map(t => t.id));
    for (const id of tabs) {
        await page.click('#' + id);
        is(id + ': no element comes of a name',
            await page.locator('img, iframe, object, svg').count(), 0);
    }
    await page.click('#tab-explore');
    const shown = await page.locator('.functions .name').allTextContents();
    finding(shown.includes(name), 'the table shows it as it is', shown.join('\n'));
    const panes = page.locator('.panes [role=tab]');
    for (let i = 0; i < await panes.count(); i++) {
        await panes.nth(i).click();
        is('pane ' + i + ': none either', await page.locator('img').count(), 0);
    }
    is('no script of it has run', await page.evaluate(() => document.title),
        'ertools report');
    is('nothing was said on the console', page.said, []);
    is('nothing was asked of a network', page.asked, []);
});

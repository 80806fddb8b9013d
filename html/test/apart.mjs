/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node apart.mjs ER_PRINT REPORT EXPERIMENT
 * A page with so many pairs of stack and thread that either times or threads can be
 * selected: both are what er_print has, and one takes the other away.
 */
import { withBrowser, open, brush, finding, is } from './browser.mjs';
import { functions } from './functions.mjs';

const [, , , report] = process.argv;
const filter = page => page.evaluate(() => window.ertools.filter());

await withBrowser(async browser => {
    const page = await open(browser, report);
    await page.click('#tab-explore');
    const steps = await page.evaluate(() => window.ertools.state.model.value.meta.step);
    finding(steps.apart && steps.count > 1, 'there are steps of time: ' + steps.count);
    finding(/select both times and threads/.test(await page.textContent('.legend')),
        'the page says that both cannot be selected');
    await functions(page, 'all of many pairs', true);
    await brush(page, 0.3, 0.7);
    finding(/TSTAMP/.test(await filter(page)), 'a brush selects time', await filter(page));
    await functions(page, 'a part of the time of many pairs');
    await page.locator('.lane').nth(1).click();
    is('a thread takes the selected time away', (await filter(page)).replace(/\d+/g, 'N'),
        '(THRID == N)');
    await functions(page, 'one thread of many pairs');
    is('nothing was said on the console', page.said, []);
});

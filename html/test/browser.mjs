/* SPDX-License-Identifier: Apache-2.0 */
/* A browser without a network, and findings as lines that tests/lib.sh knows. */
import { chromium } from 'playwright-core';
import { resolve } from 'node:path';

let wrong = 0;

export function finding(good, what, why) {
    console.log((good ? 'ok - ' : 'not ok - ') + what);
    if (!good) {
        wrong++;
        if (why !== undefined)
            console.log('    ' + String(why).slice(0, 2000).replace(/\n/g, '\n    '));
    }
    return good;
}

export function is(what, got, wanted) {
    const a = JSON.stringify(got), b = JSON.stringify(wanted);
    return finding(a === b, what, 'got:    ' + a + '\nwanted: ' + b);
}

export async function withBrowser(work) {
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
            '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync'],
    });
    try {
        await work(browser);
    } finally {
        await browser.close();
    }
    process.exit(wrong ? 1 : 0);
}

/* Opens a report; what it says on the console, and asks of a network, is kept. */
export async function open(browser, file, options = {}) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 },
        ...options });
    page.said = [];
    page.asked = [];
    page.on('console', m => page.said.push(m.type() + ': ' + m.text()));
    page.on('pageerror', e => page.said.push('error: ' + e.stack));
    page.on('request', r => {
        if (!r.url().startsWith('file:'))
            page.asked.push(r.url());
    });
    await page.goto('file://' + resolve(file));
    await page.waitForSelector('html[data-ready=yes]',
        { state: 'attached', timeout: 60000 });
    return page;
}

/* Drags over the lanes, from one share of the time to another. */
export async function brush(page, from, to) {
    const box = await page.locator('.rows').boundingBox();
    const at = share => box.x + 128 + share * (box.width - 146);
    await page.mouse.move(at(from), box.y + 8);
    await page.mouse.down();
    await page.mouse.move(at(to), box.y + 8, { steps: 5 });
    await page.mouse.up();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: node commands.mjs ER_PRINT REPORT
 * Every command that the page copies runs, in the directory of its experiments, and
 * prints what the page shows: tables as they are in it, and rows of the other views, of
 * all the time and of a part of it.
 */
import { execFileSync } from 'node:child_process';
import { withBrowser, open, brush, finding, is } from './browser.mjs';

const [, , program, report] = process.argv;

/* What a command prints; its words are as a shell reads them. */
function run(command, ...words) {
    const rest = command.replace(/^er_print /, '');
    return execFileSync('bash', ['-c', 'exec "$0" "$@" ' + rest, program, ...words],
        { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
}

async function copied(page, button) {
    await button.click();
    return (await page.textContent('footer [role=status]')).replace(/^Copied: /, '');
}

/* Rows of equal values may stand in any order. */
const sorted = got => JSON.stringify({ ...got, tables: (got.tables || [got]).map(t => ({ ...t,
    rows: t.rows.map(r => JSON.stringify(r)).sort() })) });

/*
 * All tables: what the commands print is what the page has. One er_print runs all of
 * them: it need not read the experiment for each.
 */
async function tables(page) {
    const wrong = [], all = await page.evaluate(() => window.ertools.tables());
    const experiment = all[0].command.split(' ').pop();
    const words = all.map(t => (t.name === 'heapfunctions' ? '-limit 6000 ' : '') +
        t.command.split(' ').slice(1, -1).join(' ') +
        (t.name === 'heapfunctions' ? ' -limit 2000' : ''));
    const texts = run(words.join(' ') + ' ' + experiment, '-printmode', 'json', '-limit',
        '2000').split(/^(?=\{$)/m);
    is('each table is of the same experiment', all.filter(t =>
        !t.command.endsWith(' ' + experiment)).map(t => t.command), []);
    is('each command prints a table', texts.length, all.length);
    all.forEach(({ name, command, got }, i) => {
        if (!texts[i] || sorted(JSON.parse(texts[i])) !== sorted(got))
            wrong.push(name + ': ' + command);
    });
    finding(all.length > 12 && !wrong.length, all.length + ' tables are what their ' +
        'commands print', wrong.join('\n'));
}

/* With a part of the time selected, commands print that part of each table. */
async function parts(page) {
    await page.click('#tab-locks');
    await page.click('.tables .choice button:has-text("Objects")');
    const own = await copied(page, page.locator('.tables .copy').first());
    const filter = await page.evaluate(() => window.ertools.filter());
    finding(filter.length > 9 && own.includes("-filters '" + filter + "' -locks objects"),
        'a table has the command of what is selected', own);
    const all = (await page.evaluate(() => window.ertools.tables())).filter(t =>
        /^(heap|lock|io|leaks|allocs)/.test(t.name));
    const words = all.map(t => t.command.split(' ').slice(1, -1).join(' ')).join(' ');
    const experiment = own.split(' ').pop();
    const texts = run("-filters '" + filter + "' " + words + ' ' + experiment, '-printmode',
        'json').split(/^(?=\{$)/m).map(t => JSON.parse(t));
    is('commands of tables take the filter', texts.filter(t => !t.error).length, all.length);
}

/* The buttons of tables copy these commands. */
async function buttons(page) {
    const known = (await page.evaluate(() => window.ertools.tables())).map(t => t.command);
    const wrong = [], ran = new Set();
    const tabs = await page.locator('nav [role=tab]').evaluateAll(list =>
        list.map(t => t.id));
    let count = 0;
    for (const id of tabs.filter(x => x !== 'tab-explore')) {
        await page.click('#' + id);
        const choice = page.locator('.tables .choice button');
        for (let i = 0; i < Math.max(1, await choice.count()); i++) {
            if (i)
                await choice.nth(i).click();
            const list = page.locator('main .copy');
            for (let k = 0; k < await list.count(); k++) {
                const command = await copied(page, list.nth(k));
                count++;
                if (known.includes(command) || ran.has(command))
                    continue;
                ran.add(command);
                try {
                    if (run(command).length < 10)
                        wrong.push('nothing: ' + command);
                } catch (e) {
                    wrong.push(command + ': ' + e.stderr);
                }
            }
        }
    }
    finding(count > 20 && !wrong.length, count + ' buttons copy commands that run',
        wrong.join('\n'));
}

/* Rows of a table: their numbers, and what they are of. */
const rowsOf = (page, at) => page.locator(at + ' .line:not(.head)').evaluateAll(list =>
    list.slice(0, 12).map(row => {
        const cells = [...row.children].map(c => c.textContent.replace(/[\u2007▾▸]/g, ' ')
            .trim());
        return [...cells.slice(0, -1), cells[cells.length - 1]];
    }));

const linesOf = (page, at) => page.locator(at + ' .code:not(.inlinedrow)').evaluateAll(list =>
    list.map(row => [...row.querySelectorAll('.v')].map(v => v.textContent.replace(/\u2007/g,
        '').trim()).filter(v => v).concat([row.querySelector('.n').textContent]))
        .filter(row => row.length > 1));

/* Is there a line with these words, one after the other? */
function has(text, words) {
    const plain = s => s.replace(/(^|\s)[+|*-]+(?=[^\d\s.])/g, ' ').trim().split(/\s+/)
        .map(x => x.replace(/^0x|\.$/g, ''));
    return text.some(line => {
        const parts = plain(line);
        let at = 0;
        for (const p of plain(words.join(' '))) {
            at = parts.indexOf(p, at) + 1;
            if (!at)
                return false;
        }
        return true;
    });
}

async function rows(page, what, at, button, get = rowsOf) {
    const command = await copied(page, page.locator(button).first());
    const text = run(command).split('\n'), list = await get(page, at);
    const wrong = list.filter(row => !has(text, row));
    finding(list.length > 0 && !wrong.length, what + ': ' + list.length +
        ' rows are in what its command prints', command + '\n' + wrong.slice(0, 5)
        .map(x => x.join(' | ')).join('\n'));
}

async function views(page, part) {
    await page.click('#tab-explore');
    await page.locator('.functions .grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await rows(page, 'functions' + part, '.functions', '.functions .copy');
    for (const key of ['t', 'c', 's']) {
        await page.locator('.functions .grid').focus();
        await page.keyboard.press(key);
        if (key === 't') {
            await rows(page, 'call tree' + part, '.calltree', '.calltree .copy');
        } else if (key === 'c') {
            await rows(page, 'callers and callees' + part, '.calls', '.calls .copy');
        }
    }
    await page.evaluate(() => {
        const { model, func } = window.ertools.state;
        func.value = model.value.functions.find(f => f.name.startsWith('parse')).id;
    });
    await rows(page, 'source' + part, '[aria-label=Source]', '.codeview .copy', linesOf);
    await rows(page, 'instructions' + part, '[aria-label=Instructions]',
        '.codeview .copy >> nth=1', linesOf);
    await page.locator('.functions .grid').focus();
    await page.keyboard.press('f');
    for (const button of ['.flame .copy', '.lanes .copy']) {
        const command = await copied(page, page.locator(button).first());
        finding(run(command).length > 100, button + part + ': its command runs', command);
    }
}

await withBrowser(async browser => {
    const page = await open(browser, report);
    await tables(page);
    await buttons(page);
    await views(page, '');
    await brush(page, 0.3, 0.7);
    await views(page, ', of a part of the time');
    await parts(page);
    is('nothing was said on the console', page.said, []);
});

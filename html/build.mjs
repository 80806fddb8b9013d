/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bundles the page of reports: npm ci && npm run build. What comes of it, head.html and
 * tail.html, is checked in; the same sources always give the same bytes.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] || here;
const MOST = 60 * 1024; /* bytes of both, compressed */

const read = name => readFileSync(join(here, name), 'utf8');
const hash = text => '\'sha256-' + createHash('sha256').update(text).digest('base64') +
    '\'';

const made = await build({
    entryPoints: [join(here, 'src/main.jsx')], bundle: true, minify: true, write: false,
    format: 'iife', target: 'es2022', charset: 'ascii', legalComments: 'none',
    jsx: 'automatic', jsxImportSource: 'preact', absWorkingDir: here, lineLimit: 2000,
});
const css = await build({
    entryPoints: [join(here, 'src/style.css')], minify: true, write: false,
    target: 'es2022', absWorkingDir: here, lineLimit: 2000,
});

/* Licences travel with what they are of. */
const licences = ['preact', '@preact/signals', '@preact/signals-core'].map(name => {
    const root = join('node_modules', name);
    return name + ' ' + JSON.parse(read(join(root, 'package.json'))).version + '\n\n' +
        read(join(root, 'LICENSE')).trim();
});
const note = '<!--\nThis page has the following in it.\n\n' +
    licences.join('\n\n').replace(/--/g, '- -') + '\n-->\n';

const script = made.outputFiles[0].text.replace(/<\/script/g, '<\\/script');
const style = css.outputFiles[0].text;
const policy = 'default-src \'none\'; script-src ' + hash(script) + '; style-src ' +
    hash(style) + '; base-uri \'none\'; form-action \'none\'';

const head = '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' +
    '<meta http-equiv="Content-Security-Policy" content="' + policy + '">\n' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    '<title>ertools report</title>\n<style>' + style + '</style>\n</head>\n<body>\n' +
    '<div id="app"><p class="loading">The report is being read. It needs JavaScript, ' +
    'but no network.</p></div>\n';
const tail = '<script>' + script + '</script>\n' + note + '</body>\n</html>\n';

const size = gzipSync(head + tail, { level: 9 }).length;
if (size > MOST)
    throw new Error('The page takes ' + size + ' bytes, more than ' + MOST);
writeFileSync(join(out, 'head.html'), head);
writeFileSync(join(out, 'tail.html'), tail);
console.log('head.html and tail.html: ' + size + ' bytes compressed');

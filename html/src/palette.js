/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of canvases, in both themes; those of the rest are in style.css. */
export const STATE_NAMES = ['User', 'System', 'Wait for CPU', 'Lock', 'I/O', 'Sleep',
    'Event', 'Page fault', 'Stopped', 'MPI'];
export const STATE_COLOURS = ['#3b7dbd', '#8cc4ea', '#d99a1c', '#c8552b', '#2f9a77',
    '#a8a8a4', '#c9c3a5', '#7d5ba6', '#6b6b68', '#b0508f'];

const light = {
    ink: '#1d1d1b', faint: '#66665f', line: '#e4e4df', ground: '#ffffff',
    root: '#eeefef', own: ['#bacee6', '#c6d8ee', '#b2c8e0', '#d0dff1'],
    library: ['#e6d0b9', '#ecdac6', '#e0c8ae', '#f0e1d0'],
    pseudo: ['#dededa'], found: '#f2d24f', focus: '#12395e',
    more: [214, 92, 70], less: [70, 124, 196], same: [222, 222, 217], curve: '#7d5ba6',
    arrow: '#c01a5b', cold: [253, 236, 205], hot: [158, 24, 24],
};
const dark = {
    ink: '#ecece8', faint: '#a3a39b', line: '#3a3b3d', ground: '#1b1c1e',
    root: '#303234', own: ['#2f4d70', '#365680', '#2a4564', '#3d5f8a'],
    library: ['#5a4733', '#65513b', '#51402d', '#6e5942'],
    pseudo: ['#45464a'], found: '#8f7410', focus: '#d7e8fa',
    more: [178, 70, 52], less: [58, 104, 168], same: [66, 67, 70], curve: '#b394d8',
    arrow: '#ff7fb0', cold: [72, 56, 40], hot: [255, 176, 76],
};

export function isDark() {
    const set = document.documentElement.dataset.theme;
    return set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function palette() {
    return isDark() ? dark : light;
}

export function mix(a, b, t) {
    return 'rgb(' + a.map((v, i) => Math.round(v + (b[i] - v) * t)).join(',') + ')';
}

/* One shade of several, always the same for a name. */
export function shade(shades, name) {
    let h = 0;
    for (let i = 0; i < name.length; i++)
        h = (h * 31 + name.charCodeAt(i)) | 0;
    return shades[(h >>> 0) % shades.length];
}

/* Headers of the system have templates and inline functions: code of libraries, too. */
const SYSTEM = new RegExp('^/usr/(local/)?(include|lib|go/src)|/lib/python\\d|' +
    '/(site|dist)-packages/|/node_modules/|^node:|^/rustc/|/[.]cargo/registry/|/pkg/mod/');
const JAVA = /^(java|javax|jdk|sun|com\.sun|kotlin|scala)[./]/;

/*
 * Is it code of the program, of a library, or none? Programs may live below /usr/lib,
 * too, as compilers do.
 */
export function kindOf(model, id) {
    const f = model.functions[id], path = (model.objects[f.object] || [''])[1];
    if (path === '<jit>')
        return f.file && !JAVA.test(f.name) && !SYSTEM.test(model.files[f.file]) ? 'own'
            : 'library';
    if (f.name[0] === '<' || path[0] === '<')
        return path[0] === '<' || !path ? 'pseudo' : 'library';
    return SYSTEM.test(model.files[f.file] || '') ||
        /^\[|\.so(\.|$)/.test(path)
        ? 'library' : 'own';
}

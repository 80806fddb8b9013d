/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that name a function lead to it. */
import { clean } from './format.js';
import { model, view, func } from './state.js';

/* The function that a text begins with, as "append (logd.c:70)" does. */
export function functionOf(text) {
    const m = model.value;
    if (!m.byName)
        m.byName = new Map(m.functions.map(f => [f.name, f.id]));
    const f = m.byName.get(text);
    return f !== undefined ? f : m.byName.get(text.replace(/,? \([^()]*\)$/, ''));
}

export function Text({ text, tab = '-1' }) {
    const f = functionOf(text);
    if (!f || text[0] === '<')
        return clean(text);
    return <button class="plain link" tabIndex={tab} onClick={e => {
        e.stopPropagation();
        func.value = f;
        view.value = 'explore';
    }}>{clean(text)}</button>;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as er_print shows them, digit for digit (print/export/value.c). */

/* Seconds with three digits, rounded half away from zero; exact zero is "0.". */
export function seconds(ns) {
    if (!ns)
        return '0.\u2007\u2007\u2007';
    const v = Math.abs(ns), whole = Math.floor(v / 1e6), rest = v - whole * 1e6;
    const ms = whole + (rest >= 500000 ? 1 : 0);
    return (ns < 0 ? '-' : '') + Math.floor(ms / 1000) + '.' +
        String(ms % 1000).padStart(3, '0');
}

/* Decimals as printf() has them: a tie goes to the even digit. */
export function fixed(x, digits) {
    const scaled = x * 10 ** digits;
    if (digits === 2 && Math.abs(scaled % 1) === 0.5 && x * 8 % 1 === 0) {
        const low = Math.floor(scaled);
        return ((low % 2 ? low + 1 : low) / 100).toFixed(2);
    }
    return x.toFixed(digits);
}

export function percent(value, whole) {
    const share = whole ? 100 * (value / whole) : 0;
    return share === 0 ? '0.\u2007\u2007' : fixed(share, 2);
}

export function value(metric, v) {
    if (v === null || v === undefined)
        return '';
    if (metric.unit === 'ns')
        return seconds(v);
    if (metric.unit === 'ratio')
        return (v / 1e6).toFixed(3);
    return String(v);
}

export function unit(metric) {
    return metric.unit === 'ns' ? 's' : metric.unit === 'byte' ? 'B' : '';
}

/* For headings and summaries only, where er_print prints no number. */
export function short(metric, v) {
    if (metric.unit === 'ns')
        return seconds(v).trimEnd() + ' s';
    if (metric.unit === 'byte')
        return bytes(v);
    return value(metric, v);
}

export function bytes(v) {
    const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let i = 0, x = Math.abs(v);
    while (x >= 1024 && i < 4) {
        x /= 1024;
        i++;
    }
    return (v < 0 ? '-' : '') + (i ? x.toFixed(1) : x) + ' ' + names[i];
}

/* Seconds of a scale that is `span` ns long, with so many digits that its steps differ. */
export function moment(ns, span) {
    const digits = Math.ceil(-Math.log10(Math.max(1, span) / 1e9)) + 2;
    return (ns / 1e9).toFixed(Math.max(2, Math.min(9, digits)));
}

export function duration(ns) {
    return ns >= 60e9 ? Math.floor(ns / 60e9) + ' min ' + (ns % 60e9 / 1e9).toFixed(0) +
        ' s' : ns < 1e7 ? (ns / 1e6).toFixed(3) + ' ms' : (ns / 1e9).toFixed(ns < 1e8 ? 3 : 2) +
        ' s';
}

/* Names have characters that would move what stands around them: they are shown. */
export function clean(name) {
    return name.replace(
        /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
        c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

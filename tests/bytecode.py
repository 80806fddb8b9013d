# SPDX-License-Identifier: Apache-2.0
"""Compares the bytecode that er_print -disasm shows with what javap has.

usage: bytecode.py ER_PRINT EXPERIMENT JAVAP CLASSPATH CLASS...

All methods of these classes that have a time are compared: each instruction with its
index, operands, names of constants and line, and the sum of the instructions' time with
the method's. Prints how many methods and instructions were compared, and each
difference.
"""
import json
import re
import subprocess
import sys
from collections import Counter

types = {'B': 'byte', 'C': 'char', 'D': 'double', 'F': 'float', 'I': 'int',
         'J': 'long', 'S': 'short', 'V': 'void', 'Z': 'boolean'}


def tables(er_print, *args):
    out = subprocess.run([er_print, '-printmode', 'json', '-limit', '0', *args],
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    found, decoder = [], json.JSONDecoder()
    while out:
        document, end = decoder.raw_decode(out)
        found += document['tables']
        out = out[end:].lstrip()
    return found


def type_names(descriptor):
    """The types of a descriptor, as Java writes them."""
    for dims, name, prim in re.findall(r'(\[*)(?:L([^;]*);|([A-Z]))', descriptor):
        yield (name.replace('/', '.') or types[prim]) + '[]' * len(dims)


def class_name(text):
    text = text.strip('"')
    return next(type_names(text)) if text.startswith('[') else text.replace('/', '.')


def constant(text, owner):
    """A constant of javap's comment as er_print shows it; None: it shows none."""
    kind, _, rest = text.partition(' ')
    if kind in ('Field', 'Method', 'InterfaceMethod', 'InvokeDynamic', 'Dynamic'):
        name, type_ = rest.rsplit(':', 1)
        if kind in ('InvokeDynamic', 'Dynamic'):
            name = name.split(':', 1)[1]
        elif '.' in name:
            of, name = name.rsplit('.', 1)
            name = class_name(of) + '.' + name.strip('"')
        else:
            name = owner + '.' + name.strip('"')
        if type_.startswith('('):
            name += '(' + ','.join(type_names(type_[1:].split(')')[0])) + ')'
        return name
    if kind == 'class':
        return class_name(rest)
    if kind == 'String':
        text = rest.encode('latin-1', 'backslashreplace').decode('unicode_escape')
        text = re.sub(r'[\x00-\x1f\x7f]', '?', text)
        return '"' + (text.rstrip() + '"' if len(text) <= 120 else text[:120] + '...')
    if kind == 'int' or kind == 'long':
        return rest.rstrip('l')
    return None


def instruction(text, owner):
    """One of javap's lines: index, and the words that er_print has for it."""
    code, _, comment = text.partition('// ')
    at, name, rest = re.match(r'\s*(\d+): (\w+)\s*(.*?)\s*$', code).groups()
    numbers = re.findall(r'#?-?\w+', rest)
    if name in ('invokeinterface', 'invokedynamic'):
        numbers = numbers[:1]
    if name.endswith('_w') and name.split('_')[0] in ('iinc', 'iload', 'lload', 'fload',
                                                      'dload', 'aload', 'istore',
                                                      'lstore', 'fstore', 'dstore',
                                                      'astore', 'ret'):
        numbers.insert(0, name[:-2])
        name = 'wide'
    words = [name] + numbers
    if comment and rest.startswith('#'):
        known = constant(comment, owner)
        if name == 'multianewarray':
            words.insert(2, known)
            words.insert(3, 'dimensions')
        elif known is not None:
            words.append(known)
    return int(at), ' '.join(words)


def method_name(text, owner):
    """A method's name from its declaration in Java and its descriptor."""
    declared, descriptor = text
    name = re.search(r'([\w.$<>{}]+)\(', declared)
    name = name.group(1) if name else '<clinit>'
    if name == owner:
        name = '<init>'
    if declared.strip() == 'static {};':
        name = '<clinit>'
    return '%s.%s(%s)' % (owner, name,
                          ','.join(type_names(descriptor[1:].split(')')[0])))


def add_code(lines, i, owner):
    """Read a method's instructions and lines. Returns them by index, and where it ends.
    """
    code, starts = {}, []
    while i < len(lines) and lines[i].strip() and not lines[i].startswith('  }'):
        text = lines[i]
        if re.match(r'\s+\d+: \w+', text) and not starts:
            at, words = instruction(text, owner)
            if text.rstrip().endswith('{') or ' { //' in text:
                words = words.split()[0] + ' {'
                while lines[i + 1].strip() != '}':
                    i += 1
                    value, to = lines[i].split(':')
                    words += ' %s:%s' % (value.strip(), ' ' + to.strip())
                i += 1
                words += ' }'
            code[at] = words
        line = re.match(r'\s+line (\d+): (\d+)$', text)
        if line:
            starts.append((int(line.group(2)), int(line.group(1))))
        elif starts:
            break
        i += 1
    def line_of(at):
        best = [s for s in starts if s[0] <= at]
        return max(best)[1] if best else 0
    return {at: (words, line_of(at)) for at, words in code.items()}, i


def javap(program, path, owner):
    """Lists of all methods of a class, by their names."""
    out = subprocess.run([program, '-c', '-l', '-s', '-p', '-cp', path, owner],
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    lines, methods, i = out.split('\n'), {}, 0
    while i < len(lines):
        if lines[i].strip() == 'Code:':
            head = lines[i - 2], lines[i - 1].split('descriptor: ')[1]
            code, i = add_code(lines, i + 1, owner)
            methods.setdefault(method_name(head, owner), []).append(code)
        else:
            i += 1
    return methods


def ours(table):
    """The instructions of a method's disassembly, and the sum of their times."""
    code, total = {}, 0.0
    for row in table['rows']:
        if row['kind'] == 'instruction':
            at, words = row['text'].strip().split(': ', 1)
            # javap shows no blanks at the end of a text.
            code[int(at)] = re.sub(' +"$', '"', words), row.get('line') or 0
            total += row['e.totalcpu'] or 0
    return code, total


def compare(name, mine, theirs):
    """Print what differs. 1 if there is a difference. Methods that differ in the type
    that they return have one name.
    """
    if mine in theirs:
        return 0
    theirs = theirs[0]
    for at in sorted(set(mine) | set(theirs)):
        if mine.get(at) != theirs.get(at):
            print('# %s %d: %s, javap: %s' % (name, at, mine.get(at), theirs.get(at)))
    return 1


def main():
    er_print, experiment, program, path, *classes = sys.argv[1:]
    methods = {}
    for owner in classes:
        methods.update(javap(program, path, owner))
    functions = tables(er_print, '-metrics', 'e.totalcpu:i.totalcpu:name', '-functions',
                       experiment)[0]['rows']
    names = Counter(f['name'] for f in functions)
    hit = [f for f in functions if f['name'] in methods and names[f['name']] == 1]
    args = [word for f in hit for word in ('-disasm', f['name'])]
    shown = tables(er_print, '-metrics', 'e.totalcpu:name', *args, experiment)
    wrong = unequal = count = 0
    for f, table in zip(hit, shown):
        code, total = ours(table)
        wrong += compare(f['name'], code, methods[f['name']])
        count += len(code)
        if abs(total - (f['e.totalcpu'] or 0)) > 1e-6:
            unequal += 1
            print('# %s: %f, the sum is %f' % (f['name'], f['e.totalcpu'], total))
    print(len(hit), count, wrong, unequal)


main()

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/xml.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/readfile.h"

enum {
    TEXT_MAX = 65536, /* bytes of an element's text; the rest is left out */
    STARTS_MAX = 8,   /* places in a damaged line where parsing is tried again */
};

/* State of parsing a document or, after a broken line, the rest of the document. */
struct state {
    struct xml_reader *reader;
    xmlParserCtxtPtr parser;
    char *text; /* TEXT_MAX + 1 bytes */
    size_t len;
    bool made_up; /* the root's start tag is fed by resume(), not from the file */
    bool broken;
    bool no_memory;
};

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

size_t
xml_unescape(char *text, size_t len)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\\' || i + 1 >= len) {
            text[out++] = text[i];
        } else if (text[i + 1] == '\\') {
            text[out++] = '\\';
            i++;
        } else if (i + 3 < len && text[i + 1] == 'x' && hex_digit(text[i + 2]) >= 0 &&
                   hex_digit(text[i + 3]) >= 0) {
            text[out++] = (char)(hex_digit(text[i + 2]) << 4 | hex_digit(text[i + 3]));
            i += 3;
        } else {
            text[out++] = text[i];
        }
    }
    return out;
}

static const char *
keep(struct state *state, const char *text, size_t len)
{
    char *copy = pool_text(state->reader->pool, text, len);

    if (!copy) {
        state->no_memory = true;
        return "";
    }
    copy[xml_unescape(copy, len)] = 0;
    return copy;
}

/*
 * Copy attributes. libxml2 passes them as local name, prefix, URI, start and end of
 * value.
 */
static u32
copy_attrs(struct state *state, const xmlChar **attrs, int nattrs, struct log_pair *out)
{
    u32 n = 0;

    for (int i = 0; i < nattrs && n < XML_ATTRS_MAX; i++) {
        const char *name = (const char *)attrs[5 * i];
        const char *from = (const char *)attrs[5 * i + 3];
        const char *to = (const char *)attrs[5 * i + 4];

        out[n].name = keep(state, name, strlen(name));
        out[n++].value = keep(state, from, (size_t)(to - from));
    }
    return n;
}

static void
check_version(const struct state *state, const struct log_pair *attr, u32 nattrs)
{
    if (xml_number(attr, nattrs, "version", XML_VERSION) > XML_VERSION)
        problems_add(state->reader->problems, "%s has a newer format than this program "
                     "knows, version %s: it may be read in part or wrongly",
                     state->reader->name, xml_attr(attr, nattrs, "version", ""));
}

static void
on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
         int nspaces, const xmlChar **spaces, int nattrs, int ndefaults,
         const xmlChar **attrs)
{
    struct state *state = context;
    struct xml_reader *reader = state->reader;
    struct log_pair pairs[XML_ATTRS_MAX];
    u32 n;

    (void)prefix, (void)uri, (void)nspaces, (void)spaces, (void)ndefaults;
    state->len = 0;
    n = copy_attrs(state, attrs, nattrs, pairs);
    if (!strcmp((const char *)name, reader->root)) {
        reader->opened |= !state->made_up;
        check_version(state, pairs, n);
        return;
    }
    reader->start(reader->context, (const char *)name, pairs, n);
}

static void
on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct state *state = context;
    struct xml_reader *reader = state->reader;

    (void)prefix, (void)uri;
    if (!strcmp((const char *)name, reader->root)) {
        reader->closed = true;
        return;
    }
    state->text[xml_unescape(state->text, state->len)] = 0;
    if (reader->end)
        reader->end(reader->context, (const char *)name, state->text);
    state->len = 0;
}

static void
on_text(void *context, const xmlChar *text, int len)
{
    struct state *state = context;
    size_t room = TEXT_MAX - state->len;
    size_t take = (size_t)len < room ? (size_t)len : room;

    memcpy(state->text + state->len, text, take);
    state->len += take;
}

static void
on_doctype(void *context, const xmlChar *name, const xmlChar *external,
           const xmlChar *system)
{
    struct state *state = context;

    (void)name, (void)external, (void)system;
    state->broken = true;
    xmlStopParser(state->parser);
}

static xmlEntityPtr
on_entity(void *context, const xmlChar *name)
{
    (void)context;
    return xmlGetPredefinedEntity(name);
}

/* libxml2 2.12 made the error constant. */
#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

static void
on_error(void *context, error_pointer error)
{
    struct state *state = context;

    if (error->level >= XML_ERR_ERROR)
        state->broken = true;
}

/*
 * Suppresses libxml2's message on stderr about an unknown encoding; on_error() gets it,
 * too.
 */
static void
ignore(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

static int
parser_open(struct state *state)
{
    xmlSAXHandler sax = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .characters = on_text,
        .cdataBlock = on_text,
        .ignorableWhitespace = on_text,
        .internalSubset = on_doctype,
        .getEntity = on_entity,
        .serror = on_error,
    };

    xmlSetGenericErrorFunc(NULL, ignore);
    state->parser = xmlCreatePushParserCtxt(&sax, state, NULL, 0, NULL);
    if (!state->parser)
        return -ENOMEM;
    /* Without XML_PARSE_NOENT, &amp; in an attribute would be passed as &#38;. */
    xmlCtxtUseOptions(state->parser, XML_PARSE_NONET | XML_PARSE_NOENT);
    state->broken = false;
    state->len = 0;
    return 0;
}

static void
parser_close(struct state *state)
{
    if (!state->parser)
        return;
    if (state->parser->myDoc)
        xmlFreeDoc(state->parser->myDoc);
    xmlFreeParserCtxt(state->parser);
    state->parser = NULL;
}

static void
feed(struct state *state, const char *text, size_t len)
{
    while (len && !state->broken) {
        int part = len < 1 << 20 ? (int)len : 1 << 20;

        if (xmlParseChunk(state->parser, text, part, 0) != 0)
            state->broken = true;
        text += part;
        len -= (size_t)part;
    }
}

/*
 * After a broken line, begin a new parser, as if the root's start tag had just been
 * read.
 */
static int
resume(struct state *state)
{
    parser_close(state);
    if (parser_open(state) < 0)
        return -ENOMEM;
    state->made_up = true;
    feed(state, "<", 1);
    feed(state, state->reader->root, strlen(state->reader->root));
    feed(state, ">\n", 2);
    state->made_up = false;
    return 0;
}

/*
 * Parse a line. Complete lines end in '>'; an incomplete one may still be valid XML,
 * and so is refused here.
 */
static void
feed_line(struct state *state, const char *text, size_t len)
{
    if (len >= 2 && text[len - 1] == '\n' && text[len - 2] != '>')
        state->broken = true;
    else
        feed(state, text, len);
}

/*
 * The end of the line at `at`: after its newline, or before an event that was appended
 * to an incomplete line.
 */
static size_t
end_of_line(const char *text, size_t at, size_t len)
{
    const char *newline = memchr(text + at, '\n', len - at), *event;
    size_t end = newline ? (size_t)(newline - text) + 1 : len;

    event = memmem(text + at + 1, end - at - 1, "<event ", 7);
    return event ? (size_t)(event - text) : end;
}

/* Where in a damaged line a complete line may begin; if nowhere, the line's end. */
static size_t
next_start(const struct state *state, const char *text, size_t at, size_t end)
{
    const char *root = state->reader->root;
    size_t len = strlen(root);

    while (++at < end) {
        const char *name = text + at + 1;

        if (text[at] == '<' && at + 1 < end &&
            (isalpha((unsigned char)*name) ||
             (*name == '/' && end - at > len + 2 && !memcmp(name + 1, root, len))))
            break;
    }
    return at;
}

/*
 * Report the damaged line [at, end). If a write was cut short, the next complete line
 * was appended to it: try to parse that. 0 or -ENOMEM.
 */
static int
feed_behind(struct state *state, const char *text, size_t at, size_t end)
{
    int tried = 0;

    problems_add(state->reader->problems, "%s: the line at offset %zu is damaged",
                 state->reader->name, at);
    do {
        if (resume(state) < 0)
            return -ENOMEM;
        at = tried++ < STARTS_MAX ? next_start(state, text, at, end) : end;
        if (at < end)
            feed(state, text + at, end - at);
    } while (at < end && !state->reader->closed &&
             (state->broken || state->parser->nameNr != 1));
    return 0;
}

static int
feed_lines(struct state *state, const char *text, size_t len)
{
    struct xml_reader *reader = state->reader;
    size_t at = 0;

    while (at < len && !reader->closed) {
        size_t end = end_of_line(text, at, len);

        /*
         * A last line without newline is incomplete, unless it has the root's end tag.
         */
        if (end == len && text[end - 1] != '\n' &&
            !memmem(text + at, len - at, reader->root, strlen(reader->root)))
            break;
        if (end < len && text[end - 1] != '\n')
            state->broken = true;
        else
            feed_line(state, text + at, end - at);
        if (state->broken && feed_behind(state, text, at, end) < 0)
            return -ENOMEM;
        at = end;
    }
    if (at < len && !reader->closed)
        problems_add(reader->problems, "%s: the last line, at offset %zu, is torn",
                     reader->name, at);
    return 0;
}

int
xml_parse(struct xml_reader *reader, const char *text, size_t len)
{
    struct state state = { .reader = reader };
    int ret = -ENOMEM;

    reader->closed = reader->opened = false;
    state.text = malloc(TEXT_MAX + 1);
    if (state.text && parser_open(&state) == 0)
        ret = feed_lines(&state, text, len);
    parser_close(&state);
    free(state.text);
    return state.no_memory ? -ENOMEM : ret;
}

int
xml_slurp(int dirfd, const char *name, char **text, size_t *len)
{
    int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int ret;

    if (fd < 0)
        return -errno;
    ret = readfile_plain(fd, XML_SIZE_MAX, text, len);
    close(fd);
    return ret;
}

const char *
xml_attr(const struct log_pair *attr, u32 nattrs, const char *name, const char *missing)
{
    for (u32 i = 0; i < nattrs; i++)
        if (!strcmp(attr[i].name, name))
            return attr[i].value;
    return missing;
}

u64
xml_number(const struct log_pair *attr, u32 nattrs, const char *name, u64 missing)
{
    const char *text = xml_attr(attr, nattrs, name, NULL);
    char *end;
    u64 value;

    if (!text || !isdigit((unsigned char)text[0]))
        return missing;
    errno = 0;
    value = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
    return errno || *end ? missing : value;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_mpi: writes an experiment of an MPI program and prints its truth.
 *
 *   gen_mpi [-r RANKS] [-n ROUNDS] [-h HOSTS] [-s SHIFT-US] [-d DRIFT-PPM]
 *           [-w WALL-US]
 *           [-c COMPUTE] [-j JITTER] [-m NODES] [-f FUNCTIONS] [-R SEED]
 *           [-k TICKS-PER-NS] [-l LATE-US] [-x DAMAGE] EXPERIMENT.er
 *
 * RANKS is even. COMPUTE: the longest computation between two rounds, JITTER the most
 * that a message between hosts takes more, both in steps of 16 ns. The clock of host n
 * is n * SHIFT-US ahead, and gains n * DRIFT-PPM; its wall clock is n * WALL-US ahead.
 * With LATE-US, ROUNDS are those of a pipeline whose rank 0 is late by so much in each.
 * Truth, one a line, times in ns:
 *
 *   call NAME COUNT TIME SENT BYTES RECEIVED BYTES SMALLEST LARGEST
 *   pair FROM TO SENT BYTES RECEIVED BYTES ONE-SIDED BYTES
 *   wait PATTERN RANK FOR-RANK COUNT TIME LONGEST
 *   late RANK FUNCTION NS: what is charged to it directly and indirectly
 *   mpi-function NAME TIME CALLS SENT RECEIVED, exclusive, and inclusive
 *
 * DAMAGE, of which the truth does not know: twins (the last rank says that it is the
 * one before), unfinished (rank 1 has not called MPI_Finalize), abort (it called
 * MPI_Abort), killed (it has no end), signal (it was ended by one), hostile (records
 * without sense in rank 0).
 */
#include "tests/gen/mpi.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    u32 rounds;
    u32 tick_scale;
    u64 shift, wall; /* ns */
    u64 late;        /* ns, 0 = no pipeline */
    const char *damage;
    const char *path;
};

static u64
number(const char *text)
{
    char *end;
    u64 n = strtoull(text, &end, 0);

    if (*end || !*text || n > 1000000000000) {
        fprintf(stderr, "gen_mpi: '%s' is not a number up to 1000000000000\n", text);
        exit(2);
    }
    return n;
}

static void
option(struct cluster *c, struct options *o, int letter)
{
    if (letter == 'x') {
        o->damage = optarg;
        return;
    }
    switch (letter) {
    case 'r':
        c->ranks = (u32)number(optarg);
        break;
    case 'n':
        o->rounds = (u32)number(optarg);
        break;
    case 'h':
        c->hosts = (u32)number(optarg);
        break;
    case 's':
        o->shift = number(optarg) * 1000;
        break;
    case 'w':
        o->wall = number(optarg) * 1000;
        break;
    case 'd':
        c->drift = (double)number(optarg) * 1e-6;
        break;
    case 'c':
        c->compute = (u32)number(optarg);
        break;
    case 'j':
        c->jitter = (u32)number(optarg);
        break;
    case 'm':
        c->forest.nodes = (u32)number(optarg);
        break;
    case 'f':
        c->forest.functions = (u32)number(optarg);
        break;
    case 'R':
        c->forest.seed = number(optarg);
        break;
    case 'l':
        o->late = number(optarg) * 1000;
        break;
    case 'k':
        o->tick_scale = (u32)number(optarg);
        break;
    default:
        exit(2);
    }
}

static void
options(struct cluster *c, struct options *o, int argc, char **argv)
{
    int letter;

    while ((letter = getopt(argc, argv, "r:n:h:s:w:d:c:j:m:f:R:k:l:x:")) != -1)
        option(c, o, letter);
    if (optind + 1 != argc || !c->ranks || c->ranks % 2 || !c->hosts ||
        c->hosts > MPI_HOSTS_MAX || !c->compute || !c->forest.nodes ||
        !c->forest.functions || !o->tick_scale) {
        fprintf(stderr, "gen_mpi: one experiment's name is needed, some of each, and "
                        "an even number of ranks\n");
        exit(2);
    }
    o->path = argv[optind];
}

static bool
damaged(const struct options *o, const char *how)
{
    return o->damage && !strcmp(o->damage, how);
}

static void
start_rank(struct cluster *c, const struct options *o, u32 rank)
{
    struct member *m = &c->member[rank];
    struct rec_thread thread = { .id = 1, .tid = 4000 + rank, .birth = GEN_START };
    struct rec_comm world = { .id = 1, .kind = COMM_INTRA, .key = 77,
                              .size = c->ranks, .rank = rank,
                              .name = { "MPI_COMM_WORLD", 14 } };
    u32 told = damaged(o, "twins") && rank + 1 == c->ranks ? rank - 1 : rank;
    char name[32], path[4096], line[256];
    struct gen_host host = { name, "b", GEN_START, 0 };

    m->host = rank * c->hosts / c->ranks;
    host.start += c->shift[m->host];
    host.wall = (int64_t)(o->wall * m->host);
    snprintf(name, sizeof(name), "host%u", m->host);
    snprintf(path, sizeof(path), "%s/M_r%u.er", o->path, rank);
    m->gen = gen_start_on(path, o->tick_scale, &host);
    forest_copy(&c->forest, m->gen);
    gen_thread(m->gen, &thread);
    snprintf(line, sizeof(line),
             "<event kind=\"run\" id=\"mpi_init\" time=\"%llu\" rank=\"%u\" "
             "size=\"%u\" thread=\"0\" spawned=\"0\" library=\"none\">MPI has "
             "started (none): rank %u</event>\n",
             (unsigned long long)host.start, told, c->ranks, told);
    gen_log(m->gen, line);
    m->now = 16384 * MPI_STEP;
    gen_comm(m->gen, 1, host.start + m->now, &world);
}

static void
end_rank(struct cluster *c, const struct options *o, u32 rank)
{
    struct member *m = &c->member[rank];
    u64 mono = GEN_START + c->shift[m->host] + m->now + 1000000;
    bool odd = rank == 1;
    char line[200];

    if (odd && damaged(o, "abort"))
        snprintf(line, sizeof(line), "<event kind=\"run\" id=\"mpi_abort\" "
                 "time=\"%llu\" arg1=\"3\">the target called MPI_Abort</event>\n",
                 (unsigned long long)mono);
    else
        snprintf(line, sizeof(line), "<event kind=\"run\" id=\"mpi_finalize\" "
                 "time=\"%llu\">MPI has ended</event>\n", (unsigned long long)mono);
    if (!odd || !(damaged(o, "unfinished") || damaged(o, "killed") ||
                  damaged(o, "signal")))
        gen_log(m->gen, line);
    if (odd && damaged(o, "signal")) {
        gen_log(m->gen, "<event kind=\"end\" id=\"end\" time=\"2000000000\" "
                        "signal=\"9\" user=\"1000000\" system=\"0\" "
                        "mono=\"2000000000\">the target ended: signal 9</event>\n");
        gen_tails(m->gen);
    } else if (!odd || !damaged(o, "killed"))
        gen_end(m->gen, mono, 1000000 + m->cpu, 0);
    gen_finish(m->gen);
}

/* Something that no MPI program does. */
static void
make_hostile(struct cluster *c)
{
    struct member *m = &c->member[0];

    for (u32 i = 0; i < 2000; i++) {
        u64 r = forest_random(&c->forest), v = r >> forest_below(&c->forest, 64);
        u64 mono = GEN_START + m->now + forest_below(&c->forest, 10000);
        struct rec_mpi call = { 0, v & 0xffff, r & 255, v & 31, r & 3, (u32)(v & 15),
                                (u32)v, (u32)r, (u32)v & 7, v, r, (u32)v, 0 };
        struct rec_done done = { .call = r & 255, .comm = (u32)r & 3,
                                 .peer = (u32)(r >> 8) & 7, .received = v,
                                 .waited = r & 0xffff, .posted = v & 0xfffff,
                                 .kind = v & 31,
                                 .node = (u32)r };
        struct rec_comm comm = { .id = (u32)v, .kind = r & 7, .key = v,
                                 .size = (u32)r & 7, .rank = (u32)v,
                                 .remote = (u32)(r >> 3) & 3, .side = (u32)v & 1,
                                 .name = { "\033[2J\n\377", 6 } };
        u32 group = r & 256 ? 0 : MPICALL_Win_post + ((u32)r & 1);
        struct rec_partner partner = { .comm = (u32)v & 7, .call = group,
                                       .place = (u32)r & 3,
                                       .peer = (u32)(r >> 8) & 7 };

        if (i % 4 == 0)
            gen_partner(m->gen, 1, mono, &partner);
        else if (i % 4 == 1)
            gen_mpi(m->gen, 1, mono, &call);
        else if (i % 4 == 2)
            gen_done(m->gen, 1, mono, &done);
        else
            gen_comm(m->gen, 1, mono, &comm);
    }
}

static void
run(struct cluster *c, const struct options *o)
{
    if (o->late)
        mpi_chain(c, o->rounds, o->late);
    for (u32 n = 0; n < o->rounds && !o->late; n++) {
        u32 late = forest_below(&c->forest, c->ranks);

        for (u32 i = 0; i < c->ranks; i++)
            c->member[i].now +=
                MPI_STEP * (u64)(1 + forest_below(&c->forest, c->compute));
        c->member[late].now += MPI_STEP * (u64)c->compute;
        mpi_round(c, n % MPI_ROUNDS);
    }
}

static struct gen *
start(struct cluster *c, const struct options *o)
{
    struct gen_host host = { "host0", "b", GEN_START, 0 };
    struct gen *founder = gen_start_on(o->path, o->tick_scale, &host);

    for (u32 i = 0; i < c->hosts; i++)
        c->shift[i] = i * o->shift / MPI_STEP * MPI_STEP;
    forest_make(&c->forest, founder);
    c->member = forest_must(calloc(c->ranks, sizeof(*c->member)));
    c->pair = forest_must(calloc((size_t)c->ranks * c->ranks, sizeof(*c->pair)));
    c->wait = forest_must(calloc((size_t)PATTERNS * c->ranks * c->ranks,
                                 sizeof(*c->wait)));
    c->self = forest_must(calloc((size_t)(c->forest.nodes + 1) * TRUTHS,
                                 sizeof(*c->self)));
    for (u32 i = 0; i < c->ranks; i++)
        start_rank(c, o, i);
    return founder;
}

int
main(int argc, char **argv)
{
    static struct cluster c = { .ranks = 4, .hosts = 1, .compute = 100 };
    struct options o = { .rounds = 100, .tick_scale = 1 };
    struct gen *founder;

    c.forest = (struct forest){ .nodes = 50, .functions = 10, .seed = 42 };
    options(&c, &o, argc, argv);
    founder = start(&c, &o);
    run(&c, &o);
    if (damaged(&o, "hostile"))
        make_hostile(&c);
    gen_end(founder, GEN_START + c.member[0].now + 2000000, 1000000, 0);
    gen_finish(founder);
    for (u32 i = 0; i < c.ranks; i++)
        end_rank(&c, &o, i);
    cluster_tell(&c);
    forest_free(&c.forest);
    free(c.member);
    free(c.pair);
    free(c.wait);
    free(c.self);
    return 0;
}

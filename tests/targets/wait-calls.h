/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CALL(name, state, what the other thread does meanwhile, the call). Before one that
 * reads, the pipe is empty; each takes all that came.
 */
#define TAKE char c_[16]; (void)c_
#define FDS(fd) struct pollfd p_ = { fd, POLLIN, 0 }
#define TAKE_ALL drain()
#define EMPTY_QUEUE char q_[16]; mq_receive(posix_queue, q_, 16, NULL)

/* Time, signals, children. */
CALL(nanosleep, SLEEP, NOTHING, nanosleep(&later, NULL))
CALL(clock_nanosleep, SLEEP, NOTHING, clock_nanosleep(CLOCK_MONOTONIC, 0, &later, NULL))
CALL(usleep, SLEEP, NOTHING, usleep(LATER_US))
CALL(thrd_sleep, SLEEP, NOTHING, thrd_sleep(&later, NULL))
CALL(poll_none, SLEEP, NOTHING, poll(NULL, 0, LATER_US / 1000))
CALL(pause, SLEEP, SIGNAL, pause())
CALL(sigsuspend, SLEEP, SIGNAL, sigset_t s; sigemptyset(&s); sigsuspend(&s))
CALL(sigtimedwait, SLEEP, NOTHING, sigset_t s; sigemptyset(&s);
     sigaddset(&s, SIGUSR2); sigtimedwait(&s, NULL, &later))
#define CHILD if (!fork()) { usleep(LATER_US); _exit(0); }
CALL(wait, SLEEP, NOTHING, CHILD wait(NULL))
CALL(waitpid, SLEEP, NOTHING, CHILD waitpid(-1, NULL, 0))
CALL(waitid, SLEEP, NOTHING, CHILD waitid(P_ALL, 0, NULL, WEXITED))
CALL(wait3, SLEEP, NOTHING, CHILD wait3(NULL, 0, NULL))
CALL(wait4, SLEEP, NOTHING, CHILD wait4(-1, NULL, 0, NULL))

/* Locks and the like. */
#define UNLOCK pthread_mutex_unlock(&mutex)
#define RW_UNLOCK pthread_rwlock_unlock(&rwlock)
#define END_R struct timespec u = until(CLOCK_REALTIME)
#define END_M struct timespec u = until(CLOCK_MONOTONIC)
CALL(mutex_lock, LOCK, RELEASE, pthread_mutex_lock(&mutex); UNLOCK)
CALL(mutex_timedlock, LOCK, RELEASE, END_R; pthread_mutex_timedlock(&mutex, &u); UNLOCK)
CALL(mutex_clocklock, LOCK, RELEASE, END_M;
     pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &u); UNLOCK)
CALL(rdlock, LOCK, RELEASE, pthread_rwlock_rdlock(&rwlock); RW_UNLOCK)
CALL(wrlock, LOCK, RELEASE, pthread_rwlock_wrlock(&rwlock); RW_UNLOCK)
CALL(timedrdlock, LOCK, RELEASE, END_R; pthread_rwlock_timedrdlock(&rwlock, &u);
     RW_UNLOCK)
CALL(timedwrlock, LOCK, RELEASE, END_R; pthread_rwlock_timedwrlock(&rwlock, &u);
     RW_UNLOCK)
CALL(mtx_lock, LOCK, RELEASE, mtx_lock(&c11); mtx_unlock(&c11))
CALL(mtx_timedlock, LOCK, RELEASE, END_R; mtx_timedlock(&c11, &u); mtx_unlock(&c11))
#define WOKEN pthread_mutex_lock(&mutex); woken = 0; while (!woken)
CALL(cond_wait, EVENT, WAKE, WOKEN pthread_cond_wait(&condition, &mutex); UNLOCK)
CALL(cond_timedwait, EVENT, WAKE, END_R;
     WOKEN pthread_cond_timedwait(&condition, &mutex, &u); UNLOCK)
CALL(cond_clockwait, EVENT, WAKE, END_M;
     WOKEN pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &u); UNLOCK)
CALL(cnd_wait, EVENT, WAKE, mtx_lock(&c11); cnd_wait(&c11_condition, &c11);
     mtx_unlock(&c11))
CALL(futex, LOCK, WAKE, word = 0;
     while (!word) syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0))
CALL(barrier, EVENT, MEET, pthread_barrier_wait(&barrier))
CALL(sem_wait, EVENT, POST, while (sem_wait(&semaphore) < 0) continue)
CALL(sem_timedwait, EVENT, POST, END_R; sem_timedwait(&semaphore, &u))
CALL(sem_clockwait, EVENT, POST, END_M; sem_clockwait(&semaphore, CLOCK_MONOTONIC, &u))
CALL(semop, EVENT, OPERATE, struct sembuf down = { 0, -1, 0 };
     semop(semaphores, &down, 1))
CALL(semtimedop, EVENT, OPERATE, struct sembuf down = { 0, -1, 0 };
     struct timespec t = { 20, 0 }; semtimedop(semaphores, &down, 1, &t))
CALL(join, EVENT, END, pthread_join(other, NULL))
CALL(timedjoin, EVENT, END, END_R; pthread_timedjoin_np(other, NULL, &u))
CALL(clockjoin, EVENT, END, END_M;
     pthread_clockjoin_np(other, NULL, CLOCK_MONOTONIC, &u))

/* Descriptors. */
CALL(read, IO, WRITE, TAKE; read(in, c_, 16))
CALL(read_chk, IO, WRITE, TAKE; __read_chk(in, c_, 16, 16))
CALL(readv, IO, WRITE, TAKE; struct iovec v = { c_, 16 }; readv(in, &v, 1))
CALL(poll, EVENT, WRITE, FDS(in); poll(&p_, 1, -1); TAKE_ALL)
CALL(poll_chk, EVENT, WRITE, FDS(in); __poll_chk(&p_, 1, -1, sizeof(p_)); TAKE_ALL)
CALL(ppoll, EVENT, WRITE, FDS(in); ppoll(&p_, 1, NULL, NULL); TAKE_ALL)
CALL(ppoll_chk, EVENT, WRITE, FDS(in); __ppoll_chk(&p_, 1, NULL, NULL, sizeof(p_));
     TAKE_ALL)
CALL(select, EVENT, WRITE, fd_set s; FD_ZERO(&s); FD_SET(in, &s);
     select(in + 1, &s, NULL, NULL, NULL); TAKE_ALL)
CALL(pselect, EVENT, WRITE, fd_set s; FD_ZERO(&s); FD_SET(in, &s);
     pselect(in + 1, &s, NULL, NULL, NULL, NULL); TAKE_ALL)
CALL(epoll_wait, EVENT, WRITE, struct epoll_event e; epoll_wait(ready_set, &e, 1, -1);
     TAKE_ALL)
CALL(epoll_pwait, EVENT, WRITE, struct epoll_event e;
     epoll_pwait(ready_set, &e, 1, -1, NULL); TAKE_ALL)
CALL(recv, IO, SEND, TAKE; recv(near_end, c_, 16, 0))
CALL(recv_chk, IO, SEND, TAKE; __recv_chk(near_end, c_, 16, 16, 0))
CALL(recvfrom, IO, SEND, TAKE; recvfrom(near_end, c_, 16, 0, NULL, NULL))
CALL(recvmsg, IO, SEND, TAKE; struct iovec v = { c_, 16 };
     struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 }; recvmsg(near_end, &m, 0))
CALL(accept, IO, CONNECT, close(accept(listener, NULL, NULL)))
CALL(accept4, IO, CONNECT, close(accept4(listener, NULL, NULL, 0)))
CALL(msgrcv, IO, QUEUE, struct { long type; char text[4]; } m;
     msgrcv(message_queue, &m, 4, 0, 0))
CALL(mq_receive, IO, TELL, TAKE; mq_receive(posix_queue, c_, 16, NULL))
CALL(mq_timedreceive, IO, TELL, TAKE; END_R;
     mq_timedreceive(posix_queue, c_, 16, NULL, &u))

/* Streams; each leaves the buffer empty. */
CALL(fgets, IO, WRITE, TAKE; fgets(c_, 16, stream))
CALL(fgets_chk, IO, WRITE, TAKE; __fgets_chk(c_, 16, 16, stream))
CALL(fread, IO, WRITE, TAKE; fread(c_, 1, 4, stream))
CALL(fread_chk, IO, WRITE, TAKE; __fread_chk(c_, 16, 1, 4, stream))
CALL(getc, IO, WRITE, while (getc(stream) != '\n') continue)
CALL(fgetc, IO, WRITE, while (fgetc(stream) != '\n') continue)
CALL(getline, IO, WRITE, char *l = NULL; size_t n = 0; getline(&l, &n, stream); free(l))
CALL(fscanf, IO, WRITE, TAKE; __isoc99_fscanf(stream, "%15s 1%*c", c_))
CALL(scanf, IO, WRITE, TAKE; __isoc99_scanf("%15s 1%*c", c_))

/* What fills up. */
CALL(mq_send, IO, DRAIN_QUEUE, mq_send(posix_queue, "x", 1, 0);
     mq_send(posix_queue, "x", 1, 0); EMPTY_QUEUE)
CALL(mq_timedsend, IO, DRAIN_QUEUE, END_R; mq_send(posix_queue, "x", 1, 0);
     mq_timedsend(posix_queue, "x", 1, 0, &u); EMPTY_QUEUE)
CALL(write, IO, DRAIN, static char b[65536]; write(out, b, 65536); write(out, b, 1);
     TAKE_ALL)
#undef TAKE
#undef FDS
#undef TAKE_ALL
#undef CHILD
#undef UNLOCK
#undef RW_UNLOCK
#undef END_R
#undef END_M
#undef WOKEN
#undef EMPTY_QUEUE

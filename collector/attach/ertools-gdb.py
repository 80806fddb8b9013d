# SPDX-License-Identifier: Apache-2.0
"""The command `collector' of gdb: record the program that is debugged.

A process has one tracer, which is gdb. So collect asks gdb to read registers and to
make calls in the process; they speak in lines on a socket of gdb's."""

import os
import select
import shlex
import shutil
import socket
import subprocess
import tempfile

import gdb

REGISTERS = ("rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 "
             "rip eflags orig_rax").split()
CONNECT_SECONDS = 60
TRACE_OPTIONS = {"heaptrace": "H", "synctrace": "s", "iotrace": "i", "mpitrace": "m"}


def find_collect():
    """Beside this file as it is installed, or in PATH."""
    prefix = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
    path = os.path.join(prefix, "bin", "collect")
    if os.access(path, os.X_OK):
        return path
    path = shutil.which("collect")
    if not path:
        raise gdb.GdbError("collect is not in PATH")
    return path


HERE = os.path.realpath(globals().get("__file__", "/"))


class Settings:
    """What is to be recorded: options of collect."""

    def __init__(self):
        self.profile = "on"
        self.traces = {name: "off" for name in TRACE_OPTIONS}
        self.counters = []
        self.store = {}
        self.limit = ""
        self.archive = ""
        self.period = "1"

    def options(self):
        words = ["-p", self.profile, "-S", self.period]
        for name, letter in TRACE_OPTIONS.items():
            if self.traces[name] != "off":
                words += ["-" + letter, self.traces[name]]
        for counter in self.counters:
            words += ["-h", counter]
        for name, letter in (("directory", "d"), ("experiment", "o"), ("group", "g")):
            if name in self.store:
                words += ["-" + letter, self.store[name]]
        if self.limit:
            words += ["-L", self.limit]
        if self.archive:
            words += ["-A", self.archive]
        return words

    def show(self):
        yield "profile", self.profile
        for name in self.traces:
            yield name, self.traces[name]
        yield "hwprofile", " ".join(self.counters) or "off"
        for name in ("directory", "experiment", "group"):
            yield "store " + name, self.store.get(name, "(default)")
        yield "limit", self.limit + " MB" if self.limit else "unlimited"
        yield "archive", self.archive or "on"
        yield "sample period", self.period


class Held:
    """gdb as it has to be while collect has calls made; then as the user had it."""

    def __enter__(self):
        self.values = {name: gdb.parameter(name) for name in
                       ("scheduler-locking", "language", "unwindonsignal",
                        "print thread-events")}
        Held.thread = gdb.selected_thread()
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            self.frame = None
        self.breakpoints = [b for b in gdb.breakpoints() or () if b.enabled]
        for b in self.breakpoints:
            b.enabled = False
        set_quietly("language", "c")
        set_quietly("unwindonsignal", "on")
        set_quietly("print thread-events", "off")
        return self

    def __exit__(self, *_):
        for name, value in self.values.items():
            if isinstance(value, bool):
                value = "on" if value else "off"
            set_quietly(name, value)
        for b in self.breakpoints:
            if b.is_valid():
                b.enabled = True
        if self.thread and self.thread.is_valid():
            self.thread.switch()
            if self.frame and self.frame.is_valid():
                self.frame.select()


def set_quietly(name, value):
    gdb.execute("set %s %s" % (name, value), to_string=True)


class Session:
    """One collect, and the socket that it speaks on."""

    def __init__(self, connection, pid=0):
        self.connection = connection
        self.rest = b""
        self.pid = pid
        self.path = ""
        self.paused = False

    def line(self, timeout=None):
        """The next one; None when the time is over, "" when collect has gone."""
        while b"\n" not in self.rest:
            if not select.select([self.connection], [], [], timeout)[0]:
                return None
            try:
                data = self.connection.recv(65536)
            except OSError:
                data = b""
            if not data:
                return ""
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode("utf-8", "replace")

    def send(self, text):
        try:
            self.connection.sendall((text + "\n").encode("utf-8", "replace"))
        except OSError:
            pass

    def serve(self, line=None):
        """Do what collect asks for, up to a line that is no question: returned."""
        with Held():
            while True:
                line = self.line() if line is None else line
                verb, *words = line.split(" ") if line else [""]
                if verb not in QUESTIONS:
                    return line
                try:
                    self.send("=" + QUESTIONS[verb](*words))
                except (gdb.error, ValueError) as error:
                    self.send("!" + str(error).split("\n")[0])
                line = None

    def ask(self, text):
        self.send(text)
        return self.line(CONNECT_SECONDS)


def switch_to(tid):
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == int(tid):
            thread.switch()
            return
    raise ValueError("no thread " + tid)


def selected():
    """As the user left it: the others may run in calls, that one makes them."""
    return "%x" % Held.thread.ptid[1]


def registers(tid):
    switch_to(tid)
    frame = gdb.newest_frame()
    mask = (1 << 64) - 1
    return " ".join("%x" % (int(frame.read_register(name)) & mask)
                    for name in REGISTERS)


def call(tid, how, function, *args):
    switch_to(tid)
    set_quietly("scheduler-locking", "on" if how == "alone" else "off")
    kinds = ", ".join(["unsigned long"] * len(args))
    values = ", ".join("0x%sUL" % a for a in args)
    result = gdb.parse_and_eval("((unsigned long (*)(%s)) 0x%s)(%s)" %
                                (kinds, function, values))
    return "%x" % (int(result) & ((1 << 64) - 1))


def read(address, size):
    memory = gdb.selected_inferior().read_memory(int(address, 16), int(size, 16))
    return bytes(memory).hex()


def write(address, data):
    gdb.selected_inferior().write_memory(int(address, 16), bytes.fromhex(data))
    return ""


QUESTIONS = {"thread": selected, "registers": registers, "call": call, "read": read,
             "write": write}


class State:
    """Of this gdb."""

    def __init__(self):
        self.settings = Settings()
        self.enabled = False
        self.session = None
        self.directory = None
        self.listener = None
        self.wrapper = None

    def address(self):
        if not self.listener:
            self.directory = tempfile.TemporaryDirectory(prefix="ertools-gdb-")
            path = os.path.join(self.directory.name, "socket")
            self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.listener.bind(path)
            self.listener.listen(4)
        return self.listener.getsockname()

    def command(self):
        return [find_collect(), "--debugger=" + self.address()]

    def wrap(self):
        """Have `run' start the program by way of collect."""
        before = gdb.parameter("exec-wrapper")
        if before and before != self.wrapper:
            raise gdb.GdbError("exec-wrapper is set already: unset it first")
        if not gdb.parameter("startup-with-shell"):
            raise gdb.GdbError("startup-with-shell is off: `run' cannot record then")
        words = self.command() + self.settings.options() + ["--"]
        self.wrapper = " ".join(shlex.quote(w) for w in words)
        set_quietly("exec-wrapper", self.wrapper)

    def unwrap(self):
        if self.wrapper and gdb.parameter("exec-wrapper") == self.wrapper:
            gdb.execute("unset exec-wrapper", to_string=True)
        self.wrapper = None

    def changed(self):
        if self.wrapper:
            self.wrap()

    def accept(self, timeout):
        """Has a collect come that `run' has started, or we?"""
        if not self.listener or not select.select([self.listener], [], [], timeout)[0]:
            return None
        return self.listener.accept()[0]

    def look(self):
        """Hear what collect says by itself; may it want something done."""
        connection = self.accept(0)
        if connection:
            self.session = Session(connection)
        while self.session:
            line = self.session.line(0)
            if line is None:
                return
            self.understand(line if line.split(" ")[0] not in QUESTIONS
                            else self.session.serve(line))

    def understand(self, line):
        verb, *words = line.split(" ", 2)
        if verb == "recorded":
            self.session.pid, self.session.path = int(words[0]), words[1]
        elif verb in ("left", ""):
            self.session = None

    def live(self):
        """The session of the process that is there."""
        self.look()
        s = self.session
        if s and s.pid == gdb.selected_inferior().pid:
            return s
        return None

    def attach(self):
        """A process that runs already: gdb makes the calls."""
        if gdb.parameter("non-stop"):
            raise gdb.GdbError("in non-stop mode gdb cannot make the calls")
        kind = getattr(getattr(gdb.selected_inferior(), "connection", None), "type", "")
        if kind not in ("", "native"):
            raise gdb.GdbError("a process of another machine (%s)" % kind)
        pid = gdb.selected_inferior().pid
        words = self.command() + self.settings.options() + ["-P", str(pid)]
        collect = subprocess.Popen(words, stdin=subprocess.DEVNULL,
                                   start_new_session=True)
        connection = None
        while not connection:
            connection = self.accept(0.1)
            if not connection and collect.poll() is not None:
                raise gdb.GdbError("collect has refused: nothing is recorded")
        session = Session(connection, pid)
        line = session.serve()
        if not line.startswith("recorded"):
            collect.wait()
            raise gdb.GdbError("collect has refused: nothing is recorded")
        self.session = session
        self.understand(line)


# gdb may run this file twice: sourced, and beside libcollector.so.
again = hasattr(gdb, "ertools_state")
state = gdb.ertools_state if again else State()
gdb.ertools_state = state


def on_stop(_event):
    try:
        state.look()
    except gdb.error:
        pass


def on_exit(_event):
    state.look()


if not again:
    gdb.events.stop.connect(on_stop)
    gdb.events.exited.connect(on_exit)


def need_session():
    session = state.live()
    if not session:
        raise gdb.GdbError("nothing is recorded")
    return session


def is_process():
    return gdb.selected_inferior().pid != 0


def enable(words):
    """Record the program from `run' on, or the process that is there from now on."""
    if words:
        raise gdb.GdbError("collector enable: no argument is known")
    session = state.live()
    if session and session.paused:
        resume(words)
    elif not session and is_process():
        state.attach()
    state.wrap()
    state.enabled = True


def disable(words):
    """End the recording; the process runs on, and `run' does not record."""
    state.unwrap()
    state.enabled = False
    session = state.live()
    if session:
        session.send("leave")
        state.understand(session.serve())


def change(word, paused):
    session = need_session()
    if session.ask(word) != "done":
        raise gdb.GdbError("collect does not answer")
    session.paused = paused


def pause(_words):
    """Record no events until `collector resume'."""
    change("pause", True)


def resume(_words):
    """Record events again."""
    change("resume", False)


def sample(words):
    """record [NAME]: a sample point now. period SECONDS | periodic | manual."""
    if words[:1] == ["record"]:
        need_session().ask("sample " + " ".join(words[1:]))
    elif words == ["periodic"]:
        state.settings.period = "1"
    elif words == ["manual"]:
        state.settings.period = "off"
    elif len(words) == 2 and words[0] == "period":
        state.settings.period = words[1]
    else:
        raise gdb.GdbError("collector sample record [NAME]|period SECONDS|"
                           "periodic|manual")


def status(_words):
    """Is something recorded, and where."""
    session = state.live()
    if session:
        print("%s process %d in %s" % ("Recording is paused:" if session.paused
                                       else "Recording", session.pid, session.path))
    elif state.enabled:
        print("`run' will record.")
    else:
        print("Nothing is recorded.")


def show(_words):
    """What is recorded."""
    for name, value in state.settings.show():
        print("%-17s %s" % (name, value))


def profile(words):
    """on|off|wall|timer INTERVAL: clock profiling."""
    if words in (["on"], ["off"], ["wall"]):
        state.settings.profile = words[0]
    elif len(words) == 2 and words[0] == "timer":
        state.settings.profile = words[1]
    else:
        raise gdb.GdbError("collector profile on|off|wall|timer INTERVAL")


def trace(name, others):
    def set_trace(words):
        if len(words) != 1 or words[0] not in ("on", "off") + others and not (
                others and words[0].isdigit()):
            raise gdb.GdbError("collector %s on|off%s" % (name, "|all|MICROSECONDS"
                                                          if others else ""))
        state.settings.traces[name] = words[0]

    return set_trace


def hwprofile(words):
    """on|off|list|counter NAME[,N]...: hardware counters."""
    if words == ["on"]:
        state.settings.counters = ["on"]
    elif words == ["off"]:
        state.settings.counters = []
    elif words == ["list"]:
        print(subprocess.run([find_collect(), "-h"], stdout=subprocess.PIPE,
                             check=False).stdout.decode(), end="")
    elif len(words) > 1 and words[0] == "counter":
        state.settings.counters = words[1:]
    else:
        raise gdb.GdbError("collector hwprofile on|off|list|counter NAME[,N]...")


def store(words):
    """directory DIRECTORY|experiment NAME|group NAME: where it is recorded."""
    names = {"directory": "directory", "experiment": "experiment",
             "filename": "experiment", "group": "group"}
    if len(words) != 2 or words[0] not in names:
        raise gdb.GdbError("collector store directory DIRECTORY|experiment NAME.er|"
                           "group NAME.erg")
    state.settings.store[names[words[0]]] = words[1]


def limit(words):
    """MB|unlimited|none: end the recording at that size."""
    if words in (["unlimited"], ["none"]):
        state.settings.limit = ""
    elif len(words) == 1 and words[0].isdigit():
        state.settings.limit = words[0]
    else:
        raise gdb.GdbError("collector limit MB|unlimited")


def archive(words):
    """on|off|copy|src: what is kept of the load objects."""
    if len(words) != 1 or words[0] not in ("on", "off", "copy", "src"):
        raise gdb.GdbError("collector archive on|off|copy|src")
    state.settings.archive = words[0]


WORDS = {
    "enable": enable, "disable": disable, "pause": pause, "resume": resume,
    "sample": sample, "status": status, "show": show, "profile": profile,
    "heaptrace": trace("heaptrace", ()), "iotrace": trace("iotrace", ()),
    "mpitrace": trace("mpitrace", ()), "synctrace": trace("synctrace", ("all",)),
    "hwprofile": hwprofile,
    "store": store, "limit": limit, "archive": archive,
}
SETTINGS = ("profile", *TRACE_OPTIONS, "hwprofile", "store", "limit", "archive",
            "sample")
TRACES = {"heaptrace": "on|off: memory allocation.",
          "iotrace": "on|off: input and output.",
          "mpitrace": "on|off: calls of MPI.",
          "synctrace": "on|off|all|MICROSECONDS: waits for locks."}


class Collector(gdb.Command):
    """Record the program that is debugged, in an experiment for er_print."""

    def __init__(self):
        super().__init__("collector", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


class Word(gdb.Command):
    """One of the words of `collector'."""

    def __init__(self, name, function):
        self.__doc__ = function.__doc__ or TRACES[name]
        self.name = name
        self.function = function
        super().__init__("collector " + name, gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        self.dont_repeat()
        self.function(gdb.string_to_argv(argument))
        if self.name in SETTINGS:
            state.changed()


Collector()
for word, function in WORDS.items():
    Word(word, function)

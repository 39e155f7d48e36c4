# SPDX-License-Identifier: Apache-2.0
"""strata: the effective values of layered configuration, and where each of them came from.

    >>> import strata_layers as strata
    >>> fleet = strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes")
    >>> found = fleet.get("db01", "accounts::users")
    >>> found.value["alice"]["groups"]
    ['ops', 'postgres']

The manual is docs/library/python.md. Everything here may be used by any number of threads at once, and leaves the interpreter to them while it works.
"""
from __future__ import annotations

import atexit
import collections.abc
import copy
import dataclasses
import datetime
import functools
import json
import numbers
import os
import queue
import sys
import threading
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Literal, Mapping, Optional, Sequence, Union, overload

from ._library import ffi as _ffi, lib as _lib

__all__ = ["Bug", "Cancelled", "Change", "Diagnostic", "Error", "Misuse", "NotFound", "Origin", "Place", "Project", "Report", "Result", "Secret",
           "command", "merge", "open", "version"]


@dataclasses.dataclass(frozen=True)
class Place:
    """A place that a message names. Lines and columns count from 1; None: not known."""

    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    message: str = ""


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A warning, or an error about a part of a result."""

    severity: str
    code: str
    message: str
    places: Sequence[Place]
    hint: str


class Error(Exception):
    """The input is wrong. `str()` says it as the program does."""

    def __init__(self, code: str, message: str, places: Sequence[Place] = (), hint: str = "", text: str = "") -> None:
        super().__init__(code, message, places, hint, text)
        self.code = code
        self.message = message
        self.places = tuple(places)
        self.hint = hint
        self._text = text

    def __str__(self) -> str:
        return self._text.rstrip("\n") or self.message


class NotFound(Error, LookupError):
    """There is no value."""


class Misuse(Error, ValueError):
    """The call is wrong: an unknown option, a query that is none."""


class Cancelled(Error):
    """Somebody ended the call."""


class Bug(Error):
    """A bug in strata. The project answers nothing any more."""


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where a value was written. `file` can be a name such as `<parameter>`; then there is no line. Empty: nowhere."""

    file: str
    line: Optional[int]
    column: Optional[int]
    layer: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Change:
    """A value that met others at its path. `fate`: won, merged, shadowed, removed."""

    fate: str
    layer: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    value: Any


class Secret:
    """A value that is not to be seen: `str()` gives `******`, `reveal()` the value."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def reveal(self) -> Any:
        return self._value

    def __str__(self) -> str:
        return "******"

    def __repr__(self) -> str:
        return "Secret('******')"

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and bool(self._value == other._value)

    def __hash__(self) -> int:
        # Values that have no hash can be equal to others that have one, such as a set to a frozenset: of all but texts and numbers it is the same.
        return hash((Secret, self._value)) if isinstance(self._value, (str, numbers.Number)) else hash(Secret)

    def __copy__(self) -> Secret:
        return Secret(self._value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Secret:
        return Secret(copy.deepcopy(self._value, memo))

    def __reduce__(self) -> Any:
        raise TypeError("a secret is not pickled: reveal() it first")


_OK, _NOT_FOUND, _MISUSE, _CANCELLED, _NO_MEMORY, _BUG = (_lib.STRATA_OK, _lib.STRATA_NOT_FOUND, _lib.STRATA_MISUSE, _lib.STRATA_CANCELLED,
                                                          _lib.STRATA_NO_MEMORY, _lib.STRATA_BUG)
# Those that are looked at for each value: the library would look them up by name.
_TEXT, _SEQUENCE, _MAPPING = _lib.STRATA_TEXT, _lib.STRATA_SEQUENCE, _lib.STRATA_MAPPING
_CALL = _ffi.typeof("call*")
# Nothing can happen between that it is made and that it has who frees it.
_new_call = _ffi.new_allocator(_lib.call_memory, _lib.call_free, should_clear_after_alloc=False)
_CLASSES = {_NOT_FOUND: NotFound, _MISUSE: Misuse, _CANCELLED: Cancelled, _BUG: Bug}


def _string(text: Any) -> str:
    size = text.size
    return str(_ffi.unpack(text.data, size).decode()) if size else ""


def _place(told: Mapping[str, Any]) -> Place:
    return Place(told.get("file"), told.get("line"), told.get("column"), told.get("message", ""))


def _places(told: Mapping[str, Any]) -> list[Place]:
    own = [Place(told["file"], told.get("line"), told.get("column"))] if "file" in told else []
    return own + [_place(note) for note in told.get("notes", ())]


def _error(status: int, error: Any) -> Exception:
    """The exception of a handle, which stays the caller's."""
    if status == _NO_MEMORY or error == _ffi.NULL:
        return MemoryError("strata has no memory left")
    told = json.loads(_string(_lib.strata_error_json(error)))
    return _CLASSES.get(status, Error)(told["code"], told["message"], _places(told), told["hint"], _string(_lib.strata_error_format(error)))


def _check(status: int, call: Any) -> None:
    """Raises what has made a call fail."""
    if status != _OK:
        raise _error(status, call.error)


def _ask(function: Callable[..., Any], *given: Any) -> Any:
    """What a call makes, which frees it when nobody holds it any more. The handlers of signals run meanwhile: one that raises ends the call."""
    call = _new_call(_CALL)
    if threading.get_ident() == threading.main_thread().ident:
        raised: list[BaseException] = []
        status = function(*given, id(raised), call)
        if raised:
            raise raised.pop()
        if status == _CANCELLED:  # What a handler has raised could not be kept; or a stream has failed, which `command` looks at.
            raise KeyboardInterrupt
    else:
        status = function(*given, 0, call)
    _check(status, call)
    return call


def _text(data: bytes) -> Any:
    """A text for the time of a call; keep what is returned as long."""
    buffer = _ffi.from_buffer(data)
    return _ffi.new("strata_text*", {"data": buffer, "size": len(data)}), buffer


def _time(value: Any) -> Any:
    time = _ffi.new("strata_time*")
    time.size = _ffi.sizeof("strata_time")
    _lib.strata_value_time(value, time)
    try:
        if _lib.strata_value_kind(value) == _lib.STRATA_DATE:
            return datetime.date(time.year, time.month, time.day)
        zone = datetime.timezone(datetime.timedelta(seconds=time.zone_seconds)) if time.has_zone else None
        return datetime.datetime(time.year, time.month, time.day, time.hour, time.minute, time.second, time.microsecond, zone)
    except ValueError:  # A second 60, for instance.
        return f"{time.year:04}-{time.month:02}-{time.day:02} {time.hour:02}:{time.minute:02}:{time.second:02}"


def _scalar(value: Any, kind: int) -> Any:
    if kind == _TEXT:
        return _string(_lib.strata_value_text(value))
    if kind == _lib.STRATA_INTEGER:
        return _lib.strata_value_integer(value)
    if kind == _lib.STRATA_BOOLEAN:
        return bool(_lib.strata_value_boolean(value))
    if kind == _lib.STRATA_DOUBLE:
        return _lib.strata_value_double(value)
    if kind == _lib.STRATA_BIG_INTEGER:
        # Any number of digits, whatever the limit of int() is.
        return int(json.loads(_string(_lib.strata_value_text(value)), parse_int=_big))
    if kind == _lib.STRATA_BINARY:
        text = _lib.strata_value_text(value)
        return bytes(_ffi.buffer(text.data, text.size)) if text.size else b""
    return _time(value) if kind in (_lib.STRATA_DATE, _lib.STRATA_TIMESTAMP) else None


def _big(digits: str) -> int:
    out, sign = 0, 1
    if digits.startswith("-"):
        digits, sign = digits[1:], -1
    for at in range(0, len(digits), 4000):
        piece = digits[at:at + 4000]
        out = out * 10 ** len(piece) + int(piece)
    return sign * out


def _key(value: Any) -> Any:
    """A key: Python's dict needs one that does not change."""
    key = _build(value)
    return _frozen(key)


def _frozen(key: Any) -> Any:
    if isinstance(key, list):
        return tuple(_frozen(item) for item in key)
    if isinstance(key, dict):
        return tuple((_frozen(name), _frozen(item)) for name, item in key.items())
    return frozenset(key) if isinstance(key, set) else key


def _build(value: Any) -> Any:
    """A value of Python. Parts of a secret are not secret again. Without recursion: values may nest deeper than Python's calls."""
    whole: list[Any] = []
    # Containers that are not finished: the value, its kind, its number of parts, those that are done, and what holds it.
    open_ones: list[tuple[Any, int, int, list[Any], bool]] = []
    hidden = False
    while True:
        kind = _lib.strata_value_kind(value)
        is_secret = not hidden and bool(_lib.strata_value_is_secret(value))
        if kind in (_SEQUENCE, _MAPPING):
            open_ones.append((value, kind, _lib.strata_value_count(value), [], is_secret))
            hidden = hidden or is_secret
        else:
            out: Any = {_key(_lib.strata_value_key(value, i)) for i in range(_lib.strata_value_count(value))} if kind == _lib.STRATA_SET else _scalar(value, kind)
            (open_ones[-1][3] if open_ones else whole).append(Secret(out) if is_secret else out)
        while open_ones:
            holder, kind, count, done, is_secret = open_ones[-1]
            if len(done) < count:
                value = _lib.strata_value_item(holder, len(done))
                break
            open_ones.pop()
            out = done if kind == _SEQUENCE else {_key(_lib.strata_value_key(holder, i)): item for i, item in enumerate(done)}
            if is_secret:
                out, hidden = Secret(out), False
            (open_ones[-1][3] if open_ones else whole).append(out)
        else:
            return whole[0]


def _escaped(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")


_UNKNOWN = object()
# Deeper values are built without recursion.
_MOST_LEVELS_OF_JSON = 200


class Result:
    """The answer for a subject. Immutable."""

    def __init__(self, call: Any, again: Callable[[], Result]) -> None:
        self._call = call  # It has the handle.
        self._handle = call.result
        self._again = again
        self._value: Any = _UNKNOWN

    @property
    def value(self) -> Any:
        """dict, list, str, int, float, bool, None, bytes, date, datetime, set; Secret for what is not to be seen."""
        if self._value is _UNKNOWN:  # No cached_property: its lock takes longer than most values.
            self._value = self._built()
        return self._value

    def _built(self) -> Any:
        value = _lib.strata_result_value(self._handle)
        kind = _lib.strata_value_kind(value)
        if kind == _TEXT and not _lib.strata_value_is_secret(value):
            return _string(_lib.strata_value_text(value))
        if kind in (_SEQUENCE, _MAPPING) and _lib.is_plain(value, _MOST_LEVELS_OF_JSON):
            text = _string(_lib.strata_result_json(self._handle))
            if text:
                try:
                    return json.loads(text, parse_int=_big)
                except RecursionError:  # The caller has taken most of what calls may nest.
                    pass
        return _build(value)

    @functools.cached_property
    def json(self) -> str:
        """As the command prints it with --output json."""
        return self._formed(_lib.strata_result_json, "JSON")

    @functools.cached_property
    def yaml(self) -> str:
        """As the command prints it with --output yaml."""
        return self._formed(_lib.strata_result_yaml, "YAML")

    @functools.cached_property
    def text(self) -> str:
        """As the command prints it."""
        return self._formed(_lib.strata_result_text, "text")

    def _formed(self, function: Any, form: str) -> str:
        text = function(self._handle)
        if text.data == _ffi.NULL:
            raise Error("output.form", f"the value has no form as {form}")
        return _string(text)

    @functools.cached_property
    def blame_json(self) -> str:
        """As the command prints it with --blame --output json."""
        return self._formed(_lib.strata_result_blame, "JSON")

    @functools.cached_property
    def blame(self) -> list[dict[str, Any]]:
        """Where each leaf came from: a dict with path, value, file, line, column for each."""
        rows: list[dict[str, Any]] = json.loads(self.blame_json, parse_int=_big)
        return rows

    @functools.cached_property
    def warnings(self) -> list[Diagnostic]:
        told = json.loads(_string(_lib.strata_result_warnings(self._handle)))
        return [Diagnostic(one["severity"], one["code"], one["message"], _places(one), one["hint"]) for one in told]

    def origin(self, pointer: str = "") -> Origin:
        """Where the value at a JSON Pointer was written; of a container, its first leaf."""
        for row in self.blame:
            if row["path"] == pointer or row["path"].startswith(pointer + "/"):
                return Origin(row["file"] or "", row.get("line"), row.get("column"), self._layer(row["path"]))
        raise NotFound("explain.path", f"there is nothing at the path '{pointer}'")

    def _layer(self, pointer: str) -> Optional[str]:
        """The layer that gave a leaf, if histories are known."""
        rows = self.explain() if self.keeps_history else []
        met: list[dict[str, Any]] = next((row["history"] for row in rows if row["path"] == pointer), [])
        return next((one["layer"] for one in reversed(met) if one["fate"] in ("won", "merged")), None)

    @functools.cached_property
    def keeps_history(self) -> bool:
        """Whether the query asked for histories."""
        try:
            self._explained("")
        except Misuse:
            return False
        return True

    def _explained(self, pointer: str) -> str:
        out, call, text = _ffi.new("strata_text*"), _new_call(_CALL), pointer.encode()
        _check(_lib.call_explain(self._handle, text, len(text), out, call), call)
        return _string(out[0])

    @functools.cached_property
    def _recorded(self) -> Result:
        return self if self.keeps_history else self._again()

    def explain(self, pointer: str = "") -> list[dict[str, Any]]:
        """The histories at and below a JSON Pointer. Asks again, if the query was not for histories."""
        rows: list[dict[str, Any]] = json.loads(self.explain_json(pointer), parse_int=_big)
        return rows

    def explain_json(self, pointer: str = "") -> str:
        """As the command prints them with --explain --output json."""
        return self._recorded._explained(pointer)

    def history(self, pointer: str = "") -> list[Change]:
        """What met at a JSON Pointer, in the order in which it met; of a container, at its leaves."""
        return [Change(one["fate"], one["layer"], one.get("file"), one.get("line"), one.get("column"), one.get("value"))
                for row in self.explain(pointer) for one in row["history"]]

    def is_secret(self, pointer: str = "") -> bool:
        text, _alive = _text(pointer.encode())
        return bool(_lib.strata_result_is_secret(self._handle, text[0]))

    def __repr__(self) -> str:
        return f"<strata_layers.Result of {len(self.blame)} leaves>"


class Report:
    """What an analysis says: `data` is its JSON, whose members are attributes, too (`effects`, `findings`, `changes`)."""

    def __init__(self, call: Any) -> None:
        self._call = call  # It has the handle.
        self._handle = call.result
        self.json = _string(_lib.strata_result_json(self._handle))
        self.data: dict[str, Any]
        try:
            self.data = json.loads(self.json, parse_int=_big)
        except RecursionError:  # Values that nest deeper than calls may.
            self.data = _build(_lib.strata_result_value(self._handle))

    @property
    def warnings(self) -> list[Diagnostic]:
        told = json.loads(_string(_lib.strata_result_warnings(self._handle)))
        return [Diagnostic(one["severity"], one["code"], one["message"], _places(one), one["hint"]) for one in told]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError(name) from None


class _Take:
    """What callbacks of C receive."""

    def __init__(self, take: Callable[..., None]) -> None:
        self.take = take
        self.error: Optional[BaseException] = None


@_ffi.def_extern(error=1)  # type: ignore[misc]
def take_result(self: Any, name: Any, result: Any, error: Any) -> int:
    own: _Take = _ffi.from_handle(self)
    try:
        own.take(_string(name), result, error)
    except BaseException as problem:  # It cannot pass C.
        own.error = problem
        return 1
    return 0


class _Stopped(Exception):
    pass


# Ends the loops of `all` that are still open: no thread may call the interpreter after its end.
_loops: set[Callable[[], None]] = set()


@atexit.register
def _end_loops() -> None:
    for end in list(_loops):
        end()


_PLAIN = (str, bool, int, type(None))
Subject = Union[str, Mapping[str, Any]]
Keys = Union[str, Iterable[str]]


class Project:
    """A question, and one state of the files that it reads. Close it, or use it with `with`."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        opened, text = _new_call(_CALL), _json(options)
        _check(_lib.call_open(text, len(text), opened), opened)
        self._opened: Any = opened  # It has the handle.
        self._queries: dict[Any, bytes] = {}
        self._times = 0  # How many times the files were read again.

    def close(self) -> None:
        """Frees it when no call uses it any more. Results stay as they are."""
        self._opened = None

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Any:
        opened = self._opened
        if opened is None:
            raise ValueError("the project is closed")
        return opened

    def refresh(self) -> None:
        """Looks at the files anew."""
        opened, call = self._open(), _new_call(_CALL)
        self._times += 1
        _check(_lib.call_refresh(opened, call), call)

    def subjects(self) -> list[str]:
        """The names of the nodes, sites or machines. A question with one subject has the name ''."""
        call = _ask(_lib.call_subjects, self._open())
        told = bytes(_ffi.buffer(call.names, call.size)) if call.size else b""
        names: list[str] = []
        at, width = 0, _ffi.sizeof("size_t")
        while at < len(told):
            begin = at + width
            at = begin + int.from_bytes(told[at:begin], sys.byteorder)
            names.append(told[begin:at].decode())
        return names

    def _query(self, keys: Union[str, tuple[str, ...]], options: Mapping[str, Any]) -> bytes:
        # Texts are the same for the same query, so that strata knows its answer.
        name: Any = keys
        if options:
            if not all(type(value) in _PLAIN for value in options.values()):
                return _query(keys, options)
            # 1, 1.0 and True are one key of a dict, and not one query.
            name = (name, *((option, type(value), value) for option, value in options.items()))
        known = self._queries.get(name)
        if known is None:
            known = _query(keys, options)
            if len(self._queries) < 10_000:
                self._queries[name] = known
        return known

    def get(self, subject: Subject = "", keys: Keys = (), **options: Any) -> Result:
        """The result of a subject: a name, '' for the only one, or {"name": …, "facts": {…}} for a node that is not listed.

        `keys`: of lookup and inject, as words of the command; none: everything. Options: merge, default, history, cleartext.
        Raises NotFound, Error."""
        opened, times = self._open(), self._times
        about = subject.encode() if isinstance(subject, str) else _json(_mapping(subject))
        words: Union[str, tuple[str, ...]] = keys if isinstance(keys, str) else tuple(keys)  # An iterator has them once.
        query = self._query(words, options)
        call = _new_call(_CALL)
        if not _lib.call_known(opened, about, len(about), query, len(query), call):
            call = _ask(_lib.call_get, opened, about, len(about), query, len(query))
        return Result(call, lambda: self._recorded(times, subject, words, options))

    def _recorded(self, times: int, subject: Subject, keys: Keys, options: Mapping[str, Any]) -> Result:
        """The same result with its history, of the same state of the files."""
        out = self.get(subject, keys, **{**options, "history": True})
        if times != self._times:
            raise Error("call.stale", "the files were read again after this result was made, so its history is gone", hint="make the result with history=True")
        return out

    @overload
    def all(self, keys: Keys = (), *, errors: Literal[False] = False, **options: Any) -> Iterator[tuple[str, Result]]: ...
    @overload
    def all(self, keys: Keys = (), *, errors: Literal[True], **options: Any) -> Iterator[tuple[str, Union[Result, Error]]]: ...
    @overload
    def all(self, keys: Keys = (), *, errors: bool, **options: Any) -> Iterator[tuple[str, Union[Result, Error]]]: ...

    def all(self, keys: Keys = (), *, errors: bool = False, **options: Any) -> Iterator[tuple[str, Any]]:
        """The results of all subjects in their order, as they are worked out on all cores. A subject that fails raises its Error when its turn comes;
        `errors=True` gives (name, Error) instead, and goes on."""
        opened, times = self._open(), self._times
        words: Union[str, tuple[str, ...]] = keys if isinstance(keys, str) else tuple(keys)
        return self._each(opened, times, words, self._query(words, options), options, errors)

    def _each(self, opened: Any, times: int, keys: Keys, query: bytes, options: Mapping[str, Any], gives_errors: bool) -> Iterator[tuple[str, Any]]:
        # No name: the end of all.
        items: queue.Queue[tuple[Optional[str], Any, Any]] = queue.Queue(maxsize=64)
        is_over = threading.Event()
        call = _new_call(_CALL)
        if not _lib.call_can_cancel(call):
            raise _error(_NO_MEMORY, _ffi.NULL)

        def put(item: tuple[Optional[str], Any, Any]) -> None:
            while not is_over.is_set():
                try:
                    return items.put(item, timeout=0.05)
                except queue.Full:
                    continue
            raise _Stopped

        def take(name: str, result: Any, error: Any) -> None:
            if result != _ffi.NULL:
                held = _new_call(_CALL)
                _lib.call_hold(result, held)
                put((name, held, None))
            else:
                put((name, None, _error(_lib.strata_error_status(error), error)))

        def work() -> None:
            own = _Take(take)
            receiver = _ffi.new_handle(own)
            status = _lib.call_all(opened, query, len(query), _lib.take_result, receiver, call)
            problem = None if status == _OK else _error(status, call.error)
            try:
                put((None, None, own.error if own.error is not None else problem if problem is not None else StopIteration()))
            except _Stopped:
                pass

        worker = threading.Thread(target=work, name="strata_layers.all", daemon=True)

        def end() -> None:
            is_over.set()
            _lib.call_cancel(call)
            if worker.ident is not None:
                worker.join()

        try:
            _loops.add(end)
            worker.start()
            while True:
                name, result, problem = items.get()
                if isinstance(problem, StopIteration):
                    return
                if result is not None and name is not None:
                    yield name, Result(result, lambda name=name: self._recorded(times, name, keys, options))  # type: ignore[misc]
                elif name is not None and gives_errors:
                    yield name, problem
                else:
                    raise problem
        finally:
            end()
            _loops.discard(end)

    def check(self, select: Keys = (), ignore: Keys = ()) -> Report:
        """What is dead, unused or mistyped in the files: `findings`, `summary`."""
        options = _json({"select": _words(select), "ignore": _words(ignore)})
        return Report(_ask(_lib.call_check, self._open(), options, len(options)))

    def impact(self, edits: Mapping[str, Optional[str]]) -> Report:
        """Whom unsaved edits touch: `effects`, `subjects`. A text of None deletes the file."""
        text = json.dumps(dict(edits)).encode()
        return Report(_ask(_lib.call_impact, self._open(), text, len(text)))

    def diff(self, before: Optional[str] = None, after: Optional[str] = None, edits: Optional[Mapping[str, Optional[str]]] = None) -> Report:
        """What differs between two git revisions, or the files as they are now, with edits: `changes`, `summary`."""
        options = {name: value for name, value in (("from", before), ("to", after), ("edits", edits and dict(edits))) if value}
        text = json.dumps(options).encode()
        return Report(_ask(_lib.call_diff, self._open(), text, len(text)))


def _query(keys: Keys, options: Mapping[str, Any]) -> bytes:
    query = dict(options)
    if keys:
        query["keys"] = _words(keys)
    return _json(query) if query else b""


def _words(keys: Keys) -> list[str]:
    return [keys] if isinstance(keys, str) else list(keys)


def _mapping(subject: Any) -> Any:
    if not isinstance(subject, collections.abc.Mapping):
        raise TypeError(f"a subject is a name or a mapping, not {type(subject).__name__}")
    return dict(subject)


def _json(data: Any) -> bytes:
    """The text of options; paths are texts."""
    return json.dumps(data, default=os.fspath).encode()


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in options.items() if value is not None}


def open(project: Optional[str] = None, **options: Any) -> Project:
    """Opens a project: `open("@fleet")`, a project of the working directory or of `folder`; or a question, `open(verb="lookup", codedir=…)`, with the
    options of the verb, where `_` stands for `-`; or `open(words=["lookup", …])`."""
    return Project(_options({"project": project, **options}))


def merge(files: Mapping[str, str], subject: str = "", query: Optional[Mapping[str, Any]] = None, **options: Any) -> Result:
    """One question about texts in memory: `merge({"a.yaml": …, "b.yaml": …}, verb="merge", args=["a.yaml", "b.yaml"])`."""
    def ask(history: bool) -> Result:
        request = {**_options(options), "files": dict(files), "subject": subject, "query": {**(query or {}), **({"history": True} if history else {})}}
        text = _json(request)
        return Result(_ask(_lib.call_merge, text, len(text)), lambda: ask(True))

    return ask(False)


class _Streams:
    """Where a command prints and reads. What cannot pass C is raised after the call."""

    def __init__(self, output: BinaryIO, errors: BinaryIO, source: Optional[BinaryIO]) -> None:
        self.streams = {1: output, 2: errors}
        self.source = source
        self.piece: Any = None  # Lasts until the next one.
        self.problem: Optional[BaseException] = None


def _keep(_kind: Any, problem: BaseException, trace: Any) -> None:
    """Keeps what a callback has raised, an interrupt too."""
    own: _Streams = _ffi.from_handle(trace.tb_frame.f_locals["self"])
    own.problem = own.problem or problem


@_ffi.def_extern(error=1, onerror=_keep)  # type: ignore[misc]
def write_stream(self: Any, stream: int, text: Any) -> int:
    own: _Streams = _ffi.from_handle(self)
    own.streams[stream].write(_ffi.buffer(text.data, text.size)[:])
    return 0


@_ffi.def_extern(error=1, onerror=_keep)  # type: ignore[misc]
def read_stream(self: Any, text: Any) -> int:
    own: _Streams = _ffi.from_handle(self)
    own.piece = own.source.read(1 << 16) if own.source is not None else b""
    text.data, text.size = _ffi.from_buffer(own.piece), len(own.piece)
    return 0


def command(words: Sequence[str], output: BinaryIO, errors: BinaryIO, source: Optional[BinaryIO] = None) -> int:
    """Runs the command of a verb, `["lookup", "--codedir", …]`: what `strata` prints for these words goes to `output` and `errors`, `-` is `source`.
    Returns the exit status."""
    streams = _Streams(output, errors, source)
    handle = _ffi.new_handle(streams)
    console = _ffi.new("strata_console*", {"size": _ffi.sizeof("strata_console"), "self": handle, "write": _lib.write_stream,
                                           "read": _ffi.NULL if source is None else _lib.read_stream})
    text = json.dumps({"words": list(words)}).encode()
    try:
        return int(_ask(_lib.call_command, text, len(text), console).exit_status)
    finally:
        if streams.problem is not None:
            raise streams.problem from None


def version() -> str:
    """The version of strata."""
    return _string(_lib.strata_version())

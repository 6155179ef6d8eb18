"""System calls that map memory: mmap, munmap, mremap, mprotect, brk. A mapping is one object of the program.

malloc maps nothing here, but fails like these calls if the user allows failures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.engine.memory.library_objects import set_errno
from unfork.engine.memory.resolve import Location, single_candidate
from unfork.engine.state.flat_layout import start_of
from unfork.engine.state.memory import LARGEST, MemoryObject, address_of
from unfork.engine.state.names import heap_name
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Value
from unfork.program.llvm.ir import Call
from unfork.world.kernel import contents, linux
from unfork.world.kernel.kernel_tables import KERNEL, Inode, kernel_of
from unfork.world.kernel.system_call import CallRefused, Handler, SystemCall, always, choose_failure
from unfork.world.library.memory_functions import MODELS as HEAP
from unfork.world.library.model import Arguments, FunctionModel

PROT_READ, PROT_WRITE = 1, 2
MAP_SHARED, MAP_PRIVATE, MAP_TYPE, MAP_FIXED, MAP_ANONYMOUS, MAP_FIXED_NOREPLACE = 1, 2, 0xF, 0x10, 0x20, 0x100000
MREMAP_MAYMOVE = 1
MAPPING = "mapping"
"""The kind of a mapping's object: free() of it is a fault, losing it is no leak."""


def _pages(length: int) -> int:
    return (length + linux.PAGE - 1) & -linux.PAGE


def _add(call: SystemCall, item: MemoryObject, most: int | None = None) -> int:
    state = call.step.state
    number, state.heap_count = heap_name(
        state.heap_count, len(item.data) if most is None else most, is_narrow=state.memory.is_narrow
    )
    item.site = call.step.site()
    state.memory.add(number, item)
    return number


def _length(call: SystemCall, position: int) -> int:
    length = call.long_number(position, "the length")
    if length == 0:
        raise CallRefused(linux.EINVAL)
    if length > 1 << 47:
        raise CallRefused(linux.ENOMEM)
    return _pages(length)


def _mmap(call: SystemCall) -> Value:
    step = call.step
    length = _length(call, 1)
    protection, flags = call.number(2, "the protection"), call.number(3, "the flags")
    if flags & (MAP_FIXED | MAP_FIXED_NOREPLACE):
        step.unsupported("mmap at a fixed address")
    if protection & PROT_READ == 0:
        step.unsupported("mmap of memory that may not be read")
    is_shared = flags & MAP_TYPE in (MAP_SHARED, 3)
    if not is_shared and flags & MAP_TYPE != MAP_PRIVATE:
        raise CallRefused(linux.EINVAL)
    step.limit(int(length <= LARGEST), "capacity", f"a mapping of {length} bytes (the largest has {LARGEST})")
    is_read_only = not protection & PROT_WRITE
    if flags & MAP_ANONYMOUS:
        call.may_fail(linux.ENOMEM)
        item = MemoryObject(bytearray(length), length, MAPPING, "mmap", read_only=is_read_only)
        return address_of(_add(call, item))
    return _map_file(call, length, is_shared=is_shared, is_read_only=is_read_only)


def _map_file(call: SystemCall, length: int, *, is_shared: bool, is_read_only: bool) -> Value:
    """Map a copy of a file's bytes. Neither a shared mapping nor its file may be written afterwards."""
    step = call.step
    _, file, inode = call.open_file(4)
    offset = call.long_number(5, "the offset")
    _check_mappable(file.flags, inode, offset, shared_for_writing=is_shared and not is_read_only)
    if is_shared and not is_read_only:
        step.unsupported("mmap of a file as shared and writable")
    size = step.concretize(inode.size, 64, 64, "the size of a file that is mapped")
    call.may_fail(linux.ENOMEM)
    visible = min(length, _pages(max(0, size - offset)))
    item = MemoryObject(bytearray(visible), visible, MAPPING, "mmap", read_only=False)
    number = _add(call, item)
    count = max(0, min(visible, size - offset))
    if count:
        contents.get(step, file.inode, offset, Location(number, item, 0), count)
    if is_read_only:
        _protect(call, number, read_only=True)
    if is_shared:
        call.change(file.inode, replace(inode, is_mapped=True))
    return address_of(number)


def _check_mappable(flags: int, inode: Inode, offset: int, *, shared_for_writing: bool) -> None:
    if offset % linux.PAGE:
        raise CallRefused(linux.EINVAL)
    access = flags & linux.O_ACCMODE
    if access == linux.O_WRONLY or (shared_for_writing and access != linux.O_RDWR):
        raise CallRefused(linux.EACCES)
    if inode.sort != "file":
        raise CallRefused(linux.ENODEV)


# --- mappings that exist


def _mapping(call: SystemCall, position: int) -> tuple[int, int, MemoryObject] | None:
    """The mapping at a pointer argument: its number, the offset and the object; None: no mapping."""
    step = call.step
    candidate = single_candidate(step, call.arguments[position])
    if candidate is None:
        step.unsupported(f"{call.name} of a symbolic address")
    offset = step.concretize(candidate.offset, 64, 64, f"an address given to {call.name}")
    item = step.state.memory.objects.get(candidate.number)
    if item is None:
        return None
    if item.kind != MAPPING:
        step.fail("invalid-free", f"{call.name} of memory that mmap did not make: '{item.name}'")
    return candidate.number, offset, item


def _munmap(call: SystemCall) -> Value:
    step = call.step
    length = _length(call, 1)
    mapping = _mapping(call, 0)
    if mapping is None:
        return 0
    number, offset, item = mapping
    if offset % linux.PAGE:
        raise CallRefused(linux.EINVAL)
    if length < item.limit - offset:
        step.unsupported("munmap of the beginning or the middle of a mapping")
    if offset == 0:
        step.state.memory.free(number, "unmapped", step.position)
    else:
        _resize(call, number, offset)
    return 0


def _resize(call: SystemCall, number: int, size: int) -> None:
    item = call.step.state.memory.writable(number)
    added = size - len(item.data)
    if added <= 0:
        item.write_bytes(size, bytes(-added))
        item.data = item.data[:size]
        item.mask = None if item.mask is None else item.mask[:size]
    else:
        item.data += bytes(added)
        item.mask = None if item.mask is None else item.mask + bytes(added)
    item.size = item.limit = size


def _mremap(call: SystemCall) -> Value:
    """Growth moves the mapping, if the flags allow that."""
    step = call.step
    new = _length(call, 2)
    flags = call.number(3, "the flags")
    mapping = _mapping(call, 0)
    if mapping is None:
        raise CallRefused(linux.EFAULT)
    number, offset, item = mapping
    if offset or _pages(call.long_number(1, "the old length")) != item.limit or flags & ~MREMAP_MAYMOVE:
        step.unsupported("mremap of a part of a mapping, or to a fixed address")
    step.limit(int(new <= LARGEST), "capacity", f"a mapping of {new} bytes (the largest has {LARGEST})")
    if new <= item.limit:
        _resize(call, number, new)
        return address_of(number)
    if not flags & MREMAP_MAYMOVE:
        raise CallRefused(linux.ENOMEM)
    call.may_fail(linux.ENOMEM)
    moved = MemoryObject(bytearray(new), new, MAPPING, "mremap", read_only=False)
    moved.copy_range(0, item, 0, item.limit)
    target = _add(call, moved)
    if item.read_only:
        _protect(call, target, read_only=True)
    step.state.memory.free(number, "moved by mremap", step.position)
    return address_of(target)


def _mprotect(call: SystemCall) -> Value:
    step = call.step
    protection = call.number(2, "the protection")
    length = _pages(call.long_number(1, "the length"))
    if length == 0:
        return 0
    mapping = _mapping(call, 0)
    if mapping is None:
        raise CallRefused(linux.ENOMEM)
    number, offset, item = mapping
    if offset or length != item.limit or not protection & PROT_READ:
        step.unsupported("mprotect of a part of a mapping, or so that it may not be read")
    _protect(call, number, read_only=not protection & PROT_WRITE)
    return 0


def _protect(call: SystemCall, number: int, *, read_only: bool) -> None:
    memory = call.step.state.memory
    item = memory.objects[number].copy(None)
    item.read_only = read_only
    memory.add(number, item)


def _advise(call: SystemCall) -> Value:
    if call.number(2, "the advice") in (4, 8, 9):  # MADV_DONTNEED, MADV_FREE, MADV_REMOVE
        call.step.unsupported("madvise that drops memory")
    return 0


# --- the program break


def _brk(call: SystemCall) -> Value:
    """The memory below the break is one object. A break out of range leaves the old one."""
    step = call.step
    number = call.kernel.break_object
    wanted = call.long_number(0, "the break")
    if not number:
        number = _add(call, MemoryObject(bytearray(), 0, MAPPING, "brk"), LARGEST)
        call.kernel = replace(call.kernel, break_object=number)
    item = step.state.memory.objects[number]
    size = wanted - start_of(number)
    if 0 <= size <= LARGEST:
        _resize(call, number, size)
        return wanted
    return address_of(number, item.limit)


HANDLERS: Mapping[str, Handler] = {
    "mmap": _mmap,
    "munmap": _munmap,
    "mremap": _mremap,
    "mprotect": _mprotect,
    "madvise": _advise,
    "msync": always(0),
    "mlock": always(0),
    "munlock": always(0),
    "brk": _brk,
}


# --- malloc and its family: each call may also return null

MAY_FAIL = (
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "valloc",
    "posix_memalign",
    "unfork_new",
)


def _with_failures(name: str, model: FunctionModel) -> FunctionModel:
    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        kernel = step.state.remembered[KERNEL]
        if kernel is None or not kernel.failures:
            return model.run(step, arguments, call)
        way, _ = choose_failure(step, name, 1, 1)
        result: RegisterValue
        if not way:
            result = model.run(step, arguments, call)
        elif name == "posix_memalign":
            result = linux.ENOMEM
        else:
            set_errno(step, linux.ENOMEM)
            result = 0
        step.state.remembered[KERNEL] = kernel_of(step.state).after_call(failed=bool(way))
        return result

    return FunctionModel(model.parameters, model.result, run)


HEAP_MODELS: Mapping[str, FunctionModel] = {name: _with_failures(name, HEAP[name]) for name in MAY_FAIL}
"""Models that replace the heap's own."""

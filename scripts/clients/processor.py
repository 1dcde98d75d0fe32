"""Runs a program as if the processor lacked some of its instructions (Linux, x86-64).

    python3 scripts/clients/processor.py (avx512 | avx2 | NOTHING) PROGRAM [ARGUMENT ...]

A program learns what its processor can do from the instruction `cpuid`. Before the program's first instruction every `cpuid` in it and in
the system's loader (which chooses the functions of the C library) is replaced by `ud2`, an instruction of the same length that stops the program;
then its answer is given here, without the bits of what is to be hidden. Nothing is written to a file, and the program runs at full speed
otherwise. `objdump` (binutils) finds the instructions, since their two bytes may stand elsewhere too.

What a program executes without asking is not found out by this.
"""

import ctypes
import hashlib
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# Bits to hide: (leaf, subleaf) → masks of eax, ebx, ecx, edx. Of AVX-512 all parts; AVX2 with FMA and what builds on them.
AVX512 = {
    (7, 0): (0, 1 << 16 | 1 << 17 | 1 << 21 | 1 << 26 | 1 << 27 | 1 << 28 | 1 << 30 | 1 << 31, 1 << 1 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14,
             1 << 2 | 1 << 3 | 1 << 8 | 1 << 23),
    (7, 1): (1 << 5, 0, 0, 1 << 19),
}
AVX2 = {
    (1, 0): (0, 0, 1 << 12 | 1 << 28 | 1 << 29, 0),  # FMA, AVX, F16C
    (7, 0): (0, 1 << 5 | AVX512[7, 0][1], 1 << 9 | 1 << 10 | AVX512[7, 0][2], AVX512[7, 0][3]),  # AVX2, VAES, VPCLMULQDQ
    (7, 1): (1 << 4 | 1 << 5, 0, 0, 1 << 4 | 1 << 5 | 1 << 19),  # AVX-VNNI and relatives
    (0x80000001, 0): (0, 0, 1 << 11 | 1 << 16, 0),  # XOP, FMA4
}
HIDE = {"nothing": {}, "avx512": AVX512, "avx2": AVX2}

TRACEME, POKEUSER, CONT, SINGLESTEP, GETREGS, SETREGS, SETOPTIONS, EVENTMSG = 0, 6, 7, 9, 12, 13, 0x4200, 0x4201
EXITKILL, TRACECLONE = 1 << 20, 1 << 3
WALL = 0x40000000

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


class Registers(ctypes.Structure):
    """struct user_regs_struct of x86-64."""

    _fields_ = [(name, ctypes.c_uint64) for name in (
        "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs").split()]


def ptrace(request, pid, address=0, data=0):
    if libc.ptrace(request, pid, address, data) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"ptrace {request}: {os.strerror(number)}")


def registers(pid):
    found = Registers()
    ptrace(GETREGS, pid, 0, ctypes.addressof(found))
    return found


def put_registers(pid, values):
    ptrace(SETREGS, pid, 0, ctypes.addressof(values))


def questions(path):
    """Addresses of `cpuid` in a file, as objdump tells them; remembered by the file's content."""
    content = Path(path).read_bytes()
    known = Path(tempfile.gettempdir()) / f"delassus-cpuid-{os.getuid()}-{hashlib.sha256(content).hexdigest()[:16]}"
    if not known.is_file():
        lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
        found = re.findall(r"^ *([0-9a-f]+):\s+cpuid\s*$", lines, re.MULTILINE)
        aside = known.with_suffix(f".{os.getpid()}")
        aside.write_text("\n".join(found))
        aside.replace(known)
    return [int(word, 16) for word in known.read_text().split()]


def first_address(path):
    """Of an ELF file: the address of its first byte, as it is linked."""
    content = Path(path).read_bytes()
    start, = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    parts = [struct.unpack_from("<IIQQ", content, start + k * size) for k in range(count)]
    return next(address - offset for kind, _, offset, address in parts if kind == 1)


def mapped(pid):
    """Files of the process, and by how much they are shifted."""
    shifts = {}
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        words = line.split(maxsplit=5)
        if len(words) == 6 and words[5].startswith("/") and int(words[2], 16) == 0:
            shifts.setdefault(words[5], int(words[0].split("-")[0], 16) - first_address(words[5]))
    return shifts


def answers(pid):
    """What cpuid answers here to all that may be asked: the stopped process is made to ask."""
    before = registers(pid)
    with open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory:
        memory.seek(before.rip)
        code = memory.read(2)
        memory.seek(before.rip)
        memory.write(b"\x0f\xa2")

        def ask(leaf, part):
            values = Registers.from_buffer_copy(before)
            values.rax, values.rcx = leaf, part
            put_registers(pid, values)
            ptrace(SINGLESTEP, pid)
            os.waitpid(pid, WALL)
            after = registers(pid)
            return after.rax, after.rbx, after.rcx, after.rdx

        table = {}
        for first in (0, 0x40000000, 0x80000000):
            last = min(ask(first, 0)[0], first + 0x40)
            for leaf in range(first, max(last, first) + 1):
                for part in range(32 if leaf in (2, 4, 7, 0xb, 0xd, 0xf, 0x10, 0x12, 0x14, 0x18, 0x1f, 0x8000001d, 0x80000026) else 1):
                    table[leaf, part] = ask(leaf, part)
        memory.seek(before.rip)
        memory.write(code)
    put_registers(pid, before)
    return table


def run(words, hidden):
    """Runs the program to its end without what is hidden; its exit code, or 128 + the signal that ended it."""
    child = os.fork()
    if child == 0:
        ptrace(TRACEME, 0)
        os.execvp(words[0], words)
    os.waitpid(child, 0)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(child, number))
    ptrace(SETOPTIONS, child, 0, EXITKILL | TRACECLONE)
    table = answers(child)
    places = {shift + address for path, shift in mapped(child).items() for address in questions(path)}
    assert places, "the program asks nothing of its processor"
    with open(f"/proc/{child}/mem", "r+b", buffering=0) as memory:
        for place in places:
            memory.seek(place)
            assert memory.read(2) == b"\x0f\xa2"
            memory.seek(place)
            memory.write(b"\x0f\x0b")
    ptrace(CONT, child)
    started = set()
    while True:
        pid, status = os.waitpid(-1, WALL)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if pid == child:
                return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
            continue
        number = os.WSTOPSIG(status)
        if status >> 16:
            number = 0  # a thread is made
        elif number == signal.SIGSTOP and pid != child and pid not in started:
            started.add(pid)
            number = 0
        elif number == signal.SIGILL:
            values = registers(pid)
            if values.rip in places:
                leaf, part = values.rax & 0xffffffff, values.rcx & 0xffffffff
                answer = table.get((leaf, part)) or table.get((leaf, 0)) or (0, 0, 0, 0)
                masks = hidden.get((leaf, part if (leaf, part) in table else 0), (0, 0, 0, 0))
                values.rax, values.rbx, values.rcx, values.rdx = (a & ~m for a, m in zip(answer, masks))
                values.rip += 2
                put_registers(pid, values)
                number = 0
        ptrace(CONT, pid, 0, number)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in HIDE:
        sys.exit(__doc__)
    sys.exit(run(sys.argv[2:], HIDE[sys.argv[1]]))

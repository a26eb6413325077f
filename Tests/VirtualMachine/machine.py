"""A QEMU guest without hardware acceleration, with USB keyboards that type what a test specifies."""

import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import guest_image
import key_queue
import keys

HERE = pathlib.Path(__file__).resolve().parent
QEMU = "qemu-system-x86_64"
# The tools that the machine and its scenarios use, and the packages that contain them.
TOOLS = {
    QEMU: "qemu-system-x86", "strace": "strace", "udevadm": "udev", "evemu-play": "evemu-tools",
    "systemctl": "systemd", "dbus-daemon": "dbus", "make": "make",
    "modprobe": "kmod",
}
# `norandmaps` loads programs at the same addresses each time, because QEMU would translate moved code again.
# `tsc=nowatchdog` keeps a busy host from making the kernel distrust the TSC, which would slow down the clock.
KERNEL = [
    "console=ttyS0", "quiet", "panic=-1", "mitigations=off", "random.trust_cpu=on", "norandmaps",
    "tsc=nowatchdog",
]
# The guest mounts no file systems from the host's fstab, and has no display.
SYSTEMD = [
    "keywedge.init=systemd", "systemd.unit=guest.target", "fstab=no", "systemd.gpt_auto=no",
    "systemd.firstboot=off", "systemd.machine_id=6b6579776564676500000000000000a1",
    "modprobe.blacklist=bochs",
]


class GuestError(Exception):
    """The guest did not do what it should; the message contains its output."""


def die_with_parent():
    """Asks the kernel to end this process when its parent ends, for whatever reason."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Result:
    """The exit code of a command in the guest, and its output, which combines stdout and stderr."""

    def __init__(self, code, output):
        self.code = code
        self.output = output


def why_not():
    """Returns the reason why this host cannot run a machine; None if it can."""
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            return f"{tool} is not installed; install {package}"
    try:
        _, release = guest_image.newest_kernel()
        guest_image.in_load_order(release, guest_image.MODULES + guest_image.LATER_MODULES)
    except guest_image.MissingPart as missing:
        return str(missing)
    if not pathlib.Path("/bin/busybox").exists():
        return "no /bin/busybox; install busybox-static"
    if os.geteuid() != 0:
        return "the guest sees the host's files as root sees them; run as root"
    return None


class Machine:
    """One running guest.

    The guest's root is the host's file system, read-only, under a writable layer in memory. The
    new binary and every tool of the host are therefore at their usual paths. Both sides can write
    to the folder `exchange`, which the guest mounts at /run/exchange.

    The first process is a shell that runs commands. With `systemd`, it is the host's systemd, which
    starts the units in guest_units, and only those of the host's services that sysinit.target needs.

    The guest uses the host's clock. With `counted`, its clock advances by one nanosecond per instruction
    while the guest is busy, so that measurements do not depend on the host's other work.
    """

    BOOT_SECONDS = 300

    def __init__(self, keyboards=("k1", "k2"), systemd=False, counted=False, processors=1):
        self._keyboards = keyboards
        self._systemd = systemd
        self._counted = counted
        self._processors = processors
        self._folder = None
        self._process = None
        self._qmp = None
        self._control = None
        self._number = 0
        self._plugged = set()
        self._lines = 0
        self.key_queue = None
        # The scripts that run in the guest, by name.
        self.scripts = {}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def exchange(self):
        """The shared folder, as the host sees it."""
        return self._folder / "exchange"

    def start(self):
        """Boots the guest, and waits until it accepts commands."""
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="keywedge-vm-"))
        try:
            self._boot()
        except BaseException as error:
            error.add_note(f"The end of its console: {self.console()[-2000:]}")
            self.stop()
            raise

    def _boot(self):
        self.exchange.mkdir()
        self.exchange.chmod(0o777)
        shutil.copy(HERE / "guest_agent", self.exchange / "agent")
        if self._systemd:
            shutil.copytree(HERE / "guest_units", self.exchange / "units")
        image, release = guest_image.newest_kernel()
        guest_image.write_initramfs(self._folder / "initramfs", release)
        self.key_queue = key_queue.KeyQueue(self._folder / "qemu.log")
        with open(self._folder / "qemu.log", "wb") as log:
            self._process = subprocess.Popen(
                self._command(image), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=die_with_parent)
        self._plugged = set(self._keyboards)
        deadline = time.monotonic() + self.BOOT_SECONDS
        self._qmp = Lines(self._connect("qmp", deadline))
        self._qmp.receive(deadline)
        self._ask("qmp_capabilities")
        self._control = Lines(self._connect("control", deadline))
        while "ready" not in self._control.receive(deadline):
            pass

    def _command(self, image):
        command = [
            QEMU, "-accel", "tcg", "-machine", "q35,i8042=off", "-m", "1024", "-nodefaults",
            "-smp", str(self._processors),
            "-no-reboot", "-display", "none", "-nic", "none",
            "-kernel", str(image), "-initrd", str(self._folder / "initramfs"),
            "-append", " ".join(KERNEL + (SYSTEMD if self._systemd else [])),
            "-serial", f"file:{self._folder}/console",
            "-serial", f"unix:{self._folder}/control,server=on,wait=off",
            "-serial", f"unix:{self._folder}/port,server=on,wait=off",
            "-qmp", f"unix:{self._folder}/qmp,server=on,wait=off",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,"
                       "multidevs=remap",
            "-virtfs", f"local,path={self.exchange},mount_tag=exchange,security_model=none",
            "-device", "qemu-xhci,id=usb,p2=15,p3=15",
        ]
        for trace in key_queue.TRACES:
            command += ["-trace", trace]
        if self._counted:
            command += ["-icount", "shift=0"]
        for number, keyboard in enumerate(self._keyboards):
            # QEMU can address a single keyboard only if the keyboard is bound to its own display.
            command += ["-device", f"{'VGA' if number == 0 else 'secondary-vga'},id=d{keyboard}"]
            properties = self._properties(keyboard)
            command += ["-device", ",".join(f"{key}={value}" for key, value in properties.items())]
        return command

    def _properties(self, keyboard):
        port = self._keyboards.index(keyboard) + 1
        return {
            "driver": "usb-kbd", "id": keyboard, "display": f"d{keyboard}", "bus": "usb.0",
            "port": str(port), "serial": f"SN-{keyboard}",
        }

    def _connect(self, name, deadline):
        while True:
            if self._process.poll() is not None:
                raise GuestError(f"QEMU ended: {(self._folder / 'qemu.log').read_text()}")
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(str(self._folder / name))
                return connection
            except OSError:
                connection.close()
                if time.monotonic() > deadline:
                    raise GuestError(f"QEMU does not open its socket {name}") from None
                time.sleep(0.05)

    def stop(self):
        """Ends the guest and removes its files from the host."""
        for lines in (self._qmp, self._control):
            if lines is not None:
                lines.close()
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def console(self):
        """Returns the output of the kernel and the first program."""
        path = self._folder / "console"
        return path.read_text(errors="replace") if path.exists() else ""

    # Commands in the guest.

    def run(self, script, seconds=240):
        """Runs a shell script in the guest and returns its `Result`, whatever its exit code."""
        self._number += 1
        number = self._number
        (self.exchange / f"{number}.sh").write_text(script + "\n")
        self._control.send(f"{number} {seconds}\n")
        # The guest itself ends the script in time; the longer deadline is for a guest that hangs.
        deadline = time.monotonic() + seconds + 60
        while True:
            try:
                words = self._control.receive(deadline).split()
            except TimeoutError:
                raise GuestError(f"after {seconds} s the guest does not answer: {script}") from None
            if words[:2] == ["done", str(number)]:
                output = (self.exchange / f"{number}.out").read_text(errors="replace")
                return Result(int(words[2]), output)

    def check(self, script, seconds=240):
        """Runs a shell script in the guest and returns its output; raises an error if the script fails."""
        result = self.run(script, seconds)
        if result.code != 0:
            raise GuestError(f"exit code {result.code} from: {script}\n{result.output}")
        return result.output

    # Keyboards.

    def type(self, keyboard, text, gap=0.01, enter=True):
        """Types text on a US keyboard, one key event every `gap` seconds."""
        for event in keys.events(text + ("\n" if enter else "")):
            self.send(keyboard, [event])
            time.sleep(gap)

    def send(self, keyboard, events):
        """Sends key events, each a (QEMU key name, is down) pair, as one group.

        First waits until the guest has read enough of the earlier events.
        """
        self.key_queue.make_room(len(events))
        self._ask("input-send-event", device=f"d{keyboard}", events=[
            {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}}
            for name, down in events
        ])

    def unplug(self, keyboard):
        """Unplugs a keyboard."""
        self._ask("device_del", id=keyboard)
        self.key_queue.forget()
        self._plugged.discard(keyboard)

    def plug(self, keyboard):
        """Plugs a keyboard in again, at the same port."""
        self._ask("device_add", **self._properties(keyboard))
        self._plugged.add(keyboard)

    # Serial scanners: one at the machine's third RS-232 port, and one at the USB adapter that QEMU emulates,
    # which is one of FTDI's.

    def open_port(self):
        """Returns the scanner's end of the line to the port /dev/ttyS2."""
        return self._line("port")

    def plug_adapter(self):
        """Plugs in the adapter, and returns the scanner's end of the line."""
        # A line stays in use for a while after its adapter is unplugged.
        self._lines += 1
        name = f"line{self._lines}"
        self._ask("chardev-add", id=name, backend={"type": "socket", "data": {
            "addr": {"type": "unix", "data": {"path": str(self._folder / name)}},
            "server": True, "wait": False}})
        line = self._line(name)
        self._ask("device_add", driver="usb-serial", id=f"adapter{self._lines}", bus="usb.0",
                  port="14", chardev=name, serial="SN-adapter")
        return line

    def _line(self, name):
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(60)
        line.connect(str(self._folder / name))
        return line

    def unplug_adapter(self):
        """Unplugs the adapter."""
        self._ask("device_del", id=f"adapter{self._lines}")

    def is_plugged(self, keyboard):
        """Returns whether the keyboard is plugged in."""
        return keyboard in self._plugged

    def _ask(self, command, **arguments):
        self._qmp.send(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        deadline = time.monotonic() + 60
        while True:
            answer = json.loads(self._qmp.receive(deadline))
            if "error" in answer:
                raise GuestError(f"QEMU refuses {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


class Lines:
    """A socket that is read line by line, with a deadline for each line."""

    def __init__(self, connection):
        self._connection = connection
        self._rest = b""

    def send(self, text):
        """Sends text."""
        self._connection.sendall(text.encode())

    def receive(self, deadline):
        """Returns the next line, without its line end; raises TimeoutError if none is complete by `deadline`."""
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("no line by the deadline")
            self._connection.settimeout(left)
            more = self._connection.recv(65536)
            if not more:
                raise GuestError("the guest is gone")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace")

    def close(self):
        """Closes the socket."""
        self._connection.close()

"""Builds the initramfs from which a guest boots: busybox, the kernel modules it needs, and `init`."""

import gzip
import os
import pathlib
import stat

MODULES = [
    "virtio_pci", "9pnet_virtio", "9p", "overlay",
    "xhci-pci", "usbhid", "hid-generic", "evdev", "uinput",
]
# Modules that scenarios load from the host's file system when they need them.
LATER_MODULES = ["dummy_hcd", "libcomposite", "usb_f_hid"]

HERE = pathlib.Path(__file__).resolve().parent


class MissingPart(Exception):
    """This host lacks something that the machine needs; the message says what."""


def newest_kernel():
    """Returns the newest kernel in /boot whose modules are installed, as (image path, release)."""
    images = sorted(pathlib.Path("/boot").glob("vmlinuz-*"), key=lambda path: path.stat().st_mtime)
    for image in reversed(images):
        release = image.name.removeprefix("vmlinuz-")
        if pathlib.Path("/lib/modules", release, "modules.dep").exists():
            return image, release
    raise MissingPart("no kernel in /boot with its modules; install linux-image-amd64")


def in_load_order(release, wanted):
    """Returns the files of the modules `wanted` and of all their dependencies, dependencies first."""
    root = pathlib.Path("/lib/modules", release)
    needs = {}
    for line in (root / "modules.dep").read_text().splitlines():
        path, _, rest = line.partition(":")
        needs[path] = rest.split()
    by_name = {_name(path): path for path in needs}
    ordered = []

    def add(path):
        for other in needs[path]:
            add(other)
        if path not in ordered:
            ordered.append(path)

    for name in wanted:
        path = by_name.get(name.replace("-", "_"))
        if path is not None:
            add(path)
        elif not _is_builtin(root, name):
            raise MissingPart(f"the kernel {release} has no module {name}")
    return [root / path for path in ordered]


def write_initramfs(target, release):
    """Writes a compressed cpio archive (format newc) to `target`."""
    busybox = pathlib.Path("/bin/busybox")
    if not busybox.exists():
        raise MissingPart("no /bin/busybox; install busybox-static")
    modules = in_load_order(release, MODULES)
    archive = Archive()
    for folder in ["bin", "dev", "proc", "sys", "host", "over", "root", "modules"]:
        archive.add(folder, stat.S_IFDIR | 0o755)
    archive.add("bin/busybox", stat.S_IFREG | 0o755, busybox.read_bytes())
    archive.add("init", stat.S_IFREG | 0o755, (HERE / "guest_init").read_bytes())
    names = []
    for number, path in enumerate(modules):
        names.append(f"/modules/{number:02d}-{path.name}")
        archive.add(names[-1][1:], stat.S_IFREG | 0o644, path.read_bytes())
    archive.add("modules/order", stat.S_IFREG | 0o644, ("\n".join(names) + "\n").encode())
    with gzip.open(target, "wb", compresslevel=1) as output:
        output.write(archive.finish())


class Archive:
    """A cpio archive in the format `newc` (Linux, Documentation/driver-api/early-userspace)."""

    def __init__(self):
        self._bytes = bytearray()
        self._inode = 0

    def add(self, name, mode, content=b""):
        """Adds one file or folder."""
        self._inode += 1
        encoded = name.encode() + b"\0"
        fields = [self._inode, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(encoded), 0]
        self._bytes += b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        self._pad()
        self._bytes += content
        self._pad()

    def finish(self):
        """Returns the complete archive."""
        self.add("TRAILER!!!", 0)
        return bytes(self._bytes)

    def _pad(self):
        self._bytes += b"\0" * (-len(self._bytes) % 4)


def _name(path):
    return os.path.basename(path).split(".ko")[0].replace("-", "_")


def _is_builtin(root, name):
    lines = (root / "modules.builtin").read_text().splitlines()
    return any(_name(line) == name.replace("-", "_") for line in lines)

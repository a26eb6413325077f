// The simplest scanner reader: grabs one keyboard, and prints the digits of each scan.
// latency.py compares the latency of the program under test with it.

#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

static const char digits[] = "1234567890";

static char character(unsigned int code) {
    return code >= KEY_1 && code <= KEY_0 ? digits[code - KEY_1] : 0;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: reader NODE\n");
        return 2;
    }
    int descriptor = open(arguments[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct libevdev *device = NULL;
    if (descriptor < 0 || libevdev_new_from_fd(descriptor, &device) < 0 ||
        libevdev_set_clock_id(device, CLOCK_MONOTONIC) < 0 ||
        libevdev_grab(device, LIBEVDEV_GRAB) < 0) {
        perror(arguments[1]);
        return 1;
    }
    puts("ready");
    fflush(stdout);

    char text[256];
    size_t length = 0;
    struct pollfd readable = {.fd = descriptor, .events = POLLIN};
    while (poll(&readable, 1, -1) >= 0) {
        struct input_event event;
        int result;
        while ((result = libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL, &event)) >= 0) {
            if (event.type != EV_KEY || event.value != 1) continue;
            if (event.code == KEY_ENTER) {
                printf("%.*s\n", (int)length, text);
                fflush(stdout);
                length = 0;
            } else if (character(event.code) && length < sizeof text) {
                text[length++] = character(event.code);
            }
        }
        if (result == -ENODEV) return 0;
    }
    return 1;
}

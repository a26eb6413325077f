// Does for a scan what keywedge does, in C and in one thread: grabs one keyboard, puts the digits of each
// scan together, checks the check digit of an EAN-13, looks the product up in the embedded catalog
// with a prepared statement, and prints the event. latency.py compares the latency of the program under
// test with it, and checks that both print the same event.

#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

// As in Sources/Catalog/ProductRows.swift.
static const char lookup[] =
    "SELECT p.number, p.id, p.name, p.unit, p.attributes, "
    "(SELECT group_concat(text, char(0)) FROM "
    "(SELECT c.text FROM code AS c WHERE c.product = p.number GROUP BY c.position)), "
    "o.price, o.currency, "
    "(SELECT group_concat(d.price || ' ' || d.currency || ' ' || ifnull(d.valid_from, '-')"
    " || ' ' || ifnull(d.valid_until, '-'), char(10)) "
    "FROM offer AS d WHERE product = p.number AND scope = '' AND position > 0) "
    "FROM (SELECT DISTINCT product FROM code WHERE key = ?) AS k "
    "CROSS JOIN product AS p ON p.number = k.product "
    "LEFT JOIN offer AS o ON o.product = p.number AND o.scope = '' AND o.position = 0";

struct scan {
    char text[256];
    size_t length;
    int key_count;
    int64_t start, end;
};

struct line {
    char bytes[4096];
    size_t length;
};

static char host[65];
static struct libevdev *device;
static sqlite3_stmt *statement;
static uint64_t sequence;

// Cuts off what does not fit; the texts of the test's products always fit.
static void put_bytes(struct line *line, const char *bytes, size_t count) {
    if (count > sizeof line->bytes - line->length) count = sizeof line->bytes - line->length;
    memcpy(line->bytes + line->length, bytes, count);
    line->length += count;
}

static void put(struct line *line, const char *text) { put_bytes(line, text, strlen(text)); }

static void put_number(struct line *line, uint64_t number, int digits) {
    char text[20];
    int start = sizeof text;
    do {
        text[--start] = '0' + number % 10;
        number /= 10;
    } while (number > 0 || (int)sizeof text - start < digits);
    put_bytes(line, text + start, sizeof text - start);
}

static void put_hexadecimal(struct line *line, unsigned int number, int digits) {
    while (digits-- > 0) put_bytes(line, "0123456789abcdef" + (number >> 4 * digits & 15), 1);
}

static void put_string(struct line *line, const char *text) {
    put(line, "\"");
    for (; *text; text++) {
        unsigned char byte = *text;
        if (byte == '"' || byte == '\\') {
            put(line, "\\");
            put_bytes(line, text, 1);
        } else if (byte < 0x20 || byte == 0x7F) {
            put(line, "\\u00");
            put_hexadecimal(line, byte, 2);
        } else {
            put_bytes(line, text, 1);
        }
    }
    put(line, "\"");
}

static int64_t microseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void put_time(struct line *line, int64_t time) {
    time_t seconds = time / 1000000;
    struct tm parts;
    gmtime_r(&seconds, &parts);
    put_number(line, parts.tm_year + 1900, 4);
    put(line, "-");
    put_number(line, parts.tm_mon + 1, 2);
    put(line, "-");
    put_number(line, parts.tm_mday, 2);
    put(line, "T");
    put_number(line, parts.tm_hour, 2);
    put(line, ":");
    put_number(line, parts.tm_min, 2);
    put(line, ":");
    put_number(line, parts.tm_sec, 2);
    put(line, ".");
    put_number(line, time % 1000000, 6);
    put(line, "Z");
}

// Puts a random UUID; gets random bytes from the kernel for 16 of them at a time.
static void put_id(struct line *line) {
    static unsigned char pool[256];
    static size_t used = sizeof pool;
    if (used == sizeof pool) {
        if (getentropy(pool, sizeof pool) < 0) perror("getentropy");
        used = 0;
    }
    unsigned char *bytes = pool + used;
    used += 16;
    bytes[6] = (bytes[6] & 0x0F) | 0x40;
    bytes[8] = (bytes[8] & 0x3F) | 0x80;
    for (int index = 0; index < 16; index++) {
        if (index == 4 || index == 6 || index == 8 || index == 10) put(line, "-");
        put_hexadecimal(line, bytes[index], 2);
    }
}

static int is_ean13(const struct scan *scan) {
    if (scan->length != 13) return 0;
    int total = 0;
    for (int place = 0; place < 13; place++) {
        total += (scan->text[place] - '0') * (place % 2 ? 3 : 1);
    }
    return total % 10 == 0;
}

static const char *column(int number) { return (const char *)sqlite3_column_text(statement, number); }

static void put_member(struct line *line, const char *name, int number) {
    const char *text = column(number);
    if (!text) return;
    put(line, name);
    put_string(line, text);
}

// Puts the codes of the product, which the statement separates by NUL.
static void put_codes(struct line *line) {
    const char *code = column(5), *end = code + sqlite3_column_bytes(statement, 5);
    put(line, ",\"codes\":[");
    while (code < end) {
        put_string(line, code);
        code += strlen(code) + 1;
        if (code < end) put(line, ",");
    }
    put(line, "]}");
}

// Looks up a GTIN; puts the result, and the product with what a till charges for it.
static void put_product(struct line *line, const char *gtin) {
    int64_t start = microseconds(CLOCK_MONOTONIC);
    struct line product;
    product.length = 0;
    sqlite3_bind_text(statement, 1, gtin, -1, SQLITE_STATIC);
    int is_found = sqlite3_step(statement) == SQLITE_ROW;
    if (is_found) {
        put(&product, ",\"product\":{\"id\":");
        put_string(&product, column(1));
        put_member(&product, ",\"name\":", 2);
        put_member(&product, ",\"price\":", 6);
        put_member(&product, ",\"currency\":", 7);
        put_member(&product, ",\"unit\":", 3);
        put_codes(&product);
        put(&product, ",\"charge\":{\"amount\":");
        put_string(&product, column(6));
        put_member(&product, ",\"currency\":", 7);
        put(&product, ",\"quantity\":\"1\",\"unit\":\"pcs\",\"from\":\"product\"}");
    } else {
        put(&product, ",\"charge\":{\"amount\":null,\"reason\":\"not-found\"}");
    }
    sqlite3_reset(statement);
    int64_t took = microseconds(CLOCK_MONOTONIC) - start;
    put(line, ",\"lookup\":{\"status\":");
    put(line, is_found ? "\"found\",\"origin\":\"embedded\"" : "\"not-found\"");
    put(line, ",\"took_ms\":");
    put_number(line, took / 1000, 1);
    put(line, ".");
    put_number(line, took % 1000, 3);
    put(line, "}");
    put_bytes(line, product.bytes, product.length);
}

static void print(const struct scan *scan) {
    struct line line;
    line.length = 0;
    char gtin[15] = "0";
    int is_retail = is_ean13(scan);
    if (is_retail) memcpy(gtin + 1, scan->text, 13);
    int64_t age = microseconds(CLOCK_MONOTONIC) - scan->end;
    put(&line, "{\"specversion\":\"1.0\",\"id\":\"");
    put_id(&line);
    put(&line, "\",\"source\":\"/keywedge/");
    put(&line, host);
    put(&line, "/scanners/till\",\"type\":\"keywedge.scan\",\"time\":\"");
    put_time(&line, microseconds(CLOCK_REALTIME) - age);
    put(&line, "\",\"datacontenttype\":\"application/json\",\"sequence\":\"");
    put_number(&line, ++sequence, 20);
    put(&line, "\",\"data\":{\"scanner\":{\"name\":\"till\",\"interface\":\"keyboard\",\"vendor\":\"");
    put_hexadecimal(&line, libevdev_get_id_vendor(device), 4);
    put(&line, "\",\"product\":\"");
    put_hexadecimal(&line, libevdev_get_id_product(device), 4);
    put(&line, "\"},\"text\":");
    put_string(&line, scan->text);
    put(&line, ",\"aim\":null,\"symbology\":");
    put(&line, is_retail ? "\"ean-13\",\"inferred\":true,\"kind\":\"gtin\",\"gtin\":"
                         : "null,\"inferred\":false,\"kind\":\"text\",\"gtin\":null");
    if (is_retail) put_string(&line, gtin);
    put(&line, ",\"check_digit\":");
    put(&line, is_retail ? "\"valid\"" : "null");
    put(&line, ",\"problems\":[],\"keystrokes\":{\"count\":");
    put_number(&line, scan->key_count, 1);
    put(&line, ",\"duration_ms\":");
    put_number(&line, (scan->end - scan->start) / 1000, 1);
    put(&line, "}");
    if (is_retail) put_product(&line, gtin);
    put(&line, "}}\n");
    if (write(STDOUT_FILENO, line.bytes, line.length) < 0) perror("standard output");
}

static char character(unsigned int code) {
    return code >= KEY_1 && code <= KEY_0 ? "1234567890"[code - KEY_1] : 0;
}

static void take(struct scan *scan, const struct input_event *event) {
    if (event->type != EV_KEY || event->value != 1) return;
    scan->end = (int64_t)event->input_event_sec * 1000000 + event->input_event_usec;
    if (scan->key_count++ == 0) scan->start = scan->end;
    if (event->code == KEY_ENTER) {
        scan->text[scan->length] = 0;
        print(scan);
        scan->length = 0;
        scan->key_count = 0;
    } else if (character(event->code) && scan->length < sizeof scan->text - 1) {
        scan->text[scan->length++] = character(event->code);
    }
}

static int open_catalog(const char *path) {
    sqlite3 *catalog;
    if (sqlite3_open_v2(path, &catalog, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_exec(catalog, "PRAGMA query_only = 1", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(catalog, lookup, -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(catalog));
        return 0;
    }
    return 1;
}

static int open_scanner(const char *path) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 || libevdev_new_from_fd(descriptor, &device) < 0 ||
        libevdev_set_clock_id(device, CLOCK_MONOTONIC) < 0 ||
        libevdev_grab(device, LIBEVDEV_GRAB) < 0) {
        perror(path);
        return -1;
    }
    return descriptor;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: product_reader NODE CATALOG\n");
        return 2;
    }
    int descriptor = open_scanner(arguments[1]);
    if (descriptor < 0 || !open_catalog(arguments[2])) return 1;
    gethostname(host, sizeof host - 1);
    puts("ready");
    fflush(stdout);

    struct scan scan = {.length = 0};
    struct pollfd readable = {.fd = descriptor, .events = POLLIN};
    while (poll(&readable, 1, -1) >= 0) {
        struct input_event event;
        int result;
        while ((result = libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL, &event)) >= 0) {
            take(&scan, &event);
        }
        if (result == -ENODEV) return 0;
    }
    return 1;
}

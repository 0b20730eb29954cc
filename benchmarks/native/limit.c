/* The machine's limit: a server that does nothing but send.
 *
 *   limit FRAMES
 *
 * FRAMES is a file of ready writes, each a 32-bit length and its bytes. Every request is answered with one send() for
 * each of them. Prints its port as one line of JSON, then serves until it is killed. It must not know what the bytes
 * mean, and reads of a request only where it ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct frame { char *data; uint32_t size; };
struct client { int fd; int waiting; size_t got, sent, next; int playing; char request[16384]; };

static struct frame *frames;
static size_t count;
static int poller;

static void die(const char *what) { perror(what); exit(1); }

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    uint32_t size;
    while (fread(&size, sizeof size, 1, file) == 1) {
        frames = realloc(frames, (count + 1) * sizeof *frames);
        frames[count] = (struct frame){malloc(size), size};
        if (fread(frames[count].data, 1, size, file) != size) die("a frame is cut short");
        count++;
    }
    fclose(file);
}

static void watch(struct client *client, int writable, int how) {
    struct epoll_event event = {.events = EPOLLIN | (writable ? EPOLLOUT : 0), .data.ptr = client};
    client->waiting = writable;
    epoll_ctl(poller, how, client->fd, &event);
}

static void play(struct client *client) {
    while (client->next < count) {
        struct frame *frame = &frames[client->next];
        ssize_t sent = send(client->fd, frame->data + client->sent, frame->size - client->sent, MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EAGAIN) watch(client, 1, EPOLL_CTL_MOD);
            return;
        }
        client->sent += sent;
        if (client->sent == frame->size) { client->next++; client->sent = 0; }
    }
    client->playing = 0;
    if (client->waiting) watch(client, 0, EPOLL_CTL_MOD);
}

/* Whether the request has been read whole; what follows it is dropped (a client waits for its answer). */
static int whole(struct client *client) {
    client->request[client->got] = 0;
    char *end = strstr(client->request, "\r\n\r\n"), *length = strcasestr(client->request, "content-length:");
    if (!end) return 0;
    size_t body = length && length < end ? strtoul(length + 15, NULL, 10) : 0;
    return client->got >= (size_t)(end + 4 - client->request) + body;
}

static void drop(struct client *client) { close(client->fd); free(client); }

static void hear(struct client *client) {
    ssize_t got = read(client->fd, client->request + client->got, sizeof client->request - 1 - client->got);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) { drop(client); return; }
    client->got += got;
    if (!whole(client)) return;
    client->got = client->sent = client->next = 0;
    client->playing = 1;
    play(client);
}

static void greet(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK), on = 1;
    if (fd < 0) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct client *client = calloc(1, sizeof *client);
    client->fd = fd;
    watch(client, 0, EPOLL_CTL_ADD);
}

int main(int argc, char **argv) {
    if (argc != 2) { fprintf(stderr, "usage: limit FRAMES\n"); return 2; }
    load(argv[1]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (void *)&address, sizeof address) || listen(listener, 1024)) die("listen");
    getsockname(listener, (void *)&address, &size);
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[256];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    printf("{\"port\": %d}\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            struct client *client = events[i].data.ptr;
            if (!client) greet(listener);
            else if (client->playing && events[i].events & EPOLLOUT) play(client);
            else hear(client);
        }
    }
}

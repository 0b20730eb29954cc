/* What both clients share: a connection, a request, and how an answer's bytes are counted. */
#ifndef WIRE_H
#define WIRE_H
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define TAIL "0\r\n\r\n" /* the end of a chunked answer */
#define MARK "data:"     /* the begin of an event */

/* `matched`: how much of MARK the bytes read last end with. `tail`: the last bytes that were read. */
struct answer { unsigned matched; char tail[sizeof TAIL - 1]; };

static inline int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, (void *)&address, sizeof address)) { perror("connect"); exit(1); }
    return fd;
}

static inline size_t request(char *out, size_t room, const char *body) {
    return snprintf(out, room,
                    "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    "Authorization: Bearer sk-bench\r\nContent-Length: %zu\r\n\r\n%s", strlen(body), body);
}

/* The events that begin in these bytes; one that begins in one read and goes on in the next is counted there. */
static inline long events_in(struct answer *answer, const char *data, size_t size) {
    long found = 0;
    size_t at = 0;
    while (answer->matched && at < size) {
        if (data[at] != MARK[answer->matched]) { answer->matched = data[at] == MARK[0]; at++; if (answer->matched) continue; break; }
        at++;
        if (++answer->matched == sizeof MARK - 1) { found++; answer->matched = 0; }
    }
    if (answer->matched) return found;
    const char *here = data + at, *end = data + size, *hit;
    while ((hit = memmem(here, end - here, MARK, sizeof MARK - 1))) { found++; here = hit + sizeof MARK - 1; }
    for (unsigned length = sizeof MARK - 2; length; length--)
        if (end - here >= (long)length && !memcmp(end - length, MARK, length)) { answer->matched = length; break; }
    return found;
}

/* Whether the answer has ended with these bytes. */
static inline int ended(struct answer *answer, const char *data, size_t size) {
    const size_t room = sizeof answer->tail;
    if (size >= room) memcpy(answer->tail, data + size - room, room);
    else { memmove(answer->tail, answer->tail + size, room - size); memcpy(answer->tail + room - size, data, size); }
    return !memcmp(answer->tail, TAIL, room);
}
#endif

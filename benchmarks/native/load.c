/* The flood: as many answers as a server can give.
 *
 *   load PORT CONNECTIONS SECONDS BODY
 *
 * Each connection asks again as soon as its answer has ended, until the time is up; what is under way then is still
 * read. Prints one line of JSON: streams, events, bytes, reads, errors, seconds.
 */
#include "wire.h"

struct stream { int fd; struct answer answer; };

static char question[65536], buffer[1 << 18];
static size_t length;

static void ask(struct stream *stream) {
    memset(&stream->answer, 0, sizeof stream->answer);
    if (write(stream->fd, question, length) != (ssize_t)length) { perror("write"); exit(1); }
}

int main(int argc, char **argv) {
    if (argc != 5) { fprintf(stderr, "usage: load PORT CONNECTIONS SECONDS BODY\n"); return 2; }
    int port = atoi(argv[1]), connections = atoi(argv[2]), poller = epoll_create1(0), open = connections;
    long streams = 0, events = 0, bytes = 0, reads = 0, errors = 0;
    length = request(question, sizeof question, argv[4]);
    struct stream *all = calloc(connections, sizeof *all);
    struct epoll_event ready[256];
    int64_t begin = now(), until = begin + (int64_t)(atof(argv[3]) * 1e9);
    for (int i = 0; i < connections; i++) {
        all[i].fd = dial(port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poller, EPOLL_CTL_ADD, all[i].fd, &event);
        ask(&all[i]);
    }
    while (open) {
        int count = epoll_wait(poller, ready, 256, 15000);
        if (count <= 0) { errors += open; break; }
        for (int i = 0; i < count; i++) {
            struct stream *stream = ready[i].data.ptr;
            ssize_t size = read(stream->fd, buffer, sizeof buffer);
            if (size > 0) {
                reads++;
                bytes += size;
                events += events_in(&stream->answer, buffer, size);
                if (!ended(&stream->answer, buffer, size)) continue;
                streams++;
                if (now() < until) { ask(stream); continue; }
            } else errors++;
            close(stream->fd);
            open--;
        }
    }
    printf("{\"streams\": %ld, \"events\": %ld, \"bytes\": %ld, \"reads\": %ld, \"errors\": %ld, \"seconds\": %.6f}\n",
           streams, events, bytes, reads, errors, (now() - begin) * 1e-9);
}

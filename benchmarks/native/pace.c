/* The stop-watch: when each event of many streams arrived.
 *
 *   pace PORT STREAMS SPREAD_US EVENTS BODY OUT [hold]
 *
 * All connections are made first; the requests then go out evenly over SPREAD_US. A stream is done after EVENTS events,
 * its end, or the loss of its connection. OUT gets a row for each event: stream and event (32 bits each, from 0) and
 * nanoseconds since the stream's request was sent (64 bits). Prints one line of JSON. With `hold` it then keeps
 * everything open until its standard input is closed.
 */
#include "wire.h"
#include <sys/prctl.h>

struct stream { int fd, done; uint32_t events; int64_t asked; struct answer answer; };
struct row { uint32_t stream, event; int64_t at; };

int main(int argc, char **argv) {
    if (argc < 7) { fprintf(stderr, "usage: pace PORT STREAMS SPREAD_US EVENTS BODY OUT [hold]\n"); return 2; }
    int port = atoi(argv[1]), total = atoi(argv[2]), asked = 0, done = 0, lost = 0, poller = epoll_create1(0);
    int64_t spread = atoll(argv[3]) * 1000;
    uint32_t wanted = atoi(argv[4]);
    static char question[65536], buffer[1 << 16];
    size_t length = request(question, sizeof question, argv[5]);
    FILE *out = fopen(argv[6], "wb");
    struct stream *all = calloc(total, sizeof *all);
    struct epoll_event ready[512];
    long reads = 0;
    if (!out) { perror(argv[6]); return 1; }
    prctl(PR_SET_TIMERSLACK, 1);
    for (int i = 0; i < total; i++) {
        all[i].fd = dial(port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poller, EPOLL_CTL_ADD, all[i].fd, &event);
    }
    usleep(300000); /* the server has accepted them all */
    int64_t begin = now();
    while (done < total) {
        while (asked < total && now() - begin >= spread * asked / total) {
            struct stream *stream = &all[asked++];
            stream->asked = now();
            if (write(stream->fd, question, length) != (ssize_t)length) { perror("write"); return 1; }
        }
        int count = epoll_wait(poller, ready, 512, asked < total ? 0 : 10000);
        if (count == 0 && asked == total) { lost += total - done; break; }
        for (int i = 0; i < count; i++) {
            struct stream *stream = ready[i].data.ptr;
            ssize_t size = read(stream->fd, buffer, sizeof buffer);
            int64_t at = now() - stream->asked;
            reads++;
            long fresh = size > 0 ? events_in(&stream->answer, buffer, size) : 0;
            for (; fresh > 0; fresh--) {
                struct row row = {stream - all, stream->events++, at};
                fwrite(&row, sizeof row, 1, out);
            }
            int over = size <= 0 || ended(&stream->answer, buffer, size);
            if (!stream->done && (over || stream->events >= wanted)) {
                stream->done = 1;
                done++;
                lost += size <= 0;
            }
            if (size <= 0) epoll_ctl(poller, EPOLL_CTL_DEL, stream->fd, NULL);
        }
    }
    fclose(out);
    printf("{\"streams\": %d, \"lost\": %d, \"reads\": %ld}\n", total, lost, reads);
    fflush(stdout);
    if (argc > 7) while (read(0, buffer, sizeof buffer) > 0) {}
}

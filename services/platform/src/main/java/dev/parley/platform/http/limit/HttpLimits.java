package dev.parley.platform.http.limit;

import dev.parley.platform.config.LimitsConfig;
import java.time.Duration;

/**
 * The limits of the HTTP server in numbers.
 *
 * @param connections open connections
 * @param connectionsPerAddress open connections of one address, other than those of this machine
 * @param streams open streams, so that some connections are left for requests
 * @param streamsPerHost of one host
 * @param streamsPerPerson of one person
 * @param bodyBytes bodies that are held at a time
 * @param times how long a client may take
 */
record HttpLimits(
        int connections,
        int connectionsPerAddress,
        int streams,
        int streamsPerHost,
        int streamsPerPerson,
        long bodyBytes,
        Times times) {
    private static final int MAX_CONNECTIONS = 8_192;
    private static final int MIN_CONNECTIONS = 16;
    private static final long MIB = 1 << 20;
    private static final long MIN_BODY_BYTES = 32 * MIB;
    private static final int HEAP_PER_BODY = 8;
    private static final int ADDRESSES = 4;

    /**
     * How long a client may take.
     *
     * @param first from a connection to its first request
     * @param header from the first byte of a request to the last one of its header
     * @param idle between two requests
     * @param body to begin with a body; it continues with {@code bodyRate}
     * @param bodyRate bytes per second, on average
     * @param read without any byte of a response
     * @param linger to stop sending, after the response
     * @param tick interval at which all this is checked
     */
    record Times(
            Duration first,
            Duration header,
            Duration idle,
            Duration body,
            int bodyRate,
            Duration read,
            Duration linger,
            Duration tick) {
        static final Times DEFAULT = new Times(
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                Duration.ofSeconds(90),
                Duration.ofSeconds(20),
                16 << 10,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1));
    }

    /** The configured limits, and where they are zero those that follow from the machine. */
    static HttpLimits of(LimitsConfig config, OpenFiles files, long heap) {
        int connections = config.connections() > 0
                ? config.connections()
                : Math.clamp(files.max() / 2, MIN_CONNECTIONS, MAX_CONNECTIONS);
        return new HttpLimits(
                connections,
                orElse(config.connectionsPerAddress(), connections / ADDRESSES),
                connections * 3 / 4,
                orElse(config.streamsPerHost(), connections / 2),
                config.streamsPerPerson(),
                config.bodyMegabytes() > 0
                        ? config.bodyMegabytes() * MIB
                        : Math.max(MIN_BODY_BYTES, heap / HEAP_PER_BODY),
                Times.DEFAULT);
    }

    private static int orElse(int configured, int fallback) {
        return configured > 0 ? configured : fallback;
    }

    /** Bodies of all who are not signed in that are held at a time, such as signed messages of webhooks. */
    long bodyBytesAnybody() {
        return Math.max(BodySize.FILES.bytes(), bodyBytes / 4);
    }

    /** Bodies of one person that are held at a time: others find room beside them. */
    long bodyBytesEach() {
        return Math.max(BodySize.FILES.bytes(), bodyBytes / 2);
    }
}

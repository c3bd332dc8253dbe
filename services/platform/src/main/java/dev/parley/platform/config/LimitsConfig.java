package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.ClientLimitsSection;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the HTTP server; zero where a limit follows from the machine.
 *
 * @param connections open connections; 0: half of the files that the process may open, at most 8,192
 * @param connectionsPerAddress open connections of an address that is not this machine's; 0: a quarter of all
 * @param streamsPerPerson open streams of a person, of every kind
 * @param streamsPerHost open streams of a host; 0: half of all connections
 * @param bodyMegabytes bodies that are held at a time, in MiB; 0: an eighth of the heap
 */
public record LimitsConfig(
        int connections, int connectionsPerAddress, int streamsPerPerson, int streamsPerHost, int bodyMegabytes) {
    /** The default number of streams of a person: a page of the console has two, a program some. */
    private static final int STREAMS_PER_PERSON = 64;

    private static final int MIN_CONNECTIONS = 16;
    private static final int MAX = 1_000_000;
    private static final int MIN_BODIES = 32;
    private static final int MAX_BODIES = 65_536;

    /** The defaults. */
    public static final LimitsConfig DEFAULT = new LimitsConfig(0, 0, STREAMS_PER_PERSON, 0, 0);

    static LimitsConfig of(@Nullable ClientLimitsSection section) {
        return section == null
                ? DEFAULT
                : new LimitsConfig(
                        number("connections", section.connections(), 0, MIN_CONNECTIONS, MAX),
                        number("connectionsPerAddress", section.connectionsPerAddress(), 0, 1, MAX),
                        number("streamsPerPerson", section.streamsPerPerson(), STREAMS_PER_PERSON, 1, MAX),
                        number("streamsPerHost", section.streamsPerHost(), 0, 1, MAX),
                        number("bodyMegabytes", section.bodyMegabytes(), 0, MIN_BODIES, MAX_BODIES));
    }

    private static int number(String name, @Nullable Integer value, int fallback, int min, int max) {
        if (value == null) {
            return fallback;
        }
        if (value < min || value > max) {
            throw new ConfigException(
                    "http.limits." + name, "is a number from %d to %d, not %d".formatted(min, max, value));
        }
        return value;
    }
}

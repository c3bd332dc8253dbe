package dev.parley.platform.streams;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * The processes that run a topology. The name of a process is {@code instance:number}, with another number after each
 * restart. Kafka Streams distributes the names with its metadata.
 */
public final class TopologyMembers {
    /** Range of ports: for Kafka Streams the number is a port, but no process listens there. */
    private static final int NUMBERS = 65_535;

    private final String instance;
    private final HostInfo incarnation;
    private volatile @Nullable KafkaStreams streams;

    /** @param instance name of this process, the same after a restart */
    public TopologyMembers(String instance) {
        this.instance = instance;
        this.incarnation = new HostInfo(instance, ThreadLocalRandom.current().nextInt(1, NUMBERS + 1));
    }

    /** Name of this process, another one after each restart. */
    public String incarnation() {
        return name(incarnation);
    }

    /** Whether the members are known; false while partitions move. */
    public boolean isSettled() {
        KafkaStreams running = streams;
        return running != null && running.state() == KafkaStreams.State.RUNNING;
    }

    /** Whether a process is known to have ended; false while the members are unknown. */
    public boolean isGone(String process) {
        KafkaStreams running = streams;
        if (running == null || !isSettled() || process.equals(incarnation())) {
            return false;
        }
        return process.startsWith(instance + ":")
                || running.metadataForAllStreamsClients().stream()
                        .noneMatch(client -> name(client.hostInfo()).equals(process));
    }

    void follow(KafkaStreams running) {
        streams = running;
    }

    private static String name(HostInfo host) {
        return host.host() + ":" + host.port();
    }
}

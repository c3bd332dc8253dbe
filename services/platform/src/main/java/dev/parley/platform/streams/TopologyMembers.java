package dev.parley.platform.streams;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * The processes that run a topology. Each has a name of its own, {@code instance:number}, which it does not have again after a
 * restart; by it they also know who has a key.
 */
public final class TopologyMembers {
    /** Of a port, which the number is to Kafka Streams: nothing listens there. */
    private static final int NUMBERS = 65_535;

    private final String instance;
    private final HostInfo self;
    private volatile @Nullable KafkaStreams streams;

    /** @param instance the name that the process has before and after a restart */
    public TopologyMembers(String instance) {
        this.instance = instance;
        this.self = new HostInfo(instance, ThreadLocalRandom.current().nextInt(1, NUMBERS + 1));
    }

    /** The name of this process. */
    public String self() {
        return name(self);
    }

    /** Whether it is known who is here: not while partitions move. */
    public boolean isSettled() {
        KafkaStreams running = streams;
        return running != null && running.state() == KafkaStreams.State.RUNNING;
    }

    /** Whether a process is known to be gone; false as long as that is not known. */
    public boolean isGone(String process) {
        KafkaStreams running = streams;
        if (running == null || !isSettled() || process.equals(self())) {
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

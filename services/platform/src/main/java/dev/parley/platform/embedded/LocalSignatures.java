package dev.parley.platform.embedded;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.UnsignedRecords;
import dev.parley.platform.sealing.InstallationKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of an installation with the embedded broker: its key, and where the records end that a release before
 * 0.2.0 wrote without a signature. Both stand in the data folder since the first start that signs.
 */
public final class LocalSignatures {
    private static final String KEY = "installation.key";
    private static final String UNSIGNED = "unsigned-records";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private LocalSignatures() {}

    /**
     * The key in the data folder, generated once.
     *
     * @throws StartupException if the file has something else
     */
    public static InstallationKey key(DataFolder data) {
        return parse(data.resolve(KEY), data.secret(KEY));
    }

    /**
     * The signatures of the process that opens the data folder, whose broker runs.
     *
     * @param configured the key of the configuration, or null for that of the folder
     */
    public static RecordSignatures of(DataFolder data, @Nullable InstallationKey configured, KafkaClients clients) {
        var key = configured == null ? key(data) : configured;
        try {
            var stored = PrivateFiles.read(data.resolve(UNSIGNED));
            if (stored.isPresent()) {
                return new RecordSignatures(key, UnsignedRecords.parse(stored.get()));
            }
            // The broker asks for a password since this start: until now whoever could write was believed anyway.
            var unsigned = ends(clients);
            PrivateFiles.write(data.resolve(UNSIGNED), unsigned.text());
            return new RecordSignatures(key, unsigned);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The signatures of the process that runs on a data folder; empty if it has no key there. */
    public static Optional<RecordSignatures> ofRunning(Path data, @Nullable InstallationKey configured) {
        try {
            var unsigned = UnsignedRecords.parse(
                    PrivateFiles.read(data.resolve(UNSIGNED)).orElse(""));
            var key = Optional.ofNullable(configured)
                    .or(() -> read(data.resolve(KEY)).map(text -> parse(data.resolve(KEY), text)));
            return key.map(known -> new RecordSignatures(known, unsigned));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return PrivateFiles.read(file);
        } catch (IOException e) {
            throw new StartupException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static InstallationKey parse(Path file, String text) {
        try {
            return InstallationKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw new StartupException(file + ": " + e.getMessage());
        }
    }

    private static UnsignedRecords ends(KafkaClients clients) {
        var before = new HashMap<TopicPartition, Long>();
        var names = names(clients);
        Topics.all().stream()
                .filter(topic -> Topics.isSigned(topic.name()) && names.contains(topic.name()))
                .forEach(topic -> {
                    try (var ends = new TopicEnds(clients, topic, TIMEOUT)) {
                        ends.now()
                                .forEach((partition, end) ->
                                        before.put(new TopicPartition(topic.name(), partition), end));
                    }
                });
        return new UnsignedRecords(false, before);
    }

    private static Set<String> names(KafkaClients clients) {
        try (var admin = clients.admin("unsigned-records")) {
            return new TopicAdmin(admin, 1, (short) 1).names();
        }
    }
}

package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * Credentials of the embedded broker: SASL PLAIN, which is enough on 127.0.0.1.
 *
 * @param password never printed by {@link #toString()}
 */
public record KafkaLogin(String user, String password) {
    /** File in the data folder with the password. */
    static final String FILE = "kafka.password";

    private static final String USER = "parley";
    private static final String MECHANISM = "PLAIN";
    private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required";

    /** The credentials of a broker of this data folder, generated once. */
    static KafkaLogin of(DataFolder data) {
        return new KafkaLogin(USER, data.secret(FILE));
    }

    /**
     * The credentials of the broker that runs in this data folder.
     *
     * @throws StartupException if they cannot be read
     */
    public static KafkaLogin read(Path data) {
        try {
            return new KafkaLogin(
                    USER,
                    PrivateFiles.read(data.resolve(FILE))
                            .orElseThrow(() -> new IOException("there is no file " + FILE)));
        } catch (IOException e) {
            throw new StartupException("The broker's password cannot be read in " + data + ": " + e.getMessage(), e);
        }
    }

    /** The settings of a client, besides the address. */
    public Map<String, String> clientSettings() {
        return Map.of(
                CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
                "SASL_PLAINTEXT",
                SaslConfigs.SASL_MECHANISM,
                MECHANISM,
                SaslConfigs.SASL_JAAS_CONFIG,
                "%s username=\"%s\" password=\"%s\";".formatted(MODULE, user, password));
    }

    /** The settings of a listener that lets in nobody else, and of its own connections to it. */
    String listenerSettings() {
        return "%1$s username=\"%2$s\" password=\"%3$s\" user_%2$s=\"%3$s\";".formatted(MODULE, user, password);
    }

    @Override
    public String toString() {
        return "KafkaLogin[" + user + "]";
    }
}

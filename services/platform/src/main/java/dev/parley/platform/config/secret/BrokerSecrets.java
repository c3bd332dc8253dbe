package dev.parley.platform.config.secret;

import dev.parley.platform.config.BrokersConfig;
import dev.parley.platform.config.BrokersConfig.Broker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Client settings of brokers with their secrets. A value is a reference, or contains quoted references, as in
 * {@code …PlainLoginModule required username="shop" password="env:KAFKA_PASSWORD";}.
 */
public final class BrokerSecrets {
    private static final Pattern QUOTED = Pattern.compile("\"((?:env|file|vault):[^\"]{1,1000})\"");

    private final Secrets secrets;

    private BrokerSecrets(Secrets secrets) {
        this.secrets = secrets;
    }

    /** The secrets of brokers in the configuration. */
    public static BrokerSecrets of(BrokersConfig config, Map<String, String> environment) {
        Set<String> references = config.brokers().stream()
                .flatMap(broker -> broker.properties().values().stream())
                .flatMap(value -> references(value).stream())
                .collect(Collectors.toSet());
        return new BrokerSecrets(new Secrets(environment, references));
    }

    public static List<String> references(String value) {
        if (Secrets.REFERENCE.matcher(value).matches()) {
            return List.of(value);
        }
        return QUOTED.matcher(value).results().map(found -> found.group(1)).toList();
    }

    /**
     * The client settings of a broker.
     *
     * @throws Secrets.MissingException if a secret is missing
     */
    public Map<String, String> properties(Broker broker) {
        var settings = new HashMap<String, String>();
        broker.properties().forEach((name, value) -> settings.put(name, resolve(value)));
        return settings;
    }

    private String resolve(String value) {
        if (Secrets.REFERENCE.matcher(value).matches()) {
            return secrets.get(value);
        }
        return QUOTED.matcher(value)
                .replaceAll(found -> Matcher.quoteReplacement('"' + escape(secrets.get(found.group(1))) + '"'));
    }

    private static String escape(String secret) {
        return secret.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
